// SPDX-License-Identifier: Apache-2.0
// The points of offset curves, in floats.
#include <algorithm>
#include <cmath>
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
  std::uint8_t interval = 0;

  void add(double value) { fields[count++] = value; }
};

std::uint8_t interval_at(double fraction) {
  constexpr int intervals = SplinePieceLanes::intervals;
  return static_cast<std::uint8_t>(std::min(static_cast<int>(fraction * intervals), intervals - 1));
}

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
  const double place = bind.fraction * SplinePieceLanes::intervals;
  to.interval = interval_at(bind.fraction);
  to.add(place - to.interval);
  if (entry.is_held) to.add(bind.hold);
  return to;
}

// Of each vertex: the items of its ties, ascending, and its place on the curve of the largest
// weight.
struct Spots {
  Rows<std::uint32_t> items;
  std::vector<double> places;
};

template <class Bind>
Spots spots_of(const Ties<Bind>& ties) {
  Spots spots;
  std::vector<std::uint32_t> own;
  for (std::size_t v = 0; v < ties.points.size(); ++v) {
    own.clear();
    double place = 0, largest = 0;
    for (const Bind& bind : ties.binds[v]) {
      own.push_back(item_of(bind));
      if (!(bind.weight > largest)) continue;
      largest = bind.weight;
      place = place_of(bind);
    }
    if (own.empty()) own.push_back(no_item);
    std::sort(own.begin(), own.end());
    spots.items.push(own);
    spots.places.push_back(place);
  }
  return spots;
}

// Each lane's tie to an item, or null.
template <class Bind>
using LaneBinds = std::array<const Bind*, tile_size>;

// An entry before it is packed.
template <class Bind>
struct OpenEntry {
  std::uint32_t item = no_item;
  bool is_whole = false;
  CurveEntry entry;
  LaneBinds<Bind> binds{};
};

