// SPDX-License-Identifier: Apache-2.0
#include "picture.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "method_options.h"
#include "sinew/core/error.h"
#include "sinew/draw/colors.h"
#include "sinew/draw/font.h"
#include "sinew/image/read_image.h"
#include "sinew/io/gltf_looks.h"
#include "sinew/skin/projection.h"

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

std::vector<double> endpoints_of(const Rig& rig) {
  if (!rig.skin.endpoints.empty()) return rig.skin.endpoints;
  return projection_endpoints(rig.mesh.positions, rig.skeleton, rig.skin.weights);
}

void make_opaque(Image& image) {
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) image.at(x, y).a = 255;
  }
}

// The triangles of one part, with the vertices in its range.
Drawable part_of(const Drawable& whole, const Part& part) {
  const auto cut = [&](const auto& values) {
    if (values.empty()) return values;
    const auto begin = values.begin() + part.first_vertex;
    return std::decay_t<decltype(values)>(begin, begin + part.vertex_count);
  };
  Drawable drawable;
  drawable.lit = whole.lit;
  drawable.wire = whole.wire;
  drawable.positions = cut(whole.positions);
  drawable.normals = cut(whole.normals);
  drawable.colors = cut(whole.colors);
  drawable.uvs = cut(whole.uvs);
  for (Index t = part.first_triangle; t < part.first_triangle + part.triangle_count; ++t) {
    const Triangle& from = whole.triangles[t];
    drawable.triangles.push_back(
        {from[0] - part.first_vertex, from[1] - part.first_vertex, from[2] - part.first_vertex});
  }
  return drawable;
}

}  // namespace

void draw_label(Image& image, const std::string& text, const Rgb& background) {
  const double size = std::max(12.0, image.height() / 28.0);
  const bool dark = background.x + background.y + background.z < 0.6F;
  const float ink = dark ? 0.85F : 0.03F;
  draw_text(image, 0.7 * size, image.height() - 0.8 * size, text, {size, {ink, ink, ink}});
}

std::vector<Index> focus_vertices(const Rig& rig, const std::string& joint) {
  if (rig.skin.weights.vertex_count() == 0)
    throw UsageError("--focus: the model has no bone weights");
  const Skeleton& skeleton = rig.skeleton;
  std::vector<bool> below(skeleton.joints.size(), false);
  for (const int bone : find_bones(skeleton, "--focus", joint)) {
    below[skeleton.bones[bone].joint] = true;
  }
  for (const int j : evaluation_order(skeleton)) {
    const std::size_t place = j;
    const int parent = skeleton.joints[place].parent;
    if (parent != no_joint && below[parent]) below[place] = true;
  }
  std::vector<Index> vertices;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    double weight = 0;
    for (const Influence& i : rig.skin.weights.row(v)) {
      const int own = skeleton.bones[i.bone].joint;
      if (below[own]) weight += i.weight;
    }
    if (weight > 0.5) vertices.push_back(static_cast<Index>(v));
  }
  if (vertices.empty()) throw UsageError("--focus " + joint + ": nothing moves with it");
  return vertices;
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
    : rig_(model.rig), options_(options) {
  const Rig& rig = rig_;
  std::tie(width_, height_) = parse_size(options.size);
  const Box box = bounding_box(rig.mesh.positions);
  flat_ = rig.mesh.vertex_count() > 0 && box.low.z == box.high.z;
  view_ = view_from_name(!options.view.empty() ? options.view : flat_ ? "front" : "three-quarter");
  scene_.ground = !options.no_ground && !flat_;
  if (!options.background.empty()) {
    const Pixel background = color_from_name(options.background);
    scene_.background = to_linear(background);
    scene_.background_alpha = static_cast<float>(background.a) / 255;
  }

  if (shows("skeleton") && rig.skeleton.bones.empty()) {
    throw UsageError("--show skeleton: the model has none; give one with --skeleton");
  }
  bone_colors_ = bone_colors(rig.skeleton);
  if (!options.texture.empty()) {
    if (rig.mesh.uvs.empty()) throw UsageError("--texture: the mesh has no UVs");
    texture_ = std::make_shared<Image>(read_image(options.texture));
  }
  if (!options.focus.empty()) focus_ = focus_vertices(rig, options.focus);
  Mesh mesh = rig.mesh;
  if (choose_colors(mesh)) read_looks(common, model);
  rest_ = drawable_of(mesh);
  posed_.emplace(mesh);
}

