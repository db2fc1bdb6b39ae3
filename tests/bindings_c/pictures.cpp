// SPDX-License-Identifier: Apache-2.0
// Measures of vertices, comparison sheets and animations through the C interface; motions of others
// and other skeletons.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

#include "tests/bindings_c/c_api.h"

namespace sinew::c_api {
namespace {

class CPictures : public CApi {};

using Json = nlohmann::json;

// A joint bent by so many degrees about z.
OwnedPose bent(const sinew_rig* rig, const char* joint, double degrees) {
  OwnedPose pose = pose_of(rig);
  const std::string json = R"({"joints": {")" + std::string(joint) + R"(": {"bend": [)" +
                           std::to_string(degrees) + R"(, "z"]}}})";
  EXPECT_OK(sinew_pose_set_json(pose, json.c_str()));
  return pose;
}

// Positions at a pose, or at rest.
std::vector<float> positions_at(const sinew_rig* rig, sinew_pose* pose, const char* method) {
  std::vector<float> positions(3 * count_of(rig, SINEW_VERTEX));
  auto options = sized<sinew_deformer_options>();
  options.method = method;
  OwnedDeformer deformer;
  EXPECT_OK(sinew_deformer_create(rig, &options, deformer.out()));
  auto output = sized<sinew_output>();
  output.vertex_count = count_of(rig, SINEW_VERTEX);
  output.positions = positions.data();
  EXPECT_OK(sinew_deformer_deform(deformer, pose, &output));
  return positions;
}

double edge_length(const std::vector<float>& p, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) sum += std::pow(double(p[3 * a + k]) - p[3 * b + k], 2);
  return std::sqrt(sum);
}

TEST_F(CPictures, measures_of_vertices_are_those_of_their_edges) {
  const OwnedRig rig = strip();
  const OwnedPose rest = pose_of(rig), pose = bent(rig, "b", 80);
  const std::vector<float> before = positions_at(rig, rest, "lbs"),
                           after = positions_at(rig, pose, "lbs");
  std::vector<float> longest(6), shortest(6), shears(6);
  std::vector<std::uint8_t> faults(6, 9);
  auto measures = sized<sinew_vertex_measures>();
  measures.vertex_count = 6;
  measures.longest_edges = longest.data();
  measures.shortest_edges = shortest.data();
  measures.shears = shears.data();
  measures.faults = faults.data();
  ASSERT_OK(sinew_measure_vertices(rig, pose, "lbs", &measures));
  double most = 0, least = 9;
  for (const int n : {1, 2, 3}) {  // around vertex 0
    const double ratio = edge_length(after, 0, n) / edge_length(before, 0, n);
    most = std::max(most, ratio);
    least = std::min(least, ratio);
  }
  EXPECT_NEAR(longest[0], most, 1e-5);
  EXPECT_NEAR(shortest[0], least, 1e-5);
  EXPECT_GT(*std::max_element(shears.begin(), shears.end()), 0.1);
  EXPECT_LT(*std::max_element(faults.begin(), faults.end()), 4);
  ASSERT_OK(sinew_measure_vertices(rig, rest, nullptr, &measures));
  for (std::size_t v = 0; v < 6; ++v) {
    EXPECT_NEAR(longest[v], 1, 1e-5);
    EXPECT_EQ(faults[v], 0);
  }

  measures.vertex_count = 5;
  EXPECT_REFUSED(sinew_measure_vertices(rig, pose, "lbs", &measures), SINEW_ERROR_USAGE, "6");
  measures.vertex_count = 6;
  EXPECT_REFUSED(sinew_measure_vertices(rig, pose, "magic", &measures), SINEW_ERROR_USAGE, "magic");
  EXPECT_REFUSED(sinew_measure_vertices(rig, pose, "lbs", nullptr), SINEW_ERROR_USAGE, "measures");
  EXPECT_REFUSED(sinew_measure_vertices(rig, nullptr, "lbs", &measures), SINEW_ERROR_HANDLE,
                 "pose");
  const auto nothing = [&] {
    auto none = sized<sinew_vertex_measures>();
    none.vertex_count = 6;
    return none;
  }();
  EXPECT_OK(sinew_measure_vertices(rig, pose, "lbs", &nothing));
}

TEST_F(CPictures, faults_of_vertices_are_those_that_the_report_counts) {
  const OwnedRig rig = sample("arm", 400);
  std::vector<std::uint8_t> faults(count_of(rig, SINEW_VERTEX));
  std::vector<float> longest(faults.size());
  auto measures = sized<sinew_vertex_measures>();
  measures.vertex_count = faults.size();
  measures.faults = faults.data();
  measures.longest_edges = longest.data();
  const auto marked = [&](int fault) {
    return std::count_if(faults.begin(), faults.end(), [&](int f) { return (f & fault) != 0; });
  };
  for (const double degrees : {0.0, 90.0}) {
    const OwnedPose pose = bent(rig, "hand", degrees);
    OwnedBuffer report;
    ASSERT_OK(sinew_measure(rig, pose, "lbs", report.out()));
    ASSERT_OK(sinew_measure_vertices(rig, pose, "lbs", &measures));
    const Json told = Json::parse(text_in(report)).at("methods")[0];
    const auto crossings = told.at("self_intersections").at("new").get<int>();
    const auto distorted = told.at("strain").at("distorted_triangles").get<int>();
    EXPECT_EQ(crossings > 0, degrees > 0);
    EXPECT_EQ(distorted > 0, degrees > 0);
    EXPECT_EQ(marked(SINEW_FAULT_CROSSING) > 0, crossings > 0);
    EXPECT_EQ(marked(SINEW_FAULT_DISTORTED) > 0, distorted > 0);
    EXPECT_LE(marked(SINEW_FAULT_DISTORTED), 3 * distorted);
    EXPECT_NEAR(*std::max_element(longest.begin(), longest.end()),
                told.at("edges").at("longest").get<double>(), 1e-5);
  }
}

TEST_F(CPictures, methods_are_compared_on_a_sheet) {
  const OwnedRig rig = sample("arm", 200);
  const OwnedPose pose = pose_of(rig);
  auto options = sized<sinew_comparison_options>();
  options.methods = "lbs,stbs-dqs";
  options.size = 100;
  options.stripes = 1;
  OwnedImage sheet, one;
  ASSERT_OK(sinew_draw_comparison(rig, pose, &options, sheet.out()));
  options.methods = "lbs";
  options.title = "One";
  options.view = "front";
  ASSERT_OK(sinew_draw_comparison(rig, pose, &options, one.out()));
  int wide = 0, narrow = 0;
  ASSERT_OK(sinew_image_data(sheet, &wide, nullptr, nullptr));
  ASSERT_OK(sinew_image_data(one, &narrow, nullptr, nullptr));
  EXPECT_GT(wide, narrow);
  OwnedImage none;
  const auto refused = [&](const auto& change, const char* message) {
    auto wrong = options;
    change(wrong);
    EXPECT_REFUSED(sinew_draw_comparison(rig, pose, &wrong, none.out()), SINEW_ERROR_USAGE,
                   message);
  };
  refused([](sinew_comparison_options& o) { o.methods = "magic"; }, "magic");
  refused([](sinew_comparison_options& o) { o.size = 20; }, "options.size");
  refused([](sinew_comparison_options& o) { o.view = "inside"; }, "inside");
  refused([](sinew_comparison_options& o) { o.focus = "tail"; }, "tail");
  EXPECT_REFUSED(sinew_draw_comparison(rig, nullptr, &options, none.out()), SINEW_ERROR_HANDLE,
                 "pose");
  EXPECT_REFUSED(sinew_draw_comparison(rig, pose, &options, nullptr), SINEW_ERROR_USAGE, "image");
}

TEST_F(CPictures, pictures_become_animations) {
  std::vector<OwnedImage> images(3);
  std::vector<const sinew_image*> frames;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const std::vector<std::uint8_t> pixels(4 * 6, static_cast<std::uint8_t>(255 - 50 * i));
    ASSERT_OK(sinew_image_create(3, 2, pixels.data(), 0, images[i].out()));
    frames.push_back(images[i]);
  }
  OwnedBuffer gif, apng;
  ASSERT_OK(sinew_image_write_animation(frames.data(), 3, 0.1, "gif", gif.out()));
  EXPECT_EQ(text_in(gif).substr(0, 6), "GIF89a");
  ASSERT_OK(sinew_image_write_animation(frames.data(), 3, 0.1, "apng", apng.out()));
  EXPECT_NE(text_in(apng).find("acTL"), std::string::npos);
  OwnedImage first;
  ASSERT_OK(sinew_image_read_memory(text_in(apng).data(), text_in(apng).size(), first.out()));

