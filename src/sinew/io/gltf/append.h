// SPDX-License-Identifier: Apache-2.0
// Adds data to a document: bytes, the buffer view around them, and the accessor that reads them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/core/affine.h"
#include "sinew/io/gltf/document.h"

namespace sinew::gltf {

enum class Target { none = 0, vertices = 34962, indices = 34963 };

// Accessor properties other than the type.
struct AccessorOptions {
  Target target = Target::none;
  bool bounds = false;  // write min and max
  bool normalized = false;
};

// A copy whose buffers have room for as much again: one that grew would be there twice meanwhile.
Document copy_with_room(const Document& source);

// The new data goes, 4-byte aligned, to the end of the last buffer that has bytes of its own (a
// fallback of EXT_meshopt_compression has none); each call makes one buffer view. All return the
// index of the new accessor. `type` is glTF's: "SCALAR", "VEC2", ...; `values` holds one or more
// complete elements.
int add_accessor(Document& document, std::span<const float> values, std::string_view type,
                 const AccessorOptions& options = {});
int add_accessor(Document& document, std::span<const std::uint8_t> values, std::string_view type,
                 const AccessorOptions& options = {});
int add_accessor(Document& document, std::span<const std::uint16_t> values, std::string_view type,
                 const AccessorOptions& options = {});
int add_accessor(Document& document, std::span<const std::uint32_t> values, std::string_view type,
                 const AccessorOptions& options = {});

// Vertex indices, as 16-bit numbers if all fit (65535 does not, as it restarts primitives),
// otherwise as 32-bit ones.
int add_indices(Document& document, std::span<const std::uint32_t> values);

// VEC3 values that are zero except at `places` (ascending, below `count`); with bounds.
int add_sparse_accessor(Document& document, std::size_t count,
                        std::span<const std::uint32_t> places, std::span<const float> values);

// Column-major 4x4 matrices.
int add_matrices(Document& document, std::span<const Affine> matrices);

// Adds a buffer view of any bytes and returns its index.
int add_buffer_view(Document& document, std::string_view bytes, Target target = Target::none);

// Whether the buffer has data, and is not just a placeholder required by EXT_meshopt_compression.
bool has_own_bytes(const Document& document, std::size_t buffer);

// Rounds to single precision; values out of range become the largest finite number.
float to_float(double value);
void append(std::vector<float>& out, const Vec3& v);
void append(std::vector<float>& out, const Quat& q);
void append(std::vector<float>& out, std::span<const double> values);

// The JSON array of that name, created if missing.
Json& array_in(Json& object, const char* name);

}  // namespace sinew::gltf
