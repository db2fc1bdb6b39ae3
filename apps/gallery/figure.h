// SPDX-License-Identifier: Apache-2.0
// A figure of the gallery: pictures, the paper's claim about them, and measured numbers.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/progress.h"

namespace sinew::gallery {

enum class Unit { none, percent, degrees, times, count, milliseconds };

// A measured number. If it has a bound, it is a claim that can fail.
struct Number {
  std::string of;    // the row of the table: a method
  std::string what;  // the column
  double value = 0;  // percent: 1 is 100 %; degrees: of an angle; times: a factor
  Unit unit = Unit::none;
  std::optional<double> at_least{}, at_most{};

  bool holds() const;
};

// "12.3 %", "180°", "× 1.50" (as UTF-8).
std::string to_text(double value, Unit unit);

// A part of a picture that stands for itself, in pixels from the upper left corner.
struct Tile {
  std::string title;
  int left = 0, top = 0, width = 0, height = 0;
};

// A file of the gallery.
struct Picture {
  std::string file;  // its name, without a folder
  std::string bytes;
  int width = 0, height = 0;
  std::string description;    // alternative text
  std::vector<Tile> tiles{};  // all of one size; the page shows them side by side, as many as fit
  int columns = 0;            // at most so many side by side; 0: any number
};

// Two tiles of a picture, one laid over the other: the page uncovers as much of it as one likes.
struct Swipe {
  std::size_t picture = 0;            // of the figure
  std::size_t before = 0, after = 1;  // tiles
};

struct Figure {
  std::string id;      // letters, digits and dashes
  std::string title;   // a few words
  std::string source;  // which figure of which paper
  std::string claim;   // what the paper shows
  std::string result;  // what ours shows, with numbers that were measured
  std::vector<Picture> pictures;
  std::vector<Swipe> swipes{};
  std::vector<Number> numbers;

  bool holds() const;
  // The number in a row and column of the table, as text; it must exist.
  std::string text(std::string_view of, std::string_view what) const;
};

// Size and resolution of the figures.
struct Detail {
  int height = 300;     // of each panel, in pixels
  int frames = 32;      // of each loop
  double fineness = 1;  // number of vertices of the models, relative to the default

  std::size_t vertices(std::size_t usual) const {
    return static_cast<std::size_t>(fineness * static_cast<double>(usual));
  }
  // Number of lattice nodes for computing weights; lattices are already coarse.
  std::size_t nodes(std::size_t usual) const {
    return static_cast<std::size_t>(std::sqrt(fineness) * static_cast<double>(usual));
  }
};

}  // namespace sinew::gallery
