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
#include "sinew/samples/detail/mannequin.h"

namespace sinew {
namespace {

struct Sample {
  SampleInfo info;
  Rig (*make)(std::size_t vertex_target, const Progress& progress);
  samples::Chart (*chart)() = nullptr;  // of its one part, if it has a picture
};

constexpr std::array samples_table{
    Sample{{"cigar", "a capsule on one bone, past both its ends"}, samples::make_cigar},
    Sample{{"box", "a box with rounded edges on one bone"}, samples::make_box},
    Sample{{"tube", "a tube on two bones"},
           [](std::size_t n, const Progress& p) { return samples::make_tube(2, n, p); }},
    Sample{{"tube3", "a tube on three bones"},
           [](std::size_t n, const Progress& p) { return samples::make_tube(3, n, p); }},
    Sample{{"arm", "an arm with a hand of five fingers"}, samples::make_arm},
    Sample{{"head", "a head with blend shapes: smile, frown, jaw, blink"},
           samples::make_head,
           samples::head_chart},
    Sample{{"mannequin", "a person, with fingers, toes, kneecaps, biceps and breath"},
           samples::make_mannequin,
           samples::mannequin_chart},
    Sample{{"beast", "a heavy horned creature with a long neck and tail"}, samples::make_beast},
    Sample{{"giraffe", "a flat giraffe in the plane z = 0"}, samples::make_giraffe},
};

constexpr auto infos = [] {
  std::array<SampleInfo, samples_table.size()> result;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = samples_table[i].info;
  return result;
}();

const Sample& find_sample(std::string_view name) {
  std::vector<std::string> names;
  for (const Sample& sample : samples_table) {
    if (sample.info.name == name) return sample;
    names.emplace_back(sample.info.name);
  }
  throw UsageError(fmt::format("there is no sample '{}'{}; there are {}", name,
                               did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace

std::span<const SampleInfo> sample_list() { return infos; }

Rig make_sample(std::string_view name, std::size_t vertex_target, const Progress& progress) {
  return find_sample(name).make(std::clamp<std::size_t>(vertex_target, 64, 4'000'000), progress);
}

std::vector<PartLook> sample_looks(std::string_view name) {
  const Sample& sample = find_sample(name);
  if (sample.chart == nullptr) return {};
  PartLook look;
  look.picture = picture_of(sample.chart());
  return {look};
}

}  // namespace sinew
