// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/replaced.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/io/gltf/append.h"

namespace sinew::gltf {
namespace {

constexpr const char* draco_extension = "KHR_draco_mesh_compression";
constexpr const char* meshopt_extension = "EXT_meshopt_compression";

// The extensions that name no accessor and no buffer view, and the two of which we know where they
// do.
bool is_understood(std::string_view name) {
  constexpr std::array exact = {draco_extension,         meshopt_extension,
                                "KHR_mesh_quantization", "KHR_animation_pointer",
                                "KHR_lights_punctual",   "KHR_node_visibility",
                                "KHR_texture_basisu",    "KHR_texture_transform",
                                "KHR_xmp_json_ld",       "EXT_lights_image_based",
                                "EXT_texture_avif",      "EXT_texture_webp",
                                "MSFT_texture_dds",      "VRM"};
  return std::find(exact.begin(), exact.end(), name) != exact.end() ||
         name.starts_with("KHR_materials_") || name.starts_with("VRMC_");
}

// Also where extensionsUsed does not list them.
bool extensions_are_understood(const Json& json) {
  if (json.is_object()) {
    const auto extensions = json.find("extensions");
    if (extensions != json.end() && extensions->is_object()) {
      for (const auto& [name, value] : extensions->items()) {
        if (!is_understood(name)) return false;
      }
    }
  }
  return !json.is_structured() || std::all_of(json.begin(), json.end(), extensions_are_understood);
}

// Parts of a document that nothing reads may be anything.
std::optional<std::size_t> whole_number(const Json& json) {
  if (!json.is_number()) return std::nullopt;
  const auto value = json.get<double>();
  if (value < 0 || value > 1e15 || value != std::floor(value)) return std::nullopt;
  return static_cast<std::size_t>(value);
}

// Calls `visit` with the member of that name, if there is one.
template <class AnyJson, class Visit>
void visit_member(AnyJson& object, const char* name, const Visit& visit) {
  const auto member = object.find(name);
  if (member != object.end()) visit(*member);
}

// Calls `visit` with each item of the list of that name, or with each member of that object.
template <class AnyJson, class Visit>
void visit_each(AnyJson& object, const char* name, const Visit& visit) {
  visit_member(object, name, [&](auto& items) {
    if (!items.is_structured()) return;
    for (auto& item : items) visit(item);
  });
}

template <class AnyJson, class Visit>
void visit_extension(AnyJson& object, const char* name, const Visit& visit) {
  visit_member(object, "extensions",
               [&](auto& extensions) { visit_member(extensions, name, visit); });
}

template <class AnyJson, class Visit>
void visit_primitives(AnyJson& json, const Visit& visit) {
  visit_each(json, "meshes", [&](auto& mesh) { visit_each(mesh, "primitives", visit); });
}

// All places that name accessors.
constexpr auto visit_accessors = [](auto& json, const auto& visit) {
  visit_primitives(json, [&](auto& primitive) {
    visit_each(primitive, "attributes", visit);
    visit_member(primitive, "indices", visit);
    visit_each(primitive, "targets", [&](auto& target) {
      for (auto& index : target) visit(index);
    });
  });
  visit_each(json, "skins", [&](auto& skin) { visit_member(skin, "inverseBindMatrices", visit); });
  visit_each(json, "animations", [&](auto& animation) {
    visit_each(animation, "samplers", [&](auto& sampler) {
      visit_member(sampler, "input", visit);
      visit_member(sampler, "output", visit);
    });
  });
};

// All places that name buffer views.
constexpr auto visit_views = [](auto& json, const auto& visit) {
  const auto visit_owner = [&](auto& owner) { visit_member(owner, "bufferView", visit); };
  visit_each(json, "accessors", [&](auto& accessor) {
    visit_owner(accessor);
    visit_each(accessor, "sparse", visit_owner);
  });
  visit_each(json, "images", visit_owner);
  visit_primitives(
      json, [&](auto& primitive) { visit_extension(primitive, draco_extension, visit_owner); });
};

// Takes the items out of the list that were used in the source and are not any more, and returns
// them. `visit_indices` calls a function with each index into the list.
template <class VisitIndices>
std::vector<Json> take_replaced(Json& json, const Json& source, const char* name,
                                const VisitIndices& visit_indices) {
  std::vector<Json> replaced;
  const auto list = json.find(name);
  if (list == json.end() || !list->is_array()) return replaced;
  std::vector<bool> was_used(list->size(), false), is_used(list->size(), false);
  const auto mark_in = [](std::vector<bool>& used) {
    return [&used](const Json& index) {
      const auto i = whole_number(index);
      if (i && *i < used.size()) used[*i] = true;
    };
  };
  visit_indices(source, mark_in(was_used));
  visit_indices(std::as_const(json), mark_in(is_used));

  const auto old = source.find(name);
  const std::size_t old_count = old == source.end() ? 0 : old->size();
  std::vector<std::size_t> number(list->size());
  Json kept = Json::array();
  std::size_t appended = old_count;
  const auto keep = [&](std::size_t i) {
    number[i] = kept.size();
    kept.push_back(std::move((*list)[i]));
  };
  for (std::size_t i = 0; i < old_count; ++i) {
    if (is_used[i] || !was_used[i]) {
      keep(i);
      continue;
    }
    replaced.push_back(std::move((*list)[i]));
    if (appended < number.size()) keep(appended++);
  }
  while (appended < number.size()) keep(appended++);
  if (kept.empty() && !replaced.empty()) {
    json.erase(list);
  } else {
    *list = std::move(kept);
  }
  visit_indices(json, [&](Json& index) {
    const auto i = whole_number(index);
    if (i && *i < number.size() && number[*i] != *i) index = number[*i];
  });
  return replaced;
}

struct Bytes {
  std::size_t begin = 0, end = 0;
};

// Calls `visit` with each object in the view that names bytes of the buffer, and with these bytes.
template <class AnyJson, class Visit>
void visit_bytes(AnyJson& view, std::size_t buffer, const Visit& visit) {
  const auto visit_object = [&](auto& object) {
    const auto number = [&](const char* name) {
      return object.is_object() ? whole_number(object.value(name, Json())) : std::nullopt;
    };
    const auto length = number("byteLength");
    if (number("buffer") != buffer || !length) return;
    const std::size_t begin = number("byteOffset").value_or(0);
    visit(object, Bytes{begin, begin + *length});
  };
  visit_object(view);
  visit_extension(view, meshopt_extension, visit_object);
}

// Sorted, and joined where they meet.
void join_ranges(std::vector<Bytes>& ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const Bytes& a, const Bytes& b) { return a.begin < b.begin; });
  std::size_t count = 0;
  for (const Bytes& range : ranges) {
    if (range.end <= range.begin) continue;
    if (count > 0 && range.begin <= ranges[count - 1].end) {
      ranges[count - 1].end = std::max(ranges[count - 1].end, range.end);
    } else {
      ranges[count++] = range;
    }
  }
  ranges.resize(count);
}

