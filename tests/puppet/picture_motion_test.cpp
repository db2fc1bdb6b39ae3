// SPDX-License-Identifier: Apache-2.0
#include "sinew/puppet/picture_motion.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/quat.h"
#include "tests/support/input_errors.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

// a -> b -> c, and b -> d.
PictureBones tree() {
  return {{{"a", {10, 90}}, {"b", {10, 50}}, {"c", {10, 10}}, {"d", {60, 50}}},
          {{"ab", 0, 1, 0}, {"bc", 1, 2, 0}, {"bd", 1, 3, 0}}};
}

double length_of(const std::vector<Vec2>& places, const PictureBone& bone) {
  const Vec2 d = places[bone.to] - places[bone.from];
  return std::hypot(d.x, d.y);
}

TEST(PictureMotion, keys_are_met_and_the_way_between_them_is_eased) {
  const PictureMotion motion = parse_picture_motion(
      R"({"loop": false, "joints": {"c": [{"time": 1, "position": [0, 0], "ease": "linear"},
          {"time": 2, "position": [8, 0], "ease": "in"}, {"time": 3, "offset": [6, 0], "ease": "step"},
          {"time": 4, "position": [0, 4]}]}})",
      tree());
  EXPECT_EQ(motion.duration, 4);
  const auto c = [&](double time) { return motion.at(tree(), time)[2]; };
  EXPECT_EQ(c(0), (Vec2{0, 0}));
  EXPECT_EQ(c(1.25), (Vec2{2, 0}));
  EXPECT_EQ(c(2), (Vec2{8, 0}));
  EXPECT_LT(c(2.5).x, 11.5) << "slow at first";
  EXPECT_EQ(c(3), (Vec2{16, 10}));
  EXPECT_EQ(c(3.99), (Vec2{16, 10}));
  EXPECT_EQ(c(4), (Vec2{0, 4}));
  EXPECT_EQ(c(9), (Vec2{0, 4}));
}

TEST(PictureMotion, loops_come_back_without_a_jump) {
  const PictureMotion motion = parse_picture_motion(
      R"({"duration": 4, "joints": {"c": [{"time": 1, "position": [0, 0], "ease": "linear"},
          {"time": 2, "position": [6, 0], "ease": "linear"}]}})",
      tree());
  const auto c = [&](double time) { return motion.at(tree(), time)[2]; };
  EXPECT_NEAR(c(4).x, 2, 1e-12) << "three seconds from the last key on to the first";
  EXPECT_NEAR(c(0).x, c(4).x, 1e-12);
  EXPECT_NEAR(c(3.5).x, 3, 1e-12);
  EXPECT_NEAR(c(9.5).x, 3, 1e-12) << "again and again";
}

TEST(PictureMotion, joints_without_keys_go_along) {
  const PictureMotion motion = parse_picture_motion(
      R"({"joints": {"b": [{"time": 0, "offset": [0, 0]}, {"time": 1, "offset": [20, -5]}],
                     "d": [{"time": 0, "offset": [0, 0]}]}})",
      tree());
  const std::vector<Vec2> places = motion.at(tree(), 1);
  EXPECT_EQ(places[0], (Vec2{10, 90})) << "above the one that is dragged";
  EXPECT_EQ(places[2], (Vec2{30, 5})) << "below it";
  EXPECT_EQ(places[3], (Vec2{60, 50})) << "pinned by a key";
}

// A bone upwards, and another that hangs on it from a distance.
PictureBones carried() {
  return {{{"a", {50, 90}}, {"b", {50, 50}}, {"c", {70, 40}}, {"d", {90, 40}}},
          {{"ab", 0, 1, 0}, {"cd", 2, 3, 0, 0}}};
}

TEST(PictureMotion, joints_that_a_bone_carries_turn_with_it) {
  const PictureMotion motion = parse_picture_motion(
      R"({"joints": {"b": [{"time": 0, "offset": [0, 0]}, {"time": 1, "position": [90, 90]}]}})",
      carried());
  const std::vector<Vec2> places = motion.at(carried(), 1);
  EXPECT_NEAR(places[2].x, 100, 1e-9) << "a quarter turn to the right, about the end of ab";
  EXPECT_NEAR(places[2].y, 110, 1e-9);
  EXPECT_NEAR(places[3].x, 100, 1e-9);
  EXPECT_NEAR(places[3].y, 130, 1e-9);
}

