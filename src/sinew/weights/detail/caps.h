// SPDX-License-Identifier: Apache-2.0
// What lies beyond an end of a bone where no other bone goes on: its endpoint weight is constant
// there.
#pragma once

#include <span>
#include <vector>

#include "sinew/weights/detail/held_solve.h"

namespace sinew::detail {

struct BoneTip {
  Vec3 point, outward;                 // the end, and the way on from there, of any length
  std::vector<std::size_t> at_tip;     // the samples there
  std::vector<std::size_t> of_others;  // the samples of other bones
};

// The part of a piece beyond the plane through the tip across `outward`. Its nodes are held: those
// beyond the plane, or nearer to it than 0.3 of the elements around them, that can be reached
// from the tip without coming back. There are none if the tip is not in the piece (it has no sample
// there), nor where another bone has a sample among these nodes: it goes on there.
class Cap {
 public:
  Cap(const Domain& domain, const Piece& piece, const BoneTip& tip);

  const std::vector<int>& nodes() const { return nodes_; }

  // How far before the tip the bone should no longer hold the function: half the width of the shape
  // there in flat shapes, 0 in others. In the plane the bone lies in the shape itself, and a
  // function that follows it up to the tip and rests from there on has a kink.
  double room() const { return room_; }

  bool holds(int node) const;
  bool touches(std::span<const Term> terms) const;

  // The value at a place between nodes, of a function that is `at_tip` at the cap's own. It comes
  // to that in the plane, not only at the nodes behind it.
  double value(std::span<const Term> terms, std::span<const double> of_nodes, double at_tip) const;

 private:
  double half_width(const Domain& domain, const Piece& piece, const BoneTip& tip) const;

  std::vector<int> nodes_;
  double room_ = 0;
  std::vector<double> before_;  // for each of the domain's nodes, how far it is from the plane
  std::vector<char> held_;      // whether it is one of the cap's
};

// The caps of one bone, where the endpoint weight is 0 (at the head) or 1 (at the tail).
class BoneCaps {
 public:
  // Those in one more piece. None if an element would belong to both: the bone is too short for
  // the elements. The room before each is at most a third of the bone.
  void find(const Domain& domain, const Piece& piece, const BoneTip& head, const BoneTip& tail);

  struct End {
    Cap cap;
    double value;
  };
  std::span<const End> ends() const { return ends_; }

  // Whether the bone is `t` at its point t: not in the room before its caps.
  bool holds_bone_at(double t) const;

  // Of a function of the nodes that is what it should be at those of the caps.
  double value(std::span<const Term> terms, std::span<const double> of_nodes) const;

 private:
  std::vector<End> ends_;
  double held_from_ = 0, held_to_ = 1;  // on the bone
};

}  // namespace sinew::detail
