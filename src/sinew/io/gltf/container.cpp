// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/io/file_bytes.h"
#include "sinew/io/gltf/append.h"
#include "sinew/io/gltf/image_bytes.h"
#include "sinew/io/gltf/schema.h"
#include "sinew/io/gltf/write.h"

namespace sinew::gltf {
namespace {

std::string to_base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto byte = i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U;
      group = (group << 8U) | byte;
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text.push_back(i + k <= bytes.size() ? digits[(group >> (18U - 6U * k)) & 63U] : '=');
    }
  }
  return text;
}

std::string data_uri(std::string_view mime_type, std::string_view bytes) {
  return fmt::format("data:{};base64,{}", mime_type, to_base64(bytes));
}

// Names come from all kinds of files: what is not UTF-8 in them is replaced.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Where a buffer view says which bytes it has; EXT_meshopt_compression says it once more.
std::vector<Json*> references(Json& view) {
  std::vector<Json*> result = {&view};
  const auto extensions = view.find("extensions");
  if (extensions != view.end() && extensions->contains("EXT_meshopt_compression")) {
    result.push_back(&(*extensions)["EXT_meshopt_compression"]);
  }
  return result;
}

// Extensions that we do not know may name buffers as well.
bool can_merge(const Document& document) {
  const auto known = [](const Json& object) {
    const auto extensions = object.find("extensions");
    if (extensions == object.end()) return true;
    return extensions->size() == (extensions->contains("EXT_meshopt_compression") ? 1U : 0U);
  };
  const auto all_known = [&](const char* list) {
    const auto found = document.json.find(list);
    return found == document.json.end() || std::all_of(found->begin(), found->end(), known);
  };
  return all_known("buffers") && all_known("bufferViews");
}

// All bytes in buffer 0; the stand-ins follow it.
void merge_buffers(Document& document) {
  Json& json = document.json;
  Json kept = Json::array();
  std::vector<std::string> bytes;
  const std::size_t count = document.buffers.size();
  std::vector<std::size_t> number(count), offset(count);
  std::vector<bool> has_own(count);
  for (std::size_t i = 0; i < count; ++i) has_own[i] = has_own_bytes(document, i);
  for (const bool own : {true, false}) {
    for (std::size_t i = 0; i < count; ++i) {
      if (has_own[i] != own) continue;
      if (own && !kept.empty()) {
        bytes[0].resize((bytes[0].size() + 3) / 4 * 4, '\0');
        offset[i] = bytes[0].size();
        bytes[0] += document.buffers[i];
        kept[0]["byteLength"] = bytes[0].size();
        continue;
      }
      number[i] = kept.size();
      kept.push_back(json["buffers"][i]);
      bytes.push_back(std::move(document.buffers[i]));
    }
  }
  for (Json& view : array_in(json, "bufferViews")) {
    for (Json* reference : references(view)) {
      const auto i = (*reference)["buffer"].get<std::size_t>();
      (*reference)["buffer"] = number[i];
      if (offset[i] > 0) {
        (*reference)["byteOffset"] = reference->value("byteOffset", std::size_t{0}) + offset[i];
      }
    }
  }
  json["buffers"] = std::move(kept);
  document.buffers = std::move(bytes);
}

void append_u32(std::string& out, std::size_t value) {
  for (unsigned i = 0; i < 4; ++i) out.push_back(static_cast<char>((value >> (8U * i)) & 255U));
}

// Chunks end at multiples of four bytes.
std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

std::optional<std::string> find_image(const Document& document, const std::string& uri,
                                      const std::string& place) {
  if (document.folder.empty() || uri.starts_with("data:")) return std::nullopt;
  try {
    return read_file(resolve_uri(document.folder, uri, place));
  } catch (const Error&) {
    return std::nullopt;  // was not there for the source either
  }
}

}  // namespace

