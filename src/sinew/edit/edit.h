// SPDX-License-Identifier: Apache-2.0
// Edits a rig's skin, settings and blend shapes by a list of steps, and says what each of them
// changed.
//
// To add a step, write a struct in a file of its own (smooth_step.h is an example) with
// - its values, public;
// - `static StepForm form()`: how it is written;
// - `static X parse(const StepText&)`: throws UsageError for an argument that is wrong, InputError
//   for a file that is; it reads files only where `content` does not have them;
// - `std::string arguments() const`: what it was given, for the report;
// - `void apply(Editing&) const`: throws UsageError for a name that the rig does not have;
// and add it to EditStep. `sinew edit` then has it, too.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/edit/blend_share_step.h"
#include "sinew/edit/curve_settings_step.h"
#include "sinew/edit/drivers_step.h"
#include "sinew/edit/filter_step.h"
#include "sinew/edit/joint_weights_step.h"
#include "sinew/edit/limits_step.h"
#include "sinew/edit/lock_step.h"
#include "sinew/edit/mirror_step.h"
#include "sinew/edit/muscle_step.h"
#include "sinew/edit/normalize_step.h"
#include "sinew/edit/paint_step.h"
#include "sinew/edit/prune_step.h"
#include "sinew/edit/remove_shape_step.h"
#include "sinew/edit/report.h"
#include "sinew/edit/smooth_step.h"
#include "sinew/edit/step_text.h"
#include "sinew/edit/transfer_step.h"
#include "sinew/edit/twist_endpoints_step.h"
#include "sinew/edit/twist_share_step.h"

namespace sinew {

// Any step; their order here is that of the help.
using EditStep = std::variant<SmoothStep, MirrorStep, TransferStep, PaintStep, PruneStep,
                              NormalizeStep, LockStep, FilterStep, TwistFilterStep, MuscleStep,
                              TwistEndpointsStep, TwistShareStep, BlendShareStep, JointWeightsStep,
                              DriversStep, OffsetCurvesStep, LimitsStep, RemoveShapeStep>;

// Applies the steps in order. Locks set by a step hold for those after it. If a step throws, or the
// hook of `progress` stops it, the rig is as it was. The rig must be valid.
EditReport edit(Rig& rig, std::span<const EditStep> steps, const Progress& progress = {});

// How all steps are written.
std::vector<StepForm> step_forms();

// The step that is written so. Throws UsageError for a name or modifier that is not known, for
// content that is not what the step takes, and as the step's own parse().
EditStep parse_step(const StepText& text);

}  // namespace sinew
