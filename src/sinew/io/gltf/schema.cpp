// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/schema.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::gltf {
namespace {

enum class Is { object, objects, index, indices, map, whole, number, numbers, text, texts, flag };

constexpr double none = std::numeric_limits<double>::infinity();
constexpr double above_zero = std::numeric_limits<double>::denorm_min();

struct Property {
  std::string_view name;
  Is is;
  // Objects: their kind. References: the JSON pointer of the list they lead into. Text: the values
  // it may have, with blanks between them; none: any.
  std::string_view of{};
  bool required = false;
  double least = -none, most = none;  // of whole numbers, numbers and each of several
  std::size_t count = 0;              // of numbers; 0: any
  std::string_view needs{};           // a member that must be there, too
};

using Kind = std::vector<Property>;

constexpr bool required = true;

const std::map<std::string_view, Kind, std::less<>>& kinds() {
  static const std::map<std::string_view, Kind, std::less<>> all{
      {"glTF",
       {{"asset", Is::object, "asset"},
        {"scene", Is::index, "/scenes"},
        {"scenes", Is::objects, "scene"},
        {"nodes", Is::objects, "node"},
        {"meshes", Is::objects, "mesh"},
        {"skins", Is::objects, "skin"},
        {"animations", Is::objects, "animation"},
        {"materials", Is::objects, "material"},
        {"textures", Is::objects, "texture"},
        {"images", Is::objects, "image"},
        {"samplers", Is::objects, "sampler"},
        {"cameras", Is::objects, "camera"},
        {"accessors", Is::objects, "accessor"},
        {"bufferViews", Is::objects, "bufferView"},
        {"buffers", Is::objects, "buffer"},
        {"extensionsUsed", Is::texts},
        {"extensionsRequired", Is::texts, "", false, -none, none, 0, "extensionsUsed"}}},
      {"asset", {{"copyright", Is::text}, {"generator", Is::text}, {"version", Is::text}}},
      {"scene", {{"name", Is::text}, {"nodes", Is::indices, "/nodes"}}},
      {"node",
       {{"name", Is::text},
        {"camera", Is::index, "/cameras"},
        {"children", Is::indices, "/nodes"},
        {"skin", Is::index, "/skins", false, -none, none, 0, "mesh"},
        {"mesh", Is::index, "/meshes"},
        {"matrix", Is::numbers, "", false, -none, none, 16},
        {"rotation", Is::numbers, "", false, -1, 1, 4},
        {"scale", Is::numbers, "", false, -none, none, 3},
        {"translation", Is::numbers, "", false, -none, none, 3},
        {"weights", Is::numbers, "", false, -none, none, 0, "mesh"}}},
      {"mesh",
       {{"name", Is::text},
        {"primitives", Is::objects, "primitive", required},
        {"weights", Is::numbers}}},
      {"primitive",
       {{"attributes", Is::map, "/accessors", required},
        {"indices", Is::index, "/accessors"},
        {"material", Is::index, "/materials"},
        {"mode", Is::whole, "", false, 0, 6},
        {"targets", Is::objects, "target"}}},
      {"target", {}},
      {"skin",
       {{"name", Is::text},
        {"inverseBindMatrices", Is::index, "/accessors"},
        {"skeleton", Is::index, "/nodes"},
        {"joints", Is::indices, "/nodes", required}}},
      {"animation",
       {{"name", Is::text},
        {"channels", Is::objects, "channel", required},
        {"samplers", Is::objects, "animation sampler", required}}},
      {"channel",
       {{"sampler", Is::whole, "", required, 0},
        {"target", Is::object, "channel target", required}}},
      {"channel target", {{"node", Is::index, "/nodes"}, {"path", Is::text, "", required}}},
      {"animation sampler",
       {{"input", Is::index, "/accessors", required},
        {"interpolation", Is::text, "LINEAR STEP CUBICSPLINE"},
        {"output", Is::index, "/accessors", required}}},
      {"material",
       {{"name", Is::text},
        {"pbrMetallicRoughness", Is::object, "pbr"},
        {"normalTexture", Is::object, "textureInfo"},
        {"occlusionTexture", Is::object, "textureInfo"},
        {"emissiveTexture", Is::object, "textureInfo"},
        {"emissiveFactor", Is::numbers, "", false, 0, 1, 3},
        {"alphaMode", Is::text, "OPAQUE MASK BLEND"},
        {"alphaCutoff", Is::number, "", false, 0, none, 0, "alphaMode"},
        {"doubleSided", Is::flag}}},
      {"pbr",
       {{"baseColorFactor", Is::numbers, "", false, 0, 1, 4},
        {"baseColorTexture", Is::object, "textureInfo"},
        {"metallicFactor", Is::number, "", false, 0, 1},
        {"roughnessFactor", Is::number, "", false, 0, 1},
        {"metallicRoughnessTexture", Is::object, "textureInfo"}}},
      {"textureInfo",
       {{"index", Is::index, "/textures", required},
        {"texCoord", Is::whole, "", false, 0},
        {"scale", Is::number},
        {"strength", Is::number, "", false, 0, 1}}},
      {"texture",
       {{"name", Is::text}, {"sampler", Is::index, "/samplers"}, {"source", Is::index, "/images"}}},
      {"image",
       {{"name", Is::text},
        {"uri", Is::text},
        {"mimeType", Is::text, "image/jpeg image/png image/webp image/ktx2"},
        {"bufferView", Is::index, "/bufferViews", false, -none, none, 0, "mimeType"}}},
      {"sampler",
       {{"name", Is::text},
        {"magFilter", Is::whole, "", false, 9728, 9729},
        {"minFilter", Is::whole, "", false, 9728, 9987},
        {"wrapS", Is::whole, "", false, 10497, 33648},
        {"wrapT", Is::whole, "", false, 10497, 33648}}},
      {"camera",
       {{"name", Is::text},
        {"type", Is::text, "perspective orthographic", required},
        {"perspective", Is::object, "perspective"},
        {"orthographic", Is::object, "orthographic"}}},
      {"perspective",
       {{"aspectRatio", Is::number, "", false, above_zero},
        {"yfov", Is::number, "", required, above_zero},
        {"zfar", Is::number, "", false, above_zero},
        {"znear", Is::number, "", required, above_zero}}},
      {"orthographic",
       {{"xmag", Is::number, "", required},
        {"ymag", Is::number, "", required},
        {"zfar", Is::number, "", required, above_zero},
        {"znear", Is::number, "", required, 0}}},
      {"buffer",
       {{"name", Is::text}, {"uri", Is::text}, {"byteLength", Is::whole, "", required, 1}}},
      {"bufferView",
       {{"name", Is::text},
        {"buffer", Is::index, "/buffers", required},
        {"byteOffset", Is::whole, "", false, 0},
        {"byteLength", Is::whole, "", required, 1},
        {"byteStride", Is::whole, "", false, 4, 252},
        {"target", Is::whole, "", false, 34962, 34963}}},
      {"accessor",
       {{"name", Is::text},
        {"bufferView", Is::index, "/bufferViews"},
        {"byteOffset", Is::whole, "", false, 0, none, 0, "bufferView"},
        {"componentType", Is::whole, "", required, 5120, 5126},
        {"normalized", Is::flag},
        {"count", Is::whole, "", required, 1},
        {"type", Is::text, "", required},
        {"min", Is::numbers},
        {"max", Is::numbers},
        {"sparse", Is::object, "sparse"}}},
      {"sparse",
       {{"count", Is::whole, "", required, 1},
        {"indices", Is::object, "sparse indices", required},
        {"values", Is::object, "sparse values", required}}},
      {"sparse indices",
       {{"bufferView", Is::index, "/bufferViews", required},
        {"byteOffset", Is::whole, "", false, 0},
        {"componentType", Is::whole, "", required, 5121, 5125}}},
      {"sparse values",
       {{"bufferView", Is::index, "/bufferViews", required},
        {"byteOffset", Is::whole, "", false, 0}}},
      // Of extensions.
      {"lights", {{"lights", Is::objects, "light", required}}},
      {"light",
       {{"name", Is::text},
        {"type", Is::text, "", required},
        {"color", Is::numbers, "", false, 0, 1, 3},
        {"intensity", Is::number, "", false, 0},
        {"range", Is::number, "", false, above_zero},
        {"spot", Is::object, "spot"}}},
      {"spot",
       {{"innerConeAngle", Is::number, "", false, 0, 1.5707963268},
        {"outerConeAngle", Is::number, "", false, above_zero, 1.5707963268}}},
      {"lit node", {{"light", Is::index, "/extensions/KHR_lights_punctual/lights", required}}},
      {"variants", {{"variants", Is::objects, "variant", required}}},
      {"variant", {{"name", Is::text, "", required}}},
      {"variant mappings", {{"mappings", Is::objects, "variant mapping", required}}},
      {"variant mapping",
       {{"material", Is::index, "/materials", required},
        {"variants", Is::indices, "/extensions/KHR_materials_variants/variants", required}}},
      {"other image", {{"source", Is::index, "/images"}}},
      {"anisotropy",
       {{"anisotropyStrength", Is::number, "", false, 0, 1},
        {"anisotropyRotation", Is::number},
        {"anisotropyTexture", Is::object, "textureInfo"}}},
      {"clearcoat",
       {{"clearcoatFactor", Is::number, "", false, 0, 1},
        {"clearcoatRoughnessFactor", Is::number, "", false, 0, 1},
        {"clearcoatTexture", Is::object, "textureInfo"},
        {"clearcoatRoughnessTexture", Is::object, "textureInfo"},
        {"clearcoatNormalTexture", Is::object, "textureInfo"}}},
      {"dispersion", {{"dispersion", Is::number, "", false, 0}}},
      {"emissive strength", {{"emissiveStrength", Is::number, "", false, 0}}},
      {"ior", {{"ior", Is::number, "", false, 0}}},
      {"iridescence",
       {{"iridescenceFactor", Is::number, "", false, 0, 1},
        {"iridescenceIor", Is::number, "", false, 1},
        {"iridescenceTexture", Is::object, "textureInfo"},
        {"iridescenceThicknessMinimum", Is::number, "", false, 0},
        {"iridescenceThicknessMaximum", Is::number, "", false, 0},
        {"iridescenceThicknessTexture", Is::object, "textureInfo"}}},
      {"sheen",
       {{"sheenColorFactor", Is::numbers, "", false, 0, 1, 3},
        {"sheenRoughnessFactor", Is::number, "", false, 0, 1},
        {"sheenColorTexture", Is::object, "textureInfo"},
        {"sheenRoughnessTexture", Is::object, "textureInfo"}}},
      {"specular",
       {{"specularFactor", Is::number, "", false, 0, 1},
        {"specularColorFactor", Is::numbers, "", false, 0, none, 3},
        {"specularTexture", Is::object, "textureInfo"},
        {"specularColorTexture", Is::object, "textureInfo"}}},
      {"transmission",
       {{"transmissionFactor", Is::number, "", false, 0, 1},
        {"transmissionTexture", Is::object, "textureInfo"}}},
      {"volume",
       {{"thicknessFactor", Is::number, "", false, 0},
        {"attenuationDistance", Is::number, "", false, above_zero},
        {"attenuationColor", Is::numbers, "", false, 0, 1, 3},
        {"thicknessTexture", Is::object, "textureInfo"}}},
      {"texture transform",
       {{"offset", Is::numbers, "", false, -none, none, 2},
        {"rotation", Is::number},
        {"scale", Is::numbers, "", false, -none, none, 2},
        {"texCoord", Is::whole, "", false, 0}}},
      {"visibility", {{"visible", Is::flag}}},
      {"anything", {}}};
  return all;
}

// Where an extension may be, and what is in it.
struct Place {
  std::string_view extension, owner, kind;
};

const std::vector<Place>& places() {
  static const std::vector<Place> all{
      {"KHR_lights_punctual", "glTF", "lights"},
      {"KHR_lights_punctual", "node", "lit node"},
      {"KHR_materials_variants", "glTF", "variants"},
      {"KHR_materials_variants", "primitive", "variant mappings"},
      {"EXT_texture_webp", "texture", "other image"},
      {"KHR_texture_basisu", "texture", "other image"},
      {"MSFT_texture_dds", "texture", "other image"},
      {"KHR_texture_transform", "textureInfo", "texture transform"},
      {"KHR_node_visibility", "node", "visibility"},
      {"KHR_draco_mesh_compression", "primitive", "anything"},
      {"KHR_animation_pointer", "channel target", "anything"},
      {"KHR_mesh_quantization", "", "anything"},  // nowhere: its name is enough
      {"KHR_materials_unlit", "material", "anything"},
      {"KHR_materials_pbrSpecularGlossiness", "material", "anything"},
      {"KHR_materials_anisotropy", "material", "anisotropy"},
      {"KHR_materials_clearcoat", "material", "clearcoat"},
      {"KHR_materials_dispersion", "material", "dispersion"},
      {"KHR_materials_emissive_strength", "material", "emissive strength"},
      {"KHR_materials_ior", "material", "ior"},
      {"KHR_materials_iridescence", "material", "iridescence"},
      {"KHR_materials_sheen", "material", "sheen"},
      {"KHR_materials_specular", "material", "specular"},
      {"KHR_materials_transmission", "material", "transmission"},
      {"KHR_materials_volume", "material", "volume"}};
  return all;
}

std::string as_text(double number) { return fmt::format("{}", number); }

class SchemaCheck {
 public:
  SchemaCheck(const Json& document, const Say& say, bool types_alone)
      : document_(document), say_(say), types_alone_(types_alone) {
    const auto used = document.is_object() ? document.find("extensionsUsed") : document.end();
    if (!document.is_object() || used == document.end() || !used->is_array()) return;
    for (const Json& name : *used) {
      if (name.is_string()) used_.insert(name.get<std::string>());
    }
  }

