// SPDX-License-Identifier: Apache-2.0
// Scenes and how to render them:
//
//   Scene scene{.surfaces = {drawable_of(mesh)}};
//   Image picture = render(scene, frame({35, 15}, bounding_box(mesh.positions), 1.0), 800, 800);
//   write_png("picture.png", picture);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sinew/draw/camera.h"
#include "sinew/image/image.h"
#include "sinew/mesh/mesh.h"

namespace sinew {

// Both sides of every triangle are drawn.
struct Drawable {
  std::vector<Vec3> positions;  // in world space
  std::vector<Triangle> triangles;
  std::vector<Vec3> normals;  // per vertex; empty: from the triangles
  std::vector<Rgb> colors;    // per vertex; empty: `color` everywhere
  Rgb color{0.62F, 0.50F, 0.41F};
  std::vector<Vec2> uvs;                 // per vertex, v upwards
  std::shared_ptr<const Image> texture;  // multiplied by the colour; needs uvs
  bool lit = true;                       // false: colours are drawn unlit, as in a drawing

  bool wire = false;  // edges on top, one pixel wide
  Rgb wire_color{0.02F, 0.02F, 0.03F};
  float wire_opacity = 0.6F;
  // Bit i of edges[t]: draw the edge from corner i of triangle t to the next. Empty: all edges.
  std::vector<std::uint8_t> edges;
};

// The mesh with its normals, colours and UVs (vertices are split where these are per corner) and,
// for polygons, only the polygon edges. The mesh must be valid (see split_corners).
Drawable drawable_of(const Mesh& mesh);

// A mesh to be drawn in many poses. The mesh's normals turn with the triangles about them, so that
// a surface that was smooth at rest, however coarse its triangles, stays so. Where vertices at the
// same position have different normals, edges stay sharp; UV seams do not show.
class PosedDrawable {
 public:
  // The mesh must be valid (see split_corners).
  explicit PosedDrawable(const Mesh& mesh);

  // Throws UsageError where there is not one position for each of the mesh's vertices.
  Drawable at(std::span<const Vec3> positions) const;

 private:
  Drawable drawable_;
  std::vector<Index> source_;               // for each drawable vertex, its mesh vertex
  std::vector<Index> smooth_;               // the first vertex that shares its normal
  std::vector<Triangle> smooth_triangles_;  // the triangles of those
};

// Everything in a picture; the camera is apart from it.
struct Scene {
  std::vector<Drawable> surfaces;
  std::vector<Drawable> inner;  // drawn through the surfaces as if they were glass: a skeleton
  float inner_opacity = 0.85F;

  Rgb background{0.90F, 0.90F, 0.89F};
  float background_alpha = 1;  // 0: a cut-out, with its shadow

  bool ground = false;       // draw a shadow on an invisible floor
  double ground_height = 0;  // world y; drawn behind everything, and visible only from above
  float occlusion = 1;       // how dark folds and corners get; 0: not at all
  int samples = 8;           // per pixel: 1, 4 or 8
};

// The same scene, camera and size give the same bits for any number of threads. Throws UsageError
// for an invalid image size, InputError for an invalid surface: an index out of range, an array of
// the wrong length, a position that is not finite.
Image render(const Scene& scene, const Camera& camera, int width, int height);

}  // namespace sinew
