// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "bench.h"
#include "character.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/skin_rows.h"
#include "sinew/kernels/binding.h"
#include "textbook.h"

namespace sinew::bench {
namespace {

constexpr std::size_t influences = 4;

// The copy benchmark of STREAM: the upper limit of memory bandwidth, in bytes read and written per
// second.
double copy_speed() {
  constexpr std::size_t count = std::size_t{1} << 24;
  const std::vector<double> from(count, 1.0);
  std::vector<double> to(count, 0.0);
  const double seconds = minimum_seconds([&] {
    parallel_for(count, count / 64, [&](std::size_t begin, std::size_t end) {
      std::copy(from.data() + begin, from.data() + end, to.data() + begin);
    });
  });
  return 2.0 * sizeof(double) * static_cast<double>(count) / seconds;
}

Checksum checksum_of(std::span<const float> values) {
  Checksum checksum;
  for (const float value : values) checksum.add(static_cast<double>(value));
  return checksum;
}

void measure_textbook(const std::string& who, const Rig& rig, std::span<const BoneState> pose,
                      double copy) {
  TextbookSkin textbook(rig, pose);
  const double seconds = minimum_seconds([&] { textbook.run(); });
  report_row("deform", who + "textbook-lbs", rig.mesh.vertex_count(), seconds,
             checksum_of(textbook.positions()),
             {influences, static_cast<double>(textbook.bytes()), copy});
}

struct Case {
  std::string name;
  Method method;
  bool normals = false;
};

void measure(const Case& what, const Binding& binding, std::span<const BoneState> pose, double copy,
             std::span<const double> shapes = {}) {
  const Plan plan(binding, what.method);
  Palette palette(plan);
  palette.update(pose, shapes);
  std::vector<float> positions(3 * binding.vertex_count());
  std::vector<float> normals(what.normals ? positions.size() : 0);
  Output output{.positions = positions.data()};
  if (what.normals) output.normals = normals.data();
  const double seconds = minimum_seconds([&] { deform(palette, output); });
  Traffic traffic;
  if (const std::size_t read = plan.bytes_read(what.normals); read > 0) {
    const std::size_t written = (positions.size() + normals.size()) * sizeof(float);
    traffic = {binding.mean_influences(), static_cast<double>(read + written), copy};
  }
  report_row("deform", what.name, binding.vertex_count(), seconds, checksum_of(positions), traffic);
}

// One shape that moves every vertex and three that each move a tenth of them, all at work.
void measure_shapes(const std::string& who, Rig rig, std::span<const BoneState> pose, double copy) {
  const std::size_t count = rig.mesh.vertex_count();
  const double size = bounding_box(rig.mesh.positions).diagonal();
  rig.mesh.shapes.resize(4);
  for (std::size_t k = 0; k < 4; ++k) {
    BlendShape& shape = rig.mesh.shapes[k];
    const std::size_t first = k == 0 ? 0 : k * count / 5;
    const std::size_t moved = k == 0 ? count : count / 10;
    for (std::size_t v = first; v < first + moved; ++v) {
      if (k > 0) shape.vertices.push_back(static_cast<Index>(v));
      shape.positions.push_back(rig.mesh.normals.values[v] * (0.002 * size));
    }
  }
  const std::vector<double> weights{0.7, -0.4, 1.3, 0.2};
  measure({who + "lbs-shapes", Skinning{}}, Binding(rig), pose, copy, weights);
}

void measure_binding(const std::string& name, const Rig& rig, bool slopes) {
  std::size_t bytes = 0;
  const double seconds = minimum_seconds([&] {
    const Binding bound(rig, {.slopes = slopes});
    bytes = Plan(bound, method_from_name("stbs-lbs", rig)).bytes_read(true);
  });
  Checksum checksum;
  checksum.add(static_cast<double>(bytes));
  report_row("deform", name, rig.mesh.vertex_count(), seconds, checksum);
}

// The cost of each method on one character.
void measure_methods(const std::string& who, const Rig& rig, double copy) {
  const auto moving = moving_pose(rig), strained = strained_pose(rig), stiff = stiff_pose(rig);
  const Binding binding(rig);
  // The same with no endpoint weight at 0 or 1: the most that stretching and twisting can cost.
  Rig everywhere = rig;
  for (const SkinInfluence& influence : skin_rows(rig).items) {
    everywhere.skin.endpoints.push_back(0.05 + 0.9 * influence.stretch_endpoint);
  }
  const Binding varied(everywhere);

  measure_binding(who + "bind", rig, true);
  measure_binding(who + "bind-without-slopes", rig, false);
  measure_textbook(who, rig, moving, copy);
  for (const MethodInfo* info : methods()) {
    const Method method = method_from_name(info->name, rig);
    const std::string name = who + std::string(info->name);
    measure({name, method}, binding, moving, copy);
    measure({name + "-normals", method, true}, binding, moving, copy);
    if (!info->traits.endpoints) continue;
    // What these methods cost depends on what there is to stretch and to twist.
    measure({name + "-stiff", method}, binding, stiff, copy);
    measure({name + "-strained", method}, binding, strained, copy);
    measure({name + "-strained-normals", method, true}, binding, strained, copy);
    measure({name + "-everywhere", method}, varied, strained, copy);
    measure({name + "-everywhere-normals", method, true}, varied, strained, copy);
  }
  measure({who + "lbs-normals-without-slopes", Skinning{}, true}, Binding(rig, {.slopes = false}),
          moving, copy);
  measure_shapes(who, rig, moving, copy);
}

}  // namespace

void run_deform_suite(const Options& options) {
  const int threads = thread_count();
  set_thread_count(1);
  const double copy = copy_speed();
  measure_methods("mannequin/", character(options.size, influences), copy);
  const Rig dense = dense_character(options.size, influences);
  measure_methods("four-bones/", dense, copy);
  for (const std::size_t size : {1000u, 10000u, 1000000u, 4000000u, 10000000u}) {
    const Rig rig = dense_character(size, influences);
    // The copy is measured again each time, since other programs use memory bandwidth too.
    measure({"four-bones/lbs", Skinning{}}, Binding(rig), moving_pose(rig), copy_speed());
  }
  set_thread_count(threads);
  if (threads == 1) return;
  const double shared_copy = copy_speed();
  const Binding binding(dense);
  measure({"four-bones/lbs", Skinning{}}, binding, moving_pose(dense), shared_copy);
  measure({"four-bones/stbs-lbs-strained", Skinning{BoneMap::stbs, LinearBlend{}}}, binding,
          strained_pose(dense), shared_copy);
}

}  // namespace sinew::bench