TEST(PictureMotion, pinned_joints_stay) {
  const char* json =
      R"({"joints": {"a": [{"time": 0, "offset": [0, 0]}, {"time": 1, "offset": [20, -5]}]},
          "pins": ["d", 2]})";
  const std::vector<Vec2> places = parse_picture_motion(json, tree()).at(tree(), 1);
  EXPECT_EQ(places[1], (Vec2{30, 45}));
  EXPECT_EQ(places[2], (Vec2{10, 10}));
  EXPECT_EQ(places[3], (Vec2{60, 50}));
  PictureMotion motion = parse_picture_motion(json, tree());
  EXPECT_EQ(wrong_usage([&] { pin(motion, tree(), std::vector<int>{0}); }),
            "joint \"a\" has keys, and cannot be pinned as well");
  EXPECT_EQ(wrong_usage([&] { pin(motion, tree(), std::vector<int>{4}); }),
            "there is no joint 4 to pin");
  EXPECT_EQ(wrong_usage([&] { picture_loop("wave", tree(), std::vector<int>{-1}); }),
            "there is no joint -1 to pin");
}

TEST(PictureMotion, easings_start_and_end_where_they_should) {
  for (const char* name : {"linear", "in", "out", "in-out", "overshoot", "step"}) {
    const Easing ease = easing_from_name(name);
    EXPECT_EQ(ease.at(0), 0) << name;
    EXPECT_EQ(ease.at(1), 1) << name;
  }
  EXPECT_NEAR(easing_from_name("linear").at(0.3), 0.3, 1e-9);
  EXPECT_NEAR(easing_from_name("in-out").at(0.5), 0.5, 1e-9);
  EXPECT_LT(easing_from_name("in").at(0.5), 0.4);
  EXPECT_GT(easing_from_name("out").at(0.5), 0.6);
  double highest = 0;
  for (int i = 0; i < 100; ++i)
    highest = std::max(highest, easing_from_name("overshoot").at(i / 100.0));
  EXPECT_GT(highest, 1.05);
  EXPECT_EQ(wrong_usage([&] { easing_from_name("sideways"); }),
            "there is no easing \"sideways\"; there are linear, in, out, in-out, overshoot, step");
}

TEST(PictureMotion, written_and_read_again_it_is_the_same) {
  const PictureMotion motion = parse_picture_motion(
      R"({"name": "jump", "duration": 3, "loop": false, "joints": {"c": [
          {"time": 0, "position": [1, 2], "ease": [0.1, 0.9, 0.5, 1.5]},
          {"time": 1.5, "position": [3, 4], "ease": "step"}]}})",
      tree());
  const PictureMotion again = parse_picture_motion(to_json(motion, tree()), tree());
  EXPECT_EQ(again.name, motion.name);
  EXPECT_EQ(again.duration, motion.duration);
  EXPECT_EQ(again.loops, motion.loops);
  EXPECT_EQ(again.joints, motion.joints);
}

TEST(PictureMotion, what_is_wrong_is_named) {
  for (
      const auto& [json, place] :
      {std::pair{R"({"joints": {"x": []}})", "/joints/x"},
       std::pair{R"({"joints": {"a": []}})", "/joints/a"},
       std::pair{R"({"joints": []})", "/joints"},
       std::pair{R"({"joints": {"a": [{"time": 0, "offset": [0, 0]}]}})", "/"},
       std::pair{R"({"joints": {"a": [{"time": -1, "offset": [0, 0]}]}})", "/joints/a/0/time"},
       std::pair{R"({"joints": {"a": [{"time": 1}]}})", "/joints/a/0"},
       std::pair{R"({"joints": {"a": [{"time": 1, "offset": [0, 0], "position": [0, 0]}]}})",
                 "/joints/a/0"},
       std::pair{R"({"joints": {"a": [{"time": 1, "offset": [0, 0], "ease": "odd"}]}})",
                 "/joints/a/0/ease"},
       std::pair{R"({"joints": {"a": [{"time": 1, "offset": [0, 0], "ease": [2, 0, 0, 0]}]}})",
                 "/joints/a/0/ease"},
       std::pair{
           R"({"joints": {"a": [{"time": 1, "offset": [0, 0]}, {"time": 1, "offset": [0, 0]}]}})",
           "/joints/a/1"},
       std::pair{
           R"({"joints": {"a": [{"time": 1, "offset": [0, 0]}], "0": [{"time": 1, "offset": [0, 0]}]}})",
           "/joints/a"},
       std::pair{R"({"joints": {"a": [{"time": 2, "offset": [0, 0]}]}, "pins": ["x"]})", "/pins/0"},
       std::pair{R"({"joints": {"a": [{"time": 2, "offset": [0, 0]}]}, "pins": ["b", "a"]})",
                 "/pins/1"},
       std::pair{R"({"joints": {"a": [{"time": 2, "offset": [0, 0]}]}, "pins": [9]})", "/pins/0"},
       std::pair{R"({"duration": 1, "joints": {"a": [{"time": 2, "offset": [0, 0]}]}})",
                 "/duration"}}) {
    EXPECT_EQ(input_error([text = json] {
                parse_picture_motion(text, tree());
              }).rfind(std::string(place) + ": ", 0),
              0U)
        << json;
  }
}

