// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench.h"
#include "sinew/core/parallel.h"
#include "sinew/samples/samples.h"
#include "sinew/weights/compute_weights.h"

namespace sinew::bench {
namespace {

constexpr int calls = 3;
constexpr double budget = 0;
constexpr std::size_t largest = 1000000;

double out_of_bounds(double value) { return std::max({0.0, -value, value - 1}); }

class Subject {
 public:
  Subject(std::string name, Mesh mesh, Skeleton skeleton)
      : name_(std::move(name)), mesh_(std::move(mesh)), skeleton_(std::move(skeleton)) {}

  // By method name; the domain or the factors included.
  Weights weights(const char* method) const {
    ComputedWeights result;
    reset_peak_memory();
    const double seconds = minimum_seconds(
        [&] { result = compute_weights(mesh_, skeleton_, weight_method_from_name(method), {}); },
        budget, calls);
    Checksum checksum;
    double outside = 0;
    for (const Influence& influence : result.skin.weights.influences) {
      checksum.add(influence.bone);
      checksum.add(influence.weight);
      outside = std::max(outside, out_of_bounds(influence.weight));
    }
    report(method, seconds, result.bones, outside, checksum);
    return std::move(result.skin.weights);
  }

  void heat_endpoints(const Weights& weights) const {
    endpoints("heat-endpoints", [&] { return sinew::heat_endpoints(mesh_, skeleton_, weights); });
  }

  // The domain is there already.
  void bbw_endpoints(const Weights& weights) const {
    const Bbw domain(mesh_, skeleton_);
    endpoints("bbw-endpoints", [&] { return domain.endpoints(weights); });
  }

 private:
  template <class Make>
  void endpoints(std::string_view method, const Make& make) const {
    SolvedEndpoints result;
    reset_peak_memory();
    const double seconds = minimum_seconds([&] { result = make(); }, budget, calls);
    Checksum checksum;
    double outside = 0;
    for (const double value : result.endpoints) {
      checksum.add(value);
      outside = std::max(outside, out_of_bounds(value));
    }
    report(method, seconds, result.notes, outside, checksum);
  }

  void report(std::string_view method, double seconds, const SolveNotes& notes, double outside,
              const Checksum& checksum) const {
    const auto known = [](double value) {
      return value > 0 ? fmt::format("{:.9g}", value) : std::string();
    };
    report_line(fmt::format(
        "weights,{},{},{},{},{},{:.4g},{},{},{},{},{:.3g},{:.0f},{:016x}", name_, method,
        mesh_.vertex_count(), skeleton_.bones.size(), thread_count(), seconds,
        known(static_cast<double>(notes.unknowns)), known(static_cast<double>(notes.iterations)),
        notes.unknowns > 0 ? fmt::format("{:.3g}", notes.residual) : std::string(),
        known(notes.objective), outside, peak_memory() / 1e6, checksum.value()));
  }

  std::string name_;
  Mesh mesh_;
  Skeleton skeleton_;
};

Subject mannequin(std::size_t vertices) {
  Rig rig = make_sample("mannequin", vertices);
  return {"mannequin", std::move(rig.mesh), std::move(rig.skeleton)};
}

void every_method(const Subject& subject) {
  for (const char* method : {"rigid", "idw", "shepard", "voxel"}) subject.weights(method);
  subject.heat_endpoints(subject.weights("heat"));
  subject.bbw_endpoints(subject.weights("bbw"));
}

}  // namespace

void run_weights_suite(const Options& options) {
  const int threads = thread_count();
  set_thread_count(std::max(options.threads, 1));
  if (options.rig) {
    every_method({"given", options.rig->mesh, options.rig->skeleton});
  } else {
    constexpr std::array<std::size_t, 3> sizes = {8000, 30000, 50000};
    for (const std::size_t size : sizes) {
      if (size <= options.size) every_method(mannequin(size));
    }
    if (options.size < sizes.front()) every_method(mannequin(options.size));
    // How the cost grows as the vertices double while the lattice stays the same.
    std::vector<std::size_t> series;
    for (std::size_t size = std::min(options.size, largest); size > sizes.back(); size /= 2) {
      series.insert(series.begin(), size);
    }
    for (const std::size_t size : series) mannequin(size).weights("bbw");
  }
  set_thread_count(threads);
}

}  // namespace sinew::bench
