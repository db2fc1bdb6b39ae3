// SPDX-License-Identifier: Apache-2.0
#include "gallery.h"

#include <array>

#include "figures.h"
#include "sinew/core/error.h"

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
    FigureMaker{"stbs-10", spine_filter},
    FigureMaker{"stbs-11", yawn},
    FigureMaker{"stbs-12", dragged_image},
    FigureMaker{"stretch-it-4", bent_tube},
    FigureMaker{"stretch-it-5", twisted_tube},
    FigureMaker{"stretch-it-7", fingers},
#ifdef SINEW_WITH_OCD
    FigureMaker{"ocd", offset_curves},
#endif
};

}  // namespace

std::span<const FigureMaker> figure_makers() { return makers; }

Figure make_figure(std::string_view id, Models& models, const Progress& progress) {
  std::string ids;
  for (const FigureMaker& maker : makers) {
    if (maker.id == id) return maker.make(models, progress);
    ids += (ids.empty() ? "" : ", ") + std::string(maker.id);
  }
  throw UsageError("there is no figure \"" + std::string(id) + "\"; choose of " + ids);
}

}  // namespace sinew::gallery
