// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/body_lattice.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/core/parallel.h"

namespace sinew::detail {
namespace {

Vec3 offset_of(std::size_t corner) {
  return {static_cast<double>(corner & 1), static_cast<double>(corner >> 1 & 1),
          static_cast<double>(corner >> 2 & 1)};
}

// Of a unit cube with trilinear functions.
std::array<double, 64> unit_stiffness() {
  const auto mass = [](bool same) { return same ? 1.0 / 3 : 1.0 / 6; };
  const auto stiff = [](bool same) { return same ? 1.0 : -1.0; };
  std::array<double, 64> matrix{};
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      const std::size_t differ = i ^ j;
      const bool x = (differ & 1) == 0, y = (differ & 2) == 0, z = (differ & 4) == 0;
      matrix[i * 8 + j] = stiff(x) * mass(y) * mass(z) + mass(x) * stiff(y) * mass(z) +
                          mass(x) * mass(y) * stiff(z);
    }
  }
  return matrix;
}

bool contains(const Box& box, const Vec3& p) {
  return p.x >= box.low.x && p.y >= box.low.y && p.z >= box.low.z && p.x <= box.high.x &&
         p.y <= box.high.y && p.z <= box.high.z;
}

// To the first `count` of the terms, or as one more.
void add_term(std::span<Term> terms, std::size_t& count, int node, double share) {
  for (Term& term : terms.first(count)) {
    if (term.node != node) continue;
    term.share += share;
    return;
  }
  terms[count++] = {node, share};
}

}  // namespace

Interior::Interior(const std::vector<Vec3>& positions, const std::vector<Triangle>& triangles)
    : winding_(positions, triangles) {
  const Box& box = bvh().nodes()[0].box;
  extent_ = distance(box.low, box.high);
  normals_.resize(triangles.size());
  parallel_for(triangles.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Triangle& t = triangles[i];
      normals_[i] =
          normalized(cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]));
    }
  });
}

bool Interior::is_open(const Vec3& from, const Vec3& to, double start, Index below) const {
  const Ray ray{from, to - from};
  double winding = start, t = 0;
  // With more walls than this between two neighbours, the connection counts as closed.
  for (int walls = 0; walls < 16; ++walls) {
    const auto hit = bvh().first_hit(ray, t, 1, below);
    if (!hit) return true;
    winding += dot(ray.direction, normals_[hit->triangle]) > 0 ? -1 : 1;
    if (winding < 0.5) return false;
    t = std::nextafter(hit->t, 2.0) + 1e-9;
  }
  return true;
}

double Interior::thickness(const Vec3& point, const Vec3& normal) const {
  // A single ray would be short near every crease; the median of several is not.
  const Vec3 side =
      normalized(std::abs(normal.x) < 0.6 ? cross(normal, {1, 0, 0}) : cross(normal, {0, 1, 0}));
  const Vec3 other = cross(normal, side);
  const Vec3 from = point - normal * (1e-6 * extent_);
  std::array<double, 7> ways;  // ascending
  ways.fill(extent_);
  constexpr std::size_t middle = ways.size() / 2;
  // Cosines and sines of multiples of 60 degrees, with their rounding: on symmetric shapes rays go
  // along edges, where it decides. The last ray goes straight on.
  constexpr std::array<std::array<double, 2>, 7> ways_around{
      {{1, 0},
       {0.50000000000000011, 0.8660254037844386},
       {-0.49999999999999978, 0.86602540378443871},
       {-1, 1.2246467991473532e-16},
       {-0.50000000000000044, -0.86602540378443837},
       {0.49999999999999933, -0.86602540378443904},
       {}}};
  for (const auto& [cosine, sine] : ways_around) {
    const Vec3 direction = normalized((side * cosine + other * sine) * 0.5 - normal);
    // What is longer than the median so far does not change it.
    const auto hit = bvh().first_hit({from, direction}, 0, ways[middle]);
    if (!hit) continue;
    const auto place = std::upper_bound(ways.begin(), ways.end() - 1, hit->t);
    std::copy_backward(place, ways.end() - 1, ways.end());
    *place = hit->t;
  }
  return ways[middle];
}

