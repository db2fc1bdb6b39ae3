// SPDX-License-Identifier: Apache-2.0
#include "method_options.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/bones.h"

namespace sinew::cli {

void add_collapsing_option(CLI::App& command, std::vector<std::string>& collapsing) {
  command.add_option("--collapsing", collapsing,
                     "stretch-it: the joints that push out (default: all that bend)");
}

Method chosen_method(const Rig& rig, const MethodOptions& options) {
  Method method = method_from_name(options.name, rig);
  if (options.collapsing.empty()) return method;
  auto* stretch_it = std::get_if<StretchIt>(&method);
  if (stretch_it == nullptr) throw UsageError("--collapsing belongs to --method stretch-it");
  stretch_it->collapsing.clear();
  for (const std::string& name : options.collapsing) {
    const std::vector<int> bones = find_bones(rig.skeleton, "--collapsing", name);
    stretch_it->collapsing.insert(stretch_it->collapsing.end(), bones.begin(), bones.end());
  }
  return method;
}

void warn_of_missing_endpoints(const CommonOptions& common, const Rig& rig, const Method& method) {
  if (!uses_endpoints(method) || !rig.endpoints.empty()) return;
  say(common, "no endpoint weights: using those of projection onto the bones");
}

std::vector<int> find_bones(const Skeleton& skeleton, const std::string& option,
                            const std::string& name) {
  try {
    return sinew::find_bones(skeleton, name);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

}  // namespace sinew::cli
