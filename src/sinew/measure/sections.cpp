// SPDX-License-Identifier: Apache-2.0
#include "sinew/measure/sections.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/core/math.h"
#include "sinew/core/parallel.h"
#include "sinew/core/rows.h"
#include "sinew/measure/detail/owner.h"
#include "sinew/measure/detail/require.h"
#include "sinew/measure/detail/section_skins.h"

namespace sinew {
namespace {

constexpr double least_weight = 0.1;
constexpr double thinnest = 0.05;
constexpr double least_turned = 1e-3;  // share of the section that agrees about the turn

struct Frame {
  Vec3 x, y, z;  // along the bone and across it

  Vec3 into(const Vec3& p) const { return {dot(p, x), dot(p, y), dot(p, z)}; }
};

// A point of the surface at rest and in the pose, each relative to its place on the bone and in
// the bone's frame.
struct Pair {
  Vec3 rest, posed;
};

// Integrals along the cut, by its length at rest.
struct Moments {
  double length = 0;
  Vec3 rest, posed;
  double rest_square = 0, posed_square = 0;
  double along = 0, around = 0;  // products of the parts across the bone: dot and cross

  void add(const Pair& p, const Pair& q) {
    const double l = distance(p.rest, q.rest);
    const auto integral = [&](const auto& product) {
      return l / 6 * (2 * product(p, p) + 2 * product(q, q) + product(p, q) + product(q, p));
    };
    length += l;
    rest += (p.rest + q.rest) * (l / 2);
    posed += (p.posed + q.posed) * (l / 2);
    rest_square += integral([](const Pair& a, const Pair& b) { return dot(a.rest, b.rest); });
    posed_square += integral([](const Pair& a, const Pair& b) { return dot(a.posed, b.posed); });
    along += integral([](const Pair& a, const Pair& b) { return across_dot(a.rest, b.posed); });
    around += integral([](const Pair& a, const Pair& b) { return across_cross(a.rest, b.posed); });
  }

  static double across_dot(const Vec3& a, const Vec3& b) { return a.y * b.y + a.z * b.z; }
  static double across_cross(const Vec3& a, const Vec3& b) { return a.y * b.z - a.z * b.y; }

  // About the middle, per length. Rounding must not make squares negative.
  double rest_spread() const {
    return std::max(0.0, (rest_square - dot(rest, rest) / length) / length);
  }
  double posed_spread() const {
    return std::max(0.0, (posed_square - dot(posed, posed) / length) / length);
  }
  std::optional<double> turn() const {
    const double c = (along - across_dot(rest, posed) / length) / length;
    const double s = (around - across_cross(rest, posed) / length) / length;
    if (!(math::hypot(c, s) > least_turned * rest_spread())) return std::nullopt;
    return math::atan2(s, c);
  }
};

class Slicer {
 public:
  Slicer(const BoneState& bone, const std::vector<Vec3>& rest, const std::vector<Vec3>& deformed)
      : bone_(bone), rest_(rest), deformed_(deformed) {
    const Vec3 u = normalized(bone.tail - bone.head);
    const Vec3 v = any_perpendicular(u);
    const Vec3 w = cross(u, v);
    rest_frame_ = {u, v, w};
    posed_frame_ = {rotate(bone.rotation, u), rotate(bone.rotation, v), rotate(bone.rotation, w)};
    squared_length_ = length_squared(bone.tail - bone.head);
  }

  void cut(const Triangle& triangle) {
    std::array<double, 3> at{};
    for (std::size_t i = 0; i < 3; ++i) {
      at[i] = dot(rest_[triangle[i]] - bone_.head, bone_.tail - bone_.head) / squared_length_ *
              section_intervals;
    }
    const double low = std::max(0.0, std::ceil(std::min({at[0], at[1], at[2]})));
    const double high =
        std::min<double>(section_intervals, std::floor(std::max({at[0], at[1], at[2]})));
    for (double k = low; k <= high; ++k) cut(triangle, at, k);
  }

