// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/detail/influences.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/core/parallel.h"

namespace sinew::baking {
namespace {

// Rows with more candidates are first cut to the largest weights.
constexpr std::size_t most_candidates = 24;

// Solves A x = b for a symmetric positive definite A of n rows, which is overwritten, as is b by x.
void solve(std::vector<double>& a, std::span<double> b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) a[j * n + j] -= a[j * n + k] * a[j * n + k];
    a[j * n + j] = std::sqrt(a[j * n + j]);
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) a[i * n + j] -= a[i * n + k] * a[j * n + k];
      a[i * n + j] /= a[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k * n + i] * b[k];
    b[i] /= a[i * n + i];
  }
}

// For weights w that sum to 1, the squared distance from the true position, summed over the
// targets, is w^T G w, where G has the dot products of the single bones' offsets from it.
class Vertex {
 public:
  Vertex(std::size_t vertex, std::vector<Influence> row, std::span<const Target> targets)
      : row_(std::move(row)), products_(row_.size() * row_.size(), 0) {
    const std::size_t n = row_.size();
    std::vector<Vec3> off(n);
    for (const Target& target : targets) {
      if (target.is_extra) continue;
      for (std::size_t i = 0; i < n; ++i) {
        const Affine& motion = target.palette[row_[i].bone];
        off[i] = transform_point(motion, (*target.rest)[vertex]) - target.truth[vertex];
      }
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j) products_[i * n + j] += dot(off[i], off[j]);
      }
    }
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) products_[i * n + j] = product(j, i);
      largest = std::max(largest, product(i, i));
      best_.kept.push_back(i);
      best_.weights.push_back(row_[i].weight);
    }
    pull_ = largest > 0 ? faint * largest : 1;
  }

  // Removes the influence without which the vertex stays nearest to the true position, after
  // recomputing the other weights.
  void drop_one() {
    Fit best;
    best.error = std::numeric_limits<double>::infinity();
    for (std::size_t left_out = 0; left_out < best_.kept.size(); ++left_out) {
      Fit fit = refined(handed_on(left_out));
      if (fit.error < best.error) best = std::move(fit);
    }
    best_ = best.kept.empty() ? without_lightest() : std::move(best);
  }

  std::vector<Influence> row() const {
    std::vector<Influence> row;
    for (std::size_t i = 0; i < best_.kept.size(); ++i) {
      row.push_back({row_[best_.kept[i]].bone, best_.weights[i]});
    }
    return row;
  }

  std::size_t size() const { return best_.kept.size(); }

 private:
  struct Fit {
    std::vector<std::size_t> kept;
    std::vector<double> weights;
    double error = 0;
  };

  // Weights that the poses do not determine stay near their previous values.
  static constexpr double faint = 1e-5;

  double product(std::size_t i, std::size_t j) const { return products_[i * row_.size() + j]; }

  // For extreme poses whose errors are not finite.
  Fit without_lightest() const {
    Fit rest = best_;
    const auto at =
        std::min_element(rest.weights.begin(), rest.weights.end()) - rest.weights.begin();
    rest.kept.erase(rest.kept.begin() + at);
    rest.weights.erase(rest.weights.begin() + at);
    return rest;
  }

  double error_of(const Fit& fit) const {
    double error = 0;
    for (std::size_t i = 0; i < fit.kept.size(); ++i) {
      for (std::size_t j = 0; j < fit.kept.size(); ++j) {
        error += fit.weights[i] * fit.weights[j] * product(fit.kept[i], fit.kept[j]);
      }
    }
    return error;
  }

  // Without one of them: its weight goes to one other or is shared among all, whichever is nearest
  // to the true position.
  Fit handed_on(std::size_t left_out) const {
    Fit rest = best_;
    const double weight = rest.weights[left_out];
    const auto at = static_cast<std::ptrdiff_t>(left_out);
    rest.kept.erase(rest.kept.begin() + at);
    rest.weights.erase(rest.weights.begin() + at);
    Fit best;
    best.error = std::numeric_limits<double>::infinity();
    const auto consider = [&](Fit fit) {
      fit.error = error_of(fit);
      if (best.kept.empty() || fit.error < best.error) best = std::move(fit);
    };
    for (std::size_t heir = 0; heir < rest.kept.size(); ++heir) {
      Fit fit = rest;
      fit.weights[heir] += weight;
      consider(std::move(fit));
    }
    if (weight < 1) {
      for (double& w : rest.weights) w /= 1 - weight;
      consider(std::move(rest));
    }
    return best;
  }

  // Minimises w^T G w + pull |w - before|^2 subject to sum 1. Weights that would be negative are
  // dropped.
  Fit refined(Fit fit) const {
    while (true) {
      const std::size_t n = fit.kept.size();
      std::vector<double> a(n * n), ones(n, 1), change(n, 0);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          a[i * n + j] = product(fit.kept[i], fit.kept[j]);
          change[i] -= a[i * n + j] * fit.weights[j];
        }
        a[i * n + i] += pull_;
      }
      std::vector<double> copy = a;
      solve(a, change);
      solve(copy, ones);
      double sum = 0, sum_of_ones = 0, before = 0;
      for (std::size_t i = 0; i < n; ++i) {
        sum += change[i];
        sum_of_ones += ones[i];
        before += fit.weights[i];
      }
      Fit next = fit;
      for (std::size_t i = 0; i < n; ++i) {
        next.weights[i] += change[i] + ones[i] * (1 - before - sum) / sum_of_ones;
      }
      const auto least = std::min_element(next.weights.begin(), next.weights.end());
      if (!(*least < 0) || n == 1) {
        next.error = error_of(next);
        return next;
      }
      const auto at = least - next.weights.begin();
      fit.kept.erase(fit.kept.begin() + at);
      fit.weights.erase(fit.weights.begin() + at);
    }
  }

  std::vector<Influence> row_;
  std::vector<double> products_;
  double pull_ = 0;
  Fit best_;
};

// The largest weights of a row, in their order, scaled to sum 1.
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