BodyLattice::BodyLattice(const Interior& interior, Octree octree,
                         std::span<const SurfaceSample> surface)
    : interior_(interior), octree_(std::move(octree)) {
  classify(surface);
  make_copies();
  join_neighbours();
}

void BodyLattice::classify(std::span<const SurfaceSample> surface) {
  const auto leaves = octree_.leaves();
  cubes_.resize(leaves.size());
  parallel_for(leaves.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Cube& cube = cubes_[i];
      const double side = octree_.side(leaves[i]);
      const Vec3 corner = octree_.corner(leaves[i]);
      const Vec3 center = corner + Vec3{side, side, side} * 0.5;
      cube.mixed = interior_.bvh().closest(center, side * 0.8661).has_value();
      if (cube.mixed) cube.below = interior_.bvh().node_around(beside(leaves[i]));
      const bool inside = !cube.mixed && interior_.contains(center);
      for (std::size_t part = 0; part < 8; ++part) {
        cube.point[part] = corner + (offset_of(part) * 0.5 + Vec3{0.25, 0.25, 0.25}) * side;
        cube.inside[part] = cube.mixed ? interior_.contains(cube.point[part]) : inside;
      }
      cube.copy.fill(none);
    }
  });
  // A sheet, or a part too thin for the cubes: they are kept where the surface is, unless one
  // beside them can carry it.
  parts_.resize(surface.size());
  parallel_for(surface.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      parts_[i] = nearest_part(surface[i].point, inward(surface[i]));
    }
  });
  for (std::size_t i = 0; i < surface.size(); ++i) {
    if (parts_[i].seen) continue;
    const SurfaceSample& sample = surface[i];
    const std::size_t leaf = at(octree_.leaf_at(sample.point));
    Cube& cube = cubes_[leaf];
    const double side = octree_.side(leaves[leaf]);
    const Vec3 place = (sample.point - octree_.corner(leaves[leaf])) / side;
    const std::size_t part =
        (place.x >= 0.5 ? 1u : 0u) | (place.y >= 0.5 ? 2u : 0u) | (place.z >= 0.5 ? 4u : 0u);
    if (cube.inside[part]) continue;
    cube.inside[part] = true;
    cube.point[part] = inward(sample);
  }
}

void BodyLattice::make_copies() {
  // Which parts of each cube hang together, the lowest standing for all.
  std::vector<std::array<std::size_t, 8>> groups(cubes_.size());
  parallel_for(cubes_.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Cube& cube = cubes_[i];
      auto& group = groups[i];
      std::iota(group.begin(), group.end(), std::size_t{0});
      for (std::size_t a = 0; a < 8; ++a) {
        for (std::size_t axis = 1; axis < 8; axis <<= 1) {
          const std::size_t b = a ^ axis;
          if (b < a || !cube.inside[a] || !cube.inside[b] || group[a] == group[b]) continue;
          if (cube.mixed && !interior_.is_open(cube.point[a], cube.point[b], 1)) continue;
          const auto [low, high] = std::minmax(group[a], group[b]);
          std::replace(group.begin(), group.end(), std::size_t{high}, std::size_t{low});
        }
      }
    }
  });
  for (std::size_t i = 0; i < cubes_.size(); ++i) {
    Cube& cube = cubes_[i];
    for (std::size_t part = 0; part < 8; ++part) {
      if (!cube.inside[part]) continue;
      const std::size_t first = groups[i][part];
      if (first == part) {
        cube.copy[part] = static_cast<int>(copies_.size());
        copies_.push_back({static_cast<int>(i), 0, {}});
      } else {
        cube.copy[part] = cube.copy[first];
      }
      ++copies_[cube.copy[part]].parts;
    }
  }
  slots_ = DisjointSets(8 * copies_.size());
}

