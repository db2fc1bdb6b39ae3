// SPDX-License-Identifier: Apache-2.0
#include "sinew/puppet/stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/draw/overlay.h"

namespace sinew {

Stage::Stage(const Puppet& puppet, Method method, std::shared_ptr<const FlatTexture> texture)
    : puppet_(puppet),
      texture_(texture ? std::move(texture) : std::make_shared<FlatTexture>(puppet.texture)),
      deformer_(puppet.rig, std::move(method)) {}

std::vector<Vec3> Stage::posed(std::span<const BoneState> bones) {
  Deformed deformed = deformer_.at(bones, {});
  require_finite(deformed);
  return std::move(deformed.positions);
}

Image Stage::draw(std::span<const Vec3> positions, const FlatView& view, Pixel background) const {
  return draw_flat(*texture_, puppet_.places, positions, puppet_.rig.mesh.triangles, view,
                   background);
}

void draw_bones(Image& image, const FlatView& view, std::span<const BoneState> bones,
                std::span<const Rgb> colors) {
  const double thickness = std::max(std::max(view.width, view.height) / 400.0, 1.0);
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const Vec2 head = to_pixels(view, bones[b].posed_head),
               tail = to_pixels(view, bones[b].posed_tail);
    const auto draw = [&](double line, double dot, const Rgb& color, float opacity) {
      const std::array<Stroke, 3> strokes{{{head, tail, line * thickness},
                                           {head, head, dot * thickness},
                                           {tail, tail, dot * thickness}}};
      draw_strokes(image, strokes, color, opacity);
    };
    draw(2.6, 5, {0, 0, 0}, 0.7F);
    draw(1.4, 3.4, colors[b], 1);
  }
}

FlatView stage_view(const Puppet& puppet, const Box& seen, int side) {
  const double unit = puppet.pixels_per_unit;
  const Box rest = bounding_box(puppet.rig.mesh.positions);
  // How far it goes beyond the picture's frame, and beyond what the margin around the figure does
  // at rest; in whole pixels, so that the picture is drawn as it is where nothing moves.
  const auto beyond = [&](double posed, double at_rest) {
    return std::ceil(std::max(0.0, posed * unit - std::max(0.0, at_rest * unit)) - 1e-6);
  };
  const double width = puppet.width / unit, height = puppet.height / unit;
  const double left = -beyond(-seen.low.x, -rest.low.x), bottom = -beyond(-seen.low.y, -rest.low.y),
               right = puppet.width + beyond(seen.high.x - width, rest.high.x - width),
               top = puppet.height + beyond(seen.high.y - height, rest.high.y - height);
  const double longer = std::max(right - left, top - bottom);
  const double largest = std::max(4096.0, 4.0 * std::max(puppet.width, puppet.height));
  if (side == 0 && longer > largest) {
    throw InputError("joints", fmt::format("they take the picture {:.0f} pixels wide and {:.0f} "
                                           "high; keep its frame (--keep-frame), or give a size "
                                           "(--size)",
                                           right - left, top - bottom));
  }
  const double scale = side == 0 ? 1 : side / longer;
  const auto pixels = [&](double length) {
    return static_cast<int>(std::clamp(std::round(length * scale), 1.0, largest_image_side + 1.0));
  };
  FlatView view;
  view.corner = {left / unit, top / unit};
  view.pixels_per_unit = unit * scale;
  view.width = pixels(right - left);
  view.height = pixels(top - bottom);
  check_image_size(view.width, view.height);
  return view;
}

}  // namespace sinew
