// SPDX-License-Identifier: Apache-2.0
// Objects in JSON documents whose members are things of a rig, by name or by number.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/suggest.h"
#include "sinew/io/internal/checked_json.h"

namespace sinew {

// Finds things of a rig by name, or by number if none has that name; of several with a name, the
// first. It refers to the list.
template <class Thing>
class NamedThings {
 public:
  // `what`: the word for such a thing in messages.
  NamedThings(const std::vector<Thing>& list, const char* what) : list_(list), what_(what) {
    for (std::size_t i = 0; i < list.size(); ++i) places_.emplace(list[i].name, i);
  }

  // Its place in the list.
  std::size_t find(const JsonRef& json, const std::string& key) const {
    if (const auto named = places_.find(key); named != places_.end()) return named->second;
    std::size_t number = 0;
    const auto [end, failure] = std::from_chars(key.data(), key.data() + key.size(), number);
    if (failure != std::errc() || end != key.data() + key.size() || number >= list_.size()) {
      std::vector<std::string> names;
      for (const Thing& thing : list_) names.push_back(thing.name);
      json.fail(
          fmt::format("the rig has no {} '{}'{}; it has {} of them, by name or by number from 0 on",
                      what_, key, did_you_mean(key, names), list_.size()));
    }
    return number;
  }

 private:
  const std::vector<Thing>& list_;
  const char* what_;
  std::unordered_map<std::string_view, std::size_t> places_;
};

// Calls visit(place, value) for each member of the object `name`, if there is one.
template <class Thing, class Visit>
void for_each_named(const JsonRef& json, const char* name, const std::vector<Thing>& list,
                    const char* what, Visit visit) {
  const auto object = json.find(name);
  if (!object) return;
  if (!object->value().is_object()) object->fail("must be an object of names or numbers");
  if (object->value().empty()) return;
  const NamedThings things(list, what);
  for (const auto& [key, value] : object->value().items()) {
    const JsonRef member = object->at(key);
    visit(things.find(member, key), member);
  }
}

}  // namespace sinew
