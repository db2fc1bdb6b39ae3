// SPDX-License-Identifier: Apache-2.0
// The figure in a picture, told from what is around it: by its alpha channel, by the colour of the
// background, or by a second picture.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sinew/image/image.h"
#include "sinew/picture/mask.h"

namespace sinew {

// Within a figure, the background's colour can be a gap through which the background is seen, or
// the white of an eye in a figure on white. Cut out are all such parts, none, or those that are
// clearly gaps: large, empty, as flat as the background outside, and with limbs around them that
// are no pen strokes (see detail/enclosed.h for how much of each).
enum class EnclosedBackground { automatic, keep, cut };

// What counts as figure.
struct SilhouetteOptions {
  // Inside is what has at least this much alpha, in (0, 1]. What is below cannot be seen.
  double alpha = 1.0 / 16;
  // Which colour is background; without one, that which most of the picture's border has.
  std::optional<Pixel> background = std::nullopt;
  // The largest difference of a channel, in [0, 1], by which a pixel may differ from it.
  double background_tolerance = 0.1;
  // What becomes of parts of its colour that do not hang together with the picture's border.
  EnclosedBackground enclosed = EnclosedBackground::automatic;
  // Islands of fewer pixels are dropped; the largest one never is.
  int smallest_island = 4;
};

// By what it was found.
enum class SilhouetteSource { alpha, background, mask };

// The figure, and how it was found.
struct Silhouette {
  Mask mask;
  // The picture to show: its alpha 0 away from the figure, its colours free of the background's.
  Image image;
  SilhouetteSource source = SilhouetteSource::alpha;
  // What was taken for background; of no meaning for other sources.
  Pixel background;
  // How it was done, to tell the user: "by the background #ffffff, the colour of 98% of the
  // picture's border".
  std::string how;
  std::size_t dropped_islands = 0, dropped_pixels = 0;
  // Parts of the background's colour within the figure that were cut out, and that were not; specks
  // of fewer than `smallest_island` pixels are not counted.
  std::size_t gaps = 0, kept_parts = 0;
};

// All of these throw InputError where nothing is inside, and UsageError for options out of range
// or a picture without pixels.

// By what can be seen: alpha from options.alpha on.
Silhouette silhouette_from_alpha(const Image& picture, const SilhouetteOptions& options = {});

// Pixels that cannot be seen are background too. Along the border between figure and background the
// image gets the alpha that explains its colours as a mix of both. Throws InputError if less than
// half of the picture's border has one colour and none is given.
Silhouette silhouette_from_background(const Image& picture, const SilhouetteOptions& options = {});

// Bright is inside, or opaque where the mask has an alpha channel that is not opaque everywhere;
// the limit is one half. The image's alpha is multiplied by the mask's. Throws InputError if the
// sizes differ.
Silhouette silhouette_from_mask(const Image& picture, const Image& mask,
                                const SilhouetteOptions& options = {});

// From alpha if any pixel is not opaque and no background is given, from the background otherwise.
Silhouette silhouette(const Image& picture, const SilhouetteOptions& options = {});

}  // namespace sinew
