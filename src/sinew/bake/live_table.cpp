// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/live_table.h"

#include <nlohmann/json.hpp>

namespace sinew {
namespace {

using nlohmann::json;

json numbers(const Vec3& v) { return {v.x, v.y, v.z}; }
json numbers(const Quat& q) { return {q.x, q.y, q.z, q.w}; }

}  // namespace

std::string to_json(const LiveTable& table) {
  json helpers = json::array();
  for (const LiveHelper& helper : table.helpers) {
    json twists = json::array();
    for (const LiveTwist& twist : helper.twists) {
      twists.push_back({{"joint", twist.joint},
                        {"parent", twist.parent},
                        {"axis", numbers(twist.axis)},
                        {"bind", numbers(twist.bind)},
                        {"share", twist.share}});
    }
    json stretch;
    if (!helper.stretch_joint.empty()) {
      stretch = {{"joint", helper.stretch_joint}, {"share", helper.stretch_share}};
    }
    helpers.push_back({{"helper", helper.name},
                       {"joint", helper.joint},
                       {"axis", numbers(helper.axis)},
                       {"length", helper.length},
                       {"place", helper.place},
                       {"rotation", numbers(helper.rotation)},
                       {"twists", std::move(twists)},
                       {"stretch", std::move(stretch)}});
  }
  const json result = {{"version", 1}, {"helpers", std::move(helpers)}};
  return result.dump(1, ' ', false, json::error_handler_t::replace);
}

}  // namespace sinew
