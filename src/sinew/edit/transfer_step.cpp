// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/transfer_step.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/skin/internal/rows.h"
#include "sinew/edit/match_bones.h"
#include "sinew/edit/where.h"
#include "sinew/io/io.h"
#include "sinew/skeleton/bones.h"
#include "sinew/skin/projection.h"
#include "sinew/weights/carry_endpoints.h"

namespace sinew {
namespace {

using detail::EditInfluence;
using detail::EditRow;

// The source's rows with the bones of the rig. Where a bone stands in for another, its endpoint
// weight is where the vertex lies along it.
Skin with_bones_of(const Skeleton& skeleton, const Rig& source, const BoneMatch& match) {
  Skin skin;
  EditRow row, renamed;
  for (std::size_t v = 0; v < source.mesh.vertex_count(); ++v) {
    detail::get_row(source.skin, v, row);
    renamed.clear();
    for (EditInfluence influence : row) {
      const BoneIndex old = influence.bone;
      influence.bone = match.partner[old];
      if (!match.by_name[old]) {
        const Bone& bone = skeleton.bones[influence.bone];
        influence.endpoint = project_on_segment(source.mesh.positions[v], bone.head, bone.tail);
        influence.twist_endpoint = influence.endpoint;
      }
      const auto same = std::find_if(renamed.begin(), renamed.end(), [&](const EditInfluence& i) {
        return i.bone == influence.bone;
      });
      if (same == renamed.end()) {
        renamed.push_back(influence);
        continue;
      }
      const double sum = same->weight + influence.weight;
      const double share = sum > 0 ? influence.weight / sum : 0;
      same->endpoint += share * (influence.endpoint - same->endpoint);
      same->twist_endpoint += share * (influence.twist_endpoint - same->twist_endpoint);
      same->weight = sum;
    }
    detail::push_row(renamed, !source.skin.endpoints.empty(), !source.skin.twist_endpoints.empty(),
                     skin);
  }
  return skin;
}

// What the rig has and the source has not.
void add_endpoints(const Rig& rig, Skin& skin) {
  const Skin& own = rig.skin;
  if (skin.endpoints.empty() && !own.endpoints.empty()) {
    skin.endpoints =
        carry_endpoints(own.weights, own.endpoints, skin.weights,
                        projection_endpoints(rig.mesh.positions, rig.skeleton, skin.weights))
            .endpoints;
  }
  if (skin.twist_endpoints.empty() && !own.twist_endpoints.empty()) {
    const std::vector<double> otherwise =
        skin.endpoints.empty()
            ? projection_endpoints(rig.mesh.positions, rig.skeleton, skin.weights)
            : skin.endpoints;
    skin.twist_endpoints =
        carry_endpoints(own.weights, own.twist_endpoints, skin.weights, otherwise).endpoints;
  }
}

std::vector<std::string> rejected_parts(const Mesh& mesh, const std::vector<Index>& rejected) {
  std::vector<std::string> parts;
  for (const Part& part : mesh.parts) {
    const auto first = std::lower_bound(rejected.begin(), rejected.end(), part.first_vertex);
    const auto last =
        std::lower_bound(first, rejected.end(), part.first_vertex + part.vertex_count);
    if (first == last) continue;
    parts.push_back(fmt::format("{}: {} of {}", part.name.empty() ? "nameless" : part.name,
                                last - first, part.vertex_count));
  }
  return parts;
}

std::vector<std::string> without_partner(const Skeleton& from, const Skeleton& to,
                                         const Weights& weights, const BoneMatch& match) {
  std::vector<bool> used(from.bones.size(), false);
  for (const Influence& influence : weights.influences) {
    if (influence.weight > 0) used[influence.bone] = true;
  }
  std::vector<std::string> names;
  for (std::size_t b = 0; b < from.bones.size(); ++b) {
    if (match.by_name[b] || !used[b]) continue;
    names.push_back(bone_name(from, b) + " -> " + bone_name(to, match.partner[b]));
  }
  return names;
}

std::vector<Index> only(const std::vector<Index>& vertices, const std::vector<bool>& where) {
  std::vector<Index> result;
  for (const Index v : vertices) {
    if (where.empty() || where[v]) result.push_back(v);
  }
  return result;
}

}  // namespace

StepForm TransferStep::form() {
  return {{"transfer", "OTHER.glb",
           "Take weights from the closest surface of another rig; bones match by name",
           ContentKind::rig},
          {where_word()}};
}

TransferStep TransferStep::parse(const StepText& text) {
  TransferStep step;
  if (const auto* given = std::get_if<std::shared_ptr<const Rig>>(&text.content)) {
    step.source = *given;
  } else if (is_gltf_file(text.argument)) {
    step.source = std::make_shared<const Rig>(read_rig(text.argument));
  } else {
    throw UsageError(
        fmt::format("--transfer {}: weights are taken from a .glb or .gltf", text.argument));
  }
  if (step.source->skin.weights.vertex_count() == 0) {
    throw InputError(text.argument, "weights", "it has none to take");
  }
  step.name = text.argument;
  step.where = text.modifier("where");
  return step;
}

std::string TransferStep::arguments() const { return name + where_text(where); }

void TransferStep::apply(Editing& editing) const {
  if (!source || source->skin.weights.vertex_count() == 0) {
    throw UsageError("weights are transferred from a rig that has some");
  }
  const Rig& rig = editing.rig;
  BoneMatch match;
  Transferred transferred;
  try {
    match = match_bones(source->skeleton, rig.skeleton);
    transferred =
        transfer(source->mesh, with_bones_of(rig.skeleton, *source, match), rig.mesh, options);
  } catch (const InputError& error) {
    throw name.empty() ? error : error.in_file(name);
  }
  add_endpoints(rig, transferred.skin);
  const std::vector<bool> selected = selected_vertices(rig, where);
  editing.set_rows(transferred.skin, selected);

  const std::vector<Index> filled = only(transferred.filled, selected),
                           far = only(transferred.far, selected);
  std::vector<Index> rejected;
  std::merge(filled.begin(), filled.end(), far.begin(), far.end(), std::back_inserter(rejected));
  const std::size_t asked =
      selected.empty()
          ? rig.mesh.vertex_count()
          : static_cast<std::size_t>(std::count(selected.begin(), selected.end(), true));
  editing.facts.push_back({"matched", asked - rejected.size()});
  editing.facts.push_back({"filled", filled});
  editing.facts.push_back({"far", far});
  editing.facts.push_back({"rejected_parts", rejected_parts(rig.mesh, rejected)});
  editing.facts.push_back({"bones_without_partner", without_partner(source->skeleton, rig.skeleton,
                                                                    source->skin.weights, match)});
}

}  // namespace sinew
