// SPDX-License-Identifier: Apache-2.0
// The points of offset curves, in floats.
#include <algorithm>
#include <cmath>
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
  std::array<double, 9> fields{};
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
  entry.farthest = std::max(entry.farthest, to_f(length(bind.offset)));
}

Floats floats_of(const ArcBind<double>& bind, const CurveEntry& entry) {
  Floats to;
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
    const bool x_is_whole = x.items.size() == 1, y_is_whole = y.items.size() == 1;
    if (x_is_whole != y_is_whole) return y_is_whole;
    if (x.items != y.items) return x.items < y.items;
    return x.place != y.place ? x.place < y.place : a < b;
  });
  return order;
}

// Each lane's tie to an item, or null.
template <class Bind>
using LaneBinds = std::array<const Bind*, tile_size>;

// An entry before it is packed.
template <class Bind>
struct OpenEntry {
  CurveEntry entry;
  LaneBinds<Bind> binds{};
};

// Whether the shares of twist and gap are straight lines over `along`, as they are without the
// artist's curves.
void note_shares(const LaneBinds<ArcBind<double>>& binds, CurveEntry& entry) {
  const ArcBind<double>*low = nullptr, *high = nullptr;
  for (const ArcBind<double>* bind : binds) {
    if (bind == nullptr) continue;
    if (low == nullptr || bind->along < low->along) low = bind;
    if (high == nullptr || bind->along > high->along) high = bind;
  }
  const double width = high->along - low->along;
  const auto change = [&](double from, double to) { return width > 0 ? (to - from) / width : 0.0; };
  const double twist_change = change(low->twist, high->twist);
  const double gap_change = change(low->gap, high->gap);
  constexpr double rounding = 1e-6;
  entry.is_even = true;
  for (const ArcBind<double>* bind : binds) {
    if (bind == nullptr) continue;
    const double way = bind->along - low->along;
    const bool fits = std::fabs(low->twist + twist_change * way - bind->twist) <= rounding &&
                      std::fabs(low->gap + gap_change * way - bind->gap) <= rounding;
    entry.is_even = entry.is_even && fits;
  }
  entry.shares = {to_f(low->twist - twist_change * low->along),
                  to_f(low->gap - gap_change * low->along)};
  entry.share_changes = {to_f(twist_change), to_f(gap_change)};
}

void note_shares(const LaneBinds<SplineBind<double>>&, CurveEntry&) {}

// Lanes that the item does not move copy one that it moves, with weight 0: whatever comes out is
// finite.
template <class Bind>
void pack_entry(const Ties<Bind>& ties, std::span<const std::uint32_t> lanes,
                const OpenEntry<Bind>& open, PackedCurves& packed) {
  constexpr bool with_twists = std::is_same_v<Bind, ArcBind<double>>;
  const LaneBinds<Bind>& binds = open.binds;
  CurveEntry entry = open.entry;
  entry.fields = static_cast<std::uint32_t>(packed.fields.size() / tile_size);
  const auto known =
      std::find_if(binds.begin(), binds.end(), [](const Bind* bind) { return bind != nullptr; });
  const std::size_t weight_count = entry.is_whole ? 0 : 1;
  const std::size_t first = packed.fields.size(), first_twist = packed.twists.size();
  if (with_twists) packed.twists.resize(first_twist + twist_field::count * tile_size, 0.0f);
  for (std::size_t lane = 0; lane < tile_size; ++lane) {
    const Bind* bind = binds[lane];
    const std::size_t v = lanes[lane];
    Floats floats;
    double weight = 0;
    if (known != binds.end()) {
      floats = floats_of(bind != nullptr ? *bind : **known, entry);
      if (bind != nullptr) weight = bind->weight;
    } else {
      weight = ties.binds[v].empty() ? 1 : 0;
      for (std::size_t k = 0; k < 3; ++k) floats.add(ties.points[v][k]);
    }
    if (lane == 0) packed.fields.resize(first + (weight_count + floats.count) * tile_size);
    if (!entry.is_whole) packed.fields[first + lane] = to_f(weight);
    for (std::size_t k = 0; k < floats.count; ++k) {
      packed.fields[first + (weight_count + k) * tile_size + lane] = to_f(floats.fields[k]);
    }
    for (std::size_t k = 0; with_twists && k < twist_field::count; ++k) {
      packed.twists[first_twist + k * tile_size + lane] = to_f(floats.twists[k]);
    }
  }
  packed.entries.push_back(entry);
}

