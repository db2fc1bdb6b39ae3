// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <optional>
#include <vector>

#include "bindings/c/src/pose.h"
#include "sinew/deform/deform.h"
#include "sinew/kernels/binding.h"

namespace sinew::c {
namespace {

// A rig bound to a method. Copies share the plan and have a palette of their own.
class DeformerObject final : public Object {
 public:
  using Handle = sinew_deformer;
  static constexpr const char* name = "deformer";
  const char* kind() const override { return name; }

  DeformerObject(std::shared_ptr<const RigState> rig, const Method& method,
                 const std::optional<Plan>& plan)
      : rig_(std::move(rig)), method_(method), plan_(plan) {
    if (plan_) palette_.emplace(*plan_);
  }

  std::shared_ptr<DeformerObject> copy() const {
    return std::make_shared<DeformerObject>(rig_, method_, plan_);
  }

  // Both must not be in use by another thread.
  void deform(PoseObject& pose, const Output& output, std::size_t vertex_count);

  std::mutex mutex;

 private:
  void deform_reference(PoseObject& pose, const Output& output) const;

  std::shared_ptr<const RigState> rig_;
  Method method_;
  std::optional<Plan> plan_;  // none: by the reference
  std::optional<Palette> palette_;
};

template <class T, class Vector>
void store(float* to, std::size_t stride, const std::vector<Vector>& values, const T& put) {
  if (to == nullptr) return;
  auto* place = reinterpret_cast<unsigned char*>(to);
  for (const Vector& value : values) {
    const auto numbers = put(value);
    std::memcpy(place, numbers.data(), sizeof numbers);
    place += stride;
  }
}

void require_stride(const char* name, const float* pointer, std::size_t stride, std::size_t least) {
  if (pointer != nullptr && stride < least) {
    throw UsageError(std::string(name) + ": " + std::to_string(stride) +
                     " bytes are too few for a vertex");
  }
}

void DeformerObject::deform(PoseObject& pose, const Output& output, std::size_t vertex_count) {
  const Mesh& mesh = rig_->rig().mesh;
  if (vertex_count != mesh.vertex_count()) {
    throw UsageError("output.vertex_count is " + std::to_string(vertex_count) +
                     ", but the rig has " + std::to_string(mesh.vertex_count()) + " vertices");
  }
  if (output.tangents != nullptr && mesh.tangents.empty()) {
    throw UsageError("output.tangents: the rig has no tangents");
  }
  require_stride("output.position_stride", output.positions, output.position_stride, 12);
  require_stride("output.normal_stride", output.normals, output.normal_stride, 12);
  require_stride("output.tangent_stride", output.tangents, output.tangent_stride, 16);
  if (!palette_) return deform_reference(pose, output);
  pose.update(*palette_);
  sinew::deform(*palette_, output);
}

void DeformerObject::deform_reference(PoseObject& pose, const Output& output) const {
  const bool with_normals = output.normals != nullptr || output.tangents != nullptr;
  const Deformed deformed =
      sinew::deform_reference(rig_->rig(), pose.bones(), pose.shapes(), method_, with_normals);
  const auto three = [](const Vec3& v) {
    return std::array{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
  };
  const auto four = [](const Vec4& v) {
    return std::array{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z),
                      static_cast<float>(v.w)};
  };
  store(output.positions, output.position_stride, deformed.positions, three);
  store(output.normals, output.normal_stride, deformed.normals, three);
  store(output.tangents, output.tangent_stride, deformed.tangents, four);
}

// Names with a 0 at their end, valid for ever.
struct NamedMethod {
  std::string name, summary;
  std::vector<std::pair<std::string, std::string>> settings;
};

const std::vector<NamedMethod>& named_methods() {
  static const std::vector<NamedMethod> all = [] {
    std::vector<NamedMethod> list;
    for (const MethodInfo* method : methods()) {
      NamedMethod named{std::string(method->name), std::string(method->summary), {}};
      for (const MethodOption& option : method->options) {
        named.settings.emplace_back(option.name, option.help);
      }
      list.push_back(std::move(named));
    }
    return list;
  }();
  return all;
}

GivenOptions settings_from(const sinew_deformer_options& options) {
  GivenOptions given;
  if (options.setting_count > 0) require(options.settings, "options.settings");
  for (std::size_t i = 0; i < options.setting_count; ++i) {
    const sinew_setting& setting = options.settings[i];
    given[text_of(setting.name, "the name of a setting")].push_back(
        text_of(setting.value, "the value of a setting"));
  }
  return given;
}

Output output_from(const sinew_output& given) {
  Output output;
  output.positions = given.positions;
  if (given.position_stride != 0) output.position_stride = given.position_stride;
  output.normals = given.normals;
  if (given.normal_stride != 0) output.normal_stride = given.normal_stride;
  output.tangents = given.tangents;
  if (given.tangent_stride != 0) output.tangent_stride = given.tangent_stride;
  return output;
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_method_count(size_t* count) {
  return guarded([&] { result(count, "count") = named_methods().size(); });
}

sinew_status sinew_method_get(size_t index, sinew_method_info* info) {
  return guarded([&] {
    const NamedMethod& method = entry(named_methods(), index, "method");
    const MethodTraits traits = methods()[index]->traits;
    sinew_method_info value{};
    value.name = method.name.c_str();
    value.summary = method.summary.c_str();
    value.reads_endpoints = traits.endpoints ? 1 : 0;
    value.twists = traits.twists ? 1 : 0;
    value.scales = traits.scales ? 1 : 0;
    value.setting_count = method.settings.size();
    fill(info, value, "info");
  });
}

sinew_status sinew_method_setting(size_t index, size_t setting, const char** name,
                                  const char** help) {
  return guarded([&] {
    const NamedMethod& method = entry(named_methods(), index, "method");
    const auto& found = entry(method.settings, setting, "setting");
    if (name != nullptr) *name = found.first.c_str();
    if (help != nullptr) *help = found.second.c_str();
  });
}

sinew_status sinew_deformer_create(const sinew_rig* rig, const sinew_deformer_options* options,
                                   sinew_deformer** deformer) {
  return guarded([&] {
    sinew_deformer*& out = result(deformer, "deformer");
    const sinew_deformer_options given = options_from(options, "options");
    const auto state = live<RigObject>(rig)->state();
    require_skin(state->rig());
    const Method method = method_from_name(method_name(given.method, state->rig()), state->rig(),
                                           settings_from(given));
    std::optional<Plan> plan;
    if (given.reference == 0) {
      const Binding binding(state->rig(), {.slopes = given.rough_normals == 0});
      plan.emplace(binding, method);
    }
    out = make_handle(std::make_shared<DeformerObject>(state, method, plan));
  });
}

sinew_status sinew_deformer_copy(const sinew_deformer* deformer, sinew_deformer** copy) {
  return guarded([&] {
    sinew_deformer*& out = result(copy, "copy");
    out = make_handle(live<DeformerObject>(deformer)->copy());
  });
}

sinew_status sinew_deformer_deform(sinew_deformer* deformer, sinew_pose* pose,
                                   const sinew_output* output) {
  return guarded([&] {
    const auto object = live<DeformerObject>(deformer);
    const auto posed = live<PoseObject>(pose);
    require(output, "output");
    const sinew_output given = options_from(output, "output");
    const std::scoped_lock lock(object->mutex, posed->mutex);
    object->deform(*posed, output_from(given), given.vertex_count);
  });
}

sinew_status sinew_deformer_free(sinew_deformer* deformer) {
  return guarded([&] { free_handle<DeformerObject>(deformer); });
}
