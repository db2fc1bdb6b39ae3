// SPDX-License-Identifier: Apache-2.0
// What a bake says of itself.
#pragma once

#include <span>

#include "sinew/bake/detail/trial.h"

namespace sinew::baking {

// Counts, and what could not be carried over.
void describe_rig(const Work& work, const Rig& baked, const Weights& unlimited, BakeReport& report);

// How good the helpers are in poses that no clip has: the made-up ones, which come last.
void describe_live(const Work& work, std::span<const Target> targets, double percent_of_box,
                   Baked& result);

void describe_errors(const Work& work, const Errors& errors, double percent_of_box,
                     BakeReport& report);

}  // namespace sinew::baking