void BodyLattice::join_neighbours() {
  const auto leaves = octree_.leaves();
  struct Link {
    int from, to;
    std::size_t axis;
    bool up, same_size;
  };
  // Found block by block, in parallel, and carried out in order.
  constexpr std::size_t block = 64;
  std::vector<std::vector<Link>> links((cubes_.size() + block - 1) / block);
  parallel_for(cubes_.size(), block, [&](std::size_t begin, std::size_t end) {
    std::vector<Link>& found = links[begin / block];
    for (std::size_t i = begin; i < end; ++i) {
      const Cube& cube = cubes_[i];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const bool up : {false, true}) {
          OctreeCell beside = leaves[i];
          beside.place[axis] += up ? 1 : -1;
          const int other = octree_.leaf_around(beside);
          if (other == none) continue;  // the smaller ones beside it join it
          const bool same_size = leaves[other].level == leaves[i].level;
          if (same_size && !up) continue;
          const Cube& neighbour = cubes_[other];
          for (std::size_t part = 0; part < 8; ++part) {
            if ((part >> axis & 1) != (up ? 1u : 0u) || !cube.inside[part]) continue;
            std::size_t facing = part ^ (std::size_t{1} << axis);
            if (!same_size) {
              // Each part of the larger cube is as large as this whole cube.
              for (std::size_t a = 0; a < 3; ++a) {
                const std::size_t bit = std::size_t{1} << a;
                const bool high = a == axis ? !up : (leaves[i].place[a] & 1) != 0;
                facing = high ? facing | bit : facing & ~bit;
              }
            }
            if (!neighbour.inside[facing]) continue;
            const int from = cube.copy[part], to = neighbour.copy[facing];
            const bool known = std::any_of(found.begin(), found.end(), [&](const Link& link) {
              return link.from == from && link.to == to;
            });
            if (known) continue;
            if ((cube.mixed || neighbour.mixed) &&
                !interior_.is_open(cube.point[part], neighbour.point[facing], 1)) {
              continue;
            }
            found.push_back({from, to, axis, up, same_size});
          }
        }
      }
    }
  });
  for (const std::vector<Link>& some : links) {
    for (const Link& link : some) {
      if (link.same_size) join(link.from, link.to, link.axis, link.up);
    }
  }
  for (const std::vector<Link>& some : links) {
    for (const Link& link : some) {
      if (!link.same_size) hang(link.from, link.to, link.axis, link.up);
    }
  }
}

void BodyLattice::join(int a, int b, std::size_t axis, bool up) {
  const std::size_t bit = std::size_t{1} << axis;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    if (((corner & bit) != 0) != up) continue;
    slots_.join(8 * at(a) + corner, 8 * at(b) + (corner ^ bit));
  }
}

// The corners of the small cube on the large one's face: at its corners, or between them.
void BodyLattice::hang(int a, int b, std::size_t axis, bool up) {
  const OctreeCell& small = octree_.leaves()[copies_[a].cube];
  const std::size_t bit = std::size_t{1} << axis;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    if (((corner & bit) != 0) != up) continue;
    std::vector<std::pair<int, double>> on{{up ? 0 : static_cast<int>(bit), 1.0}};
    for (std::size_t other = 0; other < 3; ++other) {
      if (other == axis) continue;
      const int otherbit = 1 << other;
      // In halves of the large cube's side.
      const int place = (small.place[other] & 1) + static_cast<int>(corner >> other & 1);
      std::vector<std::pair<int, double>> next;
      for (const auto& [slot, share] : on) {
        if (place != 2) next.emplace_back(slot, place == 1 ? share / 2 : share);
        if (place != 0) next.emplace_back(slot | otherbit, place == 1 ? share / 2 : share);
      }
      on = std::move(next);
    }
    const int slot = 8 * a + static_cast<int>(corner);
    for (auto& [corner_of_b, share] : on) corner_of_b += 8 * b;
    if (on.size() == 1) {
      slots_.join(at(slot), at(on[0].first));
    } else {
      hanging_.push_back({slot, std::move(on)});
    }
  }
}

