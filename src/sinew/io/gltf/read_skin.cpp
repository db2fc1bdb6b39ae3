// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/detail/muscles_json.h"
#include "sinew/io/detail/rig_json.h"
#include "sinew/io/detail/skin_json.h"
#include "sinew/io/gltf/primitive.h"
#include "sinew/io/gltf/read.h"
#include "sinew/skin/projection.h"

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
      Bone& bone = skeleton.bones[bones[slot]];
      if (!has_length(bone.head, tails[slot]->point)) {
        throw InputError(fmt::format("{}/tails/{}", extras->place(), slot),
                         "is where the bone starts: a bone must have a length");
      }
      bone.tail = tails[slot]->point;
      bone.tail_joint = tails[slot]->joint;
    }
  }
}

// null: nothing is said; k: [k, 1 - k]; [parent, own].
std::optional<TwistShares> twist_shares_from_json(const JsonRef& json) {
  if (json.value().is_null()) return std::nullopt;
  TwistShares shares;
  if (json.value().is_array()) {
    const std::vector<double> both = json.numbers(2);
    shares = {both[0], both[1]};
  } else {
    shares.parent = json.number();
    shares.own = 1 - shares.parent;
  }
  if (!(shares.parent >= 0 && shares.own >= 0 && shares.parent + shares.own <= 1)) {
    json.fail("twist shares lie between 0 and 1, and so does their sum");
  }
  return shares;
}

void read_twist_shares(Reading& reading) {
  Skeleton& skeleton = reading.rig.skeleton;
  for (std::size_t s = 0; s < reading.layout.bone_of_slot.size(); ++s) {
    const auto extras = sinew_extras(list_item(reading.document, "skins", static_cast<int>(s)));
    const auto stored = extras ? extras->find("twistShares") : std::nullopt;
    if (!stored) continue;
    const std::vector<int>& bones = reading.layout.bone_of_slot[s];
    if (stored->size() != bones.size()) {
      stored->fail(
          fmt::format("it has {} twist shares for {} joints", stored->size(), bones.size()));
    }
    for (std::size_t slot = 0; slot < bones.size(); ++slot) {
      const Bone& bone = skeleton.bones[bones[slot]];
      skeleton.joints[bone.joint].twist_shares = twist_shares_from_json(stored->at(slot));
    }
  }
}

// The filters of all bones; none where no skin has any.
void read_filters(Reading& reading) {
  for (std::size_t s = 0; s < reading.layout.bone_of_slot.size(); ++s) {
    const auto extras = sinew_extras(list_item(reading.document, "skins", static_cast<int>(s)));
    const auto stored = extras ? extras->find("filters") : std::nullopt;
    if (!stored) continue;
    const std::vector<int>& bones = reading.layout.bone_of_slot[s];
    std::vector<BoneFilter> filters = filters_from_json(*stored, bones.size());
    reading.rig.skin.filters.resize(reading.rig.skeleton.bones.size());
    for (std::size_t slot = 0; slot < bones.size(); ++slot) {
      reading.rig.skin.filters[bones[slot]] = std::move(filters[slot]);
    }
  }
}

void read_muscles(Reading& reading) {
  for (std::size_t s = 0; s < reading.layout.bone_of_slot.size(); ++s) {
    const auto extras = sinew_extras(list_item(reading.document, "skins", static_cast<int>(s)));
    const auto stored = extras ? extras->find("muscles") : std::nullopt;
    if (!stored) continue;
    const std::vector<int>& bones = reading.layout.bone_of_slot[s];
    std::vector<Muscle> muscles =
        muscles_from_json(*stored, bones.size(), joints_from_index(reading.layout.joint_of_node));
    reading.rig.skin.muscles.resize(reading.rig.skeleton.bones.size());
    for (std::size_t slot = 0; slot < bones.size(); ++slot) {
      reading.rig.skin.muscles[bones[slot]] = std::move(muscles[slot]);
    }
  }
}

constexpr double not_stored = std::numeric_limits<double>::quiet_NaN();

// Endpoint weights for the stretch and for the twist.
using Endpoints = std::array<double, 2>;

// The slots of one vertex, with those that name one bone twice merged.
struct Row {
  std::vector<Influence> influences;
  std::vector<Endpoints> endpoints;

