// SPDX-License-Identifier: Apache-2.0
#include "panels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "posing.h"
#include "sinew/draw/font.h"
#include "sinew/draw/overlay.h"
#include "sinew/image/png.h"

namespace sinew::gallery {
namespace {

// To be read on light and on dark paper.
const Rgb ink = to_linear(Pixel{118, 124, 134});
constexpr Pixel paper{255, 255, 255, 0};
constexpr int gap = 6;
constexpr int caption_height = 30;
constexpr double largest_text = 16;

// An animated picture of so many sheets, each by its number.
Picture animated(const std::string& name, int frames, double seconds, std::string description,
                 const Progress& progress, const std::function<Sheet(int frame)>& sheet_at) {
  ApngEncoder encoder(static_cast<std::size_t>(frames), seconds / frames);
  Picture picture{name + ".png", {}, 0, 0, std::move(description)};
  for (int i = 0; i < frames; ++i) {
    progress.report(name, double(i) / frames);
    const Sheet sheet = sheet_at(i);
    picture.width = sheet.image.width();
    picture.height = sheet.image.height();
    picture.tiles = sheet.tiles;
    picture.columns = sheet.columns;
    encoder.add(sheet.image);
  }
  picture.bytes = encoder.finish();
  return picture;
}

double phase_of(int frame, int frames) { return std::fmod(0.5 + double(frame) / frames, 1.0); }

void draw_title(Image& image, const std::string& title, int left, int baseline, int width) {
  double size = largest_text;
  const double needed = text_width(title, size);
  if (needed > width) size *= width / needed;
  const double x = left + 0.5 * (width - text_width(title, size));
  draw_text(image, x, baseline, title, {size, ink, 1, true});
}

}  // namespace

Sheet sheet_of(const std::vector<std::pair<std::string, Image>>& pictures, int columns) {
  const int count = static_cast<int>(pictures.size());
  const int across = columns > 0 ? std::min(columns, count) : count;
  const int rows = (count + across - 1) / across;
  const int width = pictures.front().second.width(), height = pictures.front().second.height();
  const int step_x = width + gap, step_y = height + caption_height;
  Sheet sheet{Image(across * step_x - gap, rows * step_y, paper), {}, columns};
  for (int i = 0; i < count; ++i) {
    const int left = i % across * step_x, top = i / across * step_y;
    paste(sheet.image, pictures[i].second, left, top);
    draw_title(sheet.image, pictures[i].first, left, top + height + 20, width);
    sheet.tiles.push_back({pictures[i].first, left, top, width, height});
  }
  return sheet;
}

Wall::Wall(const Look& look, const Detail& detail, const std::vector<Vec3>& points)
    : look_(look),
      width_(std::max(1, static_cast<int>(look.aspect * look.height * detail.height))),
      height_(std::max(1, static_cast<int>(look.height * detail.height))),
      camera_(frame(look.view, points, double(width_) / height_, {.margin = look.margin})) {}

Sheet Wall::draw(const std::vector<Panel>& panels) const {
  std::vector<std::pair<std::string, Image>> pictures;
  for (const Panel& panel : panels) {
    pictures.emplace_back(panel.title, render(panel.scene, camera_, width_, height_));
    if (panel.overlay) panel.overlay(pictures.back().second);
  }
  return sheet_of(pictures, look_.columns);
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

Picture still(const std::string& name, const Sheet& sheet, std::string description) {
  return {name + ".png",        encode_png(sheet.image), sheet.image.width(),
          sheet.image.height(), std::move(description),  sheet.tiles,
          sheet.columns};
}

Picture loop(const std::string& name, int frames, double seconds,
             const std::function<Sheet(double phase)>& frame, std::string description,
             const Progress& progress) {
  return animated(name, frames, seconds, std::move(description), progress,
                  [&](int i) { return frame(phase_of(i, frames)); });
}

Picture swing(const std::string& name, int frames, double seconds,
              const std::function<Sheet(double phase)>& frame, std::string description,
              const Progress& progress) {
  std::vector<Sheet> there;  // from the first frame on, to be shown on the way back
  return animated(name, frames, seconds, std::move(description), progress, [&](int i) {
    const std::size_t back = frames - i;
    if (back < there.size()) return std::move(there[back]);
    there.push_back(frame(phase_of(i, frames)));
    return there.back();
  });
}

std::vector<Vec3> Actor::at(std::span<const BoneState> states, std::span<const double> shapes) {
  Deformed result = deformer_.at(states, shapes);
  require_finite(result);
  return std::move(result.positions);
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
  scene.background_alpha = 0;
  scene.samples = 8;
  scene.surfaces.push_back(std::move(skin));
  return scene;
}

Scene scene_of(Drawable skin, Drawable skeleton) {
  Scene scene = scene_of(std::move(skin));
  scene.inner.push_back(std::move(skeleton));
  return scene;
}

Drawable banded(const Mesh& mesh, std::span<const Vec3> positions, const Vec3& from,
                const Vec3& along, double width) {
  auto bands = std::make_shared<Image>(64, 1);
  for (int x = 0; x < 64; ++x) {
    bands->at(x, 0) = x < 32 ? Pixel{214, 186, 130, 255} : Pixel{120, 66, 28, 255};
  }
  Mesh plain = mesh;
  plain.colors.clear();
  plain.uvs = {};
  for (const Vec3& p : mesh.positions) {
    plain.uvs.values.push_back({dot(p - from, normalized(along)) / (2 * width), 0.5});
  }
  return surface(plain, positions, std::move(bands));
}

std::shared_ptr<const Image> paint_squares(Mesh& mesh, const Vec3& head, const Vec3& tail,
                                           int around, double spacing, const Vec3& color) {
  const Vec3 u = normalized(tail - head), x = any_perpendicular(u), y = cross(u, x);
  mesh.colors.clear();
  mesh.uvs = {};
  // Waves about the line and along it: squares are where both have the same sign.
  for (const Vec3& place : mesh.positions) {
    const Vec3 p = place - head;
    mesh.uvs.values.push_back({0.5 + 0.25 * std::sin(around * std::atan2(dot(p, y), dot(p, x))),
                               0.5 + 0.25 * std::sin(pi * dot(p, u) / spacing)});
  }
  constexpr int side = 64;
  const auto pixel = [](const Vec3& c) {
    return to_srgb(Rgb{static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)});
  };
  constexpr Vec3 ivory{0.86, 0.80, 0.68};
  auto squares = std::make_shared<Image>(side, side, pixel(ivory));
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      if ((row < side / 2) != (column < side / 2)) squares->at(column, row) = pixel(color);
    }
  }
  return squares;
}

