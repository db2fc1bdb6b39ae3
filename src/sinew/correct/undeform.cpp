// SPDX-License-Identifier: Apache-2.0
#include "sinew/correct/undeform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/bits.h"
#include "sinew/core/math.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/reference/skinning.h"
#include "sinew/deform/skin_rows.h"

namespace sinew {
namespace {

constexpr std::size_t vertices_at_once = 2048;
// Shares of the mesh's size: what counts as moved, as reached, and the step of differences.
constexpr double least_move = 1e-6, reached = 1e-8, difference = 1e-6;

// J = U diag(sizes) V^T, as the columns of U diag(sizes) and of V.
struct Split {
  Mat3 images, axes;
  Vec3 sizes;
};

// By turning pairs of columns until they are orthogonal (Jacobi's method, one-sided).
Split split(const Mat3& j) {
  Split s{j, {}, {}};
  for (int sweep = 0; sweep < 12; ++sweep) {
    bool turned = false;
    for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
      Vec3 &a = s.images[p], &b = s.images[q];
      const double along = dot(a, b), aa = length_squared(a), bb = length_squared(b);
      if (!(std::fabs(along) > 1e-15 * std::sqrt(aa * bb))) continue;
      turned = true;
      const double ratio = (bb - aa) / (2 * along);
      const double t = (ratio < 0 ? -1 : 1) / (std::fabs(ratio) + math::hypot(ratio, 1.0));
      const double c = 1 / math::hypot(t, 1.0), sine = t * c;
      const auto turn = [&](Vec3& x, Vec3& y) {
        const Vec3 old = x;
        x = old * c - y * sine;
        y = old * sine + y * c;
      };
      turn(a, b);
      turn(s.axes[p], s.axes[q]);
    }
    if (!turned) break;
  }
  s.sizes = {length(s.images.x), length(s.images.y), length(s.images.z)};
  return s;
}

// The method in one pose, as a function of the positions before it.
class PosedMap {
 public:
  PosedMap(const Rig& rig, std::span<const BoneState> bones, std::span<const double> shapes,
           const Method& method)
      : rig_(rig), bones_(bones), method_(method), shaped_(blend_shapes(rig.mesh, shapes)) {}

  const std::vector<Vec3>& start() const { return shaped_.positions; }

  std::vector<Vec3> operator()(const std::vector<Vec3>& positions) const {
    ShapedMesh shaped = shaped_;
    shaped.positions = positions;
    return method_.impl().reference({rig_, bones_, shaped, false}).positions;
  }

  // The image of one vertex at a time, where the method moves each by itself. What it reads of the
  // whole shape, as splines do how thick it is, is that of `positions`.
  class Alone {
   public:
    Alone(const PosedMap& map, const std::vector<Vec3>& positions)
        : shaped_(map.shaped_),
          rows_(skin_rows(map.rig_)),
          input_{map.rig_, map.bones_, shaped_, false} {
      shaped_.positions = positions;
      map_ = map.method_.impl().point_map(input_);
    }
    Vec3 operator()(std::size_t vertex, const Vec3& p) const {
      return map_(vertex, {p, rows_[vertex]});
    }

   private:
    ShapedMesh shaped_;
    SkinRows rows_;
    ReferenceInput input_;
    reference::PointMap map_;
  };

 private:
  const Rig& rig_;
  std::span<const BoneState> bones_;
  const Method& method_;
  ShapedMesh shaped_;
};

class Inversion {
 public:
  Inversion(const PosedMap& map, std::span<const Vec3> targets, double size)
      : map_(map), targets_(targets), size_(size), x_(map.start()), image_(map(x_)) {}

