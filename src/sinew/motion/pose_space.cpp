// SPDX-License-Identifier: Apache-2.0
#include "sinew/motion/pose_space.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/math.h"

namespace sinew {
namespace {

// Examples nearer to each other than this, in radians, are taken for one pose.
constexpr double least_distance = 1e-3;
// Of the largest pivot: below, the system says nothing.
constexpr double least_pivot = 1e-10;

double basis_at(double distance_squared, const std::optional<double>& radius) {
  if (!radius) return std::sqrt(distance_squared);
  return math::exp(-distance_squared / (*radius * *radius));
}

// Between two examples; no turns: rest.
double distance_squared(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  const std::size_t count = std::max(a.size(), b.size());
  for (std::size_t j = 0; j < count; ++j) {
    sum += length_squared((a.empty() ? Vec3{} : a[j]) - (b.empty() ? Vec3{} : b[j]));
  }
  return sum;
}

double eased(double weight) {
  const double w = std::clamp(weight, 0.0, 1.0);
  return w * w * (3 - 2 * w);
}

// Solves for `rights` right-hand sides at once, which are replaced by the solutions; rows of both
// are stored one after the other. False if the matrix is singular.
bool solve(std::vector<double>& matrix, std::vector<double>& sides, std::size_t size,
           std::size_t rights) {
  double largest = 0;
  for (std::size_t c = 0; c < size; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < size; ++r) {
      if (std::fabs(matrix[r * size + c]) > std::fabs(matrix[pivot * size + c])) pivot = r;
    }
    const double value = matrix[pivot * size + c];
    largest = std::max(largest, std::fabs(value));
    if (!(std::fabs(value) > least_pivot * largest)) return false;
    for (std::size_t k = 0; k < size; ++k)
      std::swap(matrix[pivot * size + k], matrix[c * size + k]);
    for (std::size_t k = 0; k < rights; ++k) {
      std::swap(sides[pivot * rights + k], sides[c * rights + k]);
    }
    for (std::size_t r = 0; r < size; ++r) {
      const double factor = r == c ? 0 : matrix[r * size + c] / value;
      if (factor == 0) continue;
      for (std::size_t k = c; k < size; ++k) matrix[r * size + k] -= factor * matrix[c * size + k];
      for (std::size_t k = 0; k < rights; ++k) {
        sides[r * rights + k] -= factor * sides[c * rights + k];
      }
    }
  }
  for (std::size_t r = 0; r < size; ++r) {
    for (std::size_t k = 0; k < rights; ++k) sides[r * rights + k] /= matrix[r * size + r];
  }
  return true;
}

void check(const PoseSpace& space, const Skeleton& skeleton, int shape_count,
           const std::string& place) {
  std::set<int> joints, shapes;
  for (const JointIndex joint : space.joints) {
    if (joint < 0 || std::size_t(joint) >= skeleton.joints.size()) {
      throw InputError(place, formatted("it reads joint {}, which does not exist", int(joint)));
    }
    if (!joints.insert(joint).second) {
      throw InputError(place, formatted("it names {} twice", describe_joint(skeleton, joint)));
    }
  }
  if (joints.empty()) throw InputError(place, "it has no joint to follow");
  if (space.examples.empty()) throw InputError(place, "it has no example");
  if (space.examples.size() > most_examples) {
    throw InputError(place, formatted("it has {} examples, but {} are the most",
                                      space.examples.size(), most_examples));
  }
  if (space.radius && !(*space.radius > 0 && std::isfinite(*space.radius))) {
    throw InputError(place, "its radius must be above 0");
  }
  for (std::size_t e = 0; e < space.examples.size(); ++e) {
    const PoseExample& example = space.examples[e];
    if (example.turns.size() != space.joints.size()) {
      throw InputError(place, formatted("example {} has {} turns for {} joints", e,
                                        example.turns.size(), space.joints.size()));
    }
    for (const Vec3& turn : example.turns) {
      if (!is_finite(turn))
        throw InputError(place, formatted("example {} has a turn that is not finite", e));
    }
    if (example.shapes.empty()) throw InputError(place, formatted("example {} has no shape", e));
    for (const int shape : example.shapes) {
      if (shape < 0 || shape >= shape_count) {
        throw InputError(
            place, formatted("example {} has shape {}, but there are {}", e, shape, shape_count));
      }
      if (!shapes.insert(shape).second) {
        throw InputError(place, formatted("shape {} belongs to two examples", shape));
      }
    }
  }
  for (std::size_t a = 0; a < space.examples.size(); ++a) {
    const std::vector<Vec3>& turns = space.examples[a].turns;
    if (distance_squared(turns, {}) < least_distance * least_distance) {
      throw InputError(place, formatted("the joints of example {} are as at rest", a));
    }
    for (std::size_t b = 0; b < a; ++b) {
      if (distance_squared(turns, space.examples[b].turns) >= least_distance * least_distance) {
        continue;
      }
      throw InputError(place, formatted("examples {} and {} have the same pose", b, a));
    }
  }
}

}  // namespace

