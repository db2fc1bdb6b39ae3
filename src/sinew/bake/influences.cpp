// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/influences.h"

#include <algorithm>
#include <limits>

#include "sinew/core/parallel.h"

namespace sinew::baking {
namespace {

constexpr std::size_t all_others = std::numeric_limits<std::size_t>::max();

// More candidates than this are cut to the heaviest before errors are asked.
constexpr std::size_t most_candidates = 24;

// The squared distance from the truth, summed over the targets, is w^T G w for weights that sum
// to 1, with G the products of the single bones' distances from it.
class Vertex {
 public:
  Vertex(std::size_t vertex, std::vector<Influence> row, std::span<const Target> targets)
      : row_(std::move(row)), products_(row_.size() * row_.size(), 0) {
    const std::size_t n = row_.size();
    std::vector<Vec3> off(n);
    for (const Target& target : targets) {
      if (target.is_extra) continue;
      for (std::size_t i = 0; i < n; ++i) {
        const Affine& motion = target.palette[static_cast<std::size_t>(row_[i].bone)];
        off[i] = transform_point(motion, target.rest[vertex]) - target.truth[vertex];
      }
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j) products_[i * n + j] += dot(off[i], off[j]);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) products_[i * n + j] = product(j, i);
    }
    for (std::size_t i = 0; i < n; ++i) kept_.push_back(i);
  }

  void drop_one() {
    std::vector<double> slope(row_.size(), 0);  // G w
    double now = 0;
    for (const std::size_t i : kept_) {
      for (const std::size_t j : kept_) slope[i] += product(i, j) * row_[j].weight;
      now += row_[i].weight * slope[i];
    }
    double least = std::numeric_limits<double>::infinity();
    std::size_t dropped = kept_.front(), heir = kept_.back();
    const auto consider = [&](std::size_t from, std::size_t to, double error) {
      if (!(error < least)) return;
      least = error;
      dropped = from;
      heir = to;
    };
    for (const std::size_t i : kept_) {
      const double w = row_[i].weight;
      const double without = now - 2 * w * slope[i] + w * w * product(i, i);
      if (w < 1) consider(i, all_others, without / ((1 - w) * (1 - w)));
      for (const std::size_t j : kept_) {
        if (j == i) continue;
        consider(i, j,
                 now + 2 * w * (slope[j] - slope[i]) +
                     w * w * (product(i, i) + product(j, j) - 2 * product(i, j)));
      }
    }
    const double weight = row_[dropped].weight;
    std::erase(kept_, dropped);
    if (heir != all_others) {
      row_[heir].weight += weight;
    } else {
      for (const std::size_t i : kept_) row_[i].weight /= 1 - weight;
    }
  }

  std::vector<Influence> row() const {
    std::vector<Influence> row;
    for (const std::size_t i : kept_) row.push_back(row_[i]);
    return row;
  }

  std::size_t size() const { return kept_.size(); }

 private:
  double product(std::size_t i, std::size_t j) const { return products_[i * row_.size() + j]; }

  std::vector<Influence> row_;
  std::vector<double> products_;
  std::vector<std::size_t> kept_;
};

// The heaviest of a row, in its order, scaled to sum 1.
std::vector<Influence> candidates_of(std::span<const Influence> row, std::size_t most) {
  std::vector<Influence> kept(row.begin(), row.end());
  if (kept.size() <= most) return kept;
  std::stable_sort(kept.begin(), kept.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  kept.resize(most);
  std::sort(kept.begin(), kept.end(),
            [](const Influence& a, const Influence& b) { return a.bone < b.bone; });
  double sum = 0;
  for (const Influence& influence : kept) sum += influence.weight;
  for (Influence& influence : kept) influence.weight /= sum;
  return kept;
}

}  // namespace

Weights limit_influences(const Weights& weights, std::size_t limit,
                         std::span<const Target> targets) {
  std::vector<std::vector<Influence>> rows(weights.vertex_count());
  parallel_for(rows.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const std::span<const Influence> row = weights.row(v);
      if (row.size() <= limit) {
        rows[v].assign(row.begin(), row.end());
        continue;
      }
      Vertex vertex(v, candidates_of(row, std::max(limit, most_candidates)), targets);
      while (vertex.size() > limit) vertex.drop_one();
      rows[v] = vertex.row();
    }
  });
  Weights result;
  for (const std::vector<Influence>& row : rows) result.push_row(row);
  normalize(result);
  return result;
}

}  // namespace sinew::baking
