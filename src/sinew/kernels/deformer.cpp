// SPDX-License-Identifier: Apache-2.0
#include "sinew/kernels/deformer.h"

#include <optional>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/kernels/binding.h"

namespace sinew {

struct Deformer::Data {
  const Rig* rig;
  Method method;
  bool normals;
  std::optional<Palette> palette;  // none: by the reference
};

Deformer::Deformer(Data data) : data_(std::make_unique<Data>(std::move(data))) {}
Deformer::Deformer(const Rig& rig, Method method, const DeformerOptions& options)
    : Deformer(std::move(deformers(rig, {&method, 1}, options).front())) {}
Deformer::~Deformer() = default;
Deformer::Deformer(Deformer&&) noexcept = default;
Deformer& Deformer::operator=(Deformer&&) noexcept = default;

Deformed Deformer::at(std::span<const BoneState> bones, std::span<const double> shapes) {
  if (!data_->palette) {
    return deform_reference(*data_->rig, bones, shapes, data_->method, data_->normals);
  }
  data_->palette->update(bones, shapes);
  return data_->palette->deformed(data_->normals);
}

std::vector<Deformer> deformers(const Rig& rig, std::span<const Method> methods,
                                const DeformerOptions& options) {
  const Binding binding(rig, {.slopes = options.normals});
  std::vector<Deformer> result;
  for (const Method& method : methods) {
    Deformer::Data data{&rig, method, options.normals, {}};
    if (!options.reference) data.palette.emplace(Plan(binding, method));
    result.push_back(Deformer(std::move(data)));
  }
  return result;
}

void require_finite(const Deformed& deformed) {
  for (std::size_t v = 0; v < deformed.positions.size(); ++v) {
    if (is_finite(deformed.positions[v])) continue;
    throw InputError(formatted("vertex {}", v),
                     "the pose takes it to infinity; look for huge numbers in the pose");
  }
}

}  // namespace sinew
