// SPDX-License-Identifier: Apache-2.0
// Normals of the fast path: those of the posed surface, as the reference has them.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "kernel_rig.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/deform.h"
#include "sinew/kernels/binding.h"
#include "sinew/kernels/targets.h"
#include "sinew/samples/samples.h"
#include "tests/support/tube.h"

namespace sinew {
namespace {

struct PosedSample {
  std::string name;
  Rig rig;
  std::vector<BoneState> states;
};

PosedSample twisted_box() {
  PosedSample posed{"box", make_sample("box", 2000), {}};
  test::set_blend_shares(posed.rig);
  auto bones = rest_bones(posed.rig);
  bones[0].twist_end = pi;
  posed.states = bone_states(posed.rig.skeleton, bones);
  return posed;
}

// Bent, twisted and stretched.
PosedSample strained_tube() {
  PosedSample posed{"tube", make_tube(), {}};
  test::set_blend_shares(posed.rig);
  auto bones = rest_bones(posed.rig);
  const Quat turn = rotation_about(Vec3{0, 0, 1}, radians(70));
  bones[0].twist_end = radians(120);
  bones[1].end = bones[1].start + rotate(turn, Vec3{1.3, 0, 0});
  bones[1].rotation = turn;
  bones[1].twist_start = bones[1].twist_end = radians(60);
  posed.states = bone_states(posed.rig.skeleton, bones);
  return posed;
}

PosedSample in_clip(const std::string& sample, const std::string& name) {
  PosedSample posed{sample, make_sample(sample, 8000), {}};
  test::set_blend_shares(posed.rig);
  const auto clip = std::find_if(posed.rig.clips.begin(), posed.rig.clips.end(),
                                 [&](const Clip& c) { return c.name == name; });
  posed.states = bone_states(posed.rig, *clip, 0.4 * duration(*clip));
  return posed;
}

// Normals at bind from the triangles, so that posed ones can be compared with posed triangles.
PosedSample with_own_normals(PosedSample posed) {
  posed.rig.mesh.normals = {};
  posed.rig.mesh.tangents = {};
  return posed;
}

struct Posed {
  std::vector<Vec3> positions, normals, tangents;
};

Posed by_kernel(const Binding& binding, const Method& method, std::span<const BoneState> states,
                std::span<const double> shapes = {}) {
  const Plan plan(binding, method);
  Palette palette(plan);
  palette.update(states, shapes);
  const std::size_t count = binding.vertex_count();
  std::vector<Vec3f> positions(count), normals(count);
  std::vector<Vec4T<float>> tangents(count);
  deform(palette,
         {.positions = &positions[0].x, .normals = &normals[0].x, .tangents = &tangents[0].x});
  Posed posed;
  for (const Vec3f& p : positions) posed.positions.push_back({p.x, p.y, p.z});
  for (const Vec3f& n : normals) posed.normals.push_back({n.x, n.y, n.z});
  for (const auto& t : tangents) posed.tangents.push_back({t.x, t.y, t.z});
  return posed;
}

double angle_between(const Vec3& a, const Vec3& b) {
  return degrees(std::atan2(length(cross(a, b)), dot(a, b)));
}

struct AngleError {
  double mean = 0, most = 0;  // degrees; all but one in twenty are below the second
  double worst = 0;
};

AngleError angle_error(const std::vector<Vec3>& normals, const std::vector<Vec3>& expected) {
  std::vector<double> angles;
  double sum = 0;
  for (std::size_t v = 0; v < expected.size(); ++v) {
    angles.push_back(angle_between(normals[v], expected[v]));
    sum += angles.back();
  }
  const auto rank = static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(angles.size()));
  std::nth_element(angles.begin(), angles.begin() + rank, angles.end());
  const double worst = *std::max_element(angles.begin(), angles.end());
  return {sum / static_cast<double>(angles.size()), angles[rank], worst};
}

class KernelNormals : public ::testing::Test {
 protected:
  ~KernelNormals() override {
    use_kernel_target("");
    set_thread_count(0);
  }
};

TEST_F(KernelNormals, equal_those_of_the_reference_by_every_method_on_every_target) {
  for (const PosedSample& posed :
       {twisted_box(), strained_tube(), in_clip("arm", "bend_twist_stretch"),
        in_clip("mannequin", "twist_stretch")}) {
    const Binding binding(posed.rig);
    for (const auto& [name, method] : test::tile_methods(posed.rig)) {
      const Deformed expected = deform_reference(posed.rig, posed.states, {}, method, true);
      for (const std::string& target : kernel_targets()) {
        use_kernel_target(target);
        const AngleError error =
            angle_error(by_kernel(binding, method, posed.states).normals, expected.normals);
        EXPECT_LT(error.mean, 0.002) << posed.name << ", " << name << ", " << target;
        EXPECT_LT(error.most, 0.003) << posed.name << ", " << name << ", " << target;
        // Stretch It has edges where a joint's weight begins; the reference takes the mean there.
        if (name == "stretch it") continue;
        EXPECT_LT(error.worst, 0.02) << posed.name << ", " << name << ", " << target;
      }
    }
  }
}

TEST_F(KernelNormals, are_those_of_the_posed_triangles) {
  struct Case {
    PosedSample posed;
    double mean, most;
  };
  for (const auto& [posed, mean, most] :
       {Case{with_own_normals(twisted_box()), 1.0, 4.0}, Case{strained_tube(), 0.4, 2.0},
        Case{with_own_normals(in_clip("arm", "bend_twist_stretch")), 0.4, 1.5},
        Case{with_own_normals(in_clip("mannequin", "twist_stretch")), 0.8, 3.0}}) {
    const Binding binding(posed.rig);
    for (const auto& [name, method] : test::tile_methods(posed.rig)) {
      // Their shares of mixed blending jump from vertex to vertex, and so do the triangles.
      if (name.find("mixed") != std::string::npos) continue;
      const Posed result = by_kernel(binding, method, posed.states);
      const AngleError error =
          angle_error(result.normals, vertex_normals(result.positions, posed.rig.mesh.triangles));
      EXPECT_LT(error.mean, mean) << posed.name << ", " << name;
      EXPECT_LT(error.most, most) << posed.name << ", " << name;
    }
  }
}

// A tube whose first line of vertices along it is there twice, as at a seam of UVs.
Rig tube_with_seam(std::size_t sides) {
  Rig rig = make_tube({.sides = static_cast<int>(sides)});
  rig.mesh.normals.values = vertex_normals(rig.mesh.positions, rig.mesh.triangles);
  const std::size_t count = rig.mesh.vertex_count();
  const std::vector<double> endpoints = rig.skin.endpoints;
  for (std::size_t v = 0; v < count; v += sides) {
    const std::vector<Influence> row(rig.skin.weights.row(v).begin(),
                                     rig.skin.weights.row(v).end());
    rig.mesh.positions.push_back(rig.mesh.positions[v]);
    rig.mesh.normals.values.push_back(rig.mesh.normals.values[v]);
    for (std::size_t i = rig.skin.weights.offsets[v]; i < rig.skin.weights.offsets[v + 1]; ++i) {
      rig.skin.endpoints.push_back(endpoints[i]);
    }
    rig.skin.weights.push_row(row);
  }
  for (Triangle& triangle : rig.mesh.triangles) {
    const bool last = std::any_of(triangle.begin(), triangle.end(),
                                  [&](Index v) { return v % sides == sides - 1; });
    for (Index& v : triangle) {
      if (last && v % sides == 0) v = static_cast<Index>(count + v / sides);
    }
  }
  return rig;
}

TEST_F(KernelNormals, seams_do_not_show) {
  constexpr std::size_t sides = 16;
  const Rig rig = tube_with_seam(sides);
  const std::size_t whole = make_tube({.sides = sides}).mesh.vertex_count();
  const std::vector<BoneState> states = strained_tube().states;
  const Binding binding(rig);
  for (const auto& [name, method] : test::tile_methods(rig)) {
    const Deformed exact = deform_reference(rig, states, {}, method, true);
    const Posed fast = by_kernel(binding, method, states);
    for (std::size_t copy = whole; copy < rig.mesh.vertex_count(); ++copy) {
      const std::size_t v = (copy - whole) * sides;
      EXPECT_LT(angle_between(exact.normals[v], exact.normals[copy]), 1e-6) << name << " " << v;
      EXPECT_LT(angle_between(fast.normals[v], fast.normals[copy]), 1e-3) << name << " " << v;
    }
  }
}

// A square bar along x, each side with vertices and normals of its own.
Rig square_bar() {
  Rig rig;
  const std::vector<Vec3> ends{{0, 0, 0}, {1, 0, 0}};
  const std::vector<std::array<int, 2>> segments{{0, 1}};
  rig.skeleton = skeleton_from_segments(ends, segments);
  constexpr int along = 41, across = 11;
  for (int side = 0; side < 4; ++side) {
    const Quat turn = rotation_about(Vec3{1, 0, 0}, side * pi / 2);
    const auto first = static_cast<Index>(rig.mesh.vertex_count());
    for (int i = 0; i < along; ++i) {
      for (int k = 0; k < across; ++k) {
        const double x = double(i) / (along - 1);
        rig.mesh.positions.push_back(rotate(turn, {x, 0.2, 0.4 * k / (across - 1) - 0.2}));
        rig.mesh.normals.values.push_back(rotate(turn, {0, 1, 0}));
        rig.skin.weights.push_row(std::vector<Influence>{{0, 1.0}});
        rig.skin.endpoints.push_back(x);
        if (i == 0 || k == 0) continue;
        const Index v = first + static_cast<Index>(i * across + k);
        rig.mesh.triangles.push_back({v, v - across, v - across - 1});
        rig.mesh.triangles.push_back({v, v - across - 1, v - 1});
      }
    }
  }
  return rig;
}

TEST_F(KernelNormals, stay_apart_at_hard_edges) {
  const Rig rig = square_bar();
  auto bones = rest_bones(rig);
  bones[0].twist_end = pi / 2;
  const auto states = bone_states(rig.skeleton, bones);
  for (const char* method : {"stbs-lbs", "stbs-dqs"}) {
    const Posed result = by_kernel(Binding(rig), method_from_name(method, rig), states);
    double worst = 0;
    for (std::size_t v = 0; v < result.normals.size(); ++v) {
      // A point at x with offset r from the axis is turned by x pi / 2: along x it goes
      // (1, u x r pi / 2), along its side as the turn has it.
      const Vec3 p = rig.mesh.positions[v];
      const Quat turn = rotation_about(Vec3{1, 0, 0}, p.x * pi / 2);
      const Vec3 r = rotate(turn, Vec3{0, p.y, p.z});
      const Vec3 side = rotate(turn, cross(Vec3{1, 0, 0}, rig.mesh.normals.values[v]));
      const Vec3 down = Vec3{1, 0, 0} + cross(Vec3{1, 0, 0}, r) * (pi / 2);
      worst = std::max(worst, angle_between(result.normals[v], cross(side, down)));
    }
    EXPECT_LT(worst, 1e-3) << method;
  }
}

TEST_F(KernelNormals, follow_filters_set_later) {
  PosedSample posed = strained_tube();
  Binding binding(posed.rig);
  posed.rig.skin.filters.resize(2);
  posed.rig.skin.filters[0].twist.points = {{0.2, 0}, {0.8, 1}};
  posed.rig.skin.filters[1].stretch.points = {{0, 0.1}, {0.5, 0.2}, {1, 1}};
  set_filters(binding, posed.rig.skin.filters);
  for (const char* name : {"stbs-lbs", "stbs-dqs"}) {
    const Method method = method_from_name(name, posed.rig);
    const Deformed expected = deform_reference(posed.rig, posed.states, {}, method, true);
    const AngleError error =
        angle_error(by_kernel(binding, method, posed.states).normals, expected.normals);
    EXPECT_LT(error.mean, 0.005) << name;
    EXPECT_LT(error.most, 0.02) << name;
  }
}

TEST_F(KernelNormals, of_shapes_have_slopes_too_and_tangents_lie_in_the_surface) {
  PosedSample posed = strained_tube();
  Mesh& mesh = posed.rig.mesh;
  mesh.normals.values = vertex_normals(mesh.positions, mesh.triangles);
  mesh.tangents.assign(mesh.vertex_count(), {1, 0, 0, -1});
  BlendShape thick;
  for (const Vec3& p : mesh.positions) thick.positions.push_back(Vec3{0, p.y, p.z} * 0.5);
  mesh.shapes = {thick};
  const std::vector<double> weights{0.7};
  const Binding binding(posed.rig);
  for (const auto& [name, method] : test::tile_methods(posed.rig)) {
    const Deformed expected = deform_reference(posed.rig, posed.states, weights, method, true);
    std::vector<Vec3> tangents;
    for (const Vec4& t : expected.tangents) tangents.push_back({t.x, t.y, t.z});
    const Posed result = by_kernel(binding, method, posed.states, weights);
    EXPECT_LT(angle_error(result.normals, expected.normals).mean, 1e-3) << name;
    EXPECT_LT(angle_error(result.tangents, tangents).mean, 1e-3) << name;
  }
}

// What shapes do to normals themselves is exact: only the slopes of weights stay those at bind.
TEST_F(KernelNormals, of_shapes_miss_the_reference_only_by_the_slopes_of_weights) {
  PosedSample posed = strained_tube();
  Mesh& mesh = posed.rig.mesh;
  mesh.normals.values = vertex_normals(mesh.positions, mesh.triangles);
  BlendShape waist;
  std::vector<Vec3> waisted = mesh.positions;
  for (Vec3& p : waisted) {
    const double wide = 1 + 0.3 * std::sin(6 * p.x);
    waist.positions.push_back(Vec3{0, p.y, p.z} * (wide - 1));
    p += waist.positions.back();
  }
  const std::vector<Vec3> turned = vertex_normals(waisted, mesh.triangles);
  for (std::size_t v = 0; v < turned.size(); ++v) {
    waist.normals.push_back(turned[v] - mesh.normals.values[v]);
  }
  mesh.shapes = {waist};
  Rig shaped = posed.rig;
  shaped.mesh.shapes.clear();
  shaped.mesh.positions = waisted;
  shaped.mesh.normals.values = turned;
  const std::vector<double> weights{1};
  const auto most = [](const std::vector<Vec3>& normals, const std::vector<Vec3>& expected) {
    double worst = 0;
    for (std::size_t v = 0; v < expected.size(); ++v) {
      worst = std::max(worst, angle_between(normals[v], expected[v]));
    }
    return worst;
  };
  const Method method = method_from_name("stbs-dqs", posed.rig);
  const Deformed expected = deform_reference(posed.rig, posed.states, weights, method, true);
  EXPECT_LT(most(by_kernel(Binding(shaped), method, posed.states).normals, expected.normals), 0.03);
  const double off =
      most(by_kernel(Binding(posed.rig), method, posed.states, weights).normals, expected.normals);
  EXPECT_GT(off, 0.3);
  EXPECT_LT(off, 20);
  // Without slopes of weights there is nothing to miss.
  Rig stiff = posed.rig;
  stiff.skin.weights = {};
  stiff.skin.endpoints.clear();
  for (std::size_t v = 0; v < turned.size(); ++v) {
    stiff.skin.weights.push_row(std::vector<Influence>{{1, 1.0}});
  }
  const Method linear = method_from_name("lbs", stiff);
  const Deformed rigid = deform_reference(stiff, posed.states, weights, linear, true);
  EXPECT_LT(most(by_kernel(Binding(stiff), linear, posed.states, weights).normals, rigid.normals),
            0.01);
}

TEST_F(KernelNormals, are_as_good_far_from_the_origin) {
  PosedSample posed = strained_tube();
  for (BoneState& state : posed.states) {
    const Vec3 far{300, -200, 100};
    state.posed_head += far;
    state.posed_tail += far;
    state.matrix.translation += far;
  }
  const Binding binding(posed.rig);
  for (const auto& [name, method] : test::tile_methods(posed.rig)) {
    const Deformed expected = deform_reference(posed.rig, posed.states, {}, method, true);
    const AngleError error =
        angle_error(by_kernel(binding, method, posed.states).normals, expected.normals);
    EXPECT_LT(error.mean, 0.005) << name;
  }
}

TEST_F(KernelNormals, have_the_same_bits_on_any_number_of_threads) {
  const PosedSample posed = in_clip("arm", "bend_twist_stretch");
  for (const auto& [name, method] : test::tile_methods(posed.rig)) {
    set_thread_count(1);
    const Posed one = by_kernel(Binding(posed.rig), method, posed.states);
    set_thread_count(3);
    EXPECT_EQ(one.normals, by_kernel(Binding(posed.rig), method, posed.states).normals) << name;
  }
}

TEST_F(KernelNormals, next_to_vertices_tied_to_nothing_are_finite_and_near) {
  PosedSample posed = strained_tube();
  Weights weights;
  std::vector<double> endpoints;
  for (std::size_t v = 0; v < posed.rig.skin.weights.vertex_count(); ++v) {
    const bool loose = v % 37 == 5;
    const auto row = posed.rig.skin.weights.row(v);
    weights.push_row(loose ? std::span<const Influence>() : row);
    for (std::size_t i = 0; i < row.size() && !loose; ++i) {
      endpoints.push_back(posed.rig.skin.endpoints[posed.rig.skin.weights.offsets[v] + i]);
    }
  }
  posed.rig.skin.weights = weights;
  posed.rig.skin.endpoints = endpoints;
  const Method method = method_from_name("stbs-lbs", posed.rig);
  const Deformed expected = deform_reference(posed.rig, posed.states, {}, method, true);
  const Posed result = by_kernel(Binding(posed.rig), method, posed.states);
  const AngleError error = angle_error(result.normals, expected.normals);
  EXPECT_LT(error.mean, 1e-4);
  // Those whose neighbours are all tied: what lies between loose and tied ones is torn.
  const Rig whole = make_tube();
  const Deformed untorn = deform_reference(whole, posed.states, {}, method, true);
  std::size_t near = 0;
  for (std::size_t v = 0; v < untorn.normals.size(); ++v) {
    if (angle_between(result.normals[v], untorn.normals[v]) < 5) ++near;
  }
  EXPECT_GT(near, untorn.normals.size() * 9 / 10);
}

}  // namespace
}  // namespace sinew
