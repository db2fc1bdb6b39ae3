// SPDX-License-Identifier: Apache-2.0
// Which bones move a vertex is decided by tiny weights: they are those of the optimum. A function
// within the bounds is the optimum of a convex problem if and only if the energy's slope (Karush,
// Kuhn and Tucker) is 0 where it is between them and pushes against the bound where it is at one.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "sinew/samples/samples.h"
#include "sinew/weights/bbw.h"
#include "sinew/weights/detail/bbw_weights.h"
#include "tests/support/flat_shapes.h"
#include "tests/support/sanitized.h"
#include "tests/support/torture.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

// How far x is from being the optimum by its slopes, as steps of single unknowns.
double kkt_violation(std::span<const double> x, std::span<const double> slope,
                     std::span<const double> diagonal) {
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double step = slope[i] / diagonal[i];
    if (x[i] < 0 || x[i] > 1) worst = std::max(worst, x[i] < 0 ? -x[i] : x[i] - 1);
    if (x[i] > 0) worst = std::max(worst, step);
    if (x[i] < 1) worst = std::max(worst, -step);
  }
  return worst;
}

enum class Bound { none, low, high };

// Holds what left its bounds and lets go what its bound pulls at until neither is left, from
// roughly the solution on. `least(bounds)` has the least of the energy in the rest, and
// `slopes(x)` those of the energy.
template <class Least, class Slopes>
std::vector<double> settled(std::vector<double> x, std::span<const double> diagonal,
                            const Least& least, const Slopes& slopes) {
  constexpr double rounding = 1e-11;
  std::vector<Bound> bounds(x.size(), Bound::none);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] <= 1e-6) bounds[i] = Bound::low;
    if (x[i] >= 1 - 1e-6) bounds[i] = Bound::high;
  }
  for (int step = 0; step < 100; ++step) {
    x = least(bounds);
    const std::vector<double> slope = slopes(x);
    bool changed = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double pull = -slope[i] / diagonal[i];
      Bound now = bounds[i];
      if (now == Bound::none && x[i] < -rounding) now = Bound::low;
      if (now == Bound::none && x[i] > 1 + rounding) now = Bound::high;
      if (bounds[i] == Bound::low && pull > rounding) now = Bound::none;
      if (bounds[i] == Bound::high && pull < -rounding) now = Bound::none;
      changed = changed || now != bounds[i];
      bounds[i] = now;
    }
    if (!changed) break;
  }
  for (double& value : x) value = std::clamp(value, 0.0, 1.0);
  EXPECT_LT(kkt_violation(x, slopes(x), diagonal), 1e-9);
  return x;
}

// The influences of one vertex are those of its row of whole weights, and their weights too.
void expect_row(const Weights& weights, std::size_t vertex, std::vector<double> whole) {
  double sum = 0;
  for (const double w : whole) sum += w;
  for (double& w : whole) w = w > 1e-4 * sum ? w : 0;
  sum = 0;
  for (const double w : whole) sum += w;
  for (std::size_t b = 0; b < whole.size(); ++b) {
    const double weight = weight_of(weights, vertex, static_cast<int>(b));
    EXPECT_EQ(weight > 0, whole[b] > 0)
        << vertex << ", bone " << b << ": " << weight << " and " << whole[b] / sum;
    EXPECT_NEAR(weight, whole[b] / sum, 3e-5) << vertex << ", bone " << b;
  }
}

