// SPDX-License-Identifier: Apache-2.0
// The vertices and triangles of one glTF mesh primitive, wherever they are stored.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/gltf/accessors.h"
#include "sinew/mesh/mesh.h"

namespace sinew::gltf {

struct DracoMesh;

// Throws InputError from its constructor and all functions.
class Primitive {
 public:
  // Both arguments must outlive the object.
  Primitive(const JsonRef& json, Accessors& accessors);
  ~Primitive();
  Primitive(Primitive&&) noexcept;

  const JsonRef& json() const { return json_; }
  // True for triangles, strips and fans; false for points and lines.
  bool has_triangles() const;
  bool has_positions() const { return accessor("POSITION").has_value(); }
  // As given by the POSITION accessor; every attribute must have the same count.
  std::size_t vertex_count() const;

  // The accessor of an attribute, which describes it even if its data is compressed.
  std::optional<int> accessor(std::string_view attribute) const;
  // "/meshes/0/primitives/0/attributes/NORMAL"
  std::string place(std::string_view attribute) const;

  // `components` numbers for each vertex; throws if the attribute has another number of them.
  Decoded<double> doubles(std::string_view attribute, std::size_t components);
  Decoded<std::uint32_t> integers(std::string_view attribute, std::size_t components);
  // Calls visit(vertex, numbers) with a pointer to the numbers of each vertex in turn.
  template <class Visit>
  void each_vertex(std::string_view attribute, std::size_t components, const Visit& visit) {
    Decoded<double> numbers = doubles(attribute, components);
    each_stretch([&](std::size_t first, std::size_t count) {
      const double* values = numbers.at(first, count, components).data();
      for (std::size_t v = first; v < first + count; ++v, values += components) visit(v, values);
    });
  }
  // Calls visit(first, count) with all vertices in turn, so few at a time that a cache holds them.
  template <class Visit>
  void each_stretch(const Visit& visit) const {
    constexpr std::size_t most = 4096;
    const std::size_t all = vertex_count();
    for (std::size_t v = 0; v < all; v += most) visit(v, std::min(most, all - v));
  }
  // Vertex indices are in [0, vertex_count()). Degenerate triangles of strips are left out.
  std::vector<Triangle> triangles();

  // Two primitives with equal keys have the same vertices.
  std::string vertex_key() const;

 private:
  std::optional<JsonRef> draco_json() const;
  const DracoMesh& draco();
  // The numbers of an attribute that Draco compressed.
  std::optional<std::vector<double>> unpacked(std::string_view attribute, const AccessorInfo& info);
  AccessorInfo checked_info(std::string_view attribute, std::size_t components) const;
  std::vector<std::uint32_t> corner_indices();

  JsonRef json_;
  Accessors* accessors_;
  std::unique_ptr<DracoMesh> draco_;
};

}  // namespace sinew::gltf
