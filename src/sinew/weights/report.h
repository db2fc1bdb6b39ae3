// SPDX-License-Identifier: Apache-2.0
// Quality report for weights: coverage, bleeding, smoothness, and how the solver did.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/skin.h"
#include "sinew/weights/solved.h"

namespace sinew {

// The number of bleeding vertices that follow a bone.
struct BleedingBone {
  BoneIndex bone = 0;
  std::string name;  // of its joint; may be empty
  std::size_t vertices = 0;
};

// A bone and the name of its joint, which may be empty.
struct NamedBone {
  BoneIndex bone = 0;
  std::string name;
};

// All that is known of a skin's weights.
struct WeightReport {
  std::size_t vertices = 0;
  std::size_t bones = 0;
  std::size_t uncovered = 0;       // vertices without a weight above 0
  bool finite = true;              // all numbers are finite and within bounds
  double largest_sum_error = 0;    // largest |row sum - 1| over covered vertices
  std::size_t min_influences = 0;  // with a weight above 0
  std::size_t max_influences = 0;
  double mean_influences = 0;
  std::vector<std::size_t> histogram;        // histogram[n]: how many vertices have n influences
  std::vector<Index> bleeding;               // see bleeding.h
  std::vector<BleedingBone> bleeding_bones;  // most vertices first
  std::vector<NamedBone> idle_bones;         // move none of the skin around them, see bleeding.h
  std::vector<double> dirichlet;             // per bone, see smoothness.h
  double dirichlet_total = 0;
  bool has_endpoints = false;
  std::vector<BoneIndex> cannot_stretch;  // bones, see stretchable.h
  bool stretch_is_lost = false;           // one of them ends at a joint, so a clip can stretch it

  SolveNotes solve;            // of the bone weights
  SolveNotes solve_endpoints;  // of the endpoint weights

  // Filled in by the caller; empty or 0 if unknown.
  std::string method;
  double seconds = 0;
  std::size_t peak_memory = 0;  // bytes
};

// The skeleton and the mesh must be valid. The weights need not be: if a number is not finite or
// out of bounds, `finite` is false and what cannot be measured stays empty. Throws InputError for
// weights that do not fit the mesh and skeleton.
WeightReport make_report(const Mesh& mesh, const Skeleton& skeleton, const Skin& skin,
                         const SolveNotes& solve = {}, const SolveNotes& solve_endpoints = {});

// Whether a program should exit with status 1: a vertex is uncovered, a solver has not converged, a
// number is not finite, a bone cannot stretch, or a part has nothing to take its weights from.
bool poor(const WeightReport& report);

// What makes the result poor and what else deserves attention, one sentence each; may be empty.
std::vector<std::string> findings(const WeightReport& report);

// The text that the command line prints: lines of label and value, without a trailing line break.
std::string to_text(const WeightReport& report);

}  // namespace sinew
