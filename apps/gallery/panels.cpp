// SPDX-License-Identifier: Apache-2.0
#include "panels.h"

#include <algorithm>
#include <cmath>

#include "sinew/draw/font.h"
#include "sinew/draw/overlay.h"
#include "sinew/image/png.h"

namespace sinew::gallery {
namespace {

const Rgb ink = to_linear(Pixel{34, 36, 40});
constexpr Pixel paper{255, 255, 255, 255};
constexpr int gap = 6;
constexpr int caption_height = 30;
constexpr double largest_text = 16;

void draw_title(Image& image, const std::string& title, int left, int baseline, int width) {
  double size = largest_text;
  const double needed = text_width(title, size);
  if (needed > width) size *= width / needed;
  const double x = left + 0.5 * (width - text_width(title, size));
  draw_text(image, x, baseline, title, {size, ink, 1, false});
}

}  // namespace

Wall::Wall(const Look& look, const Detail& detail, const std::vector<Vec3>& points)
    : look_(look),
      width_(std::max(1, static_cast<int>(look.aspect * look.height * detail.height))),
      height_(std::max(1, static_cast<int>(look.height * detail.height))),
      camera_(frame(look.view, points, double(width_) / height_, {.margin = look.margin})) {}

Image Wall::draw(const std::vector<Panel>& panels) const {
  const int count = static_cast<int>(panels.size());
  const int columns = look_.columns > 0 ? std::min(look_.columns, count) : count;
  const int rows = (count + columns - 1) / columns;
  const int step_x = width_ + gap, step_y = height_ + caption_height;
  Image image(columns * step_x - gap, rows * step_y, paper);
  for (int i = 0; i < count; ++i) {
    const Panel& panel = panels[i];
    const int left = i % columns * step_x, top = i / columns * step_y;
    Image picture = render(panel.scene, camera_, width_, height_);
    if (panel.overlay) panel.overlay(picture);
    paste(image, picture, left, top);
    draw_title(image, panel.title, left, top + height_ + 20, width_);
  }
  return image;
}

std::vector<Vec3> places(const std::vector<Panel>& panels) {
  std::vector<Vec3> points;
  for (const Panel& panel : panels) {
    for (const Drawable& drawn : panel.scene.surfaces) {
      points.insert(points.end(), drawn.positions.begin(), drawn.positions.end());
    }
  }
  return points;
}

Picture still(const std::string& name, const Image& image, std::string description) {
  return {name + ".png", encode_png(image), image.width(), image.height(), std::move(description)};
}

Picture loop(const std::string& name, int frames, double seconds,
             const std::function<Image(double phase)>& frame, std::string description,
             const Progress& progress) {
  ApngEncoder encoder(static_cast<std::size_t>(frames), seconds / frames);
  Picture picture{name + ".png", {}, 0, 0, std::move(description)};
  for (int i = 0; i < frames; ++i) {
    progress.report(name, double(i) / frames);
    const Image image = frame(std::fmod(0.5 + double(i) / frames, 1.0));
    picture.width = image.width();
    picture.height = image.height();
    encoder.add(image);
  }
  picture.bytes = encoder.finish();
  return picture;
}

Drawable bones(std::span<const BoneState> states, double thickness) {
  constexpr Rgb color{0.95F, 0.62F, 0.10F};
  std::vector<BoneShape> shapes;
  for (const BoneState& state : states) {
    shapes.push_back({state.posed_head, state.posed_tail, color});
  }
  return bone_drawable(shapes, thickness);
}

Scene scene_of(Drawable skin) {
  Scene scene;
  scene.background = to_linear(Pixel{244, 245, 247});
  scene.samples = 8;
  scene.surfaces.push_back(std::move(skin));
  return scene;
}

Scene scene_of(Drawable skin, Drawable skeleton) {
  Scene scene = scene_of(std::move(skin));
  scene.inner.push_back(std::move(skeleton));
  return scene;
}

void paint_squares(Mesh& mesh, const Vec3& head, const Vec3& tail, int around, double spacing,
                   const Vec3& color, const Vec3& other) {
  const Vec3 u = normalized(tail - head), x = any_perpendicular(u), y = cross(u, x);
  mesh.colors.clear();
  for (const Vec3& place : mesh.positions) {
    const Vec3 p = place - head;
    const double wave =
        std::sin(around * std::atan2(dot(p, y), dot(p, x))) * std::sin(pi * dot(p, u) / spacing);
    const double tone = std::clamp(0.5 + 4 * wave, 0.0, 1.0);
    const Vec3 mixed = lerp(other, color, tone);
    mesh.colors.push_back({mixed.x, mixed.y, mixed.z, 1});
  }
}

}  // namespace sinew::gallery
