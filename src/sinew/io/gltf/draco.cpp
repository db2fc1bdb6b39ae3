// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/draco.h"

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include "sinew/core/error.h"

#ifdef SINEW_WITH_DRACO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wall"
#include <draco/compression/decode.h>
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>
#pragma GCC diagnostic pop
#endif

namespace sinew::gltf {

#ifdef SINEW_WITH_DRACO

namespace {

// Connectivity and attributes are announced with counts that the decoder believes. Here they are
// compared with the accessors' before anything is allocated for them.
struct Guard {
  DracoSize expected;
  const std::function<void(std::size_t)>* charge = nullptr;
  std::string problem;

  bool check_faces(std::uint32_t faces) {
    if (std::size_t{faces} * 3 == expected.indices) return true;
    problem = fmt::format("holds {} triangles, but the accessor of its indices has {} elements",
                          faces, expected.indices);
    return false;
  }
  bool check_points(std::size_t points) {
    if (points == expected.vertices) return true;
    problem = fmt::format("holds {} vertices, but the accessor of POSITION has {}", points,
                          expected.vertices);
    return false;
  }
  bool check_attributes(const draco::PointCloud& cloud) {
    if (!check_points(cloud.num_points())) return false;
    std::size_t bytes_per_point = 0;
    for (int i = 0; i < cloud.num_attributes(); ++i) {
      const std::size_t components = cloud.attribute(i)->num_components();
      // The value, its index, and what the decoder keeps beside it.
      bytes_per_point += components * 3 * sizeof(std::int64_t) + sizeof(std::uint32_t);
    }
    // Draco is not exception-safe.
    try {
      (*charge)(bytes_per_point * cloud.num_points());
    } catch (const InputError& error) {
      problem = error.problem();
      return false;
    }
    return true;
  }
};

// What both kinds of decoders are given on top. `Base` reads the counts of its connectivity from
// where the buffer stands in DecodeConnectivity.
template <class Base>
class GuardedDecoder : public Base {
 public:
  explicit GuardedDecoder(Guard& guard) : guard_(guard) {}

 protected:
  bool DecodeConnectivity() override {
    draco::DecoderBuffer ahead = *this->buffer();
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    if (this->bitstream_version() < DRACO_BITSTREAM_VERSION(2, 2)) {
      guard_.problem = "is of a version of Draco older than 2.2, which glTF does not allow";
      return false;
    }
    constexpr bool is_edgebreaker = std::is_same_v<Base, draco::MeshEdgebreakerDecoder>;
    if (!draco::DecodeVarint(&first, &ahead) || !draco::DecodeVarint(&second, &ahead)) return false;
    // Edgebreaker: vertices of the base mesh, then faces; attribute seams add points later.
    if (is_edgebreaker && first > guard_.expected.indices) {
      guard_.problem = fmt::format("announces {} vertices for {} triangles", first, second);
      return false;
    }
    if (!guard_.check_faces(is_edgebreaker ? second : first)) return false;
    if (!is_edgebreaker && !guard_.check_points(second)) return false;
    return Base::DecodeConnectivity();
  }

  bool DecodeAllAttributes() override {
    return guard_.check_attributes(*this->point_cloud()) && Base::DecodeAllAttributes();
  }

