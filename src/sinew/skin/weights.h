// SPDX-License-Identifier: Apache-2.0
// Bone weights: a sparse matrix, one row per vertex, any number of bones in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// What share of a vertex follows a bone.
struct Influence {
  int bone = 0;
  double weight = 0;
  friend bool operator==(const Influence&, const Influence&) = default;
};

// Row v is influences[offsets[v]] to influences[offsets[v + 1] - 1]. Offsets begin with 0, never
// fall, and end with the number of influences: push_row() keeps them so, validate() says whether
// they are. What takes weights and says nothing of validate() relies on it.
struct Weights {
  std::vector<std::size_t> offsets{0};
  std::vector<Influence> influences;

  // How many rows there are.
  std::size_t vertex_count() const { return offsets.size() - 1; }
  // `vertex` must be below vertex_count().
  std::span<const Influence> row(std::size_t vertex) const {
    return std::span(influences).subspan(offsets[vertex], offsets[vertex + 1] - offsets[vertex]);
  }
  void push_row(std::span<const Influence> row);

  friend bool operator==(const Weights&, const Weights&) = default;
};

// Throws InputError naming the first vertex that breaks a rule: one row per vertex, offsets that
// fit the influences, bones below `bone_count`, weights that are finite and not below 0.
void validate(const Weights& weights, std::size_t vertex_count, std::size_t bone_count);

// The same for numbers that run parallel to the influences: as many of them, or none, and all in
// [0, 1]. `name` is what a message calls one of them. The weights themselves must be valid.
void validate_endpoints(const Weights& weights, std::span<const double> endpoints,
                        const char* name);

// One more than the highest bone that has an influence; 0 without any.
std::size_t bones_used(const Weights& weights);

// The bone with the largest weight above 0, of equal ones the lowest; -1 if there is none.
int dominant_bone(std::span<const Influence> row);

// Dense, row-major, vertices x bones; zeros are left out. Throws UsageError for a number of values
// that is not a multiple of `bone_count`, and for weights of a bone that is not below it.
Weights weights_from_dense(std::span<const double> dense, std::size_t bone_count);
std::vector<double> to_dense(const Weights& weights, std::size_t bone_count);

// Scales each row to sum 1; rows without weight stay empty.
void normalize(Weights& weights);

// How well the weights cover the mesh, as `sinew info` reports it.
struct WeightSummary {
  std::size_t vertices = 0;
  std::size_t uncovered = 0;       // no influence with a weight above 0
  std::size_t not_normalized = 0;  // covered, but the sum is off 1 by more than 1e-4
  std::size_t max_influences = 0;  // with a weight above 0
  double mean_influences = 0;
};
WeightSummary summarize(const Weights& weights);

}  // namespace sinew