  OwnedBuffer none;
  const auto write = [&](std::size_t count, double seconds, const char* format) {
    return sinew_image_write_animation(frames.data(), count, seconds, format, none.out());
  };
  EXPECT_REFUSED(write(0, 0.1, "gif"), SINEW_ERROR_USAGE, "frame");
  EXPECT_REFUSED(write(0, 0.1, "apng"), SINEW_ERROR_USAGE, "frame");
  EXPECT_REFUSED(write(3, 0, "gif"), SINEW_ERROR_USAGE, "");
  EXPECT_REFUSED(write(3, HUGE_VAL, "apng"), SINEW_ERROR_USAGE, "seconds_per_frame");
  EXPECT_REFUSED(write(3, 0.1, "mp4"), SINEW_ERROR_USAGE, "mp4");
  EXPECT_REFUSED(write(3, 0.1, nullptr), SINEW_ERROR_USAGE, "format");
  EXPECT_REFUSED(sinew_image_write_animation(nullptr, 1, 0.1, "gif", none.out()), SINEW_ERROR_USAGE,
                 "images");
  EXPECT_REFUSED(sinew_image_write_animation(frames.data(), 3, 0.1, "gif", nullptr),
                 SINEW_ERROR_USAGE, "file");
  const std::uint8_t pixel[4] = {};
  OwnedImage small;
  ASSERT_OK(sinew_image_create(1, 1, pixel, 0, small.out()));
  frames[1] = small;
  EXPECT_REFUSED(write(3, 0.1, "gif"), SINEW_ERROR_USAGE, "1 x 1 pixels");
  frames[1] = nullptr;
  EXPECT_REFUSED(write(3, 0.1, "gif"), SINEW_ERROR_HANDLE, "image");
}

