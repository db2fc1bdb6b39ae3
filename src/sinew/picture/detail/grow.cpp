// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/detail/grow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sinew/picture/detail/simple_point.h"

namespace sinew::detail {
namespace {

// Distances from a pixel's centre to another pixel's square are kept as four times their square,
// which is a whole number; this is its part along one axis, `offset` pixels away.
std::uint32_t part(int offset) {
  const int twice = std::max(0, 2 * offset - 1);
  return static_cast<std::uint32_t>(twice * twice);
}

struct Candidate {
  std::uint32_t key, cell;
};

Grown padded(const Mask& mask, int pad) {
  Grown grown;
  grown.pad = pad;
  grown.width = mask.width + 2 * pad;
  grown.height = mask.height + 2 * pad;
  grown.cells.assign(static_cast<std::size_t>(grown.width) * static_cast<std::size_t>(grown.height),
                     0);
  for (int y = 0; y < mask.height; ++y) {
    const std::uint8_t* from = mask.inside.data() + mask.index(0, y);
    std::uint8_t* to = grown.cells.data() + grown.index(pad, y + pad);
    for (int x = 0; x < mask.width; ++x) to[x] = from[x] ? Grown::inside | Grown::figure : 0;
  }
  return grown;
}

// How many pixels up or down the next one of the figure is; far + 1 if it is farther than `far`.
std::vector<std::uint8_t> column_distances(const Grown& grown, int far) {
  const std::size_t width = grown.width;
  std::vector<std::uint8_t> distance(grown.cells.size());
  const auto beyond = static_cast<std::uint8_t>(far + 1);
  const auto step = [&](std::uint8_t d) {
    return static_cast<std::uint8_t>(std::min<int>(d + 1, beyond));
  };
  for (std::size_t i = 0; i < distance.size(); ++i) {
    distance[i] = grown.cells[i] ? std::uint8_t{0} : i < width ? beyond : step(distance[i - width]);
  }
  for (std::size_t i = distance.size() - width; i-- > 0;) {
    distance[i] = std::min(distance[i], step(distance[i + width]));
  }
  return distance;
}

// The pixels within reach, the nearest first, and among equals in the order of rows.
std::vector<Candidate> candidates(const Grown& grown, double reach) {
  const int far = static_cast<int>(std::ceil(reach + 0.5)) - 1;
  const auto limit = static_cast<std::uint32_t>(std::ceil(4 * reach * reach));
  const std::vector<std::uint8_t> columns = column_distances(grown, far);
  std::vector<std::uint32_t> parts;
  for (int offset = 0; offset <= far; ++offset) parts.push_back(part(offset));
  std::vector<Candidate> found;
  std::vector<std::uint32_t> best(grown.width);
  for (int y = 0; y < grown.height; ++y) {
    const std::uint8_t* column = columns.data() + grown.index(0, y);
    std::fill(best.begin(), best.end(), limit);
    int low = grown.width, high = 0;
    for (int x = far; x < grown.width - far; ++x) {
      // Inside the figure and in the adjacent rows, the neighbours' distances are better.
      if (column[x] > far) continue;
      low = std::min(low, x - far);
      high = std::max(high, x + far + 1);
      std::uint32_t* here = best.data() + x;
      const std::uint32_t down = parts[column[x]];
      here[0] = std::min(here[0], down);
      if (column[x - 1] > column[x]) {
        for (int i = 1; i <= far; ++i) here[-i] = std::min(here[-i], parts[i] + down);
      }
      if (column[x + 1] > column[x]) {
        for (int i = 1; i <= far; ++i) here[i] = std::min(here[i], parts[i] + down);
      }
    }
    for (int x = low; x < high; ++x) {
      const std::size_t cell = grown.index(x, y);
      if (best[x] < limit && !grown.cells[cell]) {
        found.push_back({best[x], static_cast<std::uint32_t>(cell)});
      }
    }
  }
  std::vector<std::uint32_t> start(limit + 1, 0);
  for (const Candidate& candidate : found) ++start[candidate.key + 1];
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<Candidate> sorted(found.size());
  for (const Candidate& candidate : found) sorted[start[candidate.key]++] = candidate;
  return sorted;
}

class Front {
 public:
  explicit Front(Grown& grown)
      : cells_(grown.cells.data()),
        sides_{1, grown.width, -1, -static_cast<std::ptrdiff_t>(grown.width)} {}

  // Dead ends of the outside are kept, or a narrow gap would be closed from its end like a zip.
  bool fill(std::uint32_t cell) {
    if (open_sides(cell) < 2 || !simple(cell)) return false;
    cells_[cell] |= Grown::inside;
    return true;
  }

  // Closes the dead end at `cell` if it is at most `longest` marked pixels to where it opens into
  // something wider. Says whether anything was done.
  bool close(std::uint32_t cell, std::size_t longest) {
    chain_.clear();
    std::uint32_t at = cell, before = cell;
    while (cells_[at] & Grown::mark) {
      int ways = 0;
      std::uint32_t next = at;
      for (const std::ptrdiff_t side : sides_) {
        const auto beside = static_cast<std::uint32_t>(at + side);
        if (beside == before || cells_[beside] & Grown::inside) continue;
        ++ways;
        next = beside;
      }
      if (ways != 1) break;
      chain_.push_back(at);
      if (chain_.size() > longest) return false;
      before = at;
      at = next;
    }
    for (const std::uint32_t i : chain_) {
      if (!simple(i)) return i != cell;
      cells_[i] |= Grown::inside;
    }
    return !chain_.empty();
  }

  bool is_end(std::uint32_t cell) const {
    return !(cells_[cell] & Grown::inside) && open_sides(cell) == 1 && simple(cell);
  }

 private:
  bool simple(std::uint32_t cell) const {
    return simple_points[neighbours_at(cells_ + cell, sides_[1])];
  }
  int open_sides(std::uint32_t cell) const {
    int open = 0;
    for (const std::ptrdiff_t side : sides_) {
      open += cells_[static_cast<std::ptrdiff_t>(cell) + side] & Grown::inside ? 0 : 1;
    }
    return open;
  }

  std::uint8_t* cells_;
  std::array<std::ptrdiff_t, 4> sides_;
  std::vector<std::uint32_t> chain_;
};

}  // namespace

Grown grow(const Mask& mask, double margin) {
  Grown grown = padded(mask, static_cast<int>(std::ceil(margin)) + 3);
  std::vector<Candidate> left = candidates(grown, margin + 0.5);
  const auto longest = static_cast<std::size_t>(2 * margin + 2);
  Front front(grown);
  // What cannot be filled are lines between parts of the figure. Where short ones are closed, which
  // come from notches and from filling one pixel after the other, there is more to fill.
  for (bool again = true; again;) {
    for (std::size_t before = left.size() + 1; left.size() < before;) {
      before = left.size();
      left.erase(std::remove_if(left.begin(), left.end(),
                                [&](const Candidate& c) { return front.fill(c.cell); }),
                 left.end());
    }
    again = false;
    for (const Candidate& c : left) grown.cells[c.cell] |= Grown::mark;
    for (const Candidate& c : left) {
      if (front.is_end(c.cell) && front.close(c.cell, longest)) again = true;
    }
    for (const Candidate& c : left) {
      grown.cells[c.cell] = static_cast<std::uint8_t>(grown.cells[c.cell] & ~Grown::mark);
    }
    left.erase(
        std::remove_if(left.begin(), left.end(),
                       [&](const Candidate& c) { return grown.cells[c.cell] & Grown::inside; }),
        left.end());
  }
  return grown;
}

}  // namespace sinew::detail
