// SPDX-License-Identifier: Apache-2.0
#include "model_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/io.h"
#include "sinew/io/weight_matrix.h"
#include "sinew/weights/carry_endpoints.h"

namespace sinew::cli {
namespace {

Matrix read_weight_matrix(const std::string& file, const Rig& rig) {
  Matrix matrix = read_matrix(file);
  const std::size_t vertices = rig.mesh.vertex_count();
  const std::size_t bones = rig.skeleton.bones.size();
  if (matrix.rows != vertices || matrix.columns != bones) {
    throw InputError(file, "line 1",
                     fmt::format("it has {} rows and {} columns, but the mesh has {} vertices and "
                                 "the skeleton {} bones",
                                 matrix.rows, matrix.columns, vertices, bones));
  }
  return matrix;
}

void replace_endpoints(Rig& rig, const Matrix& matrix) {
  // A mesh without weights has nothing that endpoint weights could belong to.
  rig.skin.endpoints.clear();
  if (rig.skin.weights.vertex_count() > 0)
    rig.skin.endpoints = endpoints_from_matrix(matrix, rig.skin.weights);
}

// The rig's own rules, with the name of the file that was just read in front of what they find.
void check(const Rig& rig, const std::string& file) {
  try {
    validate(rig);
  } catch (const InputError& error) {
    throw error.in_file(file);
  }
}

}  // namespace

void add_model_options(CLI::App& command, ModelOptions& options) {
  command.add_option("MODEL", options.model, "A rigged .glb or .gltf, or a mesh")->required();
  command.add_option("--skeleton", options.skeleton,
                     "The skeleton, if not the model's: .tgf, or a .glb or .gltf with a skin");
  command.add_option("--bone-weights", options.bone_weights,
                     "Bone weights, vertices x bones: .dmat");
  command.add_option("--endpoint-weights", options.endpoint_weights,
                     "Endpoint weights, vertices x bones: .dmat");
}

Model load_model(const ModelOptions& options) {
  Model model = read_model(options.model);
  Rig& rig = model.rig;
  if (!options.skeleton.empty()) {
    rig.skeleton = read_rig(options.skeleton).skeleton;
    // Blend shares belong to the vertices, whatever moves them.
    rig.skin = Skin{.weights = {}, .blend_shares = std::move(rig.skin.blend_shares)};
    rig.offset_curves = {};
    rig.clips.clear();
    rig.drivers.clear();
    rig.controls.clear();
    rig.limits.clear();
    if (rig.skeleton.bones.empty()) {
      throw InputError(options.skeleton, "", "there is no bone in it");
    }
  }
  if (!options.bone_weights.empty()) {
    const Matrix matrix = read_weight_matrix(options.bone_weights, rig);
    replace_weights(rig.skin, weights_from_matrix(matrix), {}, rig.mesh.positions, rig.skeleton);
    check(rig, options.bone_weights);
  }
  if (!options.endpoint_weights.empty()) {
    replace_endpoints(rig, read_weight_matrix(options.endpoint_weights, rig));
    check(rig, options.endpoint_weights);
  }
  return model;
}

Model load_skinned_model(const ModelOptions& options) {
  Model model = load_model(options);
  if (model.rig.skeleton.bones.empty()) {
    throw InputError(options.model, "", "it has no skeleton; give one with --skeleton");
  }
  if (model.rig.skin.weights.vertex_count() == 0) {
    throw InputError(options.model, "", "it has no bone weights; give some with --bone-weights");
  }
  return model;
}

ExitStatus warn_of_rounding(const CommonOptions& common, double farthest, double size) {
  const double rounding = farthest * 0x1p-24;
  constexpr double most = 1e-3;  // of the size, which shows in pictures
  if (!(rounding > most * size) || size == 0) return done;
  say(common, fmt::format("the shape is {:.3g} wide and lies so far from the origin that numbers "
                          "there are {:.3g} apart; move it to the origin; exit status 1",
                          size, 2 * rounding));
  return poor_result;
}

ExitStatus warn_of_rounding(const CommonOptions& common, const Mesh& mesh) {
  if (mesh.positions.empty()) return done;
  const Box box = bounding_box(mesh.positions);
  const auto largest = [](const Box& of) {
    const Vec3 far = component_max(of.high, -of.low);
    return std::max({far.x, far.y, far.z});
  };
  double farthest = largest(box);
  for (const BlendShape& shape : mesh.shapes) {
    if (shape.positions.empty()) continue;
    farthest = std::max(farthest, largest(bounding_box(shape.positions)));
  }
  return warn_of_rounding(common, farthest, distance(box.low, box.high));
}

ExitStatus warn_of_uncovered(const CommonOptions& common, const Rig& rig) {
  const std::size_t uncovered = summarize(rig.skin.weights).uncovered;
  if (uncovered == 0) return done;
  say(common, counted(uncovered, "vertex has", "vertices have") +
                  " no weight and will stay in place; exit status 1");
  return poor_result;
}

}  // namespace sinew::cli
