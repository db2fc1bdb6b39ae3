// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/outline.h"

#include <bit>
#include <span>

#include "sinew/core/internal/bits.h"
#include "sinew/core/parallel.h"
#include "sinew/io/gltf/append.h"

namespace sinew::gltf {
namespace {

std::uint64_t bits_of(double value) {
  return bits_as<std::uint64_t>(value + 0.0);  // -0 and 0 are the same
}

// Takes one number of 64 bits after another. Each goes into one of four states in turn, so that a
// processor can work on four at a time; no step loses anything of a state.
class Printer {
 public:
  void add(std::uint64_t value) {
    std::uint64_t& state = states_[count_++ % states_.size()];
    state = std::rotl((state ^ value) * 0x9e3779b97f4a7c15u, 29);
  }

  template <std::size_t size>
  void add(const std::array<double, size>& values) {
    for (const double value : values) add(bits_of(value));
  }
  void add(const Vec2& v) { add(std::array{v.x, v.y}); }
  void add(const Vec3& v) { add(std::array{v.x, v.y, v.z}); }
  void add(const Vec4& v) { add(std::array{v.x, v.y, v.z, v.w}); }
  void add(const Triangle& t) {
    add(std::uint64_t{t[0]} << 32U | t[1]);
    add(std::uint64_t{t[2]});
  }
  void add(Index index) { add(std::uint64_t{index}); }

  template <class T>
  void add_all(std::span<const T> values) {
    add(std::uint64_t{values.size()});
    for (const T& value : values) add(value);
  }

  // As the floats of a file.
  void add_floats(std::span<const double> values) {
    add(std::uint64_t{values.size()});
    for (const double value : values) {
      add(std::uint64_t{bits_as<std::uint32_t>(to_float(value) + 0.0f)});
    }
  }

  Fingerprint print() const {
    Fingerprint result{count_, ~count_};
    for (const std::uint64_t state : states_) {
      for (std::uint64_t& half : result) {
        half = std::rotl((half ^ state) * 0xd6e8feb86659fd93u, 31);
        half ^= half >> 32U;
      }
    }
    return result;
  }

 private:
  std::array<std::uint64_t, 4> states_ = {0x243f6a8885a308d3u, 0x13198a2e03707344u,
                                          0xa4093822299f31d0u, 0x082efa98ec4e6c89u};
  std::uint64_t count_ = 0;
};

// Of the items of a range, `width` for each; all of them or none are there.
template <class T>
Fingerprint print_of(const std::vector<T>& values, std::size_t first, std::size_t count,
                     std::size_t width = 1) {
  Printer printer;
  if (!values.empty()) printer.add_all(std::span(values).subspan(first * width, count * width));
  return printer.print();
}

Fingerprint floats_of(const std::vector<double>& values, std::size_t first, std::size_t count) {
  Printer printer;
  if (!values.empty()) printer.add_floats(std::span(values).subspan(first, count));
  return printer.print();
}

Fingerprint print_of_rows(const Weights& weights, std::size_t first, std::size_t count) {
  Printer printer;
  for (std::size_t v = first; v < first + count; ++v) {
    const std::span<const Influence> row = weights.row(v);
    printer.add(std::uint64_t{row.size()});
    for (const Influence& influence : row) {
      printer.add(static_cast<std::uint64_t>(influence.bone));
      printer.add(bits_of(influence.weight));
    }
  }
  return printer.print();
}

PartPrints print_of(const Rig& rig, const Layout::PartSource& source, const Part& part) {
  const Mesh& mesh = rig.mesh;
  const std::size_t first = source.first_vertex, count = source.vertex_count;
  PartPrints prints;
  prints.positions = print_of(mesh.positions, first, count);
  prints.normals = print_of(mesh.normals.values, first, count);
  prints.tangents = print_of(mesh.tangents, first, count);
  prints.uvs = print_of(mesh.uvs.values, first, count);
  prints.colors = print_of(mesh.colors, first, count);
  prints.triangles = print_of(mesh.triangles, part.first_triangle, part.triangle_count);
  const Skin& skin = rig.skin;
  if (skin.weights.vertex_count() > 0) {
    prints.weights = print_of_rows(skin.weights, first, count);
    const std::size_t begin = skin.weights.offsets[first],
                      end = skin.weights.offsets[first + count];
    prints.endpoints = floats_of(skin.endpoints, begin, end - begin);
    prints.twist_endpoints = floats_of(skin.twist_endpoints, begin, end - begin);
  }
  prints.blend_shares = floats_of(skin.blend_shares, first, count);
  const std::size_t curves = rig.offset_curves.curves.size();
  prints.curve_weights =
      floats_of(rig.offset_curves.painted_weights, first * curves, count * curves);
  return prints;
}

Fingerprint print_of(const BlendShape& shape) {
  Printer printer;
  printer.add_all(std::span(shape.vertices));
  printer.add_all(std::span(shape.positions));
  printer.add_all(std::span(shape.normals));
  printer.add_all(std::span(shape.tangents));
  return printer.print();
}

}  // namespace

Prints prints_of(const Rig& rig, const Layout& layout) {
  Prints prints{rig.mesh.vertex_count(), rig.skin.weights.vertex_count()};
  prints.parts.resize(layout.parts.size());
  prints.shapes.resize(rig.mesh.shapes.size());
  parallel_for(prints.parts.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      prints.parts[p] = print_of(rig, layout.parts[p], rig.mesh.parts[p]);
    }
  });
  parallel_for(prints.shapes.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) prints.shapes[s] = print_of(rig.mesh.shapes[s]);
  });
  return prints;
}

Outline outline_of(const Rig& rig, const Layout& layout) {
  Outline outline;
  outline.prints = prints_of(rig, layout);
  Rig& kept = outline.rig;
  kept.name = rig.name;
  kept.mesh.parts = rig.mesh.parts;
  for (const BlendShape& shape : rig.mesh.shapes) {
    kept.mesh.shapes.emplace_back().name = shape.name;
    kept.mesh.shapes.back().default_weight = shape.default_weight;
  }
  kept.skeleton = rig.skeleton;
  kept.skin.filters = rig.skin.filters;
  kept.skin.muscles = rig.skin.muscles;
  kept.clips = rig.clips;
  kept.controls = rig.controls;
  kept.drivers = rig.drivers;
  kept.shape_drivers = rig.shape_drivers;
  kept.pose_spaces = rig.pose_spaces;
  kept.offset_curves.roundness = rig.offset_curves.roundness;
  kept.offset_curves.placement = rig.offset_curves.placement;
  kept.offset_curves.curves = rig.offset_curves.curves;
  kept.limits = rig.limits;
  return outline;
}

}  // namespace sinew::gltf
