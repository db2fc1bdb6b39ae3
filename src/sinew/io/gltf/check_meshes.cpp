// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "sinew/io/gltf/check.h"
#include "sinew/io/gltf/look.h"

namespace sinew::gltf {
namespace {

class MeshCheck : private Look {
 public:
  MeshCheck(const Json& json, const Say& say) : Look(json), say_(say) {}

  void run() {
    for_each(json_, "", "meshes",
             [&](const Json& mesh, const std::string& at) { check_mesh(mesh, at); });
  }

 private:
  // Whether an attribute may be stored so, without extensions.
  static bool may_be(std::string_view name, const Format& format, bool is_target) {
    const auto& [type, component, normalized] = format;
    const bool is_float = component == 5126;
    const bool is_share = normalized && (component == 5121 || component == 5123);
    if (name == "POSITION" || name == "NORMAL") return type == "VEC3" && is_float;
    if (name == "TANGENT") return type == (is_target ? "VEC3" : "VEC4") && is_float;
    if (name.starts_with("TEXCOORD_")) return type == "VEC2" && (is_float || is_share || is_target);
    if (name.starts_with("COLOR_")) {
      return (type == "VEC3" || type == "VEC4") && (is_float || is_share || is_target);
    }
    if (name.starts_with("JOINTS_"))
      return type == "VEC4" && (component == 5121 || component == 5123);
    if (name.starts_with("WEIGHTS_")) return type == "VEC4" && (is_float || is_share);
    return component != 5125;
  }

  static bool is_attribute(std::string_view name) {
    if (name.starts_with('_') || name == "POSITION" || name == "NORMAL" || name == "TANGENT") {
      return true;
    }
    const std::size_t line = name.rfind('_');
    const std::string_view stem = name.substr(0, std::min(line, name.size()));
    if (stem != "TEXCOORD" && stem != "COLOR" && stem != "JOINTS" && stem != "WEIGHTS")
      return false;
    const std::string_view number = name.substr(std::min(line + 1, name.size()));
    return number.find_first_not_of("0123456789") == std::string_view::npos && !number.empty() &&
           (number == "0" || number[0] != '0');
  }

  // The numbers of TEXCOORD_0, TEXCOORD_1 and the like leave none out.
  static std::size_t sets_of(const Json& attributes, const std::string& stem) {
    std::size_t count = 0;
    while (attributes.contains(stem + std::to_string(count))) ++count;
    return count;
  }

  void check_sets(const Json& attributes, const std::string& at) {
    for (const std::string stem : {"TEXCOORD_", "COLOR_", "JOINTS_", "WEIGHTS_"}) {
      std::size_t named = 0;
      for (const auto& [name, unused] : attributes.items()) {
        named += name.starts_with(stem) && is_attribute(name) ? 1U : 0U;
      }
      if (named != sets_of(attributes, stem)) {
        say_(at, fmt::format("have gaps between the numbers of {}0 and on", stem));
      }
    }
    if (sets_of(attributes, "JOINTS_") != sets_of(attributes, "WEIGHTS_")) {
      say_(at, "must have as many JOINTS as WEIGHTS");
    }
  }

  // A view holds corners of faces or vertices, never both.
  void use_view(const Json& accessor, const std::string& at, char use) {
    const auto view = count_of(accessor, "bufferView");
    if (!view) return;
    if (use_of_view_.try_emplace(*view, use).first->second != use) {
      say_(at, "has its bytes in a buffer view with those of another kind, vertices or indices");
    }
  }

  void check_attribute(const std::string& name, const Json& accessor, const std::string& where,
                       bool is_target) {
    if (!is_attribute(name)) say_(where, "is no attribute; names of your own begin with _");
    if (name == "POSITION" && (!member(accessor, "min") || !member(accessor, "max"))) {
      say_(where, "has no bounds: min and max are missing");
    }
    if (!used_.contains("KHR_mesh_quantization") && is_attribute(name) &&
        !may_be(name, format_of(accessor), is_target)) {
      say_(where, "has a type or component type that this attribute may not have");
    }
    use_view(accessor, where, 'v');
    const Json* view = refer(accessor, "bufferView", "bufferViews");
    if (view == nullptr) return;
    const std::uint64_t start = count_of(accessor, "byteOffset").value_or(0);
    const auto stride = count_of(*view, "byteStride");
    const auto size = element_size(accessor);
    if (start % 4 != 0 || (!stride && size && *size % 4 != 0)) {
      say_(where, "does not have its vertices at multiples of 4 bytes");
    }
    const auto number = count_of(accessor, "bufferView");
    if (number && !stride) {
      const auto first = lone_user_.try_emplace(*number, &accessor).first->second;
      if (first != &accessor) {
        say_(where, "shares a buffer view with another attribute, and the view has no byteStride");
      }
    }
  }

