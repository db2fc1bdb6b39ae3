// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/settings_json.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/deform/default_curves.h"
#include "sinew/deform/told_pose.h"
#include "sinew/io/detail/limits_json.h"
#include "sinew/io/detail/muscles_json.h"
#include "sinew/io/detail/named_members.h"
#include "sinew/io/detail/rig_json.h"
#include "sinew/io/detail/skin_json.h"
#include "sinew/io/dmat.h"
#include "sinew/skeleton/bones.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

// By name, where that finds the joint again.
Json joint_key(const Skeleton& skeleton, JointIndex joint) {
  const std::string& name = skeleton.joints[joint].name;
  if (!name.empty() && find_joint(skeleton, name) == joint) return name;
  return int(joint);
}

JointIndex joint_of_key(const Skeleton& skeleton, const JsonRef& json) {
  if (!json.value().is_string()) return json.index(skeleton.joints.size(), "joints");
  const JointIndex joint = find_joint(skeleton, json.string());
  if (joint != no_joint) return joint;
  std::vector<std::string> names;
  for (const Joint& known : skeleton.joints) names.push_back(known.name);
  json.fail(
      fmt::format("there is no joint '{}'{}", json.string(), did_you_mean(json.string(), names)));
}

// By name, where that means this blend shape alone.
Json shape_key(const Mesh& mesh, int shape) {
  const std::string& name = mesh.shapes[shape].name;
  const auto count = std::count_if(mesh.shapes.begin(), mesh.shapes.end(),
                                   [&](const BlendShape& other) { return other.name == name; });
  return name.empty() || count > 1 ? Json(shape) : Json(name);
}

NamesToJson names_of(const Rig& rig) {
  return {[&rig](JointIndex joint) { return joint_key(rig.skeleton, joint); },
          [&rig](int shape) { return shape_key(rig.mesh, shape); }};
}

std::vector<int> shapes_of_key(const Mesh& mesh, const JsonRef& json) {
  if (!json.value().is_string()) return {json.index(mesh.shapes.size(), "blend shapes")};
  std::vector<int> found;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < mesh.shapes.size(); ++k) {
    names.push_back(mesh.shapes[k].name);
    if (names.back() == json.string()) found.push_back(static_cast<int>(k));
  }
  if (!found.empty()) return found;
  json.fail(fmt::format("there is no blend shape '{}'{}", json.string(),
                        did_you_mean(json.string(), names)));
}

// By name, where that means this bone alone.
Json bone_key(const Skeleton& skeleton, BoneIndex bone) {
  const std::string& name = skeleton.joints[skeleton.bones[bone].joint].name;
  if (!name.empty() && find_bones(skeleton, name).size() == 1) return name;
  return int(bone);
}

BoneIndex bone_named(const Skeleton& skeleton, const std::string& name, const JsonRef& place) {
  try {
    const std::vector<BoneIndex> bones = find_bones(skeleton, name);
    if (bones.size() == 1) return bones.front();
    place.fail(
        fmt::format("there are {} bones named '{}'; give one by its number", bones.size(), name));
  } catch (const UsageError& error) {
    place.fail(error.what());
  }
}

BoneIndex bone_of_key(const Skeleton& skeleton, const JsonRef& json) {
  if (!json.value().is_string()) return json.index(skeleton.bones.size(), "bones");
  return bone_named(skeleton, json.string(), json);
}

// As a member of an object.
std::string as_key(const Json& key) {
  return key.is_string() ? key.get<std::string>() : key.dump();
}

Json blend_shares_to_json(const std::vector<double>& shares) {
  if (shares.empty()) return {};
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
  double sum = 0;
  for (const double share : shares) sum += share;
  return {{"least", *least}, {"most", *most}, {"mean", sum / static_cast<double>(shares.size())}};
}

std::vector<double> painted_from_matrix(const JsonRef& json, const Matrix& matrix,
                                        std::size_t vertices, std::size_t curves) {
  if (matrix.rows != vertices || matrix.columns != curves) {
    json.fail(fmt::format("has {} rows and {} columns, but there are {} vertices and {} curves",
                          matrix.rows, matrix.columns, vertices, curves));
  }
  std::vector<double> painted;
  painted.reserve(vertices * curves);
  for (std::size_t v = 0; v < vertices; ++v) {
    for (std::size_t c = 0; c < curves; ++c) painted.push_back(matrix(v, c));
  }
  return painted;
}

