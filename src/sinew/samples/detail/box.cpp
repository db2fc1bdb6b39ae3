// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include "sinew/core/internal/key_map.h"
#include "sinew/samples/detail/characters.h"
#include "sinew/samples/internal/clips.h"

namespace sinew::samples {
namespace {

constexpr Vec3 half_size{0.25, 0.6, 0.25};
constexpr Vec3 box_middle{0, 0.5, 0};  // the bone runs from y = 0 to 1, inside
constexpr double rounding = 0.03;

// Quads on the six sides of a lattice of cells, split into triangles; corners shared.
class BoxGrid {
 public:
  explicit BoxGrid(std::array<std::uint32_t, 3> cells) : cells_(cells) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      add_side(axis, 0);
      add_side(axis, cells_[axis]);
    }
  }

  Mesh mesh;

 private:
  void add_side(std::size_t axis, std::uint32_t level) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (std::uint32_t j = 0; j < cells_[v]; ++j) {
      for (std::uint32_t i = 0; i < cells_[u]; ++i) {
        std::array<Index, 4> corners;
        for (std::uint32_t c = 0; c < 4; ++c) {
          std::array<std::uint32_t, 3> at{};
          at[axis] = level;
          at[u] = i + (c == 1 || c == 2 ? 1 : 0);
          at[v] = j + (c >= 2 ? 1 : 0);
          corners[c] = vertex(at);
        }
        if (level == 0) std::swap(corners[1], corners[3]);
        // Diagonals run like an X about the box_middle of each side, which keeps the box symmetric.
        const bool lower = (2 * i < cells_[u]) == (2 * j < cells_[v]);
        const auto& [a, b, c, d] = corners;
        if (lower) {
          mesh.triangles.push_back({a, b, c});
          mesh.triangles.push_back({a, c, d});
        } else {
          mesh.triangles.push_back({a, b, d});
          mesh.triangles.push_back({b, c, d});
        }
      }
    }
  }

  Index vertex(const std::array<std::uint32_t, 3>& at) {
    const std::uint64_t key = (std::uint64_t{at[2]} << 42) | (std::uint64_t{at[1]} << 21) | at[0];
    const auto next = static_cast<Index>(mesh.positions.size());
    const Index found = index_.insert(key, next);
    if (found != next) return found;
    Vec3 inner, outward;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      // From the box_middle outwards, so that both sides round alike.
      const double steps = 2.0 * at[axis] - cells_[axis];
      const double place = half_size[axis] * (steps / cells_[axis]);
      const double limit = half_size[axis] - rounding;
      inner[axis] = std::fmax(-limit, std::fmin(limit, place));
      outward[axis] = place - inner[axis];
    }
    const Vec3 normal = normalized(outward);
    mesh.positions.push_back(box_middle + inner + normal * rounding);
    mesh.normals.values.push_back(normal);
    return found;
  }

  std::array<std::uint32_t, 3> cells_;
  KeyMap index_;
};

Mesh make_mesh(std::size_t vertex_target) {
  // Cells in whole pairs, so that a line of vertices runs along each box_middle; as many as the
  // target allows.
  const double area =
      8 * (half_size.x * half_size.y + half_size.y * half_size.z + half_size.z * half_size.x);
  const double size = std::sqrt(area / static_cast<double>(vertex_target));
  std::array<std::uint32_t, 3> cells{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    cells[axis] = 2 * static_cast<std::uint32_t>(std::fmax(1, std::round(half_size[axis] / size)));
  }
  Mesh mesh = BoxGrid(cells).mesh;
  for (const Vec3& p : mesh.positions) {
    const double squares = wave(p.x / 0.25) * wave(p.y / 0.25 + 0.25) * wave(p.z / 0.25 + 0.25);
    const double tone = std::fmin(std::fmax(0.5 + 3 * squares, 0), 1);
    const Vec3 color = lerp(Vec3{0.16, 0.42, 0.36}, Vec3{0.75, 0.72, 0.55}, tone);
    mesh.colors.push_back({color.x, color.y, color.z, 1});
  }
  Part part;
  part.name = "box";
  part.material = "foam";
  part.vertex_count = static_cast<Index>(mesh.positions.size());
  part.triangle_count = static_cast<Index>(mesh.triangles.size());
  mesh.parts.push_back(std::move(part));
  return mesh;
}

}  // namespace

Rig make_box(std::size_t vertex_target, const Progress& progress) {
  progress.report("building", 0);
  Rig rig;
  rig.name = "box";
  rig.mesh = make_mesh(vertex_target);
  Joint root, end;
  root.name = "bone";
  end.name = "bone_end";
  end.parent = 0;
  end.rest.translation = {0, 1, 0};
  end.is_frame = true;
  rig.skeleton.joints = {root, end};
  rig.skeleton.bones = bones_from_joints(rig.skeleton);
  rig.skeleton.bones[0].tail = {0, 1, 0};
  rig.skeleton.bones[0].tail_joint = 1;
  const std::array<Influence, 1> row{{{0, 1.0}}};
  for (const Vec3& p : rig.mesh.positions) {
    rig.skin.weights.push_row(row);
    rig.skin.endpoints.push_back(std::fmin(std::fmax(p.y, 0), 1));
  }
  Loop loop{rig, 4, {}};
  loop.clip.name = "bend_twist_stretch";
  turn(loop, "bone", {0, 0, 1}, [](double t) { return 20 * wave(t); });
  turn(loop, "bone_end", {0, 1, 0}, [](double t) { return 150 * swell(t); });
  stretch(loop, "bone_end", [](double t) { return 1 + 0.5 * swell(t); });
  rig.clips.push_back(std::move(loop.clip));
  progress.report("building", 1);
  return rig;
}

}  // namespace sinew::samples
