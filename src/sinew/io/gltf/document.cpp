// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/document.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/uri.h"
#include "sinew/io/internal/checked_json.h"

namespace sinew::gltf {
namespace {

constexpr std::string_view glb_magic = "glTF";
constexpr std::uint32_t json_chunk = 0x4E4F534A;
constexpr std::uint32_t binary_chunk = 0x004E4942;

std::uint32_t read_u32(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) {
    value = (value << 8U) | static_cast<unsigned char>(bytes[offset + i]);
  }
  return value;
}

struct Container {
  std::string_view json;
  std::size_t json_offset = 0;
  std::optional<std::string_view> binary;
};

Container split_glb(std::string_view bytes) {
  if (bytes.size() < 12) {
    throw InputError(fmt::format("byte {}", bytes.size()), "the file ends within its GLB header");
  }
  if (const std::uint32_t version = read_u32(bytes, 4); version != 2) {
    throw InputError("byte 4", fmt::format("is GLB version {}; only version 2 is read", version));
  }
  const std::uint32_t total = read_u32(bytes, 8);
  if (total < 12 || total > bytes.size()) {
    throw InputError("byte 8",
                     fmt::format("the header says that the file has {} bytes, but it has {}: it "
                                 "was cut off or damaged",
                                 total, bytes.size()));
  }
  bytes = bytes.substr(0, total);  // what follows belongs to something else
  Container container;
  std::size_t offset = 12;
  for (int chunk = 0; offset < bytes.size(); ++chunk) {
    if (bytes.size() - offset < 8) {
      throw InputError(fmt::format("byte {}", offset), "the file ends within a chunk's header");
    }
    const std::size_t length = read_u32(bytes, offset);
    const std::uint32_t type = read_u32(bytes, offset + 4);
    if (length > bytes.size() - offset - 8) {
      throw InputError(fmt::format("byte {}", offset),
                       fmt::format("the chunk says that it has {} bytes, but {} are left", length,
                                   bytes.size() - offset - 8));
    }
    if (length % 4 != 0) {
      throw InputError(fmt::format("byte {}", offset),
                       fmt::format("the chunk's length {} is no multiple of 4", length));
    }
    const std::string_view data = bytes.substr(offset + 8, length);
    if (chunk == 0) {
      if (type != json_chunk) {
        throw InputError(fmt::format("byte {}", offset + 4), "the first chunk must be JSON");
      }
      container.json = data;
      container.json_offset = offset + 8;
    } else if (type == json_chunk || (type == binary_chunk && chunk != 1)) {
      throw InputError(fmt::format("byte {}", offset + 4),
                       "the first chunk must be JSON, the second one the only binary one");
    } else if (type == binary_chunk) {
      container.binary = data;
    }
    offset += 8 + length;
  }
  if (container.json_offset == 0) throw InputError("byte 12", "the file has no JSON chunk");
  return container;
}

struct Version {
  int major = 0, minor = 0;
};

Version parse_version(const JsonRef& ref) {
  const std::string& text = ref.string();
  std::array<int, 2> parts{};
  std::size_t part = 0;
  bool digits = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9' && parts[part] < 1000) {
      parts[part] = parts[part] * 10 + (c - '0');
      digits = true;
    } else if (c == '.' && part == 0 && digits) {
      part = 1;
      digits = false;
    } else {
      ref.fail("must be a version such as \"2.0\"");
    }
  }
  if (part != 1 || !digits) ref.fail("must be a version such as \"2.0\"");
  return {parts[0], parts[1]};
}

void check_version(const JsonRef& root) {
  const JsonRef asset = root.at("asset");
  if (const auto minimum = asset.find("minVersion")) {
    const Version version = parse_version(*minimum);
    if (version.major != 2 || version.minor > 0) {
      minimum->fail("asks for a reader of a later version of glTF than 2.0");
    }
  }
  const JsonRef stated = asset.at("version");
  if (parse_version(stated).major != 2) stated.fail("only glTF 2 is read: convert the file first");
}

// Those that change how we read geometry are implemented; the rest of these leave it alone.
bool is_known_extension(std::string_view name) {
  constexpr std::array exact = {
      "KHR_mesh_quantization", "EXT_meshopt_compression", "KHR_draco_mesh_compression",
      "KHR_animation_pointer", "KHR_lights_punctual",     "KHR_xmp_json_ld",
      "MSFT_texture_dds",      "KHR_node_visibility",     "VRMC_node_constraint"};
  constexpr std::array prefixes = {"KHR_materials_", "KHR_texture_", "EXT_texture_", "EXT_lights_",
                                   "VRMC_materials_"};
  const auto matches = [&](const char* prefix) { return name.starts_with(prefix); };
  return std::find(exact.begin(), exact.end(), name) != exact.end() ||
         std::any_of(prefixes.begin(), prefixes.end(), matches);
}