std::vector<double> painted_from_json(const JsonRef& json, const UriLoader& loader,
                                      std::size_t vertices, std::size_t curves) {
  std::vector<double> painted;
  if (json.value().is_string()) {
    if (!loader) json.fail("names a file, but only rows of numbers can be read here");
    try {
      painted = painted_from_matrix(json, read_dmat(loader(json.string())), vertices, curves);
    } catch (const InputError& error) {
      throw error.place().starts_with(json.place()) ? error : error.in_file(json.string());
    } catch (const FileError& error) {
      json.fail(error.what());
    }
  } else {
    if (json.size() != vertices) {
      json.fail(fmt::format("has {} rows, but there are {} vertices", json.size(), vertices));
    }
    for (std::size_t v = 0; v < vertices; ++v) {
      const std::vector<double> row = json.at(v).numbers(curves);
      painted.insert(painted.end(), row.begin(), row.end());
    }
  }
  const auto bad = std::find_if(painted.begin(), painted.end(), [](double w) { return !(w >= 0); });
  if (bad == painted.end()) return painted;
  const auto i = static_cast<std::size_t>(bad - painted.begin());
  json.fail(fmt::format("vertex {} has the weight {} for curve {}; weights are numbers from 0 on",
                        i / curves, *bad, i % curves));
}

void require_chain(const JsonRef& json, const Skeleton& skeleton, const InfluenceCurve& curve) {
  const auto stray = first_stray(skeleton, curve);
  if (!stray) return;
  const BoneIndex bone = curve.bones[*stray];
  const std::string name = bone_name(skeleton, bone);
  if (*stray == 0) {
    json.at("leadIn").fail(fmt::format("'{}' is not connected to '{}', where the curve starts",
                                       bone_name(skeleton, curve.lead_in), name));
  }
  json.at("bones").at(*stray).fail(
      fmt::format("'{}' is not connected to '{}', the bone before it in the curve", name,
                  bone_name(skeleton, curve.bones[*stray - 1])));
}

void change_controls(const JsonRef& json, const Skeleton& skeleton, OffsetCurves& settings) {
  if (settings.curves.empty()) settings.curves = default_curves(skeleton);
  if (!json.value().is_object()) json.fail("must be an object with a member for each bone");
  for (const auto& [key, value] : json.value().items()) {
    const JsonRef item = json.at(key);
    const BoneIndex bone = bone_named(skeleton, key, item);
    const auto curve =
        std::find_if(settings.curves.begin(), settings.curves.end(), [&](const InfluenceCurve& c) {
          return std::find(c.bones.begin(), c.bones.end(), bone) != c.bones.end();
        });
    if (curve == settings.curves.end()) item.fail("names a bone that is in no influence curve");
    item.allow_only({"along", "outward", "rescale", "slide", "twist", "scale"});
    read_curve_controls(item, curve->controls);
  }
}

Json muscles_by_name(const Rig& rig) {
  const JointToJson key_of_joint = [&](JointIndex joint) { return joint_key(rig.skeleton, joint); };
  Json muscles = Json::object();
  for (std::size_t b = 0; b < rig.skin.muscles.size(); ++b) {
    Json item = muscle_to_json(rig.skin.muscles[b], key_of_joint);
    if (!item.is_null()) muscles[as_key(bone_key(rig.skeleton, b))] = std::move(item);
  }
  return muscles;
}

void check_axis(const JsonRef& object) {
  const auto axis = object.find("axis");
  if (axis && !has_length({}, axis->vec3())) axis->fail("an axis must have a length");
}

void check_follow(const JsonRef& follow, bool drives_shape) {
  if (drives_shape) {
    follow.allow_only({"angle", "control", "curve"});
  } else {
    follow.allow_only({"property", "axis", "angle", "control", "curve"});
    check_axis(follow);
  }
  if (const auto angle = follow.find("angle")) {
    angle->allow_only({"joint", "axis"});
    check_axis(*angle);
    if (follow.find("control")) follow.fail("follows an angle or a control, not both");
  }
  const JsonRef curve = follow.at("curve");
  curve.allow_only({"interpolation", "times", "values", "in", "out"});
  if (curve.at("times").size() == 0) curve.at("times").fail("needs a time at least");
}

