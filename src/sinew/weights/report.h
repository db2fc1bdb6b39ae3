// SPDX-License-Identifier: Apache-2.0
// The truth about weights: what they cover, how they bleed, how smooth they are, and how the solver
// that made them fared.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/weights/skin_weights.h"
#include "sinew/weights/solved.h"

namespace sinew {

// How many of the vertices that bleed follow which bone.
struct BleedingBone {
  int bone = 0;
  std::string name;  // of its joint; may be empty
  std::size_t vertices = 0;
};

// All that is known of a skin's weights.
struct WeightReport {
  std::size_t vertices = 0;
  std::size_t bones = 0;
  std::size_t uncovered = 0;       // vertices without a weight above 0
  bool finite = true;              // all numbers are, and none is out of bounds
  double largest_sum_error = 0;    // of |row sum - 1| over covered vertices
  std::size_t min_influences = 0;  // with a weight above 0
  std::size_t max_influences = 0;
  double mean_influences = 0;
  std::vector<std::size_t> histogram;        // histogram[n]: how many vertices have n influences
  std::vector<Index> bleeding;               // see bleeding.h
  std::vector<BleedingBone> bleeding_bones;  // those with the most vertices first
  std::vector<double> dirichlet;             // per bone, see smoothness.h
  double dirichlet_total = 0;
  bool has_endpoints = false;
  std::vector<int> cannot_stretch;  // bones, see stretchable.h
  bool stretch_is_lost = false;     // one of them ends at a joint, which a clip can move away

  SolveNotes solve;            // of the bone weights
  SolveNotes solve_endpoints;  // of the endpoint weights

  // What only the caller knows; 0 where it does not say.
  std::string method;
  double seconds = 0;
  std::size_t peak_memory = 0;  // bytes
};

// The skeleton and the mesh must be sound; the weights need not be: where a number is not finite,
// or out of bounds, `finite` is false and what cannot be measured stays empty. Throws InputError
// for weights that do not fit them.
WeightReport make_report(const Mesh& mesh, const Skeleton& skeleton, const SkinWeights& skin,
                         const SolveNotes& solve = {}, const SolveNotes& solve_endpoints = {});

// Whether a caller should exit with status 1: something uncovered, not converged or not finite, or
// a bone that cannot stretch.
bool poor(const WeightReport& report);

// What makes it poor, and what else is worth a look, a sentence each; empty if there is nothing.
std::vector<std::string> findings(const WeightReport& report);

// As the command line prints it: lines of a label and what it is, without a line break at the end.
std::string to_text(const WeightReport& report);

}  // namespace sinew
