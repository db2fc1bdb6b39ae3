// SPDX-License-Identifier: Apache-2.0
#include "method_options.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/deform/default_method.h"
#include "sinew/skeleton/bones.h"

namespace sinew::cli {
namespace {

const MethodOption* option_of(const MethodInfo& method, std::string_view name) {
  const auto found = std::find_if(method.options.begin(), method.options.end(),
                                  [&](const MethodOption& option) { return option.name == name; });
  return found == method.options.end() ? nullptr : &*found;
}

std::vector<std::string_view> owners_of(std::string_view option) {
  std::vector<std::string_view> owners;
  for (const MethodInfo* method : methods()) {
    if (option_of(*method, option) != nullptr) owners.push_back(method->name);
  }
  return owners;
}

const char* type_name(MethodOption::Kind kind) {
  switch (kind) {
    case MethodOption::Kind::whole:
      return "INT";
    case MethodOption::Kind::number:
      return "FLOAT";
    default:
      return "TEXT";
  }
}

// The method with those of the options that it has.
Method chosen_method(const Rig& rig, const std::string& name, const GivenOptions& given) {
  const MethodInfo* method = find_method(name);
  GivenOptions own;
  for (const auto& [option, words] : given) {
    if (method && !words.empty() && option_of(*method, option)) own.emplace(option, words);
  }
  try {
    return method_from_name(name, rig, own);
  } catch (const OptionError& error) {
    throw UsageError(fmt::format("--{}", error.what()));
  }
}

}  // namespace

std::string method_names() {
  std::vector<std::string_view> names;
  for (const MethodInfo* method : methods()) names.push_back(method->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string default_method_help() {
  Rig with_shares;
  with_shares.skin.blend_shares = {default_blend_share};
  return fmt::format("default: {}; {} if the rig has blend shares", default_method_name({}),
                     default_method_name(with_shares));
}

std::string method_summaries() {
  std::string lines = "\n\nMethods:";
  for (const MethodInfo* method : methods()) {
    lines += fmt::format("\n  {:<11} {}", method->name, method->summary);
  }
  return lines;
}

void add_method_options(CLI::App& command, GivenOptions& given) {
  for (const MethodInfo* method : methods()) {
    for (const MethodOption& option : method->options) {
      const auto owners = owners_of(option.name);
      if (owners.front() != method->name) continue;  // added already
      CLI::Option* added =
          command.add_option(fmt::format("--{}", option.name), given[std::string(option.name)],
                             fmt::format("{}: {}", fmt::join(owners, ", "), option.help));
      if (option.kind == MethodOption::Kind::joints) continue;
      added->expected(1)->type_name(type_name(option.kind));
    }
  }
}

std::vector<Method> chosen_methods(const Rig& rig, const std::vector<std::string>& names,
                                   const GivenOptions& given) {
  std::vector<Method> chosen;
  for (const std::string& name : names) chosen.push_back(chosen_method(rig, name, given));
  for (const auto& [option, words] : given) {
    const auto owners = owners_of(option);
    const bool is_used = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return std::find(owners.begin(), owners.end(), name) != owners.end();
    });
    if (words.empty() || is_used) continue;
    throw UsageError(fmt::format("--{} belongs to --method {}", option, fmt::join(owners, ", ")));
  }
  return chosen;
}

void warn_of_missing_endpoints(const CommonOptions& common, const Rig& rig, const Method& method) {
  if (!method.traits().endpoints || !rig.skin.endpoints.empty()) return;
  say(common, "no endpoint weights: using those of projection onto the bones");
}

std::vector<BoneIndex> find_bones(const Skeleton& skeleton, const std::string& option,
                                  const std::string& name) {
  try {
    return sinew::find_bones(skeleton, name);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

}  // namespace sinew::cli
