// SPDX-License-Identifier: Apache-2.0
#include "photograph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "panels.h"
#include "posing.h"
#include "sinew/deform/told_pose.h"
#include "sinew/draw/overlay.h"

namespace sinew::gallery {
namespace {

// A number in [0, 1) for a pixel: the grain of the film.
double grain(int x, int y, std::uint32_t seed) {
  std::uint32_t h = static_cast<std::uint32_t>(x) * 374761393U +
                    static_cast<std::uint32_t>(y) * 668265263U + seed * 974711U;
  h = (h ^ (h >> 13)) * 1274126177U;
  return double((h ^ (h >> 16)) & 0xffffffU) / double(0x1000000);
}

// A wall of plaster with a board along its foot, a floor of planks, a weight on it.
Image backdrop(int size) {
  Image image(size, size);
  const double floor = 0.80;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const double u = (x + 0.5) / size, v = (y + 0.5) / size;
      double light = 0.50 - 0.28 * std::hypot(u - 0.40, v - 0.30);
      light +=
          0.03 * std::sin(9 * u + 4 * std::sin(7 * v)) * std::sin(11 * v + 3 * std::sin(5 * u));
      light += 0.05 * (grain(x / 3, y / 3, 7) - 0.5);
      if (v > floor - 0.045 && v <= floor) light = 0.16 + 0.03 * (v > floor - 0.04 ? 1 : -2);
      if (v > floor) {
        // Planks that run away from the camera.
        const double depth = 0.22 / (v - floor + 0.10), across = (u - 0.5) * depth * 4.2;
        const double plank = across - std::floor(across);
        light = 0.25 + 0.06 * grain(static_cast<int>(std::floor(across)) + 100, 3, 1) +
                0.02 * std::sin(60 * depth + 7 * std::floor(across));
        if (plank < 0.04) light *= 0.5;
        light *= 1 - 0.25 * std::fabs(u - 0.5);
      }
      const float value = static_cast<float>(std::clamp(light, 0.0, 1.0));
      image.at(x, y) = to_srgb(Rgb{value, value, value});
    }
  }
  // A barbell against the wall.
  const auto at = [&](double u, double v) { return Vec2{u * size, v * size}; };
  const std::array bar{Stroke{at(0.06, 0.865), at(0.26, 0.865), 0.012 * size}};
  const std::array weights{Stroke{at(0.06, 0.865), at(0.06, 0.865), 0.10 * size},
                           Stroke{at(0.26, 0.865), at(0.26, 0.865), 0.10 * size}};
  const std::array shine{Stroke{at(0.05, 0.85), at(0.05, 0.85), 0.022 * size},
                         Stroke{at(0.25, 0.85), at(0.25, 0.85), 0.022 * size}};
  draw_strokes(image, bar, {0.10F, 0.10F, 0.10F});
  draw_strokes(image, weights, {0.05F, 0.05F, 0.05F});
  draw_strokes(image, shine, {0.30F, 0.30F, 0.30F}, 0.7F);
  return image;
}

// What the film makes of it: one tone, darker corners, grain.
void develop(Image& image) {
  const int size = image.width();
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const Rgb light = to_linear(image.at(x, y));
      const double u = (x + 0.5) / size - 0.5, v = (y + 0.5) / size - 0.5;
      double grey = 0.30 * light.x + 0.59 * light.y + 0.11 * light.z;
      grey *= 1.12 - 1.1 * (u * u + v * v);
      grey = std::clamp(std::pow(std::max(grey, 0.0), 0.9) + 0.02, 0.0, 1.0);
      const double noise = 0.05 * (grain(x, y, 1) + grain(x, y, 2) - 1) * std::sqrt(grey);
      const double tone = std::clamp(grey + noise, 0.0, 1.0);
      image.at(x, y) = to_srgb(Rgb{static_cast<float>(std::min(1.0, 1.10 * tone + 0.012)),
                                   static_cast<float>(0.93 * tone + 0.008),
                                   static_cast<float>(0.70 * tone + 0.006)});
    }
  }
}

}  // namespace

