// SPDX-License-Identifier: Apache-2.0
// Objects in JSON documents whose members are things of a rig, by name or by number.
#pragma once

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/suggest.h"
#include "sinew/io/internal/checked_json.h"

namespace sinew {

// The place in `list` of the thing called `key`, or numbered so if none has that name.
template <class Thing>
std::size_t find_place(const JsonRef& json, const std::string& key, const std::vector<Thing>& list,
                       const char* what) {
  const auto named =
      std::find_if(list.begin(), list.end(), [&](const Thing& thing) { return thing.name == key; });
  if (named != list.end()) return static_cast<std::size_t>(named - list.begin());
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(key.data(), key.data() + key.size(), number);
  if (failure != std::errc() || end != key.data() + key.size() || number >= list.size()) {
    std::vector<std::string> names;
    for (const Thing& thing : list) names.push_back(thing.name);
    json.fail(
        fmt::format("the rig has no {} '{}'{}; it has {} of them, by name or by number from 0 on",
                    what, key, did_you_mean(key, names), list.size()));
  }
  return number;
}

// Calls visit(place, value) for each member of the object `name`, if there is one.
template <class Thing, class Visit>
void for_each_named(const JsonRef& json, const char* name, const std::vector<Thing>& list,
                    const char* what, Visit visit) {
  const auto object = json.find(name);
  if (!object) return;
  if (!object->value().is_object()) object->fail("must be an object of names or numbers");
  for (const auto& [key, value] : object->value().items()) {
    const JsonRef member = object->at(key);
    visit(find_place(member, key, list, what), member);
  }
}

}  // namespace sinew
