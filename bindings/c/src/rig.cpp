// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/src/rig.h"

#include "sinew/deform/told_pose.h"

namespace sinew::c {

RigPlan RigState::plan() const {
  const std::lock_guard lock(mutex_);
  if (!plan_) plan_.emplace(rig());
  return *plan_;
}

ClipPlan RigState::clip_plan(std::size_t clip) const {
  const Clip& wanted = entry(rig().clips, clip, "clip");
  const RigPlan bones = plan();
  const std::lock_guard lock(mutex_);
  const auto found = clips_.find(clip);
  if (found != clips_.end()) return found->second;
  return clips_.emplace(clip, ClipPlan(bones, wanted)).first->second;
}

const std::vector<Vec3>& RigState::twist_axes() const {
  const std::lock_guard lock(mutex_);
  if (!twist_axes_) twist_axes_ = sinew::twist_axes(rig().skeleton);
  return *twist_axes_;
}

std::shared_ptr<const RigState> RigObject::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void RigObject::replace(const std::shared_ptr<const RigState>& before, Model model) {
  auto after = std::make_shared<const RigState>(std::move(model));
  const std::lock_guard lock(mutex_);
  if (state_ != before) throw UsageError("another thread changed the rig meanwhile");
  state_.swap(after);
}

void require_skin(const Rig& rig) {
  if (rig.skeleton.bones.empty()) throw UsageError("the rig has no bones");
  if (rig.skin.weights.vertex_count() == 0) throw UsageError("the rig has no bone weights");
}

}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_rig_copy(const sinew_rig* rig, sinew_rig** copy) {
  return guarded([&] {
    sinew_rig*& out = result(copy, "copy");
    out = make_rig(live<RigObject>(rig)->state()->model());
  });
}

sinew_status sinew_rig_free(sinew_rig* rig) {
  return guarded([&] { free_handle<RigObject>(rig); });
}