const std::vector<Term>& BodyLattice::resolve(std::size_t root, Domain& domain) {
  std::vector<Term>& terms = terms_[root];
  if (!terms.empty()) return terms;
  const int hanging = hanging_of_[root];
  if (hanging == none) {
    const Copy& copy = copies_[root / 8];
    const OctreeCell& cell = octree_.leaves()[copy.cube];
    terms = {{static_cast<int>(domain.points.size()), 1.0}};
    domain.points.push_back(octree_.corner(cell) + offset_of(root % 8) * octree_.side(cell));
    return terms;
  }
  std::vector<Term> sum;
  std::size_t count = 0;
  for (const auto& [slot, share] : hanging_[hanging].on) {
    const std::vector<Term> part = resolve(slots_.find(at(slot)), domain);
    sum.resize(count + part.size());
    for (const Term& term : part) add_term(sum, count, term.node, share * term.share);
  }
  sum.resize(count);
  return terms = std::move(sum);
}

void BodyLattice::add_to(Domain& domain) {
  hanging_of_.assign(slots_.size(), none);
  for (std::size_t h = 0; h < hanging_.size(); ++h) {
    int& place = hanging_of_[slots_.find(at(hanging_[h].slot))];
    if (place == none) place = static_cast<int>(h);
  }
  terms_.resize(slots_.size());
  first_element_ = domain.elements.size();
  domain.hosts.resize(first_element_ + copies_.size());
  const std::array<double, 64> unit = unit_stiffness();
  std::vector<int> nodes;
  std::vector<double> masses, matrix, shares;
  for (std::size_t c = 0; c < copies_.size(); ++c) {
    nodes.clear();
    std::array<std::vector<Term>, 8> corners;
    for (std::size_t corner = 0; corner < 8; ++corner) {
      const std::size_t root = slots_.find(8 * c + corner);
      copies_[c].corner[corner] = root;
      corners[corner] = resolve(root, domain);
      if (hanging_of_[root] != none) {
        const int host = hanging_[hanging_of_[root]].on[0].first / 8;
        domain.hosts[first_element_ + c].push_back(first_element_ + at(host));
      }
      for (const Term& term : corners[corner]) nodes.push_back(term.node);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    // Row by corner: what each node has of it.
    shares.assign(8 * nodes.size(), 0.0);
    for (std::size_t corner = 0; corner < 8; ++corner) {
      for (const Term& term : corners[corner]) {
        const auto k = std::lower_bound(nodes.begin(), nodes.end(), term.node) - nodes.begin();
        shares[corner * nodes.size() + static_cast<std::size_t>(k)] += term.share;
      }
    }
    const double side = octree_.side(octree_.leaves()[copies_[c].cube]);
    const double filled = copies_[c].parts / 8.0;
    masses.assign(nodes.size(), 0.0);
    matrix.assign(nodes.size() * nodes.size(), 0.0);
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t a = 0; a < nodes.size(); ++a) {
        const double share = shares[i * nodes.size() + a];
        masses[a] += share * filled * side * side * side / 8;
        if (share == 0) continue;
        for (std::size_t j = 0; j < 8; ++j) {
          for (std::size_t b = 0; b < nodes.size(); ++b) {
            matrix[a * nodes.size() + b] +=
                share * shares[j * nodes.size() + b] * unit[i * 8 + j] * filled * side;
          }
        }
      }
    }
    domain.elements.push(nodes, masses, matrix);
    node_counts_.push_back(nodes.size());
  }
}

double BodyLattice::side_at(const Vec3& point) const {
  return octree_.side(octree_.leaves()[octree_.leaf_at(point)]);
}

