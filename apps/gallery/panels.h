// SPDX-License-Identifier: Apache-2.0
// Panels side by side, seen by one camera, as a picture or as a loop.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "figure.h"
#include "sinew/deform/bone_state.h"
#include "sinew/draw/scene.h"

namespace sinew::gallery {

struct Panel {
  std::string title;  // ASCII; made smaller if too long
  Scene scene;
  std::function<void(Image& picture)> overlay{};  // drawn on top, in pixels of the panel
};

struct Look {
  View view{};
  double aspect = 1;  // width to height of each panel
  int columns = 0;    // 0: all panels in one row
  double height = 1;  // of each panel, relative to the detail's height
  double margin = 0.06;
};

// A picture made of tiles.
struct Sheet {
  Image image;
  std::vector<Tile> tiles;
  int columns = 0;
};

// Pictures of one size with titles below them, in rows of `columns` (0: all in one row), on
// transparent paper.
Sheet sheet_of(const std::vector<std::pair<std::string, Image>>& pictures, int columns = 0);

// All panels of a figure, or of every frame of a loop, use one camera that shows all of `points`.
class Wall {
 public:
  Wall(const Look& look, const Detail& detail, const std::vector<Vec3>& points);

  Sheet draw(const std::vector<Panel>& panels) const;
  int width() const { return width_; }
  int height() const { return height_; }
  const Camera& camera() const { return camera_; }

 private:
  Look look_;
  int width_ = 0, height_ = 0;
  Camera camera_;
};

// The positions of all surfaces, for framing the camera.
std::vector<Vec3> places(const std::vector<Panel>& panels);

Picture still(const std::string& name, const Sheet& sheet, std::string description);

// Draws `frame(phase)` at `frames` phases in [0, 1), over `seconds` in all. The loop starts half
// way, because viewers without animation show the first frame.
Picture loop(const std::string& name, int frames, double seconds,
             const std::function<Sheet(double phase)>& frame, std::string description,
             const Progress& progress);

// A mesh with its colours at other positions, with normals recomputed; and with a picture, if it
// has places in one.
inline Drawable surface(const Mesh& mesh, std::span<const Vec3> positions,
                        std::shared_ptr<const Image> texture = nullptr) {
  Drawable drawable = PosedDrawable(mesh).at(positions);
  if (texture) drawable.color = {1, 1, 1};
  drawable.texture = std::move(texture);
  return drawable;
}

// The bones of a pose, to be drawn inside the surface.
Drawable bones(std::span<const BoneState> states, double thickness = 0.12);

// The surface alone, or with bones in it.
Scene scene_of(Drawable skin);
Scene scene_of(Drawable skin, Drawable skeleton);

// A checkerboard that shows how a surface is stretched and twisted: `around` pairs of squares about
// the line from `head` to `tail`, each `spacing` long along it, in a colour and ivory. Gives the
// mesh places in the picture that is returned; borders are sharp however coarse the mesh is.
std::shared_ptr<const Image> paint_squares(Mesh& mesh, const Vec3& head, const Vec3& tail,
                                           int around, double spacing, const Vec3& color);

}  // namespace sinew::gallery
