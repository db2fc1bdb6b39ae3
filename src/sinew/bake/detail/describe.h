// SPDX-License-Identifier: Apache-2.0
// Fills in the report of a bake.
#pragma once

#include <span>

#include "sinew/bake/detail/trial.h"

namespace sinew::baking {

// Counts, and notes on what could not be converted.
void describe_rig(const Work& work, const Rig& baked, const Weights& unlimited, BakeReport& report);

// Errors of the helpers in poses outside the clips: the generated ones, which come last.
void describe_live(const Work& work, std::span<const Target> targets, double percent_of_box,
                   Baked& result);

void describe_errors(const Work& work, const Errors& errors, double percent_of_box,
                     BakeReport& report);

}  // namespace sinew::baking
