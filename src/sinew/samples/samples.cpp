// SPDX-License-Identifier: Apache-2.0
#include "sinew/samples/samples.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/samples/detail/characters.h"

namespace sinew {
namespace {

struct Sample {
  SampleInfo info;
  Rig (*make)(std::size_t vertex_target, const Progress& progress);
};

constexpr std::array samples_table{
    Sample{{"cigar", "a capsule on one bone, past both its ends"}, samples::make_cigar},
    Sample{{"box", "a box with rounded edges on one bone"}, samples::make_box},
    Sample{{"tube", "a tube on two bones"},
           [](std::size_t n, const Progress& p) { return samples::make_tube(2, n, p); }},
    Sample{{"tube3", "a tube on three bones"},
           [](std::size_t n, const Progress& p) { return samples::make_tube(3, n, p); }},
    Sample{{"arm", "an arm with a hand of five fingers"}, samples::make_arm},
    Sample{{"mannequin", "a person, with fingers, toes, kneecaps, biceps and breath"},
           samples::make_mannequin},
    Sample{{"beast", "a heavy horned creature with a long neck and tail"}, samples::make_beast},
    Sample{{"giraffe", "a flat giraffe in the plane z = 0"}, samples::make_giraffe},
};

constexpr auto infos = [] {
  std::array<SampleInfo, samples_table.size()> result;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = samples_table[i].info;
  return result;
}();

}  // namespace

std::span<const SampleInfo> sample_list() { return infos; }

Rig make_sample(std::string_view name, std::size_t vertex_target, const Progress& progress) {
  vertex_target = std::clamp<std::size_t>(vertex_target, 64, 4'000'000);
  std::vector<std::string> names;
  for (const Sample& sample : samples_table) {
    if (sample.info.name == name) return sample.make(vertex_target, progress);
    names.emplace_back(sample.info.name);
  }
  throw UsageError(fmt::format("there is no sample '{}'{}; there are {}", name,
                               did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace sinew
