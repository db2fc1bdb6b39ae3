// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "bench.h"
#include "sinew/core/parallel.h"
#include "sinew/geometry/components.h"
#include "sinew/geometry/topology.h"
#include "sinew/geometry/winding.h"
#include "sinew/mesh/weld.h"
#include "tests/support/shapes.h"

namespace sinew::bench {
namespace {

// Measures ask(i) for all i, on all threads, and sums up the answers.
template <class Ask>
void measure_queries(std::string_view name, std::size_t count, const Ask& ask) {
  std::vector<double> answers(count);
  const double seconds = minimum_seconds([&] {
    parallel_for(count, 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) answers[i] = ask(i);
    });
  });
  Checksum checksum;
  for (const double answer : answers) checksum.add(answer);
  report_row("mesh", name, count, seconds, checksum);
}

// Measures make() per item; `result` says in one number what it made.
template <class Make, class Result>
void measure_building(std::string_view name, std::size_t items, const Make& make,
                      const Result& result) {
  Checksum checksum;
  checksum.add(static_cast<double>(result(make())));
  report_row("mesh", name, items, minimum_seconds([&] { make(); }), checksum);
}

}  // namespace

void run_mesh_suite(const Options& options) {
  const auto rings = static_cast<Index>(
      std::fmax(3, std::round(std::sqrt(static_cast<double>(options.size) / 2))));
  const Surface sphere = unit_sphere(rings + 1, rings);
  const Surface split = exploded(sphere);
  const std::size_t triangles = sphere.triangles.size();

  const auto make_tree = [&] { return Bvh(sphere.positions, sphere.triangles); };
  const Bvh tree = make_tree();
  measure_building("bvh_build", triangles, make_tree,
                   [](const Bvh& made) { return made.nodes().size(); });
  const auto make_winding = [&] { return WindingNumber(tree); };
  const WindingNumber winding = make_winding();
  measure_building("winding_build_on_bvh", triangles, make_winding, [](const WindingNumber& made) {
    return made.at({0.1, 0.2, 0.3});
  });
  for (const double tolerance : {0.0, 1e-6}) {
    measure_building(
        tolerance > 0 ? "weld_close" : "weld_equal", split.positions.size(),
        [&] { return weld(split.positions, split.triangles, tolerance); },
        [](const Welded& made) { return made.positions.size(); });
  }
  measure_building(
      "components", triangles,
      [&] { return connected_components(sphere.positions.size(), sphere.triangles); },
      [](const Components& made) { return made.count; });
  measure_building(
      "topology", triangles, [&] { return inspect(sphere.positions, sphere.triangles); },
      [](const Topology& made) { return made.edges; });

  // Points in a cube twice as wide as the sphere, and others close to the surface.
  std::vector<Vec3> points;
  Random random(1);
  for (int i = 0; i < 1 << 14; ++i) points.push_back(random.vector() * 2.0);
  const auto ray = [&](std::size_t i) {
    return Ray{points[i], points[(i + 1) % points.size()] - points[i]};
  };
  measure_queries("closest_anywhere", points.size(),
                  [&](std::size_t i) { return tree.closest(points[i])->distance; });
  measure_queries("closest_near_surface", points.size(), [&](std::size_t i) {
    return tree.closest(normalized(points[i]) * 1.01)->distance;
  });
  measure_queries("first_hit", points.size(), [&](std::size_t i) {
    const auto hit = tree.first_hit(ray(i));
    return hit ? hit->t : 0;
  });
  measure_queries("any_hit_of_segment", points.size(),
                  [&](std::size_t i) { return tree.any_hit(ray(i), 0, 1) ? 1.0 : 0.0; });
  measure_queries("winding", points.size(), [&](std::size_t i) { return winding.at(points[i]); });
  measure_queries("winding_exact", 16, [&](std::size_t i) {
    return winding_number_exact(sphere.positions, sphere.triangles, points[i]);
  });
}

}  // namespace sinew::bench
