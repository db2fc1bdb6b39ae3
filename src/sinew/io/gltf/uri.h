// SPDX-License-Identifier: Apache-2.0
// Resolves the URIs of a glTF file: embedded base64, or files next to it (resolve_uri in
// document.h).
#pragma once

#include <string>
#include <string_view>

namespace sinew::gltf {

// The bytes of "data:...;base64,...". Throws InputError at `place`.
std::string decode_data_uri(std::string_view uri, const std::string& place);

// Whether a data URI has two semicolons with nothing between them, or one with nothing behind it.
bool has_empty_parameter(std::string_view data_uri);

// The percent-decoded path of a relative URI. Throws InputError at `place` if the URI is empty,
// absolute, has a scheme, leads out of the folder by "..", or has characters not allowed in a path.
std::string check_relative_uri(std::string_view uri, const std::string& place);

}  // namespace sinew::gltf
