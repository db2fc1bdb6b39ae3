// SPDX-License-Identifier: Apache-2.0
#include <variant>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/internal/offset_curve/model.h"
#include "sinew/deform/internal/surface.h"
#include "sinew/deform/offset_curve.h"

namespace sinew {
namespace {

using offset_curve::ArcModel;
using offset_curve::PosedChain;
using offset_curve::SplineModel;
using reference::SkinPoint;

constexpr std::size_t block_size = 1024;

// The binds of all points: point i has binds[offsets[i]] to binds[offsets[i + 1] - 1]. A point that
// no curve influences has none and does not move.
template <class Bind>
struct Ties {
  std::vector<Vec3> points;
  std::vector<std::size_t> offsets{0};
  std::vector<Bind> binds;

  // Appends the points that for_each(v, visit) gives to visit(SkinPoint) for each of `count`
  // vertices. They are bound by blocks, in parallel, and put together in order.
  template <class Model, class ForEach>
  void append(const Model& model, std::size_t count, const ForEach& for_each) {
    std::vector<Ties> blocks((count + block_size - 1) / block_size);
    parallel_for(count, block_size, [&](std::size_t begin, std::size_t end) {
      Ties& block = blocks[begin / block_size];
      std::vector<double> weights(model.chains().size());
      for (std::size_t v = begin; v < end; ++v) {
        for_each(v, [&](const SkinPoint& point) {
          model.weights().at(v, point.position, point.row, weights);
          for (std::size_t c = 0; c < weights.size(); ++c) {
            if (!(weights[c] > 0)) continue;
            block.binds.push_back(model.bind(c, point.position, point.row));
            block.binds.back().weight = weights[c];
          }
          block.points.push_back(point.position);
          block.offsets.push_back(block.binds.size());
        });
      }
    });
    for (const Ties& block : blocks) {
      for (std::size_t i = 0; i < block.points.size(); ++i) {
        offsets.push_back(binds.size() + block.offsets[i + 1]);
      }
      points.insert(points.end(), block.points.begin(), block.points.end());
      binds.insert(binds.end(), block.binds.begin(), block.binds.end());
    }
  }
};

template <class Model>
class Bound {
 public:
  template <class T>
  using Item = typename Model::template Item<T>;
  template <class T>
  using Bind = typename Model::template Bind<T>;

  Bound(const Rig& rig, Model model, bool with_normals) : model_(std::move(model)) {
    const SkinRows rows = skin_rows(rig);
    const std::vector<Vec3>& positions = rig.mesh.positions;
    ties_.append(model_, positions.size(), [&](std::size_t v, const auto& visit) {
      visit(SkinPoint{positions[v], rows.row(v)});
    });
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

  void pose(std::span<const BoneState> bones) { pose_curves(model_, bones, posed_, items_); }

  void positions(std::span<Vec3> out) const {
    parallel_for(out.size(), block_size, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) out[v] = image(ties_, v);
    });
  }