  std::vector<Section> sections() const {
    double widest = 0;
    for (const Moments& m : moments_) {
      if (m.length > 0) widest = std::max(widest, m.rest_spread());
    }
    std::vector<Section> result;
    double last_turn = 0;
    for (std::size_t k = 0; k < moments_.size(); ++k) {
      const Moments& m = moments_[k];
      if (!(m.length > 0) || !(m.rest_spread() > thinnest * thinnest * widest)) continue;
      Section section;
      section.t = static_cast<double>(k) / section_intervals;
      section.radius = std::sqrt(m.posed_spread() / m.rest_spread());
      section.turn = m.turn();
      if (section.turn) {
        *section.turn += 2 * pi * std::round((last_turn - *section.turn) / (2 * pi));
        last_turn = *section.turn;
      }
      result.push_back(section);
    }
    return result;
  }

 private:
  // A corner in the plane counts as beyond it, so that each piece of the cut is found once.
  void cut(const Triangle& triangle, const std::array<double, 3>& at, double k) {
    std::array<Pair, 2> ends;
    std::size_t found = 0;
    for (std::size_t i = 0; i < 3 && found < 2; ++i) {
      const std::size_t j = (i + 1) % 3;
      if ((at[i] < k) == (at[j] < k)) continue;
      const double share = (k - at[i]) / (at[j] - at[i]);
      const Vec3 before = lerp(rest_[triangle[i]], rest_[triangle[j]], share);
      const Vec3 after = lerp(deformed_[triangle[i]], deformed_[triangle[j]], share);
      const double t = k / section_intervals;
      ends[found++] = {rest_frame_.into(before - lerp(bone_.head, bone_.tail, t)),
                       posed_frame_.into(after - lerp(bone_.posed_head, bone_.posed_tail, t))};
    }
    if (found == 2) moments_[static_cast<int>(k)].add(ends[0], ends[1]);
  }

  const BoneState& bone_;
  const std::vector<Vec3>& rest_;
  const std::vector<Vec3>& deformed_;
  Frame rest_frame_, posed_frame_;
  double squared_length_ = 1;
  std::array<Moments, section_intervals + 1> moments_;
};

}  // namespace

namespace detail {

SectionSkins section_skins(const std::vector<Triangle>& triangles, const Weights& weights,
                           std::size_t bone_count, SectionSkin skin) {
  // The bones that each vertex belongs to.
  Rows<int> owners;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const auto row = weights.row(v);
    const int dominant = dominant_bone(row);
    if (skin == SectionSkin::own) {
      if (only_bone(row)) owners.items.push_back(dominant);
    } else {
      for (const Influence& influence : row) {
        if (influence.weight >= least_weight || influence.bone == dominant) {
          owners.items.push_back(influence.bone);
        }
      }
    }
    owners.end_row();
  }
  const auto belongs = [&](std::size_t vertex, int bone) {
    const auto row = owners[vertex];
    return std::find(row.begin(), row.end(), bone) != row.end();
  };
  SectionSkins result(bone_count);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& [a, b, c] = triangles[t];
    for (const int bone : owners[a]) {
      if (belongs(b, bone) && belongs(c, bone)) result[bone].push_back(static_cast<Index>(t));
    }
  }
  return result;
}

std::vector<std::vector<Section>> bone_sections(const std::vector<Triangle>& triangles,
                                                const SectionSkins& skins,
                                                std::span<const BoneState> states,
                                                const std::vector<Vec3>& rest,
                                                const std::vector<Vec3>& deformed) {
  std::vector<std::vector<Section>> result(states.size());
  parallel_for(states.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      Slicer slicer(states[b], rest, deformed);
      for (const Index t : skins[b]) slicer.cut(triangles[t]);
      result[b] = slicer.sections();
    }
  });
  return result;
}

}  // namespace detail

std::vector<std::vector<Section>> bone_sections(const std::vector<Triangle>& triangles,
                                                const Weights& weights,
                                                std::span<const BoneState> states,
                                                const std::vector<Vec3>& rest,
                                                const std::vector<Vec3>& deformed,
                                                SectionSkin skin) {
  detail::require_same_mesh(triangles, rest, deformed);
  detail::require_same_rig(weights, rest.size(), states.size());
  return detail::bone_sections(triangles,
                               detail::section_skins(triangles, weights, states.size(), skin),
                               states, rest, deformed);
}

}  // namespace sinew
