// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "sinew/bake/bake.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/draw/read_image.h"
#include "sinew/io/gltf_looks.h"
#include "sinew/measure/caps.h"
#include "sinew/mesh/triangle.h"
#include "sinew/puppet/stage.h"
#include "tests/picture/drawings.h"
#include "tests/support/puppets.h"

namespace sinew {
namespace {

const SamplePicture& dancer() {
  static const SamplePicture sample = make_sample_picture("dancer", 400);
  return sample;
}

const Puppet& dancing() {
  static const Puppet puppet = dancing_puppet(400);
  return puppet;
}

// A picture with the given pixels opaque.
Image drawing(std::initializer_list<std::string_view> rows, int scale = 1) {
  const int height = static_cast<int>(rows.size()) * scale;
  const int width = static_cast<int>(rows.begin()->size()) * scale;
  Image image(width, height, {0, 0, 0, 0});
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::string_view row = *(rows.begin() + y / scale);
      if (row[x / scale] == '#') image.at(x, y) = {90, 60, 30, 255};
    }
  }
  return image;
}

PictureBones one_bone(const Vec2& from, const Vec2& to) {
  return {{{"a", from}, {"b", to}}, {{"bone", 0, 1, 0}}};
}

std::vector<Vec2> rest_places(const Puppet& puppet) {
  std::vector<Vec2> places;
  for (const PictureJoint& joint : puppet.bones.joints) places.push_back(joint.place);
  return places;
}

void expect_sound(const Puppet& puppet) {
  const Rig& rig = puppet.rig;
  validate(rig);
  ASSERT_GT(rig.mesh.triangles.size(), 0U);
  std::set<Index> used;
  for (const Triangle& t : rig.mesh.triangles) {
    used.insert(t.begin(), t.end());
    const Vec3 a = rig.mesh.positions[t[0]], b = rig.mesh.positions[t[1]],
               c = rig.mesh.positions[t[2]];
    EXPECT_GT(cross(b - a, c - a).z, 0) << "facing the viewer";
  }
  EXPECT_EQ(used.size(), rig.mesh.vertex_count());
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    double sum = 0;
    for (const Influence& influence : rig.weights.row(v)) sum += influence.weight;
    EXPECT_NEAR(sum, 1, 1e-6);
  }
  for (const double e : rig.endpoints) {
    EXPECT_GE(e, 0);
    EXPECT_LE(e, 1);
  }
}

TEST(Puppet, a_drawing_becomes_a_sound_mesh_of_well_shaped_triangles) {
  expect_sound(dancing());
  const Mesh& mesh = dancing().rig.mesh;
  EXPECT_GE(degrees(smallest_angle(mesh.positions, mesh.triangles)), 20 - 1e-9);
}

TEST(Puppet, every_visible_pixel_lies_in_the_mesh) {
  const Puppet& puppet = dancing();
  Stage stage(puppet, method_from_name("lbs", puppet.rig));
  const Image drawn = stage.draw(puppet.rig.mesh.positions, stage_view(puppet, {}));
  ASSERT_EQ(drawn.width(), puppet.width);
  std::size_t different = 0;
  for (int y = 0; y < drawn.height(); ++y) {
    for (int x = 0; x < drawn.width(); ++x) {
      const Pixel expected = dancer().image.at(x, y);
      // Below what counts as figure, a pixel may lie outside.
      if (expected.a < 16 ? drawn.at(x, y).a >= 16 : drawn.at(x, y) != expected) ++different;
    }
  }
  EXPECT_EQ(different, 0U);
}

// But for what comes to rest before ends where no bone goes on: a third of the bone at the most.
TEST(Puppet, endpoint_weights_are_linear_along_the_bones) {
  const Rig& rig = dancing().rig;
  const auto is_free = [&](const Vec3& end) {
    return std::count_if(rig.skeleton.bones.begin(), rig.skeleton.bones.end(),
                         [&](const Bone& b) { return b.head == end || b.tail == end; }) == 1;
  };
  const double on = 1e-5 * bounding_box(rig.mesh.positions).diagonal();
  for (std::size_t b = 0; b < rig.skeleton.bones.size(); ++b) {
    const Bone& bone = rig.skeleton.bones[b];
    std::size_t met = 0;
    for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
      const double t = closest_on_segment(rig.mesh.positions[v], bone.head, bone.tail);
      if (distance(lerp(bone.head, bone.tail, t), rig.mesh.positions[v]) > on) continue;
      for (std::size_t i = rig.weights.offsets[v]; i < rig.weights.offsets[v + 1]; ++i) {
        if (rig.weights.influences[i].bone != static_cast<int>(b)) continue;
        const bool comes_to_rest = (t > 0 && t < 1.0 / 3 && is_free(bone.head)) ||
                                   (t < 1 && t > 2.0 / 3 && is_free(bone.tail));
        EXPECT_NEAR(rig.endpoints[i], t, comes_to_rest ? 0.05 : 1e-6)
            << "bone " << b << ", vertex " << v;
        ++met;
      }
    }
    EXPECT_GE(met, 2U) << "bone " << b;
  }
}

