// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/paint_history.h"

#include <algorithm>
#include <utility>

namespace sinew::detail {

void PaintHistory::begin_stroke() {
  end_stroke();
  in_stroke_ = true;
}

void PaintHistory::end_stroke() {
  in_stroke_ = false;
  if (current_.empty()) return;
  strokes_.resize(done_);
  strokes_.push_back(std::move(current_));
  if (strokes_.size() > most_strokes) strokes_.pop_front();
  done_ = strokes_.size();
  current_.clear();
  place_of_.clear();
}

void PaintHistory::end_dab() {
  if (!in_stroke_) end_stroke();
}

void PaintHistory::replace(std::vector<SkinRow>& rows, Index vertex, const SkinRow& row) {
  const auto [place, is_new] = place_of_.try_emplace(vertex, current_.size());
  if (is_new) current_.push_back({vertex, rows[vertex], {}});
  current_[place->second].after = row;
  rows[vertex] = row;
}

bool PaintHistory::undo(std::vector<SkinRow>& rows, std::vector<Index>& changed) {
  end_stroke();
  changed.clear();
  if (done_ == 0) return false;
  --done_;
  for (const Change& change : strokes_[done_]) {
    rows[change.vertex] = change.before;
    changed.push_back(change.vertex);
  }
  std::sort(changed.begin(), changed.end());
  return true;
}

bool PaintHistory::redo(std::vector<SkinRow>& rows, std::vector<Index>& changed) {
  end_stroke();
  changed.clear();
  if (done_ == strokes_.size()) return false;
  for (const Change& change : strokes_[done_]) {
    rows[change.vertex] = change.after;
    changed.push_back(change.vertex);
  }
  std::sort(changed.begin(), changed.end());
  ++done_;
  return true;
}

}  // namespace sinew::detail
