// SPDX-License-Identifier: Apache-2.0
// Weights, editing, baking, drawing and puppets through the C interface.
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include "tests/bindings_c/c_api.h"

namespace sinew::c_api {
namespace {

class CAuthoring : public CApi {};

using Json = nlohmann::json;

// Counts calls, and cancels at the one with this number.
struct Listener {
  int calls = 0;
  int cancel_at = 0;
  static int hear(void* user, const char* stage, double fraction) {
    auto* self = static_cast<Listener*>(user);
    EXPECT_NE(stage, nullptr);
    EXPECT_TRUE(fraction >= 0 && fraction <= 1);
    return ++self->calls == self->cancel_at ? 1 : 0;
  }
};

TEST_F(CAuthoring, weights_are_computed_by_every_method_with_a_report) {
  const OwnedRig rig = strip();
  std::size_t count = 0, endpoint_count = 0;
  ASSERT_OK(sinew_weight_method_count(&count));
  ASSERT_OK(sinew_endpoint_method_count(&endpoint_count));
  EXPECT_EQ(count, 6u);
  EXPECT_EQ(endpoint_count, 4u);
  for (std::size_t m = 0; m < count; ++m) {
    auto options = sized<sinew_weights_options>();
    ASSERT_OK(sinew_weight_method_name(m, &options.method));
    ASSERT_OK(sinew_endpoint_method_name(m % endpoint_count, &options.endpoints));
    options.influences = 1;
    OwnedBuffer report;
    ASSERT_OK(sinew_rig_compute_weights(rig, &options, nullptr, nullptr, report.out()))
        << options.method;
    const Json json = Json::parse(text_in(report));
    EXPECT_EQ(json.at("uncovered"), 0) << options.method;
    EXPECT_EQ(json.at("pruned").at("influences"), 1);
    EXPECT_EQ(count_of(rig, SINEW_INFLUENCE), 6u);
    EXPECT_EQ(field_of(rig, SINEW_ENDPOINTS).size(), count_of(rig, SINEW_INFLUENCE));
  }
  OwnedBuffer report;
  ASSERT_OK(sinew_rig_weight_report(rig, report.out()));
  EXPECT_TRUE(Json::parse(text_in(report)).contains("bleeding"));
}

TEST_F(CAuthoring, weights_that_are_cancelled_or_refused_are_as_they_were) {
  const OwnedRig rig = sample("arm", 150);
  const std::vector<double> before = field_of(rig, SINEW_WEIGHTS);
  auto options = sized<sinew_weights_options>();
  options.method = "bbw";
  Listener listener{0, 3};
  OwnedBuffer report;
  EXPECT_REFUSED(sinew_rig_compute_weights(rig, &options, Listener::hear, &listener, report.out()),
                 SINEW_CANCELLED, "cancelled");
  EXPECT_EQ(listener.calls, 3);
  EXPECT_EQ(report, nullptr);
  options.voxels = 32;
  EXPECT_REFUSED(sinew_rig_compute_weights(rig, &options, nullptr, nullptr, nullptr),
                 SINEW_ERROR_USAGE, "voxels has no effect");
  options.voxels = 0;
  options.endpoints_from = "there";
  EXPECT_REFUSED(sinew_rig_compute_weights(rig, &options, nullptr, nullptr, nullptr),
                 SINEW_ERROR_USAGE, "bones or joints");
  options.endpoints_from = nullptr;
  options.method = "magic";
  EXPECT_REFUSED(sinew_rig_compute_weights(rig, &options, nullptr, nullptr, nullptr),
                 SINEW_ERROR_USAGE, "magic");
  EXPECT_EQ(field_of(rig, SINEW_WEIGHTS), before);
  const char* name = nullptr;
  EXPECT_REFUSED(sinew_weight_method_name(6, &name), SINEW_ERROR_USAGE, "method 6");
  EXPECT_REFUSED(sinew_endpoint_method_name(4, &name), SINEW_ERROR_USAGE, "method 4");
  EXPECT_REFUSED(sinew_weight_method_name(0, nullptr), SINEW_ERROR_USAGE, "name");
  EXPECT_REFUSED(sinew_weight_method_count(nullptr), SINEW_ERROR_USAGE, "count");
  EXPECT_REFUSED(sinew_endpoint_method_count(nullptr), SINEW_ERROR_USAGE, "count");
  OwnedRig empty;
  ASSERT_OK(sinew_rig_create("empty", empty.out()));
  EXPECT_REFUSED(sinew_rig_compute_weights(empty, nullptr, nullptr, nullptr, nullptr),
                 SINEW_ERROR_INPUT, "no skeleton");
  EXPECT_REFUSED(sinew_rig_weight_report(empty, report.out()), SINEW_ERROR_USAGE, "no bones");
  EXPECT_REFUSED(sinew_rig_weight_report(rig, nullptr), SINEW_ERROR_USAGE, "report");
}

TEST_F(CAuthoring, a_callback_may_call_the_library_but_a_changed_rig_is_noticed) {
  const OwnedRig rig = strip();
  const auto change = [](void* user, const char*, double) {
    auto* changed = static_cast<sinew_rig*>(user);
    return sinew_rig_add_control(changed, "another", 0) == SINEW_OK ? 0 : 1;
  };
  EXPECT_REFUSED(
      sinew_rig_compute_weights(rig, nullptr, change, static_cast<sinew_rig*>(rig), nullptr),
      SINEW_ERROR_USAGE, "changed the rig");
  EXPECT_GT(count_of(rig, SINEW_CONTROL), 0u);
}

TEST_F(CAuthoring, steps_edit_a_rig) {
  std::size_t count = 0;
  ASSERT_OK(sinew_edit_step_count(&count));
  bool has_smooth = false;
  for (std::size_t i = 0; i < count; ++i) {
    const char *name = nullptr, *argument = nullptr, *help = nullptr;
    ASSERT_OK(sinew_edit_step_info(i, &name, &argument, &help));
    has_smooth = has_smooth || std::string(name) == "smooth";
    EXPECT_NE(std::string(help), "") << name;
  }
  EXPECT_TRUE(has_smooth);
  EXPECT_REFUSED(sinew_edit_step_info(count, nullptr, nullptr, nullptr), SINEW_ERROR_USAGE, "step");
  EXPECT_REFUSED(sinew_edit_step_count(nullptr), SINEW_ERROR_USAGE, "count");
  const OwnedRig rig = sample("arm", 150);
  const std::vector<double> before = field_of(rig, SINEW_WEIGHTS);
  EXPECT_REFUSED(sinew_rig_edit(rig, "[{\"smoth\": 3}]", nullptr, nullptr, nullptr),
                 SINEW_ERROR_USAGE, "smooth");
  EXPECT_REFUSED(sinew_rig_edit(rig, "[{\"smooth\": [1]}]", nullptr, nullptr, nullptr),
                 SINEW_ERROR_INPUT, "/0");
  EXPECT_REFUSED(sinew_rig_edit(rig, "[3]", nullptr, nullptr, nullptr), SINEW_ERROR_INPUT, "/0");
  EXPECT_REFUSED(sinew_rig_edit(rig, "{}", nullptr, nullptr, nullptr), SINEW_ERROR_INPUT, "list");
  EXPECT_REFUSED(sinew_rig_edit(rig, "[", nullptr, nullptr, nullptr), SINEW_ERROR_INPUT, "JSON");
  EXPECT_REFUSED(sinew_rig_edit(rig, nullptr, nullptr, nullptr, nullptr), SINEW_ERROR_USAGE,
                 "steps");
  EXPECT_EQ(field_of(rig, SINEW_WEIGHTS), before);
  OwnedBuffer report;
  ASSERT_OK(sinew_rig_edit(rig, R"([{"smooth": 2, "where": "vertex < 100"}, {"prune": "1"},
                                    {"normalize": null}])",
                           nullptr, nullptr, report.out()));
  EXPECT_EQ(Json::parse(text_in(report)).at("steps").size(), 3u);
  EXPECT_EQ(count_of(rig, SINEW_INFLUENCE), count_of(rig, SINEW_VERTEX));
}

