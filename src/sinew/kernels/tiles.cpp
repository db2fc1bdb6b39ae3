// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/detail/tiles.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew::kernels {
namespace {

bool is_streamed(const PackedRig& rig, const Output& output) {
  // More than the caches hold until the results are read.
  constexpr std::size_t many_bytes = std::size_t{24} << 20;
  constexpr std::size_t bytes = 3 * sizeof(float);
  const bool can = output.positions != nullptr && output.position_stride == bytes &&
                   output.normals == nullptr && output.tangents == nullptr;
  const bool wanted = output.writing == Writing::automatic
                          ? rig.vertex_count * bytes >= many_bytes
                          : output.writing == Writing::around_caches;
  return can && wanted;
}

struct Tiled {
  std::shared_ptr<const PackedRig> rig;
  PackedPlan plan;
  TileKernel kernel;
};

class TiledPose : public PosedMethod {
 public:
  explicit TiledPose(std::shared_ptr<const Tiled> tiled) : tiled_(std::move(tiled)) {
    const PackedRig& rig = *tiled_->rig;
    pose_.center = rig.center;
    pose_.moves.resize(rig.bone_count + 1, 0);
    pose_.shapes.resize(rig.shape_count);
    tiled_->kernel.prepare(rig, tiled_->plan, pose_);
  }

  void update(std::span<const BoneState> bones, std::span<const double> shapes) override {
    tiled_->kernel.fill(*tiled_->rig, tiled_->plan, bones, pose_);
    set_shapes(shapes);
  }

  std::span<const std::uint32_t> still() const override { return tiled_->rig->still; }

  bool update_lanes(const PosedLanes& bones, std::span<const double> shapes) override {
    if (tiled_->kernel.fill_lanes == nullptr) return false;
    tiled_->kernel.fill_lanes(tiled_->plan, bones, pose_);
    set_shapes(shapes);
    return true;
  }

  void deform(const Output& output) override {
    const PackedRig& rig = *tiled_->rig;
    const bool with_surface = output.normals != nullptr || output.tangents != nullptr;
    if (with_surface && !has_surface_ && tiled_->kernel.fill_surface != nullptr) {
      tiled_->kernel.fill_surface(pose_);
      has_surface_ = true;
    }
    const Job job{&rig, &tiled_->plan, &pose_, output, is_streamed(rig, output)};
    parallel_for(rig.tile_count, tiles_per_block, [&](std::size_t begin, std::size_t end) {
      // A tile with lanes beyond the last vertex cannot be written straight to the results. Left by
      // itself, it does not keep the others of its block from it.
      const bool is_sorted = rig.sorted[begin / tiles_per_block] != 0;
      if (!is_sorted && end * tile_size > rig.vertex_count && end - begin > 1) {
        tiled_->kernel.run(job, begin, end - 1);
        begin = end - 1;
      }
      tiled_->kernel.run(job, begin, end);
    });
  }

 private:
  void set_shapes(std::span<const double> shapes) {
    has_surface_ = false;
    for (std::size_t k = 0; k < pose_.shapes.size(); ++k) {
      pose_.shapes[k] = k < shapes.size() ? static_cast<float>(shapes[k]) : 0.0f;
    }
  }

  std::shared_ptr<const Tiled> tiled_;
  PackedPose pose_;
  bool has_surface_ = false;  // whether the pose has what normals need
};

class TiledMethod : public BoundMethod {
 public:
  explicit TiledMethod(Tiled tiled) : tiled_(std::make_shared<const Tiled>(std::move(tiled))) {}

  std::unique_ptr<PosedMethod> make_pose() const override {
    return std::make_unique<TiledPose>(tiled_);
  }

  // By linear blending.
  std::size_t bytes_read(bool with_normals) const override {
    const PackedRig& rig = *tiled_->rig;
    const bool stbs = tiled_->plan.map == BoneMap::stbs;
    const auto own_entries = std::span(rig.entries).first(rig.first_entry.back());
    std::size_t floats = rig.positions.size() + rig.weights.size();
    floats += rig.shape_positions.size();
    if (stbs) {
      const std::size_t varying =
          std::count_if(own_entries.begin(), own_entries.end(),
                        [](const Entry& entry) { return entry.endpoints != no_endpoints; });
      floats += (rig.twist_endpoints.empty() ? 1 : 2) * varying * tile_size;
      floats += rig.bulge_moves.size() + (with_normals ? rig.bulge_slopes.size() : 0);
    }
    if (with_normals) {
      floats += rig.normals.size() + rig.shape_normals.size() + rig.directions.size();
      floats += rig.slopes.size() * sizeof(Slope) / sizeof(float) + rig.weight_slopes.size();
      if (stbs) floats += rig.stretch_slopes.size() + rig.twist_slopes.size();
    }
    const std::size_t sorted = std::count(rig.sorted.begin(), rig.sorted.end(), 1);
    return floats * sizeof(float) + own_entries.size() * sizeof(Entry) +
           sorted * block_size * sizeof(std::uint16_t) +
           (rig.first_entry.size() + rig.first_shape.size() + rig.shapes.size()) *
               sizeof(std::uint32_t);
  }

 private:
  std::shared_ptr<const Tiled> tiled_;
};

}  // namespace

std::unique_ptr<const BoundMethod> bind_tiles(const Binding& binding, PackedPlan plan,
                                              const TileKernel& kernel) {
  return std::make_unique<TiledMethod>(Tiled{binding.packed(), std::move(plan), kernel});
}

}  // namespace sinew::kernels
