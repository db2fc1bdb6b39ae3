// SPDX-License-Identifier: Apache-2.0
// Overlays on a finished picture, and shapes that represent bones.
#pragma once

#include <span>

#include "sinew/draw/scene.h"
#include "sinew/image/image.h"

namespace sinew {

// A line `width` pixels wide with round ends; positions in pixels from the upper left corner.
struct Stroke {
  Vec2 from, to;
  double width = 1;
};

// Anti-aliased. Overlaps within one call do not get darker. A stroke of length 0 is a disc. Clipped
// to the image.
void draw_strokes(Image& image, std::span<const Stroke> strokes, const Rgb& color,
                  float opacity = 1);

// Fills a rectangle, clipped to the image.
void fill_rectangle(Image& image, int left, int top, int width, int height, const Rgb& color,
                    float opacity = 1);

// A posed bone, in world space.
struct BoneShape {
  Vec3 head, tail;
  Rgb color;
};

// An octahedron for each bone, with its waist near the head and `thickness` times the bone's length
// wide, and a ball at each end; to be drawn as Scene::inner. Throws UsageError for a thickness that
// is not above 0.
Drawable bone_drawable(std::span<const BoneShape> bones, double thickness = 0.16);

}  // namespace sinew