  void run() { check_object(document_, "", "glTF"); }

 private:
  // What a file that is changed keeps as it is.
  static bool is_kept(std::string_view kind) {
    return kind == "asset" || kind == "material" || kind == "texture" || kind == "sampler" ||
           kind == "camera" || kind == "buffer";
  }

  void check_object(const Json& object, const std::string& at, std::string_view kind) {
    if (!object.is_object()) {
      say_(at, "must be an object");
      return;
    }
    if (types_alone_ && is_kept(kind)) return;
    for (const Property& property : kinds().find(kind)->second) {
      const auto member = object.find(property.name);
      if (member == object.end()) {
        if (property.required) say_(at, fmt::format("has no {}", property.name));
        continue;
      }
      const std::string where = fmt::format("{}/{}", at, property.name);
      if (!property.needs.empty() && !types_alone_ && !object.contains(property.needs)) {
        say_(where, fmt::format("means nothing without {}", property.needs));
      }
      check_member(*member, where, property);
    }
    if (kind == "target") check_map(object, at, "/accessors");
    if (!types_alone_) check_extensions(object, at, kind);
  }

  void check_member(const Json& value, const std::string& at, const Property& property) {
    switch (property.is) {
      case Is::object:
        check_object(value, at, property.of);
        break;
      case Is::objects:
        for_each(value, at, [&](const Json& item, const std::string& where) {
          check_object(item, where, property.of);
        });
        break;
      case Is::index:
        check_index(value, at, property.of);
        break;
      case Is::indices:
        check_indices(value, at, property.of);
        break;
      case Is::map:
        check_map(value, at, property.of);
        break;
      case Is::whole:
      case Is::number:
        check_number(value, at, property);
        break;
      case Is::numbers:
        if (value.is_array() && property.count > 0 && value.size() != property.count) {
          say_(at, fmt::format("must have {} numbers, but has {}", property.count, value.size()));
        }
        for_each(value, at, [&](const Json& item, const std::string& where) {
          check_number(item, where, property);
        });
        break;
      case Is::text:
        check_text(value, at, property.of);
        break;
      case Is::texts:
        check_texts(value, at);
        break;
      case Is::flag:
        if (!value.is_boolean()) say_(at, "must be true or false");
        break;
    }
  }

