// SPDX-License-Identifier: Apache-2.0
// The settings of a rig as lines of text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sinew::cli {

// A label and what it says, for each kind of settings that the rig has. `settings` is as
// settings_to_json() writes it.
std::vector<std::pair<std::string, std::string>> settings_lines(const nlohmann::json& settings);

}  // namespace sinew::cli
