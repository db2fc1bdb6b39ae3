// SPDX-License-Identifier: Apache-2.0
// `sinew weights` as scripts call it.
#ifdef SINEW_CLI
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/io/io.h"
#include "sinew/io/weight_matrix.h"
#include "sinew/weights/compare.h"
#include "tests/support/cli.h"

namespace sinew {
namespace {

// A tube on three bones, coarse enough for tests.
class CliWeights : public Cli {
 protected:
  CliWeights() {
    EXPECT_EQ(run("sample tube3 -o tube3.glb --resolution 300").status, 0);
    EXPECT_EQ(run("sample tube3 -o tube3.obj --resolution 300").status, 0);
    EXPECT_EQ(run("sample tube3 -o tube3.tgf --resolution 300").status, 0);
  }
};

TEST_F(CliWeights, every_method_covers_every_vertex_and_reports_it) {
  for (const std::string method : {"bbw", "heat", "voxel", "shepard", "idw", "rigid"}) {
    const Result result =
        run("weights tube3.obj --skeleton tube3.tgf --lattice-nodes 1000 "
            "--bone-weights-out w.dmat --endpoint-weights-out e.dmat --json "
            "-o out.glb --report r.json --method " +
            method);
    ASSERT_EQ(result.status, 0) << method << result.err;
    const auto report = nlohmann::json::parse(result.out);
    EXPECT_EQ(report["uncovered"], 0);
    EXPECT_LT(report["largest_sum_error"].get<double>(), 1e-12);
    EXPECT_FALSE(report["poor"].get<bool>());
    EXPECT_EQ(report["files"].size(), 4u);
    EXPECT_EQ(nlohmann::json::parse(read_file(folder_ / "r.json"))["vertices"], report["vertices"]);
    const Rig written = read_rig(folder_ / "out.glb");
    const Weights weights = weights_from_matrix(read_matrix(folder_ / "w.dmat"));
    const std::vector<double> endpoints =
        endpoints_from_matrix(read_matrix(folder_ / "e.dmat"), weights);
    EXPECT_EQ(weights.vertex_count(), written.mesh.vertex_count());
    // glTF stores floats.
    EXPECT_LT(compare(weights, written.skin.weights, written.skeleton.bones.size()).largest, 1e-6);
    EXPECT_EQ(written.skin.endpoints.size(), written.skin.weights.influences.size());
    for (const double e : endpoints) EXPECT_TRUE(e >= 0 && e <= 1);
  }
}

TEST_F(CliWeights, without_a_method_a_models_own_weights_are_kept) {
  const Rig before = read_rig(folder_ / "tube3.glb");
  ASSERT_EQ(run("weights tube3.glb -o out.glb --lattice-nodes 1000").status, 0);
  const Rig after = read_rig(folder_ / "out.glb");
  EXPECT_EQ(after.skin.weights, before.skin.weights);
  EXPECT_NE(after.skin.endpoints, before.skin.endpoints);
  EXPECT_EQ(after.clips.size(), before.clips.size());
  ASSERT_EQ(run("weights tube3.glb -o out.glb --endpoints none").status, 0);
  EXPECT_TRUE(read_rig(folder_ / "out.glb").skin.endpoints.empty());
}

TEST_F(CliWeights, a_rigged_model_can_be_given_another_skeleton) {
  ASSERT_EQ(run("sample tube -o tube.tgf --resolution 300").status, 0);
  const Result result =
      run("weights tube3.glb --skeleton tube.tgf --method heat --endpoints projection -o out.glb");
  ASSERT_EQ(result.status, 0) << result.err;
  const Rig before = read_rig(folder_ / "tube3.glb"), after = read_rig(folder_ / "out.glb");
  EXPECT_EQ(before.skeleton.bones.size(), 3u);
  EXPECT_EQ(after.skeleton.bones.size(), 2u);
  EXPECT_EQ(after.skin.weights.vertex_count(), before.mesh.vertex_count());
  for (std::size_t v = 0; v < before.mesh.vertex_count(); ++v) {
    EXPECT_LT(distance(before.mesh.positions[v], after.mesh.positions[v]), 1e-6);
  }
}

TEST_F(CliWeights, influences_are_limited_and_the_loss_is_told) {
  const Result result =
      run("weights tube3.obj --skeleton tube3.tgf --method idw --influences 1 "
          "--endpoints projection -o out.glb --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["influences"]["max"], 1);
  EXPECT_GT(report["pruned"]["largest_change"].get<double>(), 0.1);
  const Rig written = read_rig(folder_ / "out.glb");
  EXPECT_EQ(written.skin.weights.influences.size(), written.mesh.vertex_count());
}

// Each call with one value of an option and with another: what is written differs.
TEST_F(CliWeights, every_option_has_an_effect) {
  struct Case {
    const char *call, *one, *other;
    bool on_bone_weights, on_endpoints;
  };
  // Bent, so that not every way through it is straight, whatever the voxels.
  ASSERT_EQ(run("sample arm -o arm.glb --resolution 400").status, 0);
  const auto model = [](char letter) -> std::string {
    return letter == 'K'   ? "tube3.glb"
           : letter == 'A' ? "arm.glb"
                           : "tube3.obj --skeleton tube3.tgf";
  };
  for (const auto& [call, one, other, on_bone_weights, on_endpoints] : {
           Case{"K --endpoints idw", "--power 2", "--power 8", false, true},
           Case{"K --endpoints heat", "--heat 0.1", "--heat 10", false, true},
           Case{"K --endpoints idw", "--endpoints-from bones", "--endpoints-from joints", false,
                true},
           Case{"K --endpoints bbw --lattice-nodes 600", "--endpoints-from bones",
                "--endpoints-from joints", false, true},
           Case{"K --endpoints bbw", "--lattice-nodes 200", "--lattice-nodes 900", false, true},
           Case{"K --endpoints projection", "--influences 1", "--influences 2", true, false},
           Case{"S --method heat --endpoints projection", "--heat 0.1", "--heat 10", true, false},
           Case{"S --method heat --endpoints heat", "--heat 0.1", "--heat 10", true, true},
           Case{"S --method bbw --lattice-nodes 600 --endpoints heat", "--heat 0.1", "--heat 10",
                false, true},
           Case{"S --method bbw --endpoints projection", "--lattice-nodes 200",
                "--lattice-nodes 900", true, false},
           Case{"A --method voxel --endpoints projection", "--voxels 16", "--voxels 48", true,
                false},
           Case{"S --method voxel --endpoints projection", "--power 2", "--power 8", true, false},
           Case{"S --method idw --endpoints idw", "--power 2", "--power 8", true, true},
           Case{"S --method shepard --endpoints projection", "--power 2", "--power 8", true, false},
           Case{"S --method shepard --endpoints projection", "--joints 1", "--joints 3", true,
                false},
           Case{"S --method rigid --endpoints idw", "--power 2", "--power 8", false, true},
       }) {
    std::string bones[2], ends[2];
    for (const int i : {0, 1}) {
      const std::string command =
          "weights " + model(call[0]) + (call + 1) + " " + (i == 0 ? one : other);
      const Result result =
          run(command + " --bone-weights-out w.dmat --endpoint-weights-out e.dmat");
      ASSERT_EQ(result.status, 0) << command << result.err;
      bones[i] = read_file(folder_ / "w.dmat");
      ends[i] = read_file(folder_ / "e.dmat");
    }
    EXPECT_EQ(bones[0] != bones[1], on_bone_weights) << call << " " << one;
    if (!on_bone_weights) {
      EXPECT_EQ(ends[0] != ends[1], on_endpoints) << call << " " << one;
    }
    // Where bone weights differ, endpoint weights have other places; those of both still differ.
    if (on_endpoints) {
      EXPECT_NE(ends[0], ends[1]) << call << " " << one;
    }
  }
}

TEST_F(CliWeights, an_option_without_effect_is_refused_and_says_what_it_is_for) {
  ASSERT_EQ(run("sample giraffe -o flat.glb --resolution 300").status, 0);
  for (const auto& [call, named] : std::vector<std::pair<std::string, std::string>>{
           {"tube3.glb --power 4", "--endpoints idw"},
           {"tube3.glb --endpoints idw --heat 4", "--endpoints heat"},
           {"tube3.glb --endpoints heat --endpoints-from joints", "--endpoints bbw or idw"},
           {"tube3.glb --endpoints projection --endpoints-from bones", "--endpoints bbw or idw"},
           {"tube3.glb --endpoints none --endpoints-from bones", "--endpoints bbw or idw"},
           {"tube3.glb --endpoints heat --lattice-nodes 900", "--endpoints bbw"},
           {"tube3.glb --method heat --endpoints none --lattice-nodes 900", "--method bbw"},
           {"tube3.glb --method idw --joints 2", "--method shepard"},
           {"tube3.glb --voxels 32", "--method voxel"},
           {"tube3.glb --method rigid --endpoints bbw --power 3", "--method voxel, shepard or idw"},
           {"flat.glb --lattice-nodes 900", "is flat"}}) {
    const Result result = run("weights " + call);
    EXPECT_EQ(result.status, 2) << call << result.err;
    EXPECT_NE(result.err.find("has no effect"), std::string::npos) << call << result.err;
    EXPECT_NE(result.err.find(named), std::string::npos) << call << result.err;
  }
}

TEST_F(CliWeights, wrong_usage_ends_with_2_and_bad_input_with_3) {
  for (const char* call :
       {"weights", "weights tube3.obj --skeleton tube3.tgf --method magic",
        "weights tube3.obj --skeleton tube3.tgf --method heat --voxels 64",
        "weights tube3.obj --skeleton tube3.tgf --endpoints heat --endpoints-from joints",
        "weights tube3.obj --skeleton tube3.tgf --endpoints none --endpoint-weights-out e.dmat",
        "weights tube3.obj --skeleton tube3.tgf -o out.obj",
        "weights tube3.obj --skeleton tube3.tgf --bone-weights-out w.txt",
        "weights tube3.obj --skeleton tube3.tgf --influences 0"}) {
    const Result result = run(call);
    EXPECT_EQ(result.status, 2) << call << "\n" << result.err;
    EXPECT_TRUE(result.out.empty()) << call;
  }
  write("empty.tgf", "1 0 0 0\n#\n");
  write("empty.obj", "");
  for (const char* call :
       {"weights tube3.obj", "weights missing.obj --skeleton tube3.tgf",
        "weights tube3.obj --skeleton empty.tgf", "weights empty.obj --skeleton tube3.tgf"}) {
    const Result result = run(call);
    EXPECT_EQ(result.status, 3) << call << "\n" << result.err;
  }
}

// A point, a line and a flat square, all faces twice: systems of equations without a solution.
TEST_F(CliWeights, shapes_without_a_size_have_weights_or_say_why_not) {
  write("a.tgf", "1 0 0 0\n2 0 0.5 0\n3 0 1 0\n#\n1 2\n2 3\n");
  const char* methods[] = {"bbw",   "heat --endpoints heat",          "heat --endpoints bbw",
                           "voxel", "shepard --endpoints projection", "idw --endpoints idw",
                           "rigid"};
  for (const char* vertices :
       {"v 0 0 0\nv 0 0 0\nv 0 0 0\nv 0 0 0\n", "v 0 0 0\nv 0 0.5 0\nv 0 1 0\nv 0 1 0\n",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"}) {
    const std::string faces = "f 1 2 3\nf 1 3 4\n";
    write("a.obj", vertices + faces + faces);
    for (const char* method : methods) {
      const Result result =
          run(std::string("weights a.obj --skeleton a.tgf -o out.glb --method ") + method);
      EXPECT_TRUE(result.status == 0 || result.status == 1 || result.status == 3) << method;
      EXPECT_FALSE(contains(result.err, "unexpected")) << vertices << method << "\n" << result.err;
      EXPECT_TRUE(result.status < 3 || contains(result.err, "a.obj: ")) << result.err;
      if (result.status == 3) continue;
      const Rig rig = read_rig(folder_ / "out.glb");
      for (std::size_t v = 0; v < rig.skin.weights.vertex_count(); ++v) {
        double sum = 0;
        for (const Influence& influence : rig.skin.weights.row(v)) sum += influence.weight;
        EXPECT_NEAR(sum, 1, 1e-5) << vertices << method;
      }
    }
  }
}

TEST_F(CliWeights, results_do_not_depend_on_the_number_of_threads) {
  for (const std::string threads : {"1", "2"}) {
    ASSERT_EQ(run("weights tube3.obj --skeleton tube3.tgf --method bbw --lattice-nodes 1000 "
                  "--threads " +
                  threads + " -o out" + threads + ".glb")
                  .status,
              0);
  }
  EXPECT_EQ(read_file(folder_ / "out1.glb"), read_file(folder_ / "out2.glb"));
}

}  // namespace
}  // namespace sinew
#endif
