// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "sinew/io/gltf/look.h"
#include "sinew/io/gltf/schema.h"
#include "sinew/io/gltf/uri.h"

namespace sinew::gltf {
namespace {

class Checker : private Look {
 public:
  explicit Checker(const Document& document) : Look(document.json), document_(document) {}

  std::vector<std::string> run() {
    const Say note = [this](const std::string& place, const std::string& problem) {
      say(place, problem);
    };
    check_schema(json_, note);
    if (document_.has_byte_order_mark)
      say("/", "begins with a byte order mark, which glTF forbids");
    check_extensions();
    check_buffers();
    check_tree();
    for_each(json_, "", "nodes",
             [&](const Json& node, const std::string& at) { check_node(node, at); });
    for_each(json_, "", "skins",
             [&](const Json& skin, const std::string& at) { check_skin(skin, at); });
    check_meshes(json_, note);
    for_each(json_, "", "animations",
             [&](const Json& animation, const std::string& at) { check_animation(animation, at); });
    for_each(json_, "", "cameras",
             [&](const Json& camera, const std::string& at) { check_camera(camera, at); });
    for_each(json_, "", "images",
             [&](const Json& image, const std::string& at) { check_image(image, at); });
    for_each(json_, "", "bufferViews",
             [&](const Json& view, const std::string& at) { check_view(view, at); });
    for_each(json_, "", "accessors",
             [&](const Json& accessor, const std::string& at) { check_accessor(accessor, at); });
    return std::move(problems_);
  }

 private:
  void say(const std::string& place, const std::string& problem) {
    if (problems_.size() < most_listed_problems) problems_.push_back(place + " " + problem);
  }

  // What holds for the lists of extensions.
  void check_extensions() {
    for_each(json_, "", "extensionsRequired", [&](const Json& name, const std::string& at) {
      if (name.is_string() && !used_.contains(name.get<std::string>())) {
        say(at, "is not listed in extensionsUsed");
      }
    });
    std::set<std::string> required;
    for_each(json_, "", "extensionsRequired", [&](const Json& name, const std::string&) {
      if (name.is_string()) required.insert(name.get<std::string>());
    });
    for_each(json_, "", "extensionsUsed", [&](const Json& name, const std::string& at) {
      if (name == "KHR_mesh_quantization" && !required.contains("KHR_mesh_quantization")) {
        say(at, "must be in extensionsRequired, too");
      }
    });
    const Json* extensions = member(json_, "extensions");
    const Json* lights = extensions ? member(*extensions, "KHR_lights_punctual") : nullptr;
    if (lights == nullptr) return;
    for_each(*lights, "/extensions/KHR_lights_punctual", "lights",
             [&](const Json& light, const std::string& at) { check_light(light, at); });
  }

  void check_light(const Json& light, const std::string& at) {
    if (text_of(light, "type") != "spot") return;
    const Json* spot = member(light, "spot");
    if (spot == nullptr) {
      say(at, "has no spot");
    } else if (number_of(*spot, "outerConeAngle", 0.785) <= number_of(*spot, "innerConeAngle", 0)) {
      say(at + "/spot/outerConeAngle", "must be more than innerConeAngle");
    }
  }

  void check_buffers() {
    for (std::size_t i = 0; i < document_.buffers.size(); ++i) {
      const Json& buffer = json_["buffers"][i];
      const Json* uri = member(buffer, "uri");
      const std::string at = fmt::format("/buffers/{}", i);
      if (document_.buffers[i].empty() && uri != nullptr) {
        say(at + "/uri", "cannot be read, and nothing uses it");
      } else if (document_.buffers[i].empty() && i == 0 && document_.is_glb) {
        say(at, "has no uri, and there is no binary chunk for it");
      } else if (!document_.buffers[i].empty() && uri == nullptr && (i > 0 || !document_.is_glb)) {
        say(at, "has no uri: its bytes are taken as 0");
      }
      const std::string text = text_of(buffer, "uri");
      const std::string type = text.substr(0, std::min(text.find_first_of(";,"), text.size()));
      if (text.starts_with("data:") && type != "data:application/octet-stream" &&
          type != "data:application/gltf-buffer") {
        say(at + "/uri", "must say application/octet-stream or application/gltf-buffer");
      }
      if (text.starts_with("data:") && has_empty_parameter(text)) {
        say(at + "/uri", "has an empty parameter between semicolons");
      }
    }
  }

  // Who is whose parent, and what scenes have.
  void check_tree() {
    const std::size_t count = size_of(member(json_, "nodes"));
    std::vector<std::vector<std::size_t>> children(count);
    is_child_.assign(count, false);
    for (std::size_t i = 0; i < count; ++i) {
      for_each(json_["nodes"][i], "", "children", [&](const Json& child, const std::string&) {
        const auto index = index_below(count, &child);
        if (!index || is_child_[*index]) return;
        is_child_[*index] = true;
        children[i].push_back(*index);
      });
    }
    root_.assign(count, no_root);
    first_.assign(count, 0);
    last_.assign(count, 0);
    std::size_t time = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_child_[i]) visit(i, children, time);
    }
    for_each(json_, "", "scenes", [&](const Json& scene, const std::string& at) {
      std::set<std::size_t>& roots = scene_roots_.emplace_back();
      for_each(scene, at, "nodes", [&](const Json& node, const std::string& where) {
        const auto index = index_below(count, &node);
        if (!index) return;
        roots.insert(*index);
        if (is_child_[*index]) say(where, "is no root: another node has it among its children");
      });
    });
  }

