// SPDX-License-Identifier: Apache-2.0
// sinew_ozz_bench [--case NAME] [MODEL ...]: skinning by ozz-animation's SkinningJob and by us, in
// turns. Prints CSV: the least nanoseconds per vertex of either, on one thread unless the case says
// otherwise. Each MODEL is a file with a skin. With --case, only cases whose names begin with NAME.
//
// Cases named after a copy have a copy of as many bytes as the deformation reads and writes, with
// non-temporal stores, in place of ozz.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include <fmt/format.h>
#include <hwy/cache_control.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "bench/bench.h"
#include "bench/character.h"
#include "ozz/base/maths/simd_math.h"
#include "ozz/geometry/runtime/skinning_job.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/skin_rows.h"
#include "sinew/io/io.h"
#include "sinew/kernels/binding.h"

namespace sinew::bench {
namespace {

// The least time of each, called in turns.
struct Duel {
  double theirs = std::numeric_limits<double>::infinity();
  double ours = std::numeric_limits<double>::infinity();
};

Duel in_turns(const std::function<void()>& theirs, const std::function<void()>& ours,
              double budget = 1) {
  using Clock = std::chrono::steady_clock;
  const auto timed = [](const std::function<void()>& body, double& least) {
    const auto before = Clock::now();
    body();
    least = std::min(least, std::chrono::duration<double>(Clock::now() - before).count());
  };
  Duel duel;
  const auto start = Clock::now();
  while (std::chrono::duration<double>(Clock::now() - start).count() < budget) {
    for (int i = 0; i < 8; ++i) {
      timed(theirs, duel.theirs);
      timed(ours, duel.ours);
    }
  }
  return duel;
}

std::string_view wanted_case;

bool is_wanted(std::string_view name) { return name.substr(0, wanted_case.size()) == wanted_case; }

void print_row(const std::string& name, std::size_t vertices, const Duel& duel) {
  const auto ns = [&](double seconds) { return seconds * 1e9 / static_cast<double>(vertices); };
  fmt::print("{},{},{},{:.3f},{:.3f},{:.2f}\n", name, vertices, thread_count(), ns(duel.theirs),
             ns(duel.ours), duel.theirs / duel.ours);
  std::fflush(stdout);
}

// A rig as ozz takes it: `influences` bones for each vertex, and all weights but the last.
class OzzSkin {
 public:
  OzzSkin(const Rig& rig, std::span<const BoneState> pose) {
    const SkinRows rows = skin_rows(rig);
    const std::size_t count = rig.mesh.vertex_count();
    for (std::size_t v = 0; v < count; ++v) influences_ = std::max(influences_, rows[v].size());
    for (std::size_t v = 0; v < count; ++v) {
      for (std::size_t i = 0; i < influences_; ++i) {
        const bool has = i < rows[v].size();
        joints_.push_back(static_cast<std::uint16_t>(has ? int(rows[v][i].bone) : 0));
        if (i + 1 == influences_) continue;
        weights_.push_back(has ? static_cast<float>(rows[v][i].weight) : 0.0f);
      }
      for (std::size_t k = 0; k < 3; ++k) {
        positions_.push_back(static_cast<float>(rig.mesh.positions[v][k]));
        if (rig.mesh.normals.values.size() == count) {
          normals_.push_back(static_cast<float>(rig.mesh.normals.values[v][k]));
        }
      }
    }
    for (const BoneState& bone : pose) {
      const auto column = [](const Vec3& v, float w) {
        return ozz::math::simd_float4::Load(static_cast<float>(v.x), static_cast<float>(v.y),
                                            static_cast<float>(v.z), w);
      };
      matrices_.push_back({{column(bone.matrix.linear.x, 0), column(bone.matrix.linear.y, 0),
                            column(bone.matrix.linear.z, 0), column(bone.matrix.translation, 1)}});
    }
    out_.resize(positions_.size());
    out_normals_.resize(positions_.size());
  }