  template <class Function>
  void for_each(const Json& list, const std::string& at, Function&& function) {
    if (!list.is_array()) {
      say_(at, "must be a list");
      return;
    }
    if (list.empty() && !types_alone_) say_(at, "is empty: leave it out");
    for (std::size_t i = 0; i < list.size(); ++i) function(list[i], fmt::format("{}/{}", at, i));
  }

  void check_index(const Json& value, const std::string& at, std::string_view list) {
    const auto found = lists_.try_emplace(list, 0);
    if (found.second) {
      const Json::json_pointer pointer{std::string(list)};
      const bool is_there = document_.contains(pointer) && document_.at(pointer).is_array();
      found.first->second = is_there ? document_.at(pointer).size() : 0;
    }
    const std::size_t count = found.first->second;
    const double number = value.is_number() ? value.get<double>() : -1;
    if (number >= 0 && number < static_cast<double>(count) && number == std::floor(number)) return;
    say_(at, value.is_number() ? fmt::format("refers to one of {} {} that does not exist", count,
                                             list.substr(list.rfind('/') + 1))
                               : "must be an index");
  }

  void check_indices(const Json& value, const std::string& at, std::string_view list) {
    std::set<double> seen;
    for_each(value, at, [&](const Json& item, const std::string& where) {
      check_index(item, where, list);
      const bool is_new = !item.is_number() || seen.insert(item.get<double>()).second;
      if (!is_new && !types_alone_) say_(where, "is listed twice");
    });
  }

