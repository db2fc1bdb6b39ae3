// SPDX-License-Identifier: Apache-2.0
// Things drawn on a finished picture, and shapes that stand for bones.
#pragma once

#include <span>

#include "sinew/draw/scene.h"
#include "sinew/image/image.h"

namespace sinew {

// A line `width` pixels wide with round ends; places in pixels from the upper left corner.
struct Stroke {
  Vec2 from, to;
  double width = 1;
};

// Smooth at the edges. What overlaps within one call is not darker there. Strokes of no length are
// discs. What does not fit into the image is cut off.
void draw_strokes(Image& image, std::span<const Stroke> strokes, const Rgb& color,
                  float opacity = 1);

// All pixels of a rectangle; what does not fit into the image is cut off.
void fill_rectangle(Image& image, int left, int top, int width, int height, const Rgb& color,
                    float opacity = 1);

// A bone as it is posed, in world space.
struct BoneShape {
  Vec3 head, tail;
  Rgb color;
};

// An octahedron for each bone, its waist near the head and `thickness` times its length wide, and a
// ball at each of its ends: to be drawn as Scene::inner. Throws UsageError for a thickness that is
// not above 0.
Drawable bone_drawable(std::span<const BoneShape> bones, double thickness = 0.16);

}  // namespace sinew
