// SPDX-License-Identifier: Apache-2.0
// From a field to a finished surface with as many vertices as asked for.
#pragma once

#include "sinew/core/progress.h"
#include "sinew/samples/detail/polygonize.h"

namespace sinew::samples {

// The closed surface of `field` with about `vertex_target` vertices, more densely where primitives
// ask for detail. With `symmetric` the field is taken in x >= 0 and mirrored: the result is the
// same, to the bit, under x -> -x. Few vertices cannot hold a shape with many limbs: the target is
// then passed, never the topology lost.
Surface sculpt(const Field& field, std::size_t vertex_target, bool symmetric,
               const Progress& progress = {});

// The flat surface where `field` is negative in the plane z = 0, facing +z.
Surface sculpt_flat(const Field& field, std::size_t vertex_target, const Progress& progress = {});

}  // namespace sinew::samples