  void check_map(const Json& value, const std::string& at, std::string_view list) {
    if (!value.is_object()) {
      say_(at, "must be an object");
      return;
    }
    if (value.empty() && !types_alone_) say_(at, "is empty");
    for (const auto& [name, index] : value.items()) {
      if (name == "extras" || name == "extensions") continue;
      check_index(index, fmt::format("{}/{}", at, name), list);
    }
  }

  void check_number(const Json& value, const std::string& at, const Property& property) {
    if (!value.is_number()) {
      say_(at, "must be a number");
      return;
    }
    const auto number = value.get<double>();
    if (property.is == Is::whole && (number != std::floor(number) || std::abs(number) > 1e15)) {
      say_(at, "must be a whole number");
    } else if (!(number >= property.least && number <= property.most)) {
      // A file can be changed whatever its numbers are, but nothing has a negative place or size.
      if (types_alone_ && (property.is != Is::whole || number >= 0)) return;
      const bool is_open = property.least == above_zero;
      say_(at, property.most == none
                   ? fmt::format("must be {} {}", is_open ? "above" : "at least",
                                 as_text(is_open ? 0 : property.least))
                   : fmt::format("must be from {} to {}", as_text(is_open ? 0 : property.least),
                                 as_text(property.most)));
    }
  }

