// SPDX-License-Identifier: Apache-2.0
// Creates a finished surface with a given number of vertices from a field.
#pragma once

#include "sinew/core/progress.h"
#include "sinew/samples/detail/polygonize.h"

namespace sinew::samples {

// The closed surface of `field` with about `vertex_target` vertices, denser where primitives ask
// for detail. With `symmetric` the field is sampled in x >= 0 and mirrored, so that the result is
// exactly symmetric under x -> -x. If the target is too small for a shape with many limbs, it is
// exceeded rather than losing topology.
Surface sculpt(const Field& field, std::size_t vertex_target, bool symmetric,
               const Progress& progress = {});

// The flat surface where `field` is negative in the plane z = 0, facing +z.
Surface sculpt_flat(const Field& field, std::size_t vertex_target, const Progress& progress = {});

}  // namespace sinew::samples
