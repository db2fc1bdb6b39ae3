// SPDX-License-Identifier: Apache-2.0
// Panels side by side, seen by one camera, as a picture or as a loop.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "figure.h"
#include "sinew/deform/bone_state.h"
#include "sinew/draw/scene.h"

namespace sinew::gallery {

struct Panel {
  std::string title;  // ASCII; cut off if too long
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

// All panels of a figure, or of every frame of a loop, use one camera that shows all of `points`.
class Wall {
 public:
  Wall(const Look& look, const Detail& detail, const std::vector<Vec3>& points);

  Image draw(const std::vector<Panel>& panels) const;

 private:
  Look look_;
  int width_ = 0, height_ = 0;
  Camera camera_;
};

// The positions of all surfaces, for framing the camera.
std::vector<Vec3> places(const std::vector<Panel>& panels);

Picture still(const std::string& name, const Image& image, std::string description);

// Draws `frame(phase)` at `frames` phases in [0, 1), over `seconds` in all. The loop starts half
// way, because viewers without animation show the first frame.
Picture loop(const std::string& name, int frames, double seconds,
             const std::function<Image(double phase)>& frame, std::string description,
             const Progress& progress);

// A mesh with its colours at other positions, with normals recomputed.
inline Drawable surface(const Mesh& mesh, std::span<const Vec3> positions) {
  return PosedDrawable(mesh).at(positions);
}

// The bones of a pose, to be drawn inside the surface.
Drawable bones(std::span<const BoneState> states, double thickness = 0.12);

// The surface alone, or with bones in it.
Scene scene_of(Drawable skin);
Scene scene_of(Drawable skin, Drawable skeleton);

inline constexpr Vec3 ivory{0.86, 0.80, 0.68};

// Paints a checkerboard that shows how a surface is stretched and twisted: `around` pairs of
// squares about the line from `head` to `tail`, each `spacing` long along it.
void paint_squares(Mesh& mesh, const Vec3& head, const Vec3& tail, int around, double spacing,
                   const Vec3& color, const Vec3& other);

}  // namespace sinew::gallery
