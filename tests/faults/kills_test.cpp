// SPDX-License-Identifier: Apache-2.0
// The program is stopped at one call of the system after the other, and there killed, told to end,
// or has the files that it writes changed by somebody else. No clock decides where.
#ifdef SINEW_CLI
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/core/file.h"
#include "tests/support/cli.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct Writer {
  std::string arguments;
  std::vector<std::string> outputs;  // as they take their places
};

class Kills : public Cli {
 protected:
  static fs::path stopping_library() { return binary_folder() / "tests" / "libsinew_fail_nth.so"; }

  void SetUp() override {
    if (!fs::exists(stopping_library())) GTEST_SKIP() << "there is no " << stopping_library();
    for (const char* call : {"sample arm --resolution 100 -o rig.glb", "sample dancer -o d.png",
                             "pose rig.glb --clip 0 --time 0.3 -o p.json",
                             "deform rig.glb --pose p.json --method dqs -o s.obj"}) {
      ASSERT_LE(run(call).status, 1) << call;
    }
    write("keys.json", R"({"keys": [{"time": 0, "pose": {}}, {"time": 1, "pose": {"joints": {"0":
                           {"twist": 30}}}}]})");
  }

  void TearDown() override { RecordProperty("kills", ended_); }

  const std::vector<Writer> writers = {
      {"weights rig.glb --method rigid --endpoints projection -o o.glb --report r.json "
       "--bone-weights-out w.dmat",
       {"w.dmat", "o.glb", "r.json"}},
      {"sample tube --resolution 100 -o o.glb", {"o.glb"}},
      {"edit rig.glb --smooth 1 -o o.glb", {"o.glb"}},
      {"pose rig.glb -o o.json", {"o.json"}},
      {"animate rig.glb --keys keys.json -o o.glb", {"o.glb"}},
      {"deform rig.glb --clip 0 --time 0.2 -o o.obj", {"o.obj"}},
      {"deform rig.glb --clip 0 --frames 0:2 -o frames",
       {"frames/frame_0000.obj", "frames/frame_0001.obj", "frames/frame_0002.obj"}},
      {"compare rig.glb --clip 0 --time 0.2 --methods lbs --size 100 -o o.png --report r.json",
       {"o.png", "r.json"}},
      {"correct rig.glb --example p.json s.obj --method lbs -o o.glb --report r.json",
       {"o.glb", "r.json"}},
      {"bake rig.glb --segments 1 -o o.glb --report r.json", {"o.glb", "r.json"}},
      {"render rig.glb --clip 0 --frames 0:1 --size 40 -o o.gif", {"o.gif"}},
      {"image d.png --weights rigid --endpoints projection -o o.glb", {"o.glb"}}};

  // Starts `sinew ARGUMENTS` and waits until it stops, at the n-th call of a kind, or ends.
  void start(const std::string& arguments, const std::string& stop) {
    launch(arguments, stop);
    wait();
  }
  void launch(const std::string& arguments, const std::string& stop) {
    const std::string call = "cd '" + folder_.string() + "' && exec env SINEW_FAULT_STOP=1 " +
                             "SINEW_FAULT=" + stop + " SINEW_FAULT_COUNT=count LD_PRELOAD='" +
                             stopping_library().string() + "' '" + sinew_program().string() + "' " +
                             arguments + " --threads 2 >stdout 2>stderr </dev/null";
    child_ = ::fork();
    if (child_ != 0) return;
    ::execl("/bin/sh", "sh", "-c", call.c_str(), nullptr);
    ::_exit(99);
  }
  void wait() {
    int status = 0;
    ASSERT_EQ(::waitpid(child_, &status, WUNTRACED), child_);
    is_stopped_ = WIFSTOPPED(status);
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  // Sends the signal to the stopped program and lets it go on.
  void go_on(int signal) {
    ::kill(child_, signal);
    ::kill(child_, SIGCONT);
    wait();
    ASSERT_FALSE(is_stopped_);
  }

  long calls_of(const char* kind, const Writer& writer) {
    start(writer.arguments, std::string(kind) + ":1000000000");
    EXPECT_TRUE(!is_stopped_ && status_ >= 0 && status_ <= 1) << writer.arguments;
    return std::stol(read_file(folder_ / "count"));
  }

  // All files below the folder of the test, but for those of the test itself.
  std::set<std::string> files() const {
    std::set<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      const std::string name = fs::relative(entry.path(), folder_).string();
      if (name != "stdout" && name != "stderr" && name != "count") found.insert(name);
    }
    return found;
  }

  static bool is_hidden(const std::string& file) {
    return fs::path(file).filename().string().starts_with(".sinew-");
  }

  // Either there are files that the command replaces, or none.
  void prepare(const Writer& writer, bool replaces) const {
    for (const std::string& file : writer.outputs) {
      const fs::path path = folder_ / file;
      if (replaces) {
        fs::create_directories(path.parent_path());
        write_file(path, "precious");
      } else {
        fs::remove_all(path.parent_path() == folder_ ? path : path.parent_path());
      }
    }
  }

  // How many outputs are new; fails where one is neither new nor as it was.
  std::size_t new_outputs(const Writer& writer, bool replaces,
                          const std::map<std::string, std::string>& whole) const {
    std::size_t count = 0;
    for (const std::string& file : writer.outputs) {
      if (!fs::exists(folder_ / file)) {
        EXPECT_FALSE(replaces) << file;
        continue;
      }
      const std::string now = read_file(folder_ / file);
      if (replaces && now == "precious") continue;
      ++count;
      // Times and memory in reports are not the same twice.
      EXPECT_TRUE(now == whole.at(file) || (file == "r.json" && nlohmann::json::accept(now)))
          << file << ": " << now.size() << " bytes";
    }
    return count;
  }

  // Ends the command by each signal at each of its calls of a kind, in steps.
  void end_at_each(const Writer& writer, const char* kind, long step) {
    const long calls = calls_of(kind, writer);
    std::map<std::string, std::string> whole;
    for (const std::string& file : writer.outputs) whole[file] = read_file(folder_ / file);
    for (const int signal : {SIGKILL, SIGTERM, SIGINT}) {
      for (long n = 1; n <= calls; n += step) {
        const bool replaces = (n / step + signal) % 2 == 0;
        prepare(writer, replaces);
        const std::set<std::string> before = files();
        start(writer.arguments, std::string(kind) + ":" + std::to_string(n));
        if (!is_stopped_) continue;  // threads do not share all work alike twice
        go_on(signal);
        ++ended_;
        SCOPED_TRACE(writer.arguments + ", " + kind + ":" + std::to_string(n) + ", signal " +
                     std::to_string(signal) + ": " + std::to_string(status_));
        const std::size_t count = new_outputs(writer, replaces, whole);
        const std::set<std::string> after = files();
        if (signal == SIGKILL) {
          EXPECT_EQ(status_, -SIGKILL);
          check_after_kill(writer, after);
        } else {
          EXPECT_TRUE(status_ == 128 + signal || status_ == 0 || status_ == 1);
          EXPECT_TRUE(count == 0 || count == writer.outputs.size());
          EXPECT_TRUE(count > 0 || after == before);
          EXPECT_TRUE(std::none_of(after.begin(), after.end(), is_hidden));
          told_ += status_ == 128 + signal;
        }
        if (HasFailure()) return;
      }
    }
  }

  // What is left is hidden, and in nobody's way.
  void check_after_kill(const Writer& writer, const std::set<std::string>& after) {
    if (std::none_of(after.begin(), after.end(), is_hidden)) return;
    ++left_over_;
    const Result next = run(writer.arguments);
    EXPECT_LE(next.status, 1) << next.err;
    for (const std::string& file : files()) {
      EXPECT_FALSE(file.ends_with(".part")) << file;
      // The second names of what was being replaced.
      if (is_hidden(file)) fs::remove(folder_ / file);
    }
  }

  pid_t child_ = 0;
  int status_ = 0;
  bool is_stopped_ = false;
  int ended_ = 0, told_ = 0, left_over_ = 0;
};