TEST_F(CPictures, motions_are_played_on_other_skeletons) {
  const OwnedRig rig = sample("mannequin", 300);
  OwnedBuffer file;
  ASSERT_OK(sinew_rig_write_memory(rig, "bvh", file.out()));
  OwnedRig source;
  const std::string bytes = text_in(file);
  ASSERT_OK(sinew_rig_read_memory(bytes.data(), bytes.size(), "bvh", source.out()));
  const std::size_t clips = count_of(rig, SINEW_CLIP);
  auto options = sized<sinew_retarget_options>();
  options.name = "recorded";
  OwnedBuffer report;
  ASSERT_OK(sinew_rig_retarget(rig, source, 0, &options, report.out()));
  EXPECT_EQ(count_of(rig, SINEW_CLIP), clips + 1);
  const Json told = Json::parse(text_in(report));
  EXPECT_GT(told.at("mapped").size(), 10u);
  EXPECT_GT(told.at("keys"), 0);
  double seconds = 0, recorded = 0;
  ASSERT_OK(sinew_rig_clip(rig, clips, &seconds, nullptr));
  ASSERT_OK(sinew_rig_clip(source, 0, &recorded, nullptr));
  EXPECT_NEAR(seconds, recorded, 0.05);

  // The map that was used gives the same again, and more keys where none are left out.
  const std::string map = told.at("map").dump();
  options.map = map.c_str();
  options.all_keys = 1;
  OwnedBuffer again;
  ASSERT_OK(sinew_rig_retarget(rig, source, 0, &options, again.out()));
  EXPECT_EQ(count_of(rig, SINEW_CLIP), clips + 1);
  EXPECT_EQ(Json::parse(text_in(again)).at("map"), told.at("map"));
  EXPECT_GT(Json::parse(text_in(again)).at("keys"), told.at("keys"));

  options.map = "{\"nobody\": \"nothing\"}";
  EXPECT_REFUSED(sinew_rig_retarget(rig, source, 0, &options, nullptr), SINEW_ERROR_INPUT,
                 "nobody");
  options.map = nullptr;
  EXPECT_REFUSED(sinew_rig_retarget(rig, source, 7, &options, nullptr), SINEW_ERROR_USAGE,
                 "clip 7");
  options.frames_per_second = -1;
  EXPECT_REFUSED(sinew_rig_retarget(rig, source, 0, &options, nullptr), SINEW_ERROR_USAGE, "");
  EXPECT_REFUSED(sinew_rig_retarget(rig, nullptr, 0, nullptr, nullptr), SINEW_ERROR_HANDLE, "rig");
  EXPECT_EQ(count_of(rig, SINEW_CLIP), clips + 1);
  const OwnedRig other = strip();
  EXPECT_REFUSED(sinew_rig_retarget(other, source, 0, nullptr, nullptr), SINEW_ERROR_INPUT, "");
}

