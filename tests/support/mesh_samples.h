// SPDX-License-Identifier: Apache-2.0
// Small meshes for tests of formats.
#pragma once

#include "sinew/mesh/mesh.h"
#include "sinew/mesh/polygons.h"

// A cube of quads with one triangle on top, with coordinates that need full precision.
inline sinew::Mesh sample_polygons() {
  sinew::Mesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.positions.push_back({(i & 1) / 3.0, (i & 2) / 7.0 - 1e-17, (i & 4) * 1.1e9});
  }
  mesh.positions.push_back({0.1, -0.0, 5e-324});
  sinew::set_faces(mesh, {{0, 4, 8, 12, 16, 20, 24, 27}, {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6,
                                                          7, 3, 0, 4, 6, 2, 1, 3, 7, 5, 4, 5, 8}});
  return mesh;
}

inline sinew::Mesh sample_triangles() {
  sinew::Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1.0 / 3, 0}, {0, 0, 1e300}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return mesh;
}

// Fills every per-vertex layer.
inline void add_vertex_layers(sinew::Mesh& mesh) {
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const double t = double(v) / 10.3;
    mesh.normals.values.push_back({t, -t, 1 - t});
    mesh.uvs.values.push_back({t, t * t});
    mesh.colors.push_back({t, 1 - t, 0.5, 0.25});
  }
}
