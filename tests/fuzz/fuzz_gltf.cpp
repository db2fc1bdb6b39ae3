// SPDX-License-Identifier: Apache-2.0
// glTF. The JSON and the binary chunk of a .glb are mutated apart, the JSON as text or as a tree,
// so that what lies behind the container and the parser is reached.
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "sinew/io/gltf.h"
#include "sinew/io/gltf_problems.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/gltf_builder.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Json = nlohmann::json;
using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t count) { return random() % count; }

void collect(Json& value, std::vector<Json*>& all) {
  all.push_back(&value);
  if (!value.is_structured()) return;
  for (Json& child : value) collect(child, all);
}

// Numbers that indices, counts and offsets may go wrong by.
Json number(Random& random, const Json& old) {
  const double near = old.is_number() ? old.get<double>() : 0;
  switch (below(random, 8)) {
    case 0:
      return 0;
    case 1:
      return -1;
    case 2:
      return near + 1;
    case 3:
      return static_cast<std::int64_t>(random() % 32);
    case 4:
      return std::int64_t{1} << below(random, 63);
    case 5:
      return std::uint64_t{0xffffffffffffffff} >> below(random, 64);
    case 6:
      return near * 0.5;
    default:
      return 5120 + below(random, 8);  // types of components
  }
}

// Changes one value of the tree.
void change(Json& root, Random& random) {
  std::vector<Json*> all;
  collect(root, all);
  Json& chosen = *all[below(random, all.size())];
  const Json other = *all[below(random, all.size())];
  switch (below(random, 6)) {
    case 0:
      if (chosen.is_structured() && !chosen.empty()) {
        chosen.erase(
            std::next(chosen.begin(), static_cast<std::ptrdiff_t>(below(random, chosen.size()))));
        return;
      }
      break;
    case 1:
      if (chosen.is_array()) {
        chosen.push_back(chosen.empty() ? other : chosen[below(random, chosen.size())]);
        return;
      }
      break;
    case 2:
      chosen = other;
      return;
    case 3:
      if (chosen.is_object()) {
        constexpr const char* names[] = {"extras",  "extensions", "sparse",     "targets",
                                         "weights", "normalized", "byteStride", "matrix"};
        chosen[names[below(random, std::size(names))]] = other;
        return;
      }
      break;
    default:
      break;
  }
  // Mostly numbers: of all kinds of values these refer to others.
  for (int tries = 0; tries < 8; ++tries) {
    Json& some = *all[below(random, all.size())];
    if (!some.is_number()) continue;
    some = number(random, some);
    return;
  }
  chosen = below(random, 2) == 0 ? Json() : Json("VEC4");
}

std::string mutated_bytes(std::string bytes, std::size_t most) {
  const std::size_t size = bytes.size();
  bytes.resize(std::max(most, size + 1));
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size,
                                std::max(most, size + 1)));
  return bytes;
}

std::uint32_t length_at(std::string_view bytes, std::size_t at) {
  std::uint32_t length = 0;
  for (std::size_t k = 4; k-- > 0;) {
    length = length << 8 | static_cast<unsigned char>(bytes[at + k]);
  }
  return length;
}

// The whole file, or nothing where it cannot be taken apart.
std::string mutated(std::string_view file, std::size_t most, Random& random) {
  std::string text(file), binary;
  const bool is_glb = file.starts_with("glTF");
  if (is_glb) {
    if (file.size() < 20 || length_at(file, 12) > file.size() - 20) return {};
    text = file.substr(20, length_at(file, 12));
    const std::size_t rest = 20 + text.size();
    if (file.size() >= rest + 8) binary = file.substr(rest + 8);
  }
  const std::size_t way = below(random, 8);
  if (way == 0 && !binary.empty()) {
    binary = mutated_bytes(std::move(binary), binary.size() + 16);
  } else if (way == 1) {
    text = mutated_bytes(std::move(text), text.size() + 64);
  } else {
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return {};
    for (std::size_t k = 0; k <= below(random, 3); ++k) change(json, random);
    text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  std::string result = is_glb ? sinew::make_glb(text, binary) : text;
  return result.size() <= most ? result : std::string();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  Random random(seed);
  if (below(random, 16) != 0) {
    const std::string file = mutated({reinterpret_cast<const char*>(data), size}, most, random);
    if (!file.empty()) {
      std::memcpy(data, file.data(), file.size());
      return file.size();
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz(
      data, size, [](std::string_view bytes) { return sinew::parse_gltf(bytes); },
      [](const auto& model) {
        validate(model.rig);
        sinew::data_problems(model);
        std::string written;
        try {
          written = sinew::to_glb(model);
        } catch (const sinew::InputError& error) {
          require(!error.place().empty(), "an error names its place");
          return;
        }
        validate(sinew::parse_gltf(written).rig);
      });
}
