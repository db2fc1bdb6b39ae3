// SPDX-License-Identifier: Apache-2.0
// Finds the figure in a picture: by the alpha channel, by the colour of the background, or by a
// second picture.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sinew/image/image.h"
#include "sinew/picture/mask.h"

namespace sinew {

// Areas of the background's colour inside a figure can be gaps that show the background, or the
// white of an eye in a figure on white. `cut` removes all of them, `keep` none, and `automatic`
// those that are clearly gaps: large, empty, as flat as the background outside, and surrounded by
// limbs rather than pen strokes (thresholds in detail/enclosed.h).
enum class EnclosedBackground { automatic, keep, cut };

// What counts as figure.
struct SilhouetteOptions {
  // Pixels with at least this alpha, in (0, 1], are inside; others count as invisible.
  double alpha = 1.0 / 16;
  // The background colour. If empty, the most common colour of the picture's border.
  std::optional<Pixel> background = std::nullopt;
  // The largest difference of any channel from the background colour, in [0, 1].
  double background_tolerance = 0.1;
  // How to treat areas of that colour that are not connected to the picture's border.
  EnclosedBackground enclosed = EnclosedBackground::automatic;
  // Islands of fewer pixels are dropped, but never the largest one.
  int smallest_island = 4;
};

// By what it was found.
enum class SilhouetteSource { alpha, background, mask };

// The figure, and how it was found.
struct Silhouette {
  Mask mask;
  // The picture to draw: alpha 0 outside the figure, with the background's colour removed along its
  // edge.
  Image image;
  SilhouetteSource source = SilhouetteSource::alpha;
  // The background colour used; meaningless for other sources.
  Pixel background;
  // A description for the user: "by the background #ffffff, the colour of 98% of the picture's
  // border".
  std::string how;
  std::size_t dropped_islands = 0, dropped_pixels = 0;
  // Numbers of areas of the background's colour inside the figure that were cut out and kept, not
  // counting those of fewer than `smallest_island` pixels.
  std::size_t gaps = 0, kept_parts = 0;
};

// All of these throw InputError if the figure is empty, and UsageError for options out of range or
// a picture without pixels.

// By what can be seen: alpha from options.alpha on.
Silhouette silhouette_from_alpha(const Image& picture, const SilhouetteOptions& options = {});

// Invisible pixels are background too. Along the border between figure and background, alpha is
// chosen so that the colours there are a mix of both. Throws InputError if no background colour is
// given and less than half of the picture's border has one colour.
Silhouette silhouette_from_background(const Image& picture, const SilhouetteOptions& options = {});

// Bright pixels of the mask are inside or, if the mask is not fully opaque, its opaque pixels; the
// threshold is one half. The image's alpha is multiplied by the mask's. Throws InputError if the
// sizes differ.
Silhouette silhouette_from_mask(const Image& picture, const Image& mask,
                                const SilhouetteOptions& options = {});

// Uses alpha if any pixel is not opaque and no background colour is given, otherwise the
// background.
Silhouette silhouette(const Image& picture, const SilhouetteOptions& options = {});

}  // namespace sinew
