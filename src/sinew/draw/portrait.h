// SPDX-License-Identifier: Apache-2.0
// Pictures of a rig: its own looks, its weights, its bones; in any number of poses, by one camera.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/draw/camera.h"
#include "sinew/draw/overlay.h"
#include "sinew/draw/scene.h"
#include "sinew/image/image.h"
#include "sinew/mesh/part_look.h"
#include "sinew/rig/rig.h"

namespace sinew {

// What the colours of the surface show.
enum class PortraitColors {
  own,        // the rig's looks
  weights,    // how much PortraitOptions::bone moves
  endpoints,  // endpoint weights of that bone, or of all; by projection where the rig has none
  bones,      // a colour for each bone
};

// How a rig is drawn.
struct PortraitOptions {
  int width = 1024, height = 1024;
  std::string view{};  // see view_from_name(); empty: three-quarter, or front for a flat drawing
  PortraitColors colors = PortraitColors::own;
  std::string bone{};                      // a joint's name or a bone's number
  std::optional<Rgb> color{};              // one for all
  std::shared_ptr<const Image> texture{};  // for the mesh's UVs, instead of its own
  std::optional<Pixel> background{};       // empty: light grey
  std::string focus{};  // a joint: fill the picture with what moves with it and those below it
  bool wire = false;
  bool skeleton = false;
  double field_of_view = Lens{}.field_of_view;  // in degrees
  bool orthographic = false;
  bool ground = true;  // with a shadow on it; never for a flat drawing

  // Whether the looks of the rig's parts are drawn, and not colours or a texture of the options.
  bool use_looks() const { return colors == PortraitColors::own && !color && !texture; }
};

// The vertices with more than half of their weight on a joint (given by name or bone number) and
// its descendants. Throws UsageError if there are none, or no such joint, or no weights.
std::vector<Index> vertices_below(const Rig& rig, const std::string& joint);

// Draws text in the lower left corner, light or dark for contrast with the background.
void draw_label(Image& image, const std::string& text, const Rgb& background);

// Frames a rig once, then draws it in several poses.
class Portrait {
 public:
  // The rig must be valid. `looks` has one for each part, or none. A picture that cannot be read is
  // left out, and `note` told why, if given. Throws UsageError for options that do not fit the rig
  // or contradict each other.
  Portrait(const Rig& rig, const PortraitOptions& options, std::span<const PartLook> looks = {},
           const std::function<void(const std::string&)>& note = {});

  // Of the picture.
  int width() const { return options_.width; }
  int height() const { return options_.height; }
  const Rgb& background() const { return scene_.background; }

  // The positions that the options' focus asks to see: all, if they name none. There must be one
  // for each vertex.
  std::vector<Vec3> in_focus(std::span<const Vec3> positions) const;
  // Chooses a camera that shows all of `points`. The ground is at world y `ground_height`.
  void frame(std::span<const Vec3> points, double ground_height);

  // The mesh as it is in its file, bones at bind; or in a pose, with vertices at `positions`.
  Image rest() const;
  Image at(std::span<const BoneState> bones, std::span<const Vec3> positions) const;

 private:
  // What a part looks like.
  struct Paint {
    Part part;
    Rgb color;
    std::shared_ptr<const Image> texture;
    bool unlit = false;
  };
  // Returns whether the colours are the mesh's own.
  bool choose_colors(const Rig& rig, Mesh& mesh) const;
  void paint(const Rig& rig, std::span<const PartLook> looks,
             const std::function<void(const std::string&)>& note);
  Image take(Drawable drawable, std::span<const BoneShape> bones) const;

  PortraitOptions options_;
  bool flat_ = false;  // a drawing in the plane: no light, no floor
  View view_;
  Scene scene_;  // all but the surfaces
  Camera camera_;
  std::vector<Index> focus_;  // the vertices to be seen; empty: all
  Drawable rest_;
  std::optional<PosedDrawable> posed_;
  std::vector<BoneShape> bones_;  // at bind
  std::vector<Paint> paints_;
};

}  // namespace sinew
