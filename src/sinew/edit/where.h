// SPDX-License-Identifier: Apache-2.0
// Which vertices a step is for: those that bones move, or those an expression is true for.
//
//   forearm.L                     vertices that the bone moves, a weight above 0
//   forearm.L,hand.L,3            that one of them moves; by names or numbers
//   x > 0.1 and weight(forearm.L) > 0.2
//
// An expression compares numbers with < <= > >= = !=, and joins that with and, or, not and
// parentheses. A number is x, y, z (in mesh space), vertex (its index), influences (how many bones
// move it), weight(BONE), endpoint(BONE), twist_endpoint(BONE), abs(NUMBER), a decimal number, or
// these with + - * / and parentheses. part(NAME) is true in a part of the mesh. Names go up to the
// closing parenthesis, or stand in quotes if they have one. endpoint(BONE) is 0 where the bone does
// not move the vertex.
#pragma once

#include <string>
#include <vector>

#include "sinew/rig/rig.h"

namespace sinew {

// One for each vertex of the mesh; none at all if `where` is empty, which means all vertices. Text
// with one of < > = ( that is not the name of a bone is an expression. Throws UsageError for a bone
// or part that does not exist, and with the column for an expression that cannot be read.
std::vector<bool> selected_vertices(const Rig& rig, const std::string& where);

// " where EXPRESSION", for reports; empty if it is.
std::string where_text(const std::string& where);

}  // namespace sinew