void embed_images(Document& document, EmbedAs as) {
  const auto images = document.json.find("images");
  if (images == document.json.end()) return;
  for (std::size_t i = 0; i < images->size(); ++i) {
    Json& image = (*images)[i];
    const auto uri = image.find("uri");
    if (uri == image.end() || !uri->is_string()) continue;
    const auto bytes =
        find_image(document, uri->get<std::string>(), fmt::format("/images/{}/uri", i));
    const std::string type = bytes ? image_type(*bytes) : std::string();
    if (type.empty()) continue;
    if (as == EmbedAs::data_uri) {
      image["uri"] = data_uri(type, *bytes);
      continue;
    }
    image.erase("uri");
    image["mimeType"] = type;
    image["bufferView"] = add_buffer_view(document, *bytes);
  }
}

std::string glb_bytes(Document document) {
  const bool first_is_own = document.buffers.empty() || has_own_bytes(document, 0);
  if ((document.buffers.size() > 1 || !first_is_own) && can_merge(document)) {
    merge_buffers(document);
  }
  const bool binary = !document.buffers.empty() && has_own_bytes(document, 0);
  for (std::size_t i = 0; i < document.buffers.size(); ++i) {
    Json& buffer = document.json["buffers"][i];
    buffer.erase("uri");
    if (i > 0 && has_own_bytes(document, i)) {
      buffer["uri"] = data_uri("application/octet-stream", document.buffers[i]);
    }
  }
  const std::string json = dump(document.json);
  const std::size_t size =
      20 + padded(json.size()) + (binary ? 8 + padded(document.buffers[0].size()) : 0);
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError("the model is larger than the 4 GiB that a .glb can hold");
  }
  std::string head = "glTF";
  append_u32(head, 2);
  append_u32(head, size);
  append_u32(head, padded(json.size()));
  head += "JSON";
  head += json;
  head.append(padded(json.size()) - json.size(), ' ');
  if (!binary) return head;
  // The bytes make room for what comes before them: another string would be as large once more.
  std::string out = std::move(document.buffers[0]);
  append_u32(head, padded(out.size()));
  head += std::string_view("BIN\0", 4);
  out.reserve(size);
  out.resize(padded(out.size()), '\0');
  out.insert(0, head);
  return out;
}

std::string gltf_text(Document document) {
  for (std::size_t i = 0; i < document.buffers.size(); ++i) {
    if (!has_own_bytes(document, i)) continue;
    document.json["buffers"][i]["uri"] = data_uri("application/octet-stream", document.buffers[i]);
  }
  return dump(document.json);
}

}  // namespace sinew::gltf

namespace sinew {
namespace {

gltf::Document document_of(const Model& model, const GltfOptions& options) {
  validate(model.rig);
  if (!model.source) {
    return gltf::new_document(model.rig, options, model.constraints, model.looks);
  }
  gltf::require_schema(model.source->json);
  return model.rig.skeleton.joints.empty()
             ? gltf::posed_document(*model.source, model.rig)
             : gltf::updated_document(*model.source, model.rig, options, model.constraints);
}

bool same_folder(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code failure;
  return std::filesystem::equivalent(a.empty() ? "." : a, b.empty() ? "." : b, failure);
}

}  // namespace

std::string to_glb(const Model& model, const GltfOptions& options) {
  gltf::Document document = document_of(model, options);
  gltf::embed_images(document, gltf::EmbedAs::buffer_view);
  return gltf::glb_bytes(std::move(document));
}

std::string to_gltf_text(const Model& model, const GltfOptions& options) {
  gltf::Document document = document_of(model, options);
  gltf::embed_images(document, gltf::EmbedAs::data_uri);
  return gltf::gltf_text(std::move(document));
}

std::string gltf_file_bytes(const std::filesystem::path& path, const Model& model,
                            const GltfOptions& options) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (extension == ".glb") return to_glb(model, options);
  if (extension != ".gltf") {
    throw UsageError(
        fmt::format("{}: glTF is written to files that end in .glb or .gltf", path.string()));
  }
  gltf::Document document = document_of(model, options);
  if (!same_folder(path.parent_path(), document.folder)) {
    gltf::embed_images(document, gltf::EmbedAs::data_uri);
  }
  return gltf::gltf_text(std::move(document));
}

void write_gltf(const std::filesystem::path& path, const Model& model, const GltfOptions& options) {
  write_file(path, gltf_file_bytes(path, model, options));
}

}  // namespace sinew
