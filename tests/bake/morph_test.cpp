// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/morph.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/deform.h"
#include "sinew/io/gltf.h"
#include "sinew/io/gltf/document.h"
#include "sinew/io/point_cache.h"
#include "sinew/kernels/clip_frames.h"
#include "sinew/samples/samples.h"
#include "tests/support/assets.h"
#include "tests/support/comparing.h"
#include "tests/support/refusals.h"
#include "tests/support/rigs.h"

namespace sinew {
namespace {

Deformed truth(const Rig& rig, const Clip& clip, double time, const char* method) {
  return deform_reference(rig, bone_states(rig, clip, time), pose_at(rig, clip, time).shapes,
                          method_from_name(method, rig), !rig.mesh.normals.empty());
}

// What any viewer does: base plus weighted targets.
ShapedMesh shown(const Rig& rig, double time) {
  return blend_shapes(rig.mesh, pose_at(rig, rig.clips.front(), time).shapes);
}

double box_of(const Rig& rig) { return bounding_box(rig.mesh.positions).diagonal(); }

TEST(Morph, every_moment_is_within_the_bound_through_a_file) {
  const Rig rig = make_sample("arm", 600);
  for (const char* method : {"stbs-lbs", "stbs-dqs"}) {
    const Morphed baked = bake_morph(rig, rig.clips.back(), method_from_name(method, rig));
    EXPECT_TRUE(is_within_bound(baked.report)) << to_text(baked.report);
    EXPECT_GT(baked.report.max_error_percent, 0.02) << "keys could be further apart";
    EXPECT_LE(baked.report.rms_error, baked.report.max_error_percent);
    const Rig read = parse_gltf(to_glb({baked.rig, nullptr})).rig;
    const double end = duration(rig.clips.back());
    for (int i = 0; i <= 20; ++i) {
      const double time = end * i / 20;
      const double off = largest_difference(shown(read, time).positions,
                                            truth(rig, rig.clips.back(), time, method).positions);
      EXPECT_LE(off, 0.001 * 1.05 * box_of(rig)) << method << " " << time;
    }
  }
}

TEST(Morph, at_the_keys_it_is_the_true_result_with_its_normals) {
  const Rig rig = make_sample("arm", 600);
  const Clip& clip = rig.clips.front();
  const Rig baked = bake_morph(rig, clip, method_from_name("stbs-dqs", rig)).rig;
  const auto& keys = std::get<ShapeChannel>(baked.clips.front().channels.front()).curve.times;
  ASSERT_GT(keys.size(), 2u);
  ClipFrames frames(rig, clip, method_from_name("stbs-dqs", rig), {.normals = true});
  for (const double time : {keys[0], keys[1], keys.back()}) {
    const Deformed exact = frames.at(time);
    const ShapedMesh mesh = shown(baked, time);
    EXPECT_LE(largest_difference(mesh.positions, exact.positions), 1e-7 * box_of(rig));
    ASSERT_EQ(mesh.normals.size(), exact.normals.size());
    EXPECT_LE(largest_difference(mesh.normals, exact.normals), 1e-6);
  }
}

TEST(Morph, a_tighter_bound_takes_more_shapes_and_is_met) {
  const Rig rig = make_sample("arm", 600);
  const Method method = method_from_name("stbs-lbs", rig);
  const Morphed coarse = bake_morph(rig, rig.clips[0], method, {.max_error_percent = 1});
  const Morphed fine = bake_morph(rig, rig.clips[0], method, {.max_error_percent = 0.05});
  EXPECT_LT(coarse.report.targets, fine.report.targets);
  EXPECT_LE(fine.report.max_error_percent, 0.05);
}

TEST(Morph, too_few_frames_do_not_meet_the_bound_and_say_so) {
  const Rig rig = make_sample("arm", 600);
  const Morphed baked = bake_morph(rig, rig.clips[0], method_from_name("stbs-lbs", rig),
                                   {.max_error_percent = 0.01, .frames_per_second = 2});
  EXPECT_FALSE(is_within_bound(baked.report));
  EXPECT_NE(baked.report.remedy.find("more frames"), std::string::npos);
  for (const double time : std::get<ShapeChannel>(baked.rig.clips[0].channels[0]).curve.times) {
    EXPECT_EQ(time * 2, std::round(time * 2));
  }
}

TEST(Morph, blend_shapes_of_the_model_are_part_of_the_result) {
  const Rig rig = tube_rig();
  ASSERT_FALSE(rig.mesh.shapes.empty());
  const Clip& clip = rig.clips.front();
  const Morphed baked = bake_morph(rig, clip, method_from_name("stbs-lbs", rig));
  ASSERT_TRUE(is_within_bound(baked.report)) << to_text(baked.report);
  for (int i = 0; i <= 10; ++i) {
    const double time = duration(clip) * i / 10;
    EXPECT_LE(largest_difference(shown(baked.rig, time).positions,
                                 truth(rig, clip, time, "stbs-lbs").positions),
              0.001 * 1.05 * box_of(rig));
  }
}

TEST(Morph, in_the_place_of_its_model_everything_but_the_motion_stays) {
  SINEW_ASSET_OR_SKIP(path, "CesiumMan.glb");
  const Model model = read_gltf(path);
  const Clip& clip = model.rig.clips.front();
  const Morphed baked = bake_morph(model.rig, clip, method_from_name("stbs-lbs", model.rig));
  EXPECT_TRUE(is_within_bound(baked.report)) << to_text(baked.report);
  const Model again = parse_gltf(to_glb({baked.rig, model.source}));
  const auto &before = model.source->json, &after = again.source->json;
  for (const char* key : {"asset", "materials", "textures", "images", "samplers", "scenes"}) {
    EXPECT_EQ(after.value(key, gltf::Json()), before.value(key, gltf::Json())) << key;
  }
  EXPECT_FALSE(after.contains("skins"));
  ASSERT_EQ(after["animations"].size(), 1u);
  EXPECT_EQ(after["animations"][0]["channels"].size(), 1u);
  EXPECT_EQ(after["animations"][0]["channels"][0]["target"]["path"], "weights");
  for (int i = 0; i <= 10; ++i) {
    const double time = duration(clip) * i / 10;
    EXPECT_LE(largest_difference(shown(again.rig, time).positions,
                                 truth(model.rig, clip, time, "stbs-lbs").positions),
              0.001 * 1.05 * box_of(model.rig));
  }
}

TEST(Morph, the_same_bytes_come_out_whatever_the_number_of_threads) {
  const Rig rig = make_sample("arm", 600);
  const Method method = method_from_name("stbs-dqs", rig);
  set_thread_count(1);
  const Morphed one = bake_morph(rig, rig.clips[0], method);
  set_thread_count(0);
  const Morphed all = bake_morph(rig, rig.clips[0], method);
  EXPECT_EQ(to_glb({one.rig, nullptr}), to_glb({all.rig, nullptr}));
  EXPECT_EQ(to_json(one.report), to_json(all.report));
}

TEST(Morph, bones_that_are_stretched_get_thinner_where_that_is_asked_for) {
  const Rig rig = make_sample("arm", 600);
  const Vec3& at_rest = rig.skeleton.joints[2].rest.translation;
  TranslationChannel away{2, {}};
  away.curve.times = {0, 2};
  away.curve.values = {at_rest, at_rest * 2};
  const Clip clip{"stretch", {away}};
  const Method method = method_from_name("stbs-dqs", rig);
  const double time = 1;
  const StateOptions squash{.squash = true};
  const std::vector<Vec3> thin =
      deform_reference(rig, bone_states(rig, clip, time, squash), {}, method).positions;
  ASSERT_GT(largest_difference(thin, truth(rig, clip, time, "stbs-dqs").positions),
            0.01 * box_of(rig));
  const Rig baked = bake_morph(rig, clip, method, {.states = squash}).rig;
  EXPECT_LE(largest_difference(shown(baked, time).positions, thin), 0.001 * 1.05 * box_of(rig));
  const CachedClip cached = bake_cache(rig, clip, method, 1 / time, {}, squash);
  std::vector<Vec3> second;
  for (std::size_t v = 0; v < thin.size(); ++v) {
    const Vec3f& p = cached.positions[thin.size() + v];
    second.push_back({p.x, p.y, p.z});
  }
  EXPECT_LE(largest_difference(second, thin), 1e-5 * box_of(rig));
}

TEST(Morph, what_cannot_be_is_refused) {
  Rig rig = make_sample("arm", 600);
  const Method method = method_from_name("lbs", rig);
  EXPECT_EQ(wrong_usage([&] { bake_morph(rig, rig.clips[0], method, {.max_error_percent = 0}); }),
            "the largest error is above 0 and at most 100 per cent of the bounding box");
  EXPECT_EQ(wrong_usage([&] { bake_morph(rig, rig.clips[0], method, {.frames_per_second = 0}); }),
            "frames per second are a number from 0.001 to 100000");
  EXPECT_EQ(wrong_usage([&] { bake_cache(rig, rig.clips[0], method, 1e5); }),
            "the clip would take 2.68 GiB, which is more than one: take fewer frames per second");
  Clip endless = rig.clips[0];
  TranslationChannel late{0, {}};
  late.curve.times = {0, 1e9};
  late.curve.values = {{0, 0, 0}, {1, 0, 0}};
  endless.channels.emplace_back(late);
  EXPECT_EQ(wrong_usage([&] { bake_cache(rig, endless, method, 30); }),
            "the clip would take 224 GiB, which is more than one: take fewer frames per second");
  rig.skin.weights = {};
  rig.skin.endpoints.clear();
  EXPECT_EQ(bad_input([&] { bake_morph(rig, rig.clips[0], method); }), "weights: there are none");
}

// Read by the formats' public description, not by code of ours.
template <class T>
T number_at(const std::string& bytes, std::size_t at, bool big) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    bits |= std::uint32_t{static_cast<unsigned char>(bytes.at(at + i))} << 8 * (big ? 3 - i : i);
  }
  T value;
  std::memcpy(&value, &bits, 4);
  return value;
}

