// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/quat.h"
#include "sinew/puppet/picture_motion.h"

namespace sinew {
namespace {

constexpr std::array<std::string_view, 4> loop_names{"wave", "bounce", "breathe", "stretch"};

// What the loops know of the bones: for each joint the bone that it hangs on, and how far out it
// is.
struct Tree {
  std::vector<int> before;            // joints_before
  std::vector<int> depths;            // bones from the root
  std::vector<bool> leaf;             // no bone goes on from here
  std::vector<std::size_t> outwards;  // all joints, each after the one before it
};

Tree tree_of(const PictureBones& bones) {
  const std::size_t count = bones.joints.size();
  Tree tree{joints_before(bones), std::vector<int>(count, 0), std::vector<bool>(count, true), {}};
  for (const PictureBone& bone : bones.bones)
    tree.leaf[static_cast<std::size_t>(bone.from)] = false;
  for (std::size_t j = 0; j < count; ++j) {
    for (int k = tree.before[j]; k != no_joint; k = tree.before[static_cast<std::size_t>(k)]) {
      ++tree.depths[j];
    }
    tree.outwards.push_back(j);
  }
  std::stable_sort(tree.outwards.begin(), tree.outwards.end(),
                   [&](std::size_t a, std::size_t b) { return tree.depths[a] < tree.depths[b]; });
  return tree;
}

Vec2 turned(const Vec2& v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * v.x - s * v.y, s * v.x + c * v.y};
}

// Roots stay; `offset(j, before, at_rest)` says where any other joint is from the one before it.
template <class Offset>
std::vector<Vec2> from_the_roots(const PictureBones& bones, const Tree& tree, Offset offset) {
  std::vector<Vec2> places(bones.joints.size());
  for (const std::size_t j : tree.outwards) {
    places[j] = bones.joints[j].place;
    if (tree.before[j] == no_joint) continue;
    const auto before = static_cast<std::size_t>(tree.before[j]);
    places[j] = places[before] + offset(j, before, places[j] - bones.joints[before].place);
  }
  return places;
}

// Where all joints are at a share of the loop.
std::vector<Vec2> wave(const PictureBones& bones, const Tree& tree, double share) {
  std::vector<double> angles(bones.joints.size(), 0);
  return from_the_roots(bones, tree, [&](std::size_t j, std::size_t before, const Vec2& rest) {
    angles[j] = angles[before] + 0.14 * std::sin(2 * pi * share - 0.9 * tree.depths[j]);
    return turned(rest, angles[j]);
  });
}

// The ends to twice their length and back to half of it, one after the other.
std::vector<Vec2> stretch(const PictureBones& bones, const Tree& tree, double share) {
  return from_the_roots(bones, tree, [&](std::size_t j, std::size_t, const Vec2& rest) {
    const double delay = 2.4 * static_cast<double>(j) / static_cast<double>(bones.joints.size());
    return tree.leaf[j] ? rest * std::exp2(std::sin(2 * pi * share - delay)) : rest;
  });
}

struct Extent {
  Vec2 low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  Vec2 high{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
};

Extent extent_of(const PictureBones& bones) {
  Extent extent;
  for (const PictureJoint& joint : bones.joints) {
    extent.low = {std::min(extent.low.x, joint.place.x), std::min(extent.low.y, joint.place.y)};
    extent.high = {std::max(extent.high.x, joint.place.x), std::max(extent.high.y, joint.place.y)};
  }
  return extent;
}

// All joints scaled about the middle of the ground, and lifted.
std::vector<Vec2> scaled(const PictureBones& bones, double across, double up, double lift) {
  const Extent extent = extent_of(bones);
  const Vec2 ground{0.5 * (extent.low.x + extent.high.x), extent.high.y};
  const double size = std::max(extent.high.x - extent.low.x, extent.high.y - extent.low.y);
  std::vector<Vec2> places;
  for (const PictureJoint& joint : bones.joints) {
    const Vec2 d = joint.place - ground;
    places.push_back(ground + Vec2{d.x * across, d.y * up - lift * size});
  }
  return places;
}

// A jump: flat on the ground at its ends, long in between.
std::vector<Vec2> bounce(const PictureBones& bones, double share) {
  const double height = 4 * share * (1 - share);
  const double up = 0.72 + 0.5 * std::sin(pi * share) - 0.14 * std::pow(std::sin(pi * share), 8);
  return scaled(bones, 1 / std::sqrt(up), up, 0.25 * height);
}

std::vector<Vec2> breathe(const PictureBones& bones, double share) {
  return scaled(bones, 1 + 0.025 * std::sin(2 * pi * share - 0.6),
                1 + 0.04 * std::sin(2 * pi * share), 0);
}

}  // namespace

std::span<const std::string_view> picture_loops() { return loop_names; }

PictureMotion picture_loop(std::string_view name, const PictureBones& bones) {
  if (std::find(loop_names.begin(), loop_names.end(), name) == loop_names.end()) {
    throw UsageError(
        fmt::format("there is no loop \"{}\"; there are {}", name, fmt::join(loop_names, ", ")));
  }
  const Tree tree = tree_of(bones);
  PictureMotion motion;
  motion.name = name;
  motion.duration = name == "breathe" ? 3 : name == "bounce" ? 1 : 2;
  motion.joints.resize(bones.joints.size());
  // Enough that straight lines between them look smooth.
  const int keys = static_cast<int>(60 * motion.duration);
  for (int k = 0; k < keys; ++k) {
    const double share = static_cast<double>(k) / keys;
    const std::vector<Vec2> places = name == "wave"      ? wave(bones, tree, share)
                                     : name == "bounce"  ? bounce(bones, share)
                                     : name == "breathe" ? breathe(bones, share)
                                                         : stretch(bones, tree, share);
    for (std::size_t j = 0; j < places.size(); ++j) {
      motion.joints[j].push_back({share * motion.duration, places[j], easing_from_name("linear")});
    }
  }
  return motion;
}

}  // namespace sinew
