// SPDX-License-Identifier: Apache-2.0
// Options for pictures of a rig, and the class that takes them.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command.h"
#include "pose_options.h"
#include "sinew/draw/portrait.h"
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

// The vertices that move with a joint and those below it. Throws UsageError naming --focus if there
// are none.
std::vector<Index> focus_vertices(const Rig& rig, const std::string& joint);

void add_picture_options(CLI::App& command, PictureOptions& options);

// Takes pictures of a rig in several poses with the same camera.
class Photographer {
 public:
  // Throws UsageError for options that do not fit the model. Says on stderr which textures of a
  // glTF model cannot be shown.
  Photographer(const CommonOptions& common, const Model& model, const PictureOptions& options);

  int width() const { return portrait_->width(); }
  int height() const { return portrait_->height(); }

  // The positions of the vertices selected by --focus.
  std::vector<Vec3> in_focus(std::span<const Vec3> positions) const {
    return portrait_->in_focus(positions);
  }
  // Chooses a camera that shows all of `points`.
  void frame(std::span<const Vec3> points, double ground_height) {
    portrait_->frame(points, ground_height);
  }
  // The rig at rest, or as it was deformed at a moment; with `label` where the options have none.
  Image rest() const;
  Image at(const Moment& moment, std::span<const Vec3> positions, const std::string& label) const;

 private:
  Image labelled(Image image, const std::string& label) const;

  std::string label_;
  std::optional<Portrait> portrait_;
};

}  // namespace sinew::cli
