// SPDX-License-Identifier: Apache-2.0
// What a list of steps changed in a rig.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "sinew/mesh/mesh.h"

namespace sinew {

// Something a step found out: a count, a number, a sentence, names (of bones, of parts) or
// vertices.
struct StepFact {
  std::string name;  // as in JSON: "unpaired_bones"; the text has blanks for underscores
  std::variant<std::size_t, double, std::string, std::vector<std::string>, std::vector<Index>>
      value;
};

// What one step did. The change of a vertex is the sum over its bones of the absolute change of
// their weights: 0 none, 2 nothing in common.
struct StepReport {
  std::string step;                  // its name: "smooth"
  std::string arguments;             // "5 where forearm.L"
  std::size_t vertices = 0;          // whose bone weights or endpoint weights changed
  double largest_change = 0;         // of a vertex
  double mean_change = 0;            // over all vertices
  double largest_endpoint = 0;       // change of an endpoint weight, of either kind
  std::vector<std::string> bones{};  // whose weights changed, in the skeleton's order
  std::vector<StepFact> facts{};
};

// What all of them did.
struct EditReport {
  std::size_t vertices = 0;  // of the mesh
  std::vector<StepReport> steps;
  bool changed = false;             // whether the rig differs from what it was
  std::size_t uncovered = 0;        // vertices without weights in the end
  std::size_t most_influences = 0;  // of a vertex, in the end
};

// Whether a program should exit with status 1: a vertex has no weights.
bool poor(const EditReport& report);

// A table with a line for each step, what the steps found below it; no trailing line break.
std::string to_text(const EditReport& report);

// One object, indented by two spaces: "vertices", "changed", "uncovered", "most_influences",
// "poor", and "steps": for each "step", "arguments", "vertices", "largest_change", "mean_change",
// "largest_endpoint_change", "bones" and its facts by their names. Lists are whole.
std::string to_json(const EditReport& report);

}  // namespace sinew