std::vector<Vec3> points_at(const std::string& bytes, std::size_t at, std::size_t count, bool big) {
  std::vector<Vec3> points(count);
  for (std::size_t i = 0; i < 3 * count; ++i) {
    points[i / 3][i % 3] = double(number_at<float>(bytes, at + 4 * i, big));
  }
  return points;
}

TEST(PointCache, pc2_and_mdd_hold_every_frame_as_the_reference_has_it) {
  const Rig rig = make_sample("arm", 600);
  const Clip& clip = rig.clips.front();
  const CachedClip cached = bake_cache(rig, clip, method_from_name("stbs-dqs", rig), 10);
  const std::size_t frames = cached.times.size(), points = rig.mesh.vertex_count();
  EXPECT_EQ(frames, std::size_t(std::ceil(duration(clip) * 10 - 1e-6)) + 1);
  const std::string pc2 = to_pc2(cached.times, cached.positions);
  const std::string mdd = to_mdd(cached.times, cached.positions);

  EXPECT_EQ(pc2.substr(0, 12), std::string("POINTCACHE2\0", 12));
  EXPECT_EQ(number_at<std::int32_t>(pc2, 12, false), 1);
  EXPECT_EQ(number_at<std::int32_t>(pc2, 16, false), std::int32_t(points));
  EXPECT_EQ(number_at<float>(pc2, 20, false), 0);
  EXPECT_EQ(number_at<float>(pc2, 24, false), 1);
  EXPECT_EQ(number_at<std::int32_t>(pc2, 28, false), std::int32_t(frames));
  EXPECT_EQ(pc2.size(), 32 + 12 * frames * points);

  EXPECT_EQ(number_at<std::int32_t>(mdd, 0, true), std::int32_t(frames));
  EXPECT_EQ(number_at<std::int32_t>(mdd, 4, true), std::int32_t(points));
  EXPECT_EQ(mdd.size(), 8 + 4 * frames + 12 * frames * points);

  for (std::size_t f = 0; f < frames; ++f) {
    EXPECT_FLOAT_EQ(number_at<float>(mdd, 8 + 4 * f, true), float(f) / 10);
    const auto exact = truth(rig, clip, double(f) / 10, "stbs-dqs").positions;
    const double tolerance = 1e-5 * box_of(rig);
    EXPECT_LE(largest_difference(points_at(pc2, 32 + 12 * f * points, points, false), exact),
              tolerance);
    EXPECT_LE(
        largest_difference(points_at(mdd, 8 + 4 * frames + 12 * f * points, points, true), exact),
        tolerance);
  }
}

}  // namespace
}  // namespace sinew