// What lies beyond the near wrist, in a pose.
CapError hand(const Puppet& puppet, std::span<const BoneState> states, const char* method) {
  Stage stage(puppet, method_from_name(method, puppet.rig));
  const Rig& rig = puppet.rig;
  for (const CapError& cap :
       cap_errors(rig.skeleton, rig.weights, states, rig.mesh.positions, stage.posed(states))) {
    if (puppet.bones.bones[cap.bone].name == "forearm_near") return cap;
  }
  ADD_FAILURE() << "there is no hand";
  return {};
}

TEST(Puppet, hands_keep_their_shape_while_arms_stretch_and_shrink) {
  const Puppet& puppet = dancing();
  const auto elbow = static_cast<std::size_t>(find_joint(puppet.bones, "elbow_near")),
             wrist = static_cast<std::size_t>(find_joint(puppet.bones, "wrist_near"));
  for (const double factor : {2.0, 0.5}) {
    std::vector<Vec2> places = rest_places(puppet);
    places[wrist] = places[elbow] + (places[wrist] - places[elbow]) * factor;
    const std::vector<BoneState> states = puppet_states(puppet, places);
    for (const char* name : {"stbs-dqs", "stbs-lbs"}) {
      const CapError cap = hand(puppet, states, name);
      EXPECT_NEAR(cap.length, 1, 0.02) << name << ", times " << factor;
      EXPECT_NEAR(cap.width, 1, 0.02) << name << ", times " << factor;
    }
    const CapError plain = hand(puppet, states, "lbs");
    std::printf("the hand by LBS, the arm at %g times its length: %.3f times as long\n", factor,
                plain.length);
    EXPECT_NEAR(plain.length, factor, 0.05 * factor) << "as the arm itself";
  }
}

TEST(Puppet, bones_go_where_joints_are_dragged_and_stay_in_the_plane) {
  const Puppet& puppet = dancing();
  ClipStates along(puppet.rig, puppet.rig.clips[0]);
  for (const double time : {0.0, 0.5, 1.0, 2.25, 3.0, 4.0}) {
    const std::vector<Vec2> places = dancer().motion.at(puppet.bones, time);
    const std::vector<BoneState> states = along.at(time), drawn = puppet_states(puppet, places);
    for (std::size_t b = 0; b < states.size(); ++b) {
      const auto units = [&](int joint) {
        const Vec2 p = places[joint];
        return Vec3{p.x / 100, (puppet.height - p.y) / 100, 0};
      };
      EXPECT_LT(distance(states[b].posed_head, units(puppet.bones.bones[b].from)), 1e-9);
      EXPECT_LT(distance(states[b].posed_tail, units(puppet.bones.bones[b].to)), 1e-9);
      EXPECT_LT(distance(drawn[b].posed_tail, states[b].posed_tail), 1e-9);
      EXPECT_NEAR(std::abs(dot(drawn[b].rotation, states[b].rotation)), 1, 1e-9);
    }
    Stage stage(puppet, method_from_name("stbs-dqs", puppet.rig));
    for (const Vec3& p : stage.posed(states)) EXPECT_NEAR(p.z, 0, 1e-6);
  }
}

TEST(Puppet, a_bone_turned_right_round_stays_in_the_plane) {
  const Image image = drawing({"######", "######"}, 10);
  const Puppet puppet = make_puppet(silhouette_from_alpha(image), one_bone({10, 10}, {50, 10}));
  for (const Vec2 tail : {Vec2{-30, 10}, Vec2{10, 50}, Vec2{10, -30}, Vec2{10, 10}}) {
    const std::vector<Vec2> places{{10, 10}, tail};
    const std::vector<BoneState> states = puppet_states(puppet, places);
    for (const char* name : {"lbs", "dqs", "stbs-lbs", "stbs-dqs"}) {
      Stage stage(puppet, method_from_name(name, puppet.rig));
      for (const Vec3& p : stage.posed(states)) EXPECT_NEAR(p.z, 0, 1e-9) << name;
    }
  }
}

