// SPDX-License-Identifier: Apache-2.0
#include "sinew/correct/correctives.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/correct/undeform.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/mesh/weld.h"

namespace sinew {
namespace {

// Joints turned by less, in radians, are at rest; vertices moved by less, as a share of the size,
// are not moved.
constexpr double least_turn = 1e-3, least_delta = 1e-7;

std::string place_of(std::size_t example) { return fmt::format("example {}", example); }

void check_examples(const Rig& rig, std::span<const CorrectiveExample> examples,
                    const CorrectOptions& options) {
  if (examples.empty()) throw UsageError("correctives need an example");
  if (!(options.tolerance > 0 && options.tolerance < 1)) {
    throw UsageError("the tolerance is a share of the mesh's size between 0 and 1");
  }
  if (options.radius && !(*options.radius > 0 && std::isfinite(*options.radius))) {
    throw UsageError("the radius of examples is an angle above 0");
  }
  for (const JointIndex joint : options.joints) {
    if (!has_joint(rig.skeleton, joint)) {
      throw UsageError(fmt::format("there is no joint {}", int(joint)));
    }
  }
  for (std::size_t e = 0; e < examples.size(); ++e) {
    const CorrectiveExample& example = examples[e];
    if (example.positions.size() != rig.mesh.vertex_count()) {
      throw InputError(place_of(e),
                       fmt::format("it has {} vertices, but the rig has {}; correctives need the "
                                   "same vertices in the same order",
                                   example.positions.size(), rig.mesh.vertex_count()));
    }
    if (example.pose.joints.size() != rig.skeleton.joints.size()) {
      throw UsageError(fmt::format("the pose of {} has {} joints, the rig has {}", place_of(e),
                                   example.pose.joints.size(), rig.skeleton.joints.size()));
    }
  }
}

Vec3 turn_of(const Rig& rig, const Pose& pose, JointIndex joint) {
  return turn_from_rest(rig.skeleton.joints[joint].rest, pose.joints[joint]);
}

// The joints that say how near a pose is to the example.
std::vector<JointIndex> joints_of(const Rig& rig, const Pose& pose, const CorrectOptions& options,
                                  std::size_t example) {
  std::vector<JointIndex> turned;
  const auto add = [&](JointIndex joint) {
    if (length(turn_of(rig, pose, joint)) > least_turn) turned.push_back(joint);
  };
  for (const JointIndex joint : options.joints) add(joint);
  if (turned.empty() && !options.joints.empty()) {
    throw InputError(place_of(example), "its pose turns none of the joints that were named");
  }
  if (!options.joints.empty()) return options.joints;
  const int count = static_cast<int>(rig.skeleton.joints.size());
  for (int j = 0; j < count; ++j) add(j);
  if (turned.empty()) {
    throw InputError(place_of(example),
                     "its pose turns no joint: there is nothing for a corrective to follow");
  }
  return turned;
}

bool share_joint(const std::vector<JointIndex>& a, const std::vector<JointIndex>& b) {
  return std::any_of(a.begin(), a.end(), [&](JointIndex joint) {
    return std::find(b.begin(), b.end(), joint) != b.end();
  });
}

// With more joints, which were at rest in the examples it has.
void add_joints(PoseSpace& space, const std::vector<JointIndex>& joints) {
  for (const JointIndex joint : joints) {
    if (std::find(space.joints.begin(), space.joints.end(), joint) != space.joints.end()) continue;
    space.joints.push_back(joint);
    for (PoseExample& example : space.examples) example.turns.emplace_back();
  }
}

// Puts an example into the space of its joints; spaces that this connects become one.
void add_example(Rig& rig, const Pose& pose, const std::vector<JointIndex>& joints, int shape,
                 const CorrectOptions& options) {
  std::vector<PoseSpace>& spaces = rig.pose_spaces;
  const auto is_near = [&](const PoseSpace& space) { return share_joint(space.joints, joints); };
  const auto first = std::find_if(spaces.begin(), spaces.end(), is_near);
  if (first == spaces.end()) {
    PoseSpace space{joints, {}, options.radius};
    for (PoseExample& example = space.examples.emplace_back(); const JointIndex joint : joints) {
      example.turns.push_back(turn_of(rig, pose, joint));
    }
    space.examples.front().shapes = {shape};
    spaces.push_back(std::move(space));
    return;
  }
  PoseSpace& space = *first;
  for (auto other = std::next(first); other != spaces.end(); ++other) {
    if (!is_near(*other)) continue;
    add_joints(space, other->joints);
    for (const PoseExample& moved : other->examples) {
      PoseExample& example = space.examples.emplace_back(
          PoseExample{std::vector<Vec3>(space.joints.size()), moved.shapes});
      for (std::size_t j = 0; j < other->joints.size(); ++j) {
        const auto place = std::find(space.joints.begin(), space.joints.end(), other->joints[j]);
        example.turns[static_cast<std::size_t>(place - space.joints.begin())] = moved.turns[j];
      }
    }
    other->joints.clear();
  }
  add_joints(space, joints);
  PoseExample example{{}, {shape}};
  for (const JointIndex joint : space.joints) example.turns.push_back(turn_of(rig, pose, joint));
  space.examples.push_back(std::move(example));
  if (options.radius) space.radius = options.radius;
  std::erase_if(spaces, [](const PoseSpace& s) { return s.joints.empty(); });
}

// Normals and tangents of the moved shape against those of the shape: turned as the surface is.
struct Turned {
  std::vector<Vec3> normals, tangents;
};
Turned turned_directions(const Mesh& mesh, const Welded& welded, std::span<const Vec3> deltas) {
  Turned result;
  if (mesh.normals.empty() || !mesh.normals.per_vertex()) return result;
  std::vector<Vec3> moved = welded.positions;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += deltas[welded.source[i]];
  const std::vector<Vec3> before = vertex_normals(welded.positions, welded.triangles);
  const std::vector<Vec3> after = vertex_normals(moved, welded.triangles);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const Index i = welded.representative_of[v];
    const Quat turn = rotation_between(before[i], after[i]);
    const Vec3& normal = mesh.normals.values[v];
    result.normals.push_back(rotate(turn, normal) - normal);
    if (mesh.tangents.empty()) continue;
    const Vec3 tangent{mesh.tangents[v].x, mesh.tangents[v].y, mesh.tangents[v].z};
    result.tangents.push_back(rotate(turn, tangent) - tangent);
  }
  return result;
}

// Of the vertices that move or whose normal turns; at least one.
BlendShape shape_from(const Mesh& mesh, const Welded& welded, std::string name,
                      std::vector<Vec3> deltas, double size) {
  for (Vec3& delta : deltas) {
    if (!(length(delta) > least_delta * size)) delta = {};
  }
  const Turned turned = turned_directions(mesh, welded, deltas);
  BlendShape shape;
  shape.name = std::move(name);
  for (std::size_t v = 0; v < deltas.size(); ++v) {
    const bool turns = !turned.normals.empty() && length(turned.normals[v]) > 1e-6;
    if (deltas[v] == Vec3{} && !turns) continue;
    shape.vertices.push_back(static_cast<Index>(v));
    shape.positions.push_back(deltas[v]);
    if (!turned.normals.empty()) shape.normals.push_back(turned.normals[v]);
    if (!turned.tangents.empty()) shape.tangents.push_back(turned.tangents[v]);
  }
  if (shape.vertices.empty()) {
    shape.vertices = {0};
    shape.positions = {Vec3{}};
    if (!turned.normals.empty()) shape.normals = {Vec3{}};
    if (!turned.tangents.empty()) shape.tangents = {Vec3{}};
  }
  if (shape.vertices.size() == mesh.vertex_count()) shape.vertices.clear();
  return shape;
}

// No other shape of the rig has it.
std::string unused_name(const Mesh& mesh, const std::string& wanted) {
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(mesh.shapes.begin(), mesh.shapes.end(),
                       [&](const BlendShape& shape) { return shape.name == name; });
  };
  const std::string base = wanted.empty() ? "corrective" : wanted;
  std::string name = base;
  for (int number = 2; is_taken(name); ++number) name = fmt::format("{} {}", base, number);
  return name;
}