  // For methods that move each vertex by itself: Newton's method, vertex by vertex. Splines, whose
  // places depend a little on how thick the shape is, move all others as well: vertices that have
  // arrived are looked at again.
  void solve_alone(const Progress& progress) {
    constexpr int most_passes = 8;
    for (int pass = 0; pass < most_passes; ++pass) {
      progress.report("inverting", double(pass) / most_passes);
      const PosedMap::Alone map(map_, x_);
      if (pass == 0) find_slopes(map);
      std::vector<std::uint8_t> has_moved(x_.size(), 0);
      parallel_for(x_.size(), vertices_at_once, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
          if (pass > 0) image_[v] = map(v, x_[v]);
          if (off(v) > least_move * size_) has_moved[v] = approach(map, v) ? 1 : 0;
        }
      });
      if (std::find(has_moved.begin(), has_moved.end(), 1) == has_moved.end()) break;
      if (pass + 1 == most_passes) image_ = map_(x_);
    }
  }

  // For methods that move vertices with their neighbours: Newton's method for all at once. What a
  // step does is known by trying it, and the steps are combined by GMRES (Saad and Schultz 1986).
  // Vertices that no step brings nearer are left out, so that the others still arrive.
  void solve_together(const Progress& progress) {
    constexpr int most_rounds = 30;
    constexpr double least_part = 1.0 / 64;
    find_slopes();
    is_left_out_.assign(x_.size(), false);
    for (int round = 0; round < most_rounds && largest_off() > least_move * size_; ++round) {
      progress.report("inverting", double(round) / most_rounds);
      const double off_before = norm(missing());
      const std::vector<Vec3> step = joint_step();
      std::vector<Vec3> image;
      double part = 1;
      for (; part >= least_part; part /= 2) {
        std::vector<Vec3> tried = x_;
        for (std::size_t v = 0; v < x_.size(); ++v) tried[v] += step[v] * part;
        image = map_(tried);
        std::swap(image, image_);
        if (norm(missing()) < off_before * (1 - 0.1 * part)) {
          x_ = std::move(tried);
          break;
        }
        std::swap(image, image_);
      }
      if (part < least_part && !leave_out(image)) break;
    }
  }

  Undeformed result() {
    Undeformed result{std::move(x_), {}, {}};
    for (std::size_t v = 0; v < targets_.size(); ++v) {
      result.off.push_back(distance(image_[v], targets_[v]));
      const Vec3& sizes = slopes_[v].sizes;
      const double least = std::min({sizes.x, sizes.y, sizes.z});
      result.singular.push_back(!(least >= least_flattening * usual_));
    }
    return result;
  }

 private:
  double off(std::size_t v) const { return distance(image_[v], targets_[v]); }

  double largest_off() const {
    double largest = 0;
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (!is_left_out_[v]) largest = std::max(largest, off(v));
    }
    return largest;
  }

  // Takes the vertex to its target, or as near as it gets. Whether that has moved it.
  bool approach(const PosedMap::Alone& map, std::size_t v) {
    constexpr int most_rounds = 40;
    constexpr double least_part = 1.0 / 64;
    bool has_moved = false, is_stale = true;  // the slope, of a place before
    double part = 1;
    const auto renew_slope = [&] {
      slopes_[v] = slope_at(map, v);
      is_stale = false;
    };
    for (int round = 0; round < most_rounds; ++round) {
      const Vec3 step = along_slope(v, targets_[v] - image_[v], least_flattening);
      const Vec3 tried = x_[v] + step * part;
      const Vec3 image = map(v, tried);
      const double before = off(v), after = distance(image, targets_[v]);
      if (!(after < before)) {
        if (is_stale) {
          renew_slope();
        } else if (part > least_part) {
          part /= 4;
        } else {
          break;
        }
        continue;
      }
      has_moved = is_stale = true;
      x_[v] = tried;
      image_[v] = image;
      part = std::min(1.0, 2 * part);
      if (!(after > reached * size_) || after > before * (1 - 1e-9)) break;
      if (after > 0.1 * before) renew_slope();
    }
    return has_moved;
  }

  Split slope_at(const PosedMap::Alone& map, std::size_t v) const {
    const double h = difference * size_;
    const auto along = [&](const Vec3& shift) { return (map(v, x_[v] + shift) - image_[v]) / h; };
    return split({along({h, 0, 0}), along({0, h, 0}), along({0, 0, h})});
  }

  void find_slopes(const PosedMap::Alone& map) {
    slopes_.resize(x_.size());
    parallel_for(x_.size(), vertices_at_once, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) slopes_[v] = slope_at(map, v);
    });
    find_usual();
  }

  // Those that the smallest part of a step, which led to `image`, takes farther from their targets.
  // Whether there are any.
  bool leave_out(const std::vector<Vec3>& image) {
    bool any = false;
    for (std::size_t v = 0; v < x_.size(); ++v) {
      const bool is_farther = distance(image[v], targets_[v]) >= off(v);
      if (is_left_out_[v] || !is_farther || !(off(v) > least_move * size_)) continue;
      is_left_out_[v] = true;
      any = true;
    }
    return any;
  }

  // What a vertex does when it alone is moved, but for all of them at once: each second one, in no
  // order, is moved in the opposite direction, so that what they do together cancels out. Vertices
  // at one place, which seams split, are moved together.
  void find_slopes() {
    const auto sign = [&](std::size_t v) {
      std::uint64_t mixed = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        // 0 and -0 are one place.
        mixed = (mixed ^ bits_as<std::uint64_t>(map_.start()[v][k] + 0.0)) * 0x9E3779B97F4A7C15U;
        mixed ^= mixed >> 29U;
      }
      return (mixed & 1U) != 0 ? -1.0 : 1.0;
    };
    const double h = difference * size_;
    std::array<std::vector<Vec3>, 3> moved;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Vec3 shift;
      (axis == 0 ? shift.x : axis == 1 ? shift.y : shift.z) = h;
      std::vector<Vec3> there = x_;
      for (std::size_t v = 0; v < there.size(); ++v) there[v] += shift * sign(v);
      moved[axis] = map_(there);
    }
    slopes_.resize(x_.size());
    parallel_for(x_.size(), vertices_at_once, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        const double by = sign(v) * h;
        slopes_[v] = split({(moved[0][v] - image_[v]) / by, (moved[1][v] - image_[v]) / by,
                            (moved[2][v] - image_[v]) / by});
      }
    });
    find_usual();
  }

  // The median: next to a fold a slope may be as steep as you like.
  void find_usual() {
    std::vector<double> largest;
    for (const Split& slope : slopes_) {
      largest.push_back(std::max({slope.sizes.x, slope.sizes.y, slope.sizes.z}));
    }
    const auto middle = largest.begin() + static_cast<std::ptrdiff_t>(largest.size() / 2);
    std::nth_element(largest.begin(), middle, largest.end());
    usual_ = largest.empty() ? 1 : *middle;
  }

  // Towards the target by the inverse of the slope. Directions that it shrinks to less than `least`
  // of the usual count as shrunk to that, below least_flattening not at all.
  Vec3 along_slope(std::size_t v, const Vec3& missing, double least) const {
    const Split& slope = slopes_[v];
    Vec3 result;
    for (std::size_t k = 0; k < 3; ++k) {
      const double size = slope.sizes[k];
      if (!(size >= least_flattening * usual_) || !(size > 0)) continue;
      const double along = dot(missing, slope.images[k]) / size;
      result += slope.axes[k] * (along / std::max(size, least * usual_));
    }
    return result;
  }

  std::vector<Vec3> missing() const {
    std::vector<Vec3> result(x_.size());
    for (std::size_t v = 0; v < x_.size(); ++v) {
      if (!is_left_out_[v]) result[v] = targets_[v] - image_[v];
    }
    return result;
  }

  static double product(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double sum = 0;
    for (std::size_t v = 0; v < a.size(); ++v) sum += dot(a[v], b[v]);
    return sum;
  }
  static double norm(const std::vector<Vec3>& a) { return std::sqrt(product(a, a)); }

  // What the map does to a small step in this direction, per unit of it.
  std::vector<Vec3> response(const std::vector<Vec3>& direction) const {
    double longest = 0;
    for (const Vec3& d : direction) longest = std::max(longest, length(d));
    if (!(longest > 0)) return std::vector<Vec3>(direction.size());
    const double h = difference * size_ / longest;
    std::vector<Vec3> there = x_;
    for (std::size_t v = 0; v < there.size(); ++v) there[v] += direction[v] * h;
    std::vector<Vec3> moved = map_(there);
    for (std::size_t v = 0; v < moved.size(); ++v) moved[v] = (moved[v] - image_[v]) / h;
    return moved;
  }

  // The step after which the linearised map misses the targets by as little as possible, among
  // combinations of a few directions.
  std::vector<Vec3> joint_step() const {
    constexpr std::size_t most_directions = 40;
    constexpr double enough = 1e-3;
    constexpr double cautious = 1;
    std::vector<Vec3> residual = missing();
    const double start = norm(residual);
    std::vector<std::vector<Vec3>> basis, directions;
    std::vector<std::vector<double>> columns;  // of the triangular matrix
    std::vector<std::pair<double, double>> turns;
    std::vector<double> side{start};
    for (Vec3& r : residual) r = r / start;
    basis.push_back(std::move(residual));
    while (directions.size() < most_directions && std::fabs(side.back()) > enough * start) {
      std::vector<Vec3> direction(x_.size());
      const std::vector<Vec3>& last = basis.back();
      parallel_for(x_.size(), vertices_at_once, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) direction[v] = along_slope(v, last[v], cautious);
      });
      std::vector<Vec3> image = response(direction);
      directions.push_back(std::move(direction));
      std::vector<double> column;
      for (const std::vector<Vec3>& b : basis) {
        const double share = product(image, b);
        column.push_back(share);
        for (std::size_t v = 0; v < image.size(); ++v) image[v] = image[v] - b[v] * share;
      }
      const double rest = norm(image);
      for (std::size_t i = 0; i < turns.size(); ++i) {
        const auto [cosine, sine] = turns[i];
        const double upper = column[i], lower = column[i + 1];
        column[i] = cosine * upper + sine * lower;
        column[i + 1] = cosine * lower - sine * upper;
      }
      const double size = math::hypot(column.back(), rest);
      if (!(size > 0)) {
        directions.pop_back();
        break;
      }
      turns.emplace_back(column.back() / size, rest / size);
      column.back() = size;
      columns.push_back(std::move(column));
      side.push_back(-turns.back().second * side.back());
      side[side.size() - 2] *= turns.back().first;
      if (!(rest > 0)) break;
      for (Vec3& r : image) r = r / rest;
      basis.push_back(std::move(image));
    }
    std::vector<double> shares(columns.size());
    for (std::size_t i = columns.size(); i-- > 0;) {
      double value = side[i];
      for (std::size_t k = i + 1; k < columns.size(); ++k) value -= columns[k][i] * shares[k];
      shares[i] = value / columns[i][i];
    }
    std::vector<Vec3> step(x_.size());
    for (std::size_t i = 0; i < shares.size(); ++i) {
      for (std::size_t v = 0; v < step.size(); ++v) step[v] += directions[i][v] * shares[i];
    }
    return step;
  }

  const PosedMap& map_;
  std::span<const Vec3> targets_;
  double size_ = 0;
  std::vector<Vec3> x_, image_;
  std::vector<Split> slopes_;
  double usual_ = 0;
  std::vector<bool> is_left_out_;
};

}  // namespace

Undeformed undeform(const Rig& rig, std::span<const BoneState> bones,
                    std::span<const double> shapes, const Method& method,
                    std::span<const Vec3> targets, const Progress& progress) {
  if (bones.size() != rig.skeleton.bones.size()) {
    throw UsageError(fmt::format("the pose has {} bones, the rig has {}", bones.size(),
                                 rig.skeleton.bones.size()));
  }
  if (targets.size() != rig.mesh.vertex_count()) {
    throw UsageError(fmt::format("there are {} targets for {} vertices", targets.size(),
                                 rig.mesh.vertex_count()));
  }
  for (std::size_t v = 0; v < targets.size(); ++v) {
    if (is_finite(targets[v])) continue;
    throw InputError(fmt::format("vertex {}", v), "its target is not finite");
  }
  const PosedMap map(rig, bones, shapes, method);
  const double size = bounding_box(rig.mesh.positions).diagonal();
  Inversion inversion(map, targets, size > 0 ? size : 1);
  if (method.traits().triangles) {
    inversion.solve_together(progress);
  } else {
    inversion.solve_alone(progress);
  }
  return inversion.result();
}

}  // namespace sinew
