// SPDX-License-Identifier: Apache-2.0
#include "sinew/puppet/puppet.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/mesh/triangle.h"
#include "sinew/plane/triangulate.h"
#include "sinew/puppet/detail/puppet_skeleton.h"

namespace sinew {
namespace {

// Weights for more would take minutes.
constexpr std::size_t most_points = 100'000;

PlaneRegion region_of(const std::vector<std::vector<Vec2>>& rings, const PictureBones& bones) {
  PlaneRegion region;
  for (const std::vector<Vec2>& ring : rings) {
    const auto first = static_cast<Index>(region.points.size());
    const auto count = static_cast<Index>(ring.size());
    region.points.insert(region.points.end(), ring.begin(), ring.end());
    for (Index i = 0; i < count; ++i)
      region.outline.push_back({first + i, first + (i + 1) % count});
  }
  const auto first = static_cast<Index>(region.points.size());
  for (const PictureJoint& joint : bones.joints) region.points.push_back(joint.place);
  for (const PictureBone& bone : bones.bones) {
    region.lines.push_back(
        {first + static_cast<Index>(bone.from), first + static_cast<Index>(bone.to)});
  }
  return region;
}

PlaneMesh mesh_of(const Silhouette& figure, const PictureBones& bones,
                  const PuppetOptions& options) {
  const std::vector<std::vector<Vec2>> rings = outlines(figure.mask, options.outline);
  Vec2 low = rings.front().front(), high = low;
  for (const auto& ring : rings) {
    for (const Vec2& p : ring) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  PlaneMeshOptions plane;
  plane.min_angle = options.least_angle;
  const double size = std::max(high.x - low.x, high.y - low.y);
  plane.max_edge = options.longest_edge > 0 ? options.longest_edge : std::max(size / 30, 4.0);
  plane.min_edge = std::min(plane.max_edge / 4, 1.0);
  plane.most_points = most_points;
  return triangulate(region_of(rings, bones), plane);
}

// The picture with as much transparent room around it as the mesh needs; and where its upper left
// corner went.
std::pair<Image, Vec2> with_room(const Image& picture, const std::vector<Vec2>& points) {
  double need = 0;
  for (const Vec2& p : points) {
    need = std::max({need, -p.x, -p.y, p.x - picture.width(), p.y - picture.height()});
  }
  // A pixel more, so that the border of the texture itself is never mixed in.
  const int room = need > 0 ? static_cast<int>(std::ceil(need)) + 1 : 0;
  if (room == 0) return {picture, {}};
  if (std::max(picture.width(), picture.height()) + 2 * room > largest_image_side) {
    throw InputError("picture", fmt::format("with a margin of {} pixels around it, it has more "
                                            "than {} on a side; use a smaller margin",
                                            room, largest_image_side));
  }
  Image larger(picture.width() + 2 * room, picture.height() + 2 * room, {0, 0, 0, 0});
  for (int y = 0; y < picture.height(); ++y) {
    std::copy_n(&picture.at(0, y), picture.width(), &larger.at(room, y + room));
  }
  return {std::move(larger), Vec2{double(room), double(room)}};
}

// For each triangle, the bone that moves it most.
std::vector<std::size_t> movers_of(const Rig& rig) {
  std::vector<std::size_t> movers;
  std::vector<double> sums(rig.skeleton.bones.size());
  for (const Triangle& triangle : rig.mesh.triangles) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (const Index v : triangle) {
      for (const Influence& influence : rig.skin.weights.row(v)) {
        sums[influence.bone] += influence.weight;
      }
    }
    movers.push_back(
        static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin()));
  }
  return movers;
}

// Sorted by layer and then by bone, so that the skin of one bone as a whole covers that of another.
void sort_by_layer(Rig& rig, const PictureBones& bones) {
  const std::vector<std::size_t> movers = movers_of(rig);
  const auto key = [&](std::size_t t) {
    return std::pair(bones.bones[movers[t]].layer, movers[t]);
  };
  std::vector<std::size_t> order(movers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<Triangle> sorted;
  sorted.reserve(order.size());
  for (const std::size_t t : order) sorted.push_back(rig.mesh.triangles[t]);
  rig.mesh.triangles = std::move(sorted);
}

double distance_to(const Bone& bone, const Vec3& p) {
  return distance(p, lerp(bone.head, bone.tail, closest_on_segment(p, bone.head, bone.tail)));
}

double smooth_step(double from, double to, double x) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// Skin around a bone, behind the points where the bones it carries start, belongs neither to those
// bones nor to their descendants: a head with ears moves as one piece.
void keep_carriers_whole(Rig& rig, const PictureBones& bones) {
  const std::vector<int> above = detail::bones_above(bones);
  // For each bone the first on its way up that is carried by another from a distance.
  std::vector<int> carried(bones.bones.size(), no_picture_bone);
  for (std::size_t b = 0; b < carried.size(); ++b) {
    for (int k = static_cast<int>(b); k != no_picture_bone && carried[b] == no_picture_bone;
         k = above[k]) {
      const PictureBone& bone = bones.bones[k];
      const int carrier = above[k];
      if (carrier != no_picture_bone && bones.bones[carrier].to != bone.from) {
        carried[b] = k;
      }
    }
  }
  const auto say = [&](int bone, const Vec3& p) {
    const int first = carried[bone];
    if (first == no_picture_bone) return 1.0;
    const std::size_t f = first;
    const Bone &carrier = rig.skeleton.bones[above[f]], &start = rig.skeleton.bones[f];
    const double reach = distance_to(carrier, start.head);
    if (!(reach > 0)) return 1.0;
    const double past = dot(p - start.head, normalized(start.tail - start.head)) / reach,
                 away = distance_to(carrier, p) / reach;
    return 1 - (1 - smooth_step(-0.3, 0.15, past)) * (1 - smooth_step(1.3, 1.6, away));
  };
  Weights weights;
  std::vector<double> endpoints;
  std::vector<Influence> row;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    const std::span<const Influence> before = rig.skin.weights.row(v);
    std::vector<double> says(before.size(), 1);
    double sum = 0, lost = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      says[i] = say(before[i].bone, rig.mesh.positions[v]);
      sum += before[i].weight * says[i];
      lost += before[i].weight * (1 - says[i]);
    }
    // Where nothing is lost, or nothing else is there to move it, all stays.
    const bool stays = lost == 0 || !(sum > 0.05);
    row.clear();
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double weight = stays ? before[i].weight : before[i].weight * says[i] / sum;
      if (weight == 0) continue;
      row.push_back({before[i].bone, weight});
      if (!rig.skin.endpoints.empty())
        endpoints.push_back(rig.skin.endpoints[rig.skin.weights.offsets[v] + i]);
    }
    weights.push_row(row);
  }
  rig.skin.weights = std::move(weights);
  rig.skin.endpoints = std::move(endpoints);
}

}  // namespace

