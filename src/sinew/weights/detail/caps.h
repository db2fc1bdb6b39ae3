// SPDX-License-Identifier: Apache-2.0
// Caps: the part of the shape beyond a bone's end where no other bone continues. The endpoint
// weight is constant there.
#pragma once

#include <span>
#include <vector>

#include "sinew/weights/detail/held_solve.h"

namespace sinew::detail {

struct BoneTip {
  Vec3 point, outward;                 // the end, and the direction beyond it (any length)
  std::vector<std::size_t> at_tip;     // the samples at the tip
  std::vector<std::size_t> of_others;  // the samples of other bones
};

// The part of a piece beyond the plane through the tip perpendicular to `outward`. Its nodes are
// held fixed: those beyond the plane, or closer to it than 0.3 times the size of the elements
// around them, that are connected to the tip through such nodes. Empty if the tip has no sample in
// the piece, or if another bone has a sample among these nodes, since that bone continues there.
class Cap {
 public:
  Cap(const Domain& domain, const Piece& piece, const BoneTip& tip);

  const std::vector<int>& nodes() const { return nodes_; }

  // The distance before the tip over which the bone does not constrain the function: half the
  // shape's width there for flat shapes, 0 otherwise. In a flat shape the bone lies in the shape
  // itself, and a function that followed it up to the tip and were constant beyond would have a
  // kink.
  double room() const { return room_; }

  bool holds(int node) const;
  bool touches(std::span<const Term> terms) const;

  // The interpolated value of a function that is `at_tip` at the cap's nodes. It reaches that value
  // already at the cap's plane, not only at the nodes behind it.
  double value(std::span<const Term> terms, std::span<const double> of_nodes, double at_tip) const;

 private:
  double half_width(const Domain& domain, const Piece& piece, const BoneTip& tip) const;

  std::vector<int> nodes_;
  double room_ = 0;
  std::vector<double> before_;  // for each node of the domain, its distance before the plane
  std::vector<char> held_;      // whether the node belongs to the cap
};

// The caps of one bone: the endpoint weight is 0 in the one at the head and 1 in the one at the
// tail.
class BoneCaps {
 public:
  // Adds the caps in another piece. Adds none if an element would belong to both, as the bone is
  // then too short for the element size. The room before each cap is at most a third of the bone.
  void find(const Domain& domain, const Piece& piece, const BoneTip& head, const BoneTip& tail);

  struct End {
    Cap cap;
    double value;
  };
  std::span<const End> ends() const { return ends_; }

  // Whether the function is held at `t` parameters along the bone; false in the room before the
  // caps.
  bool holds_bone_at(double t) const;

  // The interpolated value of a function that has the caps' values at their nodes.
  double value(std::span<const Term> terms, std::span<const double> of_nodes) const;

 private:
  std::vector<End> ends_;
  double held_from_ = 0, held_to_ = 1;  // on the bone
};

}  // namespace sinew::detail
