// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/detail/sample_weights.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew::samples {
namespace {

constexpr std::size_t most_influences = 6;
constexpr double least_weight = 1e-3;

// 1 at 0, smoothly down to 0 at 1 and beyond.
double fade(double t) {
  const double left = std::max(1 - t, 0.0);
  return left * left;
}

void add(std::vector<Influence>& row, int bone, double weight) {
  for (Influence& influence : row) {
    if (influence.bone == bone) {
      influence.weight += weight;
      return;
    }
  }
  row.push_back({bone, weight});
}

class WeightField {
 public:
  WeightField(const Field& field, const Skeleton& skeleton)
      : field_(field), of_bone_(skeleton.bones.size()), related_(skeleton.bones.size()) {
    for (std::size_t i = 0; i < field.primitives().size(); ++i) {
      const Primitive& primitive = field.primitives()[i];
      of_bone_[primitive.bone].push_back(i);
      spread_.push_back(primitive.spread * 0.5 * (primitive.radius_a + primitive.radius_b));
    }
    for (std::size_t bone = 0; bone < skeleton.bones.size(); ++bone) {
      related_[bone].push_back(bone);
      int above = skeleton.joints[bone].parent;
      for (int steps = 0; steps < 2 && above != no_joint; ++steps) {
        const std::size_t ancestor = above;
        related_[bone].push_back(ancestor);
        related_[ancestor].push_back(bone);
        above = skeleton.joints[ancestor].parent;
      }
    }
  }

  // The weights at p, of all bones that have any.
  void weights_at(const Vec3& p, std::vector<Influence>& out) {
    // Whose the point is, decided narrowly by the primitives that make the surface there...
    field_.shares(p, shares_);
    owners_.clear();
    for (const Share& share : shares_) {
      add(owners_, field_.primitives()[share.primitive].bone, share.share);
    }
    // ... and each owner shares it widely with its relatives.
    out.clear();
    for (const Influence& owner : owners_) {
      const std::vector<std::size_t>& family = related_[owner.bone];
      claims_.assign(family.size(), {});
      double nearest = 1e300, width = 0, total = 0;
      for (std::size_t i = 0; i < family.size(); ++i) {
        claims_[i] = claim(family[i], p);
        nearest = std::min(nearest, claims_[i].distance);
      }
      // One width for the whole family at this place, so that no order of bones shows in it.
      for (const Claim& c : claims_) {
        const double weight = c.spread > 0 ? fade((c.distance - nearest) / (2 * c.spread)) : 0;
        width += weight * c.spread;
        total += weight;
      }
      if (!(total > 0)) {
        add(out, owner.bone, owner.weight);
        continue;
      }
      width /= total;
      total = 0;
      for (const Claim& c : claims_) total += fade((c.distance - nearest) / width);
      for (std::size_t i = 0; i < family.size(); ++i) {
        const double weight = fade((claims_[i].distance - nearest) / width) / total;
        if (weight > 0) add(out, static_cast<int>(family[i]), weight * owner.weight);
      }
    }
  }

 private:
  struct Claim {
    double distance = 1e300;
    double spread = 0;
  };

  Claim claim(std::size_t bone, const Vec3& p) const {
    Claim best;
    for (const std::size_t i : of_bone_[bone]) {
      const double distance = field_.cones()[i].claim(p);
      if (distance < best.distance) best = {distance, spread_[i]};
    }
    return best;
  }

  const Field& field_;
  std::vector<std::vector<std::size_t>> of_bone_;
  std::vector<std::vector<std::size_t>> related_;
  std::vector<double> spread_;
  std::vector<Share> shares_;
  std::vector<Influence> owners_;
  std::vector<Claim> claims_;
};

// The strongest few, in bone order, summing to 1.
void tidy(std::vector<Influence>& row) {
  std::sort(row.begin(), row.end(), [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.bone < b.bone;
  });
  if (row.size() > most_influences) row.resize(most_influences);
  while (row.size() > 1 && row.back().weight < least_weight) row.pop_back();
  double sum = 0;
  for (const Influence& influence : row) sum += influence.weight;
  for (Influence& influence : row) influence.weight /= sum;
  std::sort(row.begin(), row.end(),
            [](const Influence& a, const Influence& b) { return a.bone < b.bone; });
}

// In the mirror plane both sides pull alike.
void balance(std::vector<Influence>& row, const std::vector<int>& mirror_images) {
  const std::vector<Influence> one_sided = row;
  for (Influence& influence : row) influence.weight /= 2;
  for (const Influence& influence : one_sided) {
    const int image = mirror_images[influence.bone];
    add(row, image, influence.weight / 2);
  }
}

double place_along(const Bone& bone, const Vec3& p) {
  const Vec3 along = bone.tail - bone.head;
  return std::clamp(dot(p - bone.head, along) / length_squared(along), 0.0, 1.0);
}

}  // namespace

void weights_by_flesh(const Field& field, const std::vector<int>& mirror_images, Rig& rig) {
  const std::vector<Vec3>& positions = rig.mesh.positions;
  std::vector<std::vector<Influence>> rows(positions.size());
  parallel_for(positions.size(), 1024, [&](std::size_t begin, std::size_t end) {
    WeightField flesh(field, rig.skeleton);
    std::vector<Influence> row;
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3& p = positions[v];
      const bool flip = !mirror_images.empty() && p.x < 0;
      flesh.weights_at(flip ? Vec3{-p.x, p.y, p.z} : p, row);
      if (!mirror_images.empty() && p.x == 0) balance(row, mirror_images);
      if (flip) {
        for (Influence& i : row) i.bone = mirror_images[i.bone];
      }
      tidy(row);
      rows[v] = row;
    }
  });
  rig.skin.weights = {};
  rig.skin.endpoints.clear();
  for (std::size_t v = 0; v < positions.size(); ++v) {
    rig.skin.weights.push_row(rows[v]);
    for (const Influence& influence : rows[v]) {
      const Bone& bone = rig.skeleton.bones[influence.bone];
      rig.skin.endpoints.push_back(place_along(bone, positions[v]));
    }
  }
}

}  // namespace sinew::samples
