// SPDX-License-Identifier: Apache-2.0
// Rigs from arrays.
#include <array>
#include <cmath>
#include <limits>

#include "bindings/c/src/arrays.h"
#include "bindings/c/src/rig.h"
#include "sinew/mesh/polygons.h"
#include "sinew/rig/replace_skeleton.h"

namespace sinew::c {
namespace {

constexpr std::int64_t most_indices = std::numeric_limits<int>::max();

template <class T, class Values>
Layer<T> layer_of(const Array& values, const Array& corners, std::size_t vertices,
                  const Values& read) {
  Layer<T> layer{read(values), corners.indices()};
  if (layer.corners.empty() && !layer.values.empty()) values.require_count(vertices, "vertices");
  return layer;
}

Mesh mesh_from(const sinew_mesh_data& data) {
  Mesh mesh;
  mesh.positions = Array(data.positions, "positions", {3}).vec3s();
  const std::size_t vertices = mesh.positions.size();
  const Array triangles(data.triangles, "triangles", {3});
  const Array offsets(data.polygon_offsets, "polygon_offsets");
  const Array polygon_corners(data.polygon_corners, "polygon_corners");
  if (!triangles.empty() && !offsets.empty()) {
    throw UsageError("triangles and polygons: give one of them");
  }
  if (offsets.empty() != polygon_corners.empty()) {
    throw UsageError("polygon_offsets and polygon_corners belong together");
  }
  for (std::size_t t = 0; t < triangles.count(); ++t) {
    const auto corner = [&](std::uint32_t k) {
      return static_cast<Index>(triangles.whole(t, k, 0, most_indices));
    };
    mesh.triangles.push_back({corner(0), corner(1), corner(2)});
  }
  if (!offsets.empty()) set_faces(mesh, {offsets.indices(), polygon_corners.indices()});
  mesh.normals = layer_of<Vec3>(Array(data.normals, "normals", {3}),
                                Array(data.normal_corners, "normal_corners"), vertices,
                                [](const Array& a) { return a.vec3s(); });
  mesh.uvs = layer_of<Vec2>(Array(data.uvs, "uvs", {2}), Array(data.uv_corners, "uv_corners"),
                            vertices, [](const Array& a) { return a.vec2s(); });
  mesh.tangents = Array(data.tangents, "tangents", {4}).vec4s();
  mesh.colors = Array(data.colors, "colors", {4, 3}).vec4s();
  const Array tetrahedra(data.tetrahedra, "tetrahedra", {4});
  for (std::size_t t = 0; t < tetrahedra.count(); ++t) {
    const auto corner = [&](std::uint32_t k) {
      return static_cast<Index>(tetrahedra.whole(t, k, 0, most_indices));
    };
    mesh.tetrahedra.push_back({corner(0), corner(1), corner(2), corner(3)});
  }
  return mesh;
}

void name_joints(Skeleton& skeleton, const char* const* names) {
  if (names == nullptr) return;
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    skeleton.joints[j].name = text_of(names[j], "a name in joint_names");
  }
}

Skeleton skeleton_of_points(const sinew_skeleton_data& data) {
  const Array segments(data.segments, "segments", {2});
  std::vector<std::array<int, 2>> pairs;
  for (std::size_t s = 0; s < segments.count(); ++s) {
    pairs.push_back({static_cast<int>(segments.whole(s, 0, 0, most_indices)),
                     static_cast<int>(segments.whole(s, 1, 0, most_indices))});
  }
  return skeleton_from_segments(Array(data.points, "points", {3}).vec3s(), pairs);
}

// Of bones with given tails: each points to the joint of the next bone below it that lies at its
// tail, if there is one.
void point_to_joints(Skeleton& skeleton) {
  std::vector<bool> has_bone(skeleton.joints.size(), false);
  for (const Bone& bone : skeleton.bones) has_bone[bone.joint] = true;
  for (const Bone& child : skeleton.bones) {
    JointIndex above = skeleton.joints[child.joint].parent;
    while (above != no_joint && !has_bone[above]) above = skeleton.joints[above].parent;
    for (Bone& bone : skeleton.bones) {
      if (bone.joint != above || bone.tail_joint != no_joint) continue;
      const double near = 1e-6 * distance(bone.head, bone.tail);
      if (distance(child.head, bone.tail) <= near) bone.tail_joint = child.joint;
    }
  }
}

// Explicit bones: heads are at their joints when they were bound.
void set_bones(Skeleton& skeleton, const sinew_skeleton_data& data) {
  const Array joints(data.bone_joints, "bone_joints");
  const Array tails(data.bone_tails, "bone_tails", {3});
  const Array binds(data.bone_inverse_binds, "bone_inverse_binds", {12});
  if (!tails.empty()) tails.require_count(joints.count(), "bones");
  if (!binds.empty()) binds.require_count(joints.count(), "bones");
  const std::vector<Affine> rest = rest_globals(skeleton);
  const auto last = static_cast<std::int64_t>(skeleton.joints.size()) - 1;
  for (std::size_t b = 0; b < joints.count(); ++b) {
    Bone bone;
    bone.joint = joints.whole(b, 0, 0, last);
    const Affine bind = binds.empty() ? rest[bone.joint] : inverse(affine_at(binds, b));
    bone.inverse_bind = binds.empty() ? inverse(bind) : affine_at(binds, b);
    bone.head = bone.tail = bind.translation;
    skeleton.bones.push_back(bone);
  }
  if (tails.empty()) {
    infer_tails(skeleton);
    return;
  }
  const std::vector<Vec3> given = tails.vec3s();
  for (std::size_t b = 0; b < given.size(); ++b) skeleton.bones[b].tail = given[b];
  point_to_joints(skeleton);
}

Skeleton skeleton_from(const sinew_skeleton_data& data) {
  const Array parents(data.joint_parents, "joint_parents");
  const Array rests(data.joint_rests, "joint_rests", {10, 3});
  if (data.points.count > 0) {
    if (!parents.empty() || !rests.empty() || data.bone_joints.count > 0) {
      throw UsageError("joints and points: give one of them");
    }
    Skeleton skeleton = skeleton_of_points(data);
    name_joints(skeleton, data.joint_names);
    return skeleton;
  }
  if (parents.empty()) throw UsageError("joint_parents and points: give one of them");
  rests.require_count(parents.count(), "joints");
  Skeleton skeleton;
  const auto last = static_cast<std::int64_t>(parents.count()) - 1;
  for (std::size_t j = 0; j < parents.count(); ++j) {
    Joint joint;
    joint.parent = parents.whole(j, 0, -1, last);
    joint.rest = transform_at(rests, j);
    skeleton.joints.push_back(std::move(joint));
  }
  name_joints(skeleton, data.joint_names);
  if (data.bone_joints.count == 0) {
    if (data.bone_tails.count > 0 || data.bone_inverse_binds.count > 0) {
      throw UsageError("bone_tails and bone_inverse_binds need bone_joints");
    }
    skeleton.bones = bones_from_joints(skeleton);
  } else {
    set_bones(skeleton, data);
  }
  return skeleton;
}

// Rows of influences, whatever form they were given in.
class WeightRows {
 public:
  WeightRows(const sinew_weights_data& data, std::size_t vertices, std::size_t bones)
      : weights_(data.weights, "weights", {}),
        bones_(data.bones, "bones", {}),
        offsets_(data.offsets, "offsets"),
        endpoints_(data.endpoints, "endpoints", {}),
        twists_(data.twist_endpoints, "twist_endpoints", {}),
        bone_count_(bones) {
    same_form(bones_);
    same_form(endpoints_);
    same_form(twists_);
    if (offsets_.empty()) {
      weights_.require_count(vertices, "vertices");
      if (bones_.empty() && weights_.components() != bones) {
        throw UsageError("weights: " + std::to_string(weights_.components()) +
                         " components, but the skeleton has " + std::to_string(bones) + " bones");
      }
    } else {
      offsets_.require_count(vertices + 1, "vertices and an end");
      if (bones_.empty()) throw UsageError("offsets need bones");
      if (weights_.components() > 1) throw UsageError("weights: with offsets, one component each");
    }
  }

