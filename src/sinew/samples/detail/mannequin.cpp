// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/detail/mannequin.h"

#include "sinew/core/math.h"
#include "sinew/samples/detail/hand.h"
#include "sinew/samples/detail/sculptor.h"

namespace sinew::samples {
namespace {

constexpr Vec3 skin{0.72, 0.44, 0.31}, hair{0.07, 0.04, 0.03}, shirt{0.09, 0.33, 0.36},
    trousers{0.10, 0.12, 0.19}, shoe{0.20, 0.09, 0.05}, iris{0.16, 0.09, 0.04},
    white{0.85, 0.84, 0.81}, lips{0.52, 0.22, 0.18};
constexpr double arm_drop = 0.66;  // radians below the horizontal

void add_joints(Blueprint& blueprint) {
  add_joint(blueprint, "hips", "", {0, 0.965, 0});
  add_joint(blueprint, "spine", "hips", {0, 1.06, 0});
  add_joint(blueprint, "spine_2", "spine", {0, 1.165, 0.004});
  add_joint(blueprint, "chest", "spine_2", {0, 1.285, -0.002});
  add_joint(blueprint, "neck", "chest", {0, 1.475, -0.018});
  add_leaf(blueprint, "head", "neck", {0, 1.575, 0.0}, {0, 1.775, 0.0});
  // Rises and widens with the control of the same name.
  add_leaf(blueprint, "breath", "chest", {0, 1.30, 0.05}, {0, 1.38, 0.065});

  add_joint(blueprint, "shoulder.L", "chest", {0.028, 1.435, 0.0});
  const Vec3 down{math::cos(arm_drop), -math::sin(arm_drop), 0};
  const Vec3 upper_arm{0.178, 1.428, -0.012};
  const Vec3 forearm = upper_arm + down * 0.285 + Vec3{0, 0, -0.012};
  const Vec3 wrist = forearm + down * 0.25 + Vec3{0, 0, 0.03};
  add_joint(blueprint, "upper_arm.L", "shoulder.L", upper_arm);
  add_joint(blueprint, "forearm.L", "upper_arm.L", forearm);
  add_leaf(blueprint, "biceps.L", "upper_arm.L", upper_arm + down * 0.115 + Vec3{0, 0, 0.012},
           upper_arm + down * 0.2 + Vec3{0, 0, 0.012});
  point_to(blueprint, "upper_arm.L", "forearm.L");
  point_to(blueprint, "chest", "neck");
  const Vec3 along = normalized(wrist - forearm);
  const Vec3 thumbward = normalized(Vec3{0, 0, 1} - along * along.z);
  add_hand(blueprint, "forearm.L", ".L", {wrist, along, thumbward, cross(along, thumbward), 1.0},
           skin);

  add_joint(blueprint, "thigh.L", "hips", {0.092, 0.925, 0.0});
  add_joint(blueprint, "shin.L", "thigh.L", {0.108, 0.515, 0.008});
  add_joint(blueprint, "foot.L", "shin.L", {0.118, 0.088, -0.022});
  add_leaf(blueprint, "toes.L", "foot.L", {0.134, 0.028, 0.105}, {0.140, 0.022, 0.165});
  // Turns by half of the knee's angle.
  add_leaf(blueprint, "kneecap.L", "thigh.L", {0.108, 0.530, 0.040}, {0.108, 0.500, 0.044});
  point_to(blueprint, "thigh.L", "shin.L");
  point_to(blueprint, "hips", "spine");
}

void add_torso(Blueprint& blueprint) {
  Sculptor sculptor(blueprint);
  const auto thin = [](double factor) { return flattened({0, 0, 1}, factor); };
  sculptor.color = shirt;
  sculptor.blend = 0.05;
  sculptor.add("spine_2", {0, 1.16, 0.002}, {0, 1.28, 0.0}, 0.112, 0.132).warp = thin(0.74);
  sculptor.add("spine", {0, 1.06, 0.004}, {0, 1.16, 0.002}, 0.120, 0.112).warp = thin(0.76);
  sculptor.add("chest", {0, 1.28, 0.0}, {0, 1.375, -0.012}, 0.134, 0.146).warp = thin(0.74);
  sculptor.blend = 0.04;
  sculptor.add_pair("chest", {0.100, 1.365, -0.028}, {0.078, 1.22, -0.02}, 0.066, 0.046);  // lats
  sculptor.add_pair("chest", {0.06, 1.40, -0.045}, {0.05, 1.30, -0.05}, 0.052, 0.045);     // blades
  sculptor.add("chest", {0, 1.40, -0.015}, {0, 1.45, -0.02}, 0.085, 0.060);
  sculptor.blend = 0.03;
  sculptor.add_pair("breath", {0.080, 1.365, 0.030}, {0.050, 1.345, 0.050}, 0.058, 0.055,
                    thin(0.75));
  sculptor.color = trousers;
  sculptor.blend = 0.05;
  sculptor.add("hips", {-0.05, 0.965, 0.0}, {0.05, 0.965, 0.0}, 0.112, 0.112).warp = thin(0.86);
  sculptor.blend = 0.04;
  sculptor.add_pair("hips", {0.068, 0.915, -0.042}, {0.06, 0.94, -0.045}, 0.082, 0.075);
}

void add_head(Blueprint& blueprint) {
  Sculptor sculptor(blueprint);
  sculptor.color = skin;
  sculptor.blend = 0.03;
  Primitive& neck = sculptor.add("neck", {0, 1.45, -0.022}, {0, 1.575, 0.0}, 0.060, 0.053);
  neck.spread = 1.3;
  const auto narrow = [](double factor) { return flattened({1, 0, 0}, factor); };
  sculptor.blend = 0.025;
  sculptor.add("head", {0, 1.700, -0.012}, {0, 1.695, 0.008}, 0.099, 0.096).warp = narrow(0.80);
  sculptor.add("head", {0, 1.650, 0.030}, {0, 1.598, 0.062}, 0.066, 0.034).warp = narrow(0.88);
  sculptor.blend = 0.02;
  sculptor.add("head", {-0.028, 1.706, 0.076}, {0.028, 1.706, 0.076}, 0.024, 0.024);      // brow
  sculptor.add_pair("head", {0.040, 1.664, 0.058}, {0.034, 1.655, 0.062}, 0.026, 0.024);  // cheeks
  sculptor.blend = 0.012;
  sculptor.add("head", {0, 1.696, 0.096}, {0, 1.660, 0.110}, 0.009, 0.014).detail = 0.5;  // nose
  sculptor.add("head", {-0.014, 1.625, 0.088}, {0.014, 1.625, 0.088}, 0.0095, 0.0095).detail = 0.5;
  sculptor.blend = 0.008;
  for (const double side : {1.0, -1.0}) {
    Primitive& ear = sculptor.add("head", {side * 0.080, 1.690, -0.010},
                                  {side * 0.077, 1.662, -0.004}, 0.024, 0.015);
    ear.warp = narrow(0.4);
    ear.detail = 0.5;
  }
}

void add_arm(Blueprint& blueprint) {
  Sculptor sculptor(blueprint);
  const Vec3 shoulder = joint_place(blueprint, "upper_arm.L");
  const Vec3 elbow = joint_place(blueprint, "forearm.L");
  const Vec3 wrist = joint_place(blueprint, "hand.L");
  const auto on_upper = [&](double t, double z) {
    return lerp(shoulder, elbow, t) + Vec3{0, 0, z};
  };
  const auto on_lower = [&](double t, double z) { return lerp(elbow, wrist, t) + Vec3{0, 0, z}; };
  sculptor.color = shirt;
  sculptor.blend = 0.03;
  sculptor.add("shoulder.L", {0.045, 1.425, -0.008}, {0.140, 1.425, -0.012}, 0.055, 0.050);
  sculptor.add("shoulder.L", {0.018, 1.515, -0.032}, {0.130, 1.455, -0.025}, 0.036, 0.034);
  sculptor.add("upper_arm.L", on_upper(0.0, 0), on_upper(0.16, 0), 0.056, 0.051);
  sculptor.color = skin;
  sculptor.blend = 0.02;
  sculptor.add("upper_arm.L", on_upper(0.1, 0), on_upper(1, 0), 0.049, 0.037);
  sculptor.add("upper_arm.L", on_upper(0.3, -0.013), on_upper(0.62, -0.013), 0.040, 0.034);
  sculptor.add("biceps.L", on_upper(0.38, 0.013), on_upper(0.68, 0.012), 0.039, 0.034).spread = 0.8;
  sculptor.blend = 0.012;
  sculptor.add("forearm.L", on_lower(0, 0), on_lower(0.28, 0.002), 0.038, 0.041);
  sculptor.add("forearm.L", on_lower(0.28, 0.002), on_lower(1, 0), 0.041, 0.0255);
}

void add_leg(Blueprint& blueprint) {
  Sculptor sculptor(blueprint);
  sculptor.color = trousers;
  sculptor.blend = 0.035;
  sculptor.add("thigh.L", {0.090, 0.90, 0.0}, {0.107, 0.53, 0.004}, 0.089, 0.049);
  sculptor.add("thigh.L", {0.098, 0.80, 0.028}, {0.108, 0.62, 0.022}, 0.058, 0.043);
  sculptor.blend = 0.008;
  sculptor.add("shin.L", {0.108, 0.515, 0.004}, {0.118, 0.10, -0.020}, 0.048, 0.033);
  sculptor.blend = 0.04;
  sculptor.add("shin.L", {0.112, 0.44, -0.016}, {0.114, 0.30, -0.024}, 0.041, 0.034);
  sculptor.blend = 0.012;
  Primitive& cap =
      sculptor.add("kneecap.L", {0.108, 0.532, 0.030}, {0.108, 0.505, 0.031}, 0.024, 0.022);
  cap.spread = 0.7;
  cap.detail = 0.7;
  sculptor.color = shoe;
  sculptor.blend = 0.02;
  sculptor.add("foot.L", {0.118, 0.090, -0.022}, {0.133, 0.036, 0.090}, 0.037, 0.029);
  sculptor.add("foot.L", {0.118, 0.041, -0.045}, {0.130, 0.032, 0.06}, 0.038, 0.030);
  sculptor.add("foot.L", {0.116, 0.029, 0.090}, {0.150, 0.029, 0.082}, 0.027, 0.027);
  Primitive& toes =
      sculptor.add("toes.L", {0.136, 0.027, 0.105}, {0.140, 0.024, 0.155}, 0.043, 0.036);
  toes.warp = flattened({0, 1, 0}, 0.6);
  toes.spread = 0.7;
}

// Hair over the crown and the back of the head, eyes, brows and a mouth.
Vec3 painted_head(const Vec3& p) {
  const double x = std::fabs(p.x);
  if (p.z > 0.05 && x < 0.06) {
    const double eye_x = (x - 0.031) / 0.0125, eye_y = (p.y - 1.683) / 0.0062;
    const double eye = eye_x * eye_x + eye_y * eye_y, off = math::hypot(x - 0.031, p.y - 1.683);
    if (eye < 1) {
      if (math::hypot(x - 0.0292, p.y - 1.6855) < 0.001) return {1, 1, 1};
      return off < 0.0026 ? Vec3{0.01, 0.01, 0.01} : off < 0.0056 ? iris : white;
    }
    if (eye < 1.5 && p.y > 1.683) return hair;  // lashes
    const double arch = 1.7045 - 6 * (x - 0.030) * (x - 0.030);
    if (x > 0.013 && x < 0.050 && std::fabs(p.y - arch) < 0.0036 - 0.04 * (x - 0.013)) return hair;
    if (std::fabs(p.y - 1.6255) < 0.0009 && x < 0.0195) return {0.16, 0.04, 0.04};
    const double lip_x = x / 0.021, lip_y = (p.y - 1.6255) / (p.y > 1.6255 ? 0.0065 : 0.0080);
    if (lip_x * lip_x + lip_y * lip_y < 1) return lips;
  }
  const double ear_y = (p.y - 1.678) / 0.036, ear_z = (p.z + 0.019) / 0.027;
  const bool ear = x > 0.06 && ear_y * ear_y + ear_z * ear_z < 1;
  if (!ear && p.y > 1.60 && p.y - 1.725 - 0.75 * (p.z - 0.02) > 0) return hair;
  return skin;
}

}  // namespace

Chart mannequin_chart() { return {{shoe, trousers, shirt, skin}, 1.56, 1.81, 1.70, painted_head}; }

Blueprint mannequin_blueprint() {
  Blueprint blueprint;
  blueprint.name = "mannequin";
  blueprint.material = "cloth_and_skin";
  add_joints(blueprint);
  add_torso(blueprint);
  add_head(blueprint);
  add_arm(blueprint);
  add_leg(blueprint);
  mirror(blueprint);
  blueprint.zones = mannequin_chart().zones;
  blueprint.place = [chart = mannequin_chart()](const Vec3& p, double zone) {
    return place_in(chart, p, zone);
  };
  return blueprint;
}

}  // namespace sinew::samples
