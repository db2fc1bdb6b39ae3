// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/mirror.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>

#include "sinew/core/error.h"
#include "sinew/skeleton/bones.h"
#include "sinew/skeleton/detail/letters.h"

namespace sinew {
namespace {

using detail::is_letter;
using detail::is_upper;

// Whether the letter at `i` alone denotes a side.
bool is_side_letter(std::string_view name, std::size_t i) {
  if (name[i] != 'l' && name[i] != 'r' && name[i] != 'L' && name[i] != 'R') return false;
  const bool begins = i == 0 || !is_letter(name[i - 1]);
  if (!begins) return false;
  if (i + 1 == name.size() || !is_letter(name[i + 1])) return true;
  return !is_upper(name[i]) && is_upper(name[i + 1]);
}

char other_side(char c) {
  switch (c) {
    case 'l':
      return 'r';
    case 'r':
      return 'l';
    case 'L':
      return 'R';
    default:
      return 'L';
  }
}

constexpr std::array<std::array<std::string_view, 2>, 3> side_words = {
    {{"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}}};

struct Pair {
  int a, b;  // a <= b
  double distance;
  bool reversed;
};

const std::string& name_of(const Skeleton& skeleton, std::size_t bone) {
  return skeleton.joints[skeleton.bones[bone].joint].name;
}

// Bones by their names, and by where their middles are: in cells with sides of the reach, and a
// little more for rounding.
class BoneIndexes {
 public:
  BoneIndexes(const Skeleton& skeleton, double reach) : reach_(reach) {
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
      const Bone& bone = skeleton.bones[b];
      by_name_[name_of(skeleton, b)].push_back(b);
      by_place_[cell((bone.head + bone.tail) / 2)].push_back(b);
    }
  }

  // Bones from `first` on that have this name, ascending.
  std::vector<std::size_t> named(const std::string& name, std::size_t first) const {
    std::vector<std::size_t> found;
    if (!name.empty()) add(by_name_, name, first, found);
    return found;
  }

  // Bones from `first` on whose ends may be within reach of these two: where both ends of two bones
  // are near each other, so are the middles.
  std::vector<std::size_t> near(const Vec3& head, const Vec3& tail, std::size_t first) const {
    std::vector<std::size_t> found;
    const Cell middle = cell((head + tail) / 2);
    for (int n = 0; n < 27; ++n) {
      const int row = n / 3, layer = n / 9;
      add(by_place_, Cell{middle[0] + n % 3 - 1, middle[1] + row % 3 - 1, middle[2] + layer - 1},
          first, found);
    }
    return found;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  Cell cell(const Vec3& p) const {
    Cell result{};
    if (!(reach_ > 0)) return result;  // one cell for all
    for (std::size_t i = 0; i < 3; ++i) {
      result[i] =
          static_cast<std::int64_t>(std::clamp(std::floor(p[i] / (1.001 * reach_)), -1e15, 1e15));
    }
    return result;
  }

  template <class Map, class Key>
  static void add(const Map& map, const Key& key, std::size_t first,
                  std::vector<std::size_t>& found) {
    const auto bones = map.find(key);
    if (bones == map.end()) return;
    found.insert(found.end(), std::lower_bound(bones->second.begin(), bones->second.end(), first),
                 bones->second.end());
  }

  double reach_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_name_;
  std::map<Cell, std::vector<std::size_t>> by_place_;
};

}  // namespace

std::string mirrored_name(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size();) {
    bool replaced = false;
    for (const auto& words : side_words) {
      for (std::size_t side = 0; side < 2 && !replaced; ++side) {
        if (name.substr(i, words[side].size()) != words[side]) continue;
        result += words[1 - side];
        i += words[side].size();
        replaced = true;
      }
    }
    if (replaced) continue;
    result += is_side_letter(name, i) ? other_side(name[i]) : name[i];
    ++i;
  }
  return result;
}

NameSide name_side(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    for (const auto& words : side_words) {
      if (name.substr(i).starts_with(words[0])) return NameSide::left;
      if (name.substr(i).starts_with(words[1])) return NameSide::right;
    }
    if (is_side_letter(name, i)) {
      return name[i] == 'l' || name[i] == 'L' ? NameSide::left : NameSide::right;
    }
  }
  return NameSide::none;
}

BoneMirror mirror_bones(const Skeleton& skeleton, const Plane& plane, double tolerance) {
  if (!is_finite(plane.point) || !(std::fabs(length(plane.normal) - 1) < 1e-6)) {
    throw UsageError("a mirror plane has a point and a normal of unit length");
  }
  if (!(tolerance >= 0)) throw UsageError("the tolerance for bones is a number from 0 on");
  require_joints_of_bones(skeleton);
  const std::size_t count = skeleton.bones.size();
  std::vector<Vec3> ends;
  for (const Bone& bone : skeleton.bones) {
    ends.push_back(bone.head);
    ends.push_back(bone.tail);
  }
  Vec3 low, high;
  if (!ends.empty()) low = high = ends.front();
  for (const Vec3& p : ends) {
    low = component_min(low, p);
    high = component_max(high, p);
  }
  const double reach = tolerance * distance(low, high);

  std::vector<std::string> mirrored;
  for (std::size_t b = 0; b < count; ++b) mirrored.push_back(mirrored_name(name_of(skeleton, b)));

  const BoneIndexes indexes(skeleton, reach);
  BoneMirror result;
  result.partner.assign(count, -1);
  result.reversed.assign(count, false);
  const auto measured = [&](std::size_t a, std::size_t b) {
    const Vec3 head = reflect_point(plane, skeleton.bones[a].head);
    const Vec3 tail = reflect_point(plane, skeleton.bones[a].tail);
    const Bone& other = skeleton.bones[b];
    const double direct = std::max(distance(head, other.head), distance(tail, other.tail));
    const double crossed = std::max(distance(head, other.tail), distance(tail, other.head));
    const double least = std::min(direct, crossed);
    return Pair{static_cast<int>(a), static_cast<int>(b), least,
                least <= reach && crossed < direct};
  };
  // Two names without a side do not name a pair.
  const auto names_match = [&](std::size_t a, std::size_t b) {
    return a == b || mirrored[a] != name_of(skeleton, a);
  };
  // Pairs up what has no partner yet, the nearest first.
  const auto settle = [&](std::vector<Pair>& pairs) {
    std::sort(pairs.begin(), pairs.end(), [](const Pair& p, const Pair& q) {
      return std::tuple(p.distance, p.a, p.b) < std::tuple(q.distance, q.a, q.b);
    });
    for (const Pair& pair : pairs) {
      if (result.partner[pair.a] != -1 || result.partner[pair.b] != -1) continue;
      result.partner[pair.a] = pair.b;
      result.partner[pair.b] = pair.a;
      result.reversed[pair.a] = result.reversed[pair.b] = pair.reversed;
    }
    pairs.clear();
  };

  // First those that are named so and near each other, then those that are near, of which there may
  // be many, and then those that are named so.
  std::vector<Pair> pairs, far;
  for (std::size_t a = 0; a < count; ++a) {
    for (const std::size_t b : indexes.named(mirrored[a], a)) {
      if (!names_match(a, b)) continue;
      const Pair pair = measured(a, b);
      if (pair.distance <= reach) {
        pairs.push_back(pair);
      } else if (a != b) {
        far.push_back(pair);
      }
    }
  }
  settle(pairs);
  for (std::size_t a = 0; a < count; ++a) {
    if (result.partner[a] != -1) continue;
    const Vec3 head = reflect_point(plane, skeleton.bones[a].head);
    const Vec3 tail = reflect_point(plane, skeleton.bones[a].tail);
    for (const std::size_t b : indexes.near(head, tail, a)) {
      if (result.partner[b] != -1) continue;
      const Pair pair = measured(a, b);
      if (pair.distance <= reach) pairs.push_back(pair);
    }
  }
  settle(pairs);
  settle(far);
  for (std::size_t b = 0; b < count; ++b) {
    if (result.partner[b] != -1) continue;
    result.partner[b] = static_cast<int>(b);
    result.unpaired.push_back(b);
  }
  return result;
}

}  // namespace sinew
