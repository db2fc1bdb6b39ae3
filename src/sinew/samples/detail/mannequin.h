// SPDX-License-Identifier: Apache-2.0
// The mannequin's body; its motion is in mannequin_clips.cpp.
#pragma once

#include "sinew/samples/detail/chart.h"
#include "sinew/samples/internal/blueprint.h"

namespace sinew::samples {

// 1.80 m tall, arms at some 38 degrees below the horizontal, palms down.
Blueprint mannequin_blueprint();
// What it looks like.
Chart mannequin_chart();

}  // namespace sinew::samples
