// SPDX-License-Identifier: Apache-2.0
#include "models.h"

#include <algorithm>
#include <array>
#include <string>

#include "limbs.h"
#include "panels.h"
#include "posing.h"
#include "sinew/image/read_image.h"
#include "sinew/samples/samples.h"
#include "sinew/weights/smooth.h"

namespace sinew::gallery {
namespace {

// Takes bones over from a finer skeleton: from the head of one bone to the head of another, or to
// its own tail.
class Simplified {
 public:
  explicit Simplified(const Skeleton& source) : source_(source) {}

  void add(const std::string& name, const std::string& parent, const std::string& from,
           const std::string& to) {
    plans_.push_back({name, parent, of(from).head, of(to).head});
  }
  void add_last(const std::string& name, const std::string& parent, const std::string& from,
                const std::string& to) {
    plans_.push_back({name, parent, of(from).head, of(to).tail});
  }
  Skeleton skeleton() const { return make_skeleton(plans_); }

 private:
  const Bone& of(const std::string& name) const {
    return source_.bones[bone_number(source_, name)];
  }

  const Skeleton& source_;
  std::vector<BonePlan> plans_;
};

Rig with_weights(Rig rig, const Skeleton& skeleton, std::size_t nodes, const Progress& progress) {
  rig.skeleton = skeleton;
  rig.clips.clear();
  rig.controls.clear();
  rig.drivers.clear();
  weigh_automatically(rig, nodes, progress);
  return rig;
}

constexpr std::array sides{".L", ".R"};

}  // namespace

std::string Models::cast(std::string_view name) const {
  const auto found = stand_ins_.find(name);
  return found == stand_ins_.end() ? std::string(name) : found->second;
}

std::vector<Vec3> Models::deformed(const Rig& rig, std::span<const BoneState> states,
                                   std::string_view method) const {
  return gallery::deformed(rig, states, cast(method));
}

Method Models::method(std::string_view name, const Rig& rig) const {
  return method_from_name(cast(name), rig);
}

std::shared_ptr<const Image> Models::skin(const std::string& sample) {
  const auto [place, is_new] = skins_.try_emplace(sample);
  const auto looks = is_new ? sample_looks(sample) : std::vector<PartLook>();
  if (!looks.empty()) place->second = std::make_shared<Image>(decode_image(looks[0].picture));
  return place->second;
}

const Rig& Models::beast(const Progress& progress) {
  if (beast_) return *beast_;
  Rig rig = sample("beast", 20000, progress.part(0, 0.3));
  Simplified bones(rig.skeleton);
  bones.add("back", "", "hips", "chest");
  bones.add("chest", "back", "chest", "neck_1");
  bones.add("neck", "chest", "neck_1", "head");
  bones.add("tail_1", "back", "tail_1", "tail_3");
  bones.add("tail_2", "tail_1", "tail_3", "tail_5");
  bones.add_last("tail_3", "tail_2", "tail_5", "tail_6");
  for (const std::string side : sides) {
    bones.add("upper_arm" + side, "chest", "upper_arm" + side, "forearm" + side);
    bones.add("forearm" + side, "upper_arm" + side, "forearm" + side, "hand" + side);
    bones.add("thigh" + side, "back", "thigh" + side, "shin" + side);
    bones.add("shin" + side, "thigh" + side, "shin" + side, "foot" + side);
    bones.add("foot" + side, "shin" + side, "foot" + side, "toes" + side);
  }
  beast_ =
      with_weights(std::move(rig), bones.skeleton(), detail_.nodes(10000), progress.part(0.3, 1));
  skins_["striped beast"] = paint_stripes(*beast_, arm_stripes());
  return *beast_;
}

const Rig& Models::person(const Progress& progress) {
  if (person_) return *person_;
  Rig rig = make_sample("mannequin", detail_.vertices(30000), progress.part(0, 0.3));
  Simplified bones(rig.skeleton);
  bones.add("spine", "", "hips", "neck");
  bones.add("neck", "spine", "neck", "head");
  for (const std::string side : sides) {
    bones.add("upper_arm" + side, "spine", "upper_arm" + side, "forearm" + side);
    bones.add("forearm" + side, "upper_arm" + side, "forearm" + side, "hand" + side);
    bones.add("thigh" + side, "spine", "thigh" + side, "shin" + side);
    bones.add("shin" + side, "thigh" + side, "shin" + side, "foot" + side);
  }
  person_ =
      with_weights(std::move(rig), bones.skeleton(), detail_.nodes(10000), progress.part(0.3, 1));
  // Where small weights meet large motions, the cells of the lattice would show.
  person_->skin = smooth(person_->mesh, person_->skin, {.iterations = 8, .endpoints = true});
  return *person_;
}

const Rig& Models::giraffe(const Progress& progress) {
  if (giraffe_) return *giraffe_;
  Rig rig = make_sample("giraffe", detail_.vertices(6000), progress.part(0, 0.3));
  Simplified bones(rig.skeleton);
  bones.add("body", "", "body", "neck_1");
  bones.add("neck", "body", "neck_1", "head");
  for (const std::string leg : {"front_near", "front_far", "back_near", "back_far"}) {
    bones.add(leg + "_upper", "body", leg + "_upper", leg + "_lower");
    bones.add(leg + "_lower", leg + "_upper", leg + "_lower", leg + "_hoof");
  }
  bones.add("tail", "body", "tail_1", "tail_3");
  giraffe_ =
      with_weights(std::move(rig), bones.skeleton(), detail_.nodes(10000), progress.part(0.3, 1));
  return *giraffe_;
}

const Rig& Models::leg(const Progress& progress) {
  if (leg_) return *leg_;
  leg_.emplace();
  leg_->name = "leg";
  leg_->mesh = leg_mesh(detail_);
  leg_->skeleton = make_skeleton(
      std::array{BonePlan{"thigh", "", hip, knee}, BonePlan{"shin", "thigh", knee, ankle}});
  weigh_automatically(*leg_, detail_.nodes(6000), progress);
  return *leg_;
}

const Rig& Models::sample(const std::string& name, std::size_t vertices, const Progress& progress) {
  const std::pair key{name, vertices};
  const auto found = samples_.find(key);
  if (found != samples_.end()) return found->second;
  return samples_.emplace(key, make_sample(name, detail_.vertices(vertices), progress))
      .first->second;
}

}  // namespace sinew::gallery
