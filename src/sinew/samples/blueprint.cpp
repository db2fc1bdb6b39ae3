// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/blueprint.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/samples/sample_weights.h"
#include "sinew/samples/sculpt.h"

namespace sinew::samples {
namespace {

bool is_left(std::string_view name) { return name.ends_with(".L"); }

std::string mirrored(std::string name) {
  if (is_left(name)) name.back() = 'R';
  return name;
}

Vec3 mirrored(const Vec3& p) { return {-p.x, p.y, p.z}; }

Primitive mirrored(Primitive primitive) {
  primitive.a = mirrored(primitive.a);
  primitive.b = mirrored(primitive.b);
  const Mat3 flip = diagonal(Vec3{-1, 1, 1});
  primitive.warp = flip * primitive.warp * flip;
  return primitive;
}

void paint(const Blueprint& blueprint, const Field& field, Mesh& mesh) {
  mesh.normals.values.resize(mesh.positions.size());
  mesh.colors.resize(mesh.positions.size());
  parallel_for(mesh.positions.size(), 1024, [&](std::size_t begin, std::size_t end) {
    std::vector<Share> shares;
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3& p = mesh.positions[v];
      Vec3 normal{0, 0, 1};
      if (!blueprint.flat) {
        normal = field.distance(p).gradient;
        // In the mirror plane the two sides' pulls cancel, save for rounding.
        if (blueprint.symmetric && p.x == 0) normal.x = 0;
        normal = normalized(normal, Vec3{0, 0, 1});
      }
      field.shares(p, shares);
      Vec3 color;
      for (const Share& share : shares) {
        color += field.primitives()[share.primitive].color * share.share;
      }
      if (blueprint.paint) color = blueprint.paint(p, normal, color);
      mesh.normals.values[v] = normal;
      mesh.colors[v] = {std::clamp(color.x, 0.0, 1.0), std::clamp(color.y, 0.0, 1.0),
                        std::clamp(color.z, 0.0, 1.0), 1};
    }
  });
}

}  // namespace

int add_joint(Blueprint& blueprint, std::string name, std::string_view parent, const Vec3& place) {
  Joint joint;
  joint.name = std::move(name);
  joint.parent = parent.empty() ? no_joint : joint_number(blueprint, parent);
  joint.rest.translation =
      parent.empty() ? place : place - blueprint.places[static_cast<std::size_t>(joint.parent)];
  blueprint.joints.push_back(std::move(joint));
  blueprint.places.push_back(place);
  blueprint.tips.push_back(place);
  blueprint.has_tip.push_back(false);
  return static_cast<int>(blueprint.joints.size()) - 1;
}

int add_leaf(Blueprint& blueprint, std::string name, std::string_view parent, const Vec3& place,
             const Vec3& tip) {
  const int joint = add_joint(blueprint, std::move(name), parent, place);
  blueprint.tips.back() = tip;
  blueprint.has_tip.back() = true;
  return joint;
}

int joint_number(const Blueprint& blueprint, std::string_view name) {
  for (std::size_t i = 0; i < blueprint.joints.size(); ++i) {
    if (blueprint.joints[i].name == name) return static_cast<int>(i);
  }
  throw UsageError("the sample has no joint named " + std::string(name));
}

const Vec3& joint_place(const Blueprint& blueprint, std::string_view name) {
  return blueprint.places[static_cast<std::size_t>(joint_number(blueprint, name))];
}

void mirror(Blueprint& blueprint) {
  const std::size_t joints = blueprint.joints.size(), flesh = blueprint.flesh.size();
  for (std::size_t i = 0; i < joints; ++i) {
    const std::string name = blueprint.joints[i].name;
    if (!is_left(name)) continue;
    const std::string parent =
        blueprint.joints[static_cast<std::size_t>(blueprint.joints[i].parent)].name;
    add_joint(blueprint, mirrored(name), mirrored(parent), mirrored(blueprint.places[i]));
    blueprint.tips.back() = mirrored(blueprint.tips[i]);
    blueprint.has_tip.back() = blueprint.has_tip[i];
  }
  for (std::size_t i = 0; i < flesh; ++i) {
    const std::string& bone =
        blueprint.joints[static_cast<std::size_t>(blueprint.flesh[i].bone)].name;
    if (!is_left(bone)) continue;
    Primitive image = mirrored(blueprint.flesh[i]);
    image.bone = joint_number(blueprint, mirrored(bone));
    blueprint.flesh.push_back(image);
  }
  blueprint.symmetric = true;
}

Rig build(const Blueprint& blueprint, std::size_t vertex_target, const Progress& progress) {
  const Field field(blueprint.flesh);
  Surface surface = blueprint.flat
                        ? sculpt_flat(field, vertex_target, progress.part(0, 0.9))
                        : sculpt(field, vertex_target, blueprint.symmetric, progress.part(0, 0.9));
  Rig rig;
  rig.name = blueprint.name;
  rig.mesh.positions = std::move(surface.positions);
  rig.mesh.triangles = std::move(surface.triangles);
  paint(blueprint, field, rig.mesh);
  Part part;
  part.name = blueprint.name;
  part.material = blueprint.material;
  part.vertex_count = static_cast<Index>(rig.mesh.positions.size());
  part.triangle_count = static_cast<Index>(rig.mesh.triangles.size());
  rig.mesh.parts.push_back(std::move(part));

  rig.skeleton.joints = blueprint.joints;
  rig.skeleton.bones = bones_from_joints(rig.skeleton);
  for (std::size_t i = 0; i < blueprint.joints.size(); ++i) {
    if (!blueprint.has_tip[i]) continue;
    rig.skeleton.bones[i].tail = blueprint.tips[i];
    rig.skeleton.bones[i].tail_joint = no_joint;
  }
  progress.report("weighing", 0.9);
  weigh_by_flesh(field, rig);
  progress.report("weighing", 1);
  return rig;
}

}  // namespace sinew::samples
