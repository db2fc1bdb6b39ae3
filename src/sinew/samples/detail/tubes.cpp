// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "sinew/samples/detail/characters.h"
#include "sinew/samples/internal/blueprint.h"
#include "sinew/samples/internal/clips.h"

namespace sinew::samples {
namespace {

constexpr Vec3 amber{0.80, 0.42, 0.12}, ivory{0.86, 0.80, 0.68};

// Rings of two tones, which show how much a surface twists and stretches.
Vec3 banded(const Vec3& position, double spacing, const Vec3& base) {
  const double stripes = wave(position.y / spacing) * 4;
  return lerp(base, ivory, std::min(std::max(0.5 + stripes, 0.0), 1.0));
}

}  // namespace

Rig make_cigar(std::size_t vertex_target, const Progress& progress) {
  Blueprint blueprint;
  blueprint.name = "cigar";
  blueprint.material = "leaf";
  add_joint(blueprint, "bone", "", {0, 0, 0});
  add_end(blueprint, "bone_end", "bone", {0, 1, 0});
  // Past both of the bone's ends.
  blueprint.flesh.push_back(limb(blueprint, "bone", {0, -0.12, 0}, {0, 1.12, 0}, 0.16, 0.16, 0));
  blueprint.flesh.back().color = amber;
  blueprint.symmetric = true;
  blueprint.paint = [](const Vec3& p, const Vec3&, const Vec3& blended) {
    return banded(p, 0.2, blended);
  };
  Rig rig = build(blueprint, vertex_target, progress);
  Loop loop{rig, 4, {}};
  loop.clip.name = "bend_twist_stretch";
  turn(loop, "bone", {0, 0, 1}, [](double t) { return 25 * wave(t); });
  turn(loop, "bone_end", {0, 1, 0}, [](double t) { return 170 * swell(t); });
  stretch(loop, "bone_end", [](double t) { return 1 + 0.6 * swell(t); });
  rig.clips.push_back(std::move(loop.clip));
  return rig;
}

Rig make_tube(int bones, std::size_t vertex_target, const Progress& progress) {
  Blueprint blueprint;
  blueprint.name = bones == 2 ? "tube" : "tube" + std::to_string(bones);
  blueprint.material = "rubber";
  blueprint.symmetric = true;
  const auto name = [](int bone) { return "bone_" + std::to_string(bone + 1); };
  const auto at = [](int bone) { return Vec3{0, static_cast<double>(bone), 0}; };
  for (int bone = 0; bone < bones; ++bone) {
    add_joint(blueprint, name(bone), bone == 0 ? "" : name(bone - 1), at(bone));
  }
  add_end(blueprint, "end", name(bones - 1), at(bones));
  for (int bone = 0; bone < bones; ++bone) {
    Primitive flesh = limb(blueprint, name(bone), at(bone), at(bone + 1), 0.22, 0.22, 0);
    flesh.spread = 1.4;
    flesh.color = bone % 2 == 0 ? Vec3{0.10, 0.35, 0.55} : Vec3{0.55, 0.16, 0.20};
    blueprint.flesh.push_back(flesh);
  }
  blueprint.paint = [](const Vec3& p, const Vec3&, const Vec3& blended) {
    return banded(p, 0.25, blended);
  };
  Rig rig = build(blueprint, vertex_target, progress);
  // Both sides of a joint are alike here: no reason why one should take all of a twist.
  for (int bone = 1; bone < bones; ++bone) {
    rig.skeleton.joints[bone].twist_shares = TwistShares{0.5, 0.5};
  }

  Loop bend{rig, 3, {}};
  bend.clip.name = "bend";
  for (int bone = 1; bone < bones; ++bone) {
    turn(bend, name(bone), {0, 0, bone % 2 == 1 ? 1.0 : -1.0},
         [](double t) { return 110 * swell(t); });
  }
  Loop twist{rig, 4, {}};
  twist.clip.name = "bend_twist_stretch";
  for (int bone = 1; bone < bones; ++bone) {
    turn(twist, name(bone), [&](double t) {
      const Quat bent = rotation_about(Vec3{1, 0, 0}, radians(60 * swell(t)));
      return bent * rotation_about(Vec3{0, 1, 0}, radians(120 * wave(t)));
    });
    stretch(twist, name(bone), [](double t) { return 1 + 0.35 * wave(t, 0.25); });
  }
  turn(twist, "end", {0, 1, 0}, [](double t) { return -150 * wave(t); });
  stretch(twist, "end", [](double t) { return 1 + 0.5 * swell(t); });
  rig.clips.push_back(std::move(bend.clip));
  rig.clips.push_back(std::move(twist.clip));
  return rig;
}

}  // namespace sinew::samples