TEST_F(CAuthoring, sculpted_poses_become_correctives) {
  const OwnedRig rig = sample("arm", 150);
  const char* bent = R"({"joints": {"forearm": {"bend": [90, "y"]}}})";
  const std::size_t vertices = count_of(rig, SINEW_VERTEX);
  std::vector<double> wanted = field_of(rig, SINEW_POSITIONS);
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] += 0.01 * double(i % 3);
  sinew_array positions{wanted.data(), vertices, 0, 3, SINEW_FLOAT64};
  auto options = sized<sinew_correct_options>();
  const char* names[] = {"elbow"};
  options.names = names;
  options.method = "stbs-lbs";
  OwnedRig corrected;
  OwnedBuffer report, drivers;
  ASSERT_OK(sinew_correct(rig, &bent, 1, &positions, &options, nullptr, nullptr, corrected.out(),
                          report.out()));
  EXPECT_EQ(Json::parse(text_in(report)).at("correctives").at(0).at("name"), "elbow");
  EXPECT_EQ(count_of(corrected, SINEW_SHAPE), count_of(rig, SINEW_SHAPE) + 1);
  EXPECT_EQ(count_of(corrected, SINEW_CORRECTIVE), 1u);
  EXPECT_EQ(count_of(corrected, SINEW_SHAPE_DRIVER), 0u);
  ASSERT_OK(sinew_rig_drivers(corrected, drivers.out()));
  EXPECT_EQ(Json::parse(text_in(drivers)).at("poseSpaces").at(0).at("joints").at(0), "forearm");

  OwnedRig none;
  const auto refused = [&](sinew_status expected, const char* words) {
    EXPECT_REFUSED(
        sinew_correct(rig, &bent, 1, &positions, &options, nullptr, nullptr, none.out(), nullptr),
        expected, words);
  };
  positions.count = vertices - 1;
  refused(SINEW_ERROR_USAGE, "vertices");
  positions.count = vertices;
  const char* joints[] = {"nobody"};
  options.joints = joints;
  options.joint_count = 1;
  refused(SINEW_ERROR_USAGE, "nobody");
  options.joint_count = 0;
  bent = R"({"joints": {}})";
  refused(SINEW_ERROR_INPUT, "turns no joint");
  bent = R"({"joints": {"forarm": {}}})";
  refused(SINEW_ERROR_INPUT, "forearm");
  EXPECT_REFUSED(
      sinew_correct(rig, nullptr, 1, &positions, nullptr, nullptr, nullptr, none.out(), nullptr),
      SINEW_ERROR_USAGE, "poses");
}

