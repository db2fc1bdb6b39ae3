// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/primitive.h"
#include "sinew/io/gltf/read.h"
#include "sinew/io/rig_json.h"

namespace sinew::gltf {
namespace {

using PartSource = Layout::PartSource;

// Lone bones get this part of the mesh's size.
constexpr double lone_bone_share = 0.1;

void apply_stored_tails(Reading& reading) {
  Skeleton& skeleton = reading.rig.skeleton;
  for (std::size_t s = 0; s < reading.layout.bone_of_slot.size(); ++s) {
    const auto extras = sinew_extras(list_item(reading.document, "skins", static_cast<int>(s)));
    if (!extras) continue;
    const std::vector<int>& bones = reading.layout.bone_of_slot[s];
    const auto tails = tails_from_json(*extras, bones.size(), reading.layout.joint_of_node);
    for (std::size_t slot = 0; slot < tails.size(); ++slot) {
      if (!tails[slot]) continue;
      Bone& bone = skeleton.bones[static_cast<std::size_t>(bones[slot])];
      if (tails[slot]->point == bone.head) {
        throw InputError(fmt::format("{}/tails/{}", extras->place(), slot),
                         "is where the bone starts: a bone must have a length");
      }
      bone.tail = tails[slot]->point;
      bone.tail_joint = tails[slot]->joint;
    }
  }
}

// The slots of one vertex, with those that name one bone twice merged.
struct Row {
  std::vector<Influence> influences;
  std::vector<double> endpoints;

  void add(int bone, double weight, double endpoint) {
    const auto same = std::find_if(influences.begin(), influences.end(),
                                   [&](const Influence& other) { return other.bone == bone; });
    if (same == influences.end()) {
      influences.push_back({bone, weight});
      endpoints.push_back(endpoint);
      return;
    }
    double& mean = endpoints[static_cast<std::size_t>(same - influences.begin())];
    const double sum = same->weight + weight;
    if (sum > 0 && mean != endpoint) {
      mean = (mean * same->weight + endpoint * weight) / sum;
    }
    same->weight = sum;
  }
};

// JOINTS_n, WEIGHTS_n and _ENDPOINT_n of one n.
struct SlotSet {
  std::vector<std::uint32_t> joints;
  std::vector<double> weights, endpoints;
};

class WeightReader {
 public:
  explicit WeightReader(Reading& reading) : reading_(reading), rig_(reading.rig) {}

  void read() {
    for (const PartSource& source : reading_.layout.parts) {
      if (source.shares_vertices) continue;
      if (source.skin < 0) {
        read_rigid(source);
      } else {
        read_skinned(source);
      }
    }
    if (!has_endpoints_) rig_.endpoints.clear();
    note_odd_rows();
  }

 private:
  void read_rigid(const PartSource& source) {
    const int bone = reading_.layout.bone_of_node[static_cast<std::size_t>(source.node)];
    const Influence all{bone, 1};
    for (std::size_t v = 0; v < source.vertex_count; ++v) rig_.weights.push_row({&all, 1});
    rig_.endpoints.resize(rig_.weights.influences.size());
  }

  void read_skinned(const PartSource& source) {
    Primitive primitive(list_item(reading_.document, "meshes", source.mesh)
                            .at("primitives")
                            .at(static_cast<std::size_t>(source.primitive)),
                        reading_.accessors);
    const std::vector<SlotSet> sets = read_sets(primitive);
    const std::vector<int>& bones =
        reading_.layout.bone_of_slot[static_cast<std::size_t>(source.skin)];
    for (std::size_t v = 0; v < source.vertex_count; ++v) {
      Row row = read_row(primitive, sets, bones, v, false);
      if (row.influences.empty()) row = read_row(primitive, sets, bones, v, true);
      rig_.weights.push_row(row.influences);
      rig_.endpoints.insert(rig_.endpoints.end(), row.endpoints.begin(), row.endpoints.end());
    }
  }

