// SPDX-License-Identifier: Apache-2.0
// What is wrong with a glTF file that was read all the same.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/gltf.h"

namespace sinew {

// What is wrong in the numbers and images of the file that the model was read from, a line for each
// with its JSON pointer: bounds that are not those of the numbers, indices of vertices that do not
// exist, normals that are no unit vectors, colours out of range, images that cannot be found, are
// damaged, or are of another kind. Takes as long as reading the file; at most a hundred. What is
// wrong besides is in Rig::notes. Empty for a model without a source.
std::vector<std::string> data_problems(const Model& model);

}  // namespace sinew
