// SPDX-License-Identifier: Apache-2.0
// Divides the branches of a medial axis into pieces that straight bones can represent.
#pragma once

#include <vector>

#include "sinew/picture/detail/medial_axis.h"

namespace sinew::detail {

int count_branches(const std::vector<AxisTree>& trees);

bool has_children(const AxisTree& tree, std::size_t branch);

// Drops the branches that stand out least until `most` are left, or one per tree. To be called
// before any branch is set apart.
void merge(std::vector<AxisTree>& trees, int most);

// Drops branches that never reach farther beyond the disc they start from than four tenths of its
// radius, since hardly a bone would be left of them.
void drop_stubs(std::vector<AxisTree>& trees);

// Determines for each branch whether the disc it grows from is a body: at least a quarter of the
// disc's border is its own outline rather than openings to branches. The centre of a star is not a
// body.
void find_bodies(std::vector<AxisTree>& trees);

// Sets apart branches that are less than half as thick as the body they grow from, so that they
// start where they leave it. The body that contains the root keeps the branch that leads to the
// thickest part; if that branch is thin as well, it is divided there. A branch that runs from a
// thick part into a thin one is also divided, and the rest is set apart. No branch is divided once
// there are `most`.
void take_apart(std::vector<AxisTree>& trees, int most);

// Divides branches where it helps most until there are `count` of them, or none can be divided.
void split(std::vector<AxisTree>& trees, int count);

// Shortens branches until the straight segment between their ends stays inside the limb; branches
// that continue from there are set apart.
void keep_within(std::vector<AxisTree>& trees);

}  // namespace sinew::detail
