// SPDX-License-Identifier: Apache-2.0
// The raw contents of a glTF file: its JSON and the bytes of its buffers.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/gltf.h"

namespace sinew::gltf {

using Json = nlohmann::json;

struct Outline;

struct Document {
  Json json;
  // The bytes of /buffers/i, at least byteLength of them; none for the placeholders ("fallback") of
  // EXT_meshopt_compression.
  std::vector<std::string> buffers;
  std::filesystem::path folder;      // base of relative URIs; empty: they cannot be resolved
  bool is_glb = false;               // read from a .glb
  bool has_byte_order_mark = false;  // before its JSON
  // Of the rig that was read from it (outline.h), for which updated_document() needs it.
  std::shared_ptr<const Outline> outline{};
};

// Reads .glb or .gltf (told apart by the first bytes), loads all buffers, and checks the container:
// sizes, chunk order, JSON depth, version, required extensions that we do not know. Throws
// InputError.
Document parse_document(std::string_view bytes, const UriLoader& loader);
// The same for bytes that nobody else needs: the binary chunk is not copied.
Document parse_document(std::string&& bytes, const UriLoader& loader);

// Joins a relative URI to the folder; throws InputError at `place` if it is absolute, has a scheme,
// or leads out of the folder (also by "..", percent-encoding or a symbolic link).
std::filesystem::path resolve_uri(const std::filesystem::path& folder, const std::string& uri,
                                  const std::string& place);

}  // namespace sinew::gltf
