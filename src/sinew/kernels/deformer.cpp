// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/deformer.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/kernels/binding.h"

namespace sinew {
namespace {

class KernelPath {
 public:
  KernelPath(const Rig& rig, const Method& method, bool normals)
      : binding_(rig, {.slopes = normals}),
        plan_(binding_, method),
        palette_(binding_, plan_),
        normals_(normals) {}

  Deformed at(std::span<const BoneState> bones, std::span<const double> shapes) {
    const std::size_t count = binding_.vertex_count();
    std::vector<Vec3f> positions(count);
    std::vector<Vec3f> normals(normals_ ? count : 0);
    std::vector<Vec4T<float>> tangents(normals_ && binding_.has_tangents() ? count : 0);
    palette_.update(bones, shapes);
    Output output;
    output.positions = &positions.data()->x;
    if (!normals.empty()) output.normals = &normals.data()->x;
    if (!tangents.empty()) output.tangents = &tangents.data()->x;
    deform(binding_, plan_, palette_, output);
    Deformed deformed;
    for (const Vec3f& p : positions) deformed.positions.push_back({p.x, p.y, p.z});
    for (const Vec3f& n : normals) deformed.normals.push_back({n.x, n.y, n.z});
    for (const auto& t : tangents) deformed.tangents.push_back({t.x, t.y, t.z, t.w});
    return deformed;
  }

 private:
  Binding binding_;
  Plan plan_;
  Palette palette_;
  bool normals_;
};

class ReferencePath {
 public:
  ReferencePath(const Rig& rig, const Method& method, bool normals)
      : rig_(&rig), method_(&method), normals_(normals) {}

  Deformed at(std::span<const BoneState> bones, std::span<const double> shapes) const {
    return deform_reference(*rig_, bones, shapes, *method_, normals_);
  }

 private:
  const Rig* rig_;
  const Method* method_;
  bool normals_;
};

#ifdef SINEW_WITH_OCD
template <class Settings>
class CurvePath {
 public:
  CurvePath(const Rig& rig, const Settings& settings, bool normals)
      : rig_(rig), settings_(&settings), normals_(normals) {}

  Deformed at(std::span<const BoneState> bones, std::span<const double> shapes) {
    if (!skin_ || !std::equal(shapes.begin(), shapes.end(), shapes_.begin(), shapes_.end())) {
      bind(shapes);
    }
    Deformed deformed;
    deformed.positions.resize(rig_.mesh.vertex_count());
    if (!normals_) {
      skin_->deform(bones, deformed.positions);
      return deformed;
    }
    deformed.normals.resize(rig_.mesh.vertex_count());
    deformed.tangents.resize(rig_.mesh.tangents.size());
    skin_->deform(bones, deformed.positions, deformed.normals, deformed.tangents);
    return deformed;
  }

 private:
  void bind(std::span<const double> shapes) {
    shapes_.assign(shapes.begin(), shapes.end());
    ShapedMesh shaped = blend_shapes(rig_.mesh, shapes);
    Rig rig = rig_;
    rig.mesh.positions = std::move(shaped.positions);
    if (!shaped.normals.empty()) rig.mesh.normals = {std::move(shaped.normals), {}};
    rig.mesh.tangents = std::move(shaped.tangents);
    skin_.emplace(rig, *settings_, normals_);
  }

  const Rig& rig_;
  const Settings* settings_;
  bool normals_;
  std::vector<double> shapes_;
  std::optional<OffsetCurveSkin> skin_;
};
using Path = std::variant<ReferencePath, KernelPath, CurvePath<OffsetCurveArc>,
                          CurvePath<OffsetCurveSpline>>;
#else
using Path = std::variant<ReferencePath, KernelPath>;
#endif

Path make_path(const Rig& rig, const Method& method, const DeformerOptions& options) {
  if (options.reference) return ReferencePath(rig, method, options.normals);
#ifdef SINEW_WITH_OCD
  if (const auto* arc = std::get_if<OffsetCurveArc>(&method)) {
    return CurvePath<OffsetCurveArc>(rig, *arc, options.normals);
  }
  if (const auto* spline = std::get_if<OffsetCurveSpline>(&method)) {
    return CurvePath<OffsetCurveSpline>(rig, *spline, options.normals);
  }
#endif
  return KernelPath(rig, method, options.normals);
}

}  // namespace

// The path looks the method up.
struct Deformer::Data {
  Data(const Rig& rig, Method chosen, const DeformerOptions& options)
      : method(std::move(chosen)), path(make_path(rig, method, options)) {}

  Method method;
  Path path;
};

Deformer::Deformer(const Rig& rig, Method method, const DeformerOptions& options) {
  validate(rig);
  data_ = std::make_unique<Data>(rig, std::move(method), options);
}
Deformer::~Deformer() = default;
Deformer::Deformer(Deformer&&) noexcept = default;
Deformer& Deformer::operator=(Deformer&&) noexcept = default;

Deformed Deformer::at(std::span<const BoneState> bones, std::span<const double> shapes) {
  return std::visit([&](auto& path) { return path.at(bones, shapes); }, data_->path);
}

void require_finite(const Deformed& deformed) {
  for (std::size_t v = 0; v < deformed.positions.size(); ++v) {
    if (is_finite(deformed.positions[v])) continue;
    throw InputError(formatted("vertex {}", v),
                     "the pose takes it to infinity; look for huge numbers in the pose");
  }
}

}  // namespace sinew
