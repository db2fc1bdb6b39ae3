// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/detail/limits_json.h"
#include "sinew/io/detail/rig_json.h"
#include "sinew/io/gltf/read.h"

namespace sinew::gltf {
namespace {

Interpolation interpolation_of(const JsonRef& sampler) {
  const auto ref = sampler.find("interpolation");
  if (!ref || ref->string() == "LINEAR") return Interpolation::linear;
  if (ref->string() == "STEP") return Interpolation::step;
  if (ref->string() != "CUBICSPLINE") ref->fail("must be LINEAR, STEP or CUBICSPLINE");
  return Interpolation::hermite;
}

std::vector<double> read_times(Reading& reading, const JsonRef& sampler) {
  const JsonRef ref = sampler.at("input");
  const int accessor = ref.index(reading.accessors.size(), "accessors");
  const AccessorInfo info = reading.accessors.info(accessor);
  if (info.components() != 1 || info.component != ComponentType::float32) {
    ref.fail("key times must be a SCALAR of floats");
  }
  std::vector<double> times = reading.accessors.doubles(accessor);
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (!(times[i] > times[i - 1])) {
      ref.fail(fmt::format("key {} is at {} s, not after the one before at {} s", i, times[i],
                           times[i - 1]));
    }
  }
  return times;
}

// All numbers of the output; `width` of them are one value.
std::vector<double> read_output(Reading& reading, const JsonRef& sampler, std::size_t components,
                                std::size_t width, std::size_t keys, Interpolation interpolation) {
  const JsonRef ref = sampler.at("output");
  const int accessor = ref.index(reading.accessors.size(), "accessors");
  const AccessorInfo info = reading.accessors.info(accessor);
  if (info.columns != 1 || info.components() != components) {
    ref.fail(fmt::format("must have {} components, but has {}", components, info.components()));
  }
  if (info.component != ComponentType::float32 && !info.normalized) {
    ref.fail("integer key values must be normalized");
  }
  const std::size_t per_key =
      (width / components) * (interpolation == Interpolation::hermite ? 3 : 1);
  if (info.count != keys * per_key) {
    ref.fail(fmt::format("has {} elements, but {} keys need {}", info.count, keys, keys * per_key));
  }
  return reading.accessors.doubles(accessor);
}

// `make` turns the numbers from a place on into a value.
template <class T, class Make>
Curve<T> read_curve(Reading& reading, const JsonRef& sampler, std::size_t components,
                    std::size_t width, const Make& make) {
  Curve<T> curve;
  curve.interpolation = interpolation_of(sampler);
  curve.times = read_times(reading, sampler);
  const std::size_t keys = curve.times.size();
  const std::vector<double> numbers =
      read_output(reading, sampler, components, width, keys, curve.interpolation);
  reading.accessors.charge(keys * 3 * sizeof(typename Curve<T>::Handle), sampler.place());
  const double* next = numbers.data();
  for (std::size_t k = 0; k < keys; ++k) {
    if (curve.interpolation == Interpolation::hermite) {
      curve.in.push_back({0, make(next)});
      curve.values.push_back(make(next + width));
      curve.out.push_back({0, make(next + 2 * width)});
      next += 3 * width;
    } else {
      curve.values.push_back(make(next));
      next += width;
    }
  }
  return curve;
}

Vec3 make_vec3(const double* n) { return {n[0], n[1], n[2]}; }
Quat make_quat(const double* n) { return {n[0], n[1], n[2], n[3]}; }

Curve<Quat> read_rotations(Reading& reading, const JsonRef& sampler) {
  Curve<Quat> curve = read_curve<Quat>(reading, sampler, 4, 4, make_quat);
  for (std::size_t k = 0; k < curve.values.size(); ++k) {
    const double size = dot(curve.values[k], curve.values[k]);
    if (!(size > 0) || !std::isfinite(size)) {
      sampler.at("output").fail(fmt::format("key {} is no rotation: its quaternion is 0", k));
    }
  }
  return curve;
}

// Several keys in an accessor without any bytes: as numbers, all of their times would be 0.
bool has_no_times(Reading& reading, const JsonRef& sampler) {
  const AccessorInfo info =
      reading.accessors.info(sampler.at("input").index(reading.accessors.size(), "accessors"));
  return !info.has_view && !info.is_sparse && info.count > 1;
}

class ClipReader {
 public:
  ClipReader(Reading& reading, const JsonRef& animation)
      : reading_(reading), animation_(animation) {}

  Clip read() {
    clip_.name = name_of(animation_);
    const JsonRef channels = animation_.at("channels");
    for (std::size_t c = 0; c < channels.size(); ++c) read_channel(channels.at(c));
    if (const auto extras = sinew_extras(animation_)) {
      if (const auto controls = extras->find("controls")) {
        for (ControlChannel& channel :
             control_channels_from_json(*controls, reading_.rig.controls.size())) {
          clip_.channels.emplace_back(std::move(channel));
        }
      }
    }
    return std::move(clip_);
  }