Puppet make_puppet(const Silhouette& figure, const PictureBones& bones,
                   const PuppetOptions& options, const Progress& progress) {
  if (!(options.pixels_per_unit > 0) || !std::isfinite(options.pixels_per_unit)) {
    throw UsageError("the number of pixels per unit is not above 0");
  }
  validate(bones);
  progress.report("meshing", 0);
  PlaneMesh plane = mesh_of(figure, bones, options);

  Puppet puppet;
  puppet.bones = bones;
  puppet.width = figure.image.width();
  puppet.height = figure.image.height();
  puppet.pixels_per_unit = options.pixels_per_unit;
  Vec2 corner;
  std::tie(puppet.texture, corner) = with_room(figure.image, plane.points);

  Rig& rig = puppet.rig;
  rig.name = "puppet";
  rig.skeleton = detail::puppet_skeleton(puppet);
  for (const Vec2& p : plane.points) {
    rig.mesh.positions.push_back(detail::to_units(puppet, p));
    puppet.places.push_back(p + corner);
    rig.mesh.uvs.values.push_back({puppet.places.back().x / puppet.texture.width(),
                                   1 - puppet.places.back().y / puppet.texture.height()});
  }
  rig.mesh.normals.values.assign(plane.points.size(), {0, 0, 1});
  for (const Triangle& t : plane.triangles) {
    // Counter-clockwise, now that y points up.
    rig.mesh.triangles.push_back({t[0], t[2], t[1]});
  }
  rig.mesh.parts.push_back({.name = "picture",
                            .material = "picture",
                            .vertex_count = static_cast<Index>(rig.mesh.vertex_count()),
                            .triangle_count = static_cast<Index>(rig.mesh.triangles.size())});
  ComputedWeights computed =
      compute_weights(rig.mesh, rig.skeleton, options.weights, options.endpoints, {}, progress);
  rig.skin.weights = std::move(computed.skin.weights);
  rig.skin.endpoints = std::move(computed.skin.endpoints);
  puppet.weight_notes = std::move(computed.bones);
  puppet.endpoint_notes = std::move(computed.endpoints);
  keep_carriers_whole(rig, bones);
  sort_by_layer(rig, bones);
  return puppet;
}

}  // namespace sinew
