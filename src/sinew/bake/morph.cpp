// SPDX-License-Identifier: Apache-2.0
#include "sinew/bake/morph.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <nlohmann/json.hpp>
#include <utility>

#include <fmt/format.h>

#include "sinew/bake/detail/poses.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/kernels/clip_frames.h"

namespace sinew {
namespace {

using Frame = std::vector<Vec3f>;

constexpr double most_bytes = double(1 << 30);
constexpr std::size_t grain = 4096;

void check(const Rig& rig) {
  validate(rig);
  if (rig.mesh.positions.empty()) throw InputError("mesh", "there are no vertices to bake");
  if (rig.skin.weights.vertex_count() == 0) throw InputError("weights", "there are none");
}

void check_rate(double frames_per_second) {
  if (frames_per_second >= 0.001 && frames_per_second <= 100000) return;
  throw UsageError("frames per second are a number from 0.001 to 100000");
}

void check_size(double bytes, const char* way_out) {
  if (bytes <= most_bytes) return;
  throw UsageError(fmt::format("the clip would take {:.3g} GiB, which is more than one: {}",
                               bytes / most_bytes, way_out));
}

Vec3f to_single(const Vec3& v) { return {float(v.x), float(v.y), float(v.z)}; }
Vec3 to_double(const Vec3f& v) { return {v.x, v.y, v.z}; }

Frame to_single(const std::vector<Vec3>& values) {
  Frame frame;
  frame.reserve(values.size());
  for (const Vec3& v : values) frame.push_back(to_single(v));
  return frame;
}

// The last frame is the first at or after the clip's end.
std::vector<double> frame_times(const Clip& clip, double rate) {
  check_rate(rate);
  const double count = std::ceil(duration(clip) * rate - 1e-6);
  check_size(8 * count, "take fewer frames per second");
  std::vector<double> times;
  for (double i = 0; i <= count; ++i) times.push_back(i / rate);
  return times;
}

// Every second one may be a key; the others lie half way between those.
std::vector<double> with_halves(const std::vector<double>& times) {
  std::vector<double> result = {times.front()};
  for (std::size_t i = 1; i < times.size(); ++i) {
    result.push_back((times[i - 1] + times[i]) / 2);
    result.push_back(times[i]);
  }
  return result;
}

// Frames as they are asked for, in order, until they are let go.
class Window {
 public:
  Window(ClipFrames& frames, std::span<const double> times) : frames_(frames), times_(times) {}

  const Frame& at(std::size_t moment) {
    while (first_ + kept_.size() <= moment) {
      kept_.push_back(to_single(frames_.at(times_[first_ + kept_.size()]).positions));
    }
    return kept_[moment - first_];
  }

  void let_go_before(std::size_t moment) {
    for (; first_ < moment; ++first_) kept_.pop_front();
  }

 private:
  ClipFrames& frames_;
  std::span<const double> times_;
  std::size_t first_ = 0;
  std::deque<Frame> kept_;
};

struct Error {
  double largest_square = 0, squares = 0;
};

void include(Error& total, const Error& error) {
  total.largest_square = std::max(total.largest_square, error.largest_square);
  total.squares += error.squares;
}

// Of the moments between two keys.
class Span {
 public:
  Span(Window& window, std::span<const double> times, std::size_t a, std::size_t b)
      : window_(window), times_(times), a_(a), b_(b) {
    window.at(b);
  }

  bool is_within(double bound) const {
    for (std::size_t i = a_ + 1; i < b_; ++i) {
      if (!(error_at(i).largest_square <= bound * bound)) return false;
    }
    return true;
  }

  Error error() const {
    Error total;
    for (std::size_t i = a_ + 1; i < b_; ++i) include(total, error_at(i));
    return total;
  }

 private:
  Error error_at(std::size_t moment) const {
    const Frame &from = window_.at(a_), &to = window_.at(b_), &truth = window_.at(moment);
    const double t = (times_[moment] - times_[a_]) / (times_[b_] - times_[a_]);
    std::vector<Error> blocks((truth.size() + grain - 1) / grain);
    parallel_for(truth.size(), grain, [&](std::size_t begin, std::size_t end) {
      Error& error = blocks[begin / grain];
      for (std::size_t v = begin; v < end; ++v) {
        const double square =
            length_squared(lerp(to_double(from[v]), to_double(to[v]), t) - to_double(truth[v]));
        error.largest_square = std::max(error.largest_square, square);
        error.squares += square;
      }
    });
    Error total;
    for (const Error& block : blocks) include(total, block);
    return total;
  }

