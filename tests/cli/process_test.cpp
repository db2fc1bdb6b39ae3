// SPDX-License-Identifier: Apache-2.0
// The program among others: closed and full streams, and signals.
#ifdef SINEW_CLI
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/core/file.h"
#include "tests/support/cli.h"
#include "tests/support/sanitized.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

TEST_F(Cli, a_stderr_that_is_closed_or_full_changes_nothing) {
  write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write("a.tgf", "1 0 0 0\n2 1 0 0\n#\n1 2\n");
  write("w.dmat", "1 3\n1\n0\n1\n");
  write("p.json", R"({"bones": [{"start": [0, 0, 0], "end": [0, 1, 0]}]})");
  const std::string poor =
      "deform a.obj --skeleton a.tgf --bone-weights w.dmat --pose p.json --method lbs -o ";
  ASSERT_EQ(run(poor + "plain.obj").status, 1);
  for (const std::string end : {" 2>&-; exit $? #", " 2>/dev/full; exit $? #"}) {
    EXPECT_EQ(run("info a.obj" + end).status, 0) << end;
    EXPECT_EQ(run("info missing.obj" + end).status, 3) << end;
    EXPECT_EQ(run("info" + end).status, 2) << end;
    EXPECT_EQ(run(poor + "b.obj" + end).status, 1) << end;
    EXPECT_EQ(read_file(folder_ / "b.obj"), read_file(folder_ / "plain.obj")) << end;
    EXPECT_EQ(run("image none.png nothing.png --loop wave -o x" + end).status, 3) << end;
  }
  // Whoever read it is gone.
  const std::string unread = "cd '" + folder_.string() +
                             "' && mkfifo pipe && { (: <pipe) & exec 2>pipe; wait; '" +
                             sinew_program().string() + "' " + poor + "c.obj; }";
  const int status = std::system(unread.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_EQ(read_file(folder_ / "c.obj"), read_file(folder_ / "plain.obj"));
}

TEST_F(Cli, a_stdout_that_is_closed_or_full_is_not_silent) {
  ASSERT_EQ(run("sample tube -o tube.glb --resolution 200").status, 0);
  const std::string before = read_file(folder_ / "tube.glb");
  for (const std::string end : {" >&-; exit $? #", " >/dev/full; exit $? #"}) {
    for (const char* call : {"--help", "--version", "info --help", "info tube.glb", "sample --list",
                             "info tube.glb --json", "bench mesh --size 1000"}) {
      EXPECT_EQ(run(call + end).status, 3) << call << end;
    }
  }
  // Nothing that is written takes the place of the stream.
  EXPECT_EQ(run("sample tube -o again.glb --resolution 200 >&-; exit $? #").status, 3);
  EXPECT_EQ(read_file(folder_ / "again.glb"), before);
}

TEST_F(Cli, names_that_are_not_utf_8_are_read_and_written) {
  ASSERT_EQ(run("sample tube -o 'b\xff.glb' --resolution 200").status, 0);
  write(
      "a.bvh",
      "HIERARCHY\nROOT a\xff\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n"
      "{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 9\n");
  for (const char* call :
       {"info 'b\xff.glb' --json",
        "weights 'b\xff.glb' --method rigid --report 'r\xff.json' --json",
        "compare 'b\xff.glb' --clip 0 --methods lbs --report r.json --json", "info a.bvh --json",
        "pose a.bvh -o p.json --json", "pose a.bvh --clip 0 -o p.json",
        "animate a.bvh --pose p.json -o a.glb --json"}) {
    const Result result = run(call);
    EXPECT_EQ(result.status, 0) << call << "\n" << result.err;
  }
  EXPECT_TRUE(contains(read_file(folder_ / "p.json"), "\"0\": "));
}

// Outputs take memory, too: 6,000 vertices by 300 bones as text.
TEST_F(Cli, the_reported_memory_is_that_of_the_whole_command) {
  std::string points, bones = "#\n", mesh;
  for (int j = 0; j <= 300; ++j) {
    points += std::to_string(j + 1) + " " + std::to_string(j) + " 0 0\n";
    if (j > 0) bones += std::to_string(j) + " " + std::to_string(j + 1) + "\n";
  }
  for (int v = 0; v < 6000; ++v)
    mesh += "v " + std::to_string(v * 0.05) + (v % 2 ? " 1 0\n" : " 0 0\n");
  for (int v = 1; v < 5999; ++v) {
    mesh +=
        "f " + std::to_string(v) + " " + std::to_string(v + 1) + " " + std::to_string(v + 2) + "\n";
  }
  write("a.tgf", points + bones);
  write("a.obj", mesh);
  const Result result = run(
      "weights a.obj --skeleton a.tgf --method rigid --endpoints none --bone-weights-out w.dmat "
      "--json");
  ASSERT_EQ(result.status, 0) << result.err;
  // The matrix alone, and its text.
  const double least = 6000.0 * 300 * 8 + double(fs::file_size(folder_ / "w.dmat"));
  EXPECT_GT(nlohmann::json::parse(result.out)["peak_memory_bytes"].get<double>(), least);
}

class Signals : public Cli {
 protected:
  // Starts `sinew ARGUMENTS` in the test's folder, and ends it by the signal once it works and the
  // file, if one is named, has something in it: the exit status, or the negative number of the
  // signal that killed it.
  int end_by(int signal, std::vector<std::string> arguments, const char* file = nullptr) {
    arguments.insert(arguments.begin(), sinew_program().string());
    const pid_t child = ::fork();
    if (child == 0) {
      std::vector<char*> words;
      for (std::string& word : arguments) words.push_back(word.data());
      words.push_back(nullptr);
      const int nothing = ::open("/dev/null", O_RDWR);
      for (const int stream : {0, 1, 2}) ::dup2(nothing, stream);
      if (::chdir(folder_.c_str()) == 0) ::execv(words[0], words.data());
      ::_exit(99);
    }
    const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    for (int i = 0; i < 1000 && !holds_signals_back(child); ++i) wait();
    for (int i = 0; i < 1000 && file != nullptr && read_file(folder_ / file).empty(); ++i) wait();
    for (int i = 0; i < 10; ++i) wait();
    const auto sent = std::chrono::steady_clock::now();
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    took_ = std::chrono::steady_clock::now() - sent;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  std::size_t entries() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  // The program does from when it has read its arguments on; the test itself does not.
  static bool holds_signals_back(pid_t process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("SigBlk:")) {
        return (std::stoull(line.substr(7), nullptr, 16) >> (SIGTERM - 1) & 1U) != 0;
      }
    }
    return false;
  }

  std::chrono::duration<double> took_{};
};