TEST_F(CAuthoring, rigs_are_baked_to_helpers_shapes_and_caches) {
  const OwnedRig rig = sample("arm", 150);
  auto options = sized<sinew_bake_options>();
  options.segments = 2;
  options.live = "table";
  OwnedRig baked;
  OwnedBuffer report, table;
  ASSERT_OK(sinew_bake(rig, &options, nullptr, nullptr, baked.out(), report.out(), table.out()));
  EXPECT_GT(count_of(baked, SINEW_JOINT), count_of(rig, SINEW_JOINT));
  EXPECT_TRUE(Json::parse(text_in(report)).contains("helpers"));
  EXPECT_EQ(Json::parse(text_in(table)).at("version"), 1);
  OwnedRig none;
  options.live = "magic";
  EXPECT_REFUSED(sinew_bake(rig, &options, nullptr, nullptr, none.out(), nullptr, nullptr),
                 SINEW_ERROR_USAGE, "magic");
  options.live = nullptr;
  const char* joints[] = {"nobody"};
  options.joints = joints;
  options.joint_count = 1;
  EXPECT_REFUSED(sinew_bake(rig, &options, nullptr, nullptr, none.out(), nullptr, nullptr),
                 SINEW_ERROR_USAGE, "nobody");
  options.joints = nullptr;
  EXPECT_REFUSED(sinew_bake(rig, &options, nullptr, nullptr, none.out(), nullptr, nullptr),
                 SINEW_ERROR_USAGE, "joints");
  Listener listener{0, 1};
  EXPECT_REFUSED(sinew_bake(rig, nullptr, Listener::hear, &listener, none.out(), nullptr, nullptr),
                 SINEW_CANCELLED, "cancelled");

  auto of_clip = sized<sinew_bake_clip_options>();
  of_clip.max_error_percent = 5;
  of_clip.method = "lbs";
  OwnedRig shapes;
  OwnedBuffer shape_report;
  ASSERT_OK(
      sinew_bake_shapes(rig, 0, &of_clip, nullptr, nullptr, shapes.out(), shape_report.out()));
  EXPECT_GT(count_of(shapes, SINEW_SHAPE), 0u);
  EXPECT_EQ(count_of(shapes, SINEW_BONE), 0u);
  EXPECT_REFUSED(sinew_bake_shapes(rig, 99, nullptr, nullptr, nullptr, none.out(), nullptr),
                 SINEW_ERROR_USAGE, "clip 99");
  of_clip.format = "pc2";
  EXPECT_REFUSED(sinew_bake_shapes(rig, 0, &of_clip, nullptr, nullptr, none.out(), nullptr),
                 SINEW_ERROR_USAGE, "format");
  OwnedBuffer cache, mdd, no_cache;
  EXPECT_REFUSED(sinew_bake_cache(rig, 0, &of_clip, nullptr, nullptr, no_cache.out()),
                 SINEW_ERROR_USAGE, "exact");
  of_clip.max_error_percent = 0;
  of_clip.frames_per_second = 10;
  ASSERT_OK(sinew_bake_cache(rig, 0, &of_clip, nullptr, nullptr, cache.out()));
  EXPECT_EQ(text_in(cache).substr(0, 10), "POINTCACHE");
  of_clip.format = "mdd";
  ASSERT_OK(sinew_bake_cache(rig, 0, &of_clip, nullptr, nullptr, mdd.out()));
  of_clip.format = "abc";
  EXPECT_REFUSED(sinew_bake_cache(rig, 0, &of_clip, nullptr, nullptr, no_cache.out()),
                 SINEW_ERROR_USAGE, "abc");
}