TEST(Puppet, what_higher_layers_move_is_drawn_last) {
  const auto center = [](const Puppet& puppet, const Triangle& t) {
    const auto& p = puppet.rig.mesh.positions;
    return (p[t[0]].x + p[t[1]].x + p[t[2]].x) / 3;
  };
  const Image image = drawing({"############"}, 10);
  for (const double layer : {1.0, -1.0}) {
    PictureBones bones{{{"a", {5, 5}}, {"b", {60, 5}}, {"c", {115, 5}}},
                       {{"left", 0, 1, 0}, {"right", 1, 2, layer}}};
    const Puppet puppet = make_puppet(silhouette_from_alpha(image), bones);
    const double first = center(puppet, puppet.rig.mesh.triangles.front()),
                 last = center(puppet, puppet.rig.mesh.triangles.back());
    EXPECT_EQ(first<last, layer> 0);
  }
}

TEST(Puppet, what_two_bones_of_one_layer_move_is_not_mixed) {
  const Puppet& puppet = dancing();
  const PictureBones flat = [&] {
    PictureBones bones = puppet.bones;
    for (PictureBone& bone : bones.bones) bone.layer = 0.1;
    return bones;
  }();
  const Puppet one = make_puppet(silhouette(dancer().image), flat);
  // The bone that moves a triangle most never comes back once another has had its turn.
  std::vector<int> turns;
  for (const Triangle& t : one.rig.mesh.triangles) {
    std::vector<double> sums(flat.bones.size());
    for (const Index v : t) {
      for (const Influence& i : one.rig.weights.row(v)) {
        sums[i.bone] += i.weight;
      }
    }
    const int bone = static_cast<int>(std::max_element(sums.begin(), sums.end()) - sums.begin());
    if (turns.empty() || turns.back() != bone) turns.push_back(bone);
  }
  EXPECT_TRUE(std::is_sorted(turns.begin(), turns.end()));
  EXPECT_EQ(turns.size(), flat.bones.size());
}

TEST(Puppet, difficult_silhouettes_become_puppets) {
  struct Case {
    const char* what;
    Image image;
    PictureBones bones;
  };
  const Case cases[] = {
      {"one pixel", drawing({"#"}), one_bone({0.2, 0.5}, {0.8, 0.5})},
      {"a line of one pixel", drawing({"            ", " ########## ", "            "}),
       one_bone({1, 1.5}, {11, 1.5})},
      {"a diagonal of single pixels",
       drawing({"#     ", " #    ", "  #   ", "   #  ", "    # ", "     #"}),
       one_bone({0, 0}, {6, 6})},
      {"a bridge of one pixel", drawing({"####      ####", "##############", "####      ####"}),
       one_bone({2, 1.5}, {12, 1.5})},
      {"holes", drawing({"#########", "#  ### ##", "#########"}, 4), one_bone({2, 2}, {34, 2})},
      {"islands", drawing({"###  ###  ##", "###  ###  ##"}, 5), one_bone({2, 5}, {13, 5})},
      {"a bone outside", drawing({"####", "####"}, 8), one_bone({-20, -10}, {-5, -10})},
      {"a bone partly outside", drawing({"####", "####"}, 8), one_bone({-20, 8}, {16, 8})},
      {"a bone along the outline", drawing({"####", "####"}, 8), one_bone({0, 0}, {32, 0})},
      {"bones that cross",
       drawing({"####", "####"}, 8),
       {{{"a", {2, 2}}, {"b", {30, 14}}, {"c", {2, 14}}, {"d", {30, 2}}},
        {{"ab", 0, 1, 0}, {"cd", 2, 3, 0}}}},
      {"one bone twice",
       drawing({"####", "####"}, 8),
       {{{"a", {2, 2}}, {"b", {30, 14}}}, {{"ab", 0, 1, 0}, {"ba", 1, 0, 0}}}},
      {"a ring of bones",
       drawing({"####", "####"}, 8),
       {{{"a", {2, 2}}, {"b", {30, 14}}, {"c", {2, 14}}},
        {{"ab", 0, 1, 0}, {"bc", 1, 2, 0}, {"ca", 2, 0, 0}}}},
      {"a checkerboard", drawing({"# # # # ", " # # # #", "# # # # ", " # # # #"}),
       one_bone({1, 2}, {7, 2})},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    SilhouetteOptions cut;
    cut.smallest_island = 1;
    const Puppet puppet = make_puppet(silhouette_from_alpha(c.image, cut), c.bones);
    expect_sound(puppet);
    std::vector<Vec2> places = rest_places(puppet);
    places.back() = places.back() + Vec2{7, 9};
    Stage stage(puppet, method_from_name("stbs-dqs", puppet.rig));
    const Image drawn =
        stage.draw(stage.posed(puppet_states(puppet, places)), stage_view(puppet, {}));
    EXPECT_EQ(drawn.width(), c.image.width());
  }
}

