// SPDX-License-Identifier: Apache-2.0
#include "gallery.h"

#include <array>
#include <vector>

#include "figures.h"
#include "sinew/core/error.h"
#include "sinew/deform/method.h"

namespace sinew::gallery {
namespace {

constexpr std::array makers{
    FigureMaker{"beast", beast_loop},
    FigureMaker{"stbs-1", teaser},
    FigureMaker{"stbs-2", cigar},
    FigureMaker{"stbs-3", boxes},
    FigureMaker{"stbs-4", leg},
    FigureMaker{"stbs-5", person_arm},
    FigureMaker{"stbs-6", colored_weights},
    FigureMaker{"stbs-7", giraffe_neck},
    FigureMaker{"stbs-8", box_fall_off},
    FigureMaker{"stbs-9", bone_and_endpoint_weights},
    FigureMaker{"stbs-10", spine_filter},
    FigureMaker{"stbs-11", yawn},
    FigureMaker{"stbs-12", dragged_image},
    FigureMaker{"stretch-it-3", weight_map},
    FigureMaker{"stretch-it-4", bent_tube},
    FigureMaker{"stretch-it-5", twisted_tube},
    FigureMaker{"stretch-it-7", fingers},
    FigureMaker{"stretch-it-8", bent_leg},
    FigureMaker{"stretch-it-9", muscular_arm},
    FigureMaker{"ocd", offset_curves, "ocd-arc"},
    FigureMaker{"ocd-parts", offset_curve_parts, "ocd-arc"},
    FigureMaker{"ocd-times", offset_curve_times, "ocd-arc"},
    FigureMaker{"slides-foreshortening", foreshortening},
    FigureMaker{"notes-bones", generalized_bones},
    FigureMaker{"notes-shapes", blend_shapes},
    FigureMaker{"muscle", biceps},
    FigureMaker{"corrective", corrective},
    FigureMaker{"ik", reach},
    FigureMaker{"delta-mush", delta_mush, "delta-mush"},
};

}  // namespace

std::span<const FigureMaker> figure_makers() {
  static const std::vector<FigureMaker> built = [] {
    std::vector<FigureMaker> all(makers.begin(), makers.end());
    std::erase_if(all, [](const FigureMaker& m) { return find_method(m.method) == nullptr; });
    return all;
  }();
  return built;
}

Figure make_figure(std::string_view id, Models& models, const Progress& progress) {
  std::string ids;
  for (const FigureMaker& maker : figure_makers()) {
    if (maker.id == id) return maker.make(models, progress);
    ids += (ids.empty() ? "" : ", ") + std::string(maker.id);
  }
  throw UsageError("there is no figure \"" + std::string(id) + "\"; choose of " + ids);
}

}  // namespace sinew::gallery