TEST_F(CAuthoring, images_go_in_and_out) {
  // Two by two in rows of twelve bytes.
  const std::uint8_t pixels[] = {255, 0, 0,   255, 0, 255, 0, 255, 9, 9, 9, 9,
                                 0,   0, 255, 128, 1, 2,   3, 4,   9, 9, 9, 9};
  OwnedImage image;
  ASSERT_OK(sinew_image_create(2, 2, pixels, 12, image.out()));
  OwnedBuffer png;
  ASSERT_OK(sinew_image_write_memory(image, png.out()));
  const std::string bytes = text_in(png);
  OwnedImage again;
  ASSERT_OK(sinew_image_read_memory(bytes.data(), bytes.size(), again.out()));
  int width = 0, height = 0;
  const std::uint8_t* data = nullptr;
  ASSERT_OK(sinew_image_data(again, &width, &height, &data));
  EXPECT_EQ(width, 2);
  EXPECT_EQ(height, 2);
  EXPECT_EQ(data[0], 255);
  EXPECT_EQ(data[11], 128);
  const auto file =
      std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "sinew_c.png");
  ASSERT_OK(sinew_image_write(image, file.c_str()));
  OwnedImage read;
  EXPECT_OK(sinew_image_read(file.c_str(), read.out()));
  std::filesystem::remove(file);
  OwnedImage none;
  EXPECT_REFUSED(sinew_image_write(image, "x.jpg"), SINEW_ERROR_USAGE, ".png");
  EXPECT_REFUSED(sinew_image_write(image, nullptr), SINEW_ERROR_USAGE, "path");
  EXPECT_REFUSED(sinew_image_read("/nowhere/x.png", none.out()), SINEW_ERROR_FILE, "x.png");
  EXPECT_REFUSED(sinew_image_read_memory("no", 2, none.out()), SINEW_ERROR_INPUT, "");
  EXPECT_REFUSED(sinew_image_read_memory(nullptr, 2, none.out()), SINEW_ERROR_USAGE, "data");
  EXPECT_REFUSED(sinew_image_create(0, 2, pixels, 0, none.out()), SINEW_ERROR_USAGE, "");
  EXPECT_REFUSED(sinew_image_create(2, 2, nullptr, 0, none.out()), SINEW_ERROR_USAGE, "pixels");
  EXPECT_REFUSED(sinew_image_create(2, 2, pixels, 7, none.out()), SINEW_ERROR_USAGE, "stride");
  EXPECT_REFUSED(sinew_image_create(2, 2, pixels, 0, nullptr), SINEW_ERROR_USAGE, "image");
}

