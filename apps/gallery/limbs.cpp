// SPDX-License-Identifier: Apache-2.0
#include "limbs.h"

#include <algorithm>

#include "sculpture.h"
#include "sinew/mesh/mesh.h"

namespace sinew::gallery {
namespace {

constexpr Vec3 nail{0.80, 0.58, 0.47}, skin_tone{0.72, 0.44, 0.31}, cloth{0.05, 0.10, 0.19};

}  // namespace

Mesh dressed(Mesh mesh, const std::function<double(const Vec3& place)>& beyond) {
  constexpr double thickness = 0.006, rise = 0.008, border = 0.03;
  const std::vector<Vec3> normals = vertex_normals(mesh.positions, mesh.triangles);
  mesh.uvs = {};
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec4& color = mesh.colors[v];
    const double off = dot(Vec3{color.x, color.y, color.z} - skin_tone, nail - skin_tone);
    const double on_nail = std::clamp(off / length_squared(nail - skin_tone), 0.0, 1.0);
    const double depth = beyond(mesh.positions[v]);
    const double under_cloth = std::clamp(0.5 + depth / (2 * border), 0.0, 1.0);
    mesh.uvs.values.push_back({0.5 + (under_cloth - on_nail) / 3, 0.5});
    mesh.positions[v] += normals[v] * (thickness * std::clamp(depth / rise, 0.0, 1.0));
  }
  mesh.colors.clear();
  mesh.normals = {};
  return mesh;
}

std::shared_ptr<const Image> limb_skin() {
  constexpr int part = 32;
  auto picture = std::make_shared<Image>(3 * part, 1);
  for (int x = 0; x < 3 * part; ++x) {
    const Vec3& c = x < part ? nail : x < 2 * part ? skin_tone : cloth;
    picture->at(x, 0) =
        to_srgb(Rgb{static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)});
  }
  return picture;
}

Mesh leg_mesh(const Detail& detail) {
  Sculpture leg("leg", skin_tone);
  // The thigh: its core, the muscles in front, on both sides and behind.
  leg.add(hip, knee, 0.090, 0.047, 0);
  leg.add({0, 0.97, 0}, {0, 1.02, 0}, 0.098, 0.092, 0.03);
  leg.add({0.008, 0.90, 0.040}, {0.004, 0.68, 0.050}, 0.062, 0.044, 0.03);
  leg.add({0.046, 0.84, 0.018}, {0.036, 0.64, 0.040}, 0.050, 0.034, 0.025);
  leg.add({-0.036, 0.76, 0.020}, {-0.034, 0.615, 0.044}, 0.044, 0.036, 0.025);
  leg.add({-0.034, 0.93, -0.010}, {-0.022, 0.80, -0.008}, 0.062, 0.046, 0.03);
  leg.add({0.022, 0.88, -0.038}, {0.030, 0.62, -0.026}, 0.052, 0.026, 0.025);
  leg.add({-0.022, 0.88, -0.036}, {-0.030, 0.62, -0.024}, 0.050, 0.024, 0.025);
  leg.add({0.008, 1.00, -0.060}, {0.004, 0.965, -0.058}, 0.076, 0.070, 0.03);  // buttock
  // The knee: cap, the tendon below it, condyles.
  leg.add({0, 0.580, 0.052}, {0, 0.552, 0.056}, 0.030, 0.029, 0.012, {0, 0, 1}, 0.75, 0.8);
  leg.add({0, 0.535, 0.050}, {0, 0.495, 0.048}, 0.017, 0.016, 0.014);
  leg.add({-0.022, 0.562, 0.012}, {0.022, 0.562, 0.012}, 0.040, 0.040, 0.02);
  // The shin with its edge in front, and a calf of two heads.
  leg.add({0, 0.535, 0.020}, ankle, 0.048, 0.029, 0.02);
  leg.add({0.002, 0.49, 0.044}, {0.002, 0.22, 0.014}, 0.020, 0.017, 0.02);
  leg.add({0.024, 0.47, -0.014}, {0.018, 0.335, -0.026}, 0.040, 0.033, 0.018);
  leg.add({-0.024, 0.465, -0.012}, {-0.018, 0.315, -0.028}, 0.043, 0.035, 0.018);
  leg.add({0, 0.34, -0.034}, {0, 0.14, -0.044}, 0.026, 0.012, 0.025);  // towards the heel
  // Ankle, heel, arch and toes; the big toe is on the inner side, at -x.
  leg.add({-0.028, 0.108, -0.010}, {0.030, 0.096, -0.014}, 0.020, 0.019, 0.014, {0, 0, 1}, 1, 0.8);
  leg.add({0, 0.090, -0.018}, {0, 0.036, -0.040}, 0.034, 0.033, 0.02);
  leg.add({0, 0.080, 0.004}, {-0.006, 0.038, 0.110}, 0.035, 0.030, 0.025);
  leg.add({0.014, 0.040, -0.020}, {0.022, 0.026, 0.100}, 0.028, 0.024, 0.02);
  leg.add({-0.022, 0.030, 0.122}, {0.030, 0.024, 0.104}, 0.029, 0.021, 0.015, {0, 1, 0}, 0.85);
  constexpr double toes[5][4] = {{-0.030, 0.150, 0.050, 0.0185},
                                 {-0.007, 0.150, 0.044, 0.0130},
                                 {0.011, 0.142, 0.040, 0.0120},
                                 {0.026, 0.131, 0.036, 0.0115},
                                 {0.040, 0.116, 0.034, 0.0115}};
  for (const auto& [x, z, long_, thick] : toes) {
    leg.color = skin_tone;
    leg.add({x, 0.024, z - 0.03}, {x + 0.003, 0.018, z + long_ - 0.018}, thick, 0.94 * thick, 0.004,
            {0, 1, 0}, 0.9, 0.55);
    leg.color = nail;
    leg.add({x + 0.003, 0.018 + 0.55 * thick, z + long_ - 0.016},
            {x + 0.003, 0.018 + 0.50 * thick, z + long_ - 0.008}, 0.55 * thick, 0.55 * thick, 0.002,
            {0, 1, 0}, 0.5, 0.4);
  }
  // Shorts, a little longer outside than inside.
  return dressed(leg.mesh(detail.vertices(12000)),
                 [](const Vec3& p) { return p.y - 0.79 + 0.2 * p.x; });
}

