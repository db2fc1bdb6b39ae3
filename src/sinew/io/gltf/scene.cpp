// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/scene.h"

#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::gltf {
namespace {

constexpr double shear_allowed = 1e-3;

Transform read_local(const JsonRef& node) {
  if (const auto matrix = node.find("matrix")) {
    const std::vector<double> m = matrix->numbers(16);
    double shear = 0;
    const Transform local = to_transform(affine_from(m.data(), matrix->place()), &shear);
    if (shear > shear_allowed) {
      matrix->fail(
          "is sheared, which joints cannot be: apply the node's transform before exporting");
    }
    return local;
  }
  Transform local;
  if (const auto translation = node.find("translation")) local.translation = translation->vec3();
  if (const auto scale = node.find("scale")) local.scale = scale->vec3();
  if (const auto rotation = node.find("rotation")) {
    const std::vector<double> q = rotation->numbers(4);
    local.rotation = {q[0], q[1], q[2], q[3]};
    const double size = dot(local.rotation, local.rotation);
    if (!(size > 0) || !std::isfinite(size)) rotation->fail("must be a unit quaternion");
    local.rotation = normalized(local.rotation);
  }
  return local;
}

void read_children(const JsonRef& node, int index, std::vector<int>& parent) {
  const auto children = node.find("children");
  if (!children) return;
  for (std::size_t i = 0; i < children->size(); ++i) {
    const JsonRef ref = children->at(i);
    int& other = parent[ref.index(parent.size(), "nodes")];
    if (other != -1) {
      ref.fail(fmt::format("node {} is a child of node {} already; a node has one parent",
                           ref.value().dump(), other));
    }
    other = index;
  }
}

bool is_finite(const Affine& map) {
  return sinew::is_finite(map.linear.x) && sinew::is_finite(map.linear.y) &&
         sinew::is_finite(map.linear.z) && sinew::is_finite(map.translation);
}

// Fills `global` from the roots down; nodes that no root leads to form cycles.
void read_globals(Scene& scene) {
  const std::size_t count = scene.parent.size();
  std::vector<std::vector<int>> children(count);
  std::vector<int> pending;
  for (std::size_t i = 0; i < count; ++i) {
    const int parent = scene.parent[i];
    if (parent < 0) {
      pending.push_back(static_cast<int>(i));
    } else {
      children[parent].push_back(static_cast<int>(i));
    }
  }
  scene.global.resize(count);
  std::vector<bool> reached(count, false);
  while (!pending.empty()) {
    const std::size_t i = pending.back();
    pending.pop_back();
    reached[i] = true;
    scene.global[i] = to_affine(scene.local[i]);
    if (scene.parent[i] >= 0) {
      scene.global[i] = scene.global[scene.parent[i]] * scene.global[i];
    }
    if (!is_finite(scene.global[i])) {
      throw InputError(fmt::format("/nodes/{}", i), "its world transform is not finite");
    }
    pending.insert(pending.end(), children[i].begin(), children[i].end());
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!reached[i]) {
      throw InputError(fmt::format("/nodes/{}", i), "is its own ancestor: the nodes must be trees");
    }
  }
}

}  // namespace

Scene read_scene(const Document& document) {
  const std::size_t count = list_size(document, "nodes");
  Scene scene;
  scene.parent.assign(count, -1);
  scene.local.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const JsonRef node = list_item(document, "nodes", static_cast<int>(i));
    scene.local[i] = read_local(node);
    read_children(node, static_cast<int>(i), scene.parent);
  }
  read_globals(scene);
  return scene;
}

Affine affine_from(const double* columns, const std::string& place) {
  constexpr double rounding = 1e-3;
  const Vec3 last_row{columns[3], columns[7], columns[11]};
  if (length(last_row) > rounding || std::fabs(columns[15] - 1) > rounding) {
    throw InputError(place, "must be an affine map: its last row must be 0 0 0 1");
  }
  const auto column = [&](int i) {
    return Vec3{columns[4 * i], columns[4 * i + 1], columns[4 * i + 2]};
  };
  return {{column(0), column(1), column(2)}, column(3)};
}

bool is_singular(const Affine& map) {
  const Mat3 unit{normalized(map.linear.x, {}), normalized(map.linear.y, {}),
                  normalized(map.linear.z, {})};
  return std::fabs(determinant(unit)) < 1e-9 || !is_finite(inverse(map));
}

std::size_t list_size(const Document& document, std::string_view list) {
  const auto found = JsonRef(document.json).find(list);
  return found ? found->size() : 0;
}

JsonRef list_item(const Document& document, std::string_view list, int index) {
  return JsonRef(document.json).at(list).at(static_cast<std::size_t>(index));
}

std::string name_of(const JsonRef& object) {
  const auto name = object.find("name");
  return name ? name->string() : std::string();
}

}  // namespace sinew::gltf
