// SPDX-License-Identifier: Apache-2.0
// What a handle of a pose stands for.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "bindings/c/src/rig.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/kernels/binding.h"

namespace sinew::c {

// Use it with `mutex` locked.
class PoseObject final : public Object {
 public:
  using Handle = sinew_pose;
  static constexpr const char* name = "pose";
  const char* kind() const override { return name; }

  PoseObject(std::shared_ptr<const RigState> rig, const StateOptions& options, bool follows);

  const RigState& rig() const { return *rig_; }

  void rest();
  void play(std::size_t clip, double time);
  // Changes joints, shapes or controls, from where they are: a ToldPose.
  template <class Change>
  void change(const Change& change) {
    change(told());
    by_bones_.reset();
    is_old_ = true;
  }
  void set_json(const std::string& json);
  std::string json();

  // Of the pose as it was set last.
  const PosedRig& posed();
  std::span<const BoneState> bones();
  void update(Palette& palette);
  std::span<const double> shapes();

  std::mutex mutex;

 private:
  ToldPose& told();

  std::shared_ptr<const RigState> rig_;
  StateOptions options_;
  bool follows_;
  PosedRig posed_;
  ToldPose wanted_;  // as it was set; generalized bones are computed in posed_
  std::optional<std::vector<BoneState>> by_bones_;
  bool is_old_ = false;  // posed_ is not yet at wanted_
  bool plays_ = false;   // posed_ is in a clip, and wanted_ is not there
};

// Does something to a pose while no other thread can.
template <class Body>
sinew_status with_pose(sinew_pose* pose, const Body& body) noexcept {
  return guarded([&] {
    const auto object = live<PoseObject>(pose);
    const std::lock_guard lock(object->mutex);
    body(*object);
  });
}

// Sets one joint, which is then twisted by less than half a turn.
void set_told_joint(ToldPose& pose, JointIndex joint, const Transform& transform);

}  // namespace sinew::c
