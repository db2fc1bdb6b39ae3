// SPDX-License-Identifier: Apache-2.0
#include "picture.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <tuple>

#include <fmt/format.h>

#include "method_options.h"
#include "sinew/core/error.h"
#include "sinew/draw/colors.h"
#include "sinew/image/read_image.h"
#include "sinew/io/gltf_looks.h"

namespace sinew::cli {
namespace {

constexpr std::array colorings{"weights", "endpoints", "bones"};

// "800x600", or "800" for a square.
std::pair<int, int> parse_size(const std::string& text) {
  int width = 0, height = 0;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, width);
  bool good = first.ec == std::errc();
  if (good && first.ptr == end) {
    height = width;
  } else if (good) {
    const auto second = std::from_chars(first.ptr + 1, end, height);
    good = *first.ptr == 'x' && second.ec == std::errc() && second.ptr == end;
  }
  if (!good) throw UsageError(fmt::format("--size {}: give it as in 800x600, or 800", text));
  check_image_size(width, height);
  return {width, height};
}

// --show and what belongs to it.
PortraitColors colors_from(const Rig& rig, const PictureOptions& options) {
  const auto shows = [&](const char* what) {
    return std::find(options.show.begin(), options.show.end(), what) != options.show.end();
  };
  const auto chosen = std::count_if(colorings.begin(), colorings.end(), shows);
  const bool has_bone = !options.bone.empty();
  if (chosen > 1) throw UsageError("--show: of weights, endpoints and bones only one at a time");
  if (chosen == 1 && rig.skin.weights.vertex_count() == 0) {
    throw UsageError("--show: the model has no bone weights; see sinew weights");
  }
  if (has_bone && !shows("weights") && !shows("endpoints")) {
    throw UsageError("--bone belongs to --show weights or --show endpoints");
  }
  if (shows("weights") && !has_bone) throw UsageError("--show weights: say whose with --bone");
  if (chosen == 1 && !options.color.empty()) {
    throw UsageError("--color: --show has its own colours");
  }
  if (has_bone) find_bones(rig.skeleton, "--bone", options.bone);
  return shows("weights")     ? PortraitColors::weights
         : shows("endpoints") ? PortraitColors::endpoints
         : shows("bones")     ? PortraitColors::bones
                              : PortraitColors::own;
}

PortraitOptions portrait_options(const Rig& rig, const PictureOptions& options) {
  const auto shows = [&](const char* what) {
    return std::find(options.show.begin(), options.show.end(), what) != options.show.end();
  };
  PortraitOptions result;
  std::tie(result.width, result.height) = parse_size(options.size);
  result.view = options.view;
  if (!options.background.empty()) result.background = color_from_name(options.background);
  if (shows("skeleton") && rig.skeleton.bones.empty()) {
    throw UsageError("--show skeleton: the model has none; give one with --skeleton");
  }
  if (!options.texture.empty()) {
    if (rig.mesh.uvs.empty()) throw UsageError("--texture: the mesh has no UVs");
    result.texture = std::make_shared<Image>(read_image(options.texture));
  }
  if (!options.focus.empty()) focus_vertices(rig, options.focus);
  result.focus = options.focus;
  result.colors = colors_from(rig, options);
  result.bone = options.bone;
  if (!options.color.empty()) result.color = to_linear(color_from_name(options.color));
  result.wire = shows("wire");
  result.skeleton = shows("skeleton");
  result.field_of_view = options.field_of_view;
  result.orthographic = options.orthographic;
  result.ground = !options.no_ground;
  return result;
}

}  // namespace

std::vector<Index> focus_vertices(const Rig& rig, const std::string& joint) {
  try {
    return vertices_below(rig, joint);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--focus: {}", error.what()));
  }
}

void add_picture_options(CLI::App& command, PictureOptions& options) {
  command
      .add_option("--show", options.show,
                  "weights (of --bone), endpoints (of --bone, or all), bones (a colour each); "
                  "wire, skeleton; several with commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"weights", "endpoints", "bones", "wire", "skeleton"}));
  command.add_option("--bone", options.bone, "Whose weights: a joint's name or a bone's number");
  command.add_option("--view", options.view,
                     "front, back, left (side), right, top, bottom, three-quarter, or "
                     "azimuth,elevation in degrees (default: three-quarter)");
  command.add_option("--focus", options.focus,
                     "Fill the picture with what moves with this joint and those below it");
  command.add_option("--size", options.size, "In pixels, as in 800x600, or 800")
      ->capture_default_str();
  command.add_option("--color", options.color, "One colour for all, such as #c8b090");
  command.add_option("--texture", options.texture, "A .png or .jpg for the mesh's UVs");
  command.add_option("--background", options.background,
                     "A colour such as white or #e0e8f0, or transparent");
  command.add_option("--label", options.label, "A line of text in the corner");
  command.add_option("--fov", options.field_of_view, "Field of view in degrees")
      ->capture_default_str();
  command.add_flag("--ortho", options.orthographic, "Without perspective");
  command.add_flag("--no-ground", options.no_ground, "Without a shadow on the ground");
}

Photographer::Photographer(const CommonOptions& common, const Model& model,
                           const PictureOptions& options)
    : label_(options.label) {
  const PortraitOptions chosen = portrait_options(model.rig, options);
  const std::vector<PartLook> looks =
      chosen.use_looks() ? part_looks(model) : std::vector<PartLook>();
  portrait_.emplace(model.rig, chosen, looks, [&](const std::string& note) { say(common, note); });
}

Image Photographer::labelled(Image image, const std::string& label) const {
  if (!label.empty()) draw_label(image, label, portrait_->background());
  return image;
}

Image Photographer::rest() const { return labelled(portrait_->rest(), label_); }

Image Photographer::at(const Moment& moment, std::span<const Vec3> positions,
                       const std::string& label) const {
  return labelled(portrait_->at(moment.bones, positions), label_.empty() ? label : label_);
}

}  // namespace sinew::cli