TEST(Puppet, every_kind_of_weights_can_be_asked_for) {
  const Silhouette figure = silhouette(drawing({"  ##  ", "######", "  ##  ", "  ##  "}, 12));
  const PictureBones bones{{{"a", {36, 44}}, {"b", {36, 6}}, {"c", {66, 18}}},
                           {{"ab", 0, 1, 0}, {"bc", 1, 2, 0}}};
  for (const char* weights : {"bbw", "heat", "voxel", "shepard", "idw", "rigid"}) {
    for (const char* endpoints : {"bbw", "heat", "idw", "projection"}) {
      SCOPED_TRACE(std::string(weights) + ", " + endpoints);
      PuppetOptions options;
      options.weights = weight_method_from_name(weights);
      options.endpoints = endpoint_method_from_name(endpoints);
      expect_sound(make_puppet(figure, bones, options));
    }
  }
}

TEST(Puppet, the_file_shows_and_moves_the_same) {
  const Puppet& puppet = dancing();
  const GltfModel model = parse_gltf(to_glb(to_gltf(puppet)));
  const auto looks = part_looks(model);
  ASSERT_EQ(looks.size(), 1U);
  EXPECT_TRUE(looks[0].unlit);
  EXPECT_TRUE(looks[0].see_through);
  EXPECT_EQ(looks[0].picture.substr(1, 3), "PNG");
  ASSERT_EQ(model.rig.clips.size(), 1U);
  EXPECT_EQ(model.rig.clips[0].name, "dance");
  ClipStates ours(puppet.rig, puppet.rig.clips[0]), theirs(model.rig, model.rig.clips[0]);
  const double size = bounding_box(puppet.rig.mesh.positions).diagonal();
  for (const char* name : {"lbs", "stbs-dqs"}) {
    Deformer a(puppet.rig, method_from_name(name, puppet.rig));
    Deformer b(model.rig, method_from_name(name, model.rig));
    for (const double time : {0.5, 1.0, 3.0}) {
      const auto p = a.at(ours.at(time), {}).positions, q = b.at(theirs.at(time), {}).positions;
      ASSERT_EQ(p.size(), q.size());
      for (std::size_t v = 0; v < p.size(); ++v) EXPECT_LT(distance(p[v], q[v]), 1e-5 * size);
    }
  }
}

TEST(Puppet, helper_joints_play_it_in_any_engine) {
  const Puppet& puppet = dancing();
  BakeOptions options;
  options.influences = 8;
  const BakeReport report = bake(puppet.rig, options).report;
  EXPECT_LE(report.max_error, 2) << "per cent of the limbs' radius";
  EXPECT_LT(report.max_error_box, 0.3);
  EXPECT_GT(report.plain_error_box, 3) << "without helpers";
}

// A drawing with bones placed automatically.
Puppet rigged(const Drawing& drawing, const Pixel& back = paper) {
  const Silhouette figure = silhouette(drawn_on(drawing, back));
  return make_puppet(figure, picture_bones(medial_bones(figure.mask, 12)));
}

bool covers(const Puppet& puppet, const Vec2& place) {
  const Vec3 p{place.x / 100, (puppet.height - place.y) / 100, 0};
  const std::vector<Vec3>& at = puppet.rig.mesh.positions;
  return std::any_of(
      puppet.rig.mesh.triangles.begin(), puppet.rig.mesh.triangles.end(), [&](const Triangle& t) {
        const auto left = [&](Index a, Index b) { return cross(at[b] - at[a], p - at[a]).z >= 0; };
        return left(t[0], t[1]) && left(t[1], t[2]) && left(t[2], t[0]);
      });
}

