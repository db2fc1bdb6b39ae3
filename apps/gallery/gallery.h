// SPDX-License-Identifier: Apache-2.0
// The gallery: all figures, and the page that shows them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "figure.h"
#include "models.h"

namespace sinew::gallery {

struct FigureMaker {
  std::string_view id;
  Figure (*make)(Models& models, const Progress& progress);
  std::string_view method = "lbs";  // the method that the figure needs
};

// In the order in which they are shown, those whose methods are in this build.
std::span<const FigureMaker> figure_makers();

// The figure with that id, which must exist.
Figure make_figure(std::string_view id, Models& models, const Progress& progress = {});

// A model that the page offers, in a file beside it.
struct OfferedModel {
  std::string file, description;
  std::size_t vertices = 0, bones = 0, clips = 0;
};

// The page: HTML that refers to the pictures and models by their names alone. `note` is shown at
// the end and says how the page was made.
std::string make_page(std::span<const Figure> figures, std::span<const OfferedModel> models,
                      const std::string& note);

}  // namespace sinew::gallery