TEST_F(CAuthoring, rigs_are_drawn) {
  const OwnedRig rig = sample("arm", 150);
  const OwnedPose pose = pose_of(rig);
  ASSERT_OK(sinew_pose_play(pose, 0, 0.4));
  auto options = sized<sinew_draw_options>();
  options.width = 64;
  options.height = 48;
  options.view = "front";
  options.skeleton = options.wire = 1;
  options.colors = "bones";
  options.background = "transparent";
  OwnedImage image, rest;
  ASSERT_OK(sinew_draw(rig, pose, &options, image.out()));
  ASSERT_OK(sinew_draw(rig, nullptr, &options, rest.out()));
  int width = 0, height = 0;
  const std::uint8_t *data = nullptr, *other = nullptr;
  ASSERT_OK(sinew_image_data(image, &width, &height, &data));
  ASSERT_OK(sinew_image_data(rest, nullptr, nullptr, &other));
  EXPECT_EQ(width, 64);
  EXPECT_EQ(height, 48);
  int drawn = 0, changed = 0;
  for (int i = 0; i < 64 * 48; ++i) {
    drawn += data[4 * i + 3] == 255 ? 1 : 0;
    changed += data[4 * i] != other[4 * i] ? 1 : 0;
  }
  EXPECT_GT(drawn, 100);
  EXPECT_LT(drawn, 64 * 48 - 100);
  EXPECT_GT(changed, 50);
  OwnedImage none;
  for (const auto& [change, message] :
       std::vector<std::pair<void (*)(sinew_draw_options&), const char*>>{
           {[](auto& o) { o.colors = "magic"; }, "magic"},
           {[](auto& o) { o.colors = "weights"; }, "bone"},
           {[](auto& o) { o.bone = "nobody"; }, "neither"},
           {[](auto& o) { o.view = "nowhere"; }, "nowhere"},
           {[](auto& o) { o.color = "red"; }, "colours"},
           {[](auto& o) { o.background = "mauve"; }, "mauve"},
           {[](auto& o) { o.focus = "nobody"; }, "nobody"},
           {[](auto& o) { o.method = "nothing"; }, "nothing"},
           {[](auto& o) { o.width = -1; }, ""}}) {
    sinew_draw_options wrong = options;
    change(wrong);
    EXPECT_REFUSED(sinew_draw(rig, pose, &wrong, none.out()), SINEW_ERROR_USAGE, message);
  }
  EXPECT_REFUSED(sinew_draw(rig, pose, &options, nullptr), SINEW_ERROR_USAGE, "image");
  OwnedRig empty;
  ASSERT_OK(sinew_rig_create("empty", empty.out()));
  EXPECT_REFUSED(sinew_draw(empty, nullptr, nullptr, none.out()), SINEW_ERROR_USAGE, "triangles");
}

