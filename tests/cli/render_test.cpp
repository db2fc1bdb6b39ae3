// SPDX-License-Identifier: Apache-2.0
// sinew render as scripts call it.
#ifdef SINEW_CLI
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/image/png.h"
#include "sinew/image/read_image.h"
#include "tests/support/cli.h"
#include "tests/support/picture_difference.h"

namespace sinew {
namespace {

class RenderCli : public Cli {
 protected:
  void sample(const char* name) const {
    ASSERT_EQ(run(std::string("sample ") + name + " -o " + name + ".glb --resolution 300").status,
              0);
  }

  // The share of the pixels that are not the background.
  static double drawn(const Image& image) {
    const auto count = std::count_if(image.pixels().begin(), image.pixels().end(),
                                     [&](const Pixel& p) { return p != image.at(0, 0); });
    return static_cast<double>(count) / static_cast<double>(image.pixels().size());
  }
};

TEST_F(RenderCli, a_model_is_drawn_in_the_size_asked_for) {
  sample("cigar");
  const Result result = run("render cigar.glb --size 90x60 -o a.png --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["width"], 90);
  EXPECT_EQ(json["height"], 60);
  EXPECT_EQ(json["frames"], 1);
  EXPECT_EQ(image("a.png").width(), 90);
  EXPECT_EQ(image("a.png").height(), 60);
  EXPECT_GT(drawn(image("a.png")), 0.05);
}

TEST_F(RenderCli, meshes_without_a_skeleton_are_drawn_too) {
  write("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0.2\nv 0 1 0\nf 1 2 3 4\n");
  ASSERT_EQ(run("render a.obj --size 64 --show wire -o a.png").status, 0);
  EXPECT_GT(drawn(image("a.png")), 0.2);
}

TEST_F(RenderCli, poses_and_methods_change_the_picture) {
  sample("box");
  write("pose.json", R"({"bones": [{"start": [0, 0, 0], "end": [0, 1, 0], "twist": [0, 120]}]})");
  ASSERT_EQ(run("render box.glb --pose pose.json --size 64 -o stbs.png").status, 0);
  ASSERT_EQ(run("render box.glb --pose pose.json --size 64 --method lbs -o lbs.png").status, 0);
  ASSERT_EQ(run("render box.glb --clip 0 --time 1 --size 64 -o clip.png").status, 0);
  // A box twisted by 120 degrees loses its middle with linear blending.
  EXPECT_GT(picture_difference(image("stbs.png"), image("lbs.png")).visible, 0.1);
  EXPECT_GT(picture_difference(image("stbs.png"), image("clip.png")).visible, 0.1);
}

TEST_F(RenderCli, several_methods_stand_side_by_side) {
  sample("box");
  write("pose.json", R"({"bones": [{"start": [0, 0, 0], "end": [0, 1, 0], "twist": [0, 120]}]})");
  const std::string call = "render box.glb --pose pose.json --size 60x50 --background transparent ";
  const Result result = run(call + "--method lbs,stbs-dqs -o a.png --json");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["width"], 120);
  const Image sheet = image("a.png");
  EXPECT_EQ(sheet.width(), 120);
  EXPECT_EQ(sheet.at(118, 2).a, 0);
  Image left(60, 50), right(60, 50);
  paste(left, sheet, 0, 0);
  paste(right, sheet, -60, 0);
  EXPECT_GT(picture_difference(left, right).visible, 0.1);
}

TEST_F(RenderCli, what_is_shown_can_be_chosen_and_combined) {
  sample("giraffe");
  std::vector<Image> seen;
  for (const char* show : {"", "--show weights --bone neck_2", "--show weights --bone 0",
                           "--show endpoints --bone neck_2", "--show endpoints", "--show bones",
                           "--show wire", "--show skeleton,wire", "--show bones,wire,skeleton",
                           "--color '#336699'", "--background black", "--background transparent",
                           "--view 20,10", "--label text", "--focus neck_1"}) {
    ASSERT_EQ(run(std::string("render giraffe.glb --size 96 -o a.png ") + show).status, 0) << show;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), image("a.png")), 0) << show;
    seen.push_back(image("a.png"));
  }
}