Photograph take_photograph(Models& models, int size, const Progress& progress) {
  const Rig& rig = models.sample("mannequin", 20000, progress);
  ToldPose pose;
  static_cast<Pose&>(pose) = rest_pose(rig);
  const PoseTeller teller(rig.skeleton);
  const auto bend = [&](const std::string& joint, const Vec3& axis, double degrees_) {
    const std::array turn{ToldBend{axis, radians(degrees_)}};
    teller.turn(pose, find_joint(rig.skeleton, joint), turn, 0);
  };
  for (const bool left : {true, false}) {
    const std::string side = left ? ".L" : ".R";
    const double sign = left ? 1 : -1;
    bend("upper_arm" + side, {0, 0, 1}, sign * 34);
    bend("forearm" + side, {0, 0, 1}, sign * 62);
    bend("thigh" + side, {0, 0, 1}, sign * 11);
    for (const std::string finger : {"index", "middle", "ring", "pinky"}) {
      for (int i = 1; i <= 3; ++i) {
        bend(finger + "_" + std::to_string(i) + side, {0, 0, 1}, -sign * (i == 2 ? 88 : 62));
      }
    }
  }
  apply_drivers(rig, pose);
  const auto states = bone_states(rig, pose);
  const auto positions = deformed(rig, states, "stbs-dqs");

  Scene scene = scene_of(surface(rig.mesh, positions, models.skin("mannequin")));
  scene.ground = true;
  const Camera camera = frame({0, 3}, positions, 1.0, {.field_of_view = 20, .margin = 0.14});
  Photograph photograph;
  const Image standing = render(scene, camera, size, size);
  scene.ground = false;
  const Image alone = render(scene, camera, size, size);
  photograph.plate = backdrop(size);
  photograph.picture = photograph.plate;
  paste(photograph.picture, standing, 0, 0);
  develop(photograph.plate);
  develop(photograph.picture);
  photograph.mask = Image(size, size, {0, 0, 0, 255});
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const std::uint8_t in = alone.at(x, y).a;
      photograph.mask.at(x, y) = {in, in, in, 255};
    }
  }

  const auto place = [&](const Vec3& p) {
    const Projected seen = project(camera, p, size, size);
    return Vec2{seen.x, seen.y};
  };
  const auto posed = [&](const char* bone) -> const BoneState& {
    return states[bone_number(rig.skeleton, bone)];
  };
  PictureBones& bones = photograph.bones;
  const auto joint = [&](std::string name, const Vec3& p) {
    bones.joints.push_back({std::move(name), place(p)});
  };
  const auto link = [&](std::string name, const char* from, const char* to, double layer) {
    bones.bones.push_back({std::move(name), find_joint(bones, from), find_joint(bones, to), layer});
  };
  joint("hip", posed("hips").posed_head);
  joint("chest", posed("chest").posed_head);
  joint("neck", posed("neck").posed_head);
  joint("chin", posed("head").posed_head);
  link("belly", "hip", "chest", 0);
  link("chest", "chest", "neck", 0);
  link("neck", "neck", "chin", 1);
  for (const std::string side : {".L", ".R"}) {
    const auto add = [&](const std::string& name, const std::string& bone) {
      joint(name + side, posed((bone + side).c_str()).posed_head);
    };
    add("shoulder", "upper_arm");
    add("elbow", "forearm");
    add("wrist", "hand");
    add("thigh", "thigh");
    add("knee", "shin");
    add("ankle", "foot");
    const auto named = [&](const std::string& name) { return name + side; };
    link(named("collar"), "neck", named("shoulder").c_str(), 0);
    link(named("upper_arm"), named("shoulder").c_str(), named("elbow").c_str(), 2);
    link(named("forearm"), named("elbow").c_str(), named("wrist").c_str(), 3);
    link(named("pelvis"), "hip", named("thigh").c_str(), 0);
    link(named("thigh"), named("thigh").c_str(), named("knee").c_str(), -1);
    link(named("shin"), named("knee").c_str(), named("ankle").c_str(), -1);
  }
  return photograph;
}

}  // namespace sinew::gallery
