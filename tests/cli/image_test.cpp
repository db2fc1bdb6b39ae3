// SPDX-License-Identifier: Apache-2.0
// sinew image as scripts call it.
#ifdef SINEW_CLI
#include <filesystem>
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "sinew/image/png.h"
#include "sinew/image/read_image.h"
#include "sinew/io/gltf.h"
#include "tests/support/cli.h"
#include "tests/support/picture_difference.h"

namespace sinew {
namespace {

class ImageCli : public Cli {
 protected:
  ImageCli() { EXPECT_EQ(run("sample dancer -o dancer.png --resolution 200").status, 0); }

  bool exists(const char* name) const { return std::filesystem::exists(folder_ / name); }
  std::string bytes(const char* name) const { return read_file(folder_ / name); }
};

TEST_F(ImageCli, the_sample_comes_with_bones_and_a_motion) {
  EXPECT_EQ(image("dancer.png").width(), 200);
  EXPECT_EQ(image("dancer.png").at(0, 0).a, 0);
  for (const char* file : {"dancer.json", "dancer.motion.json"}) EXPECT_TRUE(exists(file));
  EXPECT_EQ(run("sample dancer -o dancer.glb").status, 2);
  EXPECT_TRUE(contains(run("sample --list").out, "dancer"));
}

TEST_F(ImageCli, a_motion_becomes_each_kind_of_animation) {
  const std::string command =
      "image dancer.png --skeleton dancer.json --motion dancer.motion.json --fps 2 ";
  const Result gif = run(command + "-o d.gif --json");
  ASSERT_EQ(gif.status, 0) << gif.err;
  const auto json = nlohmann::json::parse(gif.out);
  EXPECT_EQ(json["frames"], 8);
  EXPECT_EQ(json["bones"], 16);
  EXPECT_GE(json["smallest_angle"], 19.99);
  EXPECT_EQ(bytes("d.gif").substr(0, 3), "GIF");
  ASSERT_EQ(run(command + "-o d.png").status, 0);
  EXPECT_TRUE(contains(bytes("d.png"), "acTL"));
  ASSERT_EQ(run(command + "-o frames").status, 0);
  EXPECT_TRUE(exists("frames/frame_0000.png"));
  EXPECT_TRUE(exists("frames/frame_0007.png"));
  EXPECT_FALSE(exists("frames/frame_0008.png"));
  ASSERT_EQ(run("image dancer.png --skeleton dancer.json --motion dancer.motion.json --fps 1 "
                "-o frames")
                .status,
            0);
  EXPECT_TRUE(exists("frames/frame_0003.png"));
  EXPECT_FALSE(exists("frames/frame_0004.png")) << "of the longer animation before";
}

TEST_F(ImageCli, one_moment_is_a_picture_and_methods_differ_in_it) {
  const std::string command =
      "image dancer.png --skeleton dancer.json --motion dancer.motion.json --time 1 ";
  ASSERT_EQ(run(command + "--size 150 -o a.png").status, 0);
  EXPECT_EQ(std::max(image("a.png").width(), image("a.png").height()), 150);
  ASSERT_EQ(run(command + "--keep-frame -o stbs.png").status, 0);
  ASSERT_EQ(run(command + "--keep-frame --method lbs -o lbs.png").status, 0);
  EXPECT_EQ(image("stbs.png").width(), 200);
  EXPECT_GT(picture_difference(image("stbs.png"), image("lbs.png")).visible, 0.02);
  ASSERT_EQ(run(command + "--keep-frame --method lbs,stbs-dqs --backdrop white --show bones,mesh "
                          "-o both.png")
                .status,
            0);
  EXPECT_EQ(image("both.png").width(), 400);
  EXPECT_EQ(image("both.png").at(0, 0).a, 255);
}

TEST_F(ImageCli, at_rest_the_picture_comes_out_as_it_went_in) {
  ASSERT_EQ(run("image dancer.png --skeleton dancer.json -o rest.png").status, 0);
  const Image in = image("dancer.png"), out = image("rest.png");
  ASSERT_EQ(out.width(), in.width());
  for (int y = 0; y < in.height(); ++y) {
    for (int x = 0; x < in.width(); ++x) {
      if (in.at(x, y).a < 16) continue;
      EXPECT_EQ(out.at(x, y), in.at(x, y)) << x << ", " << y;
    }
  }
}

TEST_F(ImageCli, bones_are_placed_where_none_are_given) {
  for (const char* loop : {"wave", "bounce", "breathe", "sway", "stretch"}) {
    const Result result =
        run(std::string("image dancer.png --auto-bones 6 --fps 3 --size 64 --loop ") + loop +
            " -o " + loop + ".gif --json");
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(nlohmann::json::parse(result.out)["bones"], 6);
  }
  ASSERT_EQ(run("image dancer.png --auto-bones 6 --skeleton-out bones.json -o a.png").status, 0);
  EXPECT_EQ(nlohmann::json::parse(bytes("bones.json"))["bones"].size(), 6U);
  EXPECT_EQ(run("image dancer.png --skeleton bones.json -o b.png").status, 0);
  EXPECT_EQ(bytes("a.png"), bytes("b.png"));
}

TEST_F(ImageCli, engines_get_a_skin_with_endpoint_weights_or_helper_joints) {
  ASSERT_EQ(
      run("image dancer.png --skeleton dancer.json --motion dancer.motion.json -o d.glb").status,
      0);
  const Model model = read_gltf(folder_ / "d.glb");
  EXPECT_EQ(model.rig.skeleton.bones.size(), 16U);
  EXPECT_FALSE(model.rig.skin.endpoints.empty());
  ASSERT_EQ(model.rig.clips.size(), 1U);
  ASSERT_EQ(run("bake d.glb --influences 8 -o baked.glb").status, 0);
  const Model baked = read_gltf(folder_ / "baked.glb");
  EXPECT_TRUE(baked.rig.skin.endpoints.empty());
  EXPECT_GT(baked.rig.skeleton.bones.size(), 16U);
  EXPECT_EQ(run("render d.glb --clip dance --time 1 --size 64 -o look.png").status, 0);
}

TEST_F(ImageCli, bones_are_only_written_beside_a_result) {
  write("bones.json", "old");
  write("motion.json", R"({"joints": {"nobody": []}})");
  EXPECT_EQ(run("image dancer.png --motion motion.json --skeleton-out bones.json -o x.gif").status,
            3);
  EXPECT_EQ(bytes("bones.json"), "old");
  EXPECT_EQ(run("image dancer.png --skeleton-out new/bones.json -o new/x.png").status, 0);
  EXPECT_TRUE(exists("new/bones.json"));
}

TEST_F(ImageCli, one_bad_picture_does_not_stop_the_others) {
  write("broken.png", "\x89PNG nothing");
  std::filesystem::copy(folder_ / "dancer.png", folder_ / "twin.png");
  std::filesystem::copy(folder_ / "dancer.json", folder_ / "twin.json");
  const Result result =
      run("image dancer.png broken.png twin.png --loop wave --skeleton '{}.json' "
          "--fps 2 --size 48 -o out --json");
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(contains(result.err, "broken.png"));
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["pictures"].size(), 2U);
  EXPECT_EQ(json["failures"].size(), 1U);
  EXPECT_TRUE(exists("out/dancer.gif"));
  EXPECT_TRUE(exists("out/twin.gif"));
  EXPECT_FALSE(exists("out/broken.gif"));
}

TEST_F(ImageCli, pictures_without_alpha_are_cut_out_by_their_background_or_a_mask) {
  Image paper(60, 40, {250, 250, 250, 255}), mask(60, 40, {0, 0, 0, 255});
  for (int y = 10; y < 30; ++y) {
    for (int x = 10; x < 50; ++x) {
      paper.at(x, y) = {30, 60, 200, 255};
      mask.at(x, y) = {255, 255, 255, 255};
    }
  }
  write_png(folder_ / "paper.png", paper);
  write_png(folder_ / "mask.png", mask);
  for (const char* cut : {"", "--background '#fafafa'", "--mask mask.png"}) {
    ASSERT_EQ(run(std::string("image paper.png --auto-bones 2 ") + cut + " -o cut.png").status, 0);
    EXPECT_EQ(image("cut.png").at(2, 2).a, 0) << cut;
    EXPECT_EQ(image("cut.png").at(30, 20), (Pixel{30, 60, 200, 255})) << cut;
  }
  ASSERT_EQ(run("image paper.png --auto-bones 2 --cut alpha -o whole.png").status, 0);
  EXPECT_EQ(image("whole.png").at(2, 2), (Pixel{250, 250, 250, 255}));
}

TEST_F(ImageCli, holes_are_cut_out_as_asked_for) {
  // A thick ring with a dot like an eye in it.
  Image paper(120, 120, {255, 255, 255, 255});
  for (int y = 0; y < 120; ++y) {
    for (int x = 0; x < 120; ++x) {
      const double away = std::hypot(x - 59.5, y - 59.5), dot = std::hypot(x - 59.5, y - 15.5);
      if (away < 55 && away > 25 && dot > 4) paper.at(x, y) = {30, 60, 200, 255};
    }
  }
  write_png(folder_ / "ring.png", paper);
  for (const auto& [option, hole, dot, cut] : {std::tuple{"", 0, 255, 1},
                                               {"--holes auto", 0, 255, 1},
                                               {"--holes keep", 255, 255, 0},
                                               {"--holes cut", 0, 0, 2}}) {
    const Result result = run(std::string("image ring.png ") + option + " -o out.png --json");
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(image("out.png").at(60, 60).a, hole) << option;
    EXPECT_EQ(image("out.png").at(60, 16).a, dot) << option;
    EXPECT_EQ(nlohmann::json::parse(result.out)["holes_cut_out"], cut) << option;
  }
  EXPECT_TRUE(contains(run("image ring.png -o out.png").out, "1 hole cut out"));
  EXPECT_TRUE(contains(run("image dancer.png --holes cut -o out.png").err, "no effect"));
}

TEST_F(ImageCli, joints_are_pinned_by_name) {
  const std::string command = "image dancer.png --skeleton dancer.json --fps 4 ";
  ASSERT_EQ(run(command + "--loop bounce -o feet.png").status, 0);
  ASSERT_EQ(run(command + "--loop bounce --pin feet -o same.png").status, 0);
  ASSERT_EQ(run(command + "--loop bounce --pin none -o free.png").status, 0);
  EXPECT_EQ(bytes("feet.png"), bytes("same.png"));
  EXPECT_NE(bytes("feet.png"), bytes("free.png"));
  ASSERT_EQ(run(command + "--motion dancer.motion.json --pin chest,shoulder_far -o d.png").status,
            0);
  const Result missing = run(command + "--loop wave --pin chest,toe -o x.png");
  EXPECT_EQ(missing.status, 3);
  EXPECT_TRUE(contains(missing.err, "dancer.json: joints: there is no \"toe\"")) << missing.err;
  const Result keyed = run(command + "--motion dancer.motion.json --pin hip -o x.png");
  EXPECT_EQ(keyed.status, 2);
  EXPECT_TRUE(contains(keyed.err, "\"hip\" has keys")) << keyed.err;
}

TEST_F(ImageCli, what_makes_no_sense_is_refused) {
  write_png(folder_ / "empty.png", Image(8, 8, {0, 0, 0, 0}));
  write("bones.json", R"({"joints": {"a": [1, 2]}, "bones": [["a", "b"]]})");
  write("far.json", R"({"joints": {"hip": [{"time": 1, "offset": [90000, 0]}]}})");
  for (const char* arguments : {"image dancer.png -o x.gif",
                                "image dancer.png --loop fly -o x.gif",
                                "image dancer.png --loop wave -o x.bmp",
                                "image dancer.png --loop wave --time 1 -o x.glb",
                                "image dancer.png --skeleton dancer.json --auto-bones 3 -o x.png",
                                "image dancer.png dancer.json --loop wave -o x.gif",
                                "image dancer.png dancer.png -o out",
                                "image dancer.png --method none -o x.png",
                                "image dancer.png -o dancer.png",
                                "image dancer.png --background nocolour -o x.png",
                                "image dancer.png --time 1 -o x.png",
                                "image dancer.png --pin hip -o x.png",
                                "image dancer.png --holes some -o x.png",
                                "image dancer.png --holes cut --cut alpha -o x.png",
                                "image dancer.png --holes cut --mask dancer.png -o x.png",
                                "image dancer.png --loop wave --time nan -o x.png",
                                "image dancer.png --edge nan -o x.png",
                                "image dancer.png --loop wave --fps 60 -o x.gif",
                                "image dancer.png --loop wave --method lbs -o x.glb",
                                "image dancer.png --squash -o x.glb",
                                "image dancer.png --units 10 -o x.png",
                                "image dancer.png --mask dancer.png --cut alpha -o x.png",
                                "image dancer.png --skeleton-out dancer.png -o x.png",
                                "image dancer.png --skeleton-out x.txt -o x.png",
                                "image dancer.png twin.png --skeleton-out both.json -o out",
                                "image dancer.png --loop wave --fps 0 -o x.gif",
                                "image dancer.png --loop wave --motion dancer.motion.json -o x.gif",
                                "image -o x.png"}) {
    EXPECT_EQ(run(arguments).status, 2) << arguments;
  }
  for (const auto& [arguments, message] :
       {std::pair{"image empty.png -o x.png", "empty.png: picture: nothing to see"},
        std::pair{"image dancer.png --mask empty.png -o x.png", "empty.png"},
        std::pair{"image dancer.png --skeleton dancer.json --motion far.json -o x.gif",
                  "far.json: joints: "},
        std::pair{"image dancer.json -o x.png", "dancer.json"},
        std::pair{"image missing.png -o x.png", "missing.png"},
        std::pair{"image dancer.png --skeleton bones.json -o x.png", "/bones/0/1"},
        std::pair{"image dancer.png --skeleton dancer.json --motion bones.json -o x.gif",
                  "bones.json"}}) {
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 3) << arguments;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
  }
  EXPECT_FALSE(exists("x.png"));
  EXPECT_FALSE(exists("x.gif"));
}

}  // namespace
}  // namespace sinew
#endif
