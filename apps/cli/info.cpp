// SPDX-License-Identifier: Apache-2.0
// sinew info: what is in a file, and what is wrong with it.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command.h"
#include "joint_tree.h"
#include "settings_text.h"
#include "sinew/core/notes.h"
#include "sinew/deform/twist_shares.h"
#include "sinew/geometry/components.h"
#include "sinew/geometry/topology.h"
#include "sinew/io/gltf_problems.h"
#include "sinew/io/io.h"
#include "sinew/io/settings_json.h"
#include "sinew/mesh/weld.h"
#include "sinew/rig/rig.h"

namespace sinew::cli {
namespace {

nlohmann::json to_json(const Vec3& v) { return nlohmann::json::array({v.x, v.y, v.z}); }

std::size_t joint_count(const Skeleton& skeleton) {
  return static_cast<std::size_t>(std::count_if(skeleton.joints.begin(), skeleton.joints.end(),
                                                [](const Joint& j) { return !j.is_frame; }));
}

// Bones of the skeleton itself: not those that carry a rigid mesh of the scene.
std::vector<const Bone*> skin_bones(const Skeleton& skeleton) {
  std::vector<const Bone*> bones;
  for (const Bone& bone : skeleton.bones) {
    if (!skeleton.joints[bone.joint].is_frame) bones.push_back(&bone);
  }
  return bones;
}

nlohmann::json describe_mesh(const Mesh& mesh, const Topology& topology, int islands) {
  nlohmann::json parts = nlohmann::json::array();
  for (const Part& part : mesh.parts) {
    parts.push_back({{"name", part.name},
                     {"material", part.material},
                     {"vertices", part.vertex_count},
                     {"triangles", part.triangle_count}});
  }
  nlohmann::json shapes = nlohmann::json::array();
  for (const BlendShape& shape : mesh.shapes) {
    shapes.push_back({{"name", shape.name}, {"default_weight", shape.default_weight}});
  }
  const Box box = bounding_box(mesh.positions);
  return {{"vertices", mesh.vertex_count()},
          {"triangles", mesh.triangles.size()},
          {"polygons", mesh.polygons.size()},
          {"tetrahedra", mesh.tetrahedra.size()},
          {"parts", parts},
          {"shapes", shapes},
          {"normals", !mesh.normals.empty()},
          {"uvs", !mesh.uvs.empty()},
          {"colors", !mesh.colors.empty()},
          {"bounding_box", {{"low", to_json(box.low)}, {"high", to_json(box.high)}}},
          {"topology",
           {{"islands", islands},
            {"watertight", topology.watertight},
            {"boundary_edges", topology.boundary_edges},
            {"non_manifold_edges", topology.non_manifold_edges},
            {"inconsistent_edges", topology.inconsistent_edges},
            {"degenerate_triangles", topology.degenerate_triangles},
            {"duplicate_triangles", topology.duplicate_triangles},
            {"isolated_vertices", topology.isolated_vertices}}}};
}

const char* name_of(BoneRole role) {
  switch (role) {
    case BoneRole::tube:
      return "tube";
    case BoneRole::end_part:
      return "end part";
    case BoneRole::trunk:
      return "trunk";
    case BoneRole::rigid:
      return "rigid";
    case BoneRole::helper:
      return "helper";
    case BoneRole::other:
      return "other";
  }
  return "";
}

nlohmann::json describe_skeleton(const Rig& rig) {
  const Skeleton& skeleton = rig.skeleton;
  const TwistPlan twists = plan_twists(rig);
  const std::vector<Affine> rest = rest_globals(skeleton);
  nlohmann::json joints = nlohmann::json::array();
  for (std::size_t j = 0; j < skeleton.joints.size(); ++j) {
    const Joint& joint = skeleton.joints[j];
    if (joint.is_frame) continue;
    joints.push_back({{"index", j},
                      {"name", joint.name},
                      {"parent", int(joint.parent)},
                      {"rest_position", to_json(rest[j].translation)}});
  }
  nlohmann::json bones = nlohmann::json::array();
  for (const Bone* bone : skin_bones(skeleton)) {
    const std::size_t b = bone - skeleton.bones.data();
    const TwistShares& shares = twists.shares[b];
    bones.push_back({{"joint", int(bone->joint)},
                     {"name", skeleton.joints[bone->joint].name},
                     {"tail_joint", int(bone->tail_joint)},
                     {"head", to_json(bone->head)},
                     {"tail", to_json(bone->tail)},
                     {"length", distance(bone->head, bone->tail)},
                     {"role", name_of(twists.roles[b])},
                     {"twist_shares", {shares.parent, shares.own}}});
  }
  return {{"joints", joint_count(skeleton)},
          {"frames", skeleton.joints.size() - joint_count(skeleton)},
          {"joint_list", joints},
          {"bones", bones.size()},
          {"bone_list", bones}};
}

nlohmann::json describe_motion(const Rig& rig) {
  nlohmann::json clips = nlohmann::json::array();
  for (const Clip& clip : rig.clips) {
    clips.push_back(
        {{"name", clip.name}, {"duration", duration(clip)}, {"channels", clip.channels.size()}});
  }
  nlohmann::json controls = nlohmann::json::array();
  for (const Control& control : rig.controls) {
    controls.push_back({{"name", control.name}, {"default", control.default_value}});
  }
  return {{"clips", clips}, {"controls", controls}, {"generalized_bones", rig.drivers.size()}};
}

nlohmann::json describe_weights(const Rig& rig, const WeightSummary& summary) {
  return {{"weighted_vertices", summary.vertices - summary.uncovered},
          {"uncovered_vertices", summary.uncovered},
          {"not_normalized_vertices", summary.not_normalized},
          {"max_influences", summary.max_influences},
          {"mean_influences", summary.mean_influences},
          {"endpoint_weights", !rig.skin.endpoints.empty()}};
}

// What a rigger would want to know before going on.
std::vector<std::string> problems_of(const Model& model, const Topology& topology,
                                     const WeightSummary& weights) {
  const Rig& rig = model.rig;
  std::vector<std::string> problems = rig.notes;
  for (std::string& problem : data_problems(model)) problems.push_back(std::move(problem));
  if (rig.mesh.vertex_count() == 0 && rig.skeleton.joints.empty()) {
    problems.push_back("there is no vertex and no joint in it: is it what its name says?");
  }
  const auto add = [&](std::size_t count, const char* one, const char* many, const char* meaning) {
    if (count > 0) problems.push_back(counted(count, one, many) + meaning);
  };
  add(topology.boundary_edges, "boundary edge", "boundary edges", ": the surface is open");
  add(topology.non_manifold_edges, "edge", "edges", " with more than two triangles");
  add(topology.inconsistent_edges, "edge", "edges", " whose two triangles face opposite ways");
  add(topology.degenerate_triangles, "triangle", "triangles", " without area");
  add(topology.duplicate_triangles, "triangle", "triangles", " twice");
  add(topology.isolated_vertices, "vertex", "vertices", " in no triangle");
  if (weights.vertices > 0) {
    add(weights.uncovered, "vertex", "vertices", " without any weight");
    add(weights.not_normalized, "vertex", "vertices", " whose weights do not sum to 1");
  }
  return problems;
}

std::string as_text(const std::string& file, const Rig& rig, const nlohmann::json& result) {
  std::string text = file + "\n";
  const auto line = [&](const char* label, const std::string& value) {
    text += fmt::format("  {:<18} {}\n", label, value);
  };
  const Mesh& mesh = rig.mesh;
  if (mesh.vertex_count() > 0) {
    const Box box = bounding_box(mesh.positions);
    line("vertices", std::to_string(mesh.vertex_count()));
    line("triangles", std::to_string(mesh.triangles.size()));
    if (!mesh.polygons.empty()) line("polygons", std::to_string(mesh.polygons.size()));
    if (!mesh.tetrahedra.empty()) line("tetrahedra", std::to_string(mesh.tetrahedra.size()));
    std::vector<std::string> parts;
    for (const Part& part : mesh.parts) parts.push_back(part.name.empty() ? "-" : part.name);
    line("parts",
         parts.empty() ? "1" : fmt::format("{} ({})", parts.size(), fmt::join(parts, ", ")));
    line("size", fmt::format("{:.6g} x {:.6g} x {:.6g}", box.high.x - box.low.x,
                             box.high.y - box.low.y, box.high.z - box.low.z));
    const nlohmann::json& topology = result["topology"];
    line("surface",
         fmt::format("{}, {}", counted(topology["islands"].get<std::size_t>(), "island", "islands"),
                     topology["watertight"].get<bool>() ? "watertight" : "not watertight"));
    if (!mesh.shapes.empty()) line("blend shapes", std::to_string(mesh.shapes.size()));
  }
  const std::size_t bones = skin_bones(rig.skeleton).size();
  if (joint_count(rig.skeleton) > 0) {
    line("joints", std::to_string(joint_count(rig.skeleton)));
    line("bones", std::to_string(bones));
  }
  if (rig.skin.weights.vertex_count() > 0 && bones > 0) {
    line("influences", fmt::format("at most {} per vertex, {:.2f} on average",
                                   result["max_influences"].get<std::size_t>(),
                                   result["mean_influences"].get<double>()));
    line("weight coverage",
         fmt::format("{} of {} vertices", result["weighted_vertices"].get<std::size_t>(),
                     mesh.vertex_count()));
    line("endpoint weights", rig.skin.endpoints.empty() ? "no" : "yes");
  }
  for (const auto& [label, value] : settings_lines(result["settings"])) line(label.c_str(), value);
  for (const Clip& clip : rig.clips) {
    line("clip", fmt::format("'{}', {:.3g} s, {}", clip.name, duration(clip),
                             counted(clip.channels.size(), "channel", "channels")));
  }
  if (!rig.drivers.empty()) line("generalized bones", std::to_string(rig.drivers.size()));
  for (const Control& control : rig.controls) line("control", control.name);
  const auto problems = grouped_notes(result["problems"].get<std::vector<std::string>>());
  line("problems", problems.empty() ? "none found" : std::to_string(problems.size()));
  for (const std::string& problem : problems) text += "    - " + problem + "\n";
  text += joint_tree(rig.skeleton);
  text.pop_back();
  return text;
}

ExitStatus info(const CommonOptions& options, const std::string& file) {
  if (is_matrix_file(file)) {
    const Matrix matrix = read_matrix(file);
    print_result(options, {{"file", file}, {"rows", matrix.rows}, {"columns", matrix.columns}},
                 fmt::format("{}\n  {} rows, {} columns", file, matrix.rows, matrix.columns));
    return done;
  }
  const Model model = read_model(file);
  const Rig& rig = model.rig;
  // Seams of UVs and normals split vertices: what counts is the surface they lie on.
  const Welded welded = weld(rig.mesh.positions, rig.mesh.triangles);
  Topology topology = inspect(welded.positions, welded.triangles);
  if (!rig.mesh.tetrahedra.empty()) topology.isolated_vertices = 0;  // they are inside
  const WeightSummary weights = summarize(rig.skin.weights);
  const Components components = connected_components(welded.positions.size(), welded.triangles);

  nlohmann::json result = {{"file", file}};
  result.update(describe_mesh(rig.mesh, topology, components.count - components.isolated));
  result.update(describe_skeleton(rig));
  result.update(describe_motion(rig));
  result.update(describe_weights(rig, weights));
  result["settings"] = nlohmann::json::parse(settings_to_json(rig));
  result["problems"] = problems_of(model, topology, weights);
  print_result(options, result, as_text(file, rig, result));
  return done;
}

}  // namespace

void add_info(CLI::App& app, Command& command) {
  CLI::App* sub =
      add_command(app, command, "info", "Show what is in a file and what is wrong with it",
                  "  sinew info hero.glb\n  sinew info arm.obj --json");
  const auto file = std::make_shared<std::string>();
  sub->add_option("FILE", *file, "A mesh, skeleton, motion, matrix or rigged model")->required();
  sub->callback(
      [&command, file] { command.run = [&command, file] { return info(command.common, *file); }; });
}

}  // namespace sinew::cli
