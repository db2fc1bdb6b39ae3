// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/strokes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/core/overload.h"
#include "sinew/io/internal/checked_json.h"

namespace sinew {
namespace {

using nlohmann::json;

constexpr const char* format_name = "sinew-strokes";
constexpr int format_version = 1;
// How far the sum of barycentric coordinates may be from 1.
constexpr double barycentric_slack = 1e-6;

constexpr std::array<const char*, 3> target_names{"bone-weights", "endpoints", "twist-endpoints"};
constexpr std::array<const char*, 5> mode_names{"add", "subtract", "replace", "smooth", "sharpen"};
constexpr std::array<const char*, 3> falloff_names{"constant", "linear", "smooth"};

template <class Value, std::size_t n>
Value value_named(std::string_view given, const std::array<const char*, n>& names) {
  const auto found = std::find(names.begin(), names.end(), given);
  if (found != names.end()) return static_cast<Value>(found - names.begin());
  throw UsageError(fmt::format("is '{}'; there are {}", given, fmt::join(names, ", ")));
}

// What is wrong with a value is wrong at its place.
template <class Action>
auto at_json(const JsonRef& place, const Action& action) {
  try {
    return action();
  } catch (const UsageError& error) {
    place.fail(error.what());
  }
}

template <class Value, std::size_t n>
void read_choice(const JsonRef& parent, const char* key, const std::array<const char*, n>& names,
                 Value& value) {
  const auto member = parent.find(key);
  if (!member) return;
  value = at_json(*member, [&] { return value_named<Value>(member->string(), names); });
}

void read_share(const JsonRef& parent, const char* key, double& value) {
  const auto member = parent.find(key);
  if (!member) return;
  value = member->number();
  if (!(value >= 0 && value <= 1)) {
    member->fail(fmt::format("must be from 0 to 1, but is {}", value));
  }
}

Vec3 read_direction(const JsonRef& ref) {
  const Vec3 direction = ref.vec3();
  const double size = length(direction);
  if (!(size > 0) || !std::isfinite(size)) ref.fail("must not be zero");
  return direction;
}

PaintDab read_dab(const JsonRef& dab) {
  if (const auto position = dab.find("position")) {
    dab.allow_only({"position"});
    return position->vec3();
  }
  if (const auto ray = dab.find("ray")) {
    dab.allow_only({"ray"});
    ray->allow_only({"origin", "direction"});
    return Ray{ray->at("origin").vec3(), read_direction(ray->at("direction"))};
  }
  if (!dab.find("triangle")) {
    dab.fail("must have \"triangle\" and \"barycentric\", or \"position\", or \"ray\"");
  }
  dab.allow_only({"triangle", "barycentric"});
  DabPoint point;
  point.triangle =
      static_cast<Index>(dab.at("triangle").integer(0, std::numeric_limits<std::int32_t>::max()));
  const JsonRef barycentric = dab.at("barycentric");
  point.barycentric = barycentric.vec3();
  at_json(barycentric, [&] { require_in_triangle(point.barycentric); });
  return point;
}

std::string read_bone(const JsonRef& ref) {
  if (ref.value().is_string()) return ref.string();
  return std::to_string(ref.integer(0, std::numeric_limits<std::int32_t>::max()));
}

PaintStroke read_stroke(const JsonRef& ref) {
  ref.allow_only(
      {"target", "mode", "bone", "value", "radius", "strength", "falloff", "mirror", "dabs"});
  PaintStroke stroke;
  Brush& brush = stroke.brush;
  read_choice(ref, "target", target_names, brush.target);
  read_choice(ref, "mode", mode_names, brush.mode);
  read_choice(ref, "falloff", falloff_names, brush.falloff);
  read_share(ref, "value", brush.value);
  read_share(ref, "strength", brush.strength);
  const JsonRef radius = ref.at("radius");
  brush.radius = radius.number();
  if (!(brush.radius > 0)) radius.fail(fmt::format("must be above 0, but is {}", brush.radius));
  if (const auto mirror = ref.find("mirror")) brush.mirror = mirror->boolean();
  if (const auto bone = paints_all_bones(brush) ? ref.find("bone") : ref.at("bone"))
    stroke.bone = read_bone(*bone);
  const JsonRef dabs = ref.at("dabs");
  for (std::size_t i = 0; i < dabs.size(); ++i) stroke.dabs.push_back(read_dab(dabs.at(i)));
  return stroke;
}

void require_finite(double number) {
  if (!std::isfinite(number)) throw UsageError("a stroke has a number that is not finite");
}

json number_json(double number) {
  require_finite(number);
  return number;
}

json vector_json(const Vec3& v) { return {number_json(v.x), number_json(v.y), number_json(v.z)}; }

json dab_json(const PaintDab& dab) {
  return std::visit(
      Overload{
          [](const DabPoint& point) -> json {
            return {{"triangle", point.triangle}, {"barycentric", vector_json(point.barycentric)}};
          },
          [](const Vec3& position) -> json {
            return {{"position", vector_json(position)}};
          },
          [](const Ray& ray) -> json {
            return {
                {"ray",
                 {{"origin", vector_json(ray.origin)}, {"direction", vector_json(ray.direction)}}}};
          }},
      dab);
}

}  // namespace

PaintTarget paint_target_from_name(std::string_view name) {
  return value_named<PaintTarget>(name, target_names);
}

PaintMode paint_mode_from_name(std::string_view name) {
  return value_named<PaintMode>(name, mode_names);
}

Falloff falloff_from_name(std::string_view name) {
  return value_named<Falloff>(name, falloff_names);
}

void require_in_triangle(const Vec3& b) {
  const bool inside = b.x >= 0 && b.y >= 0 && b.z >= 0;
  if (inside && std::fabs(b.x + b.y + b.z - 1) <= barycentric_slack) return;
  throw UsageError("must be three numbers from 0 on with the sum 1");
}

PaintStrokes parse_strokes(std::string_view text) {
  const json document = parse_json(text);
  const JsonRef root(document);
  root.allow_only({"format", "version", "mirror_plane", "strokes"});
  const JsonRef format = root.at("format");
  if (format.string() != format_name) {
    format.fail(fmt::format("must be \"{}\", but is \"{}\"", format_name, format.string()));
  }
  root.at("version").integer(format_version, format_version);
  PaintStrokes result;
  if (const auto plane = root.find("mirror_plane")) {
    plane->allow_only({"point", "normal"});
    result.mirror_plane.point = plane->at("point").vec3();
    result.mirror_plane.normal = read_direction(plane->at("normal"));
  }
  const JsonRef strokes = root.at("strokes");
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    result.strokes.push_back(read_stroke(strokes.at(i)));
  }
  return result;
}

std::string strokes_to_json(const PaintStrokes& strokes) {
  json list = json::array();
  for (const PaintStroke& stroke : strokes.strokes) {
    const Brush& brush = stroke.brush;
    json dabs = json::array();
    for (const PaintDab& dab : stroke.dabs) dabs.push_back(dab_json(dab));
    json entry = {{"target", target_names.at(static_cast<int>(brush.target))},
                  {"mode", mode_names.at(static_cast<int>(brush.mode))},
                  {"value", number_json(brush.value)},
                  {"radius", number_json(brush.radius)},
                  {"strength", number_json(brush.strength)},
                  {"falloff", falloff_names.at(static_cast<int>(brush.falloff))},
                  {"mirror", brush.mirror},
                  {"dabs", std::move(dabs)}};
    if (!stroke.bone.empty()) entry["bone"] = stroke.bone;
    list.push_back(std::move(entry));
  }
  const json result = {{"format", format_name},
                       {"version", format_version},
                       {"mirror_plane",
                        {{"point", vector_json(strokes.mirror_plane.point)},
                         {"normal", vector_json(strokes.mirror_plane.normal)}}},
                       {"strokes", std::move(list)}};
  return result.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace sinew
