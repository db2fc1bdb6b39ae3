// SPDX-License-Identifier: Apache-2.0
#include "sinew/deform/method.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/internal/text.h"
#include "sinew/core/suggest.h"
#include "sinew/skeleton/bones.h"

namespace sinew {

MethodSettings::MethodSettings(const MethodInfo& method, const Rig& rig, const GivenOptions& given)
    : method_(method), rig_(rig), given_(given) {
  for (const auto& option : given) {
    const std::string& name = option.first;
    const bool known = std::any_of(method.options.begin(), method.options.end(),
                                   [&](const MethodOption& o) { return o.name == name; });
    if (!known) throw OptionError(formatted("{} is no option of {}", name, method.name));
  }
}

const MethodOption& MethodSettings::option(std::string_view name) const {
  const auto found = std::find_if(method_.options.begin(), method_.options.end(),
                                  [&](const MethodOption& o) { return o.name == name; });
  if (found != method_.options.end()) return *found;
  throw UsageError(formatted("{} does not declare its option {}", method_.name, name));
}

const std::vector<std::string>* MethodSettings::words(std::string_view name) const {
  const MethodOption& declared = option(name);
  const auto found = given_.find(name);
  if (found == given_.end()) return nullptr;
  const std::size_t count = found->second.size();
  if (declared.kind != MethodOption::Kind::joints && count != 1) {
    throw OptionError(formatted("{} takes one value, not {}", name, count));
  }
  return &found->second;
}

double MethodSettings::in_range(const MethodOption& option, const std::string& word) const {
  const std::optional<double> value = text::parse_number(word);
  const bool is_whole = option.kind == MethodOption::Kind::whole;
  if (value && *value >= option.least && *value <= option.most &&
      (!is_whole || *value == std::floor(*value))) {
    return *value;
  }
  throw OptionError(formatted("{} must be a {} from {} to {}, not '{}'", option.name,
                              is_whole ? "whole number" : "number", option.least, option.most,
                              word));
}

int MethodSettings::whole(std::string_view name, int otherwise) const {
  const auto* given = words(name);
  return given ? static_cast<int>(in_range(option(name), given->front())) : otherwise;
}

double MethodSettings::number(std::string_view name, double otherwise) const {
  return number(name).value_or(otherwise);
}

std::optional<double> MethodSettings::number(std::string_view name) const {
  const auto* given = words(name);
  if (given == nullptr) return std::nullopt;
  return in_range(option(name), given->front());
}

int MethodSettings::choice(std::string_view name, int otherwise) const {
  const auto* given = words(name);
  if (given == nullptr) return otherwise;
  const auto choices = option(name).choices;
  const auto found = std::find(choices.begin(), choices.end(), given->front());
  if (found != choices.end()) return static_cast<int>(found - choices.begin());
  const std::vector<std::string> known(choices.begin(), choices.end());
  throw OptionError(formatted("{} is one of {}, not '{}'{}", name, joined(known, ", "),
                              given->front(), did_you_mean(given->front(), known)));
}

std::vector<BoneIndex> MethodSettings::joints(std::string_view name,
                                              std::vector<BoneIndex> otherwise) const {
  const auto* given = words(name);
  if (given == nullptr) return otherwise;
  std::vector<BoneIndex> all;
  for (const std::string& joint : *given) {
    try {
      const std::vector<BoneIndex> bones = find_bones(rig_.skeleton, joint);
      all.insert(all.end(), bones.begin(), bones.end());
    } catch (const UsageError& error) {
      throw OptionError(formatted("{}: {}", name, error.what()));
    }
  }
  return all;
}

const MethodInfo* find_method(std::string_view name) {
  for (const MethodInfo* method : methods()) {
    if (method->name == name) return method;
  }
  return nullptr;
}

Method method_from_name(std::string_view name, const Rig& rig, const GivenOptions& options) {
  if (const MethodInfo* method = find_method(name)) {
    return method->make(rig, MethodSettings(*method, rig, options));
  }
  std::vector<std::string> known;
  for (const MethodInfo* method : methods()) known.emplace_back(method->name);
  throw UsageError(formatted("there is no method '{}'{}; there are {}", name,
                             did_you_mean(name, known), joined(known, ", ")));
}

}  // namespace sinew