// What is tolerated in a file that a later program may have written is a slip in one that a person
// wrote.
void check_drivers_file(const JsonRef& root) {
  root.allow_only({"controls", "drivers", "poseSpaces"});
  if (const auto controls = root.find("controls")) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < controls->size(); ++i) {
      const JsonRef control = controls->at(i);
      control.allow_only({"name", "default"});
      const JsonRef name = control.at("name");
      if (name.string().empty()) name.fail("a control must have a name");
      if (!names.insert(name.string()).second) name.fail("another control has this name already");
    }
  }
  const auto drivers = root.find("drivers");
  for (std::size_t i = 0; drivers && i < drivers->size(); ++i) {
    const JsonRef driver = drivers->at(i);
    const bool drives_shape = driver.find("shape").has_value();
    if (drives_shape) {
      driver.allow_only({"shape", "follow"});
    } else {
      driver.allow_only({"joint", "share", "follow"});
    }
    const auto share = driver.find("share"), follow = driver.find("follow");
    if (share && follow) driver.fail("has a share or follows something, not both");
    if (share) share->allow_only({"source", "share"});
    if (follow) check_follow(*follow, drives_shape);
  }
  const auto spaces = root.find("poseSpaces");
  for (std::size_t i = 0; spaces && i < spaces->size(); ++i) {
    const JsonRef space = spaces->at(i);
    space.allow_only({"joints", "radius", "examples"});
    const JsonRef examples = space.at("examples");
    for (std::size_t e = 0; e < examples.size(); ++e)
      examples.at(e).allow_only({"turns", "shapes"});
  }
}

}  // namespace

std::vector<Muscle> parse_muscles(std::string_view json, const Rig& rig) {
  const Json document = parse_json(json);
  const JsonRef root(document);
  if (!document.is_object()) root.fail("must be an object with a member for each bone");
  std::vector<Muscle> muscles(rig.skeleton.bones.size());
  for (const auto& [key, value] : document.items()) {
    const JsonRef item = root.at(key);
    item.allow_only({"profile", "stretch", "side", "angle"});
    if (const auto angle = item.find("angle")) {
      angle->allow_only({"joint", "axis", "range", "gain"});
    }
    Muscle muscle = muscle_from_json(
        item, [&](const JsonRef& joint) { return joint_of_key(rig.skeleton, joint); });
    if (muscle.is_none()) item.fail("nothing drives it: it needs \"stretch\" or \"angle\"");
    muscles[bone_named(rig.skeleton, key, item)] = std::move(muscle);
  }
  if (document.empty()) muscles.clear();
  return muscles;
}

