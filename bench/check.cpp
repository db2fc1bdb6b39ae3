// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <string_view>

#include "character.h"
#include "sinew/core/parallel.h"
#include "sinew/kernels/binding.h"
#include "sinew/kernels/targets.h"
#include "textbook.h"

namespace sinew::bench {
namespace {

struct Recorded {
  std::string_view target, method;
  bool strained;  // all bones stretched and twisted
  double times;
};

// Zen 4, GCC 12. Measured by check_speed() itself; docs/benchmarks.md says how to make it again.
constexpr Recorded recorded[] = {
    {"avx512", "lbs", false, 9.3},         {"avx512", "dqs", false, 7.7},
    {"avx512", "stbs-lbs", true, 4.3},     {"avx512", "stbs-dqs", true, 2.55},
    {"avx512", "stretch-it", false, 1.14}, {"avx512", "ocd-arc", false, 1.28},
    {"avx512", "ocd-spline", false, 0.81},
};

constexpr std::size_t check_vertices = 20000, check_influences = 4;

double seconds_of(const std::function<void()>& body) {
  using Clock = std::chrono::steady_clock;
  const auto before = Clock::now();
  body();
  return std::chrono::duration<double>(Clock::now() - before).count();
}

// The least times so far of a case and of the textbook.
struct Turns {
  double ours = std::numeric_limits<double>::infinity();
  double textbook = std::numeric_limits<double>::infinity();
};

}  // namespace

CheckReport check_speed() {
  const int threads = thread_count();
  set_thread_count(1);
  CheckReport report{kernel_targets().front(), {}};
  const Rig rig = dense_character(check_vertices, check_influences);
  const Binding binding(rig, {.slopes = false});
  TextbookSkin textbook(rig, moving_pose(rig));
  std::vector<float> positions(3 * rig.mesh.vertex_count());
  for (const Recorded& row : recorded) {
    const auto all = methods();
    const bool is_built = std::any_of(
        all.begin(), all.end(), [&](const MethodInfo* info) { return info->name == row.method; });
    if (row.target != report.target || !is_built) continue;
    Palette palette(Plan(binding, method_from_name(row.method, rig)));
    palette.update(row.strained ? strained_pose(rig) : moving_pose(rig));
    Checked checked{std::string(row.method) + (row.strained ? "-strained" : ""), 0, row.times,
                    true};
    Turns least;
    for (int attempt = 0; attempt < 5 && checked.is_slower; ++attempt) {
      for (int turn = 0; turn < 200; ++turn) {
        least.textbook = std::min(least.textbook, seconds_of([&] { textbook.run(); }));
        least.ours = std::min(
            least.ours, seconds_of([&] { deform(palette, {.positions = positions.data()}); }));
      }
      checked.times = least.textbook / least.ours;
      checked.is_slower = checked.times * check_tolerance < checked.recorded;
    }
    report.cases.push_back(checked);
  }
  set_thread_count(threads);
  return report;
}

}  // namespace sinew::bench