TEST_F(CAuthoring, a_picture_becomes_a_puppet) {
  std::size_t count = 0;
  ASSERT_OK(sinew_sample_picture_count(&count));
  ASSERT_GT(count, 0u);
  const char *name = nullptr, *about = nullptr;
  ASSERT_OK(sinew_sample_picture_info(0, &name, &about));
  OwnedImage picture;
  OwnedBuffer bones, motion;
  ASSERT_OK(sinew_sample_picture(name, 96, picture.out(), bones.out(), motion.out()));
  const std::string bones_text = text_in(bones), motion_text = text_in(motion);
  auto options = sized<sinew_puppet_options>();
  options.bones = bones_text.c_str();
  options.weights = "idw";
  options.endpoints = "projection";
  Listener listener;
  OwnedPuppet puppet;
  ASSERT_OK(sinew_puppet_create(picture, &options, Listener::hear, &listener, puppet.out()));
  OwnedBuffer same_bones, report;
  ASSERT_OK(sinew_puppet_bones(puppet, same_bones.out()));
  EXPECT_EQ(Json::parse(text_in(same_bones)), Json::parse(bones_text));
  ASSERT_OK(sinew_puppet_report(puppet, report.out()));
  EXPECT_EQ(Json::parse(text_in(report)).at("uncovered"), 0);
  ASSERT_OK(sinew_puppet_add_motion(puppet, motion_text.c_str()));
  std::size_t loops = 0;
  ASSERT_OK(sinew_puppet_loop_count(&loops));
  EXPECT_EQ(loops, 5u);
  ASSERT_OK(sinew_puppet_loop_name(0, &name));
  ASSERT_OK(sinew_puppet_add_loop(puppet, name, "feet"));
  OwnedRig rig;
  ASSERT_OK(sinew_puppet_rig(puppet, rig.out()));
  EXPECT_EQ(count_of(rig, SINEW_CLIP), 2u);
  auto stage = sized<sinew_stage_options>();
  stage.size = 64;
  stage.skeleton = 1;
  OwnedImage still, moved, drawn;
  ASSERT_OK(sinew_puppet_draw(puppet, 0, 0, &stage, still.out()));
  ASSERT_OK(sinew_puppet_draw(puppet, 0, 0.7, &stage, moved.out()));
  ASSERT_OK(sinew_puppet_draw(puppet, -1, 0, nullptr, drawn.out()));
  int width = 0, height = 0, other_width = 0, other_height = 0;
  const std::uint8_t *a = nullptr, *b = nullptr;
  ASSERT_OK(sinew_image_data(still, &width, &height, &a));
  ASSERT_OK(sinew_image_data(moved, &other_width, &other_height, &b));
  ASSERT_EQ(width, other_width);
  ASSERT_EQ(height, other_height);
  EXPECT_EQ(std::max(width, height), 64);
  EXPECT_NE(std::memcmp(a, b, 4 * static_cast<std::size_t>(width * height)), 0);
  // The rig knows its picture, too.
  auto draw = sized<sinew_draw_options>();
  draw.width = 32;
  OwnedImage of_rig;
  EXPECT_OK(sinew_draw(rig, nullptr, &draw, of_rig.out()));

  OwnedImage none;
  OwnedPuppet no_puppet;
  EXPECT_REFUSED(sinew_puppet_draw(puppet, 2, 0, nullptr, none.out()), SINEW_ERROR_USAGE,
                 "motion 2");
  EXPECT_REFUSED(sinew_puppet_draw(puppet, 0, std::nan(""), nullptr, none.out()), SINEW_ERROR_USAGE,
                 "time");
  stage.background = "mauve";
  EXPECT_REFUSED(sinew_puppet_draw(puppet, 0, 0, &stage, none.out()), SINEW_ERROR_USAGE, "mauve");
  EXPECT_REFUSED(sinew_puppet_add_loop(puppet, "fly", nullptr), SINEW_ERROR_USAGE, "fly");
  EXPECT_REFUSED(sinew_puppet_add_loop(puppet, "wave", "nobody"), SINEW_ERROR_INPUT, "nobody");
  EXPECT_REFUSED(sinew_puppet_add_motion(puppet, "{"), SINEW_ERROR_INPUT, "");
  EXPECT_REFUSED(sinew_puppet_add_motion(puppet, nullptr), SINEW_ERROR_USAGE, "json");
  EXPECT_REFUSED(sinew_puppet_loop_name(5, &name), SINEW_ERROR_USAGE, "loop 5");
  EXPECT_REFUSED(sinew_puppet_loop_count(nullptr), SINEW_ERROR_USAGE, "count");
  EXPECT_REFUSED(sinew_sample_picture("nothing", 96, none.out(), nullptr, nullptr),
                 SINEW_ERROR_USAGE, "nothing");
  EXPECT_REFUSED(sinew_sample_picture_info(count, nullptr, nullptr), SINEW_ERROR_USAGE, "sample");
  EXPECT_REFUSED(sinew_sample_picture_count(nullptr), SINEW_ERROR_USAGE, "count");
  options.auto_bones = 3;
  EXPECT_REFUSED(sinew_puppet_create(picture, &options, nullptr, nullptr, no_puppet.out()),
                 SINEW_ERROR_USAGE, "auto_bones");
  options.bones = "[]";
  options.auto_bones = 0;
  EXPECT_REFUSED(sinew_puppet_create(picture, &options, nullptr, nullptr, no_puppet.out()),
                 SINEW_ERROR_INPUT, "");
  options.cut = "scissors";
  EXPECT_REFUSED(sinew_puppet_create(picture, &options, nullptr, nullptr, no_puppet.out()),
                 SINEW_ERROR_USAGE, "scissors");
  options.mask = picture;
  EXPECT_REFUSED(sinew_puppet_create(picture, &options, nullptr, nullptr, no_puppet.out()),
                 SINEW_ERROR_USAGE, "give one of them");
  options.cut = nullptr;
  options.mask = reinterpret_cast<const sinew_image*>(static_cast<sinew_puppet*>(puppet));
  EXPECT_REFUSED(sinew_puppet_create(picture, &options, nullptr, nullptr, no_puppet.out()),
                 SINEW_ERROR_HANDLE, "image");
  options.mask = nullptr;
  options.holes = "none";
  EXPECT_REFUSED(sinew_puppet_create(picture, &options, nullptr, nullptr, no_puppet.out()),
                 SINEW_ERROR_USAGE, "holes");
}

}  // namespace
}  // namespace sinew::c_api