 private:
  Guard& guard_;
};

}  // namespace

DracoMesh decode_draco(std::string_view bytes, const DracoSize& expected, const JsonRef& extension,
                       const std::function<void(std::size_t)>& charge) {
  draco::DecoderBuffer buffer;
  buffer.Init(bytes.data(), bytes.size());
  draco::DecoderBuffer header_buffer = buffer;
  draco::DracoHeader header;
  if (!draco::PointCloudDecoder::DecodeHeader(&header_buffer, &header).ok() ||
      header.encoder_type != draco::TRIANGULAR_MESH) {
    extension.fail("the compressed data is no mesh compressed by Draco");
  }
  // Faces, corner table and the decoder's own tables, which all grow with the corners.
  charge(expected.indices * 16 * sizeof(std::uint32_t));

  Guard guard{expected, &charge, {}};
  auto mesh = std::make_shared<draco::Mesh>();
  const draco::DecoderOptions options;
  draco::Status status;
  if (header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING) {
    status =
        GuardedDecoder<draco::MeshEdgebreakerDecoder>(guard).Decode(options, &buffer, mesh.get());
  } else if (header.encoder_method == draco::MESH_SEQUENTIAL_ENCODING) {
    status =
        GuardedDecoder<draco::MeshSequentialDecoder>(guard).Decode(options, &buffer, mesh.get());
  } else {
    extension.fail("the compressed data is of a kind that Draco does not know");
  }
  if (!guard.problem.empty()) extension.fail(guard.problem);
  if (!status.ok()) {
    extension.fail(fmt::format("the compressed data is damaged ({})", status.error_msg()));
  }

  DracoMesh decoded_mesh;
  decoded_mesh.indices.reserve(std::size_t{mesh->num_faces()} * 3);
  for (draco::FaceIndex f(0); f < mesh->num_faces(); ++f) {
    for (const draco::PointIndex& corner : mesh->face(f)) {
      decoded_mesh.indices.push_back(corner.value());
    }
  }
  decoded_mesh.mesh = std::move(mesh);
  return decoded_mesh;
}

namespace {

template <class Stored>
void append_values(const draco::PointAttribute& attribute, std::size_t points,
                   const AccessorInfo& info, const JsonRef& id, std::vector<double>& values) {
  const auto components = static_cast<std::int8_t>(info.components());
  std::vector<Stored> stored(info.components());
  for (std::uint32_t p = 0; p < points; ++p) {
    const draco::AttributeValueIndex index = attribute.mapped_index(draco::PointIndex(p));
    if (index.value() >= attribute.size() ||
        !attribute.ConvertValue<Stored>(index, components, stored.data())) {
      id.fail(fmt::format("vertex {} cannot be read from the compressed attribute", p));
    }
    for (const Stored value : stored) {
      values.push_back(decoded(static_cast<double>(value), info.component, info.normalized));
      if (!std::isfinite(values.back())) id.fail(fmt::format("vertex {} is not finite", p));
    }
  }
}

}  // namespace

std::vector<double> draco_values(const DracoMesh& mesh, const JsonRef& id,
                                 const AccessorInfo& info) {
  const auto unique_id =
      static_cast<std::uint32_t>(id.integer(0, std::numeric_limits<std::int32_t>::max()));
  const draco::PointAttribute* attribute = mesh.mesh->GetAttributeByUniqueId(unique_id);
  if (attribute == nullptr) id.fail("names an attribute that the compressed data does not have");
  if (static_cast<std::size_t>(attribute->num_components()) != info.components()) {
    id.fail(fmt::format("has {} components in the compressed data, but {} in its accessor",
                        attribute->num_components(), info.components()));
  }
  std::vector<double> values;
  values.reserve(info.count * info.components());
  const bool holds_floats =
      attribute->data_type() == draco::DT_FLOAT32 || attribute->data_type() == draco::DT_FLOAT64;
  if (info.component == ComponentType::float32 || holds_floats) {
    append_values<float>(*attribute, info.count, info, id, values);
  } else {
    append_values<std::int64_t>(*attribute, info.count, info, id, values);
  }
  return values;
}

#else

DracoMesh decode_draco(std::string_view, const DracoSize&, const JsonRef& extension,
                       const std::function<void(std::size_t)>&) {
  extension.fail(
      "this build cannot read KHR_draco_mesh_compression: configure it with SINEW_WITH_DRACO=ON, "
      "or export the file without it");
}

std::vector<double> draco_values(const DracoMesh&, const JsonRef&, const AccessorInfo&) {
  return {};
}

#endif

}  // namespace sinew::gltf
