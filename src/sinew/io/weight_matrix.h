// SPDX-License-Identifier: Apache-2.0
// Bone weights and endpoint weights as dense matrices, vertices x bones, as .dmat files hold them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/io/dmat.h"
#include "sinew/skin/weights.h"

namespace sinew {

// 0 where a vertex has no influence of the bone; several of one bone are added up. Throws
// InputError as validate(weights).
Matrix weights_to_matrix(const Weights& weights, std::size_t bone_count);
// Zeros are left out.
Weights weights_from_matrix(const Matrix& matrix);

// 0 where the bone does not influence the vertex; if it does so several times, the last value.
// Throws UsageError unless there is one endpoint weight for each influence.
Matrix endpoints_to_matrix(const Weights& weights, std::span<const double> endpoints,
                           std::size_t bone_count);
// One for each influence of the weights; other entries of the matrix are ignored. Throws InputError
// if an influence's row or column is not in the matrix.
std::vector<double> endpoints_from_matrix(const Matrix& matrix, const Weights& weights);

}  // namespace sinew
