// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/math.h"
#include "sinew/core/quat.h"
#include "sinew/puppet/picture_motion.h"

namespace sinew {
namespace {

constexpr std::array<std::string_view, 5> loop_names{"wave", "bounce", "breathe", "sway",
                                                     "stretch"};

// What the loops know of the bones: for each joint the bone that it hangs on, and how far out it
// is.
struct Tree {
  std::vector<int> before;            // joints_before
  std::vector<bool> carried;          // is_carried
  std::vector<bool> stiff;            // turns with the bone before it and no further
  std::vector<int> depths;            // joints from the root
  std::vector<bool> leaf;             // no bone goes on from here
  std::vector<std::size_t> outwards;  // all joints, each after the one before it
};

// All joints on the way up from one, without the root.
std::vector<int> way_up(const Tree& tree, int joint) {
  std::vector<int> way;
  for (; tree.before[joint] != no_joint; joint = tree.before[joint]) {
    way.push_back(joint);
  }
  return way;
}

// A ring of bones that this one closes turns as one piece about where it is held, or not at all if
// it is held at two places.
void stiffen_ring(const PictureBone& bone, Tree& tree) {
  std::vector<int> a = way_up(tree, bone.from), b = way_up(tree, bone.to);
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.pop_back();
    b.pop_back();
  }
  const auto hangs_apart = [&](const std::vector<int>& way) {
    return !way.empty() && tree.carried[way.back()];
  };
  const std::size_t free = hangs_apart(a) || hangs_apart(b) ? 0 : 1;
  for (const std::vector<int>& way : {a, b}) {
    for (std::size_t i = 0; i + free < way.size(); ++i) {
      tree.stiff[way[i]] = true;
    }
  }
  tree.leaf[bone.to] = false;
}

Tree tree_of(const PictureBones& bones) {
  const std::size_t count = bones.joints.size();
  Tree tree{joints_before(bones),           {}, {}, std::vector<int>(count, 0),
            std::vector<bool>(count, true), {}};
  for (const PictureBone& bone : bones.bones) tree.leaf[bone.from] = false;
  for (std::size_t j = 0; j < count; ++j) {
    tree.carried.push_back(is_carried(bones, j, tree.before[j]));
    for (int k = tree.before[j]; k != no_joint; k = tree.before[k]) {
      ++tree.depths[j];
    }
    tree.outwards.push_back(j);
  }
  std::stable_sort(tree.outwards.begin(), tree.outwards.end(),
                   [&](std::size_t a, std::size_t b) { return tree.depths[a] < tree.depths[b]; });
  tree.stiff = tree.carried;
  for (const PictureBone& bone : bones.bones) {
    if (tree.before[bone.to] != bone.from) stiffen_ring(bone, tree);
  }
  return tree;
}

Vec2 turned(const Vec2& v, double angle) {
  const double c = math::cos(angle), s = math::sin(angle);
  return {c * v.x - s * v.y, s * v.x + c * v.y};
}

// Roots stay; `offset(j, before, at_rest)` says where any other joint is from the one before it.
template <class Offset>
std::vector<Vec2> from_the_roots(const PictureBones& bones, const Tree& tree, Offset offset) {
  std::vector<Vec2> places(bones.joints.size());
  for (const std::size_t j : tree.outwards) {
    places[j] = bones.joints[j].place;
    if (tree.before[j] == no_joint) continue;
    const std::size_t before = tree.before[j];
    places[j] = places[before] + offset(j, before, places[j] - bones.joints[before].place);
  }
  return places;
}

// Where all joints are at a share of the loop.
std::vector<Vec2> wave(const PictureBones& bones, const Tree& tree, double share) {
  std::vector<double> angles(bones.joints.size(), 0);
  return from_the_roots(bones, tree, [&](std::size_t j, std::size_t before, const Vec2& rest) {
    angles[j] = angles[before];
    if (!tree.stiff[j]) angles[j] += 0.14 * math::sin(2 * pi * share - 0.9 * tree.depths[j]);
    return turned(rest, angles[j]);
  });
}

// The ends to twice their length and back to half of it, one after the other.
std::vector<Vec2> stretch(const PictureBones& bones, const Tree& tree, double share) {
  return from_the_roots(bones, tree, [&](std::size_t j, std::size_t, const Vec2& rest) {
    const double delay = 2.4 * static_cast<double>(j) / static_cast<double>(bones.joints.size());
    return tree.leaf[j] ? rest * math::exp2(math::sin(2 * pi * share - delay)) : rest;
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

// Flat on the ground at its ends, long in between; and in the air, if it may.
std::vector<Vec2> bounce(const PictureBones& bones, double share, bool jumps) {
  const double height = jumps ? 4 * share * (1 - share) : 0;
  const double up = 0.72 + 0.5 * math::sin(pi * share) - 0.14 * math::pow(math::sin(pi * share), 8);
  return scaled(bones, 1 / std::sqrt(up), up, 0.25 * height);
}

std::vector<Vec2> breathe(const PictureBones& bones, double share) {
  return scaled(bones, 1 + 0.025 * math::sin(2 * pi * share - 0.6),
                1 + 0.04 * math::sin(2 * pi * share), 0);
}

// To one side and the other, the more the higher; nothing gets much longer.
std::vector<Vec2> sway(const PictureBones& bones, double share) {
  const Extent extent = extent_of(bones);
  const double size = std::max(extent.high.x - extent.low.x, extent.high.y - extent.low.y);
  std::vector<Vec2> places;
  for (const PictureJoint& joint : bones.joints) {
    const double up = (extent.high.y - joint.place.y) / size;
    const double angle = 0.2 * up * math::sin(2 * pi * share);
    const Vec2 foot{joint.place.x, extent.high.y};
    places.push_back(foot + turned(joint.place - foot, angle));
  }
  return places;
}

// Moves joints so that pinned ones are back in place. What that takes is spread as forces are in
// springs along the bones, the roots held where they are: bones between share in it, and what hangs
// on them goes along. Carried joints have stiff springs to what carries them.
class Pins {
 public:
  Pins(const PictureBones& bones, const Tree& tree, std::span<const int> pins)
      : bones_(bones), pins_(pins.begin(), pins.end()) {
    const std::size_t count = bones.joints.size();
    std::vector<int> pin_of(count, -1);
    for (std::size_t p = 0; p < pins.size(); ++p) {
      pin_of[pins[p]] = static_cast<int>(p);
    }
    for (std::size_t j = 0; j < count && !pins.empty(); ++j) {
      if (pin_of[j] < 0 && tree.before[j] != no_joint) free_.push_back(j);
    }
    std::vector<int> row_of(count, -1);
    for (std::size_t r = 0; r < free_.size(); ++r) row_of[free_[r]] = static_cast<int>(r);
    // The springs at each free joint, and in the last columns what pulls there.
    rows_.assign(free_.size(), std::vector<double>(free_.size() + pins.size(), 0));
    const auto pull = [&](std::size_t joint, std::size_t other, double stiffness) {
      if (row_of[joint] < 0) return;
      std::vector<double>& row = rows_[row_of[joint]];
      row[row_of[joint]] += stiffness;
      if (row_of[other] >= 0) row[row_of[other]] -= stiffness;
      if (pin_of[other] >= 0) {
        row[free_.size() + static_cast<std::size_t>(pin_of[other])] += stiffness;
      }
    };
    const auto join = [&](std::size_t a, std::size_t b, double stiffness) {
      const Vec2 way = bones.joints[a].place - bones.joints[b].place;
      stiffness /= std::max(math::hypot(way.x, way.y), 1e-3);
      pull(a, b, stiffness);
      pull(b, a, stiffness);
    };
    for (const PictureBone& bone : bones.bones) {
      join(static_cast<std::size_t>(bone.from), static_cast<std::size_t>(bone.to), 1);
    }
    for (std::size_t j = 0; j < count; ++j) {
      if (tree.carried[j]) join(j, static_cast<std::size_t>(tree.before[j]), 1e6);
    }
    solve();
  }

  void hold(std::vector<Vec2>& places) const {
    std::vector<Vec2> ways;
    for (const int pin : pins_) {
      const std::size_t j = pin;
      ways.push_back(bones_.joints[j].place - places[j]);
      places[j] = bones_.joints[j].place;
    }
    for (std::size_t r = 0; r < free_.size(); ++r) {
      for (std::size_t p = 0; p < ways.size(); ++p) {
        places[free_[r]] = places[free_[r]] + ways[p] * rows_[r][free_.size() + p];
      }
    }
  }

 private:
  // Leaves in the last columns how far each free joint goes along with each pin. All springs reach
  // a root in the end, so that no pivot is 0.
  void solve() {
    const std::size_t count = free_.size();
    const auto subtract = [](const std::vector<double>& from, std::size_t at,
                             std::vector<double>& row) {
      if (row[at] == 0) return;
      const double factor = row[at] / from[at];
      for (std::size_t k = at; k < row.size(); ++k) row[k] -= factor * from[k];
    };
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t r = i + 1; r < count; ++r) subtract(rows_[i], i, rows_[r]);
    }
    for (std::size_t i = count; i-- > 0;) {
      for (std::size_t k = count; k < rows_[i].size(); ++k) rows_[i][k] /= rows_[i][i];
      rows_[i][i] = 1;
      for (std::size_t r = 0; r < i; ++r) {
        for (std::size_t k = count; k < rows_[r].size(); ++k) {
          rows_[r][k] -= rows_[r][i] * rows_[i][k];
        }
      }
    }
  }

  const PictureBones& bones_;
  std::vector<int> pins_;
  std::vector<std::size_t> free_;  // neither pinned nor roots
  std::vector<std::vector<double>> rows_;
};

}  // namespace

std::span<const std::string_view> picture_loops() { return loop_names; }

PictureMotion picture_loop(std::string_view name, const PictureBones& bones,
                           const std::optional<std::vector<int>>& pins) {
  if (std::find(loop_names.begin(), loop_names.end(), name) == loop_names.end()) {
    throw UsageError(
        fmt::format("there is no loop \"{}\"; there are {}", name, fmt::join(loop_names, ", ")));
  }
  const Tree tree = tree_of(bones);
  const std::vector<int> held = pins                ? *pins
                                : name == "stretch" ? std::vector<int>{}
                                                    : ground_joints(bones);
  for (const int joint : held) {
    if (joint < 0 || joint >= static_cast<int>(bones.joints.size())) {
      throw UsageError(fmt::format("there is no joint {} to pin", joint));
    }
  }
  const Pins pinned(bones, tree, held);
  PictureMotion motion;
  motion.name = name;
  motion.duration = name == "breathe" ? 3 : name == "bounce" ? 1 : 2;
  motion.joints.resize(bones.joints.size());
  // Enough that straight lines between them look smooth.
  const int keys = static_cast<int>(60 * motion.duration);
  for (int k = 0; k < keys; ++k) {
    const double share = static_cast<double>(k) / keys;
    std::vector<Vec2> places = name == "wave"      ? wave(bones, tree, share)
                               : name == "bounce"  ? bounce(bones, share, held.empty())
                               : name == "breathe" ? breathe(bones, share)
                               : name == "sway"    ? sway(bones, share)
                                                   : stretch(bones, tree, share);
    pinned.hold(places);
    for (std::size_t j = 0; j < places.size(); ++j) {
      motion.joints[j].push_back({share * motion.duration, places[j], easing_from_name("linear")});
    }
  }
  return motion;
}

}  // namespace sinew
