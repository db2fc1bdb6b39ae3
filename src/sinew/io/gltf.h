// SPDX-License-Identifier: Apache-2.0
// glTF 2.0 (.gltf and .glb): reads and writes rigs, preserving everything else in the file.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/part_look.h"
#include "sinew/rig/rig.h"
#include "sinew/skeleton/constraints.h"

namespace sinew {

namespace gltf {
struct Document;
}

// A rig and the file it came from. Change `rig` and write the model: changes replace the
// corresponding data in the file; everything else (materials, textures, cameras, extras, unknown
// extensions, other meshes and animations) is written unchanged. A rig whose skeleton was removed
// is written as plain geometry in world space: without the file's skins, blend shapes and
// animations, but with the blend shapes and clips of the rig.
struct Model {
  Rig rig;
  std::shared_ptr<const gltf::Document> source;  // null: the rig was not read from glTF
  // To be written as VRMC_node_constraint. Constraints already in the source are kept there but not
  // read.
  std::vector<JointConstraint> constraints{};
  // For a rig without source: looks of its parts, written as materials; empty: plain white. For the
  // looks of a source see part_looks.
  std::vector<PartLook> looks{};
};

// Returns the bytes that a relative URI refers to; throws FileError if there are none.
using UriLoader = std::function<std::string(const std::string& uri)>;

// Throws FileError, or InputError with a JSON pointer ("/accessors/3/count") as the place. External
// URIs are relative to the file's folder and may not lead out of it.
Model read_gltf(const std::filesystem::path& path);
// The same from memory; without a loader, external URIs are an error.
Model parse_gltf(std::string_view bytes, const UriLoader& loader = {});

// How a model is written.
struct GltfOptions {
  // How many bits a weight has; the last two are shares of 255 or 65535.
  enum class WeightFormat { float32, unorm8, unorm16 };
  // Format of new or changed weights. Rows written as integers sum to exactly 255 or 65535.
  WeightFormat weights = WeightFormat::float32;
};

// The extension decides: .glb is one binary file, .gltf has its buffers embedded as base64. Written
// completely or not at all. Throws UsageError for another extension.
void write_gltf(const std::filesystem::path& path, const Model& model,
                const GltfOptions& options = {});
// The bytes that write_gltf would put into a .glb.
std::string to_glb(const Model& model, const GltfOptions& options = {});
// The text of a .gltf with everything embedded.
std::string to_gltf_text(const Model& model, const GltfOptions& options = {});

}  // namespace sinew