// Whether the shares of twist and gap are straight lines over `along`, as they are without the
// artist's curves.
void note_range(const LaneBinds<ArcBind<double>>& binds, CurveEntry& entry) {
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

void note_range(const LaneBinds<SplineBind<double>>& binds, CurveEntry& entry) {
  entry.first_interval = SplinePieceLanes::intervals;
  for (const SplineBind<double>* bind : binds) {
    if (bind == nullptr) continue;
    const std::uint8_t own = interval_at(bind->fraction);
    entry.first_interval = std::min(entry.first_interval, own);
    entry.last_interval = std::max(entry.last_interval, own);
  }
}

// Lanes that the item does not move copy one that it moves, with weight 0: whatever comes out is
// finite.
template <class Bind>
void pack_entry(const Ties<Bind>& ties, std::span<const std::uint32_t> lanes,
                const OpenEntry<Bind>& open, PackedCurves& packed) {
  constexpr bool with_twists = std::is_same_v<Bind, ArcBind<double>>;
  constexpr bool with_intervals = std::is_same_v<Bind, SplineBind<double>>;
  const LaneBinds<Bind>& binds = open.binds;
  CurveEntry entry = open.entry;
  entry.fields = static_cast<std::uint32_t>(packed.fields.size() / tile_size);
  const auto known =
      std::find_if(binds.begin(), binds.end(), [](const Bind* bind) { return bind != nullptr; });
  const std::size_t weight_count = open.is_whole ? 0 : 1;
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
    if (with_intervals) {
      packed.intervals.push_back(static_cast<std::uint8_t>(floats.interval - entry.first_interval));
    }
    if (!open.is_whole) packed.fields[first + lane] = to_f(weight);
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
void open_tile(const Ties<Bind>& ties, const Spots& spots, std::span<const std::uint32_t> lanes,
               std::size_t tile, double size, std::vector<OpenEntry<Bind>>& open) {
  std::vector<std::uint32_t> items;
  for (const std::uint32_t v : lanes) {
    const auto own = spots.items[v];
    items.insert(items.end(), own.begin(), own.end());
  }
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  for (const std::uint32_t item : items) {
    OpenEntry<Bind> to{.item = item,
                       .is_whole = items.size() == 1,
                       .entry = {.tile = static_cast<std::uint16_t>(tile)}};
    for (std::size_t lane = 0; lane < tile_size; ++lane) {
      for (const Bind& bind : ties.binds[lanes[lane]]) {
        if (item_of(bind) != item) continue;
        to.binds[lane] = &bind;
        note(bind, size, to.entry);
        to.is_whole = to.is_whole && to_f(bind.weight) == 1;
      }
    }
    if (item != no_item) note_range(to.binds, to.entry);
    open.push_back(to);
  }
}

template <class Bind>
void note_farthest(const OpenEntry<Bind>& open, std::vector<float>& farthest) {
  if (open.item == no_item) return;
  if (farthest.size() <= open.item) farthest.resize(open.item + 1, 0);
  farthest[open.item] = std::max(farthest[open.item], open.entry.farthest);
}

// By what there is to do for them.
template <class Bind>
void sort_entries(std::vector<OpenEntry<Bind>>& open) {
  std::vector<float> farthest;
  for (const OpenEntry<Bind>& entry : open) note_farthest(entry, farthest);
  const auto key = [&](const OpenEntry<Bind>& of) {
    const CurveEntry& e = of.entry;
    // Which of them are too far from the curve for their bend is a matter of the pose.
    const bool is_far = std::is_same_v<Bind, ArcBind<double>> && of.item != no_item &&
                        e.farthest > 0.6f * farthest[of.item];
    return std::tuple(of.is_whole, of.item, is_far, e.is_even, e.is_corrected, e.is_held,
                      e.is_beyond, e.most, e.tile);
  };
  std::sort(open.begin(), open.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

template <class Bind>
void pack_block(const Ties<Bind>& ties, const Spots& spots, std::size_t begin, std::size_t end,
                PackedCurves& packed) {
  const auto size_of = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  const std::vector<std::uint32_t> order = order_curves(spots.items, spots.places, begin, end);
  packed.blocks.push_back({size_of(packed.runs), size_of(packed.entries), size_of(packed.mixed)});
  std::vector<OpenEntry<Bind>> open;
  const auto lanes_of = [&](std::size_t tile) {
    return std::span(order).subspan(tile * tile_size, tile_size);
  };
  for (std::size_t tile = 0; tile * tile_size < order.size(); ++tile) {
    const auto lanes = lanes_of(tile);
    for (const std::uint32_t v : lanes) {
      packed.places.push_back(static_cast<std::uint16_t>(v - begin));
    }
    for (std::size_t k = 0; k < 3; ++k) {
      for (const std::uint32_t v : lanes) {
        packed.positions.push_back(to_f(ties.points[v][k] - packed.center[k]));
      }
    }
    open_tile(ties, spots, lanes, tile, packed.size, open);
    if (!open.back().is_whole) packed.mixed.push_back(static_cast<std::uint16_t>(tile));
  }
  for (const OpenEntry<Bind>& entry : open) note_farthest(entry, packed.farthest);
  sort_entries(open);
  const std::size_t first_run = packed.runs.size();
  for (const OpenEntry<Bind>& entry : open) {
    pack_entry(ties, lanes_of(entry.entry.tile), entry, packed);
    if (packed.runs.size() == first_run || packed.runs.back().item != entry.item ||
        packed.runs.back().is_whole != entry.is_whole) {
      packed.runs.push_back({entry.item, entry.is_whole});
    }
    packed.runs.back().end = size_of(packed.entries);
  }
}

template <class Bind>
PackedCurves pack(const Ties<Bind>& ties) {
  PackedCurves packed;
  packed.vertex_count = ties.points.size();
  const Box box = bounding_box(ties.points);
  packed.size = box.diagonal();
  packed.center = box.center();
  const Spots spots = spots_of(ties);
  for (std::size_t begin = 0; begin < packed.vertex_count; begin += curve_block_size) {
    pack_block(ties, spots, begin, std::min(begin + curve_block_size, packed.vertex_count), packed);
  }
  packed.blocks.push_back({static_cast<std::uint32_t>(packed.runs.size()),
                           static_cast<std::uint32_t>(packed.entries.size()),
                           static_cast<std::uint32_t>(packed.mixed.size())});
  return packed;
}

}  // namespace

PackedCurves pack_curves(const Ties<ArcBind<double>>& ties) { return pack(ties); }
PackedCurves pack_curves(const Ties<SplineBind<double>>& ties) { return pack(ties); }

}  // namespace sinew::kernels
