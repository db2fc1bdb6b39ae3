// SPDX-License-Identifier: Apache-2.0
// Skeletons as graphs of points and segments (.tgf).
#pragma once

#include <string>
#include <string_view>

#include "sinew/skeleton/skeleton.h"

namespace sinew {

// Lines `number x y z name`, a line `#`, lines `from to` with the numbers of two points. What
// follows a point's coordinates is its joint's name, unless it begins with a number or is not
// there; further columns of bones and everything after a second `#` are ignored. See
// skeleton_from_segments. Throws InputError naming the line.
Skeleton read_tgf(std::string_view text);

// The same for points of a plane, where z may be missing.
Skeleton read_plane_tgf(std::string_view text);

// The joints where the bones have them at bind time, and the bones in order; the tail of a bone
// that ends in no joint becomes one more point. Reading it again gives the same heads and tails,
// bit for bit, and the same names, but for those that would not be taken for one.
std::string write_tgf(const Skeleton& skeleton);

}  // namespace sinew