TEST_F(Kills, at_any_call_leave_outputs_whole_or_as_they_were) {
  end_at_each(writers[0], "file", 1);
  end_at_each(writers[6], "file", 3);
  EXPECT_GT(ended_, 40);
  EXPECT_GT(told_, 5);
  EXPECT_GT(left_over_, 5);
}

TEST_F(Kills, of_every_command_that_writes_leave_outputs_whole_or_as_they_were) {
  for (const Writer& writer : writers) {
    end_at_each(writer, "file", 1);
    end_at_each(writer, "alloc", calls_of("alloc", writer) / 12 + 1);
    if (HasFailure()) return;
  }
  EXPECT_GT(ended_, 500);
}

// From some allocation on it stops at each, and so does nothing else before the signal is seen.
TEST_F(Kills, what_only_reads_ends_at_once_too) {
  const Writer info{"info rig.glb", {}};
  const long calls = calls_of("alloc", info);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    for (const long n : {long{1}, calls / 4, calls / 2}) {
      start(info.arguments, "alloc+:" + std::to_string(n));
      ASSERT_TRUE(is_stopped_);
      ::kill(child_, signal);
      while (is_stopped_) {
        ::kill(child_, SIGCONT);
        wait();
      }
      EXPECT_EQ(status_, 128 + signal) << n;
      EXPECT_EQ(read_file(folder_ / "stdout"), "") << n;
    }
  }
}