  void add(int bone, double weight, const Endpoints& endpoint) {
    const auto same = std::find_if(influences.begin(), influences.end(),
                                   [&](const Influence& other) { return other.bone == bone; });
    if (same == influences.end()) {
      influences.push_back({bone, weight});
      endpoints.push_back(endpoint);
      return;
    }
    Endpoints& mean = endpoints[same - influences.begin()];
    const double sum = same->weight + weight;
    for (std::size_t k = 0; k < mean.size(); ++k) {
      if (sum > 0 && mean[k] != endpoint[k]) {
        mean[k] = (mean[k] * same->weight + endpoint[k] * weight) / sum;
      }
    }
    same->weight = sum;
  }
};

constexpr std::array endpoint_names = {"_ENDPOINT", "_TWIST_ENDPOINT"};

// JOINTS_n, WEIGHTS_n, _ENDPOINT_n and _TWIST_ENDPOINT_n of one n.
struct SlotSet {
  Decoded<std::uint32_t> joints;
  Decoded<double> weights;
  std::array<Decoded<double>, 2> endpoints;

  // The four of each vertex that is being read, one vertex after the other; null: there are none.
  const std::uint32_t* joints_now = nullptr;
  const double* weights_now = nullptr;
  std::array<const double*, 2> endpoints_now{};

