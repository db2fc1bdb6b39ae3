// SPDX-License-Identifier: Apache-2.0
// Options for pictures of a rig, and the class that takes them.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command.h"
#include "pose_options.h"
#include "sinew/draw/camera.h"
#include "sinew/draw/overlay.h"
#include "sinew/draw/scene.h"
#include "sinew/io/gltf.h"

namespace sinew::cli {

struct PictureOptions {
  std::string size = "1024";
  std::string view;  // empty: three-quarter; a flat drawing from the front
  std::vector<std::string> show;
  std::string bone;
  std::string color;
  std::string background;
  std::string texture;
  std::string label;
  std::string focus;
  double field_of_view = Lens{}.field_of_view;
  bool orthographic = false;
  bool no_ground = false;
};

// Draws text in the lower left corner, light or dark for contrast with the background.
void draw_label(Image& image, const std::string& text, const Rgb& background);

// The vertices with more than half of their weight on a joint (given by name or bone number) and
// its descendants. Throws UsageError naming --focus if there are none.
std::vector<Index> focus_vertices(const Rig& rig, const std::string& joint);

void add_picture_options(CLI::App& command, PictureOptions& options);

// Takes pictures of a rig in several poses with the same camera.
class Photographer {
 public:
  // The model must outlive this. Throws UsageError for options that do not fit the model. Says on
  // stderr which textures of a glTF model cannot be shown.
  Photographer(const CommonOptions& common, const Model& model, const PictureOptions& options);

  int width() const { return width_; }
  int height() const { return height_; }

  // The positions of the vertices selected by --focus.
  std::vector<Vec3> in_focus(std::span<const Vec3> positions) const;
  // Chooses a camera that shows all of `points`.
  void frame(std::span<const Vec3> points, double ground_height);
  // The rig at rest, or as it was deformed at a moment; with `label` where the options have none.
  Image rest() const;
  Image at(const Moment& moment, std::span<const Vec3> positions, const std::string& label) const;

 private:
  bool shows(const char* what) const;
  // Returns whether the colours are the mesh's own.
  bool choose_colors(Mesh& mesh);
  void read_looks(const CommonOptions& common, const Model& model);
  Image take(Drawable drawable, std::span<const BoneShape> bones, const std::string& label) const;

  const Rig& rig_;
  PictureOptions options_;
  int width_ = 0, height_ = 0;
  bool flat_ = false;  // a drawing in the plane: no light, no floor
  View view_;
  Scene scene_;  // all but the surfaces
  Camera camera_;
  std::vector<Index> focus_;  // the vertices to be seen; empty: all
  Drawable rest_;
  std::optional<PosedDrawable> posed_;
  std::vector<Rgb> bone_colors_;
  std::shared_ptr<const Image> texture_;

  // What a part of a glTF model looks like.
  struct Look {
    Part part;
    Rgb color;
    std::shared_ptr<const Image> texture;
    bool unlit = false;
  };
  std::vector<Look> looks_;
};

}  // namespace sinew::cli
