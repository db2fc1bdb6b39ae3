// SPDX-License-Identifier: Apache-2.0
// A mesh bound to its offset curves.
#pragma once

#include <array>

#include "sinew/core/parallel.h"
#include "sinew/core/rows.h"
#include "sinew/deform/internal/offset_curve/model.h"
#include "sinew/deform/internal/surface.h"

namespace sinew::offset_curve {

inline constexpr std::size_t points_per_block = 1024;

// All points, with a row of binds for each. A point that no curve influences has none and does not
// move.
template <class Bind>
struct Ties {
  std::vector<Vec3> points;
  Rows<Bind> binds;

  // Appends the points that for_each(v, visit) gives to visit(SkinPoint) for each of `count`
  // vertices. They are bound by blocks, in parallel, and put together in order.
  template <class Model, class ForEach>
  void append(const Model& model, std::size_t count, const ForEach& for_each) {
    std::vector<Ties> blocks((count + points_per_block - 1) / points_per_block);
    parallel_for(count, points_per_block, [&](std::size_t begin, std::size_t end) {
      Ties& block = blocks[begin / points_per_block];
      std::vector<double> weights(model.chains().size());
      for (std::size_t v = begin; v < end; ++v) {
        for_each(v, [&](const reference::SkinPoint& point) {
          model.weights().at(v, point.position, point.row, weights);
          for (std::size_t c = 0; c < weights.size(); ++c) {
            if (!(weights[c] > 0)) continue;
            block.binds.items.push_back(model.bind(c, point.position, point.row));
            block.binds.items.back().weight = weights[c];
          }
          block.points.push_back(point.position);
          block.binds.end_row();
        });
      }
    });
    for (const Ties& block : blocks) {
      points.insert(points.end(), block.points.begin(), block.points.end());
      for (std::size_t i = 0; i < block.points.size(); ++i) binds.push(block.binds[i]);
    }
  }
};

// A mesh bound to its curves once and deformed in many poses, in double precision.
template <class Model>
class BoundSkin {
 public:
  using Item = typename Model::template Item<double>;
  using Bind = typename Model::template Bind<double>;

  BoundSkin(const Rig& rig, Model model, bool with_normals) : model_(std::move(model)) {
    const SkinRows rows = skin_rows(rig);
    const std::vector<Vec3>& positions = rig.mesh.positions;
    ties_.append(model_, positions.size(), [&](std::size_t v, const auto& visit) {
      visit(reference::SkinPoint{positions[v], rows[v]});
    });
    for (std::size_t c = 0; c < model_.chains().size(); ++c) {
      const bool rests = !moves_rest(model_.chains()[c].controls);
      for (const Item& item : model_.at_bind(c)) rest_.push_back(rests ? &item : nullptr);
    }
    if (!with_normals) return;
    const bool has_normals = rig.mesh.normals.per_vertex() && !rig.mesh.normals.empty();
    normals_ =
        has_normals ? rig.mesh.normals.values : vertex_normals(positions, rig.mesh.triangles);
    tangents_ = rig.mesh.tangents;
    const reference::SurfaceProbes probes(positions, rig.mesh.triangles, rows, normals_, tangents_);
    probes_per_vertex_ = probes.per_vertex();
    probes_.append(model_, positions.size(),
                   [&](std::size_t v, const auto& visit) { probes.at(v, visit); });
  }

  std::size_t vertex_count() const { return ties_.points.size(); }
  bool has_normals() const { return probes_per_vertex_ > 0 || vertex_count() == 0; }
  bool has_tangents() const { return !tangents_.empty(); }

  const Ties<Bind>& ties() const { return ties_; }
  // In the pose.
  std::span<const Item> items() const { return items_; }
  // The same at bind, where they leave points in their places; null where the artist's controls
  // move them.
  std::span<const Item* const> rest() const { return rest_; }

  void pose(std::span<const BoneState> bones) { pose_curves(model_, bones, posed_, items_); }

  void positions(std::span<Vec3> out) const {
    parallel_for(out.size(), points_per_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) out[v] = image(ties_, v);
    });
  }

  void surface(std::span<Vec3> normals, std::span<Vec4> tangents) const {
    parallel_for(normals.size(), points_per_block, [&](std::size_t begin, std::size_t end) {
      std::array<Vec3, 6> images;
      for (std::size_t v = begin; v < end; ++v) {
        for (std::size_t k = 0; k < probes_per_vertex_; ++k) {
          images[k] = image(probes_, v * probes_per_vertex_ + k);
        }
        normals[v] = reference::normal_from_probes(images, normals_[v]);
        if (tangents.empty()) continue;
        tangents[v] = reference::tangent_from_probes(images, normals[v], tangents_[v]);
      }
    });
  }

 private:
  // Of the i-th point.
  Vec3 image(const Ties<Bind>& ties, std::size_t i) const {
    const auto binds = ties.binds[i];
    if (binds.empty()) return ties.points[i];
    Vec3 sum;
    for (const Bind& bind : binds) sum += model_.point(items_.data(), bind) * bind.weight;
    return sum;
  }

  Model model_;
  Ties<Bind> ties_;    // of the vertices
  Ties<Bind> probes_;  // of what gives their normals
  std::vector<Vec3> normals_;
  std::vector<Vec4> tangents_;
  std::size_t probes_per_vertex_ = 0;
  std::vector<Item> items_;
  std::vector<const Item*> rest_;
  std::vector<PosedChain> posed_;
};

}  // namespace sinew::offset_curve