Mesh muscular_arm_mesh(const Detail& detail) {
  Sculpture arm("muscular_arm", skin_tone);
  arm.add(arm_shoulder, arm_elbow, 0.062, 0.044, 0);
  arm.add({-0.02, 0.026, 0}, {0.115, 0.020, 0}, 0.076, 0.040, 0.02);            // deltoid
  arm.add({0.00, 0.000, 0.034}, {0.10, 0.004, 0.034}, 0.056, 0.034, 0.018);     // its front
  arm.add({0.00, 0.000, -0.036}, {0.10, 0.002, -0.034}, 0.056, 0.034, 0.018);   // its back
  arm.add({0.115, -0.006, 0.030}, {0.20, -0.004, 0.038}, 0.040, 0.048, 0.014);  // biceps
  arm.add({0.20, -0.004, 0.038}, {0.272, -0.002, 0.024}, 0.048, 0.024, 0.014);
  arm.add({0.09, 0.018, -0.030}, {0.18, 0.020, -0.036}, 0.040, 0.042, 0.014);  // triceps
  arm.add({0.18, 0.020, -0.036}, {0.255, 0.010, -0.028}, 0.042, 0.020, 0.014);
  arm.add({0.09, -0.022, -0.024}, {0.19, -0.020, -0.032}, 0.036, 0.036, 0.014);
  arm.add({0.315, 0, -0.034}, {0.325, 0, -0.034}, 0.020, 0.018, 0.016);        // point of the elbow
  arm.add({0.292, 0.022, 0.006}, {0.395, 0.020, 0.008}, 0.040, 0.044, 0.014);  // extensors
  arm.add({0.395, 0.020, 0.008}, {0.520, 0.006, 0.006}, 0.044, 0.022, 0.014);
  arm.add({0.305, -0.016, 0.016}, {0.390, -0.014, 0.016}, 0.036, 0.042, 0.014);  // flexors
  arm.add({0.390, -0.014, 0.016}, {0.525, -0.004, 0.008}, 0.042, 0.021, 0.014);
  arm.add({0.300, 0, -0.018}, {0.400, 0.002, -0.024}, 0.036, 0.032, 0.014);
  arm.add({0.400, 0.002, -0.024}, arm_wrist, 0.032, 0.029, 0.014);
  arm.add({0.52, 0, 0.004}, {0.60, 0, 0.004}, 0.030, 0.032, 0.014, {0, 1, 0}, 0.75);  // wrist
  // A fist: palm, curled fingers, the thumb over them.
  arm.add({0.61, 0, 0.002}, {0.665, -0.004, 0.002}, 0.044, 0.050, 0.015, {0, 1, 0}, 0.62);
  for (int i = 0; i < 4; ++i) {
    const double z = 0.040 - 0.0255 * i, r = i == 3 ? 0.0135 : 0.0155, reach = i == 3 ? 0.71 : 0.72;
    arm.add({0.675, 0.004, z}, {reach, -0.006, z}, r, 0.95 * r, 0.004, {0, 0, 1}, 1, 0.5);
    arm.add({reach, -0.006, z}, {reach - 0.008, -0.042, z}, 0.95 * r, 0.9 * r, 0.004, {0, 0, 1}, 1,
            0.5);
    arm.add({reach - 0.008, -0.042, z}, {0.680, -0.046, z}, 0.9 * r, 0.85 * r, 0.004, {0, 0, 1}, 1,
            0.5);
  }
  arm.add({0.625, -0.008, 0.036}, {0.665, -0.034, 0.058}, 0.020, 0.0165, 0.008, {0, 0, 1}, 1, 0.5);
  arm.add({0.665, -0.034, 0.058}, {0.706, -0.054, 0.036}, 0.0165, 0.0145, 0.004, {0, 0, 1}, 1, 0.5);
  return dressed(arm.mesh(detail.vertices(12000)),
                 [](const Vec3& p) { return 0.075 - 0.2 * p.y - p.x; });
}

}  // namespace sinew::gallery
