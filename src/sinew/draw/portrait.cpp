// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/portrait.h"

#include <algorithm>
#include <map>

#include "sinew/core/error.h"
#include "sinew/draw/colors.h"
#include "sinew/draw/font.h"
#include "sinew/image/read_image.h"
#include "sinew/skeleton/bones.h"
#include "sinew/skin/projection.h"

namespace sinew {
namespace {

std::vector<double> shown_endpoints(const Rig& rig) {
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

std::vector<Index> vertices_below(const Rig& rig, const std::string& joint) {
  if (rig.skin.weights.vertex_count() == 0) throw UsageError("the model has no bone weights");
  const Skeleton& skeleton = rig.skeleton;
  std::vector<bool> below(skeleton.joints.size(), false);
  for (const int bone : find_bones(skeleton, joint)) below[skeleton.bones[bone].joint] = true;
  for (const int j : evaluation_order(skeleton)) {
    const int parent = skeleton.joints[j].parent;
    if (parent != no_joint && below[parent]) below[j] = true;
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
  if (vertices.empty()) throw UsageError(joint + ": nothing moves with it");
  return vertices;
}

Portrait::Portrait(const Rig& rig, const PortraitOptions& options, std::span<const PartLook> looks,
                   const std::function<void(const std::string&)>& note)
    : options_(options) {
  check_image_size(options.width, options.height);
  const Box box = bounding_box(rig.mesh.positions);
  flat_ = rig.mesh.vertex_count() > 0 && box.low.z == box.high.z;
  view_ = view_from_name(!options.view.empty() ? options.view : flat_ ? "front" : "three-quarter");
  scene_.ground = options.ground && !flat_;
  if (options.background) {
    scene_.background = to_linear(*options.background);
    scene_.background_alpha = static_cast<float>(options.background->a) / 255;
  }
  if (options.skeleton && rig.skeleton.bones.empty()) throw UsageError("the model has no skeleton");
  if (options.texture && rig.mesh.uvs.empty()) throw UsageError("texture: the mesh has no UVs");
  if (!options.focus.empty()) focus_ = vertices_below(rig, options.focus);
  const std::vector<Rgb> colors = bone_colors(rig.skeleton);
  for (std::size_t b = 0; b < colors.size(); ++b) {
    bones_.push_back({rig.skeleton.bones[b].head, rig.skeleton.bones[b].tail, colors[b]});
  }
  Mesh mesh = rig.mesh;
  if (choose_colors(rig, mesh)) paint(rig, looks, note);
  rest_ = drawable_of(mesh);
  posed_.emplace(mesh);
}

bool Portrait::choose_colors(const Rig& rig, Mesh& mesh) const {
  const Skin& skin = rig.skin;
  const bool is_own = options_.colors == PortraitColors::own;
  if (!is_own && skin.weights.vertex_count() == 0) {
    throw UsageError("the model has no bone weights to show");
  }
  if (!is_own && options_.color) throw UsageError("what is shown has its own colours");
  const bool of_bone =
      options_.colors == PortraitColors::weights || options_.colors == PortraitColors::endpoints;
  if (!options_.bone.empty() && !of_bone) {
    throw UsageError("a bone is named, but neither weights nor endpoint weights are shown");
  }
  if (options_.colors == PortraitColors::weights && options_.bone.empty()) {
    throw UsageError("whose weights are to be shown? Name a bone");
  }
  const std::vector<BoneIndex> bones =
      options_.bone.empty() ? std::vector<BoneIndex>() : find_bones(rig.skeleton, options_.bone);
  std::vector<Rgb> colors;
  switch (options_.colors) {
    case PortraitColors::own:
      if (options_.color) colors.assign(mesh.vertex_count(), *options_.color);
      break;
    case PortraitColors::weights:
      colors = weight_colors(skin.weights, bones);
      break;
    case PortraitColors::endpoints:
      colors = endpoint_colors(skin.weights, shown_endpoints(rig), bones);
      break;
    case PortraitColors::bones:
      colors = blended_colors(skin.weights, bone_colors(rig.skeleton));
      break;
  }
  if (options_.texture && colors.empty()) colors.assign(mesh.vertex_count(), {1, 1, 1});
  if (colors.empty()) return true;
  mesh.colors.clear();
  for (const Rgb& c : colors) mesh.colors.push_back({c.x, c.y, c.z, 1});
  return false;
}

void Portrait::paint(const Rig& rig, std::span<const PartLook> looks,
                     const std::function<void(const std::string&)>& note) {
  const Mesh& mesh = rig.mesh;
  if (looks.size() != mesh.parts.size()) return;
  std::map<std::string, std::shared_ptr<const Image>> pictures;  // several parts may share one
  const auto picture = [&](const PartLook& look) -> std::shared_ptr<const Image> {
    if (look.picture.empty() || mesh.uvs.empty()) return nullptr;
    // Without a place it is the bytes that tell one from another.
    const std::string& key = look.picture_place.empty() ? look.picture : look.picture_place;
    const auto [place, is_new] = pictures.try_emplace(key + (look.see_through ? "+" : "-"));
    if (!is_new) return place->second;
    try {
      Image image = decode_image(look.picture);
      if (!look.see_through) make_opaque(image);
      place->second = std::make_shared<Image>(std::move(image));
    } catch (const InputError& error) {
      if (note) note(look.picture_place + ": drawn without: " + error.problem());
    }
    return place->second;
  };
  bool plain = mesh.colors.empty();
  for (std::size_t i = 0; i < looks.size(); ++i) {
    paints_.push_back({mesh.parts[i],
                       {static_cast<float>(looks[i].color.x), static_cast<float>(looks[i].color.y),
                        static_cast<float>(looks[i].color.z)},
                       picture(looks[i]),
                       looks[i].unlit});
    plain = plain && !paints_.back().texture && paints_.back().color == Rgb{1, 1, 1};
  }
  // A model that says nothing of its colour looks better in clay than in white.
  if (plain) paints_.clear();
}

std::vector<Vec3> Portrait::in_focus(std::span<const Vec3> positions) const {
  if (focus_.empty()) return {positions.begin(), positions.end()};
  std::vector<Vec3> points;
  for (const Index v : focus_) points.push_back(positions[v]);
  return points;
}

void Portrait::frame(std::span<const Vec3> points, double ground_height) {
  Lens lens;
  lens.field_of_view = options_.orthographic || flat_ ? 0 : options_.field_of_view;
  camera_ = sinew::frame(view_, points, double(width()) / height(), lens);
  scene_.ground_height = ground_height;
}

Image Portrait::rest() const { return take(rest_, bones_); }

Image Portrait::at(std::span<const BoneState> bones, std::span<const Vec3> positions) const {
  std::vector<BoneShape> shapes = bones_;
  for (std::size_t b = 0; b < std::min(bones.size(), shapes.size()); ++b) {
    shapes[b].head = bones[b].posed_head;
    shapes[b].tail = bones[b].posed_tail;
  }
  return take(posed_->at(positions), shapes);
}

Image Portrait::take(Drawable drawable, std::span<const BoneShape> bones) const {
  Scene scene = scene_;
  drawable.lit = !flat_;
  drawable.wire = options_.wire;
  drawable.texture = options_.texture;
  if (paints_.empty()) {
    scene.surfaces.push_back(std::move(drawable));
  } else {
    for (const Paint& paint : paints_) {
      scene.surfaces.push_back(part_of(drawable, paint.part));
      Drawable& part = scene.surfaces.back();
      part.texture = paint.texture;
      part.lit = part.lit && !paint.unlit;
      part.color = paint.color;
      for (Rgb& color : part.colors) color = scaled(color, paint.color);
    }
  }
  if (options_.skeleton) scene.inner.push_back(bone_drawable(bones));
  return render(scene, camera_, width(), height());
}

}  // namespace sinew