// The nearest of the parts that can be seen: of the point's own cube, or else of those around it.
// If none can, the nearest all the same.
BodyLattice::Part BodyLattice::nearest_part(const Vec3& point, const Vec3& inward) const {
  struct Candidate {
    double distance;
    int cube;
    std::size_t part;
  };
  std::vector<Candidate> candidates;
  candidates.reserve(8);
  Part nearest;
  const auto look = [&](std::span<const int> cubes, const Box* around) {
    candidates.clear();
    for (const int cube : cubes) {
      for (std::size_t part = 0; part < 8; ++part) {
        if (!cubes_[cube].inside[part]) continue;
        candidates.push_back({distance(cubes_[cube].point[part], point), cube, part});
      }
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return a.distance != b.distance ? a.distance < b.distance
                                      : std::pair(a.cube, a.part) < std::pair(b.cube, b.part);
    });
    if (!candidates.empty() && nearest.cube == none) {
      nearest = {candidates[0].cube, candidates[0].part, false};
    }
    for (const Candidate& c : candidates) {
      const Cube& cube = cubes_[c.cube];
      const Vec3& part = cube.point[c.part];
      const bool within = around != nullptr && contains(*around, inward) && contains(*around, part);
      if (cube.mixed && !interior_.is_open(inward, part, 1, within ? cube.below : 0)) continue;
      nearest = {c.cube, c.part, true};
      return;
    }
  };
  const int own = octree_.leaf_at(point);
  const Box around = beside(octree_.leaves()[own]);
  look({&own, 1}, &around);
  if (nearest.seen) return nearest;
  const double reach = octree_.side(octree_.leaves()[own]) / 2;
  std::vector<int> others;
  for (int n = 0; n < 27; ++n) {
    const int row = n / 3, layer = n / 9;
    const Vec3 step{n % 3 - 1.0, row % 3 - 1.0, layer - 1.0};
    const int cube = octree_.leaf_at(point + step * reach);
    if (cube != own) others.push_back(cube);
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  look(others, nullptr);
  return nearest;
}

Box BodyLattice::beside(const OctreeCell& cell) const {
  const double side = octree_.side(cell), margin = side / 1024;
  const Vec3 corner = octree_.corner(cell);
  return {corner - Vec3{margin, margin, margin},
          corner + Vec3{side + margin, side + margin, side + margin}};
}

Vec3 BodyLattice::inward(const SurfaceSample& sample) const {
  return sample.point - sample.normal * (1e-6 * interior_.extent());
}

BodyLattice::LatticePoint BodyLattice::locate(const Vec3& point) const {
  const int element = element_at(nearest_part(point, point));
  if (element == none) return {};
  LatticePoint place{at(element), std::vector<Term>(node_counts_[at(element) - first_element_])};
  fill_terms(element, point, place.terms);
  return place;
}

int BodyLattice::element_of(std::size_t i, const SurfaceSample& sample) const {
  const Part& part = parts_[i];
  return element_at(part.seen ? part : nearest_part(sample.point, inward(sample)));
}

int BodyLattice::element_at(const Part& part) const {
  if (part.cube == none) return none;
  return static_cast<int>(first_element_) + cubes_[part.cube].copy[part.part];
}

void BodyLattice::fill_terms(int element, const Vec3& point, std::span<Term> terms) const {
  const Copy& copy = copies_[at(element) - first_element_];
  const OctreeCell& cell = octree_.leaves()[copy.cube];
  const Vec3 local = (point - octree_.corner(cell)) / octree_.side(cell);
  std::size_t count = 0;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const Vec3 o = offset_of(corner);
    const double share = (o.x > 0 ? local.x : 1 - local.x) * (o.y > 0 ? local.y : 1 - local.y) *
                         (o.z > 0 ? local.z : 1 - local.z);
    for (const Term& term : terms_[copy.corner[corner]]) {
      add_term(terms, count, term.node, share * term.share);
    }
  }
}

}  // namespace sinew::detail
