// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/binding.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/parallel.h"
#include "sinew/kernels/detail/job.h"
#include "sinew/kernels/detail/pack.h"

namespace sinew {

using namespace kernels;

namespace {

// Never the same twice while the program runs.
std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

Binding::Binding(const Rig& rig, const BindingOptions& options) {
  validate(rig);
  packed_ = std::make_unique<PackedRig>(pack(rig, options.slopes));
  packed_->id = next_id();
}
Binding::~Binding() = default;
Binding::Binding(Binding&&) noexcept = default;
Binding& Binding::operator=(Binding&&) noexcept = default;

std::size_t Binding::vertex_count() const { return packed_->vertex_count; }
std::size_t Binding::bone_count() const { return packed_->bone_count; }
bool Binding::has_tangents() const { return !packed_->tangents.empty(); }

double Binding::mean_influences() const {
  return packed_->tile_count == 0 ? 0.0
                                  : static_cast<double>(packed_->first_entry.back()) /
                                        static_cast<double>(packed_->tile_count);
}

std::size_t Binding::bytes_read(BoneMap map, bool normals) const {
  const PackedRig& rig = *packed_;
  const bool stbs = map == BoneMap::stbs;
  const auto own_entries = std::span(rig.entries).first(rig.first_entry.back());
  std::size_t floats = rig.positions.size() + rig.weights.size();
  floats += rig.shape_positions.size();
  if (stbs) {
    const std::size_t varying =
        std::count_if(own_entries.begin(), own_entries.end(),
                      [](const Entry& entry) { return entry.endpoints != no_endpoints; });
    floats += (rig.twist.empty() ? 1 : 2) * varying * tile_size;
  }
  if (normals) {
    floats += rig.normals.size() + rig.shape_normals.size() + rig.directions.size();
    floats += rig.slopes.size() * sizeof(Slope) / sizeof(float) + rig.weight_slopes.size();
    if (stbs) floats += rig.stretch_slopes.size() + rig.twist_slopes.size();
  }
  const std::size_t scattered =
      std::count_if(rig.runs.begin(), rig.runs.end(), [](auto run) { return run < tile_size; });
  return floats * sizeof(float) + own_entries.size() * sizeof(Entry) + rig.runs.size() +
         (scattered * tile_size + rig.first_vertex.size() + rig.first_entry.size() +
          rig.first_shape.size() + rig.shapes.size()) *
             sizeof(std::uint32_t);
}

void set_filters(Binding& binding, std::span<const BoneFilter> filters) {
  for (std::size_t b = 0; b < filters.size(); ++b) {
    validate(filters[b].stretch);
    validate(filters[b].twist);
  }
  pack_endpoints(*binding.packed_, filters);
}

bool has_kernel(const Method& method) {
  return std::holds_alternative<Skinning>(method) || std::holds_alternative<StretchIt>(method);
}

Plan::Plan(const Binding& binding, const Method& method) : packed_(std::make_unique<PackedPlan>()) {
  const PackedRig& rig = binding.packed();
  packed_->rig = rig.id;
  check_fits(method, binding.bone_count(), binding.bone_count());
  if (const auto* stretch_it = std::get_if<StretchIt>(&method)) {
    packed_->blending = Blending::stretch_it;
    packed_->collapsing = stretch_it->collapsing;
    return;
  }
  const auto* skinning = std::get_if<Skinning>(&method);
  if (skinning == nullptr) throw UsageError("there is no kernel for offset curves");
  packed_->map = skinning->map;
  if (const auto* mixed = std::get_if<MixedBlend>(&skinning->blend)) {
    packed_->blending = Blending::mixed;
    if (mixed->dual_quaternion_share.size() != rig.vertex_count) {
      throw UsageError(formatted("{} shares of dual-quaternion blending for {} vertices",
                                 mixed->dual_quaternion_share.size(), rig.vertex_count));
    }
    for (const std::uint32_t v : rig.order) {
      packed_->shares.push_back(static_cast<float>(mixed->dual_quaternion_share[v]));
    }
  } else if (std::holds_alternative<DualQuaternionBlend>(skinning->blend)) {
    packed_->blending = Blending::dual_quaternion;
  }
}

Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

namespace {

bool is_streamed(const Binding& binding, const Output& output) {
  // More than the caches of a core and its neighbours keep until somebody reads it.
  constexpr std::size_t many_bytes = std::size_t{24} << 20;
  constexpr std::size_t bytes = 3 * sizeof(float);
  const bool can = output.positions != nullptr && output.position_stride == bytes &&
                   output.normals == nullptr && output.tangents == nullptr;
  const bool wanted = output.writing == Writing::automatic
                          ? binding.vertex_count() * bytes >= many_bytes
                          : output.writing == Writing::around_caches;
  return can && wanted;
}

void require_fit(const PackedRig& rig, const PackedPlan& plan, const PackedPose& pose) {
  if (plan.rig != rig.id) throw UsageError("the plan was made for another binding");
  if (pose.rig != rig.id) throw UsageError("the palette was made for another binding");
  if (pose.map != plan.map || pose.blending != plan.blending) {
    throw UsageError("the palette was made for another method than the plan");
  }
  if (!pose.is_set) throw UsageError("the palette has no pose yet: call update() first");
}

void require_room(const Output& output) {
  const auto require = [](const float* out, std::size_t stride, std::size_t floats,
                          const char* what) {
    if (out == nullptr || stride >= floats * sizeof(float)) return;
    throw UsageError(formatted("{} are to be {} bytes apart, but take {} each", what, stride,
                               floats * sizeof(float)));
  };
  require(output.positions, output.position_stride, 3, "positions");
  require(output.normals, output.normal_stride, 3, "normals");
  require(output.tangents, output.tangent_stride, 4, "tangents");
}

}  // namespace

void deform(const Binding& binding, const Plan& plan, const Palette& palette,
            const Output& output) {
  require_fit(binding.packed(), plan.packed(), palette.packed());
  require_room(output);
  const Job job{&binding.packed(), &plan.packed(), &palette.packed(), output,
                is_streamed(binding, output)};
  parallel_for(job.rig->tile_count, tiles_per_block, [&](std::size_t begin, std::size_t end) {
    switch (job.plan->blending) {
      case Blending::linear:
        return deform_linear(job, begin, end);
      case Blending::dual_quaternion:
        return deform_dual_quaternion(job, begin, end);
      case Blending::mixed:
        return deform_mixed(job, begin, end);
      case Blending::stretch_it:
        return deform_stretch_it(job, begin, end);
    }
  });
}

}  // namespace sinew
