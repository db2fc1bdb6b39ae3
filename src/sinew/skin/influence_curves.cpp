// SPDX-License-Identifier: Apache-2.0
#include "sinew/skin/influence_curves.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

void check_curve(const InfluenceCurve& curve, std::size_t number, std::size_t bone_count) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError(formatted("influence curve {}", number), problem);
  };
  if (curve.bones.empty()) refuse("it has no bones");
  std::vector<BoneIndex> sorted = curve.bones;
  if (curve.lead_in != no_bone) sorted.push_back(curve.lead_in);
  std::sort(sorted.begin(), sorted.end());
  for (const BoneIndex bone : sorted) {
    if (bone < 0 || static_cast<std::size_t>(bone) >= bone_count) {
      refuse(formatted("it names bone {}, but there are {}", int(bone), bone_count));
    }
  }
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) refuse(formatted("bone {} is in it twice", int(*twice)));
  const CurveControls& c = curve.controls;
  for (const double value : {c.along, c.outward, c.rescale, c.slide}) {
    if (!std::isfinite(value)) refuse("its controls are not all finite");
  }
  for (const FilterCurve* shape : {&c.twist, &c.scale}) {
    try {
      validate(*shape);
    } catch (const InputError& error) {
      refuse(error.what());
    }
  }
}

}  // namespace

void validate(const OffsetCurves& settings, std::size_t vertex_count, std::size_t bone_count) {
  if (!(settings.roundness >= 0) || !std::isfinite(settings.roundness)) {
    throw InputError("offset curves",
                     formatted("the roundness is {}; it must be 0 or more", settings.roundness));
  }
  if (!(settings.placement > 0) || !std::isfinite(settings.placement)) {
    throw InputError("offset curves",
                     formatted("control points are placed {} radii from the joints; it must be "
                               "above 0",
                               settings.placement));
  }
  const std::size_t curves = settings.curves.size();
  for (std::size_t c = 0; c < curves; ++c) check_curve(settings.curves[c], c, bone_count);
  const std::vector<double>& painted = settings.painted_weights;
  if (painted.empty()) return;
  if (painted.size() != vertex_count * curves) {
    throw InputError("offset curves", formatted("{} painted weights for {} vertices and {} curves",
                                                painted.size(), vertex_count, curves));
  }
  for (std::size_t i = 0; i < painted.size(); ++i) {
    if (std::isfinite(painted[i]) && painted[i] >= 0) continue;
    throw InputError(formatted("vertex {}", i / curves),
                     formatted("its painted weight for curve {} is {}; weights are numbers from 0 "
                               "on",
                               i % curves, painted[i]));
  }
}

}  // namespace sinew
