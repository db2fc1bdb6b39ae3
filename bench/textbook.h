// SPDX-License-Identifier: Apache-2.0
// Linear blending as textbooks have it: four bones and weights beside each vertex, one vertex after
// the other.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/rig/rig.h"

namespace sinew::bench {

class TextbookSkin {
 public:
  // Of each vertex, the first four influences count.
  TextbookSkin(const Rig& rig, std::span<const BoneState> pose);

  void run();
  std::span<const float> positions() const { return positions_; }
  std::size_t bytes() const;  // read and written

 private:
  static constexpr std::size_t influences = 4;
  struct Vertex {
    std::array<float, 3> position{};
    std::array<int, influences> bones{};
    std::array<float, influences> weights{};
  };
  std::vector<Vertex> vertices_;
  std::vector<std::array<float, 12>> matrices_;
  std::vector<float> positions_;
};

}  // namespace sinew::bench