  Skin read() const {
    Skin skin;
    const std::size_t vertices = offsets_.empty() ? weights_.count() : offsets_.count() - 1;
    for (std::size_t v = 0; v < vertices; ++v) {
      if (offsets_.empty()) {
        for (std::uint32_t k = 0; k < weights_.components(); ++k) add(skin, v, k, true);
      } else {
        const auto end = static_cast<std::int64_t>(weights_.count());
        const std::int64_t first = offsets_.whole(v, 0, 0, end);
        const std::int64_t next = offsets_.whole(v + 1, 0, first, end);
        for (std::int64_t i = first; i < next; ++i)
          add(skin, static_cast<std::size_t>(i), 0, false);
      }
      skin.weights.offsets.push_back(skin.weights.influences.size());
    }
    return skin;
  }

 private:
  void same_form(const Array& array) const {
    if (array.empty()) return;
    array.require_count(weights_.count(), "weights");
    if (array.components() == weights_.components()) return;
    throw UsageError(std::string(array.name()) + ": not as many components as weights have");
  }

  void add(Skin& skin, std::size_t element, std::uint32_t k, bool without_zeros) const {
    const double weight = weights_.number(element, k);
    if (without_zeros && weight == 0) return;
    const auto last = static_cast<std::int64_t>(bone_count_) - 1;
    const std::int64_t bone = bones_.empty() ? k : bones_.whole(element, k, 0, last);
    skin.weights.influences.push_back({bone, weight});
    if (!endpoints_.empty()) skin.endpoints.push_back(endpoints_.number(element, k));
    if (!twists_.empty()) skin.twist_endpoints.push_back(twists_.number(element, k));
  }