std::vector<StripedLimb> arm_stripes() {
  std::vector<StripedLimb> arms;
  for (const std::string side : {".L", ".R"}) {
    arms.push_back({{"upper_arm" + side, "forearm" + side}, 5, 0.4, 0.95});
  }
  return arms;
}

std::shared_ptr<const Image> paint_stripes(Rig& rig, std::span<const StripedLimb> limbs,
                                           std::shared_ptr<const Image> skin) {
  constexpr int side = 256;        // of the stripes' picture, at least
  constexpr double margin = 0.03;  // of them, on each side
  Mesh& mesh = rig.mesh;
  const auto count = static_cast<Index>(mesh.vertex_count());
  if (!skin) {
    skin = std::make_shared<Image>(side, side);
    mesh.uvs.values.assign(count, {0.5, 0.5});
  }
  // Of each vertex of a limb: how far it is along the stripes, from 0 to 1 or a little beyond, and
  // where on the waves about the limb that they are; others are at `nowhere`.
  constexpr double nowhere = -1, beyond = 0.25;
  std::vector<double> along(count, nowhere), wave(count);
  for (const StripedLimb& limb : limbs) {
    double length = 0, begin = 0, end = 0;
    std::vector<double> before;
    for (const std::string& name : limb.bones) {
      const Bone& bone = rig.skeleton.bones[bone_number(rig.skeleton, name)];
      const double size = distance(bone.head, bone.tail);
      if (before.empty()) begin = limb.from * size;
      before.push_back(length);
      end = length + limb.to * size;
      length += size;
    }
    Vec3 axis, across;
    for (std::size_t i = 0; i < limb.bones.size(); ++i) {
      const int number = bone_number(rig.skeleton, limb.bones[i]);
      const Bone& bone = rig.skeleton.bones[number];
      const Vec3 next = normalized(bone.tail - bone.head);
      across = i == 0 ? any_perpendicular(next) : rotate(rotation_between(axis, next), across);
      axis = next;
      for (Index v = 0; v < count; ++v) {
        if (dominant_bone(rig.skin.weights.row(v)) != number) continue;
        const Vec3 p = mesh.positions[v] - bone.head;
        along[v] =
            std::clamp((before[i] + dot(p, axis) - begin) / (end - begin), -beyond, 1 + beyond);
        wave[v] = std::sin(limb.pairs * std::atan2(dot(p, cross(axis, across)), dot(p, across)));
      }
    }
  }
  const auto is_limb = [&](Index v) { return along[v] != nowhere; };
  const auto is_striped = [&](Index v) { return along[v] > 0 && along[v] < 1; };
  Index middle = 0;
  for (Index v = 0; v < count; ++v) {
    if (is_limb(v) && std::fabs(along[v] - 0.5) < std::fabs(along[middle] - 0.5)) middle = v;
  }
  const int width = skin->width() + side, height = std::max(skin->height(), side);
  const double share = double(skin->width()) / width;
  const auto pixel_at = [](double t, int size) {
    return std::clamp(static_cast<int>(t * size), 0, size - 1);
  };
  const Vec2 bare = mesh.uvs.values[middle];
  const Pixel base =
      skin->at(pixel_at(bare.x, skin->width()), pixel_at(1 - bare.y, skin->height()));
  const auto within = [](double t) { return margin + (1 - 2 * margin) * t; };
  const auto upwards = [&](double t) { return within((t + beyond) / (1 + 2 * beyond)); };
  for (Vec2& uv : mesh.uvs.values) uv.x *= share;
  for (Index v = 0; v < count; ++v) {
    mesh.uvs.values.push_back(
        {share + (1 - share) * within(0.5 + 0.5 * wave[v]), upwards(along[v])});
  }
  for (const Triangle& t : mesh.triangles) {
    const bool striped =
        std::all_of(t.begin(), t.end(), is_limb) && std::any_of(t.begin(), t.end(), is_striped);
    for (const Index v : t) mesh.uvs.corners.push_back(striped ? count + v : v);
  }
  const Pixel dark = to_srgb(to_linear(base) * 0.45F);
  auto picture = std::make_shared<Image>(width, height);
  for (int y = 0; y < height; ++y) {
    const double up = (height - y - 0.5) / height;
    const bool striped = up > upwards(0) && up < upwards(1);
    for (int x = 0; x < width; ++x) {
      const int from_skin = x - skin->width();
      picture->at(x, y) = from_skin < 0 ? skin->at(x, y * skin->height() / height)
                          : striped && from_skin < side / 2 ? dark
                                                            : base;
    }
  }
  return picture;
}

}  // namespace sinew::gallery
