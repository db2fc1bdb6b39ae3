// SPDX-License-Identifier: Apache-2.0
// ocd-arc and ocd-spline. Left out of builds with SINEW_WITH_OCD=OFF.
#include <algorithm>
#include <cstring>
#include <optional>

#include "sinew/core/error.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/offset_curve.h"
#include "sinew/kernels/binding.h"
#include "sinew/kernels/detail/curves.h"

namespace sinew {
namespace {

// Binds a rig to its curves, with normals if they may be requested.
template <class Settings>
struct CurveRig {
  Rig rig;
  Settings settings;
  bool normals;
};

void copy_floats(const double* from, std::size_t count, float* to) {
  for (std::size_t k = 0; k < count; ++k) to[k] = static_cast<float>(from[k]);
}

template <class T>
void store_rows(const std::vector<T>& values, std::size_t floats, float* to, std::size_t stride) {
  if (to == nullptr) return;
  auto* bytes = reinterpret_cast<unsigned char*>(to);
  for (std::size_t v = 0; v < values.size(); ++v) {
    float row[4];
    copy_floats(&values[v].x, floats, row);
    std::memcpy(bytes + v * stride, row, floats * sizeof(float));
  }
}

// What the two kinds of curves are made of.
template <class Settings>
struct CurveKind;
template <>
struct CurveKind<OffsetCurveArc> {
  using Model = offset_curve::ArcModel;
  using Item = kernels::ArcSide;
  static Model model(const Rig& rig, const OffsetCurveArc& settings, std::span<const Vec3>) {
    return Model(rig, settings);
  }
};
template <>
struct CurveKind<OffsetCurveSpline> {
  using Model = offset_curve::SplineModel;
  using Item = kernels::SplinePieceLanes;
  static Model model(const Rig& rig, const OffsetCurveSpline& settings,
                     std::span<const Vec3> positions) {
    return Model(rig, settings, positions);
  }
};

// Positions alone come from the kernels, in floats; with normals all is in double precision. Bound
// to the curves again if the blend-shape weights have changed since the last call.
template <class Settings>
class CurvePose : public PosedMethod {
 public:
  using Kind = CurveKind<Settings>;
  explicit CurvePose(std::shared_ptr<const CurveRig<Settings>> bound) : bound_(std::move(bound)) {}

  void update(std::span<const BoneState> bones, std::span<const double> shapes) override {
    if (!skin_ || !std::equal(shapes.begin(), shapes.end(), shapes_.begin(), shapes_.end())) {
      bind(shapes);
    }
    skin_->pose(bones);
    kernels::fill_curves(skin_->items(), skin_->rest(), packed_, items_);
  }

  std::span<const std::uint32_t> still() const override { return still_; }

  void deform(const Output& output) override {
    if (output.normals == nullptr && output.tangents == nullptr) {
      if (output.positions == nullptr) return;
      const kernels::CurveJob<typename Kind::Item> job{&packed_, items_.data(), output};
      parallel_for(packed_.vertex_count, kernels::curve_block_size,
                   [&](std::size_t begin, std::size_t) { deform_curves(job, begin); });
      return;
    }
    deform_exactly(exact_, true);
    store_rows(exact_.positions, 3, output.positions, output.position_stride);
    store_rows(exact_.normals, 3, output.normals, output.normal_stride);
    store_rows(exact_.tangents, 4, output.tangents, output.tangent_stride);
  }

  bool deform_exactly(Deformed& deformed, bool with_normals) override {
    if (with_normals && !skin_->has_normals()) {
      throw UsageError("the offset curves were bound without normals");
    }
    const Mesh& mesh = bound_->rig.mesh;
    deformed.positions.resize(mesh.vertex_count());
    skin_->positions(deformed.positions);
    if (!with_normals) return true;
    deformed.normals.resize(mesh.vertex_count());
    deformed.tangents.resize(mesh.tangents.size());
    skin_->surface(deformed.normals, deformed.tangents);
    return true;
  }

