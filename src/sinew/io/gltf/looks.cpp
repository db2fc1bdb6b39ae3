// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/file.h"
#include "sinew/io/gltf/document.h"
#include "sinew/io/gltf/layout.h"
#include "sinew/io/gltf/uri.h"
#include "sinew/io/gltf_looks.h"
#include "sinew/io/internal/checked_json.h"

namespace sinew {
namespace gltf {
namespace {

std::string image_bytes(const Document& document, const JsonRef& image) {
  if (const auto uri = image.find("uri")) {
    if (uri->string().rfind("data:", 0) == 0) return decode_data_uri(uri->string(), uri->place());
    return read_file(resolve_uri(document.folder, uri->string(), uri->place()));
  }
  const auto view_index = image.find("bufferView");
  if (!view_index) return {};
  const JsonRef view =
      list_item(document, "bufferViews",
                view_index->index(list_size(document, "bufferViews"), "bufferViews"));
  const std::size_t buffer = view.at("buffer").index(document.buffers.size(), "buffers");
  const auto offset = view.find("byteOffset");
  const std::size_t from = offset ? offset->size_value() : 0;
  const std::size_t size = view.at("byteLength").size_value();
  const std::string& bytes = document.buffers[buffer];
  if (from > bytes.size() || size > bytes.size() - from) {
    view.fail("it reaches beyond the end of its buffer");
  }
  return bytes.substr(from, size);
}

void read_texture(const Document& document, const JsonRef& info, PartLook& look) {
  const auto uv_set = info.find("texCoord");
  if (uv_set && uv_set->size_value() != 0) return;
  const int index = info.at("index").index(list_size(document, "textures"), "textures");
  const auto source = list_item(document, "textures", index).find("source");
  if (!source) return;  // a format of some extension
  const JsonRef image =
      list_item(document, "images", source->index(list_size(document, "images"), "images"));
  look.picture = image_bytes(document, image);
  look.picture_place = image.place();
}

PartLook read_look(const Document& document, const JsonRef& material) {
  PartLook look;
  if (const auto mode = material.find("alphaMode")) look.see_through = mode->string() != "OPAQUE";
  if (const auto extensions = material.find("extensions")) {
    look.unlit = extensions->find("KHR_materials_unlit").has_value();
  }
  const auto base = material.find("pbrMetallicRoughness");
  if (!base) return look;
  if (const auto factor = base->find("baseColorFactor")) {
    const std::vector<double> v = factor->numbers(4);
    look.color = {v[0], v[1], v[2], v[3]};
  }
  if (const auto texture = base->find("baseColorTexture")) read_texture(document, *texture, look);
  return look;
}

}  // namespace
}  // namespace gltf

std::vector<PartLook> part_looks(const Model& model) {
  std::vector<PartLook> looks;
  if (!model.source) return looks;
  const gltf::Document& document = *model.source;
  for (const auto& part : gltf::layout_of(document).parts) {
    const JsonRef primitive = gltf::list_item(document, "meshes", part.mesh)
                                  .at("primitives")
                                  .at(static_cast<std::size_t>(part.primitive));
    const auto material = primitive.find("material");
    looks.push_back(
        material
            ? gltf::read_look(
                  document, gltf::list_item(document, "materials",
                                            material->index(gltf::list_size(document, "materials"),
                                                            "materials")))
            : PartLook{});
  }
  return looks;
}

}  // namespace sinew
