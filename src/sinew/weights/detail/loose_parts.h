// SPDX-License-Identifier: Apache-2.0
// Small parts around the bones, as of a shape made of scales or leaves, that no bone goes through.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/weights/detail/lattice_bones.h"

namespace sinew::detail {

// A body is loose if no bone goes through it and a bone is nearer to it than any skin that has one:
// to take over the weights of that skin would tell nothing of the bones between them. Marks them;
// `positions` are those of the mesh. Where most of the skin is loose, guests of bodies of less than
// a quarter of their length are sent away, and these are loose as well: one of many small parts is
// not what the bone moves.
std::vector<char> find_loose(std::vector<LatticeBody>& bodies, const std::vector<Vec3>& positions,
                             const Skeleton& skeleton);

// One body for all that is loose: a box around these parts and all bones, whose corners are
// appended to `positions`. Its triangles are those of the box, its vertices those of the parts.
// None if nothing is loose. `repairs` receives a note.
std::optional<LatticeBody> take_loose(std::vector<LatticeBody>& bodies,
                                      const std::vector<char>& loose, const Skeleton& skeleton,
                                      std::vector<Vec3>& positions,
                                      std::vector<std::string>& repairs);

}  // namespace sinew::detail
