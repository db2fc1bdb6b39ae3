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

// Of `background`, all pixels of the background's colour, keeps what reaches the picture's border
// and the gaps, and says how many parts of at least `smallest` pixels are gaps and how many not.
// A gap
// - has a 50th of the figure's area at least (the white of an eye rarely has), and a radius of two
//   pixels;
// - has nothing in it (an eye has its pupil);
// - is as flat as the background outside, and of the same colour;
// - has limbs around it and not pen strokes, of which the figure may be drawn: nine tenths of its
//   border is on something a 50th as thick as the figure is long, an eighth as thick as the gap is
//   wide, and three pixels.
EnclosedParts keep_gaps(Mask& background, const Image& picture, int smallest);

}  // namespace sinew::detail
