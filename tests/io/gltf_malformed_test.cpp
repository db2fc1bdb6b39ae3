// SPDX-License-Identifier: Apache-2.0
// A small valid file, broken in every way that a program can think of: it is read, or refused with
// an error that says where.
#include <limits>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf.h"
#include "tests/support/gltf_builder.h"

namespace sinew {
namespace {

struct Outcome {
  int read = 0, refused = 0;
};

void attempt(const std::string& bytes, const std::string& what, Outcome& outcome) {
  try {
    parse_gltf(bytes);
    ++outcome.read;
  } catch (const InputError& error) {
    ++outcome.refused;
    EXPECT_NE(error.place(), "") << what << ": " << error.what();
    EXPECT_NE(error.problem(), "") << what;
  } catch (const std::exception& error) {
    ADD_FAILURE() << what << ": " << error.what();
  }
}

// Pointers to all values of the document.
void collect(const nlohmann::json& json, const nlohmann::json::json_pointer& at,
             std::vector<nlohmann::json::json_pointer>& all) {
  all.push_back(at);
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) collect(value, at / key, all);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) collect(json[i], at / i, all);
  }
}

TEST(GltfMalformed, every_value_replaced_or_removed_is_read_or_refused_with_a_place) {
  const GltfBuilder b = small_character();
  const nlohmann::json good = b.with_buffer();
  std::vector<nlohmann::json::json_pointer> places;
  collect(good, nlohmann::json::json_pointer(), places);
  ASSERT_EQ(places.size(), 242U);
  const std::vector<nlohmann::json> replacements = {-1,
                                                    0,
                                                    1,
                                                    2,
                                                    255,
                                                    4294967295U,
                                                    9007199254740993.0,
                                                    1e30,
                                                    -1e30,
                                                    0.5,
                                                    true,
                                                    nullptr,
                                                    "",
                                                    "VEC4",
                                                    nlohmann::json::array(),
                                                    nlohmann::json::object(),
                                                    nlohmann::json::array({0, 0, 0, 0})};
  Outcome outcome;
  for (const auto& place : places) {
    for (const auto& replacement : replacements) {
      nlohmann::json broken = good;
      broken[place] = replacement;
      attempt(make_glb(broken.dump(), b.buffer), place.to_string() + " = " + replacement.dump(),
              outcome);
    }
    if (place.empty()) continue;
    nlohmann::json broken = good;
    nlohmann::json& parent = broken[place.parent_pointer()];
    if (parent.is_object()) {
      parent.erase(place.back());
    } else {
      parent.erase(std::stoul(place.back()));
    }
    attempt(make_glb(broken.dump(), b.buffer), place.to_string() + " removed", outcome);
  }
  EXPECT_EQ(outcome.read, 416);
  EXPECT_EQ(outcome.refused, 3939);
}

TEST(GltfMalformed, every_truncation_is_refused) {
  const std::string glb = small_character().glb();
  Outcome outcome;
  for (std::size_t length = 0; length < glb.size(); length += 3) {
    attempt(glb.substr(0, length), "cut off at " + std::to_string(length), outcome);
  }
  EXPECT_EQ(outcome.read, 0);
}

TEST(GltfMalformed, nan_anywhere_in_the_buffer_is_read_or_refused) {
  const GltfBuilder good = small_character();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Outcome outcome;
  for (std::size_t offset = 0; offset + 4 <= good.buffer.size(); offset += 4) {
    GltfBuilder broken = good;
    std::memcpy(broken.buffer.data() + offset, &nan, sizeof nan);
    attempt(broken.glb(), "NaN at " + std::to_string(offset), outcome);
  }
  // As indices and joints they are out of range, but for the joints of slots without weight.
  EXPECT_EQ(outcome.read, 6);
}

TEST(GltfMalformed, every_byte_turned_over_is_read_or_refused) {
  const std::string good = small_character().glb();
  Outcome outcome;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string broken = good;
    broken[i] = static_cast<char>(broken[i] ^ 0x55);
    attempt(broken, "byte " + std::to_string(i), outcome);
  }
  EXPECT_EQ(outcome.read, 973);
  EXPECT_EQ(outcome.refused, 2299);
}

TEST(GltfMalformed, accessors_that_claim_much_cost_nothing) {
  GltfBuilder b = small_character();
  for (auto& accessor : b.json["accessors"]) {
    accessor["count"] = 4294967295U;
    accessor.erase("bufferView");
  }
  Outcome outcome;
  attempt(b.glb(), "all accessors", outcome);
  EXPECT_EQ(outcome.refused, 1);
}

}  // namespace
}  // namespace sinew
