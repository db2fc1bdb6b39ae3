// SPDX-License-Identifier: Apache-2.0
#include "sinew/picture/silhouette.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/picture/detail/background.h"
#include "sinew/picture/detail/enclosed.h"
#include "sinew/picture/detail/islands.h"

namespace sinew {
namespace {

void check(const Image& picture, const SilhouetteOptions& options) {
  check_image_size(picture.width(), picture.height());
  if (!(options.alpha > 0 && options.alpha <= 1)) {
    throw UsageError("the alpha from which a pixel counts must be above 0 and at most 1");
  }
  if (!(options.background_tolerance >= 0 && options.background_tolerance <= 1)) {
    throw UsageError("the background's tolerance must be from 0 to 1");
  }
}

bool visible(const Pixel& pixel, const SilhouetteOptions& options) {
  return pixel.a >= 255 * options.alpha;
}

bool all_opaque(const Image& picture) {
  return std::all_of(picture.pixels().begin(), picture.pixels().end(),
                     [](const Pixel& p) { return p.a == 255; });
}

template <class Test>
Mask mask_where(const Image& picture, Test&& test) {
  Mask mask(picture.width(), picture.height());
  for (std::size_t i = 0; i < mask.inside.size(); ++i) {
    mask.inside[i] = test(picture.pixels()[i]) ? 1 : 0;
  }
  return mask;
}

void finish(Silhouette& result, const SilhouetteOptions& options, const char* otherwise) {
  if (std::all_of(result.mask.inside.begin(), result.mask.inside.end(),
                  [](auto in) { return in == 0; })) {
    throw InputError("picture", fmt::format("nothing to see: {}", otherwise));
  }
  const detail::Dropped dropped = detail::drop_specks(result.mask, options.smallest_island);
  result.dropped_islands = dropped.islands;
  result.dropped_pixels = dropped.pixels;
}

std::string name_of(const Pixel& p) { return fmt::format("#{:02x}{:02x}{:02x}", p.r, p.g, p.b); }

// Of all pixels with the background's colour, keeps those that are background.
void take_enclosed(const Image& picture, const SilhouetteOptions& options, Mask& background,
                   Silhouette& result) {
  Mask all = background;
  const detail::EnclosedParts parts =
      detail::keep_gaps(background, picture, options.smallest_island);
  result.gaps = parts.gaps;
  result.kept_parts = parts.others;
  if (options.enclosed == EnclosedBackground::cut) {
    background = std::move(all);
    result.gaps += std::exchange(result.kept_parts, 0);
  } else if (options.enclosed == EnclosedBackground::keep) {
    detail::keep_what_reaches_the_border(background);
    result.kept_parts += std::exchange(result.gaps, 0);
  }
  if (result.gaps + result.kept_parts == 0) return;
  result.how += fmt::format("; of its parts within the figure {} cut out and {} kept", result.gaps,
                            result.kept_parts);
}

// How much of a pixel is inside, in [0, 1].
double coverage(const Pixel& pixel, bool by_alpha) {
  if (by_alpha) return pixel.a / 255.0;
  return (0.2126 * pixel.r + 0.7152 * pixel.g + 0.0722 * pixel.b) / 255;
}

}  // namespace

Silhouette silhouette_from_alpha(const Image& picture, const SilhouetteOptions& options) {
  check(picture, options);
  Silhouette result;
  result.source = SilhouetteSource::alpha;
  result.mask = mask_where(picture, [&](const Pixel& p) { return visible(p, options); });
  result.image = picture;
  result.how = "by the picture's alpha channel";
  finish(result, options,
         "all of the picture is transparent, or nearly; give one with something in it, or a mask");
  return result;
}

Silhouette silhouette_from_background(const Image& picture, const SilhouetteOptions& options) {
  check(picture, options);
  Silhouette result;
  result.source = SilhouetteSource::background;
  if (options.background) {
    result.background = *options.background;
    result.how = fmt::format("by the background {} as given", name_of(result.background));
  } else {
    const auto [color, share] = detail::border_color(picture, options.background_tolerance);
    if (share < 0.5) {
      throw InputError(
          "picture",
          fmt::format("its border has no colour that could be the background: the most frequent, "
                      "{}, covers {:.0f}% of it; give the colour (--background), a mask, or a "
                      "picture with transparency",
                      name_of(color), std::floor(100 * share)));
    }
    result.background = color;
    result.how = fmt::format("by the background {}, the colour of {:.0f}% of the picture's border",
                             name_of(color), std::floor(100 * share));
  }
  Mask outside = mask_where(picture, [&](const Pixel& p) {
    return !visible(p, options) ||
           detail::color_difference(p, result.background) <= options.background_tolerance;
  });
  take_enclosed(picture, options, outside, result);
  for (std::uint8_t& in : outside.inside) in = in ? 0 : 1;
  result.mask = std::move(outside);
  finish(result, options,
         "all of the picture has the background's colour; give another colour (--background), a "
         "smaller tolerance, or a mask");
  result.image =
      detail::cut_out(picture, result.mask, result.background, options.background_tolerance);
  return result;
}

Silhouette silhouette_from_mask(const Image& picture, const Image& mask,
                                const SilhouetteOptions& options) {
  check(picture, options);
  if (mask.width() != picture.width() || mask.height() != picture.height()) {
    throw InputError("mask",
                     fmt::format("it has {} x {} pixels, the picture {} x {}; give a mask of "
                                 "the picture's size",
                                 mask.width(), mask.height(), picture.width(), picture.height()));
  }
  const bool by_alpha = !all_opaque(mask);
  Silhouette result;
  result.source = SilhouetteSource::mask;
  result.mask = mask_where(mask, [&](const Pixel& p) { return coverage(p, by_alpha) >= 0.5; });
  result.how = by_alpha ? "by the mask's alpha channel" : "by the mask's brightness";
  result.image = picture;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      std::uint8_t& a = result.image.at(x, y).a;
      a = static_cast<std::uint8_t>(std::lround(a * coverage(mask.at(x, y), by_alpha)));
    }
  }
  finish(result, options, "nothing in the mask is bright or opaque; paint the figure white in it");
  return result;
}

Silhouette silhouette(const Image& picture, const SilhouetteOptions& options) {
  return options.background || all_opaque(picture) ? silhouette_from_background(picture, options)
                                                   : silhouette_from_alpha(picture, options);
}

}  // namespace sinew
