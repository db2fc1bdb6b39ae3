// SPDX-License-Identifier: Apache-2.0
// What a command writes does not depend on the number of threads, and with the same instruction set
// not on the machine.
#ifdef SINEW_CLI
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/file.h"
#include "sinew/kernels/targets.h"
#include "tests/support/cli.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class SameBytes : public Cli {
 protected:
  // All files in a folder of the test, by name.
  std::vector<std::pair<std::string, std::string>> files(const std::string& folder) const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / folder)) {
      if (!entry.is_regular_file()) continue;
      all.emplace_back(fs::relative(entry.path(), folder_ / folder).string(),
                       read_file(entry.path()));
    }
    std::sort(all.begin(), all.end());
    return all;
  }
};

TEST_F(SameBytes, of_every_command_on_any_number_of_threads) {
  ASSERT_EQ(run("sample mannequin -o hero.glb --resolution 2000").status, 0);
  ASSERT_EQ(run("sample dancer -o d.png").status, 0);
  ASSERT_EQ(run("sample mannequin -o less.glb --resolution 1000").status, 0);
  ASSERT_EQ(run("pose hero.glb --clip 0 --time 0.3 -o p.json").status, 0);
  ASSERT_EQ(run("deform hero.glb --pose p.json --method dqs -o sculpted.obj").status, 0);
  write("m.bvh",
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
        "Xrotation Yrotation\nJOINT Spine\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation "
        "Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n"
        "0 1 0 0 0 0 0 0 0\n0 1 0 9 8 7 6 5 4\n");
  const std::vector<std::string> calls = {
      "sample beast -o T/beast.glb --resolution 3000",
      "weights hero.glb --method bbw --lattice-nodes 3000 -o T/bbw.glb",
      "weights hero.glb --method heat --endpoints heat -o T/heat.glb",
      "weights hero.glb --method voxel --endpoints idw -o T/voxel.glb",
      "weights hero.glb --method shepard --endpoints projection -o T/shepard.glb",
      "weights hero.glb --method idw --endpoints none -o T/idw.glb",
      "edit hero.glb --smooth 2 --mirror x --prune 3 --transfer less.glb -o T/edited.glb",
      "pose hero.glb --clip 0 --time 0.3 -o T/pose.json",
      "animate hero.glb --motion m.bvh -o T/moved.glb",
      "deform hero.glb --clip 0 --time 0.3 --normals -o T/posed.glb",
      "deform hero.glb --clip 0 --frames 0:3 --method ocd-spline -o T/frames",
      "compare hero.glb --clip 0 --time 0.3 --size 200 -o T/sheet.png",
      "correct hero.glb --example p.json sculpted.obj --method lbs -o T/corrected.glb",
      "bake hero.glb -o T/baked.glb",
      "bake hero.glb --to morph --clip 0 -o T/morph.glb",
      "bake hero.glb --to cache --clip 0 -o T/cache.pc2",
      "render hero.glb --clip 0 --frames 0:3 --size 150 -o T/walk.gif",
      "image d.png --skeleton d.json --motion d.motion.json --size 120 --fps 5 -o T/dance.gif",
      "image d.png -o T/puppet.glb"};
  for (const std::string threads : {"1", "2", "7"}) {
    fs::create_directory(folder_ / threads);
    for (std::string call : calls) {
      call.replace(call.find(" T/") + 1, 1, threads);
      const Result result = run(call + " --quiet --threads " + threads);
      EXPECT_LE(result.status, 1) << call << "\n" << result.err;
    }
  }
  const std::string told = run("info hero.glb --json --threads 1").out;
  EXPECT_EQ(run("info hero.glb --json --threads 2").out, told);
  EXPECT_EQ(run("info hero.glb --json --threads 7").out, told);
  const auto one = files("1");
  EXPECT_GE(one.size(), calls.size());
  for (const char* threads : {"2", "7"}) {
    const auto many = files(threads);
    ASSERT_EQ(many.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(many[i].first, one[i].first);
      EXPECT_TRUE(many[i].second == one[i].second) << one[i].first << " on " << threads;
    }
  }
}

TEST_F(SameBytes, by_the_instruction_set_that_is_asked_for) {
  ASSERT_EQ(run("sample arm -o arm.glb --resolution 300").status, 0);
  const std::string call = "deform arm.glb --clip 0 --time 0.4 -o ";
  ASSERT_EQ(run(call + "best.obj").status, 0);
  const std::vector<std::string> targets = kernel_targets();
  for (const std::string& target : targets) {
    ::setenv("SINEW_SIMD", target.c_str(), 1);
    EXPECT_EQ(run(call + target + ".obj").status, 0) << target;
  }
  EXPECT_EQ(read_file(folder_ / (targets.front() + ".obj")), read_file(folder_ / "best.obj"));
  ::setenv("SINEW_SIMD", "mmx", 1);
  const Result unknown = run(call + "none.obj");
  ::unsetenv("SINEW_SIMD");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(contains(unknown.err, targets.front())) << unknown.err;
  EXPECT_FALSE(fs::exists(folder_ / "none.obj"));
}

}  // namespace
}  // namespace sinew
#endif
