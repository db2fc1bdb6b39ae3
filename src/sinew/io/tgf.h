// SPDX-License-Identifier: Apache-2.0
// Skeletons as graphs of points and segments (.tgf).
#pragma once

#include <string>
#include <string_view>

#include "sinew/skeleton/skeleton.h"

namespace sinew {

// Lines `number x y z name`, a line `#`, lines `from to` with the numbers of two points. The rest
// of a point's line, if any, is its joint's name, unless it begins with a number. Further columns
// of bones and everything after a second `#` are ignored. See skeleton_from_segments. Throws
// InputError naming the line.
Skeleton read_tgf(std::string_view text);

// The same for points in a plane, where z may be missing.
Skeleton read_plane_tgf(std::string_view text);

// Writes the joints at their bind positions and the bones in order; the tail of a bone that ends at
// no joint becomes an extra point. Reading it again gives the same heads and tails, bit for bit,
// and the same names, except those that read_tgf would not accept as a name.
std::string write_tgf(const Skeleton& skeleton);

}  // namespace sinew
