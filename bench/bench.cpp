// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <fstream>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "sinew/core/parallel.h"

namespace sinew::bench {
namespace {

constexpr Suite all_suites[] = {
    {"bake", "a twisted, stretched wrist baked ever finer, and a character of --size vertices",
     bake_columns, run_bake_suite},
    {"correct", "correctives of five examples, --size vertices in all, by every method", columns,
     run_correct_suite},
    {"deform", "a posed character by every method, beside a plain loop and a copy", columns,
     run_deform_suite},
    {"draw", "pictures of 1024 x 1024 pixels with --size triangles", draw_columns, run_draw_suite},
    {"files", "a character of --size vertices read and written, beside a copy of its file",
     files_columns, run_files_suite},
    {"image", "a drawing of --size pixels, meshed and with weights; frames of 1024 x 1024 pixels",
     image_columns, run_image_suite},
    {"mesh", "closest points, rays and winding numbers on a sphere", columns, run_mesh_suite},
    {"motion", "clips sampled and joints posed", columns, run_motion_suite},
    {"sample", "the built-in characters, made from scratch", columns, run_sample_suite},
    {"weights", "weights by every method: the mannequin up to --size, or --model", weight_columns,
     run_weights_suite},
};

Sink row_sink = [](const std::string&) {};

// A line of what Linux says of the process, in bytes.
double memory(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) return 1024 * std::stod(line.substr(name.size()));
  }
  return 0;
}

}  // namespace

void Checksum::add(double value) {
  auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // -0 and 0 count the same
  for (int i = 0; i < 8; ++i, bits >>= 8) hash_ = (hash_ ^ (bits & 255)) * 1099511628211ull;
}

void Checksum::add(const Vec3& value) {
  add(value.x);
  add(value.y);
  add(value.z);
}

void Checksum::add(std::span<const Vec3> values) {
  for (const Vec3& value : values) add(value);
}

void Checksum::add(const Image& image) {
  for (const Pixel& p : image.pixels()) {
    add(double(p.r) + 256.0 * p.g + 65536.0 * p.b + 16777216.0 * p.a);
  }
}

void Checksum::add(std::string_view bytes) {
  for (const char byte : bytes) {
    hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
  }
}

double minimum_seconds(const std::function<void()>& body, double budget, int calls) {
  using Clock = std::chrono::steady_clock;
  double least = std::numeric_limits<double>::infinity();
  const auto start = Clock::now();
  const auto seconds_since = [](Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  };
  for (int call = 0; call < calls || seconds_since(start) < budget; ++call) {
    const auto before = Clock::now();
    body();
    least = std::min(least, seconds_since(before));
  }
  return least;
}

double resident_memory() { return memory("VmRSS:"); }

double peak_memory() { return memory("VmHWM:"); }

void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << 5; }

void set_sink(Sink sink) { row_sink = std::move(sink); }

void report_line(const std::string& row) { row_sink(row); }

void report_row(std::string_view suite, std::string_view name, std::size_t items, double seconds,
                const Checksum& checksum, const Traffic& traffic) {
  const auto known = [](double value, int digits) {
    return value > 0 ? fmt::format("{:.{}f}", value, digits) : std::string();
  };
  const double speed = traffic.bytes / seconds;
  report_line(fmt::format(
      "{},{},{},{},{},{:.3f},{},{},{:016x}", suite, name, items, known(traffic.influences, 2),
      thread_count(), seconds * 1e9 / static_cast<double>(items), known(speed * 1e-9, 2),
      known(traffic.copy_speed > 0 ? speed / traffic.copy_speed : 0, 3), checksum.value()));
}

std::span<const Suite> suites() { return all_suites; }

}  // namespace sinew::bench
