// SPDX-License-Identifier: Apache-2.0
// Options that say by which method a rig is deformed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "command.h"
#include "sinew/deform/method.h"

namespace sinew::cli {

struct MethodOptions {
  std::string name;
  std::vector<std::string> collapsing;
};

inline constexpr const char* method_help =
    "lbs, dqs, stbs-lbs, stbs-dqs, stretch-it, ocd-arc, ocd-spline";

void add_collapsing_option(CLI::App& command, std::vector<std::string>& collapsing);

Method chosen_method(const Rig& rig, const MethodOptions& options);

// Says on stderr if the method uses endpoint weights and the rig has none.
void warn_of_missing_endpoints(const CommonOptions& common, const Rig& rig, const Method& method);

// As sinew::find_bones(); the error begins with the `option`.
std::vector<int> find_bones(const Skeleton& skeleton, const std::string& option,
                            const std::string& name);

}  // namespace sinew::cli
