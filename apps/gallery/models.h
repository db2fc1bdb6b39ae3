// SPDX-License-Identifier: Apache-2.0
// The models shared by several figures, each created on first use.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "figure.h"
#include "sinew/deform/bone_state.h"
#include "sinew/deform/method.h"
#include "sinew/image/image.h"
#include "sinew/rig/rig.h"

namespace sinew::gallery {

// The built-in characters on skeletons of few bones, with automatically computed weights. Bones end
// where hands, heads and hooves begin; these follow without bones of their own.
//
// Figures ask here for what they are about: a method of deformation, of weights, a setting, all by
// name. `stand_ins` has other names for some of them: a figure whose claims hold whatever it is
// made with claims nothing, and tests find that out.
class Models {
 public:
  using StandIns = std::map<std::string, std::string, std::less<>>;
  explicit Models(const Detail& detail, StandIns stand_ins = {})
      : detail_(detail), stand_ins_(std::move(stand_ins)) {}

  const Detail& detail() const { return detail_; }
  // The name to be used for one that a figure is about.
  std::string cast(std::string_view name) const;
  // The rig's mesh in a pose, by a method of that name.
  std::vector<Vec3> deformed(const Rig& rig, std::span<const BoneState> states,
                             std::string_view method) const;
  // The method of that name, for many poses of a rig.
  Method method(std::string_view name, const Rig& rig) const;

  // Its arms are striped, by the skin called "striped beast".
  const Rig& beast(const Progress& progress = {});
  const Rig& person(const Progress& progress = {});
  const Rig& giraffe(const Progress& progress = {});
  // A leg on thigh and shin.
  const Rig& leg(const Progress& progress = {});
  // A built-in character as it is, with about so many vertices at the usual fineness.
  const Rig& sample(const std::string& name, std::size_t vertices, const Progress& progress = {});
  // The picture on the skin of a built-in character that has one, otherwise null.
  std::shared_ptr<const Image> skin(const std::string& sample);

 private:
  Detail detail_;
  StandIns stand_ins_;
  std::optional<Rig> beast_, person_, giraffe_, leg_;
  std::map<std::pair<std::string, std::size_t>, Rig> samples_;
  std::map<std::string, std::shared_ptr<const Image>> skins_;
};

}  // namespace sinew::gallery