// The first signal's files are being removed, which may take as long as a disk takes.
TEST_F(Kills, a_second_signal_ends_what_the_first_one_began) {
  launch("deform rig.glb --clip 0 --frames 0:100000 --fps 100000 -o frames", "unlink:1");
  const auto is_staged = [&] {
    if (!fs::exists(folder_ / "frames")) return false;
    const std::set<std::string> all = files();
    return std::any_of(all.begin(), all.end(), is_hidden);
  };
  while (!is_staged()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(child_, SIGTERM);
  wait();
  ASSERT_TRUE(is_stopped_);
  go_on(SIGTERM);
  EXPECT_EQ(status_, -SIGTERM);
}

// Outputs that somebody else changes while the command works.
TEST_F(Kills, outputs_that_others_replace_meanwhile_are_whole) {
  const Writer& writer = writers[0];
  std::map<std::string, std::string> whole;
  const long writes = calls_of("write", writer);
  for (const std::string& file : writer.outputs) whole[file] = read_file(folder_ / file);
  const auto stop = [&](const std::string& at) {
    start(writer.arguments, at);
    ASSERT_TRUE(is_stopped_);
  };
  const std::pair<std::string, std::size_t> moments[] = {{"open:1", 0},
                                                         {"write:" + std::to_string(writes - 1), 0},
                                                         {"rename:1", 0},
                                                         {"rename:2", 1},
                                                         {"rename:3", 2}};
  for (const auto& [at, placed] : moments) {
    SCOPED_TRACE(at);
    // What is placed already is theirs to change, all else is replaced.
    prepare(writer, true);
    stop(at);
    for (const std::string& file : writer.outputs) write(file.c_str(), "theirs");
    go_on(SIGCONT);
    EXPECT_LE(status_, 1);
    for (std::size_t i = 0; i < writer.outputs.size(); ++i) {
      EXPECT_EQ(read_file(folder_ / writer.outputs[i]) == "theirs", i < placed) << i;
    }
    stop(at);
    prepare(writer, false);
    go_on(SIGCONT);
    EXPECT_LE(status_, 1);
    for (std::size_t i = 0; i < writer.outputs.size(); ++i) {
      EXPECT_EQ(fs::exists(folder_ / writer.outputs[i]), i >= placed) << i;
    }
    EXPECT_EQ(new_outputs(writer, false, whole), writer.outputs.size() - placed);
    // A folder in the place of the last one: none is replaced.
    prepare(writer, true);
    fs::remove(folder_ / "r.json");
    stop(at);
    fs::create_directory(folder_ / "r.json");
    go_on(SIGCONT);
    EXPECT_EQ(status_, 3);
    EXPECT_TRUE(contains(read_file(folder_ / "stderr"), "r.json: "));
    EXPECT_EQ(read_file(folder_ / "o.glb"), "precious");
    EXPECT_EQ(read_file(folder_ / "w.dmat"), "precious");
    fs::remove(folder_ / "r.json");
    const std::set<std::string> all = files();
    EXPECT_TRUE(std::none_of(all.begin(), all.end(), is_hidden));
  }
}

// The whole folder goes, with what is in it.
TEST_F(Kills, a_folder_that_is_removed_meanwhile_is_told) {
  const Writer frames{"deform rig.glb --clip 0 --frames 0:2 -o frames", {}};
  for (const char* at : {"write:1", "rename:1", "rename:2"}) {
    start(frames.arguments, at);
    ASSERT_TRUE(is_stopped_) << at;
    fs::remove_all(folder_ / "frames");
    go_on(SIGCONT);
    EXPECT_EQ(status_, 3) << at;
    EXPECT_TRUE(contains(read_file(folder_ / "stderr"), "frames/frame_000")) << at;
    EXPECT_FALSE(fs::exists(folder_ / "frames")) << at;
  }
}

}  // namespace
}  // namespace sinew
#endif
