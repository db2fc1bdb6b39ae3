// SPDX-License-Identifier: Apache-2.0
// Where a puppet is seen: posed by a method, and drawn with its picture.
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
  // The puppet must outlive this. Throws UsageError where the method does not fit it. Several
  // stages of one puppet may share its texture.
  Stage(const Puppet& puppet, Method method, std::shared_ptr<const FlatTexture> texture = nullptr);

  // The puppet's picture, made ready to be drawn.
  const std::shared_ptr<const FlatTexture>& texture() const { return texture_; }

  // The vertices in a pose of the bones. Throws InputError where one goes to infinity.
  std::vector<Vec3> posed(std::span<const BoneState> bones);

  // The puppet with its vertices at `positions`.
  Image draw(std::span<const Vec3> positions, const FlatView& view,
             Pixel background = {0, 0, 0, 0}) const;

 private:
  const Puppet& puppet_;
  std::shared_ptr<const FlatTexture> texture_;
  Deformer deformer_;
};

// Bones as lines with a dot at each end, in a colour each.
void draw_bones(Image& image, const FlatView& view, std::span<const BoneState> bones,
                std::span<const Rgb> colors);

// What the picture itself shows, made larger on each side by what `seen` (in the rig's units)
// reaches beyond it. Its longer side has `side` pixels, or with 0 as many as it takes to draw the
// picture in its own size. Throws InputError where that is more than four times as large as the
// picture and 4096 pixels, UsageError where it is too large for an image.
FlatView stage_view(const Puppet& puppet, const Box& seen, int side = 0);

}  // namespace sinew