std::string muscles_to_json(const Rig& rig) {
  return muscles_by_name(rig).dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string settings_to_json(const Rig& rig) {
  const Skeleton& skeleton = rig.skeleton;
  const Skin& skin = rig.skin;
  Json filters = Json::object();
  for (std::size_t b = 0; b < skin.filters.size(); ++b) {
    const BoneFilter& filter = skin.filters[b];
    if (filter == BoneFilter{}) continue;
    Json item = Json::object();
    if (!filter.stretch.is_identity()) item["stretch"] = filter_to_json(filter.stretch);
    if (!filter.twist.is_identity()) item["twist"] = filter_to_json(filter.twist);
    filters[as_key(bone_key(skeleton, b))] = std::move(item);
  }
  Json shares = Json::object();
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    const auto& said = skeleton.joints[j].twist_shares;
    if (said) shares[as_key(joint_key(skeleton, j))] = {said->parent, said->own};
  }
  Json limits = Json::object();
  for (const IkLimit& limit : rig.limits) {
    limits[as_key(joint_key(skeleton, limit.joint))] = joint_range_to_json(limit.range);
  }
  Json curves = offset_curves_to_json(rig.offset_curves,
                                      [&](BoneIndex bone) { return bone_key(skeleton, bone); });
  if (!rig.offset_curves.painted_weights.empty()) curves["painted"] = true;
  const NamesToJson names = names_of(rig);
  const Json result = {{"endpoint_weights", !skin.endpoints.empty()},
                       {"twist_endpoint_weights", !skin.twist_endpoints.empty()},
                       {"blend_shares", blend_shares_to_json(skin.blend_shares)},
                       {"filters", std::move(filters)},
                       {"muscles", muscles_by_name(rig)},
                       {"twist_shares", std::move(shares)},
                       {"controls", controls_to_json(rig.controls)},
                       {"drivers", drivers_to_json(rig.drivers, rig.shape_drivers, names)},
                       {"pose_spaces", pose_spaces_to_json(rig.pose_spaces, names)},
                       {"limits", std::move(limits)},
                       {"offset_curves", std::move(curves)}};
  return result.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string drivers_to_json(const Rig& rig) {
  const NamesToJson names = names_of(rig);
  const Json result = {{"controls", controls_to_json(rig.controls)},
                       {"drivers", drivers_to_json(rig.drivers, rig.shape_drivers, names)},
                       {"poseSpaces", pose_spaces_to_json(rig.pose_spaces, names)}};
  return result.dump(2, ' ', false, Json::error_handler_t::replace);
}

GeneralizedBones parse_drivers(std::string_view json, const Rig& rig) {
  const Json document = parse_json(json);
  const JsonRef root(document);
  check_drivers_file(root);
  const auto controls = root.find("controls");
  GeneralizedBones result{
      controls ? controls_from_json(*controls) : rig.controls, {}, {}, rig.pose_spaces};
  const NamesFromJson names{[&](const JsonRef& ref) { return joint_of_key(rig.skeleton, ref); },
                            [&](const JsonRef& ref) { return shapes_of_key(rig.mesh, ref); }};
  const auto check_shapes = [&](const JsonRef& place) {
    const int control_count = static_cast<int>(result.controls.size());
    try {
      driver_order(rig.skeleton, control_count, result.drivers);
      ShapeDrivers(rig.skeleton, control_count, rest_pose(rig).shapes, result.shape_drivers,
                   result.pose_spaces);
    } catch (const InputError& error) {
      place.fail(error.what());
    }
  };
  const auto spaces = root.find("poseSpaces");
  if (spaces) result.pose_spaces = pose_spaces_from_json(*spaces, names);
  if (const auto drivers = root.find("drivers")) {
    DriverLists lists = drivers_from_json(*drivers, names, result.controls);
    result.drivers = std::move(lists.joints);
    result.shape_drivers = std::move(lists.shapes);
    check_shapes(*drivers);
  }
  if (spaces) check_shapes(*spaces);
  return result;
}

std::vector<IkLimit> parse_limits(std::string_view json, const Rig& rig) {
  const Json document = parse_json(json);
  const JsonRef root(document);
  root.allow_only({"limits"});
  root.at("limits");
  const std::vector<Vec3> axes = twist_axes(rig.skeleton);
  std::vector<IkLimit> limits;
  for_each_named(root, "limits", rig.skeleton.joints, "joint",
                 [&](std::size_t j, const JsonRef& limit) {
                   limits.push_back({int(j), joint_range_from_json(limit, axes[j])});
                 });
  try {
    validate(limits, rig.skeleton.joints.size());
  } catch (const InputError& error) {
    root.at("limits").fail(error.problem());
  }
  return limits;
}

OffsetCurves parse_offset_curves(std::string_view json, const Rig& rig, const UriLoader& loader) {
  const Json document = parse_json(json);
  const JsonRef root(document);
  root.allow_only({"roundness", "placement", "curves", "controls", "paintedWeights"});
  const auto bone_from_json = [&](const JsonRef& ref) { return bone_of_key(rig.skeleton, ref); };
  OffsetCurves result = offset_curves_from_json(root, bone_from_json);
  if (const auto curves = root.find("curves")) {
    for (std::size_t c = 0; c < curves->size(); ++c) {
      curves->at(c).allow_only(
          {"bones", "leadIn", "along", "outward", "rescale", "slide", "twist", "scale"});
      require_chain(curves->at(c), rig.skeleton, result.curves[c]);
    }
  }
  if (!root.find("roundness")) result.roundness = rig.offset_curves.roundness;
  if (!root.find("placement")) result.placement = rig.offset_curves.placement;
  if (!root.find("curves")) {
    result.curves = rig.offset_curves.curves;
    result.painted_weights = rig.offset_curves.painted_weights;
  }
  if (const auto controls = root.find("controls")) {
    change_controls(*controls, rig.skeleton, result);
  }
  const auto painted = root.find("paintedWeights");
  if (!painted) return result;
  result.painted_weights.clear();
  if (painted->value().is_null()) return result;
  if (result.curves.empty()) result.curves = default_curves(rig.skeleton);
  result.painted_weights =
      painted_from_json(*painted, loader, rig.mesh.vertex_count(), result.curves.size());
  return result;
}

}  // namespace sinew