// A skeleton as a rig has it, to be changed.
struct SkeletonCopy {
  std::vector<std::string> names;
  std::vector<const char*> name_pointers;
  std::vector<std::int32_t> bone_joints;
  sinew_skeleton_data data = sized<sinew_skeleton_data>();

  explicit SkeletonCopy(const sinew_rig* rig) {
    for (std::size_t j = 0; j < count_of(rig, SINEW_JOINT); ++j) {
      const char* name = nullptr;
      EXPECT_OK(sinew_rig_name(rig, SINEW_JOINT, j, &name));
      names.emplace_back(name);
    }
    EXPECT_OK(sinew_rig_get(rig, SINEW_JOINT_PARENTS, 0, &data.joint_parents));
    EXPECT_OK(sinew_rig_get(rig, SINEW_JOINT_RESTS, 0, &data.joint_rests));
    EXPECT_OK(sinew_rig_get(rig, SINEW_BONE_JOINTS, 0, &data.bone_joints));
    EXPECT_OK(sinew_rig_get(rig, SINEW_BONE_TAILS, 0, &data.bone_tails));
    EXPECT_OK(sinew_rig_get(rig, SINEW_BONE_INVERSE_BINDS, 0, &data.bone_inverse_binds));
  }
  const sinew_skeleton_data* get() {
    name_pointers.clear();
    for (const std::string& name : names) name_pointers.push_back(name.c_str());
    data.joint_names = name_pointers.data();
    return &data;
  }
};

// A textured rig with a clip, as it is read from a file.
OwnedRig textured_rig() {
  OwnedImage picture;
  OwnedBuffer bones, motion, file;
  const char* name = nullptr;
  EXPECT_OK(sinew_sample_picture_info(0, &name, nullptr));
  EXPECT_OK(sinew_sample_picture(name, 96, picture.out(), bones.out(), motion.out()));
  const std::string bones_text = text_in(bones), motion_text = text_in(motion);
  auto options = sized<sinew_puppet_options>();
  options.bones = bones_text.c_str();
  options.weights = "idw";
  options.endpoints = "projection";
  OwnedPuppet puppet;
  EXPECT_OK(sinew_puppet_create(picture, &options, nullptr, nullptr, puppet.out()));
  EXPECT_OK(sinew_puppet_add_motion(puppet, motion_text.c_str()));
  OwnedRig made, read;
  EXPECT_OK(sinew_puppet_rig(puppet, made.out()));
  EXPECT_OK(sinew_rig_write_memory(made, "glb", file.out()));
  const std::string bytes = text_in(file);
  EXPECT_OK(sinew_rig_read_memory(bytes.data(), bytes.size(), "glb", read.out()));
  return read;
}

std::vector<std::uint8_t> drawn(const sinew_rig* rig) {
  auto options = sized<sinew_draw_options>();
  options.width = 48;
  OwnedImage image;
  int width = 0, height = 0;
  const std::uint8_t* pixels = nullptr;
  EXPECT_OK(sinew_draw(rig, nullptr, &options, image.out()));
  EXPECT_OK(sinew_image_data(image, &width, &height, &pixels));
  return {pixels, pixels + 4 * width * height};
}