  // Numbers all nodes below one, so that it is told from the numbers who is below whom.
  void visit(std::size_t root, const std::vector<std::vector<std::size_t>>& children,
             std::size_t& time) {
    std::vector<std::pair<std::size_t, std::size_t>> open{{root, 0}};  // node, next child
    while (!open.empty()) {
      auto& [node, next] = open.back();
      if (next == 0) {
        root_[node] = root;
        first_[node] = time++;
      }
      if (next == children[node].size()) {
        last_[node] = time;
        open.pop_back();
      } else {
        const std::size_t child = children[node][next++];
        open.emplace_back(child, 0);
      }
    }
  }

  void check_node(const Json& node, const std::string& at) {
    if (member(node, "matrix") != nullptr) {
      for (const char* other : {"translation", "rotation", "scale"}) {
        if (member(node, other) != nullptr)
          say(at, "has both a matrix and a " + std::string(other));
      }
    }
    const Json* rotation = member(node, "rotation");
    if (size_of(rotation) == 4) {
      double square = 0;
      for (const Json& x : *rotation)
        square += x.is_number() ? x.get<double>() * x.get<double>() : 1;
      if (!(std::abs(std::sqrt(square) - 1) < 5e-3)) say(at + "/rotation", "must have length 1");
    }
    const Json* extensions = member(node, "extensions");
    const Json* roots = member(json_, "extensions");
    if (extensions && member(*extensions, "KHR_lights_punctual") &&
        (roots == nullptr || !member(*roots, "KHR_lights_punctual"))) {
      say(at + "/extensions/KHR_lights_punctual", "names a light, but the file has none");
    }
    const Json* skin = refer(node, "skin", "skins");
    if (skin != nullptr) check_scenes_of(&node - &json_["nodes"][0], *skin, at);
  }

  // A scene with a skinned mesh has its joints, too.
  void check_scenes_of(std::size_t node, const Json& skin, const std::string& at) {
    const Json* joints = member(skin, "joints");
    if (size_of(joints) == 0) return;
    const auto joint = index_below(root_.size(), &(*joints)[0]);
    if (!joint) return;
    for (const std::set<std::size_t>& roots : scene_roots_) {
      if (roots.contains(root_[node]) && !roots.contains(root_[*joint])) {
        say(at, "is in a scene without the joints of its skin");
      }
    }
  }

  void check_skin(const Json& skin, const std::string& at) {
    std::set<std::size_t> roots;
    const auto skeleton = index_below(root_.size(), member(skin, "skeleton"));
    const bool has_top = skeleton.has_value();
    bool all_below = true;
    for_each(skin, at, "joints", [&](const Json& joint, const std::string&) {
      const auto index = index_below(root_.size(), &joint);
      if (!index) return;
      roots.insert(root_[*index]);
      all_below &=
          has_top && first_[*index] >= first_[*skeleton] && first_[*index] < last_[*skeleton];
    });
    if (roots.size() > 1) {
      say(at + "/joints", "have no common root");
    } else if (has_top && !all_below) {
      say(at + "/skeleton", "is not above all joints");
    }
  }

  void check_animation(const Json& animation, const std::string& at) {
    for_each(animation, at, "samplers", [&](const Json& sampler, const std::string& where) {
      const Json* input = refer(sampler, "input", "accessors");
      if (input != nullptr && (!member(*input, "min") || !member(*input, "max"))) {
        say(where + "/input", "has no bounds: min and max are missing");
      }
    });
    const std::size_t count = size_of(member(animation, "samplers"));
    for_each(animation, at, "channels", [&](const Json& channel, const std::string& where) {
      const auto sampler = count_of(channel, "sampler");
      if (sampler && *sampler >= count)
        say(where + "/sampler", "refers to one that does not exist");
      const Json* target = member(channel, "target");
      if (target == nullptr) return;
      const std::string path = text_of(*target, "path");
      const Json* node = refer(*target, "node", "nodes");
      if (node != nullptr && member(*node, "matrix") && path != "weights") {
        say(where + "/target/node", "moves a node that has a matrix");
      }
      const Json* extensions = member(*target, "extensions");
      if (extensions && member(*extensions, "KHR_animation_pointer") && path != "pointer") {
        say(where + "/target/path", "must be pointer, for KHR_animation_pointer");
      }
    });
  }