  void run(bool with_normals) {
    constexpr std::size_t stride = 3 * sizeof(float);
    ozz::geometry::SkinningJob job;
    job.vertex_count = static_cast<int>(positions_.size() / 3);
    job.influences_count = static_cast<int>(influences_);
    job.joint_matrices = {matrices_.data(), matrices_.size()};
    job.joint_indices = {joints_.data(), joints_.size()};
    job.joint_indices_stride = influences_ * sizeof(std::uint16_t);
    job.joint_weights = {weights_.data(), weights_.size()};
    job.joint_weights_stride = (influences_ - 1) * sizeof(float);
    job.in_positions = {positions_.data(), positions_.size()};
    job.in_positions_stride = stride;
    job.out_positions = {out_.data(), out_.size()};
    job.out_positions_stride = stride;
    if (with_normals) {
      job.in_normals = {normals_.data(), normals_.size()};
      job.in_normals_stride = stride;
      job.out_normals = {out_normals_.data(), out_normals_.size()};
      job.out_normals_stride = stride;
    }
    if (!job.Run()) throw std::runtime_error("ozz refuses the job");
  }

  std::span<const float> positions() const { return out_; }

 private:
  std::size_t influences_ = 1;
  std::vector<std::uint16_t> joints_;
  std::vector<float> weights_, positions_, normals_, out_, out_normals_;
  std::vector<ozz::math::Float4x4> matrices_;
};

struct Frame {
  Frame(const Binding& binding, const Method& method, std::span<const BoneState> pose,
        bool with_normals)
      : palette(Plan(binding, method)),
        positions(3 * binding.vertex_count()),
        normals(with_normals ? positions.size() : 0) {
    palette.update(pose);
    output.positions = positions.data();
    if (with_normals) output.normals = normals.data();
  }
  void run() { deform(palette, output); }

  Palette palette;
  std::vector<float> positions, normals;
  Output output;
};

// Both must compute the same, or the times mean nothing.
void require_equal(const std::string& name, std::span<const float> a, std::span<const float> b) {
  float largest = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::fabs(a[i]));
    difference = std::max(difference, std::fabs(a[i] - b[i]));
  }
  if (difference <= 1e-4f * largest) return;
  throw std::runtime_error(fmt::format("{}: the results differ by {}", name, difference));
}

void linear(const std::string& name, const Rig& rig, std::span<const BoneState> pose) {
  OzzSkin theirs(rig, pose);
  for (const bool with_normals : {false, true}) {
    for (const bool slopes : {false, true}) {
      if (slopes && (!with_normals || rig.mesh.triangles.empty())) continue;
      const std::string full_name =
          name + "/lbs" + (with_normals ? "-normals" : "") + (slopes ? "-slopes" : "");
      if (!is_wanted(full_name)) continue;
      const Binding binding(rig, {.slopes = slopes});
      Frame ours(binding, Skinning{}, pose, with_normals);
      const Duel duel = in_turns([&] { theirs.run(with_normals); }, [&] { ours.run(); });
      require_equal(name, theirs.positions(), ours.positions);
      print_row(full_name, rig.mesh.vertex_count(), duel);
    }
  }
}

// Another method of ours beside linear blending by ozz.
void strained(const std::string& name, const Rig& rig, Blend blend,
              std::span<const BoneState> pose) {
  if (!is_wanted(name)) return;
  OzzSkin theirs(rig, pose);
  const Binding binding(rig, {.slopes = false});
  Frame ours(binding, Skinning{BoneMap::stbs, blend}, pose, false);
  print_row(name, rig.mesh.vertex_count(),
            in_turns([&] { theirs.run(false); }, [&] { ours.run(); }));
}

