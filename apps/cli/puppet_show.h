// SPDX-License-Identifier: Apache-2.0
// Pictures and animations of a puppet in motion, by one method or several side by side.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command.h"
#include "sinew/puppet/stage.h"

namespace sinew::cli {

struct ShowOptions {
  std::vector<std::string> methods;  // none: the rig's default
  int size = 0;                      // of the longer side, in pixels; 0: as large as the picture
  bool keep_frame = false;           // never show more than the picture does
  std::string backdrop = "transparent";
  std::vector<std::string> show;  // bones, mesh
  double per_second = 30;
  bool squash = false;
};

// Throws UsageError for invalid options, before anything is computed.
void check(const ShowOptions& options);

class PuppetShow {
 public:
  // Shows the puppet at rest if `motion` is null. All arguments must outlive this.
  PuppetShow(const Puppet& puppet, const PictureMotion* motion, const ShowOptions& options,
             const Progress& progress);

  int frames() const { return frames_; }  // of the motion, once through
  int width() const { return view_.width * static_cast<int>(stages_.size()); }
  int height() const { return view_.height; }

  Image at(double time);
  // Writes all frames to a file or a folder (see animation.h).
  void write(const std::filesystem::path& path, const Progress& progress, Outputs& outputs);

 private:
  std::vector<BoneState> bones_at(double time) const;
  void draw_over(Image& panel, std::span<const Vec3> positions,
                 std::span<const BoneState> bones) const;

  const Puppet& puppet_;
  const PictureMotion* motion_;
  const ShowOptions& options_;
  std::vector<Stage> stages_;
  int frames_ = 1;
  FlatView view_;
  Pixel backdrop_;
};

}  // namespace sinew::cli
