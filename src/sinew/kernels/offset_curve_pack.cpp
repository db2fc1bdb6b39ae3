// SPDX-License-Identifier: Apache-2.0
// The points of offset curves, in floats.
#include <algorithm>
#include <numeric>
#include <tuple>
#include <type_traits>

#include "sinew/core/math.h"
#include "sinew/kernels/detail/curves.h"

namespace sinew::kernels {
namespace {

using offset_curve::ArcBind;
using offset_curve::SplineBind;
using offset_curve::Ties;

float to_f(double value) { return static_cast<float>(value); }

std::uint32_t item_of(const ArcBind<double>& bind) {
  return static_cast<std::uint32_t>(2 * bind.joint + bind.side);
}
std::uint32_t item_of(const SplineBind<double>& bind) {
  return static_cast<std::uint32_t>(bind.piece);
}

double place_of(const ArcBind<double>& bind) { return bind.along; }
double place_of(const SplineBind<double>& bind) { return bind.fraction; }

// The floats of one tie, in the order of the blocks; those that not all entries have are asked for.
struct Floats {
  std::array<double, 10> fields{};
  std::size_t count = 0;
  std::array<double, twist_field::count> twists{};

  void add(double value) { fields[count++] = value; }
};

double held_share(const ArcBind<double>& bind) { return (1 - bind.along) * bind.hold; }

void note(const ArcBind<double>& bind, double size, CurveEntry& entry) {
  constexpr double rounding = 1e-9;  // what it leaves is not corrected
  entry.is_held = entry.is_held || held_share(bind) != 0;
  entry.is_beyond = entry.is_beyond || bind.beyond != 0;
  entry.is_corrected = entry.is_corrected || length(bind.correction) > rounding * size;
  entry.most = std::max(entry.most, to_f(bind.along));
  entry.farthest = std::max(entry.farthest, to_f(math::hypot(bind.x, bind.y)));
}

void note(const SplineBind<double>& bind, double, CurveEntry& entry) {
  entry.is_held = entry.is_held || bind.hold != 0;
  entry.least = std::min(entry.least, to_f(bind.fraction));
  entry.most = std::max(entry.most, to_f(bind.fraction));
}

Floats floats_of(const ArcBind<double>& bind, const CurveEntry& entry) {
  Floats to;
  to.add(bind.weight);
  const double distance = math::hypot(bind.x, bind.y);
  to.add(distance > 0 ? bind.x / distance : 1.0);
  to.add(distance > 0 ? bind.y / distance : 0.0);
  to.add(bind.along);
  to.add(distance);
  if (entry.is_held) to.add(held_share(bind));
  if (entry.is_beyond) to.add(bind.beyond);
  if (entry.is_corrected) {
    to.add(bind.correction.x);
    to.add(bind.correction.y);
    // Along the direction towards the joint.
    to.add(bind.side == 0 ? bind.correction.z : -bind.correction.z);
  }
  to.twists = {bind.twist, bind.gap, bind.scale};
  return to;
}

Floats floats_of(const SplineBind<double>& bind, const CurveEntry& entry) {
  Floats to;
  to.add(bind.weight);
  to.add(bind.offset.x);
  to.add(bind.offset.y);
  to.add(bind.offset.z);
  to.add(bind.fraction);
  if (entry.is_held) to.add(bind.hold);
  return to;
}

// The items of the vertex's ties, ascending.
template <class Bind>
void items_of(const Ties<Bind>& ties, std::size_t v, std::vector<std::uint32_t>& items) {
  items.clear();
  for (const Bind& bind : ties.binds[v]) items.push_back(item_of(bind));
  if (items.empty()) items.push_back(no_item);
  std::sort(items.begin(), items.end());
}

template <class Bind>
std::vector<std::uint32_t> order_of(const Ties<Bind>& ties, std::size_t begin, std::size_t end) {
  struct Key {
    std::vector<std::uint32_t> items;
    double place = 0;  // on the curve of its largest weight
  };
  std::vector<Key> keys(end - begin);
  for (std::size_t v = begin; v < end; ++v) {
    Key& key = keys[v - begin];
    items_of(ties, v, key.items);
    double largest = 0;
    for (const Bind& bind : ties.binds[v]) {
      if (!(bind.weight > largest)) continue;
      largest = bind.weight;
      key.place = place_of(bind);
    }
  }
  std::vector<std::uint32_t> order(end - begin);
  std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(begin));
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Key &x = keys[a - begin], &y = keys[b - begin];
    if (x.items != y.items) return x.items < y.items;
    return x.place != y.place ? x.place < y.place : a < b;
  });
  return order;
}

// An entry before it is packed, with each lane's tie to its item, or null.
template <class Bind>
struct OpenEntry {
  CurveEntry entry;
  std::array<const Bind*, tile_size> binds{};
};

