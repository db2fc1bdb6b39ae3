// SPDX-License-Identifier: Apache-2.0
// Handles that are NULL, freed or of another kind, in every function that takes one; and that
// nothing is left of those that were freed.
#include <filesystem>
#include <functional>
#include <regex>
#include <set>

#include <malloc.h>

#include "sinew/core/file.h"
#include "tests/bindings_c/c_api.h"
#include "tests/support/paths.h"

namespace sinew::c_api {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool counts_memory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool counts_memory = false;
#else
constexpr bool counts_memory = true;
#endif
#else
constexpr bool counts_memory = true;
#endif

class CHandles : public CApi {};

template <class T>
T* as(void* handle) {
  return static_cast<T*>(handle);
}

// Every call of the interface with this handle where it takes one of that kind.
std::vector<std::pair<const char*, std::function<sinew_status(void*)>>> calls_with_a_rig() {
  static std::size_t count = 0;
  static const char* name = nullptr;
  static int index = 0;
  static sinew_array array{};
  static auto channel = sized<sinew_channel>();
  static auto mesh = sized<sinew_mesh_data>();
  static auto skeleton = sized<sinew_skeleton_data>();
  static auto weights = sized<sinew_weights_data>();
  static auto shape = sized<sinew_shape_data>();
  static sinew_buffer* buffer = nullptr;
  static sinew_rig* rig = nullptr;
  static sinew_pose* pose = nullptr;
  static sinew_deformer* deformer = nullptr;
  static sinew_image* image = nullptr;
  static sinew_ik* ik = nullptr;
  static sinew_painter* painter = nullptr;
  static sinew_gpu_skin* gpu_skin = nullptr;
  using R = sinew_rig;
  return {
      {"sinew_rig_write", [](void* h) { return sinew_rig_write(as<R>(h), "/nowhere/x.glb"); }},
      {"sinew_rig_write_memory",
       [](void* h) { return sinew_rig_write_memory(as<R>(h), "glb", &buffer); }},
      {"sinew_rig_copy", [](void* h) { return sinew_rig_copy(as<R>(h), &rig); }},
      {"sinew_rig_count", [](void* h) { return sinew_rig_count(as<R>(h), SINEW_BONE, &count); }},
      {"sinew_rig_name", [](void* h) { return sinew_rig_name(as<R>(h), SINEW_RIG, 0, &name); }},
      {"sinew_rig_find",
       [](void* h) { return sinew_rig_find(as<R>(h), SINEW_JOINT, "a", &index); }},
      {"sinew_rig_get",
       [](void* h) { return sinew_rig_get(as<R>(h), SINEW_POSITIONS, 0, &array); }},
      {"sinew_rig_clip", [](void* h) { return sinew_rig_clip(as<R>(h), 0, nullptr, &count); }},
      {"sinew_rig_channel", [](void* h) { return sinew_rig_channel(as<R>(h), 0, 0, &channel); }},
      {"sinew_rig_set_mesh", [](void* h) { return sinew_rig_set_mesh(as<R>(h), &mesh); }},
      {"sinew_rig_set_skeleton",
       [](void* h) { return sinew_rig_set_skeleton(as<R>(h), &skeleton); }},
      {"sinew_rig_set_weights", [](void* h) { return sinew_rig_set_weights(as<R>(h), &weights); }},
      {"sinew_rig_add_shape", [](void* h) { return sinew_rig_add_shape(as<R>(h), &shape); }},
      {"sinew_rig_add_control", [](void* h) { return sinew_rig_add_control(as<R>(h), "c", 0); }},
      {"sinew_rig_add_clip",
       [](void* h) { return sinew_rig_add_clip(as<R>(h), "c", &channel, 1); }},
      {"sinew_rig_add_keys", [](void* h) { return sinew_rig_add_keys(as<R>(h), "{}"); }},
      {"sinew_rig_retarget",
       [](void* h) { return sinew_rig_retarget(as<R>(h), nullptr, 0, nullptr, &buffer); }},
      {"sinew_rig_remove_clip", [](void* h) { return sinew_rig_remove_clip(as<R>(h), 0); }},
      {"sinew_rig_compute_weights",
       [](void* h) {
         return sinew_rig_compute_weights(as<R>(h), nullptr, nullptr, nullptr, &buffer);
       }},
      {"sinew_rig_weight_report",
       [](void* h) { return sinew_rig_weight_report(as<R>(h), &buffer); }},
      {"sinew_rig_edit",
       [](void* h) { return sinew_rig_edit(as<R>(h), "[]", nullptr, nullptr, &buffer); }},
      {"sinew_painter_create",
       [](void* h) { return sinew_painter_create(as<R>(h), nullptr, &painter); }},
      {"sinew_pose_create", [](void* h) { return sinew_pose_create(as<R>(h), nullptr, &pose); }},
      {"sinew_ik_create",
       [](void* h) { return sinew_ik_create(as<R>(h), nullptr, 0, nullptr, &ik); }},
      {"sinew_deformer_create",
       [](void* h) { return sinew_deformer_create(as<R>(h), nullptr, &deformer); }},
      {"sinew_gpu_skin_create",
       [](void* h) { return sinew_gpu_skin_create(as<R>(h), nullptr, &gpu_skin); }},
      {"sinew_measure", [](void* h) { return sinew_measure(as<R>(h), nullptr, "lbs", &buffer); }},
      {"sinew_measure_vertices",
       [](void* h) { return sinew_measure_vertices(as<R>(h), nullptr, "lbs", nullptr); }},
      {"sinew_draw_comparison",
       [](void* h) { return sinew_draw_comparison(as<R>(h), nullptr, nullptr, &image); }},
      {"sinew_bake",
       [](void* h) {
         return sinew_bake(as<R>(h), nullptr, nullptr, nullptr, &rig, &buffer, nullptr);
       }},
      {"sinew_bake_shapes",
       [](void* h) {
         return sinew_bake_shapes(as<R>(h), 0, nullptr, nullptr, nullptr, &rig, &buffer);
       }},
      {"sinew_bake_cache",
       [](void* h) { return sinew_bake_cache(as<R>(h), 0, nullptr, nullptr, nullptr, &buffer); }},
      {"sinew_draw", [](void* h) { return sinew_draw(as<R>(h), nullptr, nullptr, &image); }},
  };
}

std::vector<std::pair<const char*, std::function<sinew_status(void*)>>> calls_with_others(
    const char* kind) {
  static sinew_array array{};
  static double transform[10] = {};
  static std::size_t count = 0;
  static float floats[48] = {};
  static sinew_buffer* buffer = nullptr;
  static sinew_rig* rig = nullptr;
  static sinew_deformer* deformer = nullptr;
  static sinew_image* image = nullptr;
  static sinew_puppet* puppet = nullptr;
  static auto output = sized<sinew_output>();
  static auto goal = sized<sinew_ik_goal>();
  static const char* data = nullptr;
  static const std::uint8_t* pixels = nullptr;
  const std::string wanted = kind;
  using P = sinew_pose;
  if (wanted == "pose") {
    return {
        {"sinew_pose_rest", [](void* h) { return sinew_pose_rest(as<P>(h)); }},
        {"sinew_pose_play", [](void* h) { return sinew_pose_play(as<P>(h), 0, 0); }},
        {"sinew_pose_set_joints", [](void* h) { return sinew_pose_set_joints(as<P>(h), &array); }},
        {"sinew_pose_set_joint",
         [](void* h) { return sinew_pose_set_joint(as<P>(h), 0, transform); }},
        {"sinew_pose_set_shapes", [](void* h) { return sinew_pose_set_shapes(as<P>(h), &array); }},
        {"sinew_pose_set_controls",
         [](void* h) { return sinew_pose_set_controls(as<P>(h), &array); }},
        {"sinew_pose_set_json", [](void* h) { return sinew_pose_set_json(as<P>(h), "{}"); }},
        {"sinew_pose_write_json", [](void* h) { return sinew_pose_write_json(as<P>(h), &buffer); }},
        {"sinew_pose_get",
         [](void* h) { return sinew_pose_get(as<P>(h), SINEW_POSE_JOINTS, &array); }},
        {"sinew_gpu_pose_size", [](void* h) { return sinew_gpu_pose_size(as<P>(h), &count); }},
        {"sinew_gpu_pose", [](void* h) { return sinew_gpu_pose(as<P>(h), nullptr, floats, 48); }},
    };
  }
  if (wanted == "GPU skin") {
    return {{"sinew_gpu_skin_get", [](void* h) {
               return sinew_gpu_skin_get(as<sinew_gpu_skin>(h), SINEW_GPU_VERTICES, &array);
             }}};
  }
  if (wanted == "deformer") {
    return {{"sinew_deformer_copy",
             [](void* h) { return sinew_deformer_copy(as<sinew_deformer>(h), &deformer); }},
            {"sinew_deformer_deform", [](void* h) {
               return sinew_deformer_deform(as<sinew_deformer>(h), nullptr, &output);
             }}};
  }
  if (wanted == "ik solver") {
    return {{"sinew_ik_solve",
             [](void* h) { return sinew_ik_solve(as<sinew_ik>(h), nullptr, &goal, 1, nullptr); }}};
  }
  if (wanted == "image") {
    return {
        {"sinew_image_data",
         [](void* h) { return sinew_image_data(as<sinew_image>(h), nullptr, nullptr, &pixels); }},
        {"sinew_image_write",
         [](void* h) { return sinew_image_write(as<sinew_image>(h), "/nowhere/x.png"); }},
        {"sinew_image_write_memory",
         [](void* h) { return sinew_image_write_memory(as<sinew_image>(h), &buffer); }},
        {"sinew_image_write_animation",
         [](void* h) {
           const sinew_image* const frame = as<sinew_image>(h);
           return sinew_image_write_animation(&frame, 1, 0.1, "gif", &buffer);
         }},
        {"sinew_puppet_create",
         [](void* h) {
           return sinew_puppet_create(as<sinew_image>(h), nullptr, nullptr, nullptr, &puppet);
         }},
    };
  }
  if (wanted == "painter") {
    using B = sinew_painter;
    static int triangle = 0;
    static auto brush = sized<sinew_brush>();
    static auto rows = sized<sinew_painted_rows>();
    return {
        {"sinew_painter_pick",
         [](void* h) {
           return sinew_painter_pick(as<B>(h), transform, nullptr, &triangle, nullptr);
         }},
        {"sinew_painter_begin", [](void* h) { return sinew_painter_begin(as<B>(h), &brush); }},
        {"sinew_painter_dab",
         [](void* h) { return sinew_painter_dab(as<B>(h), 0, transform, nullptr); }},
        {"sinew_painter_end", [](void* h) { return sinew_painter_end(as<B>(h)); }},
        {"sinew_painter_undo", [](void* h) { return sinew_painter_undo(as<B>(h), nullptr); }},
        {"sinew_painter_redo", [](void* h) { return sinew_painter_redo(as<B>(h), nullptr); }},
        {"sinew_painter_changed", [](void* h) { return sinew_painter_changed(as<B>(h), &rows); }},
        {"sinew_painter_strokes", [](void* h) { return sinew_painter_strokes(as<B>(h), &buffer); }},
        {"sinew_painter_apply", [](void* h) { return sinew_painter_apply(as<B>(h), nullptr); }},
    };
  }
  if (wanted == "puppet") {
    using U = sinew_puppet;
    return {
        {"sinew_puppet_bones", [](void* h) { return sinew_puppet_bones(as<U>(h), &buffer); }},
        {"sinew_puppet_report", [](void* h) { return sinew_puppet_report(as<U>(h), &buffer); }},
        {"sinew_puppet_add_loop",
         [](void* h) { return sinew_puppet_add_loop(as<U>(h), "wave", nullptr); }},
        {"sinew_puppet_add_motion",
         [](void* h) { return sinew_puppet_add_motion(as<U>(h), "{}"); }},
        {"sinew_puppet_rig", [](void* h) { return sinew_puppet_rig(as<U>(h), &rig); }},
        {"sinew_puppet_draw",
         [](void* h) { return sinew_puppet_draw(as<U>(h), -1, 0, nullptr, &image); }},
    };
  }
  return {{"sinew_buffer_data",
           [](void* h) { return sinew_buffer_data(as<sinew_buffer>(h), &data, nullptr); }}};
}

void expect_refused(
    const std::vector<std::pair<const char*, std::function<sinew_status(void*)>>>& calls,
    const char* kind, void* freed, void* of_another_kind) {
  const std::string name = kind;
  for (const auto& [function, call] : calls) {
    SCOPED_TRACE(function);
    EXPECT_REFUSED(call(nullptr), SINEW_ERROR_HANDLE, "the " + name + " is NULL");
    EXPECT_REFUSED(call(freed), SINEW_ERROR_HANDLE, "the " + name + " was freed");
    EXPECT_REFUSED(call(of_another_kind), SINEW_ERROR_HANDLE, "where a " + name + " is expected");
    int on_the_stack = 0;
    EXPECT_REFUSED(call(&on_the_stack), SINEW_ERROR_HANDLE, "no handle");
  }
}

TEST_F(CHandles, null_freed_and_other_handles_are_refused_by_every_function) {
  OwnedRig rig = strip();
  sinew_rig* freed_rig = rig;
  sinew_pose* pose = nullptr;
  ASSERT_OK(sinew_pose_create(rig, nullptr, &pose));
  sinew_deformer* deformer = nullptr;
  ASSERT_OK(sinew_deformer_create(rig, nullptr, &deformer));
  sinew_ik* ik = nullptr;
  auto handle = sized<sinew_ik_handle>();
  handle.joint = 1;
  handle.root = -1;
  ASSERT_OK(sinew_ik_create(rig, &handle, 1, nullptr, &ik));
  sinew_painter* painter = nullptr;
  ASSERT_OK(sinew_painter_create(rig, nullptr, &painter));
  sinew_gpu_skin* gpu_skin = nullptr;
  ASSERT_OK(sinew_gpu_skin_create(rig, nullptr, &gpu_skin));
  sinew_buffer* buffer = nullptr;
  ASSERT_OK(sinew_rig_write_memory(rig, "obj", &buffer));
  const std::uint8_t pixel[4] = {};
  sinew_image* image = nullptr;
  ASSERT_OK(sinew_image_create(1, 1, pixel, 0, &image));
  ASSERT_OK(sinew_rig_free(rig));
  *rig.out() = nullptr;
  ASSERT_OK(sinew_pose_free(pose));
  ASSERT_OK(sinew_deformer_free(deformer));
  ASSERT_OK(sinew_ik_free(ik));
  ASSERT_OK(sinew_painter_free(painter));
  ASSERT_OK(sinew_gpu_skin_free(gpu_skin));
  ASSERT_OK(sinew_image_free(image));
  const OwnedRig another = strip();
  OwnedBuffer bytes;
  ASSERT_OK(sinew_rig_write_memory(another, "obj", bytes.out()));
  void* other_rig = static_cast<sinew_rig*>(another);
  void* other_buffer = static_cast<sinew_buffer*>(bytes);
  expect_refused(calls_with_a_rig(), "rig", freed_rig, other_buffer);
  expect_refused(calls_with_others("pose"), "pose", pose, other_rig);
  expect_refused(calls_with_others("deformer"), "deformer", deformer, other_rig);
  expect_refused(calls_with_others("ik solver"), "ik solver", ik, other_rig);
  expect_refused(calls_with_others("painter"), "painter", painter, other_rig);
  expect_refused(calls_with_others("GPU skin"), "GPU skin", gpu_skin, other_rig);
  expect_refused(calls_with_others("image"), "image", image, other_rig);
  expect_refused(calls_with_others("puppet"), "puppet", image, other_rig);
  ASSERT_OK(sinew_buffer_free(buffer));
  expect_refused(calls_with_others("buffer"), "buffer", buffer, other_rig);

  // Freed twice, or as what it is not; NULL is nothing to free.
  EXPECT_REFUSED(sinew_rig_free(freed_rig), SINEW_ERROR_HANDLE, "freed");
  EXPECT_REFUSED(sinew_pose_free(pose), SINEW_ERROR_HANDLE, "freed");
  EXPECT_REFUSED(sinew_deformer_free(deformer), SINEW_ERROR_HANDLE, "freed");
  EXPECT_REFUSED(sinew_ik_free(ik), SINEW_ERROR_HANDLE, "freed");
  EXPECT_REFUSED(sinew_painter_free(painter), SINEW_ERROR_HANDLE, "freed");
  EXPECT_REFUSED(sinew_gpu_skin_free(gpu_skin), SINEW_ERROR_HANDLE, "freed");
  EXPECT_REFUSED(sinew_image_free(image), SINEW_ERROR_HANDLE, "freed");
  EXPECT_REFUSED(sinew_buffer_free(buffer), SINEW_ERROR_HANDLE, "freed");
  EXPECT_REFUSED(sinew_puppet_free(as<sinew_puppet>(other_rig)), SINEW_ERROR_HANDLE, "puppet");
  EXPECT_OK(sinew_rig_free(nullptr));
  EXPECT_OK(sinew_puppet_free(nullptr));
}

TEST_F(CHandles, a_pose_that_is_none_is_refused_beside_a_rig_that_is_one) {
  const OwnedRig rig = strip();
  OwnedDeformer deformer;
  ASSERT_OK(sinew_deformer_create(rig, nullptr, deformer.out()));
  auto output = sized<sinew_output>();
  output.vertex_count = 6;
  EXPECT_REFUSED(sinew_deformer_deform(deformer, nullptr, &output), SINEW_ERROR_HANDLE, "pose");
  OwnedBuffer report;
  EXPECT_REFUSED(sinew_measure(rig, nullptr, "lbs", report.out()), SINEW_ERROR_HANDLE, "pose");
  OwnedImage image;
  EXPECT_REFUSED(
      sinew_draw(rig, as<sinew_pose>(static_cast<sinew_rig*>(rig)), nullptr, image.out()),
      SINEW_ERROR_HANDLE, "pose");
}

TEST_F(CHandles, the_library_says_what_it_is) {
  EXPECT_STREQ(sinew_version(), SINEW_VERSION);
  EXPECT_EQ(std::string(SINEW_VERSION), std::to_string(SINEW_VERSION_MAJOR) + "." +
                                            std::to_string(SINEW_VERSION_MINOR) + "." +
                                            std::to_string(SINEW_VERSION_PATCH));
  EXPECT_STREQ(sinew_status_name(SINEW_OK), "SINEW_OK");
  std::set<std::string> names;
  for (int status = 0; status <= SINEW_ERROR_INTERNAL; ++status) {
    names.insert(sinew_status_name(status));
  }
  EXPECT_EQ(names.size(), 8u);
  EXPECT_EQ(names.count("unknown"), 0u);
  EXPECT_STREQ(sinew_status_name(99), "unknown");
  EXPECT_STREQ(sinew_status_name(-1), "unknown");
  int threads = 0;
  ASSERT_OK(sinew_set_thread_count(1));
  ASSERT_OK(sinew_get_thread_count(&threads));
  EXPECT_EQ(threads, 1);
  ASSERT_OK(sinew_set_thread_count(0));
  EXPECT_REFUSED(sinew_set_thread_count(-1), SINEW_ERROR_USAGE, "below 0");
  EXPECT_REFUSED(sinew_get_thread_count(nullptr), SINEW_ERROR_USAGE, "count");
  EXPECT_REFUSED(sinew_handle_count(nullptr), SINEW_ERROR_USAGE, "count");
}

TEST_F(CHandles, a_long_message_is_cut_between_characters) {
  const OwnedRig rig = strip();
  std::string path = "/nowhere/";
  for (int i = 0; i < 4000; ++i) path += "\xC3\xA4";
  EXPECT_EQ(sinew_rig_write(rig, (path + ".docx").c_str()), SINEW_ERROR_USAGE);
  const std::string message = sinew_last_error();
  EXPECT_LT(message.size(), 4096u);
  EXPECT_GT(message.size(), 4000u);
  EXPECT_EQ(message.back(), '\xA4');
}

// One of each kind of handle but puppets, which take as long as thirty of the others.
void make_and_free() {
  const OwnedRig rig = strip();
  const OwnedPose pose = pose_of(rig);
  OwnedDeformer deformer, copy;
  EXPECT_OK(sinew_deformer_create(rig, nullptr, deformer.out()));
  EXPECT_OK(sinew_deformer_copy(deformer, copy.out()));
  OwnedIk ik;
  auto handle = sized<sinew_ik_handle>();
  handle.joint = 1;
  handle.root = -1;
  EXPECT_OK(sinew_ik_create(rig, &handle, 1, nullptr, ik.out()));
  OwnedPainter painter;
  EXPECT_OK(sinew_painter_create(rig, nullptr, painter.out()));
  OwnedGpuSkin gpu_skin;
  EXPECT_OK(sinew_gpu_skin_create(rig, nullptr, gpu_skin.out()));
  OwnedBuffer buffer;
  EXPECT_OK(sinew_rig_write_memory(rig, "obj", buffer.out()));
  const std::uint8_t pixel[4] = {};
  OwnedImage image;
  EXPECT_OK(sinew_image_create(1, 1, pixel, 0, image.out()));
  OwnedRig none;
  EXPECT_EQ(sinew_rig_read_memory("x", 1, "glb", none.out()), SINEW_ERROR_INPUT);
}

// Ten thousand times, of which nothing may be left.
void expect_no_leak(const std::function<void()>& make_and_free_it) {
  ASSERT_OK(sinew_set_thread_count(1));
  for (int i = 0; i < 1000; ++i) make_and_free_it();
  const std::size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 9000; ++i) make_and_free_it();
  const std::size_t after = mallinfo2().uordblks;
  ASSERT_OK(sinew_set_thread_count(0));
  if (!counts_memory) return;
  // Not one byte per cycle.
  EXPECT_LT(after, before + 9000) << before << " " << after;
}

