// SPDX-License-Identifier: Apache-2.0
// What is wrong in the numbers of a file's buffers, and in its images.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/core/math.h"
#include "sinew/io/gltf/accessors.h"
#include "sinew/io/gltf/image_bytes.h"
#include "sinew/io/gltf/look.h"
#include "sinew/io/gltf/uri.h"
#include "sinew/io/gltf_problems.h"

namespace sinew {
namespace gltf {
namespace {

class DataCheck : private Look {
 public:
  explicit DataCheck(const Document& document) : Look(document.json), document_(document) {}

  std::vector<std::string> run() {
    for_each(json_, "", "accessors",
             [&](const Json& accessor, const std::string& at) { check_accessor(accessor, at); });
    for_each(json_, "", "meshes", [&](const Json& mesh, const std::string& where) {
      for_each(mesh, where, "primitives", [&](const Json& primitive, const std::string& at) {
        check_primitive(primitive, at);
      });
    });
    for_each(json_, "", "images",
             [&](const Json& image, const std::string& at) { check_image(image, at); });
    return std::move(problems_);
  }

 private:
  void say(const std::string& place, const std::string& problem) {
    if (problems_.size() < most_listed_problems) problems_.push_back(place + " " + problem);
  }

  // Empty, with the problem said once, where they cannot be read.
  std::vector<double> numbers(std::uint64_t accessor) {
    if (unreadable_.contains(accessor)) return {};
    try {
      return Accessors(document_).doubles(static_cast<int>(accessor));
    } catch (const InputError& error) {
      unreadable_.insert(accessor);
      say(error.place(), error.problem());
    }
    return {};
  }

  // Those whose bytes are somewhere else, or nowhere, have nothing to be checked.
  static bool has_bytes(const Json& accessor) {
    return member(accessor, "bufferView") != nullptr || member(accessor, "sparse") != nullptr;
  }

  void check_accessor(const Json& accessor, const std::string& at) {
    const auto width = width_of(accessor);
    if (!has_bytes(accessor) || !width) return;
    const std::vector<double> values = numbers(std::stoull(at.substr(at.rfind('/') + 1)));
    if (values.empty()) return;
    const Json *least = member(accessor, "min"), *most = member(accessor, "max");
    for (std::size_t k = 0; k < *width; ++k) {
      double low = values[k], high = values[k];
      for (std::size_t i = k; i < values.size(); i += *width) {
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
      }
      if (size_of(least) == *width && !is_bound((*least)[k], low, accessor)) {
        say(fmt::format("{}/min/{}", at, k), fmt::format("is not {}, the least there is", low));
      }
      if (size_of(most) == *width && !is_bound((*most)[k], high, accessor)) {
        say(fmt::format("{}/max/{}", at, k), fmt::format("is not {}, the most there is", high));
      }
    }
  }

  // Bounds are of numbers as they are stored, written with as many digits as single precision has.
  static bool is_bound(const Json& bound, double value, const Json& accessor) {
    if (!bound.is_number()) return true;
    const Format format = format_of(accessor);
    double stated = bound.get<double>();
    if (format.normalized) {
      const double scale = format.component <= 5121 ? (format.component == 5120 ? 127 : 255)
                                                    : (format.component == 5122 ? 32767 : 65535);
      stated = std::max(stated / scale, -1.0);
    }
    return std::abs(stated - value) <= 1e-6 * std::max(std::abs(stated), std::abs(value));
  }

  // Each accessor once in each role.
  bool is_new(std::uint64_t accessor, const std::string& role) {
    return seen_.insert({accessor, role}).second;
  }

  void check_primitive(const Json& primitive, const std::string& at) {
    const Json* attributes = member(primitive, "attributes");
    if (attributes == nullptr || !attributes->is_object()) return;
    for (const auto& [name, index] : attributes->items()) {
      const auto number = whole(index);
      const Json* accessor = item(index, "accessors");
      if (accessor == nullptr || !has_bytes(*accessor) || !is_new(*number, name)) continue;
      check_attribute(name, *accessor, *number, fmt::format("{}/attributes/{}", at, name));
    }
    const Json* position = refer(*attributes, "POSITION", "accessors");
    const Json* indices = refer(primitive, "indices", "accessors");
    if (position != nullptr && indices != nullptr && has_bytes(*indices)) {
      check_indices(*whole(primitive["indices"]), *indices,
                    count_of(*position, "count").value_or(0), at + "/indices");
    }
  }