 private:
  void read_channel(const JsonRef& channel) {
    const JsonRef target = channel.at("target");
    const std::string& path = target.at("path").string();
    if (path == "pointer") {
      note(channel, "is a KHR_animation_pointer and was left out");
      return;
    }
    const auto node_ref = target.find("node");
    if (!node_ref) return;
    const int node = node_ref->index(reading_.layout.joint_of_node.size(), "nodes");
    if (!seen_.emplace(node, path).second) {
      channel.fail(fmt::format("moves the {} of node {}, as an earlier channel does", path, node));
    }
    const JsonRef samplers = animation_.at("samplers");
    const JsonRef sampler = samplers.at(
        static_cast<std::size_t>(channel.at("sampler").index(samplers.size(), "samplers")));
    const int joint = reading_.layout.joint_of_node[node];
    if (has_no_times(reading_, sampler)) {
      note(channel, "has keys without times and was left out");
    } else if (path == "translation") {
      clip_.channels.emplace_back(
          TranslationChannel{joint, read_curve<Vec3>(reading_, sampler, 3, 3, make_vec3)});
    } else if (path == "rotation") {
      clip_.channels.emplace_back(RotationChannel{joint, read_rotations(reading_, sampler)});
    } else if (path == "scale") {
      clip_.channels.emplace_back(
          ScaleChannel{joint, read_curve<Vec3>(reading_, sampler, 3, 3, make_vec3)});
    } else if (path == "weights") {
      read_shape_weights(channel, sampler, node);
    } else {
      target.at("path").fail("must be translation, rotation, scale or weights");
    }
  }

  void read_shape_weights(const JsonRef& channel, const JsonRef& sampler, int node) {
    const auto& parts = reading_.layout.parts;
    const auto part = std::lower_bound(
        parts.begin(), parts.end(), node,
        [](const Layout::PartSource& source, int wanted) { return source.node < wanted; });
    if (part == parts.end() || part->node != node || part->shape_count == 0) {
      note(channel, "drives the blend shapes of a node that has none and was left out");
      return;
    }
    const std::size_t width = part->shape_count;
    const auto make = [&](const double* n) { return std::vector<double>(n, n + width); };
    clip_.channels.emplace_back(ShapeChannel{
        part->first_shape, read_curve<std::vector<double>>(reading_, sampler, 1, width, make)});
  }

  void note(const JsonRef& where, const char* what) {
    reading_.rig.notes.push_back(where.place() + " " + what);
  }

  Reading& reading_;
  JsonRef animation_;
  Clip clip_;
  std::set<std::pair<int, std::string>> seen_;
};

// A node and one of its morph targets.
std::vector<int> shape_from_json(const JsonRef& ref, const Layout& layout) {
  if (ref.size() != 2) ref.fail("a blend shape is [node, target]");
  const int node = ref.at(0).index(layout.scene.parent.size(), "nodes");
  const auto part =
      std::find_if(layout.parts.begin(), layout.parts.end(),
                   [&](const Layout::PartSource& source) { return source.node == node; });
  const int count = part == layout.parts.end() ? 0 : part->shape_count;
  const int target = ref.at(1).index(static_cast<std::size_t>(count), "targets");
  return {part->first_shape + target};
}

}  // namespace

void read_motion(Reading& reading) {
  Rig& rig = reading.rig;
  if (const auto extras = sinew_extras(JsonRef(reading.document.json))) {
    if (const auto controls = extras->find("controls"))
      rig.controls = controls_from_json(*controls);
    const NamesFromJson names{
        joints_from_index(reading.layout.joint_of_node),
        [&](const JsonRef& ref) { return shape_from_json(ref, reading.layout); }};
    if (const auto drivers = extras->find("drivers")) {
      DriverLists lists = drivers_from_json(*drivers, names, rig.controls);
      rig.drivers = std::move(lists.joints);
      rig.shape_drivers = std::move(lists.shapes);
      try {
        driver_order(rig.skeleton, static_cast<int>(rig.controls.size()), rig.drivers);
        prepare_shape_drivers(rig);
      } catch (const InputError& error) {
        drivers->fail(error.what());
      }
    }
    if (const auto spaces = extras->find("poseSpaces")) {
      rig.pose_spaces = pose_spaces_from_json(*spaces, names);
      try {
        prepare_shape_drivers(rig);
      } catch (const InputError& error) {
        spaces->fail(error.what());
      }
    }
    if (const auto limits = extras->find("limits")) {
      rig.limits = limits_from_json(*limits, joints_from_index(reading.layout.joint_of_node));
      try {
        validate(rig.limits, rig.skeleton.joints.size());
      } catch (const InputError& error) {
        limits->fail(error.what());
      }
    }
  }
  for (std::size_t a = 0; a < list_size(reading.document, "animations"); ++a) {
    rig.clips.push_back(
        ClipReader(reading, list_item(reading.document, "animations", static_cast<int>(a))).read());
  }
}

}  // namespace sinew::gltf