  Window& window_;
  std::span<const double> times_;
  std::size_t a_, b_;
};

struct Chosen {
  std::vector<std::size_t> keys;
  Error error;
};

// From each key the longest step, by doubling and halving, whose moments are all within the bound.
class Keys {
 public:
  Keys(ClipFrames& frames, std::span<const double> times, double bound, std::size_t most_kept)
      : window_(frames, times), times_(times), bound_(bound), most_step_(most_kept / 2) {}

  Chosen choose(const Progress& progress) {
    const std::size_t last = times_.size() - 1;
    Chosen chosen{{0}, {}};
    std::vector<std::size_t>& keys = chosen.keys;
    while (keys.back() < last) {
      const std::size_t a = keys.back();
      progress.report("choosing keys", double(a) / double(last));
      const std::size_t most = std::min((last - a) / 2, most_step_);
      std::size_t step = 1, beyond = most + 1;
      for (std::size_t next = 2; step < most && beyond > most; next *= 2) {
        const std::size_t tried = std::min(next, most);
        (fits(a, tried) ? step : beyond) = tried;
      }
      while (step + 1 < beyond) {
        const std::size_t middle = step + (beyond - step) / 2;
        (fits(a, middle) ? step : beyond) = middle;
      }
      const std::size_t b = a + 2 * step;
      const Error error = Span(window_, times_, a, b).error();
      include(chosen.error, error);
      keys.push_back(b);
      window_.let_go_before(b);
    }
    return chosen;
  }

 private:
  bool fits(std::size_t a, std::size_t step) {
    return Span(window_, times_, a, a + 2 * step).is_within(bound_);
  }

