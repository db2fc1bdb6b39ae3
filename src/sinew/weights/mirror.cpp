// SPDX-License-Identifier: Apache-2.0
#include "sinew/weights/mirror.h"

#include <array>
#include <cmath>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/mesh/weld.h"
#include "sinew/weights/detail/like_parts.h"
#include "sinew/weights/detail/row_mixer.h"
#include "sinew/weights/detail/surface_lookup.h"

namespace sinew {
namespace {

using detail::RowInfluence;
using detail::SkinRow;

// For parts that are mirror images of each other, as TransferOptions has them.
constexpr double part_distance = 0.05;
constexpr double part_cosine = 0.5;

class Mirror {
 public:
  Mirror(const Mesh& mesh, const Skeleton& skeleton, const Skin& skin, const MirrorOptions& options)
      : mesh_(mesh),
        plane_{options.plane.point, normalized(options.plane.normal)},
        from_(options.from),
        reach_(options.tolerance * bounding_box(mesh.positions).diagonal()),
        lookup_(mesh, weld(mesh.positions, mesh.triangles)),
        bones_(mirror_bones(skeleton, plane_, options.bone_tolerance)),
        mixer_(skeleton.bones.size()),
        rows_(detail::to_rows(skin)) {
    pair_parts();
  }

  Mirrored run(const Skin& like) {
    Mirrored result;
    result.unpaired_bones = bones_.unpaired;
    std::vector<SkinRow> mirrored = rows_;
    for (std::size_t v = 0; v < rows_.size(); ++v) {
      const int side = side_of(v);
      if (side == 0) {
        image_ = rows_[v];
        reflect(image_);
        set_mean(rows_[v], mirrored[v]);
        continue;
      }
      if (from_ != MirrorFrom::both && side == source_side()) continue;
      const bool paired = find_image(v);
      if (!paired || !(row_sum(image_) > 0))
        result.unpaired_vertices.push_back(static_cast<Index>(v));
      if (!(row_sum(image_) > 0)) continue;
      if (from_ == MirrorFrom::both) {
        set_mean(rows_[v], mirrored[v]);
      } else {
        mirrored[v] = image_;
      }
    }
    result.skin = detail::from_rows(mirrored, like);
    return result;
  }

 private:
  int source_side() const { return from_ == MirrorFrom::positive ? 1 : -1; }

  int side_of(std::size_t vertex) const {
    const double d = signed_distance(plane_, mesh_.positions[vertex]);
    return std::fabs(d) <= reach_ ? 0 : d > 0 ? 1 : -1;
  }

  // Finds the part that each part of the mirrored mesh lies along.
  void pair_parts() {
    like_.assign(lookup_.part_count(), -1);
    if (like_.size() < 2) return;
    Mesh image;
    image.positions = mesh_.positions;
    for (Vec3& p : image.positions) p = reflect_point(plane_, p);
    image.triangles = mesh_.triangles;
    for (Triangle& t : image.triangles) std::swap(t[1], t[2]);
    const detail::SurfaceLookup mirrored(image, weld(image.positions, image.triangles));
    const double reach = part_distance * bounding_box(mesh_.positions).diagonal();
    like_ = detail::like_parts(mesh_, lookup_, image, mirrored, part_cosine, reach);
  }

  // Sets image_ to the row at the mirror image of v, bones exchanged; false if no vertex is there.
  bool find_image(std::size_t v) {
    image_.clear();
    const Vec3 place = reflect_point(plane_, mesh_.positions[v]);
    const Vec3 normal = reflect_direction(plane_, lookup_.normal(v));
    const int part = like_[lookup_.part_of_vertex(v)];
    const auto accept = [&](Index cell) {
      return part == -1 || lookup_.part_of_cell(cell) == part;
    };
    auto found = lookup_.closest({place, normal, 0}, accept);
    if (!found) found = lookup_.closest({place, {}}, accept);
    const Triangle& cell = lookup_.cell(found->triangle);
    Index nearest = cell[0];
    for (const Index corner : cell) {
      if (distance(place, mesh_.positions[corner]) < distance(place, mesh_.positions[nearest])) {
        nearest = corner;
      }
    }
    const bool paired = distance(place, mesh_.positions[nearest]) <= reach_;
    if (paired) {
      image_ = rows_[nearest];
    } else {
      Vec3 shares = found->barycentric;
      drop_corners_of_target(cell, side_of(v), shares);
      detail::add_interpolated(mixer_, rows_, cell, shares);
      mixer_.take(image_);
    }
    detail::normalize(image_);
    reflect(image_);
    return paired;
  }

  // A triangle across the plane has corners that will be overwritten; these are ignored, unless
  // there are no others.
  void drop_corners_of_target(const Triangle& cell, int target_side, Vec3& shares) const {
    if (from_ == MirrorFrom::both) return;
    Vec3 left = shares;
    for (std::size_t i = 0; i < 3; ++i) {
      if (side_of(cell[i]) == target_side) left[i] = 0;
    }
    if (left.x + left.y + left.z > 0) shares = left;
  }

  void reflect(SkinRow& row) const {
    for (RowInfluence& influence : row) {
      const std::size_t bone = influence.bone;
      influence.bone = bones_.partner[bone];
      if (!bones_.reversed[bone]) continue;
      influence.endpoint = 1 - influence.endpoint;
      influence.twist_endpoint = 1 - influence.twist_endpoint;
    }
  }

  void set_mean(const SkinRow& own, SkinRow& result) {
    for (const SkinRow* row : {&own, static_cast<const SkinRow*>(&image_)}) {
      const double sum = row_sum(*row);
      if (sum > 0) mixer_.add(*row, 1 / sum);
    }
    mixer_.take(result);
    detail::normalize(result);
  }

  const Mesh& mesh_;
  Plane plane_;
  MirrorFrom from_;
  double reach_;
  detail::SurfaceLookup lookup_;
  std::vector<int> like_;  // for each part the one at its mirror image; -1: any
  BoneMirror bones_;
  detail::RowMixer mixer_;
  std::vector<SkinRow> rows_;
  SkinRow image_;
};

}  // namespace

Mirrored mirror(const Mesh& mesh, const Skeleton& skeleton, const Skin& skin,
                const MirrorOptions& options) {
  const double size = length(options.plane.normal);
  if (!(size > 0) || !std::isfinite(size) || !is_finite(options.plane.point)) {
    throw UsageError("a mirror plane has a point and a normal of some length");
  }
  if (!(options.tolerance >= 0) || !(options.bone_tolerance >= 0)) {
    throw UsageError("tolerances for vertices and bones must be numbers of at least 0");
  }
  validate(skin, mesh.vertex_count(), skeleton.bones.size());
  if (mesh.vertex_count() == 0) return {skin, {}, {}};
  return Mirror(mesh, skeleton, skin, options).run(skin);
}

}  // namespace sinew
