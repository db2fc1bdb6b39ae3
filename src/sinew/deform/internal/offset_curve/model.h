// SPDX-License-Identifier: Apache-2.0
// A common interface to the two kinds of offset curves: bind a point, pose the curves, deform the
// point.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/deform/internal/offset_curve/arc.h"
#include "sinew/deform/internal/offset_curve/spline.h"
#include "sinew/deform/internal/offset_curve/weights.h"

namespace sinew::offset_curve {

// The settings must outlive the model, which refers to their painted weights.
class ArcModel {
 public:
  template <class T>
  using Bind = ArcBind<T>;
  template <class T>
  using Item = ArcJoint<T>;

  ArcModel(const Rig& rig, const OffsetCurveArc& settings);

  std::size_t item_count() const { return item_count_; }
  std::span<const Chain> chains() const { return chains_; }
  const CurveWeights& weights() const { return *weights_; }
  Bind<double> bind(std::size_t curve, const Vec3& p, std::span<const SkinInfluence> row) const {
    return bind_to_arcs(curves_[curve], p, row);
  }
  void pose(std::size_t curve, const PosedChain& posed, std::span<Item<double>> items) const;
  std::span<const Item<double>> at_bind(std::size_t curve) const { return curves_[curve].joints; }
  template <class T>
  Vec3T<T> point(const Item<T>* items, const Bind<T>& bind) const {
    return arc_point(items[bind.joint], bind);
  }

 private:
  std::vector<Chain> chains_;
  std::vector<ArcCurve> curves_;
  std::unique_ptr<CurveWeights> weights_;
  std::size_t item_count_ = 0;
  double roundness_;
};

class SplineModel {
 public:
  template <class T>
  using Bind = SplineBind<T>;
  template <class T>
  using Item = SplinePiece<T>;

  // `positions` are the mesh's, with blend shapes applied.
  SplineModel(const Rig& rig, const OffsetCurveSpline& settings, std::span<const Vec3> positions);

  std::size_t item_count() const { return item_count_; }
  std::span<const Chain> chains() const { return chains_; }
  const CurveWeights& weights() const { return *weights_; }
  Bind<double> bind(std::size_t curve, const Vec3& p, std::span<const SkinInfluence> row) const {
    return bind_to_spline(curves_[curve], p, row);
  }
  void pose(std::size_t curve, const PosedChain& posed, std::span<Item<double>> items) const;
  std::span<const Item<double>> at_bind(std::size_t curve) const { return curves_[curve].pieces; }
  template <class T>
  Vec3T<T> point(const Item<T>* items, const Bind<T>& bind) const {
    return spline_point(items[bind.piece], bind);
  }

 private:
  std::vector<Chain> chains_;
  std::vector<SplineCurve> curves_;
  std::unique_ptr<CurveWeights> weights_;
  std::size_t item_count_ = 0;
};

// All curves in a pose. Reuses the memory of `posed` and `items`.
template <class Model>
void pose_curves(const Model& model, std::span<const BoneState> bones,
                 std::vector<PosedChain>& posed,
                 std::vector<typename Model::template Item<double>>& items) {
  posed.resize(model.chains().size());
  items.resize(model.item_count());
  for (std::size_t c = 0; c < posed.size(); ++c) {
    pose_chain(model.chains()[c], bones, posed[c]);
    model.pose(c, posed[c], items);
  }
}

// Deforms single points. Each is bound to the curves anew at its position, so that the map can be
// differentiated.
template <class Model>
class CurveMap {
 public:
  CurveMap(Model model, std::span<const BoneState> bones) : model_(std::move(model)) {
    std::vector<PosedChain> posed;
    pose_curves(model_, bones, posed, items_);
  }
  Vec3 operator()(std::size_t vertex, const Vec3& p, std::span<const SkinInfluence> row) const {
    // Not kept by each thread: glibc ends the program if it has no memory to keep it.
    std::vector<double> weights(model_.chains().size());
    model_.weights().at(vertex, p, row, weights);
    Vec3 result;
    bool is_reached = false;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      if (!(weights[c] > 0)) continue;
      result += model_.point(items_.data(), model_.bind(c, p, row)) * weights[c];
      is_reached = true;
    }
    return is_reached ? result : p;
  }

 private:
  Model model_;
  std::vector<typename Model::template Item<double>> items_;
};

}  // namespace sinew::offset_curve