  void check_attributes(const Json& attributes, const std::string& at,
                        std::optional<std::uint64_t>& count, const Json* base) {
    if (!attributes.is_object()) return;
    for (const auto& [name, index] : attributes.items()) {
      const std::string where = fmt::format("{}/{}", at, name);
      if (base != nullptr && is_attribute(name) && !base->contains(name)) {
        say_(where, "moves an attribute that the primitive does not have");
      }
      const Json* accessor = item(index, "accessors");
      if (accessor == nullptr) continue;
      check_attribute(name, *accessor, where, base != nullptr);
      const auto own = count_of(*accessor, "count");
      if (!count) count = own;
      if (own && count && *own != *count) {
        say_(where, fmt::format("has {} elements, but another attribute has {}", *own, *count));
      }
    }
    if (base == nullptr) check_sets(attributes, at);
  }

  void check_mesh(const Json& mesh, const std::string& at) {
    const Json* primitives = member(mesh, "primitives");
    if (size_of(primitives) == 0) return;
    const std::size_t targets = size_of(member((*primitives)[0], "targets"));
    for_each(mesh, at, "primitives", [&](const Json& primitive, const std::string& where) {
      check_primitive(primitive, where);
      if (size_of(member(primitive, "targets")) != targets) {
        say_(where, "must have as many targets as the first primitive of the mesh");
      }
    });
    const Json* weights = member(mesh, "weights");
    if (weights != nullptr && size_of(weights) != targets) {
      say_(at + "/weights",
           fmt::format("has {} numbers for {} targets", size_of(weights), targets));
    }
  }

  void check_primitive(const Json& primitive, const std::string& at) {
    std::optional<std::uint64_t> count;
    const Json* attributes = member(primitive, "attributes");
    if (attributes != nullptr) {
      check_attributes(*attributes, at + "/attributes", count, nullptr);
      for_each(primitive, at, "targets", [&](const Json& target, const std::string& where) {
        check_attributes(target, where, count, attributes);
      });
      check_material(primitive, *attributes, at);
    }
    check_variants(primitive, at);
    const Json* indices = refer(primitive, "indices", "accessors");
    if (indices == nullptr) return;
    const auto type = count_of(*indices, "componentType");
    if (text_of(*indices, "type") != "SCALAR" || (type != 5121 && type != 5123 && type != 5125)) {
      say_(at + "/indices", "must be unsigned integers, one for each corner");
    }
    use_view(*indices, at + "/indices", 'i');
    const Json* view = refer(*indices, "bufferView", "bufferViews");
    if (view != nullptr && member(*view, "byteStride")) {
      say_(at + "/indices", "must be in a buffer view without byteStride");
    }
  }

  // What the material's textures need of the primitive.
  void check_material(const Json& primitive, const Json& attributes, const std::string& at) {
    const Json* material = refer(primitive, "material", "materials");
    if (material == nullptr) return;
    const std::size_t sets = sets_of(attributes, "TEXCOORD_");
    const std::uint64_t needed = texture_sets(*material, 0);
    if (needed > sets) {
      say_(at + "/material",
           fmt::format("has textures on TEXCOORD_{}, which the primitive does not have",
                       needed - 1));
    }
    const Json* extensions = member(*material, "extensions");
    const Json* coat = extensions ? member(*extensions, "KHR_materials_clearcoat") : nullptr;
    const Json* brushed = extensions ? member(*extensions, "KHR_materials_anisotropy") : nullptr;
    const bool needs_tangents =
        (brushed != nullptr || (coat && member(*coat, "clearcoatNormalTexture"))) &&
        !member(*material, "normalTexture");
    if (needs_tangents && !attributes.contains("TANGENT")) {
      say_(at + "/material", "needs tangents, which the primitive does not have");
    }
  }

  // One more than the highest set of texture coordinates that a material's textures are on.
  static std::uint64_t texture_sets(const Json& object, int depth) {
    std::uint64_t most = 0;
    if (!object.is_object() || depth > 8) return most;
    for (const auto& [key, value] : object.items()) {
      if (key == "extras" || !value.is_object()) continue;
      std::uint64_t own = texture_sets(value, depth + 1);
      if (key.ends_with("Texture")) {
        const Json* extensions = member(value, "extensions");
        const Json* moved = extensions ? member(*extensions, "KHR_texture_transform") : nullptr;
        const auto set = moved ? count_of(*moved, "texCoord") : std::nullopt;
        own = 1 + (set ? *set : count_of(value, "texCoord").value_or(0));
      }
      most = std::max(most, own);
    }
    return most;
  }

  void check_variants(const Json& primitive, const std::string& at) {
    const Json* extensions = member(primitive, "extensions");
    const Json* variants = extensions ? member(*extensions, "KHR_materials_variants") : nullptr;
    if (variants == nullptr) return;
    std::set<double> seen;
    for_each(*variants, at + "/extensions/KHR_materials_variants", "mappings",
             [&](const Json& mapping, const std::string& where) {
               for_each(mapping, where, "variants", [&](const Json& one, const std::string& place) {
                 if (one.is_number() && !seen.insert(one.get<double>()).second) {
                   say_(place, "has another material already");
                 }
               });
             });
  }

  const Say& say_;
  std::map<std::uint64_t, char> use_of_view_;       // 'v': vertices, 'i': indices
  std::map<std::uint64_t, const Json*> lone_user_;  // of a view without byteStride
};

}  // namespace

void check_meshes(const Json& json, const Say& say) { MeshCheck(json, say).run(); }

}  // namespace sinew::gltf