// What is in `ranges` and not in `others`, both sorted and joined.
std::vector<Bytes> without(const std::vector<Bytes>& ranges, const std::vector<Bytes>& others) {
  std::vector<Bytes> result;
  auto other = others.begin();
  for (Bytes range : ranges) {
    for (; other != others.end() && other->begin < range.end; ++other) {
      if (other->end <= range.begin) continue;
      if (other->begin > range.begin) result.push_back({range.begin, other->begin});
      range.begin = std::max(range.begin, other->end);
      if (range.begin >= range.end) break;  // it may reach into the next range
    }
    if (range.begin < range.end) result.push_back(range);
  }
  return result;
}

// Removes the bytes of the removed views that no other view has. Removes whole multiples of 4, with
// the padding after them, so that all others stay aligned.
void remove_bytes(Document& document, std::size_t buffer, const std::vector<Json>& removed) {
  std::string& bytes = document.buffers[buffer];
  Json& length = document.json["buffers"][buffer]["byteLength"];
  std::vector<Bytes> free, used;
  const auto add_to = [&](std::vector<Bytes>& ranges, std::size_t padding) {
    return [&ranges, &bytes, padding](const Json&, const Bytes& range) {
      const std::size_t end = (range.end + padding - 1) / padding * padding;
      ranges.push_back({range.begin, std::min(end, bytes.size())});
    };
  };
  for (const Json& view : removed) visit_bytes(view, buffer, add_to(free, 4));
  visit_each(std::as_const(document.json), "bufferViews",
             [&](const Json& view) { visit_bytes(view, buffer, add_to(used, 1)); });
  join_ranges(free);
  join_ranges(used);
  std::vector<Bytes> gaps = without(free, used);
  std::size_t gone = 0;
  for (Bytes& gap : gaps) {
    gap.end -= (gap.end - gap.begin) % 4;
    gone += gap.end - gap.begin;
  }
  std::erase_if(gaps, [](const Bytes& gap) { return gap.begin == gap.end; });
  if (gaps.empty() || gone == bytes.size()) return;  // no buffer may be empty
  char* to = bytes.data() + gaps.front().begin;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const std::size_t end = i + 1 < gaps.size() ? gaps[i + 1].begin : bytes.size();
    to = std::copy(bytes.data() + gaps[i].end, bytes.data() + end, to);
  }
  bytes.resize(bytes.size() - gone);
  length = bytes.size();
  visit_each(document.json, "bufferViews", [&](Json& view) {
    visit_bytes(view, buffer, [&](Json& object, const Bytes& range) {
      std::size_t begin = range.begin;
      for (const Bytes& gap : gaps) {
        if (gap.begin < range.begin) begin -= std::min(gap.end, range.begin) - gap.begin;
      }
      if (begin != range.begin) object["byteOffset"] = begin;
    });
  });
}

}  // namespace

void remove_replaced(Document& document, const Document& source) {
  if (!extensions_are_understood(document.json)) return;
  take_replaced(document.json, source.json, "accessors", visit_accessors);
  const std::vector<Json> views =
      take_replaced(document.json, source.json, "bufferViews", visit_views);
  if (views.empty()) return;
  for (std::size_t i = 0; i < document.buffers.size(); ++i) {
    if (has_own_bytes(document, i)) remove_bytes(document, i, views);
  }
}

}  // namespace sinew::gltf
