// SPDX-License-Identifier: Apache-2.0
// The mesh and the weights of a puppet.
#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/mesh/triangle.h"
#include "tests/puppet/puppet_checks.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

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
      for (std::size_t i = rig.skin.weights.offsets[v]; i < rig.skin.weights.offsets[v + 1]; ++i) {
        if (rig.skin.weights.influences[i].bone != static_cast<int>(b)) continue;
        const bool comes_to_rest = (t > 0 && t < 1.0 / 3 && is_free(bone.head)) ||
                                   (t < 1 && t > 2.0 / 3 && is_free(bone.tail));
        EXPECT_NEAR(rig.skin.endpoints[i], t, comes_to_rest ? 0.05 : 1e-6)
            << "bone " << b << ", vertex " << v;
        ++met;
      }
    }
    EXPECT_GE(met, 2U) << "bone " << b;
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
    EXPECT_EQ((first < last), (layer > 0)) << layer;
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
      for (const Influence& i : one.rig.skin.weights.row(v)) {
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
  EXPECT_EQ(bad_input([&] { make_puppet(figure, {}); }),
            "/bones: there are none; at least one is needed");
  PuppetOptions options;
  options.pixels_per_unit = 0;
  EXPECT_EQ(wrong_usage([&] { make_puppet(figure, bones, options); }),
            "the number of pixels per unit is not above 0");
  const Puppet puppet = make_puppet(figure, bones);
  EXPECT_EQ(wrong_usage([&] { puppet_pose(puppet, std::vector<Vec2>(3)); }),
            "3 places for 2 joints");
  PictureMotion motion;
  motion.duration = 1;
  EXPECT_EQ(wrong_usage([&] { picture_clip(puppet, motion); }),
            "the motion does not belong to the puppet's joints");
  motion.joints.resize(2);
  EXPECT_EQ(wrong_usage([&] { picture_clip(puppet, motion, 1e7); }),
            "a motion of 1 s has 10000000 keys");
  EXPECT_EQ(wrong_usage([&] { stage_view(puppet, {}, 1000000); }),
            "a picture cannot be 16385 x 16385 pixels; each side goes from 1 to 16384");
  EXPECT_EQ(bad_input([&] {
              stage_view(puppet, {{0, 0, 0}, {50, 0, 0}});
            }),
            "joints: they take the picture 4997 pixels wide and 8 high; keep its frame "
            "(--keep-frame), or give a size (--size)");
  EXPECT_EQ(stage_view(puppet, {{0, 0, 0}, {50, 0, 0}}, 300).width, 300);
}

TEST(PicturesToDraw, names_and_sizes_are_checked) {
  EXPECT_EQ(wrong_usage([&] { make_sample_picture("nobody"); }),
            "there is no picture \"nobody\"; there is dancer");
  EXPECT_EQ(wrong_usage([&] { make_sample_picture("dancer", 10); }),
            "a picture is from 64 to 8192 pixels wide");
  EXPECT_EQ(make_sample_picture("dancer", 64).image.width(), 64);
}

}  // namespace
}  // namespace sinew