// The energy of squared Laplacians of linear functions, from each triangle's or tetrahedron's
// edges.
std::vector<double> independent_energy(const Mesh& mesh) {
  const std::size_t n = mesh.vertex_count();
  std::vector<double> k(n * n, 0.0), mass(n, 0.0), q(n * n, 0.0);
  for (const Triangle& t : mesh.triangles) {
    if (!mesh.tetrahedra.empty()) break;
    for (std::size_t c = 0; c < 3; ++c) {
      const Index i = t[(c + 1) % 3], j = t[(c + 2) % 3];
      const Vec3 a = mesh.positions[i] - mesh.positions[t[c]],
                 b = mesh.positions[j] - mesh.positions[t[c]];
      const double area = length(cross(a, b)) / 2, half = dot(a, b) / (4 * area);
      mass[t[c]] += area / 3;
      k[i * n + i] += half;
      k[j * n + j] += half;
      k[i * n + j] -= half;
      k[j * n + i] -= half;
    }
  }
  for (const Tetrahedron& t : mesh.tetrahedra) {
    const auto point = [&](std::size_t c) { return mesh.positions[t[c % 4]]; };
    const double six =
        std::fabs(dot(cross(point(1) - point(0), point(2) - point(0)), point(3) - point(0)));
    std::array<Vec3, 4> faces;  // twice the area of the face opposite to a corner, inwards
    for (std::size_t c = 0; c < 4; ++c) {
      faces[c] = cross(point(c + 2) - point(c + 1), point(c + 3) - point(c + 1));
      if (dot(faces[c], point(c) - point(c + 1)) < 0) faces[c] = -faces[c];
    }
    for (std::size_t i = 0; i < 4; ++i) {
      mass[t[i]] += six / 24;
      for (std::size_t j = 0; j < 4; ++j) k[t[i] * n + t[j]] += dot(faces[i], faces[j]) / (6 * six);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t m = 0; m < n; ++m) {
      if (k[i * n + m] == 0) continue;
      for (std::size_t j = 0; j < n; ++j) {
        q[i * n + j] += k[i * n + m] / mass[m] * k[m * n + j];
      }
    }
  }
  return q;
}

// With given values where `given` is not negative: one unknown after the other is put where the
// energy is least, over and over, and then who is at a bound is settled.
std::vector<double> independent_optimum(const std::vector<double>& q,
                                        const std::vector<double>& given) {
  const std::size_t n = given.size();
  std::vector<std::size_t> unknowns;
  for (std::size_t i = 0; i < n; ++i) {
    if (given[i] < 0) unknowns.push_back(i);
  }
  const std::size_t count = unknowns.size();
  std::vector<double> h(count * count), b(count, 0.0), diagonal(count), x(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) h[i * count + j] = q[unknowns[i] * n + unknowns[j]];
    diagonal[i] = h[i * count + i];
    for (std::size_t j = 0; j < n; ++j) {
      if (given[j] > 0) b[i] -= q[unknowns[i] * n + j] * given[j];
    }
  }
  const auto slopes = [&](const std::vector<double>& at) {
    std::vector<double> slope(count);
    for (std::size_t i = 0; i < count; ++i) {
      slope[i] = -b[i];
      for (std::size_t j = 0; j < count; ++j) slope[i] += h[i * count + j] * at[j];
    }
    return slope;
  };
  for (int sweep = 0; sweep < 2000; ++sweep) {
    for (std::size_t i = 0; i < count; ++i) {
      double slope = -b[i];
      for (std::size_t j = 0; j < count; ++j) slope += h[i * count + j] * x[j];
      x[i] = std::clamp(x[i] - 1.7 * slope / diagonal[i], 0.0, 1.0);
    }
  }
  const auto least = [&](const std::vector<Bound>& bounds) {
    std::vector<double> a = h, y = b;
    for (std::size_t i = 0; i < count; ++i) {
      if (bounds[i] == Bound::none) continue;
      const double value = bounds[i] == Bound::high ? 1 : 0;
      for (std::size_t j = 0; j < count; ++j) {
        y[j] -= h[j * count + i] * value;
        a[i * count + j] = a[j * count + i] = 0;
      }
      a[i * count + i] = 1;
      y[i] = value;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (bounds[i] != Bound::none) y[i] = bounds[i] == Bound::high ? 1 : 0;
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t r = i + 1; r < count; ++r) {
        const double factor = a[r * count + i] / a[i * count + i];
        if (factor == 0) continue;
        for (std::size_t c = i; c < count; ++c) a[r * count + c] -= factor * a[i * count + c];
        y[r] -= factor * y[i];
      }
    }
    for (std::size_t i = count; i-- > 0;) {
      for (std::size_t c = i + 1; c < count; ++c) y[i] -= a[i * count + c] * y[c];
      y[i] /= a[i * count + i];
    }
    return y;
  };
  x = settled(x, diagonal, least, slopes);
  std::vector<double> all = given;
  for (std::size_t i = 0; i < count; ++i) all[unknowns[i]] = x[i];
  return all;
}

