// SPDX-License-Identifier: Apache-2.0
// glTF 2.0 (.gltf and .glb): rigs in and out, with everything else in the file kept.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/rig/rig.h"
#include "sinew/skeleton/constraints.h"

namespace sinew {

namespace gltf {
struct Document;
}

// What a part of a mesh looks like, as far as a plain picture can show it.
struct PartLook {
  Vec4 color{1, 1, 1, 1};       // linear, with alpha
  std::string picture{};        // the bytes of the file (PNG, JPEG ...) for the UVs; empty: none
  std::string picture_place{};  // where it is named, as a JSON pointer
  bool see_through = false;     // the picture's alpha counts
  bool unlit = false;           // to be seen as it is, whatever the light
};

// A rig and the file it came from. Change `rig` and write the model: what was changed is replaced
// in the file, everything else (materials, textures, cameras, extras, unknown extensions, other
// meshes and animations) is written as it was. A rig whose skeleton was taken away is written as
// plain geometry in world space, as it looks in one pose: without the skins, blend shapes and
// animations of the file, but with those blend shapes and clips that the rig has.
struct GltfModel {
  Rig rig;
  std::shared_ptr<const gltf::Document> source;  // null: the rig was not read from glTF
  // To be written as VRMC_node_constraint. Those that the source has stay in it and are not read.
  std::vector<JointConstraint> constraints{};
  // Of the parts of a rig without source, to be written as their materials; empty: plain white.
  // See part_looks for those of a source.
  std::vector<PartLook> looks{};
};

// Gives the bytes behind a relative URI; throws FileError if there are none.
using UriLoader = std::function<std::string(const std::string& uri)>;

// Throws FileError, or InputError with a JSON pointer ("/accessors/3/count") as the place. External
// URIs are looked up beside the file and may not leave its folder.
GltfModel read_gltf(const std::filesystem::path& path);
// The same from memory; without a loader, external URIs are an error.
GltfModel parse_gltf(std::string_view bytes, const UriLoader& loader = {});

// How a model is written.
struct GltfOptions {
  // How many bits a weight has; the last two are shares of 255 or 65535.
  enum class WeightFormat { float32, unorm8, unorm16 };
  // Of weights that are new or were changed. Rows written as integers sum to exactly 255 or 65535.
  WeightFormat weights = WeightFormat::float32;
};

// By extension: .glb in one piece, .gltf with its buffers embedded as base64. Written whole or not
// at all. Throws UsageError for another extension.
void write_gltf(const std::filesystem::path& path, const GltfModel& model,
                const GltfOptions& options = {});
// The bytes that write_gltf would put into a .glb.
std::string to_glb(const GltfModel& model, const GltfOptions& options = {});

}  // namespace sinew
