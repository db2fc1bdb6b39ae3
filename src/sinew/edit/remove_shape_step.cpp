// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/remove_shape_step.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/text.h"
#include "sinew/core/suggest.h"
#include "sinew/rig/internal/move_shapes.h"

namespace sinew {
namespace {

std::vector<bool> shapes_called(const Mesh& mesh, const std::string& name_or_number) {
  std::vector<bool> found(mesh.shapes.size(), false);
  std::vector<std::string> names;
  for (std::size_t s = 0; s < found.size(); ++s) {
    names.push_back(mesh.shapes[s].name);
    found[s] = !name_or_number.empty() && names.back() == name_or_number;
  }
  if (std::find(found.begin(), found.end(), true) != found.end()) return found;
  const auto number = text::parse_integer(name_or_number);
  if (!number || *number < 0 || *number >= static_cast<long long>(found.size())) {
    throw UsageError(fmt::format("--remove-shape: there is no blend shape {}{}; there are {}",
                                 text::quoted(name_or_number), did_you_mean(name_or_number, names),
                                 found.size()));
  }
  found[static_cast<std::size_t>(*number)] = true;
  return found;
}

}  // namespace

StepForm RemoveShapeStep::form() {
  return {{"remove-shape", "SHAPE",
           "Removes a blend shape, by its name or number, and what drives it"}};
}

RemoveShapeStep RemoveShapeStep::parse(const StepText& text) { return {text.argument}; }

std::string RemoveShapeStep::arguments() const { return shape; }

void RemoveShapeStep::apply(Editing& editing) const {
  Rig& rig = editing.rig;
  const std::vector<bool> gone = shapes_called(rig.mesh, shape);
  ShapePlaces places(gone.size());
  std::vector<BlendShape> kept;
  std::vector<std::string> removed;
  for (std::size_t s = 0; s < gone.size(); ++s) {
    BlendShape& one = rig.mesh.shapes[s];
    if (gone[s]) {
      removed.push_back(fmt::format("{}{}", s, one.name.empty() ? "" : " (" + one.name + ")"));
    } else {
      places[s].push_back(static_cast<int>(kept.size()));
      kept.push_back(std::move(one));
    }
  }
  rig.mesh.shapes = std::move(kept);
  move_shapes(rig, places);
  editing.facts.push_back({"removed_shapes", std::move(removed)});
}

}  // namespace sinew
