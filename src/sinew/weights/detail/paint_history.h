// SPDX-License-Identifier: Apache-2.0
// Undo and redo of strokes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/weights/detail/row_mixer.h"

namespace sinew::detail {

// Keeps, for each stroke, the rows it changed, before and after.
class PaintHistory {
 public:
  static constexpr std::size_t most_strokes = 256;

  void begin_stroke();
  void end_stroke();

  void replace(std::vector<SkinRow>& rows, Index vertex, const SkinRow& row);
  // Call after each dab. A dab outside a stroke becomes a stroke of its own.
  void end_dab();

  // `changed` gets the vertices of the stroke, ascending; none if there is no stroke.
  bool undo(std::vector<SkinRow>& rows, std::vector<Index>& changed);
  bool redo(std::vector<SkinRow>& rows, std::vector<Index>& changed);
  bool can_undo() const { return !current_.empty() || done_ > 0; }
  bool can_redo() const { return current_.empty() && done_ < strokes_.size(); }

 private:
  struct Change {
    Index vertex;
    SkinRow before, after;
  };
  using Stroke = std::vector<Change>;

  std::deque<Stroke> strokes_;
  std::size_t done_ = 0;  // number of strokes done; later ones were undone
  Stroke current_;
  std::unordered_map<Index, std::size_t> place_of_;  // vertex to its index in the current stroke
  bool in_stroke_ = false;
};

}  // namespace sinew::detail
