// SPDX-License-Identifier: Apache-2.0
// Options that select the rig, assembled from one or more files.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "command.h"
#include "sinew/io/gltf.h"

namespace sinew::cli {

struct ModelOptions {
  std::string model;
  std::string skeleton;
  std::string bone_weights;
  std::string endpoint_weights;

  // All that is read; empty where not given.
  std::vector<std::string> files() const {
    return {model, skeleton, bone_weights, endpoint_weights};
  }
};

void add_model_options(CLI::App& command, ModelOptions& options);

// The model with its skeleton, bone weights and endpoint weights replaced by those of the other
// files, where given. Throws InputError if their sizes do not fit together.
Model load_model(const ModelOptions& options);

// The same for commands that pose the rig. Throws InputError if it has no skeleton or no bone
// weights.
Model load_skinned_model(const ModelOptions& options);

// Says on stderr if single precision, in which glTF and point caches store places, cannot hold a
// shape of this size whose coordinates go up to `farthest`. Returns the resulting exit status.
ExitStatus warn_of_rounding(const CommonOptions& common, double farthest, double size);
// The same for a mesh and its blend shapes in glTF.
ExitStatus warn_of_rounding(const CommonOptions& common, const Mesh& mesh);

// Says on stderr how many vertices have no weight, and returns the resulting exit status.
ExitStatus warn_of_uncovered(const CommonOptions& common, const Rig& rig);

}  // namespace sinew::cli
