// SPDX-License-Identifier: Apache-2.0
// Poses a puppet by a method and draws it with its picture.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/draw/flat.h"
#include "sinew/kernels/deformer.h"
#include "sinew/puppet/puppet.h"

namespace sinew {

// Draws a puppet in one pose after another.
class Stage {
 public:
  // The puppet must outlive the stage. Throws UsageError if the method does not fit the puppet.
  // Several stages of one puppet may share its texture.
  Stage(const Puppet& puppet, Method method, std::shared_ptr<const FlatTexture> texture = nullptr);

  // The puppet's picture, made ready to be drawn.
  const std::shared_ptr<const FlatTexture>& texture() const { return texture_; }

  // The vertices in a pose of the bones. Throws InputError if one is not finite.
  std::vector<Vec3> posed(std::span<const BoneState> bones);

  // The puppet with its vertices at `positions`.
  Image draw(std::span<const Vec3> positions, const FlatView& view,
             Pixel background = {0, 0, 0, 0}) const;

 private:
  const Puppet& puppet_;
  std::shared_ptr<const FlatTexture> texture_;
  Deformer deformer_;
};

// Draws bones as lines with a dot at each end, each in its own colour.
void draw_bones(Image& image, const FlatView& view, std::span<const BoneState> bones,
                std::span<const Rgb> colors);

// The picture's own area, extended on each side to include `seen` (in the rig's units). Its longer
// side has `side` pixels, or with 0 as many as needed to draw the picture at its original size.
// Throws InputError if that is more than four times the picture's size and more than 4096 pixels,
// UsageError if it is too large for an image.
FlatView stage_view(const Puppet& puppet, const Box& seen, int side = 0);

}  // namespace sinew