TEST(Puppet, the_mesh_has_the_holes_of_the_figure) {
  for (const Pixel& back : {paper, nothing}) {
    const Puppet puppet = rigged(cat, back);
    expect_sound(puppet);
    for (const Vec2 off : {Vec2{0, 0}, {15, 0}, {-15, 0}, {0, 15}, {0, -15}}) {
      EXPECT_FALSE(covers(puppet, cat_loop + off));
    }
    EXPECT_TRUE(covers(puppet, cat_loop + Vec2{27.5, 0})) << "the tail itself";
    EXPECT_TRUE(covers(puppet, {65, 60})) << "an eye";
  }
}

// The largest change of a distance between vertices around the places, in per cent of the largest
// distance.
double distortion(const Puppet& puppet, std::span<const Vec3> posed,
                  std::initializer_list<Vec2> places, double radius) {
  std::vector<std::size_t> near;
  for (std::size_t v = 0; v < puppet.places.size(); ++v) {
    for (const Vec2& place : places) {
      if (length(puppet.places[v] - place) < radius) near.push_back(v);
    }
  }
  EXPECT_GT(near.size(), 8U);
  const std::vector<Vec3>& rest = puppet.rig.mesh.positions;
  double worst = 0, size = 0;
  for (const std::size_t a : near) {
    for (const std::size_t b : near) {
      size = std::max(size, distance(rest[a], rest[b]));
      worst = std::max(worst, std::abs(distance(posed[a], posed[b]) - distance(rest[a], rest[b])));
    }
  }
  return 100 * worst / size;
}

TEST(Puppet, ears_stretch_and_turn_without_the_eyes) {
  const Puppet puppet = rigged(cat);
  for (const bool stretched : {true, false}) {
    std::vector<Vec2> places = rest_places(puppet);
    int ears = 0;
    for (const PictureBone& bone : puppet.bones.bones) {
      Vec2& tip = places[bone.to];
      if (tip.y > 30) continue;
      const Vec2 base = puppet.bones.joints[bone.from].place, ear = tip - base;
      // By 20 degrees.
      tip = base + (stretched ? ear * 1.6
                              : Vec2{0.94 * ear.x - 0.342 * ear.y, 0.342 * ear.x + 0.94 * ear.y});
      ++ears;
    }
    ASSERT_EQ(ears, 2);
    Stage stage(puppet, method_from_name("stbs-dqs", puppet.rig));
    const std::vector<Vec3> posed = stage.posed(puppet_states(puppet, places));
    const double off = distortion(puppet, posed, {{70, 60}, {100, 60}}, 9);
    std::printf("eyes with ears %s: %.2f%%\n", stretched ? "stretched" : "turned", off);
    EXPECT_LT(off, 0.5);
  }
}

TEST(Puppet, heads_wave_in_one_piece) {
  const Puppet puppet = rigged(cat);
  const PictureMotion wave = picture_loop("wave", puppet.bones);
  Stage stage(puppet, method_from_name("stbs-dqs", puppet.rig));
  double worst = 0, moved = 0;
  for (int k = 0; k < 12; ++k) {
    const std::vector<Vec3> posed =
        stage.posed(puppet_states(puppet, wave.at(puppet.bones, wave.duration * k / 12)));
    worst = std::max(worst, distortion(puppet, posed, {{70, 60}, {100, 60}}, 9));
    for (std::size_t v = 0; v < posed.size(); ++v) {
      moved = std::max(moved, 100 * distance(posed[v], puppet.rig.mesh.positions[v]));
    }
  }
  std::printf("eyes of a waving head: %.2f%%\n", worst);
  EXPECT_LT(worst, 0.5);
  EXPECT_GT(moved, 10) << "pixels";
}

TEST(Puppet, bones_that_hang_apart_and_close_rings_move_in_files_as_in_pictures) {
  Puppet puppet = rigged(cat);
  const PictureMotion wave = picture_loop("wave", puppet.bones);
  puppet.rig.clips.push_back(picture_clip(puppet, wave));
  const GltfModel model = parse_gltf(to_glb(to_gltf(puppet)));
  ClipStates along(model.rig, model.rig.clips[0]);
  for (const double time : {0.25, 1.0, 1.75}) {
    const std::vector<BoneState> drawn = puppet_states(puppet, wave.at(puppet.bones, time)),
                                 states = along.at(time);
    for (std::size_t b = 0; b < states.size(); ++b) {
      EXPECT_LT(distance(states[b].posed_head, drawn[b].posed_head), 1e-4) << b;
      EXPECT_LT(distance(states[b].posed_tail, drawn[b].posed_tail), 1e-4) << b;
    }
  }
}

