// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "bench.h"
#include "sinew/core/parallel.h"
#include "sinew/puppet/sample_picture.h"
#include "sinew/puppet/stage.h"

namespace sinew::bench {
namespace {

void report(std::string_view name, int side, const Puppet& puppet, double seconds,
            const Checksum& checksum) {
  report_line(fmt::format("image,{},{},{},{},{},{:.6f},{:016x}", name, side,
                          puppet.rig.mesh.vertex_count(), puppet.bones.bones.size(), thread_count(),
                          seconds, checksum.value()));
}

Checksum of(const Image& image) {
  Checksum checksum;
  checksum.add(image);
  return checksum;
}

Checksum of(const std::vector<std::vector<Vec2>>& rings) {
  Checksum checksum;
  for (const auto& ring : rings) {
    for (const Vec2& p : ring) checksum.add(p.x + 65536 * p.y);
  }
  return checksum;
}

// From pixels to weights, step by step.
void measure_rigging(int side) {
  const SamplePicture sample = make_sample_picture("dancer", side);
  Silhouette figure;
  const double cut = minimum_seconds([&] { figure = silhouette(sample.image); });
  std::vector<std::vector<Vec2>> rings;
  const double traced = minimum_seconds([&] { rings = outlines(figure.mask); });
  Puppet puppet;
  const double rigged =
      minimum_seconds([&] { puppet = make_puppet(figure, sample.bones); }, 0.5, 2);
  Checksum positions;
  positions.add(puppet.rig.mesh.positions);
  for (const double e : puppet.rig.skin.endpoints) positions.add(e);
  report("silhouette", side, puppet, cut, of(figure.image));
  report("outlines", side, puppet, traced, of(rings));
  report("mesh_and_weights", side, puppet, rigged, positions);
}

// One frame of the dance, deformed and drawn.
void measure_frames(int side) {
  const SamplePicture sample = make_sample_picture("dancer", side);
  const Puppet puppet = make_puppet(silhouette(sample.image), sample.bones);
  Stage stage(puppet, method_from_name("stbs-dqs", puppet.rig));
  const FlatView view = stage_view(puppet, {});
  const std::vector<BoneState> states = puppet_states(puppet, sample.motion.at(sample.bones, 3));
  std::vector<Vec3> positions;
  Image image;
  Checksum posed;
  const double deformed = minimum_seconds([&] { positions = stage.posed(states); });
  posed.add(positions);
  report("deform", side, puppet, deformed, posed);
  const double drawn = minimum_seconds([&] { image = stage.draw(positions, view); });
  report("draw", side, puppet, drawn, of(image));
}

}  // namespace

void run_image_suite(const Options& options) {
  measure_rigging(static_cast<int>(std::lround(std::sqrt(static_cast<double>(options.size)))));
  measure_frames(1024);
}

}  // namespace sinew::bench
