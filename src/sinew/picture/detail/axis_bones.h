// SPDX-License-Identifier: Apache-2.0
// The branches of a medial axis divided into what straight bones can stand for.
#pragma once

#include <vector>

#include "sinew/picture/detail/medial_axis.h"

namespace sinew::detail {

int count_branches(const std::vector<AxisTree>& trees);

bool has_children(const AxisTree& tree, std::size_t branch);

// Gives up the branches that stand out least until `most` are left, or one for each tree. None may
// be apart.
void merge(std::vector<AxisTree>& trees, int most);

// Gives up branches that nowhere get farther out of the disc that they start from than by four
// tenths of its radius. Hardly a bone would be left of them.
void drop_stubs(std::vector<AxisTree>& trees);

// Says of branches whether the disc that they grow from is a body: where a quarter at least of its
// border is its own, and not where thinner branches leave it. The middle of a star is none.
void find_bodies(std::vector<AxisTree>& trees);

// Takes branches that are less than half as thick as the body that they grow from apart, so that
// they start where they leave it. What the root is in keeps the branch that leads to the thickest
// part; if that is thin, too, it is divided there. Nor does a branch go straight on from a thick
// part on its way into a thin one: the rest of it starts apart. No branch is divided once there are
// `most`.
void take_apart(std::vector<AxisTree>& trees, int most);

// Divides where it helps most until there are `count` branches, or none can be divided.
void split(std::vector<AxisTree>& trees, int count);

// Shortens branches whose ends are joined by a segment that leaves the limb, so that it does not;
// what goes on from there starts apart.
void keep_within(std::vector<AxisTree>& trees);

}  // namespace sinew::detail
