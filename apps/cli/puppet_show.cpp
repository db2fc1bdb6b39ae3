// SPDX-License-Identifier: Apache-2.0
#include "puppet_show.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "animation.h"
#include "method_options.h"
#include "picture.h"
#include "sinew/core/error.h"
#include "sinew/deform/default_method.h"
#include "sinew/draw/colors.h"
#include "sinew/draw/overlay.h"

namespace sinew::cli {
namespace {

void grow(Box& box, const std::vector<Vec3>& positions) {
  for (const Vec3& p : positions) {
    box.low = component_min(box.low, p);
    box.high = component_max(box.high, p);
  }
}

}  // namespace

void check(const ShowOptions& options) {
  if (!(options.per_second >= 0.001 && options.per_second <= 1000)) {
    throw UsageError("--fps must be a number from 0.001 to 1000");
  }
  color_from_name(options.backdrop);
  for (const std::string& name : options.methods) method_from_name(name, Rig{});
}

PuppetShow::PuppetShow(const Puppet& puppet, const PictureMotion* motion,
                       const ShowOptions& options, const Progress& progress)
    : puppet_(puppet),
      motion_(motion),
      options_(options),
      backdrop_(color_from_name(options.backdrop)) {
  std::vector<std::string> names = options.methods;
  if (names.empty()) names.emplace_back(default_method_name(puppet.rig));
  for (const std::string& name : names) {
    stages_.emplace_back(puppet, method_from_name(name, puppet.rig),
                         stages_.empty() ? nullptr : stages_.front().texture());
  }
  // A looping motion ends one frame before it returns to its first.
  if (motion != nullptr) {
    frames_ = std::max(static_cast<int>(std::round(motion->duration * options.per_second)), 1);
  }
  constexpr double far = std::numeric_limits<double>::infinity();
  Box seen{{far, far, far}, {-far, -far, -far}};
  for (int f = 0; f < (options.keep_frame ? 0 : frames_); ++f) {
    progress.report("posing", static_cast<double>(f) / frames_);
    const std::vector<BoneState> bones = bones_at(f / options.per_second);
    for (Stage& stage : stages_) grow(seen, stage.posed(bones));
  }
  view_ = stage_view(puppet, seen, options.size);
  check_image_size(width(), height());
}

std::vector<BoneState> PuppetShow::bones_at(double time) const {
  const PictureMotion rest{"", 1, false,
                           std::vector<std::vector<JointKey>>(puppet_.bones.joints.size())};
  const PictureMotion& motion = motion_ != nullptr ? *motion_ : rest;
  return puppet_states(puppet_, motion.at(puppet_.bones, time), {options_.squash});
}

void PuppetShow::draw_over(Image& panel, std::span<const Vec3> positions,
                           std::span<const BoneState> bones) const {
  const auto shows = [&](const char* what) {
    return std::find(options_.show.begin(), options_.show.end(), what) != options_.show.end();
  };
  if (shows("mesh")) {
    std::vector<Stroke> edges;
    for (const Triangle& t : puppet_.rig.mesh.triangles) {
      for (std::size_t i = 0; i < 3; ++i) {
        edges.push_back(
            {to_pixels(view_, positions[t[i]]), to_pixels(view_, positions[t[(i + 1) % 3]]), 1});
      }
    }
    draw_strokes(panel, edges, {0.02F, 0.05F, 0.3F}, 0.45F);
  }
  if (shows("bones")) draw_bones(panel, view_, bones, bone_colors(puppet_.rig.skeleton));
}

Image PuppetShow::at(double time) {
  const std::vector<BoneState> bones = bones_at(time);
  Image sheet(width(), height(), backdrop_);
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const std::vector<Vec3> positions = stages_[i].posed(bones);
    Image panel = stages_[i].draw(positions, view_, backdrop_);
    draw_over(panel, positions, bones);
    if (stages_.size() > 1) draw_label(panel, options_.methods[i], to_linear(backdrop_));
    if (stages_.size() == 1) return panel;
    for (int y = 0; y < panel.height(); ++y) {
      std::copy_n(&panel.at(0, y), panel.width(), &sheet.at(view_.width * static_cast<int>(i), y));
    }
  }
  return sheet;
}

void PuppetShow::write(const std::filesystem::path& path, const Progress& progress,
                       Outputs& outputs) {
  const auto animation = make_animation(outputs, path, 0, frames_, options_.per_second);
  for (int f = 0; f < frames_; ++f) {
    progress.report("drawing", static_cast<double>(f) / frames_);
    animation->add(at(f / options_.per_second));
  }
  animation->finish();
}

}  // namespace sinew::cli
