// SPDX-License-Identifier: Apache-2.0
// What is behind the URIs of a glTF file: base64 inside it, or files beside it (resolve_uri in
// document.h).
#pragma once

#include <string>
#include <string_view>

namespace sinew::gltf {

// The bytes of "data:...;base64,...". Throws InputError at `place`.
std::string decode_data_uri(std::string_view uri, const std::string& place);

// The percent-decoded path of a relative URI. Throws InputError at `place` if the URI is empty,
// absolute, has a scheme, leads out by "..", or has characters that no path may have.
std::string check_relative_uri(std::string_view uri, const std::string& place);

}  // namespace sinew::gltf