// Appends the entries of a tile, the vertices `lanes`.
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
    OpenEntry<Bind> to{
        {.item = item, .tile = static_cast<std::uint32_t>(tile), .is_whole = items.size() == 1}};
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      for (const Bind& bind : ties.binds[lanes[lane]]) {
        if (item_of(bind) != item) continue;
        to.binds[lane] = &bind;
        note(bind, size, to.entry);
        to.entry.is_whole = to.entry.is_whole && to_f(bind.weight) == 1;
      }
    }
    if (item != no_item) note_shares(to.binds, to.entry);
    open.push_back(to);
  }
}

void note_farthest(const CurveEntry& entry, std::vector<float>& farthest) {
  if (entry.item == no_item) return;
  if (farthest.size() <= entry.item) farthest.resize(entry.item + 1, 0);
  farthest[entry.item] = std::max(farthest[entry.item], entry.farthest);
}

template <class Bind>
PackedCurves pack(const Ties<Bind>& ties) {
  PackedCurves packed;
  packed.vertex_count = ties.points.size();
  packed.tile_count = (packed.vertex_count + tile_size - 1) / tile_size;
  const Box box = bounding_box(ties.points);
  packed.size = box.diagonal();
  packed.center = box.center();
  packed.slots.resize(packed.vertex_count);
  packed.is_whole.resize(packed.tile_count, 0);
  packed.first_entry.push_back(0);
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
    for (std::size_t tile = 0; tile * tile_size < order.size(); ++tile) {
      for (std::size_t k = 0; k < 3; ++k) {
        for (const std::uint32_t v : lanes_of(tile)) {
          packed.positions.push_back(to_f(ties.points[v][k] - packed.center[k]));
        }
      }
    }
    std::vector<OpenEntry<Bind>> open;
    for (std::size_t tile = 0; tile * tile_size < order.size(); ++tile) {
      open_tile(ties, lanes_of(tile), tile, packed.size, open);
    }
    std::vector<float> farthest;
    for (const OpenEntry<Bind>& entry : open) note_farthest(entry.entry, farthest);
    for (const OpenEntry<Bind>& entry : open) note_farthest(entry.entry, packed.farthest);
    const auto key = [&](const CurveEntry& e) {
      // Which of them are too far from the curve for their bend is a matter of the pose.
      const bool is_far = std::is_same_v<Bind, ArcBind<double>> && e.item != no_item &&
                          e.farthest > 0.6f * farthest[e.item];
      return std::tuple(e.is_whole, e.item, is_far, e.is_even, e.is_corrected, e.is_held,
                        e.is_beyond, e.most, e.tile);
    };
    std::sort(open.begin(), open.end(),
              [&](const auto& a, const auto& b) { return key(a.entry) < key(b.entry); });
    for (const OpenEntry<Bind>& entry : open) {
      const std::size_t tile = entry.entry.tile;
      packed.is_whole[begin / tile_size + tile] = entry.entry.is_whole ? 1 : 0;
      pack_entry(ties, lanes_of(tile), entry, packed);
    }
    packed.first_entry.push_back(static_cast<std::uint32_t>(packed.entries.size()));
  }
  return packed;
}

}  // namespace

PackedCurves pack_curves(const Ties<ArcBind<double>>& ties) { return pack(ties); }
PackedCurves pack_curves(const Ties<SplineBind<double>>& ties) { return pack(ties); }

}  // namespace sinew::kernels
