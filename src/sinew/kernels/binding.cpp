// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/binding.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/parallel.h"
#include "sinew/kernels/detail/job.h"
#include "sinew/kernels/detail/pack.h"

namespace sinew {

using kernels::PackedRig;

struct Binding::Data {
  const Rig* rig = nullptr;
  BindingOptions options{};
  std::once_flag once{};
  std::shared_ptr<PackedRig> packed{};
};

Binding::Binding(const Rig& rig, const BindingOptions& options) : data_(new Data{&rig, options}) {
  validate(rig);
}
Binding::~Binding() = default;
Binding::Binding(Binding&&) noexcept = default;
Binding& Binding::operator=(Binding&&) noexcept = default;

const Rig& Binding::rig() const { return *data_->rig; }
const BindingOptions& Binding::options() const { return data_->options; }
std::size_t Binding::vertex_count() const { return rig().mesh.vertex_count(); }
std::size_t Binding::bone_count() const { return rig().skeleton.bones.size(); }
bool Binding::has_tangents() const { return !rig().mesh.tangents.empty(); }

const std::shared_ptr<PackedRig>& Binding::packed() const {
  std::call_once(data_->once, [this] {
    data_->packed = std::make_shared<PackedRig>(kernels::pack(rig(), data_->options.slopes));
  });
  return data_->packed;
}

double Binding::mean_influences() const {
  const PackedRig& rig = *packed();
  return rig.tile_count == 0
             ? 0.0
             : static_cast<double>(rig.first_entry.back()) / static_cast<double>(rig.tile_count);
}

void set_filters(Binding& binding, std::span<const BoneFilter> filters) {
  for (std::size_t b = 0; b < filters.size(); ++b) {
    validate(filters[b].stretch);
    validate(filters[b].twist);
  }
  kernels::pack_endpoints(*binding.packed(), filters);
}

namespace {

BoneIndex bone_with_most_skin(const Rig& rig) {
  std::vector<double> sums(rig.skeleton.bones.size(), 0.0);
  for (const Influence& influence : rig.skin.weights.influences) {
    sums[influence.bone] += influence.weight;
  }
  return static_cast<int>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

BoneState moved(BoneState bone, const Vec3& by) {
  bone.posed_head += by;
  bone.posed_tail += by;
  bone.matrix.translation += by;
  return bone;
}

// Not the lanes behind the last bone: they stand for the bone that never moves.
void move(std::span<LaneStates> states, std::size_t bone_count, const Vec3& by) {
  for (std::size_t bone = 0; bone < bone_count; ++bone) {
    LaneStates& state = states[bone / 8];
    const std::size_t lane = bone % 8;
    for (std::size_t k = 0; k < 3; ++k) {
      state.posed_head[k][lane] += by[k];
      state.posed_tail[k][lane] += by[k];
      state.matrix[9 + k][lane] += by[k];
    }
  }
}

// Calls add(v) for each vertex but the still ones.
template <class Add>
void each_moved(std::size_t count, std::span<const std::uint32_t> still, const Add& add) {
  parallel_for(count, 4096, [&](std::size_t begin, std::size_t end) {
    auto next = std::lower_bound(still.begin(), still.end(), begin);
    for (std::size_t v = begin; v < end; ++v) {
      if (next != still.end() && *next == v) {
        ++next;
      } else {
        add(v);
      }
    }
  });
}

}  // namespace

Plan::Plan(const Binding& binding, const Method& method)
    : bound_(method.impl().bind(binding)),
      vertex_count_(binding.vertex_count()),
      bone_count_(binding.bone_count()),
      shape_count_(binding.rig().mesh.shapes.size()),
      has_tangents_(binding.has_tangents()),
      detail_(method.traits().bones),
      main_bone_(no_bone) {
  if (!bound_->follows_bones() || bone_count_ == 0 || vertex_count_ == 0) return;
  main_bone_ = bone_with_most_skin(binding.rig());
  // There, floats are a 30,000th of the skin's size apart.
  reach_ = 256 * bounding_box(binding.rig().mesh.positions).diagonal();
}

std::size_t Plan::bytes_read(bool with_normals) const { return bound_->bytes_read(with_normals); }

Palette::Palette(const Plan& plan)
    : pose_(plan.bound_->make_pose()),
      vertex_count_(plan.vertex_count_),
      bone_count_(plan.bone_count_),
      shape_count_(plan.shape_count_),
      has_tangents_(plan.has_tangents_),
      detail_(plan.detail_),
      main_bone_(plan.main_bone_),
      reach_(plan.reach_) {}
Palette::~Palette() = default;
Palette::Palette(Palette&&) noexcept = default;
Palette& Palette::operator=(Palette&&) noexcept = default;

void Palette::require_sizes(std::size_t bones, std::size_t shapes) const {
  if (bones != bone_count_) {
    throw UsageError(
        formatted("the pose has {} bones, the palette was made for {}", bones, bone_count_));
  }
  if (shapes > shape_count_) {
    throw UsageError(formatted("the pose has {} blend-shape weights, the rig has {} shapes", shapes,
                               shape_count_));
  }
}

void Palette::update(std::span<const BoneState> bones, std::span<const double> shapes) {
  require_sizes(bones.size(), shapes.size());
  origin_.reset();
  if (main_bone_ != no_bone) {
    const BoneState& bone = bones[main_bone_];
    origin_ = origin_at(transform_point(bone.matrix, bone.head));
  }
  if (origin_) {
    near_bones_.resize(bones.size());
    std::transform(bones.begin(), bones.end(), near_bones_.begin(),
                   [&](const BoneState& bone) { return moved(bone, -*origin_); });
    bones = near_bones_;
  }
  pose_->update(bones, shapes);
  is_set_ = true;
}

void Palette::update(const PosedRig& posed) {
  const RigPlan::Data& plan = posed.plan().data();
  PosedLanes lanes{plan.lane_bones, posed.lanes(), plan.bones.size()};
  require_sizes(lanes.count, posed.shapes().size());
  if (posed.detail() < detail_) {
    throw UsageError("the rig is posed in less detail than the method needs");
  }
  if (lanes.states.empty()) return update(posed.bones(), posed.shapes());
  origin_.reset();
  if (main_bone_ != no_bone) {
    const auto& matrix = lanes.states[main_bone_ / 8].matrix;
    const auto column = [&](std::size_t k) {
      const std::size_t lane = main_bone_ % 8;
      return Vec3{matrix[k][lane], matrix[k + 1][lane], matrix[k + 2][lane]};
    };
    const Affine map{{column(0), column(3), column(6)}, column(9)};
    origin_ = origin_at(transform_point(map, plan.bones[main_bone_].head));
  }
  if (origin_) {
    near_lanes_.assign(lanes.states.begin(), lanes.states.end());
    move(near_lanes_, lanes.count, -*origin_);
    lanes.states = near_lanes_;
  }
  if (!pose_->update_lanes(lanes, posed.shapes())) return update(posed.bones(), posed.shapes());
  is_set_ = true;
}

// Where a bone is, as floats have it; none near the world's origin, or where floats end.
std::optional<Vec3> Palette::origin_at(const Vec3& place) const {
  const double far = std::max({std::fabs(place.x), std::fabs(place.y), std::fabs(place.z)});
  if (!(far > reach_ && far < 1e30)) return std::nullopt;
  const Vec3f origin = to_float(place);
  return Vec3{origin.x, origin.y, origin.z};
}

void Palette::require_pose() const {
  if (!is_set_) throw UsageError("the palette has no pose yet: call update() first");
}

Deformed Palette::deformed(bool with_normals) {
  require_pose();
  const auto add_origin = [&](std::vector<Vec3>& positions) {
    if (!origin_) return;
    each_moved(vertex_count_, pose_->still(), [&](std::size_t v) { positions[v] += *origin_; });
  };
  Deformed deformed;
  if (pose_->deform_exactly(deformed, with_normals)) {
    add_origin(deformed.positions);
    return deformed;
  }
  std::vector<Vec3f> positions(vertex_count_);
  std::vector<Vec3f> normals(with_normals ? vertex_count_ : 0);
  std::vector<Vec4T<float>> tangents(with_normals && has_tangents_ ? vertex_count_ : 0);
  Output output;
  output.positions = &positions.data()->x;
  if (!normals.empty()) output.normals = &normals.data()->x;
  if (!tangents.empty()) output.tangents = &tangents.data()->x;
  pose_->deform(output);
  for (const Vec3f& p : positions) deformed.positions.push_back({p.x, p.y, p.z});
  add_origin(deformed.positions);
  for (const Vec3f& n : normals) deformed.normals.push_back({n.x, n.y, n.z});
  for (const auto& t : tangents) deformed.tangents.push_back({t.x, t.y, t.z, t.w});
  return deformed;
}

namespace {

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

void deform(Palette& palette, const Output& output) {
  palette.require_pose();
  require_room(output);
  palette.pose_->deform(output);
  if (!palette.origin_ || output.positions == nullptr) return;
  const Vec3f shift = to_float(*palette.origin_);
  auto* bytes = reinterpret_cast<unsigned char*>(output.positions);
  each_moved(palette.vertex_count_, palette.pose_->still(), [&](std::size_t v) {
    Vec3f p;
    std::memcpy(&p, bytes + v * output.position_stride, sizeof p);
    p = p + shift;
    std::memcpy(bytes + v * output.position_stride, &p, sizeof p);
  });
}

}  // namespace sinew