  void look_at(std::size_t first, std::size_t count) {
    joints_now = joints.at(first, count, 4).data();
    weights_now = weights.at(first, count, 4).data();
    for (std::size_t k = 0; k < endpoints.size(); ++k) {
      if (!endpoints[k].empty()) endpoints_now[k] = endpoints[k].at(first, count, 4).data();
    }
  }
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
    if (!has_endpoints_[0]) rig_.skin.endpoints.clear();
    if (!has_endpoints_[1]) rig_.skin.twist_endpoints.clear();
    fill_endpoints();
  }

 private:
  void read_rigid(const PartSource& source) {
    const int bone = reading_.layout.bone_of_node[source.node];
    const Influence all{bone, 1};
    for (std::size_t v = 0; v < source.vertex_count; ++v) rig_.skin.weights.push_row({&all, 1});
    rig_.skin.endpoints.resize(rig_.skin.weights.influences.size(), not_stored);
    rig_.skin.twist_endpoints.resize(rig_.skin.weights.influences.size(), not_stored);
  }

  void read_skinned(const PartSource& source) {
    Primitive primitive(list_item(reading_.document, "meshes", source.mesh)
                            .at("primitives")
                            .at(static_cast<std::size_t>(source.primitive)),
                        reading_.accessors);
    std::vector<SlotSet> sets = read_sets(primitive);
    const std::vector<int>& bones = reading_.layout.bone_of_slot[source.skin];
    const std::size_t most = rig_.skin.weights.influences.size() + used_slots(primitive, sets);
    rig_.skin.weights.influences.reserve(most);
    rig_.skin.weights.offsets.reserve(rig_.skin.weights.offsets.size() + source.vertex_count);
    if (has_endpoints_[0] || has_endpoints_[1]) {
      rig_.skin.endpoints.reserve(most);
      rig_.skin.twist_endpoints.reserve(most);
    }
    Row row;
    primitive.each_stretch([&](std::size_t first, std::size_t count) {
      for (SlotSet& set : sets) set.look_at(first, count);
      for (std::size_t v = 0; v < count; ++v) {
        read_row(primitive, sets, bones, first, v, false, row);
        if (row.influences.empty()) read_row(primitive, sets, bones, first, v, true, row);
        rig_.skin.weights.push_row(row.influences);
        for (const Endpoints& endpoint : row.endpoints) {
          rig_.skin.endpoints.push_back(endpoint[0]);
          rig_.skin.twist_endpoints.push_back(endpoint[1]);
        }
      }
    });
  }

  // No more influences than these come of them, except for vertices without any weight.
  static std::size_t used_slots(const Primitive& primitive, std::vector<SlotSet>& sets) {
    std::size_t used = 0;
    for (SlotSet& set : sets) {
      primitive.each_stretch([&](std::size_t first, std::size_t count) {
        for (const double weight : set.weights.at(first, count, 4)) used += weight != 0 ? 1 : 0;
      });
    }
    return used;
  }

  std::vector<SlotSet> read_sets(Primitive& primitive) {
    std::vector<SlotSet> sets;
    for (int n = 0;; ++n) {
      const std::string joints = fmt::format("JOINTS_{}", n);
      const std::string weights = fmt::format("WEIGHTS_{}", n);
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
      for (std::size_t k = 0; k < endpoint_names.size(); ++k) {
        const std::string endpoints = fmt::format("{}_{}", endpoint_names[k], n);
        if (!primitive.accessor(endpoints)) continue;
        set.endpoints[k] = primitive.doubles(endpoints, 4);
        has_endpoints_[k] = true;
      }
      sets.push_back(std::move(set));
    }
    if (sets.empty()) {
      primitive.json().fail("has no JOINTS_0 and WEIGHTS_0, although its node has a skin");
    }
    return sets;
  }

  // Of vertex number `v` of the stretch that begins with vertex `first`.
  static void read_row(const Primitive& primitive, const std::vector<SlotSet>& sets,
                       const std::vector<int>& bones, std::size_t first, std::size_t v,
                       bool with_zeros, Row& row) {
    const std::size_t vertex = first + v;
    row.influences.clear();
    row.endpoints.clear();
    for (std::size_t n = 0; n < sets.size(); ++n) {
      for (std::size_t i = 4 * v; i < 4 * v + 4; ++i) {
        const double weight = sets[n].weights_now[i];
        if (weight == 0 && !with_zeros) continue;
        if (!(weight >= 0)) {
          throw InputError(
              primitive.place(fmt::format("WEIGHTS_{}", n)),
              fmt::format("vertex {} has the weight {}; it must be from 0 on", vertex, weight));
        }
        const std::uint32_t joint = sets[n].joints_now[i];
        if (joint >= bones.size()) {
          throw InputError(primitive.place(fmt::format("JOINTS_{}", n)),
                           fmt::format("vertex {} names joint {}, but the skin has {}", vertex,
                                       joint, bones.size()));
        }
        Endpoints endpoint{not_stored, not_stored};
        for (std::size_t k = 0; k < endpoint.size(); ++k) {
          if (sets[n].endpoints_now[k] == nullptr) continue;
          endpoint[k] = sets[n].endpoints_now[k][i];
          if (endpoint[k] >= 0 && endpoint[k] <= 1) continue;
          throw InputError(primitive.place(fmt::format("{}_{}", endpoint_names[k], n)),
                           fmt::format("vertex {} has the value {}; it must be from 0 to 1", vertex,
                                       endpoint[k]));
        }
        row.add(bones[joint], weight, endpoint);
      }
    }
  }

  // Where only some primitives have endpoint weights, the others get those of projection, and
  // twist what stretch has.
  void fill_endpoints() {
    if (!has_endpoints_[0] && !has_endpoints_[1]) return;
    std::vector<double>&stretch = rig_.skin.endpoints, &twist = rig_.skin.twist_endpoints;
    const auto is_missing = [](double endpoint) { return std::isnan(endpoint); };
    if (stretch.empty() || std::any_of(stretch.begin(), stretch.end(), is_missing)) {
      const std::vector<double> projected =
          projection_endpoints(rig_.mesh.positions, rig_.skeleton, rig_.skin.weights);
      if (stretch.empty()) stretch = projected;
      for (std::size_t i = 0; i < projected.size(); ++i) {
        if (is_missing(stretch[i])) stretch[i] = projected[i];
      }
    }
    for (std::size_t i = 0; i < twist.size(); ++i) {
      if (is_missing(twist[i])) twist[i] = stretch[i];
    }
  }

  Reading& reading_;
  Rig& rig_;
  std::array<bool, 2> has_endpoints_{};
};

}  // namespace

void read_skeleton(Reading& reading) {
  const Layout& layout = reading.layout;
  Skeleton& skeleton = reading.rig.skeleton;
  for (const int node : layout.node_of_joint) {
    const std::size_t n = node;
    Joint joint;
    joint.name = name_of(list_item(reading.document, "nodes", node));
    const int parent = layout.scene.parent[n];
    if (parent >= 0) joint.parent = layout.joint_of_node[parent];
    joint.rest = layout.scene.local[n];
    joint.is_frame = true;
    skeleton.joints.push_back(std::move(joint));
  }
  for (const std::vector<int>& bones : layout.bone_of_slot) {
    for (const int bone : bones) {
      const int joint = layout.bones[bone].joint;
      skeleton.joints[joint].is_frame = false;
    }
  }
  for (const Layout::BoneSource& source : layout.bones) {
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
  read_twist_shares(reading);
  read_filters(reading);
  read_muscles(reading);
}

void read_weights(Reading& reading) {
  if (!reading.layout.is_unbound) WeightReader(reading).read();
}

}  // namespace sinew::gltf
