// SPDX-License-Identifier: Apache-2.0
// Checks JSON against the part of JSON Schema that docs/schema/ uses.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

namespace sinew::test {

class JsonSchema {
 public:
  explicit JsonSchema(nlohmann::json root) : root_(std::move(root)) {}

  // What is wrong with the value, by the definition of this name; empty if nothing is.
  std::string problem(const nlohmann::json& value, const std::string& definition) const {
    return check(value, root_.at("$defs").at(definition), "");
  }

 private:
  using Json = nlohmann::json;

  static bool has_type(const Json& value, const std::string& type) {
    if (type == "null") return value.is_null();
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "number") return value.is_number();
    if (type == "integer") return value.is_number_integer();
    throw std::logic_error("no type of JSON: " + type);
  }

  // A keyword that is not known here would not be checked.
  static void require_known(const Json& schema) {
    static const std::set<std::string> known{"$ref",
                                             "type",
                                             "const",
                                             "enum",
                                             "oneOf",
                                             "required",
                                             "properties",
                                             "items",
                                             "minItems",
                                             "maxItems",
                                             "minimum",
                                             "maximum",
                                             "default",
                                             "exclusiveMinimum",
                                             "additionalProperties",
                                             "description"};
    for (const auto& [keyword, value] : schema.items()) {
      if (!known.contains(keyword)) throw std::logic_error("unknown keyword " + keyword);
    }
  }

  std::string check(const Json& value, const Json& schema, const std::string& at) const {
    require_known(schema);
    if (schema.contains("$ref")) {
      const auto pointer = Json::json_pointer(schema["$ref"].get<std::string>().substr(1));
      return check(value, root_.at(pointer), at);
    }
    if (schema.contains("type") && !has_type(value, schema["type"])) {
      return at + ": is no " + schema["type"].get<std::string>();
    }
    if (schema.contains("const") && value != schema["const"]) return at + ": is another constant";
    if (schema.contains("enum")) {
      const Json& allowed = schema["enum"];
      if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
        return at + ": is none of the values";
      }
    }
    if (value.is_number()) {
      const double number = value;
      if (schema.contains("minimum") && number < schema["minimum"]) return at + ": is too small";
      if (schema.contains("maximum") && number > schema["maximum"]) return at + ": is too large";
      if (schema.contains("exclusiveMinimum") && number <= schema["exclusiveMinimum"]) {
        return at + ": is too small";
      }
    }
    if (schema.contains("oneOf")) {
      int fits = 0;
      for (const Json& one : schema["oneOf"]) fits += check(value, one, at).empty() ? 1 : 0;
      if (fits != 1) return at + ": fits " + std::to_string(fits) + " of the alternatives";
    }
    if (value.is_array()) return check_array(value, schema, at);
    return value.is_object() ? check_object(value, schema, at) : "";
  }

  std::string check_array(const Json& value, const Json& schema, const std::string& at) const {
    if (value.size() < schema.value("minItems", std::size_t{0})) return at + ": is too short";
    if (value.size() > schema.value("maxItems", value.size())) return at + ": is too long";
    if (!schema.contains("items")) return "";
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string problem = check(value[i], schema["items"], at + "/" + std::to_string(i));
      if (!problem.empty()) return problem;
    }
    return "";
  }

  std::string check_object(const Json& value, const Json& schema, const std::string& at) const {
    for (const Json& key : schema.value("required", Json::array())) {
      if (!value.contains(key.get<std::string>())) return at + ": has no " + key.dump();
    }
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [key, member] : value.items()) {
      if (properties.contains(key)) {
        const std::string problem = check(member, properties[key], at + "/" + key);
        if (!problem.empty()) return problem;
      } else if (!schema.value("additionalProperties", true)) {
        return at + "/" + key + ": is not known";
      }
    }
    return "";
  }

  Json root_;
};

}  // namespace sinew::test
