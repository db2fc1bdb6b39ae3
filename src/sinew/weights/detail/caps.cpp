// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/detail/caps.h"

#include <algorithm>
#include <limits>

#include "sinew/weights/detail/numbers.h"

namespace sinew::detail {
namespace {

// How far each node may be before the plane and still be held. Nearer ones would have to come to
// the cap's value on the short way that is left.
std::vector<double> margins(const Domain& domain, const Piece& piece,
                            const std::vector<double>& before) {
  std::vector<double> margin(domain.points.size(), std::numeric_limits<double>::infinity());
  for (const std::size_t e : piece.elements) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const int node : domain.elements.of(e)) {
      low = std::min(low, before[node]);
      high = std::max(high, before[node]);
    }
    for (const int node : domain.elements.of(e)) {
      margin[node] = std::min(margin[node], 0.3 * (high - low));
    }
  }
  return margin;
}

}  // namespace

Cap::Cap(const Domain& domain, const Piece& piece, const BoneTip& tip) {
  if (tip.at_tip.empty()) return;
  const Vec3 outward = normalized(tip.outward);
  before_.resize(domain.points.size());
  for (const int node : piece.nodes) {
    before_[node] = dot(tip.point - domain.points[node], outward);
  }
  const std::vector<double> margin = margins(domain, piece, before_);
  std::vector<std::vector<std::size_t>> elements_at(domain.points.size());
  for (const std::size_t e : piece.elements) {
    for (const int node : domain.elements.of(e)) elements_at[node].push_back(e);
  }
  held_.assign(domain.points.size(), 0);
  std::vector<int> front;
  const auto reach = [&](int node) {
    if (held_[node] != 0 || before_[node] >= margin[node]) return;
    held_[node] = 1;
    nodes_.push_back(node);
    front.push_back(node);
  };
  const auto reach_around = [&](int node) {
    for (const std::size_t e : elements_at[node]) {
      for (const int next : domain.elements.of(e)) reach(next);
    }
  };
  for (const std::size_t s : tip.at_tip) {
    for (const Term& term : domain.samples[s]) reach_around(term.node);
  }
  while (!front.empty()) {
    const int node = front.back();
    front.pop_back();
    reach_around(node);
  }
  const bool goes_on = std::any_of(tip.of_others.begin(), tip.of_others.end(),
                                   [&](std::size_t s) { return touches(domain.samples[s]); });
  if (goes_on) {
    nodes_.clear();
  } else if (!piece.elements.empty() && domain.elements.of(piece.elements.front()).size() == 3) {
    room_ = half_width(domain, piece, tip);
  }
}

double Cap::half_width(const Domain& domain, const Piece& piece, const BoneTip& tip) const {
  const Vec3 outward = normalized(tip.outward);
  double most = 0;
  for (const std::size_t e : piece.elements) {
    const auto nodes = domain.elements.of(e);
    if (std::all_of(nodes.begin(), nodes.end(), [&](int node) { return holds(node); })) continue;
    for (const int node : nodes) {
      if (!holds(node)) continue;
      most = std::max(most, length(cross(outward, domain.points[node] - tip.point)));
    }
  }
  return most;
}

bool Cap::holds(int node) const { return !nodes_.empty() && held_[node] != 0; }

bool Cap::touches(std::span<const Term> terms) const {
  return std::any_of(terms.begin(), terms.end(),
                     [&](const Term& term) { return term.share != 0 && holds(term.node); });
}

double Cap::value(std::span<const Term> terms, std::span<const double> of_nodes,
                  double at_tip) const {
  double share = 0, before = 0, difference = 0;  // of nodes that are not held
  double held_before = 0, held_level = 0;
  for (const Term& term : terms) {
    const std::size_t node = at(term.node);
    if (holds(term.node)) {
      held_before += term.share * before_[node];
      held_level += term.share * std::min(before_[node], 0.0);
    } else {
      share += term.share;
      before += term.share * before_[node];
      difference += term.share * (of_nodes[node] - at_tip);
    }
  }
  // The plane as nodes see it: where held ones are before it, it passes through them.
  const double level = before + held_level;
  if (!(before + held_before > 0 && level > 0 && share > 0 && before > 0)) return at_tip;
  const double way = std::min(level * share / before, 1.0);
  return at_tip + difference / share * way;
}

void BoneCaps::find(const Domain& domain, const Piece& piece, const BoneTip& head,
                    const BoneTip& tail) {
  Cap at_head(domain, piece, head), at_tail(domain, piece, tail);
  for (const std::size_t e : piece.elements) {
    const auto nodes = domain.elements.of(e);
    const auto meets = [&](const Cap& cap) {
      return std::any_of(nodes.begin(), nodes.end(), [&](int node) { return cap.holds(node); });
    };
    if (meets(at_head) && meets(at_tail)) return;
  }
  const double length = distance(head.point, tail.point);
  const auto room = [&](const Cap& cap) { return std::min(cap.room() / length, 1.0 / 3); };
  held_from_ = std::max(held_from_, room(at_head));
  held_to_ = std::min(held_to_, 1 - room(at_tail));
  if (!at_head.nodes().empty()) ends_.push_back({std::move(at_head), 0.0});
  if (!at_tail.nodes().empty()) ends_.push_back({std::move(at_tail), 1.0});
}

bool BoneCaps::holds_bone_at(double t) const {
  // Where grids are regular, nodes lie just at the edge of the room: rounding should not decide.
  constexpr double slack = 1e-3;
  return t > held_from_ - slack && t < held_to_ + slack;
}

double BoneCaps::value(std::span<const Term> terms, std::span<const double> of_nodes) const {
  for (const End& end : ends_) {
    if (end.cap.touches(terms)) return end.cap.value(terms, of_nodes, end.value);
  }
  double sum = 0;
  for (const Term& term : terms) sum += term.share * of_nodes[term.node];
  return sum;
}

}  // namespace sinew::detail