 private:
  void bind(std::span<const double> shapes) {
    shapes_.assign(shapes.begin(), shapes.end());
    ShapedMesh shaped = blend_shapes(bound_->rig.mesh, shapes);
    Rig rig = bound_->rig;
    rig.mesh.positions = std::move(shaped.positions);
    if (!shaped.normals.empty()) rig.mesh.normals = {std::move(shaped.normals), {}};
    rig.mesh.tangents = std::move(shaped.tangents);
    skin_.emplace(rig, Kind::model(rig, bound_->settings, rig.mesh.positions), bound_->normals);
    packed_ = kernels::pack_curves(skin_->ties());
    still_.clear();
    for (std::uint32_t v = 0; v < skin_->vertex_count(); ++v) {
      if (skin_->ties().binds[v].empty()) still_.push_back(v);
    }
  }

  std::shared_ptr<const CurveRig<Settings>> bound_;
  std::vector<double> shapes_;
  std::optional<offset_curve::BoundSkin<typename Kind::Model>> skin_;
  kernels::PackedCurves packed_;
  std::vector<std::uint32_t> still_;
  std::vector<typename Kind::Item> items_;
  Deformed exact_;
};

template <class Settings>
class BoundCurves : public BoundMethod {
 public:
  explicit BoundCurves(CurveRig<Settings> bound)
      : bound_(std::make_shared<const CurveRig<Settings>>(std::move(bound))) {}
  std::unique_ptr<PosedMethod> make_pose() const override {
    return std::make_unique<CurvePose<Settings>>(bound_);
  }

 private:
  std::shared_ptr<const CurveRig<Settings>> bound_;
};

template <class Model>
reference::PointMap curve_map(Model model, std::span<const BoneState> bones) {
  const auto map = std::make_shared<offset_curve::CurveMap<Model>>(std::move(model), bones);
  return [=](std::size_t vertex, const reference::SkinPoint& point) {
    return (*map)(vertex, point.position, point.row);
  };
}

template <class Settings>
class CurveMethod : public MethodImpl {
 public:
  explicit CurveMethod(Settings settings) : settings_(std::move(settings)) {}

  MethodTraits traits() const override { return {.twists = true}; }

  Deformed reference(const ReferenceInput& input) const override {
    return reference::deform_points(input, point_map(input));
  }

  reference::PointMap point_map(const ReferenceInput& input) const override {
    return curve_map(CurveKind<Settings>::model(input.rig, settings_, input.shaped.positions),
                     input.bones);
  }

  std::unique_ptr<const BoundMethod> bind(const Binding& binding) const override {
    Rig rig = binding.rig();
    rig.clips.clear();
    return std::make_unique<BoundCurves<Settings>>(
        CurveRig<Settings>{std::move(rig), settings_, binding.options().slopes});
  }

 private:
  Settings settings_;
};

constexpr MethodOption arc_options[] = {
    {.name = "roundness",
     .kind = MethodOption::Kind::number,
     .least = 0,
     .most = 100,
     .help = "radius inside a bend, of the distance from the bone (default: the rig's, or 0.5)"}};
constexpr MethodOption spline_options[] = {
    {.name = "placement",
     .kind = MethodOption::Kind::number,
     .least = 0.01,
     .most = 100,
     .help = "control points' distance from joints in radii (default: the rig's, or 2.2)"}};

Method make_arcs(const Rig&, const MethodSettings& given) {
  return OffsetCurveArc{given.number("roundness")};
}

Method make_splines(const Rig&, const MethodSettings& given) {
  return OffsetCurveSpline{given.number("placement")};
}

}  // namespace

OffsetCurveArc::operator Method() const {
  return Method(std::make_shared<CurveMethod<OffsetCurveArc>>(*this));
}
OffsetCurveSpline::operator Method() const {
  return Method(std::make_shared<CurveMethod<OffsetCurveSpline>>(*this));
}

extern constinit const MethodInfo ocd_arc_method{.name = "ocd-arc",
                                                 .summary = "offset curves of lines and arcs",
                                                 .traits = {.twists = true},
                                                 .options = arc_options,
                                                 .make = make_arcs};
extern constinit const MethodInfo ocd_spline_method{.name = "ocd-spline",
                                                    .summary = "offset curves as B-splines",
                                                    .traits = {.twists = true},
                                                    .options = spline_options,
                                                    .make = make_splines};

}  // namespace sinew