Vec3 turn_from_rest(const Transform& rest, const Transform& posed) {
  Quat turned = conjugate(rest.rotation) * posed.rotation;
  if (turned.w < 0) turned = -turned;
  const Vec3 v = turned.vector();
  const double sine = length(v);
  return sine > 0 ? v * (2 * math::atan2(sine, turned.w) / sine) : Vec3{};
}

PoseWeights::PoseWeights(PoseSpace space, const Skeleton& skeleton, int shape_count,
                         const std::string& place)
    : space_(std::move(space)) {
  check(space_, skeleton, shape_count, place);
  // Rest, then the examples. With the basis functions d, the constant is one more unknown, and the
  // factors of the others sum to 0 (Micchelli 1986: this has one solution for distinct centres).
  const std::size_t examples = space_.examples.size(), centers = examples + 1;
  const std::size_t size = space_.radius ? centers : centers + 1;
  const std::vector<Vec3> rest;
  const auto turns = [&](std::size_t c) -> const std::vector<Vec3>& {
    return c == 0 ? rest : space_.examples[c - 1].turns;
  };
  std::vector<double> matrix(size * size, 1.0);
  factors_.assign((centers + 1) * examples, 0.0);
  std::vector<double> sides(size * examples, 0.0);
  for (std::size_t r = 0; r < centers; ++r) {
    for (std::size_t c = 0; c < centers; ++c) {
      matrix[r * size + c] = basis_at(distance_squared(turns(r), turns(c)), space_.radius);
    }
    if (r > 0) sides[r * examples + r - 1] = 1;
  }
  if (!space_.radius) matrix.back() = 0;
  if (!solve(matrix, sides, size, examples)) {
    throw InputError(place, space_.radius
                                ? "its examples are too close to each other for its radius"
                                : "its examples are too close to each other");
  }
  std::copy(sides.begin(), sides.end(), factors_.begin());
}

double PoseWeights::basis(const Skeleton& skeleton, const Pose& pose, std::size_t center) const {
  double sum = 0;
  for (std::size_t j = 0; j < space_.joints.size(); ++j) {
    const JointIndex joint = space_.joints[j];
    const Vec3 turn = turn_from_rest(skeleton.joints[joint].rest, pose.joints[joint]);
    sum += length_squared(center == 0 ? turn : turn - space_.examples[center - 1].turns[j]);
  }
  return basis_at(sum, space_.radius);
}

void PoseWeights::apply(const Skeleton& skeleton, Pose& pose) const {
  // The first shape of each example holds its sum on the way.
  const std::vector<PoseExample>& examples = space_.examples;
  const std::size_t count = examples.size();
  for (std::size_t e = 0; e < count; ++e) {
    pose.shapes[examples[e].shapes.front()] = factors_[(count + 1) * count + e];
  }
  for (std::size_t c = 0; c <= count; ++c) {
    const double value = basis(skeleton, pose, c);
    for (std::size_t e = 0; e < count; ++e) {
      pose.shapes[examples[e].shapes.front()] += factors_[c * count + e] * value;
    }
  }
  for (const PoseExample& example : examples) {
    const double weight = eased(pose.shapes[example.shapes.front()]);
    for (const int shape : example.shapes) pose.shapes[shape] = weight;
  }
}

}  // namespace sinew
