// SPDX-License-Identifier: Apache-2.0
#include "textbook.h"

#include <algorithm>

#include "sinew/deform/skin_rows.h"

namespace sinew::bench {

TextbookSkin::TextbookSkin(const Rig& rig, std::span<const BoneState> pose)
    : vertices_(rig.mesh.vertex_count()), positions_(3 * vertices_.size()) {
  const SkinRows rows = skin_rows(rig);
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    for (std::size_t k = 0; k < 3; ++k) {
      vertices_[v].position[k] = static_cast<float>(rig.mesh.positions[v][k]);
    }
    for (std::size_t i = 0; i < std::min(rows[v].size(), influences); ++i) {
      vertices_[v].bones[i] = rows[v][i].bone;
      vertices_[v].weights[i] = static_cast<float>(rows[v][i].weight);
    }
  }
  for (const BoneState& bone : pose) {
    std::array<float, 12>& m = matrices_.emplace_back();
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) {
        m[4 * r + c] = static_cast<float>(bone.matrix.linear[c][r]);
      }
      m[4 * r + 3] = static_cast<float>(bone.matrix.translation[r]);
    }
  }
}

void TextbookSkin::run() {
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    const auto& [p, bones, weights] = vertices_[v];
    float sum[3] = {0, 0, 0};
    for (std::size_t i = 0; i < influences; ++i) {
      const auto& m = matrices_[bones[i]];
      for (std::size_t r = 0; r < 3; ++r) {
        sum[r] += weights[i] *
                  (m[4 * r] * p[0] + m[4 * r + 1] * p[1] + m[4 * r + 2] * p[2] + m[4 * r + 3]);
      }
    }
    std::copy(sum, sum + 3, positions_.data() + 3 * v);
  }
}

std::size_t TextbookSkin::bytes() const {
  return vertices_.size() * sizeof(Vertex) + positions_.size() * sizeof(float);
}

}  // namespace sinew::bench
