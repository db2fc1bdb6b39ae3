// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/pack_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/io/gltf/append.h"

namespace sinew::gltf {
namespace {

using WeightFormat = GltfOptions::WeightFormat;

struct SkinSlot {
  int slot = 0;
  double weight = 0;
  double endpoint = 0, twist_endpoint = 0;
  std::uint16_t integer = 0;
};

void gather(const Rig& rig, Index vertex, std::span<const int> slot_of_bone,
            std::vector<SkinSlot>& row) {
  row.clear();
  const std::size_t first = rig.skin.weights.offsets[vertex],
                    last = rig.skin.weights.offsets[vertex + 1];
  for (std::size_t i = first; i < last; ++i) {
    const Influence& influence = rig.skin.weights.influences[i];
    if (!(influence.weight > 0)) continue;
    const int slot = slot_of_bone[influence.bone];
    const double endpoint = rig.skin.endpoints.empty() ? 0 : rig.skin.endpoints[i];
    const double twist_endpoint =
        rig.skin.twist_endpoints.empty() ? 0 : rig.skin.twist_endpoints[i];
    const auto same =
        std::find_if(row.begin(), row.end(), [&](const SkinSlot& p) { return p.slot == slot; });
    if (same == row.end()) {
      row.push_back({slot, influence.weight, endpoint, twist_endpoint});
      continue;
    }
    const double sum = same->weight + influence.weight;
    const double share = influence.weight / sum;
    same->endpoint += (endpoint - same->endpoint) * share;
    same->twist_endpoint += (twist_endpoint - same->twist_endpoint) * share;
    same->weight = sum;
  }
}

void scale_to_one(std::vector<SkinSlot>& row) {
  double sum = 0;
  for (const SkinSlot& p : row) sum += p.weight;
  for (SkinSlot& p : row) p.weight /= sum;
}

// The Khronos validator's rule: added up in single precision, off 1 by at most 2e-7 for each.
bool sums_to_one(const std::vector<SkinSlot>& row) {
  float sum = 0;
  for (const SkinSlot& p : row) sum += static_cast<float>(p.weight);
  return std::fabs(static_cast<double>(sum) - 1.0) <= 2e-7 * static_cast<double>(row.size());
}

void round_to_integers(std::vector<SkinSlot>& row, int total) {
  scale_to_one(row);
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> remainder(row.size());
  int left = total;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double exact = row[i].weight * total;
    row[i].integer = static_cast<std::uint16_t>(std::min<double>(std::floor(exact), left));
    remainder[i] = exact - row[i].integer;
    left -= row[i].integer;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainder[a] > remainder[b]; });
  for (std::size_t i = 0; left > 0; i = (i + 1) % order.size(), --left) ++row[order[i]].integer;
  std::erase_if(row, [](const SkinSlot& p) { return p.integer == 0; });
}

void round_to_floats(std::vector<SkinSlot>& row) {
  if (!sums_to_one(row)) scale_to_one(row);
  std::erase_if(row, [](const SkinSlot& p) { return !(static_cast<float>(p.weight) > 0); });
}

// JOINTS_n has 16 bits.
constexpr int most_slots = 65536;

int total_of(WeightFormat format) { return format == WeightFormat::unorm8 ? 255 : 65535; }

// The places of one set of four, for all vertices.
template <class T, class From>
std::vector<T> set_of(const PackedWeights& packed, const std::vector<From>& values,
                      std::size_t set) {
  std::vector<T> result(packed.vertex_count * 4);
  for (std::size_t v = 0; v < packed.vertex_count; ++v) {
    const std::size_t first = (v * packed.sets + set) * 4;
    for (std::size_t i = 0; i < 4; ++i) result[v * 4 + i] = static_cast<T>(values[first + i]);
  }
  return result;
}

}  // namespace

