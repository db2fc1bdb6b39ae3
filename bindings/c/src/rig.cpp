// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/src/rig.h"

#include <cstring>

#include "sinew/deform/told_pose.h"
#include "sinew/io/gltf_looks.h"
#include "sinew/io/io.h"
#include "sinew/samples/samples.h"

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

std::vector<PartLook> looks_of(const Model& model) {
  return model.source ? part_looks(model) : model.looks;
}

void require_skin(const Rig& rig) {
  if (rig.skeleton.bones.empty()) throw UsageError("the rig has no bones");
  if (rig.skin.weights.vertex_count() == 0) throw UsageError("the rig has no bone weights");
}

namespace {

// Names that are handed out for ever need a 0 at their end.
struct NamesOfSamples {
  std::vector<std::pair<std::string, std::string>> all;

  NamesOfSamples() {
    for (const SampleInfo& sample : sample_list())
      all.emplace_back(sample.name, sample.description);
  }
};

const NamesOfSamples& names_of_samples() {
  static const NamesOfSamples names;
  return names;
}

std::string_view bytes_of(const void* data, std::size_t size) {
  if (size > 0) require(data, "data");
  return {static_cast<const char*>(data), size};
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_rig_read(const char* path, sinew_rig** rig) {
  return guarded([&] {
    sinew_rig*& out = result(rig, "rig");
    out = make_rig(read_model(path_of(path)));
  });
}

sinew_status sinew_rig_read_memory(const void* data, size_t size, const char* format,
                                   sinew_rig** rig) {
  return guarded([&] {
    sinew_rig*& out = result(rig, "rig");
    out = make_rig(parse_model(bytes_of(data, size), text_of(format, "format")));
  });
}

sinew_status sinew_rig_write(const sinew_rig* rig, const char* path) {
  return guarded([&] { write_model(path_of(path), live<RigObject>(rig)->state()->model()); });
}

sinew_status sinew_rig_write_memory(const sinew_rig* rig, const char* format, sinew_buffer** file) {
  return guarded([&] {
    sinew_buffer*& out = result(file, "file");
    const auto state = live<RigObject>(rig)->state();
    out = make_buffer(model_bytes(state->model(), text_of(format, "format")));
  });
}

sinew_status sinew_sample_count(size_t* count) {
  return guarded([&] { result(count, "count") = names_of_samples().all.size(); });
}

sinew_status sinew_sample_info(size_t index, const char** name, const char** description) {
  return guarded([&] {
    const auto& sample = entry(names_of_samples().all, index, "sample");
    if (name != nullptr) *name = sample.first.c_str();
    if (description != nullptr) *description = sample.second.c_str();
  });
}

sinew_status sinew_rig_sample(const char* name, size_t vertices, sinew_progress progress,
                              void* user, sinew_rig** rig) {
  return guarded([&] {
    sinew_rig*& out = result(rig, "rig");
    out =
        make_rig({make_sample(text_of(name, "name"), vertices != 0 ? vertices : default_resolution,
                              progress_of(progress, user)),
                  nullptr});
  });
}

sinew_status sinew_rig_copy(const sinew_rig* rig, sinew_rig** copy) {
  return guarded([&] {
    sinew_rig*& out = result(copy, "copy");
    out = make_rig(live<RigObject>(rig)->state()->model());
  });
}

sinew_status sinew_rig_free(sinew_rig* rig) {
  return guarded([&] { free_handle<RigObject>(rig); });
}
