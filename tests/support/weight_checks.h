// SPDX-License-Identifier: Apache-2.0
// Checks that the weights of every method must pass.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/rig/rig.h"
#include "sinew/skin/skin.h"

namespace sinew {

// Each vertex covered, rows sum to 1, weights in (0, 1], bones exist and ascend.
inline void expect_full_weights(const Weights& weights, std::size_t vertices, std::size_t bones,
                                const std::string& name) {
  ASSERT_EQ(weights.vertex_count(), vertices) << name;
  for (std::size_t v = 0; v < vertices; ++v) {
    double sum = 0;
    int last = -1;
    for (const Influence& i : weights.row(v)) {
      ASSERT_TRUE(i.bone > last && i.bone < static_cast<int>(bones)) << name << ", vertex " << v;
      ASSERT_TRUE(i.weight > 0 && i.weight <= 1) << name << ", vertex " << v << ": " << i.weight;
      last = i.bone;
      sum += i.weight;
    }
    ASSERT_NEAR(sum, 1, 1e-9) << name << ", vertex " << v;
  }
}

inline void expect_endpoints(std::span<const double> endpoints, const Weights& weights,
                             const std::string& name) {
  ASSERT_EQ(endpoints.size(), weights.influences.size()) << name;
  for (const double e : endpoints) ASSERT_TRUE(e >= 0 && e <= 1) << name << ": " << e;
}

inline double weight_of(const Weights& weights, std::size_t vertex, int bone) {
  double sum = 0;
  for (const Influence& i : weights.row(vertex)) sum += i.bone == bone ? i.weight : 0;
  return sum;
}

inline double weight_of(const Skin& skin, std::size_t vertex, int bone) {
  return weight_of(skin.weights, vertex, bone);
}

inline Skin skin_of(const Rig& rig) {
  return {rig.skin.weights, rig.skin.endpoints, rig.skin.twist_endpoints};
}

// The weights are valid for the rig, and rows sum to 1.
inline void expect_sound(const Skin& skin, const Rig& rig) {
  validate(skin, rig.mesh.vertex_count(), rig.skeleton.bones.size());
  for (std::size_t v = 0; v < skin.weights.vertex_count(); ++v) {
    double sum = 0;
    for (const Influence& i : skin.weights.row(v)) sum += i.weight;
    ASSERT_NEAR(sum, 1, 1e-12) << v;
  }
}

// For weights of mirrored_limb() in torture.h, which must be one half each in the middle.
inline void expect_mirrored(const Weights& weights, double tolerance) {
  for (std::size_t r = 0; r < 25; ++r) {
    for (std::size_t s = 0; s < 16; ++s) {
      EXPECT_NEAR(weight_of(weights, r * 16 + s, 0), weight_of(weights, (24 - r) * 16 + s, 1),
                  tolerance);
    }
  }
}

inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    // Also true if one of them is NaN.
    if (!(std::fabs(a[i] - b[i]) <= largest)) largest = std::fabs(a[i] - b[i]);
  }
  return largest;
}

inline double largest_difference(const Weights& a, const Weights& b, std::size_t bones) {
  return largest_difference(to_dense(a, bones), to_dense(b, bones));
}

}  // namespace sinew