bool Photographer::choose_colors(Mesh& mesh) {
  const auto chosen = std::count_if(colorings.begin(), colorings.end(),
                                    [&](const char* name) { return shows(name); });
  const bool has_bone = !options_.bone.empty(), has_color = !options_.color.empty();
  if (chosen > 1) throw UsageError("--show: of weights, endpoints and bones only one at a time");
  if (chosen == 1 && rig_.skin.weights.vertex_count() == 0) {
    throw UsageError("--show: the model has no bone weights; see sinew weights");
  }
  if (has_bone && !shows("weights") && !shows("endpoints")) {
    throw UsageError("--bone belongs to --show weights or --show endpoints");
  }
  if (shows("weights") && !has_bone) throw UsageError("--show weights: say whose with --bone");
  if (chosen == 1 && has_color) throw UsageError("--color: --show has its own colours");
  const std::vector<BoneIndex> bones =
      has_bone ? find_bones(rig_.skeleton, "--bone", options_.bone) : std::vector<BoneIndex>();
  std::vector<Rgb> colors;
  if (shows("weights")) colors = weight_colors(rig_.skin.weights, bones);
  if (shows("endpoints")) colors = endpoint_colors(rig_.skin.weights, endpoints_of(rig_), bones);
  if (shows("bones")) colors = blended_colors(rig_.skin.weights, bone_colors_);
  if (has_color) colors.assign(mesh.vertex_count(), to_linear(color_from_name(options_.color)));
  if (texture_ && colors.empty()) colors.assign(mesh.vertex_count(), {1, 1, 1});
  if (colors.empty()) return true;
  mesh.colors.clear();
  for (const Rgb& c : colors) mesh.colors.push_back({c.x, c.y, c.z, 1});
  return false;
}

void Photographer::read_looks(const CommonOptions& common, const Model& model) {
  const std::vector<PartLook> looks = part_looks(model);
  if (looks.size() != rig_.mesh.parts.size()) return;
  std::map<std::string, std::shared_ptr<const Image>> pictures;  // several parts may share one
  const auto picture = [&](const PartLook& look) -> std::shared_ptr<const Image> {
    if (look.picture.empty() || rig_.mesh.uvs.empty()) return nullptr;
    const auto [place, is_new] =
        pictures.try_emplace(look.picture_place + (look.see_through ? "+" : "-"));
    if (!is_new) return place->second;
    try {
      Image image = decode_image(look.picture);
      if (!look.see_through) make_opaque(image);
      place->second = std::make_shared<Image>(std::move(image));
    } catch (const InputError& error) {
      say(common, fmt::format("{}: drawn without: {}", look.picture_place, error.problem()));
    }
    return place->second;
  };
  bool plain = rig_.mesh.colors.empty();
  for (std::size_t i = 0; i < looks.size(); ++i) {
    looks_.push_back({rig_.mesh.parts[i],
                      {static_cast<float>(looks[i].color.x), static_cast<float>(looks[i].color.y),
                       static_cast<float>(looks[i].color.z)},
                      picture(looks[i]),
                      looks[i].unlit});
    plain = plain && !looks_.back().texture && looks_.back().color == Rgb{1, 1, 1};
  }
  // A model that says nothing of its colour looks better in clay than in white.
  if (plain) looks_.clear();
}

bool Photographer::shows(const char* what) const {
  return std::find(options_.show.begin(), options_.show.end(), what) != options_.show.end();
}

std::vector<Vec3> Photographer::in_focus(std::span<const Vec3> positions) const {
  if (focus_.empty()) return {positions.begin(), positions.end()};
  std::vector<Vec3> points;
  for (const Index v : focus_) points.push_back(positions[v]);
  return points;
}

void Photographer::frame(std::span<const Vec3> points, double ground_height) {
  Lens lens;
  lens.field_of_view = options_.orthographic || flat_ ? 0 : options_.field_of_view;
  camera_ = sinew::frame(view_, points, double(width_) / height_, lens);
  scene_.ground_height = ground_height;
}

Image Photographer::rest() const {
  std::vector<BoneShape> bones;
  for (std::size_t b = 0; b < rig_.skeleton.bones.size(); ++b) {
    bones.push_back({rig_.skeleton.bones[b].head, rig_.skeleton.bones[b].tail, bone_colors_[b]});
  }
  return take(rest_, bones, options_.label);
}

Image Photographer::at(const Moment& moment, std::span<const Vec3> positions,
                       const std::string& label) const {
  std::vector<BoneShape> bones;
  for (std::size_t b = 0; b < moment.bones.size(); ++b) {
    bones.push_back({moment.bones[b].posed_head, moment.bones[b].posed_tail, bone_colors_[b]});
  }
  return take(posed_->at(positions), bones, options_.label.empty() ? label : options_.label);
}

Image Photographer::take(Drawable drawable, std::span<const BoneShape> bones,
                         const std::string& label) const {
  Scene scene = scene_;
  drawable.lit = !flat_;
  drawable.wire = shows("wire");
  drawable.texture = texture_;
  if (looks_.empty()) {
    scene.surfaces.push_back(std::move(drawable));
  } else {
    for (const Look& look : looks_) {
      scene.surfaces.push_back(part_of(drawable, look.part));
      Drawable& part = scene.surfaces.back();
      part.texture = look.texture;
      part.lit = part.lit && !look.unlit;
      part.color = look.color;
      for (Rgb& color : part.colors) color = scaled(color, look.color);
    }
  }
  if (shows("skeleton")) {
    scene.inner.push_back(bone_drawable(bones));
  }
  Image image = render(scene, camera_, width_, height_);
  if (!label.empty()) draw_label(image, label, scene_.background);
  return image;
}

}  // namespace sinew::cli