  // Float copies of the binds are made on first use.
  void positions(std::span<Vec3f> out) {
    const auto shrink = [](const auto& from, auto& to) {
      to.resize(from.size());
      for (std::size_t i = 0; i < from.size(); ++i) to[i] = to_float(from[i]);
    };
    if (fast_binds_.size() != ties_.binds.size()) shrink(ties_.binds, fast_binds_);
    shrink(items_, fast_items_);
    parallel_for(out.size(), block_size, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) out[v] = image(ties_, v, fast_binds_, fast_items_);
    });
  }

  void surface(std::span<Vec3> normals, std::span<Vec4> tangents) const {
    parallel_for(normals.size(), block_size, [&](std::size_t begin, std::size_t end) {
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
  Vec3 image(const Ties<Bind<double>>& ties, std::size_t i) const {
    return image(ties, i, ties.binds, items_);
  }

  // Of the i-th point, in the precision of the binds and items.
  template <class T>
  Vec3T<T> image(const Ties<Bind<double>>& ties, std::size_t i, const std::vector<Bind<T>>& binds,
                 const std::vector<Item<T>>& items) const {
    const std::size_t begin = ties.offsets[i], end = ties.offsets[i + 1];
    if (begin == end) {
      const Vec3& p = ties.points[i];
      return {static_cast<T>(p.x), static_cast<T>(p.y), static_cast<T>(p.z)};
    }
    Vec3T<T> sum{};
    for (std::size_t k = begin; k < end; ++k) {
      sum += model_.point(items.data(), binds[k]) * binds[k].weight;
    }
    return sum;
  }

  Model model_;
  Ties<Bind<double>> ties_;    // of the vertices
  Ties<Bind<double>> probes_;  // of what gives their normals
  std::vector<Vec3> normals_;
  std::vector<Vec4> tangents_;
  std::size_t probes_per_vertex_ = 0;
  std::vector<Bind<float>> fast_binds_;
  std::vector<Item<float>> fast_items_;
  std::vector<Item<double>> items_;
  std::vector<PosedChain> posed_;
};

}  // namespace

struct OffsetCurveSkin::Data {
  std::variant<Bound<ArcModel>, Bound<SplineModel>> bound;
  std::size_t bone_count;
};

OffsetCurveSkin::OffsetCurveSkin(const Rig& rig, const OffsetCurveArc& settings, bool with_normals)
    : data_(new Data{Bound<ArcModel>(rig, ArcModel(rig, settings), with_normals),
                     rig.skeleton.bones.size()}) {}
OffsetCurveSkin::OffsetCurveSkin(const Rig& rig, const OffsetCurveSpline& settings,
                                 bool with_normals)
    : data_(new Data{
          Bound<SplineModel>(rig, SplineModel(rig, settings, rig.mesh.positions), with_normals),
          rig.skeleton.bones.size()}) {}
OffsetCurveSkin::~OffsetCurveSkin() = default;
OffsetCurveSkin::OffsetCurveSkin(OffsetCurveSkin&&) noexcept = default;
OffsetCurveSkin& OffsetCurveSkin::operator=(OffsetCurveSkin&&) noexcept = default;

void OffsetCurveSkin::pose(std::span<const BoneState> bones) {
  if (bones.size() != data_->bone_count) {
    throw UsageError(formatted("{} bone states for {} bones", bones.size(), data_->bone_count));
  }
  std::visit([&](auto& bound) { bound.pose(bones); }, data_->bound);
}

void OffsetCurveSkin::check_room(std::size_t count) const {
  const std::size_t vertices =
      std::visit([](const auto& bound) { return bound.vertex_count(); }, data_->bound);
  if (count != vertices) throw UsageError(formatted("room for {} vertices of {}", count, vertices));
}

void OffsetCurveSkin::deform(std::span<const BoneState> bones, std::span<Vec3> out) {
  check_room(out.size());
  pose(bones);
  std::visit([&](const auto& bound) { bound.positions(out); }, data_->bound);
}

void OffsetCurveSkin::deform(std::span<const BoneState> bones, std::span<Vec3f> out) {
  check_room(out.size());
  pose(bones);
  std::visit([&](auto& bound) { bound.positions(out); }, data_->bound);
}

void OffsetCurveSkin::deform(std::span<const BoneState> bones, std::span<Vec3> positions,
                             std::span<Vec3> normals, std::span<Vec4> tangents) {
  check_room(normals.size());
  deform(bones, positions);
  std::visit(
      [&](const auto& bound) {
        if (!bound.has_normals()) throw UsageError("the skin was bound without normals");
        if (!tangents.empty()) {
          check_room(tangents.size());
          if (!bound.has_tangents()) throw UsageError("the rig has no tangents");
        }
        bound.surface(normals, tangents);
      },
      data_->bound);
}

}  // namespace sinew
