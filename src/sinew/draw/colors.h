// SPDX-License-Identifier: Apache-2.0
// Colours that show weights, endpoint weights and bones.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sinew/image/image.h"
#include "sinew/mesh/mesh.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/skin/weights.h"

namespace sinew {

// "#rgb", "#rrggbb", "#rrggbbaa", or white, black, grey (gray), red, green, blue, yellow, orange,
// transparent. Throws UsageError listing these forms.
Pixel color_from_name(std::string_view name);

// White at 0 to red at 1, perceptually uniform; NaN counts as 0.
Rgb weight_color(double weight);

// Blue at 0 over a pale grey to orange at 1.
Rgb endpoint_color(double endpoint);

// A colour for each bone, always the same for the same skeleton, and distinct from those of
// adjacent bones.
std::vector<Rgb> bone_colors(const Skeleton& skeleton);

// Per vertex: how much `bones` move it, together (Jacobson and Sorkine 2011, fig. 6).
std::vector<Rgb> weight_colors(const Weights& weights, std::span<const BoneIndex> bones);
// Per vertex: the bones' colours, mixed by weight. Vertices without weight are grey. Throws
// UsageError for weights of a bone without a colour.
std::vector<Rgb> blended_colors(const Weights& weights, std::span<const Rgb> bones);
// Per vertex: the endpoint weights of `bones`, or of all bones if empty, averaged by bone weight;
// fades to grey where these bones have no weight. Throws UsageError where there is not one endpoint
// weight for each influence.
std::vector<Rgb> endpoint_colors(const Weights& weights, std::span<const double> endpoints,
                                 std::span<const BoneIndex> bones);

// Per vertex: the mesh's colours (or clay if it has none) with light and dark stripes along each
// vertex's main bone, `count` of each, which show how the surface twists about it. If `bones` is
// not empty, only vertices whose main bone is in it are striped. Stripes continue from bone to
// bone. Throws UsageError for a count below 1, InputError for weights that do not fit mesh and
// skeleton.
std::vector<Vec4> striped_colors(const Mesh& mesh, const Skeleton& skeleton, const Weights& weights,
                                 std::span<const BoneIndex> bones = {}, int count = 6);

}  // namespace sinew
