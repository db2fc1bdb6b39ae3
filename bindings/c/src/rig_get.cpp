// SPDX-License-Identifier: Apache-2.0
// What is in a rig: counts, names and arrays, as they lie in memory.
#include <type_traits>

#include "bindings/c/src/arrays.h"
#include "bindings/c/src/rig.h"
#include "sinew/core/overload.h"

namespace sinew::c {

sinew_array skin_view(const Skin& skin, sinew_field field) {
  const std::vector<Influence>& influences = skin.weights.influences;
  switch (field) {
    case SINEW_WEIGHT_OFFSETS:
      return skin.weights.vertex_count() > 0 ? view(skin.weights.offsets) : sinew_array{};
    case SINEW_WEIGHT_BONES:
      if (influences.empty()) return {};
      return view_of_ints(&influences[0].bone, influences.size(), sizeof(Influence));
    case SINEW_WEIGHTS:
      if (influences.empty()) return {};
      return view(&influences[0].weight, influences.size(), 1, sizeof(Influence));
    case SINEW_ENDPOINTS:
      return view(skin.endpoints.data(), skin.endpoints.size(), 1);
    default:
      return view(skin.twist_endpoints.data(), skin.twist_endpoints.size(), 1);
  }
}

namespace {

// Arrays are handed out as plain numbers, side by side.
static_assert(sizeof(Vec2) == 2 * sizeof(double) && sizeof(Vec3) == 3 * sizeof(double));
static_assert(sizeof(Vec4) == 4 * sizeof(double) && sizeof(Transform) == 10 * sizeof(double));
static_assert(sizeof(Affine) == 12 * sizeof(double));
static_assert(sizeof(Triangle) == 3 * sizeof(Index) && sizeof(Tetrahedron) == 4 * sizeof(Index));
static_assert(sizeof(JointIndex) == sizeof(int) && std::is_standard_layout_v<JointIndex>);

std::size_t count_of(const Rig& rig, sinew_item item) {
  switch (item) {
    case SINEW_VERTEX:
      return rig.mesh.vertex_count();
    case SINEW_TRIANGLE:
      return rig.mesh.triangles.size();
    case SINEW_POLYGON:
      return rig.mesh.polygons.size();
    case SINEW_TETRAHEDRON:
      return rig.mesh.tetrahedra.size();
    case SINEW_PART:
    case SINEW_MATERIAL:
      return rig.mesh.parts.size();
    case SINEW_JOINT:
      return rig.skeleton.joints.size();
    case SINEW_BONE:
      return rig.skeleton.bones.size();
    case SINEW_INFLUENCE:
      return rig.skin.weights.influences.size();
    case SINEW_SHAPE:
      return rig.mesh.shapes.size();
    case SINEW_CLIP:
      return rig.clips.size();
    case SINEW_CONTROL:
      return rig.controls.size();
    case SINEW_DRIVER:
      return rig.drivers.size();
    case SINEW_SHAPE_DRIVER:
      return rig.shape_drivers.size();
    case SINEW_CORRECTIVE: {
      std::size_t count = 0;
      for (const PoseSpace& space : rig.pose_spaces) count += space.examples.size();
      return count;
    }
    case SINEW_NOTE:
      return rig.notes.size();
    case SINEW_RIG:
      return 1;
    default:
      throw UsageError("there is no item " + std::to_string(static_cast<int>(item)));
  }
}

const std::string& name_of(const Rig& rig, sinew_item item, std::size_t index) {
  switch (item) {
    case SINEW_PART:
      return entry(rig.mesh.parts, index, "part").name;
    case SINEW_MATERIAL:
      return entry(rig.mesh.parts, index, "part").material;
    case SINEW_JOINT:
      return entry(rig.skeleton.joints, index, "joint").name;
    case SINEW_BONE:
      return rig.skeleton.joints[entry(rig.skeleton.bones, index, "bone").joint].name;
    case SINEW_SHAPE:
      return entry(rig.mesh.shapes, index, "shape").name;
    case SINEW_CLIP:
      return entry(rig.clips, index, "clip").name;
    case SINEW_CONTROL:
      return entry(rig.controls, index, "control").name;
    case SINEW_NOTE:
      return entry(rig.notes, index, "note");
    case SINEW_RIG:
      return index == 0 ? rig.name
                        : throw UsageError("rig " + std::to_string(index) + ": there is 1");
    default:
      throw UsageError("item " + std::to_string(static_cast<int>(item)) + " has no names");
  }
}

sinew_array corners_view(const std::vector<Index>& corners) {
  return view(corners.data(), corners.size(), 1);
}

sinew_array mesh_array(const Mesh& mesh, sinew_field field) {
  switch (field) {
    case SINEW_POSITIONS:
      return view(mesh.positions, 3);
    case SINEW_NORMALS:
      return view(mesh.normals.values, 3);
    case SINEW_NORMAL_CORNERS:
      return corners_view(mesh.normals.corners);
    case SINEW_UVS:
      return view(mesh.uvs.values, 2);
    case SINEW_UV_CORNERS:
      return corners_view(mesh.uvs.corners);
    case SINEW_TANGENTS:
      return view(mesh.tangents, 4);
    case SINEW_COLORS:
      return view(mesh.colors, 4);
    case SINEW_TRIANGLES:
      return view(mesh.triangles.empty() ? nullptr : mesh.triangles[0].data(),
                  mesh.triangles.size(), 3);
    case SINEW_POLYGON_OFFSETS:
      return corners_view(mesh.polygons.offsets);
    case SINEW_POLYGON_CORNERS:
      return corners_view(mesh.polygons.indices);
    case SINEW_TETRAHEDRA:
      return view(mesh.tetrahedra.empty() ? nullptr : mesh.tetrahedra[0].data(),
                  mesh.tetrahedra.size(), 4);
    case SINEW_PART_TRIANGLES:
      if (mesh.parts.empty()) return {};
      return view(&mesh.parts[0].first_triangle, mesh.parts.size(), 2, sizeof(Part));
    default:
      if (mesh.shapes.empty()) return {};
      return view(&mesh.shapes[0].default_weight, mesh.shapes.size(), 1, sizeof(BlendShape));
  }
}

sinew_array shape_array(const BlendShape& shape, sinew_field field) {
  switch (field) {
    case SINEW_SHAPE_VERTICES:
      return corners_view(shape.vertices);
    case SINEW_SHAPE_POSITIONS:
      return view(shape.positions, 3);
    case SINEW_SHAPE_NORMALS:
      return view(shape.normals, 3);
    default:
      return view(shape.tangents, 3);
  }
}

sinew_array skeleton_array(const Skeleton& skeleton, sinew_field field) {
  const std::size_t joints = skeleton.joints.size(), bones = skeleton.bones.size();
  if (field <= SINEW_JOINT_RESTS) {
    if (joints == 0) return {};
    const Joint& first = skeleton.joints[0];
    return field == SINEW_JOINT_PARENTS
               ? view_of_ints(&first.parent, joints, sizeof(Joint))
               : view(&first.rest.translation.x, joints, 10, sizeof(Joint));
  }
  if (bones == 0) return {};
  const Bone& first = skeleton.bones[0];
  switch (field) {
    case SINEW_BONE_JOINTS:
      return view_of_ints(&first.joint, bones, sizeof(Bone));
    case SINEW_BONE_TAIL_JOINTS:
      return view_of_ints(&first.tail_joint, bones, sizeof(Bone));
    case SINEW_BONE_HEADS:
      return view(&first.head.x, bones, 3, sizeof(Bone));
    case SINEW_BONE_TAILS:
      return view(&first.tail.x, bones, 3, sizeof(Bone));
    default:
      return view(&first.inverse_bind.linear.x.x, bones, 12, sizeof(Bone));
  }
}

sinew_array filter_array(const Rig& rig, sinew_field field, std::size_t bone) {
  entry(rig.skeleton.bones, bone, "bone");
  if (rig.skin.filters.empty()) return {};
  const BoneFilter& filter = rig.skin.filters[bone];
  return view(field == SINEW_STRETCH_FILTER ? filter.stretch.points : filter.twist.points, 2);
}

sinew_array array_of(const Rig& rig, sinew_field field, std::size_t index) {
  if (field > SINEW_JOINT_TWIST_AXES) {
    throw UsageError("there is no field " + std::to_string(static_cast<int>(field)));
  }
  if (field == SINEW_STRETCH_FILTER || field == SINEW_TWIST_FILTER) {
    return filter_array(rig, field, index);
  }
  if (field >= SINEW_SHAPE_VERTICES && field <= SINEW_SHAPE_TANGENTS) {
    return shape_array(entry(rig.mesh.shapes, index, "shape"), field);
  }
  if (index != 0)
    throw UsageError("index is " + std::to_string(index) + ", but the field has one array");
  if (field <= SINEW_PART_TRIANGLES || field == SINEW_SHAPE_DEFAULTS) {
    return mesh_array(rig.mesh, field);
  }
  if (field <= SINEW_BONE_INVERSE_BINDS) return skeleton_array(rig.skeleton, field);
  if (field <= SINEW_TWIST_ENDPOINTS) return skin_view(rig.skin, field);
  if (rig.controls.empty()) return {};
  return view(&rig.controls[0].default_value, rig.controls.size(), 1, sizeof(Control));
}

template <class T>
void describe_curve(const Curve<T>& curve, sinew_channel& out) {
  constexpr std::uint32_t components = sizeof(T) / sizeof(double);
  out.interpolation = static_cast<std::uint32_t>(curve.interpolation);
  out.times = view(curve.times.data(), curve.times.size(), 1);
  out.values = view(curve.values, components);
  if (curve.interpolation != Interpolation::hermite || curve.in.empty()) return;
  using Handle = typename Curve<T>::Handle;
  const auto slopes = [&](const std::vector<Handle>& handles) {
    return view(reinterpret_cast<const double*>(&handles[0].value), handles.size(), components,
                sizeof(Handle));
  };
  out.in_slopes = slopes(curve.in);
  out.out_slopes = slopes(curve.out);
}

static_assert(static_cast<int>(Interpolation::bezier) == SINEW_BEZIER);
static_assert(static_cast<int>(Interpolation::step) == SINEW_STEP);

sinew_channel described_channel(const Channel& channel) {
  sinew_channel out{};
  const auto is = [&](sinew_target target, int index) {
    out.target = static_cast<std::uint32_t>(target);
    out.index = index;
  };
  std::visit(Overload{[&](const TranslationChannel& c) {
                        is(SINEW_TRANSLATION, c.joint);
                        describe_curve(c.curve, out);
                      },
                      [&](const RotationChannel& c) {
                        const auto* curve = std::get_if<Curve<Quat>>(&c.curve);
                        is(curve != nullptr ? SINEW_ROTATION : SINEW_EULER_ROTATION, c.joint);
                        if (curve != nullptr) describe_curve(*curve, out);
                      },
                      [&](const ScaleChannel& c) {
                        is(SINEW_SCALE, c.joint);
                        describe_curve(c.curve, out);
                      },
                      [&](const ShapeChannel& c) {
                        is(SINEW_SHAPE_WEIGHTS, c.first_shape);
                        out.interpolation = static_cast<std::uint32_t>(c.curve.interpolation);
                        out.times = view(c.curve.times.data(), c.curve.times.size(), 1);
                      },
                      [&](const ControlChannel& c) {
                        is(SINEW_CONTROL_VALUE, c.control);
                        describe_curve(c.curve, out);
                      }},
             channel);
  return out;
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_rig_count(const sinew_rig* rig, sinew_item item, size_t* count) {
  return guarded([&] {
    std::size_t& out = result(count, "count");
    out = count_of(live<RigObject>(rig)->state()->rig(), item);
  });
}

sinew_status sinew_rig_name(const sinew_rig* rig, sinew_item item, size_t index,
                            const char** name) {
  return guarded([&] {
    const char*& out = result(name, "name");
    out = name_of(live<RigObject>(rig)->state()->rig(), item, index).c_str();
  });
}

sinew_status sinew_rig_find(const sinew_rig* rig, sinew_item item, const char* name, int* index) {
  return guarded([&] {
    int& out = result(index, "index");
    out = -1;
    const auto state = live<RigObject>(rig)->state();
    const std::string wanted = text_of(name, "name");
    const std::size_t count = count_of(state->rig(), item);
    for (std::size_t i = 0; i < count && out < 0; ++i) {
      if (name_of(state->rig(), item, i) == wanted) out = static_cast<int>(i);
    }
  });
}

sinew_status sinew_rig_get(const sinew_rig* rig, sinew_field field, size_t index,
                           sinew_array* array) {
  return guarded([&] {
    sinew_array& out = result(array, "array");
    const auto state = live<RigObject>(rig)->state();
    if (field == SINEW_JOINT_TWIST_AXES && index == 0) {
      out = view(state->twist_axes(), 3);
    } else {
      out = array_of(state->rig(), field, index);
    }
  });
}

sinew_status sinew_rig_clip(const sinew_rig* rig, size_t clip, double* duration, size_t* channels) {
  return guarded([&] {
    if (duration != nullptr) *duration = 0;
    if (channels != nullptr) *channels = 0;
    const auto state = live<RigObject>(rig)->state();
    const Clip& found = entry(state->rig().clips, clip, "clip");
    if (duration != nullptr) *duration = sinew::duration(found);
    if (channels != nullptr) *channels = found.channels.size();
  });
}

sinew_status sinew_rig_channel(const sinew_rig* rig, size_t clip, size_t channel,
                               sinew_channel* out) {
  return guarded([&] {
    const auto state = live<RigObject>(rig)->state();
    const Clip& found = entry(state->rig().clips, clip, "clip");
    fill(out, described_channel(entry(found.channels, channel, "channel")), "out");
  });
}