  void check_attribute(const std::string& name, const Json& accessor, std::uint64_t number,
                       const std::string& at) {
    const bool is_tangent = name == "TANGENT", is_direction = name == "NORMAL" || is_tangent;
    const bool is_color = name.starts_with("COLOR_");
    const auto width = width_of(accessor);
    if (!width || (!is_direction && !is_color) || (is_direction && *width < 3)) return;
    const std::vector<double> values = numbers(number);
    for (std::size_t i = 0; i + *width <= values.size(); i += *width) {
      const double* v = &values[i];
      if (is_color) {
        const auto is_outside = [](double x) { return !(x >= 0 && x <= 1); };
        if (!std::any_of(v, v + *width, is_outside)) continue;
        say(at, fmt::format("element {} is not from 0 to 1", i / *width));
        return;
      }
      const double length = math::hypot(v[0], v[1], v[2]);
      // As far as eight bits can be from 1.
      if (!(std::abs(length - 1) <= (format_of(accessor).component == 5126 ? 5e-3 : 0.1))) {
        say(at, fmt::format("element {} has length {}, not 1", i / *width, length));
        return;
      }
      if (is_tangent && *width == 4 && std::abs(v[3]) != 1) {
        say(at, fmt::format("element {} has the sign {}, which must be 1 or -1", i / 4, v[3]));
        return;
      }
    }
  }

  void check_indices(std::uint64_t number, const Json& accessor, std::uint64_t vertices,
                     const std::string& at) {
    if (!is_new(number, fmt::format("indices of {}", vertices))) return;
    const std::uint64_t component = format_of(accessor).component;
    const double restart = component == 5121 ? 255 : (component == 5123 ? 65535 : 4294967295.0);
    const std::vector<double> values = numbers(number);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == restart) {
        say(at, fmt::format("element {} is {}, which is kept for other use", i, restart));
        return;
      }
      if (!(values[i] < static_cast<double>(vertices))) {
        say(at, fmt::format("element {} is {}, but there are {} vertices", i, values[i], vertices));
        return;
      }
    }
  }

  void check_image(const Json& image, const std::string& at) {
    const std::string uri = text_of(image, "uri");
    const std::string bytes = image_bytes(image, uri, at);
    if (bytes.empty()) return;
    const std::string type = image_type(bytes);
    std::vector<std::string> said = {text_of(image, "mimeType")};
    if (uri.starts_with("data:")) said.push_back(uri.substr(5, uri.find_first_of(";,") - 5));
    std::erase(said, "");
    const auto is_plain = [](const std::string& name) {
      return name == "image/png" || name == "image/jpeg";
    };
    if (type.empty()) {
      if (std::all_of(said.begin(), said.end(), is_plain)) say(at, "is neither PNG nor JPEG");
      return;
    }
    for (const std::string& name : said) {
      if (name != type) say(at, fmt::format("is {}, but says {}", type, name));
    }
    if (type == "image/webp" && !used_.contains("EXT_texture_webp")) {
      say(at, "is WebP, which needs the extension EXT_texture_webp");
    }
    if (const std::string problem = image_problem(bytes); !problem.empty()) say(at, problem);
  }

  // Empty, with the problem said if there is one, where the bytes are not to be had.
  std::string image_bytes(const Json& image, const std::string& uri, const std::string& at) {
    try {
      if (uri.starts_with("data:")) return decode_data_uri(uri, at + "/uri");
      if (!uri.empty()) {
        if (document_.folder.empty()) return {};
        return read_file(resolve_uri(document_.folder, uri, at + "/uri"));
      }
    } catch (const InputError& error) {
      say(error.place(), error.problem());
      return {};
    } catch (const FileError&) {
      say(at + "/uri", "cannot be read");
      return {};
    }
    const Json* view = refer(image, "bufferView", "bufferViews");
    const auto buffer =
        view ? index_below(document_.buffers.size(), member(*view, "buffer")) : std::nullopt;
    if (!buffer) return {};
    const std::string& all = document_.buffers[*buffer];
    const auto within = [&](const char* name) {
      const std::uint64_t bytes = count_of(*view, name).value_or(0);
      return static_cast<std::size_t>(std::min<std::uint64_t>(bytes, all.size()));
    };
    return all.substr(within("byteOffset"), within("byteLength"));
  }

  const Document& document_;
  std::set<std::uint64_t> unreadable_;
  std::set<std::pair<std::uint64_t, std::string>> seen_;
  std::vector<std::string> problems_;
};

}  // namespace
}  // namespace gltf

std::vector<std::string> data_problems(const Model& model) {
  return model.source ? gltf::DataCheck(*model.source).run() : std::vector<std::string>{};
}

}  // namespace sinew
