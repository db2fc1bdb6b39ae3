// SPDX-License-Identifier: Apache-2.0
// Options that choose the deformation method, generated from the list of methods.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "command.h"
#include "sinew/deform/method.h"

namespace sinew::cli {

// The names of all methods, separated by commas.
std::string method_names();

// What a command takes if no method is given, for its help; see default_method_name().
std::string default_method_help();

// One line per method saying what it does, for the end of a command's help.
std::string method_summaries();

// Adds every method's own options.
void add_method_options(CLI::App& command, GivenOptions& given);

// The methods with these names, each with the given options that apply to it. Throws UsageError for
// an option that applies to none of them.
std::vector<Method> chosen_methods(const Rig& rig, const std::vector<std::string>& names,
                                   const GivenOptions& given);

// Says on stderr if the method uses endpoint weights and the rig has none.
void warn_of_missing_endpoints(const CommonOptions& common, const Rig& rig, const Method& method);

// As sinew::find_bones(); errors begin with `option`.
std::vector<BoneIndex> find_bones(const Skeleton& skeleton, const std::string& option,
                                  const std::string& name);

}  // namespace sinew::cli