  void check_camera(const Json& camera, const std::string& at) {
    const bool is_flat = member(camera, "orthographic") != nullptr;
    if (is_flat == (member(camera, "perspective") != nullptr)) {
      say(at, "must have a perspective or an orthographic, and not both");
    }
    for (const char* kind : {"orthographic", "perspective"}) {
      const Json* lens = member(camera, kind);
      if (lens == nullptr) continue;
      const std::string where = fmt::format("{}/{}", at, kind);
      constexpr double far = std::numeric_limits<double>::infinity();
      if (number_of(*lens, "zfar", far) <= number_of(*lens, "znear", 0)) {
        say(where, "has a zfar that is not more than its znear");
      }
      for (const char* side : {"xmag", "ymag"}) {
        if (is_flat && number_of(*lens, side, 1) == 0)
          say(fmt::format("{}/{}", where, side), "is 0");
      }
    }
  }

  void check_image(const Json& image, const std::string& at) {
    const bool has_view = member(image, "bufferView") != nullptr;
    if (!has_view && !member(image, "uri")) say(at, "has no uri and no bufferView");
    if (has_view && member(image, "uri")) say(at, "has both a uri and a bufferView");
    const Json* view = refer(image, "bufferView", "bufferViews");
    if (view != nullptr && member(*view, "byteStride")) {
      say(at + "/bufferView", "must be one without byteStride");
    }
  }

  void check_view(const Json& view, const std::string& at) {
    const auto stride = count_of(view, "byteStride"), bytes = count_of(view, "byteLength");
    if (stride && *stride % 4 != 0) say(at + "/byteStride", "must be a multiple of 4");
    if (stride && bytes && *stride > *bytes) say(at + "/byteStride", "is more than byteLength");
    if (stride && count_of(view, "target") == 34963) {
      say(at + "/byteStride", "is for vertices, but the view is for indices");
    }
    const Json* buffer = refer(view, "buffer", "buffers");
    if (buffer == nullptr) return;
    const auto has = count_of(*buffer, "byteLength"), length = count_of(view, "byteLength");
    const std::uint64_t offset = count_of(view, "byteOffset").value_or(0);
    if (has && length && (offset > *has || *length > *has - offset)) {
      say(at, fmt::format("reaches over {} bytes from byte {}, but its buffer has {}", *length,
                          offset, *has));
    }
  }

  void check_accessor(const Json& accessor, const std::string& at) {
    const auto width = width_of(accessor), size = component_size_of(accessor);
    const auto element = element_size(accessor);
    if (!element) return;
    for (const char* bound : {"min", "max"}) {
      const Json* values = member(accessor, bound);
      if (values != nullptr && values->is_array() && values->size() != *width) {
        say(fmt::format("{}/{}", at, bound), fmt::format("must have {} numbers", *width));
      }
    }
    const auto count = count_of(accessor, "count");
    const Format format = format_of(accessor);
    if (format.normalized && *size == 4) {
      say(at + "/normalized", "is only for integers of 8 and 16 bits");
    }
    if (const Json* sparse = member(accessor, "sparse")) {
      if (count && count_of(*sparse, "count").value_or(0) > *count) {
        say(at + "/sparse/count", fmt::format("is more than the {} of the accessor", *count));
      }
      for (const char* part : {"indices", "values"}) {
        const Json* data = member(*sparse, part);
        const Json* view = data ? refer(*data, "bufferView", "bufferViews") : nullptr;
        if (view != nullptr && member(*view, "byteStride")) {
          say(fmt::format("{}/sparse/{}/bufferView", at, part), "must be one without byteStride");
        }
      }
    }
    const Json* view = refer(accessor, "bufferView", "bufferViews");
    if (view == nullptr) return;
    const std::uint64_t offset = count_of(accessor, "byteOffset").value_or(0);
    const std::uint64_t start = offset + count_of(*view, "byteOffset").value_or(0);
    const bool is_matrix = format.type.starts_with("MAT");
    if (start % (is_matrix ? 4 : *size) != 0) {
      say(at, "does not start at a multiple of its component's size");
    }
    const std::uint64_t stride = count_of(*view, "byteStride").value_or(*element);
    if (stride < *element) {
      say(at, fmt::format("has elements of {} bytes every {} bytes", *element, stride));
      return;
    }
    const auto length = count_of(*view, "byteLength");
    if (!count || !length || *count == 0 || member(*view, "extensions")) return;
    const bool fits = offset <= *length && *element <= *length - offset &&
                      *count - 1 <= (*length - offset - *element) / stride;
    if (!fits) say(at, fmt::format("reaches beyond the {} bytes of its buffer view", *length));
  }

  const Document& document_;
  static constexpr std::size_t no_root = std::numeric_limits<std::size_t>::max();
  // Of each node: whether it is the child of another, the node at the top of its tree, and the
  // numbers of those below it.
  std::vector<bool> is_child_;
  std::vector<std::size_t> root_, first_, last_;
  std::vector<std::set<std::size_t>> scene_roots_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> problems_in(const Document& document) { return Checker(document).run(); }

}  // namespace sinew::gltf