  std::vector<SlotSet> read_sets(Primitive& primitive) {
    std::vector<SlotSet> sets;
    for (int n = 0;; ++n) {
      const std::string joints = fmt::format("JOINTS_{}", n);
      const std::string weights = fmt::format("WEIGHTS_{}", n);
      const std::string endpoints = fmt::format("_ENDPOINT_{}", n);
      if (!primitive.accessor(joints) && !primitive.accessor(weights)) break;
      if (!primitive.accessor(joints) || !primitive.accessor(weights)) {
        primitive.json().fail(fmt::format("has only one of {} and {}", joints, weights));
      }
      const AccessorInfo info = reading_.accessors.info(*primitive.accessor(weights));
      if (info.component != ComponentType::float32 && !info.normalized) {
        throw InputError(primitive.place(weights), "integer weights must be normalized");
      }
      SlotSet set;
      set.joints = primitive.integers(joints, 4);
      set.weights = primitive.doubles(weights, 4);
      if (primitive.accessor(endpoints)) {
        set.endpoints = primitive.doubles(endpoints, 4);
        has_endpoints_ = true;
      }
      sets.push_back(std::move(set));
    }
    if (sets.empty()) {
      primitive.json().fail("has no JOINTS_0 and WEIGHTS_0, although its node has a skin");
    }
    return sets;
  }

  Row read_row(const Primitive& primitive, const std::vector<SlotSet>& sets,
               const std::vector<int>& bones, std::size_t vertex, bool with_zeros) {
    Row row;
    for (std::size_t n = 0; n < sets.size(); ++n) {
      for (std::size_t i = 4 * vertex; i < 4 * vertex + 4; ++i) {
        const double weight = sets[n].weights[i];
        if (weight == 0 && !with_zeros) continue;
        if (!(weight >= 0)) {
          throw InputError(
              primitive.place(fmt::format("WEIGHTS_{}", n)),
              fmt::format("vertex {} has the weight {}; it must be from 0 on", vertex, weight));
        }
        if (sets[n].joints[i] >= bones.size()) {
          throw InputError(primitive.place(fmt::format("JOINTS_{}", n)),
                           fmt::format("vertex {} names joint {}, but the skin has {}", vertex,
                                       sets[n].joints[i], bones.size()));
        }
        const double endpoint = sets[n].endpoints.empty() ? 0 : sets[n].endpoints[i];
        if (!(endpoint >= 0 && endpoint <= 1)) {
          throw InputError(
              primitive.place(fmt::format("_ENDPOINT_{}", n)),
              fmt::format("vertex {} has the value {}; it must be from 0 to 1", vertex, endpoint));
        }
        row.add(bones[sets[n].joints[i]], weight, endpoint);
      }
    }
    return row;
  }

  void note_odd_rows() {
    const WeightSummary summary = summarize(rig_.weights);
    if (summary.uncovered > 0) {
      rig_.notes.push_back(fmt::format("{} vertices have no bone weights", summary.uncovered));
    }
    if (summary.not_normalized > 0) {
      rig_.notes.push_back(
          fmt::format("the bone weights of {} vertices do not sum to 1", summary.not_normalized));
    }
  }

  Reading& reading_;
  Rig& rig_;
  bool has_endpoints_ = false;
};

}  // namespace

void read_skeleton(Reading& reading) {
  const Layout& layout = reading.layout;
  Skeleton& skeleton = reading.rig.skeleton;
  for (const int node : layout.node_of_joint) {
    const auto n = static_cast<std::size_t>(node);
    Joint joint;
    joint.name = name_of(list_item(reading.document, "nodes", node));
    const int parent = layout.scene.parent[n];
    if (parent >= 0) joint.parent = layout.joint_of_node[static_cast<std::size_t>(parent)];
    joint.rest = layout.scene.local[n];
    joint.is_frame = true;
    skeleton.joints.push_back(std::move(joint));
  }
  for (const Layout::BoneSource& source : layout.bones) {
    skeleton.joints[static_cast<std::size_t>(source.joint)].is_frame = false;
    Bone bone;
    bone.joint = source.joint;
    bone.inverse_bind = source.inverse_bind;
    bone.head = inverse(source.inverse_bind).translation;
    bone.tail = bone.head;
    skeleton.bones.push_back(bone);
  }
  const double size = bounding_box(reading.rig.mesh.positions).diagonal();
  infer_tails(skeleton, size > 0 ? size * lone_bone_share : 1.0);
  apply_stored_tails(reading);
}

void read_weights(Reading& reading) { WeightReader(reading).read(); }

}  // namespace sinew::gltf