  void check_text(const Json& value, const std::string& at, std::string_view values) {
    if (!value.is_string()) {
      say_(at, "must be a string");
      return;
    }
    if (values.empty() || types_alone_) return;
    const std::string padded = fmt::format(" {} ", values);
    if (padded.find(fmt::format(" {} ", value.get<std::string>())) == std::string::npos) {
      say_(at, fmt::format("must be one of: {}", values));
    }
  }

  void check_texts(const Json& value, const std::string& at) {
    std::set<std::string> seen;
    for_each(value, at, [&](const Json& item, const std::string& where) {
      if (!item.is_string()) {
        say_(where, "must be a string");
      } else if (!seen.insert(item.get<std::string>()).second) {
        say_(where, "is listed twice");
      }
    });
  }

  void check_extensions(const Json& object, const std::string& at, std::string_view kind) {
    const auto extensions = object.find("extensions");
    if (extensions == object.end()) return;
    const std::string where = at + "/extensions";
    if (!extensions->is_object()) {
      say_(where, "must be an object");
      return;
    }
    for (const auto& [name, value] : extensions->items()) {
      const std::string place = fmt::format("{}/{}", where, name);
      if (!used_.contains(name)) say_(place, "is not listed in extensionsUsed");
      if (!value.is_object()) say_(place, "must be an object");
      check_extension(name, value, place, kind);
    }
  }

  void check_extension(std::string_view name, const Json& value, const std::string& at,
                       std::string_view owner) {
    bool is_known = false;
    for (const Place& place : places()) {
      if (place.extension != name) continue;
      is_known = true;
      if (place.owner != owner) continue;
      if (value.is_object()) check_object(value, at, place.kind);
      return;
    }
    if (is_known) say_(at, "does not belong here");
  }

  const Json& document_;
  const Say& say_;
  const bool types_alone_;
  std::set<std::string, std::less<>> used_;
  std::map<std::string_view, std::size_t> lists_;  // how many each has, as they are asked for
};

}  // namespace

void check_schema(const Json& document, const Say& say) { SchemaCheck(document, say, false).run(); }

void require_schema(const Json& document) {
  const Say refuse = [](const std::string& place, const std::string& problem) {
    throw InputError(place, problem + "; it cannot be written again before this is mended");
  };
  SchemaCheck(document, refuse, true).run();
}

}  // namespace sinew::gltf
