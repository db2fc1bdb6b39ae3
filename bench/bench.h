// SPDX-License-Identifier: Apache-2.0
// Benchmark suites that print CSV lines with a checksum of their results.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sinew/core/vec.h"
#include "sinew/image/image.h"
#include "sinew/rig/rig.h"

namespace sinew::bench {

// A running hash of the results, to check that a faster version computes the same.
class Checksum {
 public:
  void add(double value);
  void add(const Vec3& value);
  void add(std::span<const Vec3> values);
  void add(const Image& image);
  void add(std::string_view bytes);
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037ull;
};

// The shortest time of one call in seconds, over at least `calls` calls and about `budget` seconds.
double minimum_seconds(const std::function<void()>& body, double budget = 0.5, int calls = 5);

// The memory that the process has, and the most that it has had since the last reset, in bytes; 0
// where the system does not tell.
double resident_memory();
double peak_memory();
void reset_peak_memory();

struct Options {
  std::size_t size = 100000;  // vertices, triangles or points: what the suite scales with
  int threads = 0;            // as asked for; 0: the suite decides
  std::optional<Rig> rig;     // a model with bones, to measure in place of the suite's own
};

// What a deformation reads and writes; 0 if unknown.
struct Traffic {
  double influences = 0;  // per vertex
  double bytes = 0;       // per call
  double copy_speed = 0;  // of a plain copy, in bytes per second: the upper limit
};

// Measurements are lines of CSV; what is unknown stays empty. These are most suites' columns.
inline constexpr std::string_view columns =
    "suite,case,items,influences,threads,ns_per_item,gb_per_s,copy_share,checksum";

// Receives each row as it is measured.
using Sink = std::function<void(const std::string& row)>;
void set_sink(Sink sink);
void report_line(const std::string& row);
void report_row(std::string_view suite, std::string_view name, std::size_t items, double seconds,
                const Checksum& checksum, const Traffic& traffic = {});

struct Suite {
  std::string_view name;
  std::string_view description;
  std::string_view columns;
  void (*run)(const Options& options);
};

std::span<const Suite> suites();

// One for each file.
void run_bake_suite(const Options& options);
void run_correct_suite(const Options& options);
void run_deform_suite(const Options& options);
void run_draw_suite(const Options& options);
void run_files_suite(const Options& options);
void run_image_suite(const Options& options);
void run_mesh_suite(const Options& options);
void run_motion_suite(const Options& options);
void run_sample_suite(const Options& options);
void run_weights_suite(const Options& options);

// The columns of the draw suite.
inline constexpr std::string_view draw_columns =
    "suite,case,triangles,width,height,threads,seconds,checksum";

// The columns of the files suite; peak_times is the most memory as a multiple of the file's size.
inline constexpr std::string_view files_columns =
    "suite,case,format,bytes,threads,seconds,mb_per_s,copy_times,peak_times,checksum";

// The columns of the image suite.
inline constexpr std::string_view image_columns =
    "suite,case,side,vertices,bones,threads,seconds,checksum";

// The columns of the weights suite.
inline constexpr std::string_view weight_columns =
    "suite,model,method,vertices,bones,threads,seconds,unknowns,iterations,residual,objective,"
    "out_of_bounds,peak_mb,checksum";

// The columns of the bake suite: errors in per cent of the limb's radius, of the bone's length, of
// the limb's radius anywhere, and of the bounding box.
inline constexpr std::string_view bake_columns =
    "suite,model,case,vertices,joints,clips,helpers,influences,radius_error,length_error,max_error,"
    "max_error_box,threads,seconds,checksum";

}  // namespace sinew::bench