TEST_F(CPictures, another_skeleton_keeps_looks_and_what_its_bones_have_in_common) {
  const OwnedRig rig = textured_rig();
  const std::vector<std::uint8_t> picture = drawn(rig);
  const std::vector<double> weights = field_of(rig, SINEW_WEIGHTS),
                            endpoints = field_of(rig, SINEW_ENDPOINTS);
  std::size_t channels = 0, left = 0;
  ASSERT_OK(sinew_rig_clip(rig, 0, nullptr, &channels));
  SkeletonCopy skeleton(rig);
  ASSERT_OK(sinew_rig_set_skeleton(rig, skeleton.get()));
  EXPECT_EQ(field_of(rig, SINEW_WEIGHTS), weights);
  EXPECT_EQ(field_of(rig, SINEW_ENDPOINTS), endpoints);
  ASSERT_OK(sinew_rig_clip(rig, 0, nullptr, &left));
  EXPECT_EQ(left, channels);
  EXPECT_EQ(drawn(rig), picture);
  OwnedBuffer file;
  ASSERT_OK(sinew_rig_write_memory(rig, "glb", file.out()));
  const std::string bytes = text_in(file);
  OwnedRig read;
  ASSERT_OK(sinew_rig_read_memory(bytes.data(), bytes.size(), "glb", read.out()));
  EXPECT_EQ(drawn(read), picture);

  // A bone that is gone leaves its weights to the others.
  SkeletonCopy renamed(rig);
  sinew_array joints{};
  ASSERT_OK(sinew_rig_get(rig, SINEW_BONE_JOINTS, 0, &joints));
  renamed.names[*static_cast<const std::int32_t*>(joints.data)] = "another";
  ASSERT_OK(sinew_rig_set_skeleton(rig, renamed.get()));
  EXPECT_LT(count_of(rig, SINEW_INFLUENCE), weights.size());
  EXPECT_GT(count_of(rig, SINEW_INFLUENCE), 0u);
  sinew_array offsets{};
  ASSERT_OK(sinew_rig_get(rig, SINEW_WEIGHT_OFFSETS, 0, &offsets));
  const auto* begins = static_cast<const std::size_t*>(offsets.data);
  const std::vector<double> rest = field_of(rig, SINEW_WEIGHTS);
  for (std::size_t v = 0; v + 1 < offsets.count; ++v) {
    if (begins[v] == begins[v + 1]) continue;
    EXPECT_NEAR(std::accumulate(rest.begin() + begins[v], rest.begin() + begins[v + 1], 0.0), 1,
                1e-6);
  }
  EXPECT_EQ(drawn(rig), picture);
  for (std::string& name : renamed.names) name = "new " + name;
  SkeletonCopy all_new(rig);
  all_new.names = renamed.names;
  ASSERT_OK(sinew_rig_set_skeleton(rig, all_new.get()));
  EXPECT_EQ(count_of(rig, SINEW_INFLUENCE), 0u);
  EXPECT_EQ(count_of(rig, SINEW_CLIP), 0u);
  EXPECT_EQ(drawn(rig), picture);
}

TEST_F(CPictures, joints_have_an_axis_about_which_they_twist) {
  const OwnedRig rig = strip();
  const std::vector<double> axes = field_of(rig, SINEW_JOINT_TWIST_AXES);
  ASSERT_EQ(axes.size(), 6u);
  EXPECT_NEAR(axes[1], 1, 1e-12);
  EXPECT_NEAR(axes[4], 1, 1e-12);
  sinew_array array{};
  EXPECT_REFUSED(sinew_rig_get(rig, SINEW_JOINT_TWIST_AXES, 1, &array), SINEW_ERROR_USAGE, "index");
  OwnedRig empty;
  ASSERT_OK(sinew_rig_create(nullptr, empty.out()));
  EXPECT_TRUE(field_of(empty, SINEW_JOINT_TWIST_AXES).empty());
}

}  // namespace
}  // namespace sinew::c_api