// Appends those of a tile, the vertices `lanes`.
template <class Bind>
void open_tile(const Ties<Bind>& ties, std::span<const std::uint32_t> lanes, std::size_t tile,
               double size, std::vector<OpenEntry<Bind>>& open) {
  std::vector<std::uint32_t> items, own;
  for (const std::uint32_t v : lanes) {
    items_of(ties, v, own);
    items.insert(items.end(), own.begin(), own.end());
  }
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  for (const std::uint32_t item : items) {
    OpenEntry<Bind> to{{.item = item, .tile = static_cast<std::uint32_t>(tile)}};
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      for (const Bind& bind : ties.binds[lanes[lane]]) {
        if (item_of(bind) != item) continue;
        to.binds[lane] = &bind;
        note(bind, size, to.entry);
      }
    }
    open.push_back(to);
  }
}

// Lanes that the item does not move copy one that it moves, with weight 0: whatever comes out is
// finite.
template <class Bind>
void pack_entry(const Ties<Bind>& ties, std::span<const std::uint32_t> lanes,
                const OpenEntry<Bind>& open, PackedCurves& packed) {
  constexpr bool with_twists = std::is_same_v<Bind, ArcBind<double>>;
  const auto known = std::find_if(open.binds.begin(), open.binds.end(),
                                  [](const Bind* bind) { return bind != nullptr; });
  CurveEntry entry = open.entry;
  entry.fields = static_cast<std::uint32_t>(packed.fields.size() / tile_size);
  const std::size_t first = packed.fields.size(), first_twist = packed.twists.size();
  if (with_twists) packed.twists.resize(first_twist + twist_field::count * tile_size, 0.0f);
  for (std::size_t lane = 0; lane < tile_size; ++lane) {
    const Bind* bind = open.binds[lane];
    Floats floats;
    if (known != open.binds.end()) {
      floats = floats_of(bind != nullptr ? *bind : **known, entry);
      if (bind == nullptr) floats.fields[curve_field::weight] = 0;
    } else {
      const std::size_t v = lanes[lane];
      floats.add(ties.binds[v].empty() ? 1.0 : 0.0);
      for (std::size_t k = 0; k < 3; ++k) floats.add(ties.points[v][k]);
    }
    if (lane == 0) packed.fields.resize(first + floats.count * tile_size);
    for (std::size_t k = 0; k < floats.count; ++k) {
      packed.fields[first + k * tile_size + lane] = to_f(floats.fields[k]);
    }
    for (std::size_t k = 0; with_twists && k < twist_field::count; ++k) {
      packed.twists[first_twist + k * tile_size + lane] = to_f(floats.twists[k]);
    }
  }
  packed.entries.push_back(entry);
}

template <class Bind>
PackedCurves pack(const Ties<Bind>& ties) {
  PackedCurves packed;
  packed.vertex_count = ties.points.size();
  packed.tile_count = (packed.vertex_count + tile_size - 1) / tile_size;
  packed.slots.resize(packed.vertex_count);
  packed.first_entry.push_back(0);
  const double size = bounding_box(ties.points).diagonal();
  for (std::size_t begin = 0; begin < packed.vertex_count; begin += block_size) {
    const std::size_t end = std::min(begin + block_size, packed.vertex_count);
    std::vector<std::uint32_t> order = order_of(ties, begin, end);
    for (std::size_t i = 0; i < order.size(); ++i) {
      packed.slots[order[i]] = static_cast<std::uint16_t>(i);
    }
    while (order.size() % tile_size != 0) order.push_back(order.back());
    const auto lanes_of = [&](std::size_t tile) {
      return std::span<const std::uint32_t>(order).subspan(tile * tile_size, tile_size);
    };
    std::vector<OpenEntry<Bind>> open;
    for (std::size_t tile = 0; tile * tile_size < order.size(); ++tile) {
      open_tile(ties, lanes_of(tile), tile, size, open);
    }
    const auto key = [](const CurveEntry& e) {
      return std::tuple(e.item, e.is_corrected, e.is_held, e.is_beyond, e.most, e.tile);
    };
    std::sort(open.begin(), open.end(),
              [&](const auto& a, const auto& b) { return key(a.entry) < key(b.entry); });
    for (const OpenEntry<Bind>& entry : open) {
      pack_entry(ties, lanes_of(entry.entry.tile), entry, packed);
    }
    packed.first_entry.push_back(static_cast<std::uint32_t>(packed.entries.size()));
  }
  return packed;
}

}  // namespace

PackedCurves pack_curves(const Ties<ArcBind<double>>& ties) { return pack(ties); }
PackedCurves pack_curves(const Ties<SplineBind<double>>& ties) { return pack(ties); }

}  // namespace sinew::kernels