TEST(PictureMotion, malformed_files_are_refused_with_a_place) {
  expect_malformed_are_refused(
      R"({"duration": 1, "joints": {"a": [{"time": 1, "offset": [0, 2], "ease": "in"}]}})",
      {.bytes = 16}, [](std::string_view json) { parse_picture_motion(json, tree()); });
}

TEST(PictureLoops, each_begins_where_it_ends_and_moves) {
  for (const std::string_view name : picture_loops()) {
    const PictureMotion loop = picture_loop(name, tree());
    const std::vector<Vec2> start = loop.at(tree(), 0), end = loop.at(tree(), loop.duration);
    double moved = 0;
    for (std::size_t j = 0; j < start.size(); ++j) {
      EXPECT_NEAR(start[j].x, end[j].x, 1e-9) << name;
      EXPECT_NEAR(start[j].y, end[j].y, 1e-9) << name;
      for (int k = 1; k < 8; ++k) {
        const Vec2 d = loop.at(tree(), loop.duration * k / 8)[j] - start[j];
        moved = std::max(moved, std::hypot(d.x, d.y));
      }
    }
    EXPECT_GT(moved, 2) << name;
  }
  EXPECT_EQ(wrong_usage([&] { picture_loop("fly", tree()); }),
            "there is no loop \"fly\"; there are wave, bounce, breathe, sway, stretch");
}

TEST(PictureLoops, waving_keeps_lengths_and_stretching_goes_from_half_to_twice) {
  const PictureMotion wave = picture_loop("wave", tree()),
                      stretch = picture_loop("stretch", tree());
  const PictureBones bones = tree();
  double longest = 0, shortest = 9;
  for (int k = 0; k < 240; ++k) {
    for (const PictureBone& bone : bones.bones) {
      const double rest = length_of(wave.at(bones, 0), bone);
      EXPECT_NEAR(length_of(wave.at(bones, k / 120.0), bone), rest, 1e-4 * rest);
    }
    const double factor = length_of(stretch.at(bones, k / 120.0), bones.bones[1]) / 40;
    longest = std::max(longest, factor);
    shortest = std::min(shortest, factor);
    EXPECT_NEAR(length_of(stretch.at(bones, k / 120.0), bones.bones[0]), 40, 1e-9) << "not an end";
  }
  EXPECT_NEAR(longest, 2, 1e-4);
  EXPECT_NEAR(shortest, 0.5, 1e-4);
}

// A trunk with a head and two legs that hang on it, of two bones each.
PictureBones walker() {
  return {{{"hip", {50, 60}},
           {"neck", {50, 30}},
           {"crown", {50, 10}},
           {"thigh_l", {40, 65}},
           {"knee_l", {38, 90}},
           {"foot_l", {36, 118}},
           {"thigh_r", {60, 65}},
           {"knee_r", {62, 90}},
           {"foot_r", {64, 120}}},
          {{"spine", 0, 1, 0},
           {"head", 1, 2, 0},
           {"upper_l", 3, 4, 0, 0},
           {"lower_l", 4, 5, 0},
           {"upper_r", 6, 7, 0, 0},
           {"lower_r", 7, 8, 0}}};
}

TEST(PictureLoops, feet_stay_on_the_ground_and_the_rest_moves) {
  const PictureBones bones = walker();
  EXPECT_EQ(ground_joints(bones), (std::vector<int>{5, 8}));
  for (const char* name : {"wave", "bounce", "breathe", "sway"}) {
    const PictureMotion loop = picture_loop(name, bones);
    double crown = 0, thigh = 0, longest = 1, shortest = 1;
    for (int k = 0; k < 60; ++k) {
      const std::vector<Vec2> places = loop.at(bones, loop.duration * k / 60);
      for (const std::size_t foot : {5U, 8U}) EXPECT_EQ(places[foot], bones.joints[foot].place);
      for (const auto& [joint, most] : {std::pair{2U, &crown}, {3U, &thigh}}) {
        const Vec2 d = places[joint] - bones.joints[joint].place;
        *most = std::max(*most, std::hypot(d.x, d.y));
      }
      for (const std::size_t b : {2U, 3U, 4U, 5U}) {
        const double rest = length_of(loop.at(bones, 0), bones.bones[b]);
        longest = std::max(longest, length_of(places, bones.bones[b]) / rest);
        shortest = std::min(shortest, length_of(places, bones.bones[b]) / rest);
      }
    }
    EXPECT_GT(crown, 2) << name;
    EXPECT_GT(thigh, 2) << name << ": its legs follow";
    EXPECT_LT(longest, 1.6) << name << ": shared by both bones of a leg";
    EXPECT_GT(shortest, 0.6) << name;
  }
  // What stands on nothing else is not held.
  EXPECT_TRUE(ground_joints({{{"a", {0, 5}}, {"b", {9, 5}}}, {{"ab", 0, 1, 0}}}).empty());
  // In the air only without pins.
  const auto highest_foot = [&](const PictureMotion& loop) {
    return loop.at(bones, 0.5 * loop.duration)[5].y;
  };
  EXPECT_LT(highest_foot(picture_loop("bounce", bones, std::vector<int>{})), 100);
}