  Window window_;
  std::span<const double> times_;
  double bound_;
  std::size_t most_step_;  // so that what is kept does not grow without end where nothing moves
};

std::vector<Vec3> differences(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  std::vector<Vec3> result;
  for (std::size_t v = 0; v < from.size(); ++v) result.push_back(to[v] - from[v]);
  return result;
}

BlendShape shape_between(const Deformed& base, const Deformed& key, std::string name) {
  BlendShape shape;
  shape.name = std::move(name);
  shape.positions = differences(base.positions, key.positions);
  shape.normals = differences(base.normals, key.normals);
  for (std::size_t v = 0; v < base.tangents.size(); ++v) {
    const Vec4 &a = base.tangents[v], &b = key.tangents[v];
    shape.tangents.push_back({b.x - a.x, b.y - a.y, b.z - a.z});
  }
  return shape;
}

// Weight k - 1 is 1 at key k; at the first all are 0.
ShapeChannel fades(std::span<const double> times) {
  ShapeChannel channel;
  channel.curve.times.assign(times.begin(), times.end());
  for (std::size_t k = 0; k < times.size(); ++k) {
    std::vector<double>& weights = channel.curve.values.emplace_back(times.size() - 1, 0.0);
    if (k > 0) weights[k - 1] = 1;
  }
  return channel;
}

}  // namespace

bool is_within_bound(const MorphReport& report) { return report.max_error_percent <= report.bound; }

std::string to_text(const MorphReport& report) {
  std::string text = fmt::format(
      "  {:<18} {}\n  {:<18} {}\n  {:<18} {} moments\n  {:<18} {:.3g}% of the box (bound {:.3g}%), "
      "{:.3g}% root mean square",
      "clip", report.clip, "blend shapes", report.targets, "measured at", report.moments,
      "largest error", report.max_error_percent, report.bound, report.rms_error);
  if (!report.remedy.empty()) text += fmt::format("\n  {:<18} {}", "bound not met", report.remedy);
  return text;
}

std::string to_json(const MorphReport& report) {
  const nlohmann::json json = {{"clip", report.clip},
                               {"vertices", report.vertices},
                               {"targets", report.targets},
                               {"moments", report.moments},
                               {"bound", report.bound},
                               {"within_bound", is_within_bound(report)},
                               {"max_error_box", report.max_error_percent},
                               {"rms_error_box", report.rms_error},
                               {"remedy", report.remedy}};
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

Morphed bake_morph(const Rig& rig, const Clip& clip, const Method& method,
                   const MorphOptions& options, const Progress& progress) {
  check(rig);
  if (!(options.max_error_percent > 0 && options.max_error_percent <= 100)) {
    throw UsageError("the largest error is above 0 and at most 100 per cent of the bounding box");
  }
  std::vector<double> times =
      with_halves(options.frames_per_second ? frame_times(clip, *options.frames_per_second)
                                            : baking::sample_times(clip));
  const std::size_t vertices = rig.mesh.vertex_count();
  const double box = bounding_box(rig.mesh.positions).diagonal();
  const double frame_bytes = double(vertices * sizeof(Vec3f));
  const auto most_kept =
      static_cast<std::size_t>(std::clamp(most_bytes / 2 / frame_bytes, 8., 4e3));
  const double bound = options.max_error_percent / 100 * box;
  ClipFrames frames(rig, clip, method, {}, options.states);
  Chosen chosen = Keys(frames, times, bound, most_kept).choose(progress.part(0, 0.7));
  // What moves too fast for 60 keys a second gets up to eight times as many.
  for (int i = 0; i < 3 && !options.frames_per_second; ++i) {
    if (chosen.error.largest_square <= bound * bound) break;
    times = with_halves(times);
    chosen = Keys(frames, times, bound, most_kept).choose(progress.part(0, 0.7));
  }
  const std::vector<std::size_t>& keys = chosen.keys;
  const bool normals = !rig.mesh.normals.empty();
  check_size(frame_bytes * double(keys.size()) * (normals ? 2 : 1),
             "allow a larger error, or write a point cache");

  Morphed result;
  Rig& baked = result.rig;
  baked.name = rig.name;
  baked.mesh = rig.mesh;
  baked.mesh.shapes.clear();
  ClipFrames dressed(rig, clip, method, {.normals = normals}, options.states);
  std::vector<double> key_times;
  Deformed base;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    progress.report("making blend shapes", 0.7 + 0.3 * double(k) / double(keys.size()));
    key_times.push_back(times[keys[k]]);
    Deformed key = dressed.at(key_times.back());
    if (k == 0) {
      base = std::move(key);
    } else {
      baked.mesh.shapes.push_back(shape_between(base, key, fmt::format("{}_{:03}", clip.name, k)));
    }
  }
  baked.mesh.positions = std::move(base.positions);
  if (normals) baked.mesh.normals = {std::move(base.normals), {}};
  baked.mesh.tangents = std::move(base.tangents);
  baked.clips = {{clip.name, {}}};
  if (keys.size() > 1) baked.clips.front().channels.emplace_back(fades(key_times));

  MorphReport& report = result.report;
  const double percent = box > 0 ? 100 / box : 0;
  report.clip = clip.name;
  report.vertices = vertices;
  report.targets = baked.mesh.shapes.size();
  report.moments = times.size();
  report.bound = options.max_error_percent;
  report.max_error_percent = percent * std::sqrt(chosen.error.largest_square);
  report.rms_error =
      percent * std::sqrt(chosen.error.squares / (double(vertices) * double(times.size())));
  if (!is_within_bound(report)) {
    report.remedy =
        options.frames_per_second ? "it takes more frames per second" : "the clip jumps somewhere";
  }
  return result;
}

CachedClip bake_cache(const Rig& rig, const Clip& clip, const Method& method,
                      double frames_per_second, const Progress& progress,
                      const StateOptions& states) {
  check(rig);
  CachedClip result;
  result.times = frame_times(clip, frames_per_second);
  check_size(double(rig.mesh.vertex_count() * sizeof(Vec3f)) * double(result.times.size()),
             "take fewer frames per second");
  ClipFrames frames(rig, clip, method, {}, states);
  for (const double time : result.times) {
    progress.report("deforming", time / (result.times.back() + 1e-9));
    for (const Vec3& p : frames.at(time).positions) result.positions.push_back(to_single(p));
  }
  return result;
}

}  // namespace sinew
