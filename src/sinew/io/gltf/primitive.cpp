// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/primitive.h"

#include <numeric>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/draco.h"

namespace sinew::gltf {
namespace {

constexpr int triangles_mode = 4;
constexpr int strip_mode = 5;

int mode_of(const JsonRef& json) {
  const auto mode = json.find("mode");
  return mode ? static_cast<int>(mode->integer(0, 6)) : triangles_mode;
}

}  // namespace

Primitive::Primitive(const JsonRef& json, Accessors& accessors)
    : json_(json), accessors_(&accessors) {}
Primitive::~Primitive() = default;
Primitive::Primitive(Primitive&&) noexcept = default;

bool Primitive::has_triangles() const { return mode_of(json_) >= triangles_mode; }

std::size_t Primitive::vertex_count() const {
  return accessors_->info(accessor("POSITION").value()).count;
}

std::optional<int> Primitive::accessor(std::string_view attribute) const {
  const auto ref = json_.at("attributes").find(attribute);
  if (!ref) return std::nullopt;
  return ref->index(accessors_->size(), "accessors");
}

std::string Primitive::place(std::string_view attribute) const {
  return json_.at("attributes").at(attribute).place();
}

AccessorInfo Primitive::checked_info(std::string_view attribute, std::size_t components) const {
  const int index = accessor(attribute).value();
  const AccessorInfo info = accessors_->info(index);
  if (info.columns != 1 || info.components() != components) {
    throw InputError(place(attribute),
                     fmt::format("accessor {} must have {} components, but has {}", index,
                                 components, info.components()));
  }
  if (info.count != vertex_count()) {
    throw InputError(place(attribute), fmt::format("accessor {} has {} elements, but POSITION {}",
                                                   index, info.count, vertex_count()));
  }
  return info;
}

std::optional<std::vector<double>> Primitive::unpacked(std::string_view attribute,
                                                       const AccessorInfo& info) {
  const auto compressed = draco_json();
  if (!compressed || !compressed->at("attributes").find(attribute)) return std::nullopt;
  accessors_->charge(info.count * info.components() * sizeof(double), place(attribute));
  return draco_values(draco(), compressed->at("attributes").at(attribute), info);
}

Decoded<double> Primitive::doubles(std::string_view attribute, std::size_t components) {
  auto values = unpacked(attribute, checked_info(attribute, components));
  return values ? Decoded<double>(*std::move(values))
                : accessors_->some_doubles(*accessor(attribute));
}

Decoded<std::uint32_t> Primitive::integers(std::string_view attribute, std::size_t components) {
  const auto values = unpacked(attribute, checked_info(attribute, components));
  if (!values) return accessors_->some_integers(*accessor(attribute));
  std::vector<std::uint32_t> whole;
  whole.reserve(values->size());
  for (const double value : *values) {
    if (value < 0 || value > 65535)
      throw InputError(place(attribute), "has a joint that no skin can have");
    whole.push_back(static_cast<std::uint32_t>(value));
  }
  return Decoded<std::uint32_t>(std::move(whole));
}

std::vector<std::uint32_t> Primitive::corner_indices() {
  const auto ref = json_.find("indices");
  if (draco_json()) {
    const std::vector<std::uint32_t>& indices = draco().indices;
    accessors_->charge(indices.size() * sizeof(std::uint32_t), json_.place());
    return indices;
  }
  if (ref) {
    const int index = ref->index(accessors_->size(), "accessors");
    if (accessors_->info(index).components() != 1) ref->fail("names an accessor that is no SCALAR");
    return accessors_->integers(index);
  }
  accessors_->charge(vertex_count() * sizeof(std::uint32_t), json_.place());
  std::vector<std::uint32_t> all(vertex_count());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

std::vector<Triangle> Primitive::triangles() {
  const std::vector<std::uint32_t> corners = corner_indices();
  const std::size_t count = vertex_count();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (corners[i] >= count) {
      throw InputError(
          json_.place() + "/indices",
          fmt::format("index {} is {}, but there are {} vertices", i, corners[i], count));
    }
  }
  // Draco stores plain triangles, whatever the primitive's mode.
  const int mode = draco_json() ? triangles_mode : mode_of(json_);
  std::vector<Triangle> triangles;
  if (mode == triangles_mode) {
    if (corners.size() % 3 != 0) {
      json_.fail(fmt::format("has {} corners, which is no multiple of 3", corners.size()));
    }
    accessors_->charge(corners.size() * sizeof(Index), json_.place());
    triangles.reserve(corners.size() / 3);
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
      triangles.push_back({corners[i], corners[i + 1], corners[i + 2]});
    }
    return triangles;
  }
  accessors_->charge(corners.size() * sizeof(Triangle), json_.place());
  for (std::size_t i = 0; i + 2 < corners.size(); ++i) {
    Triangle t = {corners[i + 1], corners[i + 2], corners[0]};
    if (mode == strip_mode) {
      // Every other triangle of a strip turns the other way round.
      t = {corners[i], corners[i + 1 + i % 2], corners[i + 2 - i % 2]};
      if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    }
    triangles.push_back(t);
  }
  return triangles;
}

std::string Primitive::vertex_key() const {
  nlohmann::json key = nlohmann::json::array({json_.at("attributes").value()});
  const auto targets = json_.find("targets");
  key.push_back(targets ? targets->value() : nlohmann::json());
  const auto compressed = draco_json();
  key.push_back(compressed ? compressed->value() : nlohmann::json());
  return key.dump();
}

std::optional<JsonRef> Primitive::draco_json() const {
  const auto extensions = json_.find("extensions");
  return extensions ? extensions->find("KHR_draco_mesh_compression") : std::nullopt;
}

const DracoMesh& Primitive::draco() {
  if (!draco_) {
    const JsonRef compressed = *draco_json();
    const Accessors::View view = accessors_->view(
        compressed.at("bufferView").index(accessors_->view_count(), "bufferViews"));
    const int indices = json_.at("indices").index(accessors_->size(), "accessors");
    const DracoSize expected{vertex_count(), accessors_->info(indices).count};
    draco_ = std::make_unique<DracoMesh>(
        decode_draco(view.bytes, expected, compressed,
                     [&](std::size_t bytes) { accessors_->charge(bytes, compressed.place()); }));
  }
  return *draco_;
}

}  // namespace sinew::gltf
