// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/write_clip.h"

#include <algorithm>
#include <map>

#include "sinew/io/detail/rig_json.h"
#include "sinew/io/gltf/append.h"
#include "sinew/io/gltf/extras.h"
#include "sinew/io/gltf/fit_curve.h"

namespace sinew::gltf {
namespace {

const char* type_of(const Curve<Vec3>&) { return "VEC3"; }
const char* type_of(const Curve<Quat>&) { return "VEC4"; }
const char* type_of(const Curve<std::vector<double>>&) { return "SCALAR"; }

const char* name_of(Interpolation interpolation) {
  switch (interpolation) {
    case Interpolation::step:
      return "STEP";
    case Interpolation::hermite:
      return "CUBICSPLINE";
    default:
      return "LINEAR";
  }
}

class AnimationWriter {
 public:
  explicit AnimationWriter(Document& document) : document_(document) {}

  // Curves without keys say nothing and are left out.
  template <class T>
  void add(int node, const char* path, const Curve<T>& curve) {
    if (curve.times.empty()) return;
    Json channel = {{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}};
    if (node < 0) channel["target"].erase("node");
    samplers_.push_back({{"input", times(curve.times)},
                         {"output", values(curve)},
                         {"interpolation", name_of(curve.interpolation)}});
    channels_.push_back(std::move(channel));
  }

  Json finish(const std::string& name) {
    if (channels_.empty()) {
      Curve<Vec3> nothing;
      nothing.times = {0.0};
      nothing.values = {Vec3{}};
      add(-1, "translation", nothing);
    }
    Json animation = {{"channels", std::move(channels_)}, {"samplers", std::move(samplers_)}};
    if (!name.empty()) animation["name"] = name;
    return animation;
  }

 private:
  int times(const std::vector<double>& keys) {
    std::vector<float> floats;
    append(floats, keys);
    const auto known = times_.find(floats);
    if (known != times_.end()) return known->second;
    const int accessor = add_accessor(document_, floats, "SCALAR", {.bounds = true});
    times_.emplace(std::move(floats), accessor);
    return accessor;
  }

  template <class T>
  int values(const Curve<T>& curve) {
    std::vector<float> floats;
    for (std::size_t k = 0; k < curve.values.size(); ++k) {
      if (!curve.in.empty()) append(floats, curve.in[k].value);
      append(floats, curve.values[k]);
      if (!curve.out.empty()) append(floats, curve.out[k].value);
    }
    return add_accessor(document_, floats, type_of(curve));
  }

  Document& document_;
  Json channels_ = Json::array(), samplers_ = Json::array();
  std::map<std::vector<float>, int> times_;  // accessors of times, shared where they are equal
};

// The joint and the kind of channel; shapes and controls have no joint.
std::pair<std::size_t, int> target_of(const Channel& channel) {
  return {channel.index(), joint_of(channel)};
}

void add_shapes(AnimationWriter& writer, const Clip& clip, const ShapeGroup& group,
                std::span<const double> default_weights) {
  const int end = group.first_shape + group.shape_count;
  std::vector<Curve<std::vector<double>>> cut;  // channels that also drive shapes outside the group
  std::vector<const ShapeChannel*> channels;
  for (const Channel& channel : clip.channels) {
    const auto* shapes = std::get_if<ShapeChannel>(&channel);
    if (shapes == nullptr || shapes->curve.times.empty()) continue;
    const int last = shapes->first_shape + static_cast<int>(shapes->curve.values.front().size());
    if (shapes->first_shape < end && last > group.first_shape) channels.push_back(shapes);
  }
  if (channels.empty()) return;

  cut.reserve(channels.size());
  std::vector<ShapePart> parts;
  for (const ShapeChannel* channel : channels) {
    const int width = static_cast<int>(channel->curve.values.front().size());
    const int low = std::max(channel->first_shape, group.first_shape);
    const int high = std::min(channel->first_shape + width, end);
    const auto slice = [&](std::vector<double>& values) {
      const std::ptrdiff_t from = low - channel->first_shape;
      values = std::vector<double>(values.begin() + from, values.begin() + from + (high - low));
    };
    Curve<std::vector<double>>& curve = cut.emplace_back(channel->curve);
    for (std::vector<double>& values : curve.values) slice(values);
    for (auto* handles : {&curve.in, &curve.out}) {
      for (auto& handle : *handles) slice(handle.value);
    }
    parts.push_back({static_cast<std::size_t>(low - group.first_shape), &curve});
  }
  const auto defaults = default_weights.subspan(static_cast<std::size_t>(group.first_shape),
                                                static_cast<std::size_t>(group.shape_count));
  writer.add(group.node, "weights",
             fit_curve(parts, std::vector<double>(defaults.begin(), defaults.end())));
}

}  // namespace

Json write_clip(Document& document, const Clip& clip, const ClipTargets& targets) {
  AnimationWriter writer(document);
  const auto node = [&](int joint) { return targets.node_of_joint[joint]; };
  std::map<std::pair<std::size_t, int>, const Channel*> last;
  for (const Channel& channel : clip.channels) last[target_of(channel)] = &channel;
  for (const Channel& channel : clip.channels) {
    if (last[target_of(channel)] != &channel) continue;
    if (const auto* move = std::get_if<TranslationChannel>(&channel)) {
      writer.add(node(move->joint), "translation", fit_curve(move->curve));
    } else if (const auto* turn = std::get_if<RotationChannel>(&channel)) {
      std::visit(
          [&](const auto& curve) { writer.add(node(turn->joint), "rotation", fit_curve(curve)); },
          turn->curve);
    } else if (const auto* grow = std::get_if<ScaleChannel>(&channel)) {
      writer.add(node(grow->joint), "scale", fit_curve(grow->curve));
    }
  }
  for (const ShapeGroup& group : targets.groups) {
    if (group.shape_count > 0) add_shapes(writer, clip, group, targets.default_weights);
  }
  Json animation = writer.finish(clip.name);
  set_extra(animation, "controls", control_channels_to_json(clip));
  return animation;
}

}  // namespace sinew::gltf
