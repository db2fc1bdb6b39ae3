// SPDX-License-Identifier: Apache-2.0
#include <variant>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/offset_curve.h"
#include "sinew/deform/offset_curve/model.h"

namespace sinew {
namespace {

using offset_curve::ArcModel;
using offset_curve::PosedChain;
using offset_curve::SplineModel;

// The same ties in one precision, and the posed curves they are to.
template <class Model, class T>
struct Packed {
  std::vector<typename Model::template Bind<T>> binds;  // row by row
  std::vector<typename Model::template Item<T>> items;
};

template <class Model>
struct Bound {
  Model model;
  std::vector<Vec3> positions;
  std::vector<std::size_t> offsets{0};
  Packed<Model, double> exact;
  Packed<Model, float> fast;
  std::vector<PosedChain> posed;

  Bound(const Rig& rig, const auto& settings)
      : model(rig, settings), positions(rig.mesh.positions) {
    const SkinRows rows = skin_rows(rig);
    std::vector<double> weights(model.chains().size());
    for (std::size_t v = 0; v < positions.size(); ++v) {
      model.weights().at(v, positions[v], rows.row(v), weights);
      for (std::size_t c = 0; c < weights.size(); ++c) {
        if (!(weights[c] > 0)) continue;
        exact.binds.push_back(model.bind(c, positions[v]));
        exact.binds.back().weight = weights[c];
      }
      offsets.push_back(exact.binds.size());
    }
  }

  // The float copies are made when they are first asked for.
  const Packed<Model, double>& packed(Vec3) { return exact; }
  const Packed<Model, float>& packed(Vec3f) {
    const auto shrink = [](const auto& from, auto& to) {
      to.resize(from.size());
      for (std::size_t i = 0; i < from.size(); ++i) to[i] = to_float(from[i]);
    };
    if (fast.binds.size() != exact.binds.size()) shrink(exact.binds, fast.binds);
    shrink(exact.items, fast.items);
    return fast;
  }

  template <class T>
  void deform(std::span<const BoneState> bones, std::span<Vec3T<T>> out) {
    if (out.size() != positions.size()) {
      throw UsageError(fmt::format("room for {} vertices of {}", out.size(), positions.size()));
    }
    pose_curves(model, bones, posed, exact.items);
    const auto& [binds, items] = packed(Vec3T<T>{});
    const auto* first_bind = binds.data();
    const auto* first_item = items.data();
    parallel_for(out.size(), 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        Vec3T<T> sum{};
        for (std::size_t i = offsets[v]; i < offsets[v + 1]; ++i) {
          sum += model.point(first_item, first_bind[i]) * first_bind[i].weight;
        }
        if (offsets[v] == offsets[v + 1]) {
          const Vec3& p = positions[v];
          sum = {static_cast<T>(p.x), static_cast<T>(p.y), static_cast<T>(p.z)};
        }
        out[v] = sum;
      }
    });
  }
};

}  // namespace

struct OffsetCurveSkin::Data {
  std::variant<Bound<ArcModel>, Bound<SplineModel>> bound;
  std::size_t bone_count;
};

OffsetCurveSkin::OffsetCurveSkin(const Rig& rig, const OffsetCurveArc& settings)
    : data_(new Data{Bound<ArcModel>(rig, settings), rig.skeleton.bones.size()}) {}
OffsetCurveSkin::OffsetCurveSkin(const Rig& rig, const OffsetCurveSpline& settings)
    : data_(new Data{Bound<SplineModel>(rig, settings), rig.skeleton.bones.size()}) {}
OffsetCurveSkin::~OffsetCurveSkin() = default;
OffsetCurveSkin::OffsetCurveSkin(OffsetCurveSkin&&) noexcept = default;
OffsetCurveSkin& OffsetCurveSkin::operator=(OffsetCurveSkin&&) noexcept = default;

void OffsetCurveSkin::deform(std::span<const BoneState> bones, std::span<Vec3> out) {
  if (bones.size() != data_->bone_count) {
    throw UsageError(fmt::format("{} bone states for {} bones", bones.size(), data_->bone_count));
  }
  std::visit([&](auto& bound) { bound.template deform<double>(bones, out); }, data_->bound);
}

void OffsetCurveSkin::deform(std::span<const BoneState> bones, std::span<Vec3f> out) {
  if (bones.size() != data_->bone_count) {
    throw UsageError(fmt::format("{} bone states for {} bones", bones.size(), data_->bone_count));
  }
  std::visit([&](auto& bound) { bound.template deform<float>(bones, out); }, data_->bound);
}

}  // namespace sinew
