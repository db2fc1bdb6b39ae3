// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/write_look.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/io/gltf/append.h"

namespace sinew::gltf {
namespace {

constexpr int clamp_to_edge = 33071, linear = 9729, linear_mipmap_linear = 9987;

std::string mime_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG")) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  throw UsageError("the picture of a look is neither PNG nor JPEG");
}

int add_texture(Document& document, const std::string& picture) {
  const std::string type = mime_type(picture);
  Json& images = array_in(document.json, "images");
  images.push_back({{"mimeType", type}, {"bufferView", add_buffer_view(document, picture)}});
  const std::size_t image = images.size() - 1;
  Json& samplers = array_in(document.json, "samplers");
  samplers.push_back({{"wrapS", clamp_to_edge},
                      {"wrapT", clamp_to_edge},
                      {"magFilter", linear},
                      {"minFilter", linear_mipmap_linear}});
  Json& textures = array_in(document.json, "textures");
  textures.push_back({{"source", image}, {"sampler", samplers.size() - 1}});
  return static_cast<int>(textures.size()) - 1;
}

}  // namespace

Json material_of(Document& document, const PartLook& look) {
  Json base = {{"metallicFactor", 0.0},
               {"roughnessFactor", 0.8},
               {"baseColorFactor", {look.color.x, look.color.y, look.color.z, look.color.w}}};
  if (!look.picture.empty()) {
    base["baseColorTexture"] = {{"index", add_texture(document, look.picture)}};
  }
  Json material = {{"pbrMetallicRoughness", std::move(base)}, {"doubleSided", true}};
  if (look.see_through) material["alphaMode"] = "BLEND";
  if (look.unlit) {
    material["extensions"]["KHR_materials_unlit"] = Json::object();
    Json& used = array_in(document.json, "extensionsUsed");
    if (std::find(used.begin(), used.end(), "KHR_materials_unlit") == used.end()) {
      used.push_back("KHR_materials_unlit");
    }
  }
  return material;
}

}  // namespace sinew::gltf
