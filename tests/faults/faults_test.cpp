// SPDX-License-Identifier: Apache-2.0
// One call of the system after the other fails, the n-th allocation, write or rename: the program
// says so, ends with a status of its own, and outputs are all new or all as they were.
#ifdef SINEW_CLI
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/file.h"
#include "sinew/image/png.h"
#include "tests/support/cli.h"
#include "tests/support/sanitized.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct FaultCommand {
  std::string arguments;
  std::vector<std::string> outputs;
};

class Faults : public Cli {
 protected:
  // Not built for sanitizers, which have an allocator of their own.
  static fs::path fault_library() { return binary_folder() / "tests" / "libsinew_fail_nth.so"; }

  void SetUp() override {
    if (!fs::exists(fault_library())) GTEST_SKIP() << "there is no " << fault_library();
    write("a.obj",
          "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 2 0\nv 1 2 0\n"
          "f 1 2 4\nf 1 4 3\nf 3 4 6\nf 3 6 5\n");
    write("a.tgf", "1 0.5 0 0\n2 0.5 1 0\n3 0.5 2 0\n#\n1 2\n2 3\n");
    ASSERT_EQ(run("weights a.obj --skeleton a.tgf --method rigid --endpoints projection -o rig.glb")
                  .status,
              0);
    Image picture(24, 32);
    for (int y = 2; y < 30; ++y) {
      for (int x = 4; x < 20; ++x) picture.at(x, y) = {200, 60, 30, 255};
    }
    write("p.png", encode_png(picture));
    write("b.json", R"({"joints": [[12, 4], [12, 28]], "bones": [[0, 1]]})");
  }

  void TearDown() override { RecordProperty("faults", injected_); }

  std::vector<FaultCommand> commands() const {
    return {{"weights a.obj --skeleton a.tgf --method rigid --endpoints projection -o o.glb "
             "--report r.json --bone-weights-out w.dmat",
             {"o.glb", "r.json", "w.dmat"}},
            {"bake rig.glb --segments 1 -o o.glb --report r.json", {"o.glb", "r.json"}},
            {"image p.png --skeleton b.json --weights rigid --endpoints projection -o o.glb",
             {"o.glb"}}};
  }

  Result run_with(const std::string& fault, const FaultCommand& command) const {
    const std::string call = "cd '" + folder_.string() + "' && SINEW_FAULT=" + fault +
                             " SINEW_FAULT_COUNT=count LD_PRELOAD='" + fault_library().string() +
                             "' '" + sinew_program().string() + "' " + command.arguments +
                             " --threads 1 >stdout 2>stderr </dev/null";
    const int status = std::system(call.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", read_file(folder_ / "stderr")};
  }

  // How many calls of a kind a command makes.
  long calls_of(const std::string& kind, const FaultCommand& command) {
    fs::remove(folder_ / "count");
    EXPECT_LE(run_with(kind + ":1000000000", command).status, 1);
    return std::stol(read_file(folder_ / "count"));
  }

  std::size_t entries() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  // The n-th call fails, for every n in steps.
  void fail_each(const std::string& kind, const FaultCommand& command, long step) {
    const long calls = calls_of(kind, command);
    std::map<std::string, std::string> whole;
    for (const std::string& file : command.outputs) whole[file] = read_file(folder_ / file);
    for (const std::string& file : command.outputs) write(file.c_str(), "precious");
    const std::size_t before = entries();
    for (long n = 1; n <= calls; n += step) {
      const Result result = run_with(kind + ":" + std::to_string(n), command);
      const std::string call = kind + ":" + std::to_string(n) + " of " + command.arguments;
      ASSERT_TRUE(result.status >= 0 && result.status <= 3) << call << "\n" << result.err;
      ASSERT_TRUE(result.status <= 1 || contains(result.err, "sinew: ")) << call;
      ASSERT_FALSE(contains(result.err, "unexpected")) << call << "\n" << result.err;
      std::size_t replaced = 0;
      for (const std::string& file : command.outputs) {
        const std::string now = read_file(folder_ / file);
        if (now == "precious") continue;
        ++replaced;
        // Times and memory are not the same twice.
        ASSERT_TRUE(file.ends_with(".json") || now == whole[file]) << call << ": " << file;
        write(file.c_str(), "precious");
      }
      ASSERT_TRUE(replaced == 0 || replaced == command.outputs.size()) << call;
      ASSERT_TRUE(result.status > 1 || replaced == command.outputs.size()) << call;
      ASSERT_EQ(entries(), before) << call;
      ++injected_;
    }
  }

  int injected_ = 0;
};

TEST_F(Faults, a_call_of_the_system_that_fails_leaves_outputs_whole) {
  for (const FaultCommand& command : commands()) {
    for (const char* kind : {"open", "write", "fsync", "rename", "link", "chmod", "close"}) {
      fail_each(kind, command, 1);
    }
  }
  EXPECT_GT(injected_, 20);
}

TEST_F(Faults, an_allocation_that_fails_is_told) {
  for (const FaultCommand& command : commands()) {
    fail_each("alloc", command, calls_of("alloc", command) / 20 + 1);
  }
  EXPECT_GT(injected_, 40);
}

// Not even its message needs memory.
TEST_F(Faults, no_memory_from_some_moment_on_is_told) {
  for (const FaultCommand& command : commands()) {
    fail_each("alloc+", command, calls_of("alloc", command) / 10 + 1);
  }
}

TEST_F(Faults, every_allocation_that_fails_is_told) {
  for (const FaultCommand& command : commands()) {
    fail_each("alloc", command, calls_of("alloc", command) / 1200 + 1);
  }
}

}  // namespace
}  // namespace sinew
#endif