// Each works for seconds without a word; the outputs are there already and must stay.
TEST_F(Signals, stop_any_command_at_once_and_leave_nothing_behind) {
  ASSERT_EQ(run("sample mannequin -o hero.glb --resolution 20000").status, 0);
  ASSERT_EQ(run("sample dancer -o d.png").status, 0);
  ASSERT_EQ(run("pose hero.glb --clip 0 --time 0.3 -o pose.json").status, 0);
  ASSERT_EQ(run("deform hero.glb --pose pose.json --method dqs -o shape.obj").status, 0);
  write("keys.json", R"({"keys": [{"time": 0, "pose": {"targets": {"hand.L": {}}}},
                                  {"time": 1999, "pose": {"targets": {"hand.L": {}}}}]})");
  const char* const outputs[] = {"out.glb", "out.png", "r.json"};
  for (const char* name : outputs) write(name, "precious");
  const std::size_t before = entries();
  const std::vector<std::vector<std::string>> calls = {
      {"weights", "hero.glb", "--method", "bbw", "--lattice-nodes", "1000000", "-o", "out.glb",
       "--report", "r.json"},
      {"render", "hero.glb", "--size", "16000", "-o", "out.png"},
      {"render", "hero.glb", "--clip", "0", "--frames", "all", "--size", "2000", "-o", "frames"},
      {"deform", "hero.glb", "--clip", "0", "--frames", "0:100000", "--fps", "1000", "-o", "new/f"},
      {"sample", "mannequin", "--resolution", "4000000", "-o", "out.glb"},
      {"edit", "hero.glb", "--smooth", "10000", "-o", "out.glb"},
      {"animate", "hero.glb", "--keys", "keys.json", "--rate", "1000", "-o", "out.glb"},
      {"bake", "hero.glb", "--bones", "all", "--segments", "64", "-o", "out.glb"},
      {"compare", "hero.glb", "--clip", "0", "--methods", "all", "--size", "2000", "-o", "out.png"},
      {"correct", "hero.glb", "--example", "pose.json", "shape.obj", "--method", "delta-mush",
       "--iterations", "1000", "-o", "out.glb", "--report", "r.json"},
      {"image", "d.png", "--loop", "wave", "--size", "4000", "-o", "out.png"},
      {"bench", "deform", "--size", "20000000"},
      {"demo", "-o", "gallery/of/figures"}};
  const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const int signal = signals[i % std::size(signals)];
    EXPECT_EQ(end_by(signal, calls[i]), 128 + signal) << calls[i][0];
    EXPECT_LT(took_.count(), sanitized ? 10 : 2) << calls[i][0];
    EXPECT_EQ(entries(), before) << calls[i][0];
  }
  for (const char* name : outputs) EXPECT_EQ(read_file(folder_ / name), "precious") << name;
}

// An encoder that never ends is not left running, and what it wrote is gone.
TEST_F(Signals, end_the_encoder_too) {
  ASSERT_EQ(run("sample cigar -o cigar.glb").status, 0);
  write("ffmpeg", "#!/bin/sh\necho $$ >pid\nexec /bin/sleep 60\n");
  fs::permissions(folder_ / "ffmpeg", fs::perms::owner_all);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder_.c_str(), 1);
  write("pid", "");
  const std::size_t before = entries();
  const int status = end_by(
      SIGTERM,
      {"render", "cigar.glb", "--clip", "0", "--frames", "all", "--size", "100", "-o", "a.mp4"},
      "pid");
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(status, 143);
  EXPECT_EQ(entries(), before);
  const pid_t encoder = std::atoi(read_file(folder_ / "pid").c_str());
  ASSERT_GT(encoder, 0);
  EXPECT_NE(::kill(encoder, 0), 0);
}

}  // namespace
}  // namespace sinew
#endif
