// SPDX-License-Identifier: Apache-2.0
// What a command writes does not depend on the number of threads, and with the same instruction set
// not on the machine. `./run test --deep` runs the commands with the thread sanitizer, too, which
// ends them with another status where two threads touch the same number.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/kernels/targets.h"
#include "tests/support/cli.h"
#include "tests/support/sanitized.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct Input {
  const char* file;
  std::string made_by;
};

const std::vector<Input>& inputs() {
  const std::string size = sanitized ? "600" : "2000";
  static const std::vector<Input> all = {
      {"hero.glb", "sample mannequin -o hero.glb --resolution " + size},
      {"less.glb", "sample mannequin -o less.glb --resolution 500"},
      {"d.png", "sample dancer -o d.png"},
      {"p.json", "pose hero.glb --clip 0 --time 0.3 -o p.json"},
      {"sculpted.obj", "deform hero.glb --pose p.json --method dqs -o sculpted.obj"}};
  return all;
}

constexpr const char* motion =
    "HIERARCHY\nROOT Hips\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
    "Xrotation Yrotation\nJOINT Spine\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation "
    "Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n"
    "0 1 0 0 0 0 0 0 0\n0 1 0 9 8 7 6 5 4\n";

constexpr const char* keys =
    R"({"keys": [{"time": 0, "pose": {"targets": {"hand.L": {"position": [0.3, 1.2, 0.4]}}}},
                 {"time": 1, "pose": {"targets": {"hand.L": {"position": [0.2, 0.9, 0.3]}}}}]})";

// T stands for a folder of each number of threads.
struct Command {
  const char* name;
  const char* call;
};

void PrintTo(const Command& command, std::ostream* out) { *out << command.call; }

const Command commands[] = {
    {"sample", "sample beast -o T/beast.glb --resolution 3000"},
    {"sample_picture", "sample dancer -o T/dancer.png --resolution 300"},
    {"info", "info hero.glb --json"},
    {"weights_bbw", "weights hero.glb --method bbw --lattice-nodes 3000 -o T/bbw.glb"},
    {"weights_heat", "weights hero.glb --method heat --endpoints heat -o T/heat.glb"},
    {"weights_voxel", "weights hero.glb --method voxel --endpoints idw -o T/voxel.glb"},
    {"weights_shepard",
     "weights hero.glb --method shepard --endpoints projection -o T/shepard.glb"},
    {"weights_idw", "weights hero.glb --method idw --endpoints none -o T/idw.glb"},
    {"weights_rigid", "weights hero.glb --method rigid --endpoints none -o T/rigid.glb"},
    {"edit", "edit hero.glb --smooth 2 --mirror x --prune 3 --transfer less.glb -o T/edited.glb"},
    {"pose", "pose hero.glb --clip 0 --time 0.3 -o T/pose.json"},
    {"animate", "animate hero.glb --motion m.bvh -o T/moved.glb"},
    {"animate_keys", "animate hero.glb --keys k.json --rate 1000 -o T/reaching.glb"},
    {"deform", "deform hero.glb --clip 0 --time 0.3 --normals -o T/posed.glb"},
    {"deform_frames", "deform hero.glb --clip 0 --frames 0:3 --method ocd-spline -o T/frames"},
    {"compare", "compare hero.glb --clip 0 --time 0.3 --size 200 -o T/sheet.png"},
    {"correct", "correct hero.glb --example p.json sculpted.obj --method lbs -o T/corrected.glb"},
    {"bake", "bake hero.glb -o T/baked.glb"},
    {"bake_live", "bake hero.glb --live vrm --influences 8 -o T/live.glb"},
    {"bake_morph", "bake hero.glb --to morph --clip 0 -o T/morph.glb"},
    {"bake_cache", "bake hero.glb --to cache --clip 0 -o T/cache.pc2"},
    {"render", "render hero.glb --clip 0 --frames 0:3 --size 150 -o T/walk.gif"},
    {"image_motion",
     "image d.png --skeleton d.json --motion d.motion.json --size 120 --fps 5 -o T/dance.gif"},
    {"image", "image d.png -o T/puppet.glb"}};

class Commands : public Cli, public testing::WithParamInterface<Command> {
 protected:
  void SetUp() override {
    std::string needed = GetParam().call;
    std::vector<std::string> calls;
    for (auto input = inputs().rbegin(); input != inputs().rend(); ++input) {
      if (!contains(needed, input->file)) continue;
      needed += input->made_by;
      calls.push_back(input->made_by);
    }
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
      ASSERT_EQ(run(*call).status, 0) << *call;
    }
    write("m.bvh", motion);
    write("k.json", keys);
  }

  // All files that the command writes, by name; what it says, if it writes none.
  std::vector<std::pair<std::string, std::string>> written(const std::string& threads) const {
    fs::create_directory(folder_ / threads);
    std::string call = GetParam().call;
    const std::size_t folder = call.find(" T/");
    if (folder != std::string::npos) call.replace(folder + 1, 1, threads);
    const Result result = run(call + " --quiet --threads " + threads);
    EXPECT_LE(result.status, 1) << call << "\n" << result.err;
    std::vector<std::pair<std::string, std::string>> all;
    if (folder == std::string::npos) all.emplace_back("", result.out);
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / threads)) {
      if (!entry.is_regular_file()) continue;
      all.emplace_back(fs::relative(entry.path(), folder_ / threads).string(),
                       read_file(entry.path()));
    }
    std::sort(all.begin(), all.end());
    return all;
  }
};

TEST_P(Commands, write_the_same_bytes_on_any_number_of_threads) {
  const auto one = written("1");
  ASSERT_FALSE(one.empty());
  EXPECT_FALSE(one.front().second.empty());
  for (const char* threads : {"2", "7"}) {
    const auto many = written(threads);
    ASSERT_EQ(many.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(many[i].first, one[i].first);
      EXPECT_TRUE(many[i].second == one[i].second) << one[i].first << " on " << threads;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, Commands, testing::ValuesIn(commands),
                         [](const auto& test) { return std::string(test.param.name); });

using InstructionSets = Cli;

TEST_F(InstructionSets, commands_use_the_one_that_is_asked_for) {
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