PackedWeights pack_weights(const Rig& rig, std::span<const Index> rows,
                           std::span<const int> slot_of_bone, WeightFormat format) {
  const auto each_row = [&](std::size_t begin, std::size_t end, const auto& use) {
    std::vector<SkinSlot> row;
    for (std::size_t v = begin; v < end; ++v) {
      gather(rig, rows[v], slot_of_bone, row);
      if (row.empty()) row.push_back({0, 1.0});
      if (format == WeightFormat::float32) {
        round_to_floats(row);
      } else {
        round_to_integers(row, total_of(format));
      }
      use(v, row);
    }
  };
  // First how long rows get, then the rows: kept in between, they would take several times the
  // memory of the result.
  constexpr std::size_t block_size = 4096;
  struct Block {
    std::size_t widest = 1;
    std::optional<InputError> error;
  };
  std::vector<Block> blocks((rows.size() + block_size - 1) / block_size);
  parallel_for(rows.size(), block_size, [&](std::size_t begin, std::size_t end) {
    Block& block = blocks[begin / block_size];
    each_row(begin, end, [&](std::size_t v, const std::vector<SkinSlot>& row) {
      block.widest = std::max(block.widest, row.size());
      for (const SkinSlot& p : row) {
        if (p.slot < most_slots || block.error) continue;
        block.error.emplace(fmt::format("vertex {}", rows[v]),
                            fmt::format("is moved by joint {} of its skin, and glTF can name {}",
                                        p.slot, most_slots));
      }
    });
  });
  std::size_t widest = 1;
  for (const Block& block : blocks) {
    if (block.error) throw *block.error;
    widest = std::max(widest, block.widest);
  }

  PackedWeights packed;
  packed.vertex_count = rows.size();
  packed.sets = (widest + 3) / 4;
  const std::size_t size = packed.vertex_count * packed.sets * 4;
  packed.joints.resize(size);
  if (format == WeightFormat::float32) {
    packed.weights.resize(size);
  } else {
    packed.integers.resize(size);
  }
  if (!rig.skin.endpoints.empty()) packed.endpoints.resize(size);
  if (!rig.skin.twist_endpoints.empty()) packed.twist_endpoints.resize(size);
  parallel_for(rows.size(), block_size, [&](std::size_t begin, std::size_t end) {
    each_row(begin, end, [&](std::size_t v, const std::vector<SkinSlot>& row) {
      std::size_t i = v * packed.sets * 4;
      for (const SkinSlot& p : row) {
        packed.joints[i] = static_cast<std::uint16_t>(p.slot);
        if (format == WeightFormat::float32) {
          packed.weights[i] = static_cast<float>(p.weight);
        } else {
          packed.integers[i] = p.integer;
        }
        if (!packed.endpoints.empty()) packed.endpoints[i] = to_float(p.endpoint);
        if (!packed.twist_endpoints.empty()) packed.twist_endpoints[i] = to_float(p.twist_endpoint);
        ++i;
      }
    });
  });
  return packed;
}

void set_weights(Document& document, Json& attributes, const PackedWeights& packed,
                 WeightFormat format) {
  for (auto it = attributes.begin(); it != attributes.end();) {
    const std::string& name = it.key();
    const bool ours = name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_") ||
                      name.starts_with("_ENDPOINT_") || name.starts_with("_TWIST_ENDPOINT_");
    it = ours ? attributes.erase(it) : std::next(it);
  }
  const bool wide =
      std::any_of(packed.joints.begin(), packed.joints.end(), [](auto slot) { return slot > 255; });
  const AccessorOptions plain{.target = Target::vertices};
  const AccessorOptions normalized{.target = Target::vertices, .normalized = true};
  for (std::size_t set = 0; set < packed.sets; ++set) {
    attributes[fmt::format("JOINTS_{}", set)] =
        wide ? add_accessor(document, set_of<std::uint16_t>(packed, packed.joints, set), "VEC4",
                            plain)
             : add_accessor(document, set_of<std::uint8_t>(packed, packed.joints, set), "VEC4",
                            plain);
    const std::string weights = fmt::format("WEIGHTS_{}", set);
    switch (format) {
      case WeightFormat::float32:
        attributes[weights] =
            add_accessor(document, set_of<float>(packed, packed.weights, set), "VEC4", plain);
        break;
      case WeightFormat::unorm8:
        attributes[weights] = add_accessor(
            document, set_of<std::uint8_t>(packed, packed.integers, set), "VEC4", normalized);
        break;
      case WeightFormat::unorm16:
        attributes[weights] = add_accessor(
            document, set_of<std::uint16_t>(packed, packed.integers, set), "VEC4", normalized);
        break;
    }
    const auto set_floats = [&](const char* name, const std::vector<float>& values) {
      if (values.empty()) return;
      attributes[fmt::format("{}_{}", name, set)] =
          add_accessor(document, set_of<float>(packed, values, set), "VEC4", plain);
    };
    set_floats("_ENDPOINT", packed.endpoints);
    set_floats("_TWIST_ENDPOINT", packed.twist_endpoints);
  }
}

}  // namespace sinew::gltf