TEST_F(CHandles, ten_thousand_of_each_leave_nothing_behind) { expect_no_leak(make_and_free); }

TEST_F(CHandles, ten_thousand_puppets_leave_nothing_behind) {
  // A square of four by four pixels on one bone, with a rim that is cut away.
  std::vector<std::uint8_t> pixels(6 * 6 * 4);
  for (std::size_t y = 1; y < 5; ++y) {
    for (std::size_t x = 1; x < 5; ++x) pixels[4 * (6 * y + x) + 3] = 255;
  }
  OwnedImage image;
  ASSERT_OK(sinew_image_create(6, 6, pixels.data(), 0, image.out()));
  auto options = sized<sinew_puppet_options>();
  options.bones =
      R"({"joints": [{"name": "a", "position": [3, 5]}, {"name": "b", "position": [3, 1]}],
                      "bones": [{"name": "bone", "from": "a", "to": "b"}]})";
  options.cut = "alpha";
  options.weights = "rigid";
  options.endpoints = "none";
  options.longest_edge = 100;
  expect_no_leak([&] {
    OwnedPuppet puppet;
    ASSERT_OK(sinew_puppet_create(image, &options, nullptr, nullptr, puppet.out()));
  });
}

TEST_F(CHandles, every_function_of_the_header_is_called_by_these_tests) {
  const std::string header = read_file(source_folder() / "bindings" / "c" / "sinew.h");
  std::string tests;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_folder() / "tests" / "bindings_c")) {
    tests += read_file(entry.path());
  }
  const std::regex declaration(R"(SINEW_API [^;()]*?(sinew_\w+)\()");
  std::size_t count = 0;
  for (std::sregex_iterator found(header.begin(), header.end(), declaration), end; found != end;
       ++found, ++count) {
    const std::string name = (*found)[1];
    EXPECT_NE(tests.find(name + "("), std::string::npos) << name;
  }
  EXPECT_GE(count, 80u);
}

// A script reads the header: a comment right above every declaration, which says what threads may
// do.
TEST_F(CHandles, every_declaration_has_a_comment_with_its_thread_rule) {
  const std::string header = read_file(source_folder() / "bindings" / "c" / "sinew.h");
  for (std::size_t at = header.find("\nSINEW_API "); at != std::string::npos;
       at = header.find("\nSINEW_API ", at + 1)) {
    const std::string line = header.substr(at + 1, header.find('(', at) - at);
    ASSERT_EQ(header.substr(at - 2, 2), "*/") << line;
    const std::string comment = header.substr(header.rfind("/*", at), at - header.rfind("/*", at));
    EXPECT_NE(comment.find("Threads:"), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace sinew::c_api
