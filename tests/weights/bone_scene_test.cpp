// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/bone_scene.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/samples/samples.h"
#include "sinew/weights/detail/bone_ways.h"
#include "sinew/weights/detail/in_scene.h"
#include "sinew/weights/report_json.h"
#include "sinew/weights/rigid.h"
#include "sinew/weights/weight_settings.h"
#include "tests/support/torture.h"

namespace sinew::detail {
namespace {

TEST(SegmentTable, measures_as_single_segments_are_measured) {
  const Rig rig = make_sample("mannequin", 500);
  BoneScene scene(rig.mesh, rig.skeleton);
  const auto& [space, welded, bones] = scene.welded();
  const SegmentTable table(bones, [](const Segment& s) -> const Segment& { return s; });
  std::vector<double> squared(table.size());
  for (const Vec3& p : welded.positions) {
    table.measure(p, squared);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b < bones.size(); ++b) {
      ASSERT_EQ(squared[b], distance_squared(bones[b], p)) << "bone " << b;
      least = std::min(least, squared[b]);
    }
    EXPECT_FALSE(table.any_closer(p, least));
    EXPECT_TRUE(table.any_closer(p, std::nextafter(least, 1.0)));
  }
}

// What bone heat leaves behind for the report changes nothing there, and the other way round.
TEST(BoneScene, results_are_those_of_scenes_of_their_own) {
  for (const Torture& t : torture_set()) {
    const SolvedWeights solved = heat_weights(t.mesh, t.skeleton);
    const SolvedEndpoints ends = heat_endpoints(t.mesh, t.skeleton, solved.weights);
    const Skin skin{solved.weights, ends.endpoints, {}};
    const std::string report =
        report_to_json(make_report(t.mesh, t.skeleton, skin, solved.notes, ends.notes));
    BoneScene shared(t.mesh, t.skeleton);
    const Weights rigid = rigid_weights(t.mesh.positions, t.skeleton);
    EXPECT_EQ(find_bleeding(shared, rigid).vertices,
              find_bleeding(t.mesh, t.skeleton, rigid).vertices)
        << t.name;
    EXPECT_EQ(heat_endpoints(shared, solved.weights, {}, {}).endpoints, ends.endpoints) << t.name;
    EXPECT_EQ(heat_weights(shared, {}, {}).weights, solved.weights) << t.name;
    EXPECT_EQ(report_to_json(make_report(shared, skin, solved.notes, ends.notes)), report)
        << t.name;
  }
}

TEST(BoneWays, paths_up_to_a_limit_are_those_without_one) {
  const Rig rig = make_sample("mannequin", 3000);
  const BoneWays ways(rig.mesh, rig.skeleton);
  std::vector<double> start(ways.welded().positions.size(),
                            std::numeric_limits<double>::infinity());
  start[7] = 0.01;
  const std::vector<double> all = ways.spread(start);
  for (const double limit : {0.005, 0.05, 0.2}) {
    const std::vector<double> some = ways.spread(start, limit);
    std::size_t beyond = 0;
    for (std::size_t v = 0; v < all.size(); ++v) {
      if (all[v] <= limit) {
        ASSERT_EQ(some[v], all[v]) << "limit " << limit << ", vertex " << v;
      } else {
        ASSERT_GT(some[v], limit);
        ASSERT_EQ(std::isfinite(some[v]), std::isfinite(all[v])) << "vertex " << v;
        if (some[v] > all[v]) ++beyond;
      }
    }
    EXPECT_GT(beyond, all.size() / 10) << "limit " << limit;  // not looked for
  }
}

}  // namespace
}  // namespace sinew::detail