TEST(PictureLoops, feet_are_within_a_sixteenth_of_the_height_from_the_ground) {
  const PictureBones bones{
      {{"toe", {0, 160}}, {"heel", {9, 151}}, {"ankle", {0, 149}}, {"top", {0, 0}}},
      {{"foot", 0, 1, 0}, {"back", 1, 2, 0}, {"body", 2, 3, 0}}};
  EXPECT_EQ(ground_joints(bones), (std::vector<int>{0, 1}));
}

TEST(PictureLoops, any_joints_can_be_pinned) {
  const PictureBones bones = walker();
  EXPECT_EQ(pins_from_names(std::vector<std::string>{"crown", "3", "feet", "crown"}, bones),
            (std::vector<int>{2, 3, 5, 8}));
  EXPECT_TRUE(pins_from_names(std::vector<std::string>{"none"}, bones).empty());
  EXPECT_NE(
      input_error([&] { pins_from_names(std::vector<std::string>{"toe"}, bones); }).find("crown"),
      std::string::npos);
  for (const std::string_view name : picture_loops()) {
    const PictureMotion loop = picture_loop(name, bones, std::vector<int>{2, 4});
    for (int k = 0; k < 20; ++k) {
      const std::vector<Vec2> places = loop.at(bones, loop.duration * k / 20);
      for (const std::size_t j : {2U, 4U}) EXPECT_EQ(places[j], bones.joints[j].place) << name;
    }
  }
}

// A trunk, and a ring of bones that hangs on it at two places.
TEST(PictureLoops, a_ring_waves_as_one_piece_and_what_is_carried_with_its_bone) {
  const PictureBones bones{
      {{"a", {50, 90}},
       {"b", {50, 40}},
       {"c", {60, 50}},
       {"d", {90, 45}},
       {"e", {60, 80}},
       {"f", {95, 70}}},
      {{"ab", 0, 1, 0}, {"cd", 2, 3, 0, 0}, {"df", 3, 5, 0}, {"ef", 4, 5, 0, 0}}};
  const PictureMotion wave = picture_loop("wave", bones, std::vector<int>{});
  double moved = 0;
  for (int k = 0; k < 20; ++k) {
    const std::vector<Vec2> places = wave.at(bones, wave.duration * k / 20);
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Vec2 rest = bones.joints[i].place - bones.joints[j].place,
                   now = places[i] - places[j];
        EXPECT_NEAR(std::hypot(now.x, now.y), std::hypot(rest.x, rest.y), 1e-9) << i << ", " << j;
      }
    }
    moved = std::max(moved, std::abs(places[5].y - 70));
  }
  EXPECT_GT(moved, 2);
}

TEST(PictureLoops, holding_a_ring_at_one_place_pulls_on_all_of_it) {
  PictureBones ring;
  for (int i = 0; i < 8; ++i) {
    const double angle = i * pi / 4;
    ring.joints.push_back(
        {std::to_string(i), {50 + 40 * std::sin(angle), 50 - 40 * std::cos(angle)}});
  }
  for (const auto& [from, to] :
       {std::pair{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 7}, {7, 6}, {6, 5}, {5, 4}}) {
    ring.bones.push_back({"", from, to, 0});
  }
  const PictureMotion wave = picture_loop("wave", ring, std::vector<int>{3});
  double longest = 1;
  for (int k = 0; k < 40; ++k) {
    const std::vector<Vec2> places = wave.at(ring, wave.duration * k / 40);
    for (const PictureBone& bone : ring.bones) {
      longest = std::max(longest, length_of(places, bone) / (80 * std::sin(pi / 8)));
    }
  }
  EXPECT_GT(longest, 1.02);
  EXPECT_LT(longest, 1.15);
}

TEST(PictureLoops, bones_in_a_ring_are_no_trouble) {
  const PictureBones ring{{{"a", {0, 0}}, {"b", {9, 0}}, {"c", {0, 9}}},
                          {{"ab", 0, 1, 0}, {"bc", 1, 2, 0}, {"ca", 2, 0, 0}}};
  for (const std::string_view name : picture_loops()) {
    for (const Vec2& place : picture_loop(name, ring).at(ring, 0.4)) {
      EXPECT_TRUE(std::isfinite(place.x) && std::isfinite(place.y)) << name;
    }
  }
}

}  // namespace
}  // namespace sinew