void report_vertices(const Undeformed& found, const std::vector<Vec3>& deltas, double size,
                     double tolerance, CorrectiveReport& report) {
  for (std::size_t v = 0; v < deltas.size(); ++v) {
    const double moved = length(deltas[v]) / size, off = found.off[v] / size;
    report.moved += moved > least_delta ? 1U : 0U;
    report.singular += found.singular[v] ? 1U : 0U;
    report.largest_move = std::max(report.largest_move, moved);
    report.largest_off = std::max(report.largest_off, off);
    if (!(off <= tolerance)) {
      report.off.push_back({static_cast<Index>(v), off, bool(found.singular[v])});
    }
  }
}

}  // namespace

Corrected make_correctives(const Rig& rig, std::span<const CorrectiveExample> examples,
                           const Method& method, const CorrectOptions& options,
                           const Progress& progress) {
  check_examples(rig, examples, options);
  Corrected result{rig, {}};
  const std::size_t first = rig.mesh.shapes.size();
  std::vector<Pose> poses;
  for (std::size_t e = 0; e < examples.size(); ++e) {
    BlendShape shape;  // moves nothing yet
    shape.name = unused_name(result.rig.mesh, examples[e].name);
    shape.vertices = {0};
    shape.positions = {Vec3{}};
    result.rig.mesh.shapes.push_back(std::move(shape));
    poses.push_back(examples[e].pose);
    poses.back().shapes.resize(first + examples.size(), 0.0);
  }
  for (std::size_t e = 0; e < examples.size(); ++e) {
    add_example(result.rig, poses[e], joints_of(rig, poses[e], options, e),
                static_cast<int>(first + e), options);
  }
  const ShapeDrivers drivers = prepare_shape_drivers(result.rig);
  const RigPlan plan(rig);
  PosedRig posed(plan, {.squash = options.squash});  // muscles need all of the bones
  const double box = bounding_box(rig.mesh.positions).diagonal();
  const double size = box > 0 ? box : 1;
  const Welded welded = weld(rig.mesh.positions, rig.mesh.triangles);
  for (std::size_t e = 0; e < examples.size(); ++e) {
    const double share = 1.0 / static_cast<double>(examples.size());
    const auto number = static_cast<double>(e);
    // Other correctives as the finished rig has them in this pose; those of the same space are off.
    drivers.apply(rig.skeleton, poses[e]);
    posed.set(examples[e].pose);
    const std::vector<double> weights(poses[e].shapes.begin(),
                                      poses[e].shapes.begin() + static_cast<int>(first));
    const Undeformed found = undeform(rig, posed.bones(), weights, method, examples[e].positions,
                                      progress.part(number * share, (number + 1) * share));
    std::vector<Vec3> deltas = blend_shapes(rig.mesh, weights).positions;
    for (std::size_t v = 0; v < deltas.size(); ++v) deltas[v] = found.positions[v] - deltas[v];
    BlendShape& shape = result.rig.mesh.shapes[first + e];
    CorrectiveReport report;
    report.name = shape.name;
    report.shape = static_cast<int>(first + e);
    for (const PoseSpace& space : result.rig.pose_spaces) {
      for (const PoseExample& own : space.examples) {
        if (own.shapes.front() == report.shape) report.joints = space.joints;
      }
    }
    report_vertices(found, deltas, size, options.tolerance, report);
    shape = shape_from(rig.mesh, welded, report.name, std::move(deltas), size);
    result.correctives.push_back(std::move(report));
  }
  progress.report("done", 1);
  return result;
}

bool is_poor(std::span<const CorrectiveReport> correctives) {
  return std::any_of(correctives.begin(), correctives.end(),
                     [](const CorrectiveReport& report) { return !report.off.empty(); });
}

}  // namespace sinew
