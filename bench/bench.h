// SPDX-License-Identifier: Apache-2.0
// Measurements: suites that print CSV lines with a checksum of what they computed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sinew/core/vec.h"

namespace sinew::bench {

// A running hash over results, so that a faster version can be seen to compute the same.
class Checksum {
 public:
  void add(double value);
  void add(const Vec3& value);
  void add(std::span<const Vec3> values);
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037ull;
};

// The smallest time in seconds of one call, over at least five calls and about `budget` seconds.
double minimum_seconds(const std::function<void()>& body, double budget = 0.5);

struct Options {
  std::size_t size = 100000;  // vertices, triangles or points: what the suite scales with
};

// What a deformation reads and writes; 0 where a suite does not say.
struct Traffic {
  double influences = 0;  // per vertex
  double bytes = 0;       // per call
  double copy_speed = 0;  // of a plain copy, in bytes per second: what there is to have
};

// One measurement, as a line of CSV; what is unknown stays empty.
inline constexpr std::string_view columns =
    "suite,case,items,influences,threads,ns_per_item,gb_per_s,copy_share,checksum";

// Where rows go as they are measured.
using Sink = std::function<void(const std::string& row)>;
void set_sink(Sink sink);
void report_row(std::string_view suite, std::string_view name, std::size_t items, double seconds,
                const Checksum& checksum, const Traffic& traffic = {});

struct Suite {
  std::string_view name;
  std::string_view description;
  void (*run)(const Options& options);
};

std::span<const Suite> suites();

// One for each file.
void run_deform_suite(const Options& options);
void run_mesh_suite(const Options& options);
void run_motion_suite(const Options& options);
void run_sample_suite(const Options& options);

}  // namespace sinew::bench
