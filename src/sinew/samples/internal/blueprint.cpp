// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/internal/blueprint.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/samples/detail/sample_weights.h"
#include "sinew/samples/detail/sculpt.h"

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

// Each bone's counterpart on the other side, or itself; empty where there are no sides.
std::vector<int> mirror_images(const Blueprint& blueprint) {
  std::vector<int> images;
  for (std::size_t i = 0; blueprint.symmetric && i < blueprint.joints.size(); ++i) {
    std::string name = blueprint.joints[i].name;
    if (name.ends_with(".L") || name.ends_with(".R")) name.back() = name.back() == 'L' ? 'R' : 'L';
    images.push_back(joint_number(blueprint, name));
  }
  return images;
}

double zone_of(const Blueprint& blueprint, const Vec3& color) {
  const auto found = std::find(blueprint.zones.begin(), blueprint.zones.end(), color);
  return static_cast<double>(found - blueprint.zones.begin());
}

void paint(const Blueprint& blueprint, const Field& field, Mesh& mesh) {
  mesh.normals.values.resize(mesh.positions.size());
  (blueprint.place ? mesh.uvs.values.resize(mesh.positions.size())
                   : mesh.colors.resize(mesh.positions.size()));
  parallel_for(mesh.positions.size(), 1024, [&](std::size_t begin, std::size_t end) {
    std::vector<Share> shares;
    for (std::size_t v = begin; v < end; ++v) {
      // The right half takes what the left one has, so that not even rounding tells them apart.
      const bool flip = blueprint.symmetric && mesh.positions[v].x < 0;
      const Vec3 p = flip ? mirrored(mesh.positions[v]) : mesh.positions[v];
      Vec3 normal{0, 0, 1};
      if (!blueprint.flat) {
        normal = field.distance(p).gradient;
        if (blueprint.symmetric && p.x == 0) normal.x = 0;
        normal = normalized(normal, Vec3{0, 0, 1});
      }
      field.shares(p, shares);
      Vec3 color;
      double zone = 0, total = 0;
      for (const Share& share : shares) {
        // Cubed, as edges of cloth and skin are crisper than those of flesh.
        const double weight = share.share * share.share * share.share;
        color += field.primitives()[share.primitive].color * weight;
        if (blueprint.place) {
          zone += weight * zone_of(blueprint, field.primitives()[share.primitive].color);
        }
        total += weight;
      }
      mesh.normals.values[v] = flip ? mirrored(normal) : normal;
      if (blueprint.place) {
        mesh.uvs.values[v] = blueprint.place(p, zone / total);
        continue;
      }
      color = color / total;
      if (blueprint.paint) color = blueprint.paint(p, normal, color);
      mesh.colors[v] = {std::clamp(color.x, 0.0, 1.0), std::clamp(color.y, 0.0, 1.0),
                        std::clamp(color.z, 0.0, 1.0), 1};
    }
  });
}

}  // namespace

int add_joint(Blueprint& blueprint, std::string name, std::string_view parent, const Vec3& place) {
  Joint joint;
  joint.name = std::move(name);
  joint.parent = parent.empty() ? no_joint : JointIndex(joint_number(blueprint, parent));
  joint.rest.translation = parent.empty() ? place : place - blueprint.places[joint.parent];
  blueprint.joints.push_back(std::move(joint));
  blueprint.places.push_back(place);
  blueprint.tips.emplace_back();
  blueprint.tail_joints.push_back(no_joint);
  return static_cast<int>(blueprint.joints.size()) - 1;
}

int add_leaf(Blueprint& blueprint, std::string name, std::string_view parent, const Vec3& place,
             const Vec3& tip) {
  const int joint = add_joint(blueprint, std::move(name), parent, place);
  blueprint.tips.back() = tip;
  return joint;
}

void add_end(Blueprint& blueprint, std::string name, std::string_view parent, const Vec3& place) {
  const std::string end = name;
  const int joint = add_joint(blueprint, std::move(name), parent, place);
  blueprint.joints[joint].is_frame = true;
  point_to(blueprint, parent, end);
}

void point_to(Blueprint& blueprint, std::string_view joint, std::string_view child) {
  blueprint.tail_joints[joint_number(blueprint, joint)] = joint_number(blueprint, child);
}

int joint_number(const Blueprint& blueprint, std::string_view name) {
  for (std::size_t i = 0; i < blueprint.joints.size(); ++i) {
    if (blueprint.joints[i].name == name) return static_cast<int>(i);
  }
  throw UsageError("the sample has no joint named " + std::string(name));
}

const Vec3& joint_place(const Blueprint& blueprint, std::string_view name) {
  return blueprint.places[joint_number(blueprint, name)];
}

Primitive limb(const Blueprint& blueprint, std::string_view bone, const Vec3& a, const Vec3& b,
               double radius_a, double radius_b, double blend) {
  Primitive primitive;
  primitive.a = a;
  primitive.b = b;
  primitive.radius_a = radius_a;
  primitive.radius_b = radius_b;
  primitive.blend = blend;
  primitive.bone = joint_number(blueprint, bone);
  return primitive;
}

void mirror(Blueprint& blueprint) {
  const std::size_t joints = blueprint.joints.size(), flesh = blueprint.flesh.size();
  for (std::size_t i = 0; i < joints; ++i) {
    const std::string name = blueprint.joints[i].name;
    if (!is_left(name)) continue;
    const std::string parent = blueprint.joints[blueprint.joints[i].parent].name;
    add_joint(blueprint, mirrored(name), mirrored(parent), mirrored(blueprint.places[i]));
    if (blueprint.tips[i]) blueprint.tips.back() = mirrored(*blueprint.tips[i]);
  }
  for (std::size_t i = 0; i < joints; ++i) {
    if (!is_left(blueprint.joints[i].name) || blueprint.tail_joints[i] == no_joint) continue;
    const std::size_t child = blueprint.tail_joints[i];
    point_to(blueprint, mirrored(blueprint.joints[i].name), mirrored(blueprint.joints[child].name));
  }
  for (std::size_t i = 0; i < flesh; ++i) {
    const std::string& bone = blueprint.joints[blueprint.flesh[i].bone].name;
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
  for (Bone& bone : rig.skeleton.bones) {
    const std::size_t joint = bone.joint;
    if (blueprint.tips[joint]) {
      bone.tail = *blueprint.tips[joint];
      bone.tail_joint = no_joint;
    } else if (blueprint.tail_joints[joint] != no_joint) {
      bone.tail_joint = blueprint.tail_joints[joint];
      bone.tail = blueprint.places[bone.tail_joint];
    }
  }
  progress.report("weighing", 0.9);
  weights_by_flesh(field, mirror_images(blueprint), rig);
  progress.report("weighing", 1);
  return rig;
}

}  // namespace sinew::samples