// A bar of n cubes of 0.1 along x and four across, each cut into six tetrahedra; y and z from -0.1
// to 0.1.
Mesh bar(Index n) {
  Mesh mesh;
  const auto at = [](Index x, Index y, Index z) { return (x * 3 + y) * 3 + z; };
  for (Index x = 0; x <= n; ++x) {
    for (Index i = 0; i < 9; ++i) {
      mesh.positions.push_back({0.1 * x, 0.1 * (i / 3) - 0.1, 0.1 * (i % 3) - 0.1});
    }
  }
  std::map<Triangle, Triangle> faces;  // those of one tetrahedron alone, by their sorted corners
  for (Index cube = 0; cube < 4 * n; ++cube) {
    std::array<int, 3> axes{0, 1, 2};
    do {
      std::array<Index, 3> place{cube / 4, cube / 2 % 2, cube % 2};
      Tetrahedron t{at(place[0], place[1], place[2])};
      for (std::size_t i = 0; i < 3; ++i) {
        ++place[axes[i]];
        t[i + 1] = at(place[0], place[1], place[2]);
      }
      mesh.tetrahedra.push_back(t);
      for (std::size_t c = 0; c < 4; ++c) {
        const Triangle face{t[(c + 1) % 4], t[(c + 2) % 4], t[(c + 3) % 4]};
        Triangle key = face;
        std::sort(key.begin(), key.end());
        if (!faces.emplace(key, face).second) faces.erase(key);
      }
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
  for (const auto& [key, face] : faces) mesh.triangles.push_back(face);
  return mesh;
}

// Compares the weights of all vertices with those of an optimum for which nothing of the solver's
// is used, neither its elements nor its methods. The bones run along the line y = height, z = 0,
// with their ends at vertices.
void expect_independent_optimum(const Mesh& mesh, const Skeleton& skeleton, double height) {
  const std::vector<double> q = independent_energy(mesh);
  const std::size_t n = mesh.vertex_count(), bones = skeleton.bones.size();
  std::vector<std::vector<double>> whole(n, std::vector<double>(bones));
  for (std::size_t b = 0; b < bones; ++b) {
    std::vector<double> given(n, -1.0);
    for (std::size_t v = 0; v < n; ++v) {
      const Vec3& p = mesh.positions[v];
      if (std::fabs(p.y - height) > 1e-9 || std::fabs(p.z) > 1e-9) continue;
      int on = 0, own = 0;
      for (std::size_t k = 0; k < bones; ++k) {
        const Bone& bone = skeleton.bones[k];
        if (p.x < bone.head.x - 1e-9 || p.x > bone.tail.x + 1e-9) continue;
        ++on;
        own += k == b ? 1 : 0;
      }
      if (on > 0) given[v] = double(own) / on;
    }
    const std::vector<double> optimum = independent_optimum(q, given);
    for (std::size_t v = 0; v < n; ++v) whole[v][b] = optimum[v];
  }
  const Weights weights = Bbw(mesh, skeleton).weights().weights;
  std::size_t single = 0;
  for (std::size_t v = 0; v < n; ++v) {
    expect_row(weights, v, whole[v]);
    single += weights.row(v).size() == 1 ? 1 : 0;
  }
  EXPECT_GT(single, 20u);
}

TEST(BbwOptimum, a_sheet_has_the_influences_of_an_independent_optimum) {
  const Torture t =
      torture("sheet", sheet(31, 7),
              chain({{0.3, 0.3, 0}, {0.8, 0.3, 0}, {1.4, 0.3, 0}, {2.0, 0.3, 0}, {2.6, 0.3, 0}}));
  expect_independent_optimum(t.mesh, t.skeleton, 0.3);
}

TEST(BbwOptimum, a_bar_has_the_influences_of_an_independent_optimum) {
  const Mesh mesh = bar(30);
  expect_independent_optimum(mesh, chain({{0.2, 0, 0}, {1.5, 0, 0}, {2.8, 0, 0}}), 0);
  expect_independent_optimum(mesh, chain({{0.2, 0, 0}, {1.0, 0, 0}, {2.0, 0, 0}, {2.8, 0, 0}}), 0);
}

// The optimum of the problem that the solver had, proven by its slopes.
std::vector<double> proven(const detail::BoundedProblem& p, std::size_t column,
                           std::vector<double> start) {
  const std::size_t n = start.size();
  std::vector<double> diagonal(n);
  for (std::size_t i = 0; i < n; ++i) diagonal[i] = p.energy.values[p.energy.starts[i]];
  const auto slopes = [&](const std::vector<double>& x) {
    std::vector<double> slope(n);
    detail::multiply(p.energy, x, 1, slope);
    for (std::size_t i = 0; i < n; ++i) slope[i] -= p.linear[i * p.count + column];
    return slope;
  };
  const auto least = [&](const std::vector<Bound>& bounds) {
    detail::SymmetricMatrix h;
    std::vector<double> x(n, 0.0), side;
    std::vector<int> place(n, -1);
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < n; ++i) {
      if (bounds[i] == Bound::high) x[i] = 1;
      if (bounds[i] == Bound::none) place[i] = h.size++;
    }
    const std::vector<double> slope = slopes(x);
    for (std::size_t c = 0; c < n; ++c) {
      if (place[c] < 0) continue;
      side.push_back(-slope[c]);
      points.push_back(p.points[c]);
      for (std::size_t k = p.energy.starts[c]; k < p.energy.starts[c + 1]; ++k) {
        if (place[p.energy.rows[k]] < 0) continue;
        h.rows.push_back(place[p.energy.rows[k]]);
        h.values.push_back(p.energy.values[k]);
      }
      h.starts.push_back(h.rows.size());
    }
    detail::SparseCholesky(h, points).solve(side, 1);
    for (std::size_t i = 0; i < n; ++i) {
      if (place[i] >= 0) x[i] = side[place[i]];
    }
    return x;
  };
  return settled(std::move(start), diagonal, least, slopes);
}

// Compares the weights of all vertices with the optimum in the lattice, and counts the influences
// that the splitting alone gets wrong.
std::size_t expect_optimum(const Rig& rig, std::size_t nodes) {
  const detail::BoneDomain d = detail::bone_domain(rig.mesh, rig.skeleton, nodes, {});
  const std::size_t bones = rig.skeleton.bones.size();
  std::vector<std::vector<double>> of_nodes(d.domain.points.size(), std::vector<double>(bones));
  std::size_t wrong = 0;
  for (const auto& [piece, columns, targets] : detail::weight_pieces(d)) {
    const std::size_t width = columns.size();
    const detail::HeldProblem held = detail::held_problem(d.domain, piece, width, targets, {});
    const detail::BoundedSolution rough = detail::solve_bounded(
        held.bounded, {.iterations = 400, .tolerance = 1e-3, .active_set_steps = 0}, {});
    for (std::size_t j = 0; j < width; ++j) {
      std::vector<double> start(held.bounded.points.size());
      for (std::size_t i = 0; i < start.size(); ++i) start[i] = rough.x[i * width + j];
      const std::vector<double> x = proven(held.bounded, j, start);
      for (std::size_t i = 0; i < x.size(); ++i) wrong += (start[i] > 1e-4) != (x[i] > 1e-4);
      for (std::size_t k = 0; k < piece.nodes.size(); ++k) {
        const int row = held.unknown[k];
        of_nodes[piece.nodes[k]][columns[j]] = row < 0 ? held.values[k * width + j] : x[row];
      }
    }
  }
  const Weights weights = Bbw(rig.mesh, rig.skeleton, {.lattice_nodes = nodes}).weights().weights;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    std::vector<double> whole(bones, 0.0);
    for (const detail::Term& term : d.domain.vertices[d.node_vertex[v]]) {
      for (std::size_t b = 0; b < bones; ++b) whole[b] += term.share * of_nodes[term.node][b];
    }
    for (double& w : whole) w = std::clamp(w, 0.0, 1.0);
    expect_row(weights, v, whole);
  }
  return wrong;
}

TEST(BbwOptimum, samples_have_the_influences_of_the_optimum_at_every_vertex) {
  if (sanitized) GTEST_SKIP() << "it is about numbers; smaller ones look at the memory";
  for (const char* name : {"tube3", "arm", "giraffe"}) {
    EXPECT_GT(expect_optimum(make_sample(name, 2000), 1500), 50u) << name;
  }
  EXPECT_GT(expect_optimum(make_sample("mannequin", 3000), 6000), 1000u);
}

}  // namespace
}  // namespace sinew