  Array weights_, bones_, offsets_, endpoints_, twists_;
  std::size_t bone_count_;
};

BlendShape shape_from(const sinew_shape_data& data, std::size_t vertices) {
  BlendShape shape;
  shape.name = text_or(data.name, "");
  shape.vertices = Array(data.vertices, "vertices").indices();
  const Array positions(data.positions, "positions", {3});
  const Array normals(data.normals, "normals", {3});
  const std::size_t count = shape.vertices.empty() ? vertices : shape.vertices.size();
  positions.require_count(count, "vertices");
  if (!normals.empty()) normals.require_count(count, "vertices");
  shape.positions = positions.vec3s();
  shape.normals = normals.vec3s();
  shape.default_weight = data.default_weight;
  return shape;
}

std::vector<double> value_at(const Array& array, std::size_t key) {
  std::vector<double> value;
  for (std::uint32_t k = 0; k < array.components(); ++k) value.push_back(array.number(key, k));
  return value;
}

template <class T>
T key_value(const Array& array, std::size_t key) {
  const auto at = [&](std::uint32_t k) { return array.number(key, k); };
  if constexpr (std::is_same_v<T, Vec3>) {
    return {at(0), at(1), at(2)};
  } else if constexpr (std::is_same_v<T, Quat>) {
    return {at(0), at(1), at(2), at(3)};
  } else if constexpr (std::is_same_v<T, double>) {
    return at(0);
  } else {
    return value_at(array, key);
  }
}

template <class T>
Curve<T> curve_from(const sinew_channel& channel, std::initializer_list<std::uint32_t> components) {
  Curve<T> curve;
  if (channel.interpolation > SINEW_HERMITE) {
    throw UsageError("interpolation " + std::to_string(channel.interpolation) +
                     ": step, linear and hermite can be added");
  }
  curve.interpolation = static_cast<Interpolation>(channel.interpolation);
  const Array times(channel.times, "times");
  const Array values(channel.values, "values", components);
  values.require_count(times.count(), "times");
  curve.times = times.numbers();
  for (std::size_t i = 0; i < values.count(); ++i) {
    curve.values.push_back(key_value<T>(values, i));
    if constexpr (std::is_same_v<T, Quat>) curve.values.back() = normalized(curve.values.back());
  }
  if (curve.interpolation != Interpolation::hermite) return curve;
  const Array in(channel.in_slopes, "in_slopes", {values.components()});
  const Array out(channel.out_slopes, "out_slopes", {values.components()});
  in.require_count(times.count(), "times");
  out.require_count(times.count(), "times");
  for (std::size_t i = 0; i < times.count(); ++i) {
    curve.in.push_back({0, key_value<T>(in, i)});
    curve.out.push_back({0, key_value<T>(out, i)});
  }
  return curve;
}

Channel channel_from(const sinew_channel& channel) {
  switch (channel.target) {
    case SINEW_TRANSLATION:
      return TranslationChannel{channel.index, curve_from<Vec3>(channel, {3})};
    case SINEW_ROTATION:
      return RotationChannel{channel.index, curve_from<Quat>(channel, {4})};
    case SINEW_SCALE:
      return ScaleChannel{channel.index, curve_from<Vec3>(channel, {3})};
    case SINEW_SHAPE_WEIGHTS:
      return ShapeChannel{channel.index, curve_from<std::vector<double>>(channel, {})};
    case SINEW_CONTROL_VALUE:
      return ControlChannel{channel.index, curve_from<double>(channel, {1})};
    default:
      throw UsageError("target " + std::to_string(channel.target) + " cannot be added");
  }
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_rig_create(const char* name, sinew_rig** rig) {
  return guarded([&] {
    sinew_rig*& out = result(rig, "rig");
    Model model;
    model.rig.name = text_or(name, "");
    out = make_rig(std::move(model));
  });
}

sinew_status sinew_rig_set_mesh(sinew_rig* rig, const sinew_mesh_data* mesh) {
  return guarded([&] {
    const auto object = live<RigObject>(rig);
    require(mesh, "mesh");
    Mesh made = mesh_from(options_from(mesh, "mesh"));
    object->change([&](Model& model) {
      model.source = nullptr;
      model.looks.clear();
      if (made.vertex_count() != model.rig.mesh.vertex_count()) model.rig.skin = {};
      model.rig.mesh = std::move(made);
    });
  });
}

sinew_status sinew_rig_set_skeleton(sinew_rig* rig, const sinew_skeleton_data* skeleton) {
  return guarded([&] {
    const auto object = live<RigObject>(rig);
    require(skeleton, "skeleton");
    Skeleton made = skeleton_from(options_from(skeleton, "skeleton"));
    object->change([&](Model& model) {
      forget_source(model);
      model.constraints.clear();
      replace_skeleton(model.rig, std::move(made));
    });
  });
}

sinew_status sinew_rig_set_weights(sinew_rig* rig, const sinew_weights_data* weights) {
  return guarded([&] {
    const auto object = live<RigObject>(rig);
    require(weights, "weights");
    const sinew_weights_data data = options_from(weights, "weights");
    object->change([&](Model& model) {
      Rig& changed = model.rig;
      Skin skin =
          WeightRows(data, changed.mesh.vertex_count(), changed.skeleton.bones.size()).read();
      changed.skin.weights = std::move(skin.weights);
      changed.skin.endpoints = std::move(skin.endpoints);
      changed.skin.twist_endpoints = std::move(skin.twist_endpoints);
    });
  });
}

sinew_status sinew_rig_add_shape(sinew_rig* rig, const sinew_shape_data* shape) {
  return guarded([&] {
    const auto object = live<RigObject>(rig);
    require(shape, "shape");
    const sinew_shape_data data = options_from(shape, "shape");
    object->change([&](Model& model) {
      Mesh& mesh = model.rig.mesh;
      mesh.shapes.push_back(shape_from(data, mesh.vertex_count()));
    });
  });
}

sinew_status sinew_rig_add_control(sinew_rig* rig, const char* name, double default_value) {
  return guarded([&] {
    const auto object = live<RigObject>(rig);
    const std::string text = text_of(name, "name");
    if (!std::isfinite(default_value)) throw UsageError("default_value is not finite");
    object->change([&](Model& model) { model.rig.controls.push_back({text, default_value}); });
  });
}

sinew_status sinew_rig_add_clip(sinew_rig* rig, const char* name, const sinew_channel* channels,
                                size_t channel_count) {
  return guarded([&] {
    const auto object = live<RigObject>(rig);
    Clip clip{text_or(name, ""), {}};
    for (const sinew_channel& channel : list_from(channels, channel_count, "channels")) {
      clip.channels.push_back(channel_from(channel));
    }
    object->change([&](Model& model) { model.rig.clips.push_back(std::move(clip)); });
  });
}

sinew_status sinew_rig_remove_clip(sinew_rig* rig, size_t clip) {
  return guarded([&] {
    live<RigObject>(rig)->change([&](Model& model) {
      std::vector<Clip>& clips = model.rig.clips;
      entry(clips, clip, "clip");
      clips.erase(clips.begin() + static_cast<std::ptrdiff_t>(clip));
    });
  });
}
