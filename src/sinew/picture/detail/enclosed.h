// SPDX-License-Identifier: Apache-2.0
// Parts of a picture that have the background's colour and lie within the figure: gaps through
// which the background is seen, or white eyes, shirts and paper in a figure on white.
#pragma once

#include <cstddef>

#include "sinew/image/image.h"
#include "sinew/picture/mask.h"

namespace sinew::detail {

struct EnclosedParts {
  std::size_t gaps = 0, others = 0;
};

// `background` starts as all pixels of the background's colour. Keeps those connected to the
// picture's border and the gaps, and counts how many enclosed parts of at least `smallest` pixels
// are gaps and how many are not. A gap
// - has at least a 50th of the figure's area (the white of an eye rarely does) and a radius of at
//   least two pixels;
// - has nothing in it (an eye has its pupil);
// - is as flat as the background outside, and of the same colour;
// - is surrounded by limbs rather than pen strokes: nine tenths of its border is on something at
//   least a 50th as thick as the figure is long, an eighth as thick as the gap is wide, and three
//   pixels thick.
EnclosedParts keep_gaps(Mask& background, const Image& picture, int smallest);

}  // namespace sinew::detail
