// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/draw/detail/geometry.h"
#include "sinew/draw/detail/ground.h"
#include "sinew/draw/detail/occlusion.h"
#include "sinew/draw/detail/surfaces.h"
#include "sinew/draw/scene.h"

namespace sinew {
namespace {

using draw::Canvas;
using draw::Light;

constexpr double fold_radius = 0.06;  // as a share of the scene's size

void check(const Scene& scene, const Camera& camera, int width, int height) {
  check_image_size(width, height);
  if (scene.samples != 1 && scene.samples != 4 && scene.samples != 8) {
    throw UsageError("a pixel has 1, 4 or 8 samples");
  }
  if (!is_finite(camera.eye) || !(camera.half_height > 0) ||
      (camera.perspective && !(camera.near > 0))) {
    throw UsageError("the camera is not valid; make one with frame()");
  }
  for (const Drawable& surface : scene.surfaces) draw::validate(surface);
  for (const Drawable& surface : scene.inner) draw::validate(surface);
}

double size_of(const std::vector<Drawable>& surfaces) {
  std::optional<Box> box;
  for (const Drawable& surface : surfaces) {
    if (surface.positions.empty()) continue;
    const Box own = bounding_box(surface.positions);
    box = box ? joined(*box, own) : own;
  }
  return box ? box->diagonal() : 0;
}

bool is_lit(const std::vector<Drawable>& surfaces) {
  return std::any_of(surfaces.begin(), surfaces.end(), [](const Drawable& s) { return s.lit; });
}

// `top` over `light`.
void cover(Light& light, const Light& top, float opacity) {
  light.color = top.color * opacity + light.color * (1 - top.alpha * opacity);
  light.alpha = top.alpha * opacity + light.alpha * (1 - top.alpha * opacity);
}

}  // namespace

Image render(const Scene& scene, const Camera& camera, int width, int height) {
  check(scene, camera, width, height);
  Canvas canvas(width, height);
  const bool folds = scene.occlusion > 0 && is_lit(scene.surfaces);
  if (folds) canvas.seen.resize(canvas.light.size());
  draw::draw_surfaces(scene.surfaces, camera, scene.samples, canvas);
  if (folds) {
    const draw::Rays rays(camera, width, height);
    draw::darken_folds(canvas, rays, static_cast<float>(fold_radius * size_of(scene.surfaces)),
                       scene.occlusion);
  }
  if (!scene.inner.empty()) {
    Canvas inner(width, height);
    draw::draw_surfaces(scene.inner, camera, scene.samples, inner);
    for (std::size_t i = 0; i < canvas.light.size(); ++i) {
      cover(canvas.light[i], inner.light[i], scene.inner_opacity);
    }
  }
  if (scene.ground) draw::draw_ground(canvas, scene.surfaces, camera, scene.ground_height);

  Image image(width, height);
  parallel_for(static_cast<std::size_t>(height), 16, [&](std::size_t begin, std::size_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y) {
      for (int x = 0; x < width; ++x) {
        Light light{scene.background * scene.background_alpha, scene.background_alpha};
        cover(light, canvas.light[canvas.index(x, y)], 1);
        image.at(x, y) =
            light.alpha > 0 ? to_srgb(light.color / light.alpha, light.alpha) : Pixel{0, 0, 0, 0};
      }
    }
  });
  return image;
}

}  // namespace sinew