TEST_F(RenderCli, textures_cover_the_mesh) {
  write_png(folder_ / "red.png", Image(4, 4, {200, 30, 20, 255}));
  write("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3\n");
  ASSERT_EQ(run("render a.obj --texture red.png --size 32 -o a.png").status, 0);
  EXPECT_EQ(image("a.png").at(20, 20), (Pixel{200, 30, 20, 255}));
  write("b.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
  EXPECT_EQ(run("render b.obj --texture red.png -o b.png").status, 2);
  EXPECT_EQ(run("render a.obj --texture a.obj -o b.png").status, 3);
}

TEST_F(RenderCli, the_number_of_threads_does_not_change_the_file) {
  sample("cigar");
  ASSERT_EQ(run("render cigar.glb --clip 0 --time 1 --size 80 --threads 1 -o one.png").status, 0);
  ASSERT_EQ(run("render cigar.glb --clip 0 --time 1 --size 80 --threads 2 -o two.png").status, 0);
  EXPECT_EQ(read_file(folder_ / "one.png"), read_file(folder_ / "two.png"));
}

TEST_F(RenderCli, frames_become_an_animation_or_a_folder) {
  sample("cigar");
  const std::string call = "render cigar.glb --clip 0 --frames 3:6 --fps 5 --size 40 -o ";
  for (const char* file : {"a.gif", "a.png", "frames"}) {
    const Result result = run(call + file + " --json");
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(nlohmann::json::parse(result.out)["frames"], 4);
  }
  EXPECT_EQ(read_file(folder_ / "a.gif").substr(0, 6), "GIF89a");
  EXPECT_TRUE(contains(read_file(folder_ / "a.png"), "acTL"));
  for (const char* name : {"frame_0003.png", "frame_0006.png"}) {
    EXPECT_EQ(read_image(folder_ / "frames" / name).width(), 40) << name;
  }
  // The first of them is the picture of its moment, but for where the camera stands.
  EXPECT_FALSE(std::filesystem::exists(folder_ / "frames" / "frame_0002.png"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "frames" / "frame_0007.png"));
  const Result all =
      run("render cigar.glb --clip 0 --frames all --fps 4 --size 24 -o b.gif --json");
  EXPECT_EQ(nlohmann::json::parse(all.out)["frames"], 16);
}

TEST_F(RenderCli, videos_go_through_ffmpeg_where_there_is_one) {
  sample("cigar");
  const std::string path = std::getenv("PATH");
  const std::string call = "render cigar.glb --clip 0 --frames 0:2 --size 10x8 -o a.mp4";
  ::setenv("PATH", folder_.c_str(), 1);
  const Result without = run(call);
  // One that stores what it gets, and one that fails.
  write("ffmpeg", "#!/bin/sh\nfor last; do :; done\nexec /bin/cat > \"${last#file:}\"\n");
  std::filesystem::permissions(folder_ / "ffmpeg", std::filesystem::perms::owner_all);
  const Result with = run(call);
  const auto size = with.status == 0 ? std::filesystem::file_size(folder_ / "a.mp4") : 0;
  write("ffmpeg", "#!/bin/sh\nexit 1\n");
  const Result broken = run(call);
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(without.status, 2);
  EXPECT_TRUE(contains(without.err, "ffmpeg")) << without.err;
  EXPECT_EQ(with.status, 0) << with.err;
  EXPECT_EQ(size, 3u * 10 * 8 * 4);
  EXPECT_EQ(broken.status, 3) << broken.err;
  // The old one is as it was, and nothing lies beside it.
  EXPECT_EQ(std::filesystem::file_size(folder_ / "a.mp4"), size);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.mp4.part.mp4"));
}

TEST_F(RenderCli, wrong_usage_ends_with_2) {
  sample("cigar");
  write("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
  for (const char* options :
       {"-o a.jpg", "-o a.gif", "-o a.png --size 0", "-o a.png --size 5y5", "-o a.png --size 99999",
        "-o a.png --view behind", "-o a.png --show weights", "-o a.png --show bones,weights",
        "-o a.png --show ghosts", "-o a.png --bone 0", "-o a.png --show weights --bone nobody",
        "-o a.png --background mauve", "-o a.png --focus nobody", "-o a.png --frames 0:3",
        "-o a.png --fov 175", "-o a.xyz --clip 0 --frames 0:1", "-o a.gif --clip 0 --frames 3:1",
        "-o a.png --show bones --color red", "-o a.png --clip 0 --method magic"}) {
    const Result result = run(std::string("render cigar.glb ") + options);
    EXPECT_EQ(result.status, 2) << options << "\n" << result.err;
    EXPECT_FALSE(result.err.empty()) << options;
  }
  EXPECT_EQ(run("render a.obj --show bones -o a.png").status, 2);
  EXPECT_EQ(run("render a.obj --show skeleton -o a.png").status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.png"));
}

TEST_F(RenderCli, models_with_nothing_to_draw_end_with_3) {
  write("a.obj", "v 0 0 0\nv 1 0 0\n");
  write("a.tgf", "1 0 0 0\n2 0 1 0\n#\n1 2\n");
  EXPECT_EQ(run("render a.obj -o a.png").status, 3);
  EXPECT_EQ(run("render a.tgf -o a.png").status, 3);
  write("b.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
  EXPECT_EQ(run("render b.obj --clip walk -o a.png").status, 3);
}

}  // namespace
}  // namespace sinew
#endif