Rig in_random_order(const Rig& rig) {
  std::vector<std::size_t> order(rig.mesh.vertex_count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  Rig mixed = rig;
  mixed.mesh = {};
  mixed.skin.weights = {};
  mixed.skin.endpoints.clear();
  for (const std::size_t v : order) {
    mixed.mesh.positions.push_back(rig.mesh.positions[v]);
    mixed.mesh.normals.values.push_back(rig.mesh.normals.values[v]);
    mixed.skin.weights.push_row(rig.skin.weights.row(v));
  }
  return mixed;
}

// The deformation of many vertices beside a copy of as many bytes.
void beside_copy(const Rig& rig) {
  const Binding binding(rig, {.slopes = false});
  const auto pose = moving_pose(rig);
  Frame ours(binding, Skinning{}, pose, false);
  const std::size_t bytes =
      Plan(binding, Skinning{}).bytes_read(false) + ours.positions.size() * sizeof(float);
  const std::size_t lines = bytes / 2 / 64;
  std::vector<float> from(16 * lines + 16, 1.0f), to(16 * lines + 16);
  const auto aligned = [](std::vector<float>& v) {
    return v.data() + (16 - reinterpret_cast<std::uintptr_t>(v.data()) / sizeof(float) % 16) % 16;
  };
  const float* source = aligned(from);
  float* target = aligned(to);
  const auto copy = [&] {
    parallel_for(lines, 512, [&](std::size_t begin, std::size_t end) {
#if defined(__SSE2__)
      for (std::size_t i = 16 * begin; i < 16 * end; i += 4) {
        _mm_stream_ps(target + i, _mm_load_ps(source + i));
      }
      hwy::FlushStream();
#else
      std::copy(source + 16 * begin, source + 16 * end, target + 16 * begin);
#endif
    });
  };
  for (const int threads : {1, 2}) {
    set_thread_count(threads);
    print_row("copy/lbs", rig.mesh.vertex_count(),
              in_turns(
                  copy, [&] { ours.run(); }, 3));
  }
  set_thread_count(1);
}

Rig with_endpoints_everywhere(Rig rig) {
  const SkinRows rows = skin_rows(rig);
  for (const SkinInfluence& influence : rows.items) {
    rig.skin.endpoints.push_back(0.05 + 0.9 * influence.stretch_endpoint);
  }
  return rig;
}

void run(std::span<char*> models) {
  if (models.size() >= 2 && std::string_view(models[0]) == "--case") {
    wanted_case = models[1];
    models = models.subspan(2);
  }
  constexpr std::size_t influences = 4;
  set_thread_count(1);
  fmt::print("case,vertices,threads,theirs_ns,ours_ns,times_as_fast\n");
  const Rig dense = dense_character(100000, influences);
  linear("dense", dense, moving_pose(dense));
  linear("random-order", in_random_order(dense), moving_pose(dense));
  const Rig everywhere = with_endpoints_everywhere(dense);
  const auto pose = strained_pose(dense);
  strained("dense/stbs-lbs-everywhere", everywhere, LinearBlend{}, pose);
  strained("dense/stbs-dqs-everywhere", everywhere, DualQuaternionBlend{}, pose);
  linear("mannequin", character(100000, influences), moving_pose(dense));
  for (const std::size_t size : {1000u, 2000u, 5000u}) {
    const Rig small = dense_character(size, influences);
    linear("small", small, moving_pose(small));
  }
  for (const char* file : models) {
    const Rig rig = read_rig(file);
    const auto name = std::filesystem::path(file).stem().string();
    linear(name, rig, moving_pose(rig));
  }
  if (is_wanted("copy")) beside_copy(dense_character(4000000, influences));
}

}  // namespace
}  // namespace sinew::bench

int main(int argc, char** argv) {
  try {
    sinew::bench::run({argv + 1, static_cast<std::size_t>(argc - 1)});
  } catch (const std::exception& error) {
    fmt::print(stderr, "sinew_ozz_bench: {}\n", error.what());
    return 1;
  }
}