TEST(Puppet, flat_rigs_get_no_helpers_for_twist) {
  Rig rig = dancing().rig;
  rig.clips.clear();
  // In its own plane, and in another.
  for (const bool tilted : {false, true}) {
    if (tilted) {
      const Quat turn = rotation_about(normalized(Vec3{1, 2, -1}), 0.7);
      const Affine map{to_matrix(turn), {3, -2, 5}};
      for (Vec3& p : rig.mesh.positions) p = transform_point(map, p);
      for (Vec3& n : rig.mesh.normals.values) n = rotate(turn, n);
      for (Joint& joint : rig.skeleton.joints) {
        if (joint.parent != no_joint) continue;
        joint.rest.translation = transform_point(map, joint.rest.translation);
        joint.rest.rotation = turn * joint.rest.rotation;
      }
      for (Bone& bone : rig.skeleton.bones) {
        bone.head = transform_point(map, bone.head);
        bone.tail = transform_point(map, bone.tail);
        bone.inverse_bind = bone.inverse_bind * inverse(map);
      }
    }
    for (const LiveHelpers live : {LiveHelpers::none, LiveHelpers::vrm}) {
      BakeOptions options;
      options.influences = 8;
      options.live = live;
      const Baked baked = bake(rig, options);
      EXPECT_GT(baked.report.bones.size(), 0U) << "they stretch";
      for (const auto& bone : baked.report.bones) {
        EXPECT_EQ(bone.segments, 1) << bone.name;
        EXPECT_LT(bone.twist, 1e-6) << bone.name;
      }
    }
  }
}

TEST(Puppet, transparent_pixels_of_the_file_have_the_colour_next_to_them) {
  const Puppet puppet =
      make_puppet(silhouette(drawing({"    ", " ## ", "    "}, 8)), one_bone({10, 12}, {22, 12}));
  const GltfModel model = parse_gltf(to_glb(to_gltf(puppet)));
  const Image texture = decode_image(part_looks(model)[0].picture);
  EXPECT_EQ(texture.at(6, 12).a, 0);
  EXPECT_EQ(texture.at(6, 12).r, 90);
}

TEST(Puppet, same_picture_same_bits_whatever_the_threads) {
  const Silhouette figure = silhouette(dancer().image);
  set_thread_count(1);
  const Puppet one = make_puppet(figure, dancer().bones);
  set_thread_count(0);
  EXPECT_EQ(make_puppet(figure, dancer().bones).rig, one.rig);
}

TEST(Puppet, scale_does_not_matter) {
  const SamplePicture large = make_sample_picture("dancer", 800);
  const Puppet puppet = make_puppet(silhouette(large.image), large.bones);
  expect_sound(puppet);
  const auto near = [](std::size_t a, std::size_t b) {
    return double(a) < 1.5 * double(b) && double(b) < 1.5 * double(a);
  };
  EXPECT_TRUE(near(puppet.rig.mesh.vertex_count(), dancing().rig.mesh.vertex_count()))
      << puppet.rig.mesh.vertex_count() << ", " << dancing().rig.mesh.vertex_count();
}

TEST(Puppet, what_makes_no_sense_is_refused) {
  const Silhouette figure = silhouette_from_alpha(drawing({"##"}, 8));
  const PictureBones bones = one_bone({2, 4}, {14, 4});
  EXPECT_THROW(make_puppet(figure, {}), InputError);
  PuppetOptions options;
  options.pixels_per_unit = 0;
  EXPECT_THROW(make_puppet(figure, bones, options), UsageError);
  const Puppet puppet = make_puppet(figure, bones);
  EXPECT_THROW(puppet_pose(puppet, std::vector<Vec2>(3)), UsageError);
  PictureMotion motion;
  motion.duration = 1;
  EXPECT_THROW(picture_clip(puppet, motion), UsageError);
  motion.joints.resize(2);
  EXPECT_THROW(picture_clip(puppet, motion, 1e7), UsageError);
  EXPECT_THROW(stage_view(puppet, {}, 1000000), UsageError);
  EXPECT_THROW(stage_view(puppet, {{0, 0, 0}, {50, 0, 0}}), InputError);
  EXPECT_EQ(stage_view(puppet, {{0, 0, 0}, {50, 0, 0}}, 300).width, 300);
}

TEST(PicturesToDraw, names_and_sizes_are_checked) {
  EXPECT_THROW(make_sample_picture("nobody"), UsageError);
  EXPECT_THROW(make_sample_picture("dancer", 10), UsageError);
  EXPECT_EQ(make_sample_picture("dancer", 64).image.width(), 64);
}

}  // namespace
}  // namespace sinew
