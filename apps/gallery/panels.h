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
#include "sinew/kernels/deformer.h"

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

// The same where `frame` runs back as it came: at 1 - phase it shows what it shows at `phase`, and
// is not drawn again.
Picture swing(const std::string& name, int frames, double seconds,
              const std::function<Sheet(double phase)>& frame, std::string description,
              const Progress& progress);

inline Drawable textured(Drawable drawable, std::shared_ptr<const Image> texture) {
  if (texture) drawable.color = {1, 1, 1};
  drawable.texture = std::move(texture);
  return drawable;
}

// A mesh with its colours at other positions, and with a picture, if it has places in one.
inline Drawable surface(const Mesh& mesh, std::span<const Vec3> positions,
                        std::shared_ptr<const Image> texture = nullptr) {
  return textured(PosedDrawable(mesh).at(positions), std::move(texture));
}

// A rig by one method, to be drawn in many poses. The rig must outlive it.
class Actor {
 public:
  Actor(const Rig& rig, Method method)
      : deformer_(rig, std::move(method)), skin_(rig.mesh), shapes_(rest_pose(rig).shapes) {}

  std::vector<Vec3> at(std::span<const BoneState> states) { return at(states, shapes_); }
  std::vector<Vec3> at(std::span<const BoneState> states, std::span<const double> shapes);
  Drawable drawn(std::span<const BoneState> states) { return skin_.at(at(states)); }
  Drawable drawn(std::span<const BoneState> states, std::shared_ptr<const Image> texture) {
    return textured(drawn(states), std::move(texture));
  }
  Drawable drawn(std::span<const BoneState> states, std::span<const double> shapes) {
    return skin_.at(at(states, shapes));
  }

 private:
  Deformer deformer_;
  PosedDrawable skin_;
  std::vector<double> shapes_;
};

// The bones of a pose, to be drawn inside the surface.
Drawable bones(std::span<const BoneState> states, double thickness = 0.12);

// The surface alone, or with bones in it.
Scene scene_of(Drawable skin);
Scene scene_of(Drawable skin, Drawable skeleton);

// A mesh at other positions, in bands across a direction that were equally wide at rest: what is
// stretched evenly keeps them even.
Drawable banded(const Mesh& mesh, std::span<const Vec3> positions, const Vec3& from,
                const Vec3& along, double width);

// A checkerboard that shows how a surface is stretched and twisted: `around` pairs of squares about
// the line from `head` to `tail`, each `spacing` long along it, in a colour and ivory. Gives the
// mesh places in the picture that is returned; borders are sharp however coarse the mesh is.
std::shared_ptr<const Image> paint_squares(Mesh& mesh, const Vec3& head, const Vec3& tail,
                                           int around, double spacing, const Vec3& color);

// A chain of bones with so many pairs of stripes about it, which show how it is twisted. They begin
// and end at shares of the first bone's length and of the last one's.
struct StripedLimb {
  std::vector<std::string> bones;
  int pairs = 5;
  double from = 0, to = 1;
};

// Gives the mesh places in the picture that is returned: that on its skin, if it has one, with the
// stripes beside it, in the colour that is half way along the first limb and in a darker one.
std::shared_ptr<const Image> paint_stripes(Rig& rig, std::span<const StripedLimb> limbs,
                                           std::shared_ptr<const Image> skin = nullptr);

// The stripes of both arms. They set in half way down the upper arm, as nothing says how they
// should run on a shoulder, and end at the wrist.
std::vector<StripedLimb> arm_stripes();

}  // namespace sinew::gallery