void check_extensions(const JsonRef& root) {
  const auto required = root.find("extensionsRequired");
  if (!required) return;
  std::string unknown;
  for (std::size_t i = 0; i < required->size(); ++i) {
    const std::string& name = required->at(i).string();
    if (!is_known_extension(name)) unknown += (unknown.empty() ? "" : ", ") + name;
  }
  if (!unknown.empty()) {
    required->fail(
        fmt::format("the file cannot be read without {}, which is not supported: export it without "
                    "this extension",
                    unknown));
  }
}

// Where a buffer view names the buffer, or could: the rest need not be there.
bool is_named(const JsonRef& root, std::size_t buffer) {
  const auto views = root.find("bufferViews");
  if (!views) return false;
  for (std::size_t v = 0; v < views->size(); ++v) {
    const auto extensions = views->at(v).find("extensions");
    const auto named = views->at(v).find("buffer");
    if (extensions || (named && named->value() == buffer)) return true;
  }
  return false;
}

// Gives the binary chunk, at most once.
using TakeBinary = std::function<std::string()>;

// A buffer without a URI has bytes that are not known, which is allowed: zeros stand for them, so
// that the rest can be read. Empty where there are too many of them, and of the first buffer of a
// .glb, which is its binary chunk: what uses those cannot be read.
std::string unknown_bytes(const JsonRef& buffer, std::size_t length, bool is_chunk) {
  constexpr std::size_t most = std::size_t{1} << 20;
  const bool is_used = !is_chunk && length <= most && !buffer.find("extensions");
  return std::string(is_used ? length : 0, 0);
}

struct BufferSource {
  bool is_glb = false, is_named = false;
  const TakeBinary& take_binary;
};

std::string load_buffer(const JsonRef& buffer, std::size_t index, const BufferSource& source,
                        const UriLoader& loader) {
  const std::size_t length = buffer.at("byteLength").size_value(1);
  const auto uri = buffer.find("uri");
  std::string bytes;
  if (uri) {
    const std::string& text = uri->string();
    if (text.starts_with("data:")) {
      bytes = decode_data_uri(text, uri->place());
    } else if (loader) {
      check_relative_uri(text, uri->place());
      bytes = loader(text);
    } else {
      uri->fail("lies outside the file, where only what is inside can be read");
    }
  } else if (index == 0 && source.take_binary) {
    bytes = source.take_binary();
  } else {
    return source.is_named ? unknown_bytes(buffer, length, source.is_glb && index == 0) : bytes;
  }
  if (bytes.size() < length) {
    buffer.at("byteLength")
        .fail(fmt::format("says {} bytes, but the buffer has {}", length, bytes.size()));
  }
  // What lies past them is padding of the container.
  bytes.resize(length);
  return bytes;
}

// `owned`: the same bytes, to be taken apart; or null.
Document parse(std::string_view bytes, std::string* owned, const UriLoader& loader) {
  if (bytes.empty()) throw InputError("byte 0", "the file is empty");
  Container container;
  if (bytes.starts_with(glb_magic)) {
    container = split_glb(bytes);
    // Some exporters pad the JSON with zeros instead of spaces.
    while (container.json.ends_with('\0')) container.json.remove_suffix(1);
  } else {
    container.json = bytes;
  }
  Document document;
  document.is_glb = container.json_offset > 0;
  document.has_byte_order_mark = has_byte_order_mark(container.json);
  document.json = parse_json(container.json, container.json_offset);
  TakeBinary take_binary;
  if (container.binary) {
    take_binary = [&, chunk = *container.binary] {
      if (owned == nullptr) return std::string(chunk);
      const auto first = static_cast<std::size_t>(chunk.data() - owned->data());
      owned->resize(first + chunk.size());
      owned->erase(0, first);
      return std::move(*owned);
    };
  }
  const JsonRef root(document.json);
  check_version(root);
  check_extensions(root);
  if (const auto buffers = root.find("buffers")) {
    for (std::size_t i = 0; i < buffers->size(); ++i) {
      const BufferSource source{document.is_glb, is_named(root, i), take_binary};
      try {
        document.buffers.push_back(load_buffer(buffers->at(i), i, source, loader));
      } catch (const Error&) {
        if (source.is_named || !buffers->at(i).value().is_object()) throw;
        document.buffers.emplace_back();
      }
    }
  }
  return document;
}

}  // namespace

Document parse_document(std::string_view bytes, const UriLoader& loader) {
  return parse(bytes, nullptr, loader);
}

Document parse_document(std::string&& bytes, const UriLoader& loader) {
  return parse(bytes, &bytes, loader);
}

}  // namespace sinew::gltf
