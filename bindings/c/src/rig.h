// SPDX-License-Identifier: Apache-2.0
// What a handle of a rig stands for.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "bindings/c/src/handles.h"
#include "sinew/deform/clip_plan.h"
#include "sinew/io/gltf.h"

namespace sinew::c {

// A rig as it is between two changes, and what was planned for it. Poses and deformers share it.
class RigState {
 public:
  explicit RigState(Model model) : model_(std::move(model)) {}

  const Model& model() const { return model_; }
  const Rig& rig() const { return model_.rig; }
  // Made on the first call. Threads may call both at once.
  RigPlan plan() const;
  ClipPlan clip_plan(std::size_t clip) const;
  // Of the joints; made on the first call, too.
  const std::vector<Vec3>& twist_axes() const;

 private:
  Model model_;
  mutable std::mutex mutex_;
  mutable std::optional<RigPlan> plan_;
  mutable std::map<std::size_t, ClipPlan> clips_;
  mutable std::optional<std::vector<Vec3>> twist_axes_;
};

class RigObject final : public Object {
 public:
  using Handle = sinew_rig;
  static constexpr const char* name = "rig";
  const char* kind() const override { return name; }

  // The model must be valid.
  explicit RigObject(Model model) : state_(std::make_shared<const RigState>(std::move(model))) {}

  std::shared_ptr<const RigState> state() const;
  // Throws UsageError unless the rig is still as it was at `before`.
  void replace(const std::shared_ptr<const RigState>& before, Model model);

  // Applies `change` to a copy of the model, which replaces the model if it is valid.
  template <class Change>
  void change(const Change& change) {
    const std::shared_ptr<const RigState> before = state();
    Model model = before->model();
    change(model);
    validate(model.rig);
    replace(before, std::move(model));
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const RigState> state_;
};

inline sinew_rig* make_rig(Model model) {
  return make_handle(std::make_shared<RigObject>(std::move(model)));
}

// The influences of a skin: WEIGHT_OFFSETS to TWIST_ENDPOINTS.
sinew_array skin_view(const Skin& skin, sinew_field field);

// The looks of the parts, from the file or as they were set; empty: there are none.
std::vector<PartLook> looks_of(const Model& model);

// Forgets the file that the model was read from, but not the looks of its parts, as far as a new
// file can have them: pictures as PNG or JPEG.
void forget_source(Model& model);

// Throws UsageError for a rig without bones or without weights, which nothing can deform.
void require_skin(const Rig& rig);

}  // namespace sinew::c
