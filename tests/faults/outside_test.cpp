// SPDX-License-Identifier: Apache-2.0
// What the program opens and starts, seen by strace where that is installed.
#ifdef SINEW_CLI
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/cli.h"
#include "tests/support/sanitized.h"

namespace sinew {
namespace {

class Outside : public Cli {
 protected:
  void SetUp() override {
    if (sanitized || std::system("strace -o /dev/null true 2>/dev/null >&2") != 0) {
      GTEST_SKIP() << "there is no strace, or it may not be used";
    }
  }

  // The lines of strace about files, programs and connections.
  std::vector<std::string> trace(const std::string& arguments) const {
    const std::string call =
        "cd '" + folder_.string() +
        "' && PATH=\"$PWD/bin:$PATH\" strace -f -qq --seccomp-bpf -e "
        "trace=openat,open,creat,truncate,execve,execveat,unlink,unlinkat,rename,renameat,"
        "renameat2,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,chmod,fchmodat,%network "
        "-o trace '" +
        sinew_program().string() + "' " + arguments + " >stdout 2>stderr </dev/null";
    const int status = std::system(call.c_str());
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) <= 1) << arguments << "\n"
                                                               << read_file(folder_ / "stderr");
    std::vector<std::string> lines;
    std::istringstream text(read_file(folder_ / "trace"));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }

  // The path between the first quotes of a line.
  static std::string path_in(const std::string& line) {
    const std::size_t first = line.find('"') + 1;
    return line.substr(first, line.find('"', first) - first);
  }

  static bool is_of_the_system(const std::string& path) {
    for (const char* folder :
         {"/lib", "/usr/lib", "/usr/local/lib", "/etc/ld.so", "/proc/", "/sys/"}) {
      if (path.starts_with(folder)) return true;
    }
    return false;
  }
};

// Of the system's own files, those that the loader and libraries read are none of ours.
TEST_F(Outside, nothing_is_read_written_or_started) {
  for (const char* call :
       {"sample arm -o arm.glb --resolution 300", "sample dancer -o d.png",
        "pose arm.glb --clip 0 --time 0.3 -o p.json",
        "deform arm.glb --pose p.json --method dqs -o s.obj", "weights arm.glb -o less.glb"}) {
    ASSERT_LE(run(call).status, 1) << call;
  }
  write("keys.json", R"({"keys": [{"time": 0, "pose": {}}, {"time": 1, "pose": {}}]})");
  std::filesystem::create_directory(folder_ / "out");
  std::filesystem::create_directory(folder_ / "bin");
  write("bin/ffmpeg", "#!/bin/sh\nfor last; do :; done\nexec /bin/cat > \"${last#file:}\"\n");
  std::filesystem::permissions(folder_ / "bin/ffmpeg", std::filesystem::perms::owner_all);
  for (const std::string call :
       {"info arm.glb", "sample tube -o out/t.glb --resolution 100", "sample dancer -o out/d.png",
        "weights arm.glb --method idw -o out/o.glb --report out/r.json",
        "edit arm.glb --smooth 1 --transfer less.glb -o out/e.glb",
        "pose arm.glb --clip 0 --time 0.3 -o out/p.json",
        "animate arm.glb --keys keys.json -o out/a.glb",
        "deform arm.glb --clip 0 --time 0.3 -o out/d.glb",
        "deform arm.glb --clip 0 --frames 0:2 -o out/frames",
        "compare arm.glb --clip 0 --time 0.3 --size 100 -o out/c.png --report out/c.json",
        "correct arm.glb --example p.json s.obj --method lbs -o out/k.glb",
        "bake arm.glb --segments 1 -o out/b.glb --table out/b.json",
        "render arm.glb --size 40 -o out/o.png",
        "render arm.glb --clip 0 --frames 0:1 --size 40 -o out/o.gif",
        "render arm.glb --clip 0 --frames 0:1 --size 40 -o out/o.mp4",
        "image d.png --skeleton d.json -o out/i.glb", "bench deform --size 1000"}) {
    std::vector<std::string> programs;
    std::string encoder;  // the number of its process, whose files are its own
    for (const std::string& line : trace(call)) {
      EXPECT_FALSE(contains(line, "socket(") || contains(line, "connect(")) << call << ": " << line;
      if (!contains(line, "\"") || contains(line, "ENOENT")) continue;
      const std::string process = line.substr(0, line.find(' ')), path = path_in(line);
      if (process == encoder) continue;
      if (contains(line, "execve")) {
        programs.push_back(path);
        if (path.ends_with("/bin/ffmpeg")) encoder = process;
        continue;
      }
      const bool is_written = contains(line, "O_WRONLY") || contains(line, "O_RDWR") ||
                              contains(line, "O_CREAT") || !contains(line, "open");
      if (is_written) {
        EXPECT_TRUE(path.starts_with("out/")) << call << ": " << line;
      } else {
        EXPECT_TRUE(contains(" " + call + " ", " " + path + " ") || path == "out" ||
                    path.starts_with("out/") || is_of_the_system(path))
            << call << ": " << line;
      }
    }
    ASSERT_FALSE(programs.empty()) << call;
    EXPECT_EQ(programs.front(), sinew_program().string()) << call;
    EXPECT_EQ(programs.size(), call.ends_with(".mp4") ? 2U : 1U) << call;
    EXPECT_EQ(encoder.empty(), !call.ends_with(".mp4")) << call;
  }
}

TEST_F(Outside, what_a_file_refers_to_lies_beside_it) {
  std::filesystem::create_directory(folder_ / "in");
  write("secret.bin", "123456789012345678901234567890123456");
  for (const char* uri : {"../secret.bin", "%2e%2e/secret.bin", "/etc/passwd", "file:///etc/passwd",
                          "http://example.com/a.bin"}) {
    write("in/a.gltf",
          std::string(R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "scene": 0,
            "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                           "min": [0, 0, 0], "max": [1, 1, 1]}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "buffers": [{"byteLength": 36, "uri": ")") +
              uri + "\"}]}");
    const Result result = run("info in/a.gltf");
    EXPECT_EQ(result.status, 3) << uri;
    EXPECT_TRUE(contains(result.err, "/buffers/0/uri")) << result.err;
  }
}

}  // namespace
}  // namespace sinew
#endif
