// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/math.h"
#include "sinew/deform/bone_state.h"

namespace sinew {
namespace {

// Ottosson's Oklab: steps of equal length look alike. x is lightness, y and z are green to red and
// blue to yellow.
Rgb from_oklab(const Vec3& lab) {
  const double l = lab.x + 0.3963377774 * lab.y + 0.2158037573 * lab.z;
  const double m = lab.x - 0.1055613458 * lab.y - 0.0638541728 * lab.z;
  const double s = lab.x - 0.0894841775 * lab.y - 1.2914855480 * lab.z;
  const double l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
  const auto channel = [](double value) { return static_cast<float>(std::clamp(value, 0.0, 1.0)); };
  return {channel(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
          channel(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
          channel(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3)};
}

Vec3 oklab(double lightness, double chroma, double hue_degrees) {
  const double hue = hue_degrees * std::numbers::pi / 180;
  return {lightness, chroma * math::cos(hue), chroma * math::sin(hue)};
}

const Vec3 pale = oklab(0.96, 0.005, 80), red = oklab(0.56, 0.22, 27);
const Vec3 blue = oklab(0.50, 0.15, 260), orange = oklab(0.72, 0.17, 55);
const Vec3 grey = oklab(0.74, 0, 0), middle = oklab(0.93, 0.01, 100);

double unit(double value) { return value > 0 ? std::min(value, 1.0) : 0; }

// Three rows of hues, of different lightness.
std::vector<Vec3> candidates() {
  std::vector<Vec3> colors;
  for (const auto& [lightness, chroma] : {std::pair{0.74, 0.135}, {0.60, 0.135}, {0.85, 0.10}}) {
    for (int i = 0; i < 10; ++i) colors.push_back(oklab(lightness, chroma, 25 + 36 * i));
  }
  return colors;
}

bool meet(const Bone& a, const Bone& b) {
  const double close = 0.02 * (distance(a.head, a.tail) + distance(b.head, b.tail));
  return distance(a.head, b.head) < close || distance(a.head, b.tail) < close ||
         distance(a.tail, b.head) < close || distance(a.tail, b.tail) < close;
}

// A bone's colour differs from those of so many before it at most: by then colours repeat, and more
// would make the time grow with the square of their number.
constexpr std::size_t most_compared = 1000;

bool has(std::span<const BoneIndex> bones, int bone) {
  return std::find(bones.begin(), bones.end(), bone) != bones.end();
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool parse_hex(std::string_view digits, Pixel& pixel) {
  std::array<int, 8> v{};
  if (digits.size() > v.size()) return false;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    v[i] = hex_digit(digits[i]);
    if (v[i] < 0) return false;
  }
  const auto byte = [](int high, int low) { return static_cast<std::uint8_t>(16 * high + low); };
  switch (digits.size()) {
    case 3:
      pixel = {byte(v[0], v[0]), byte(v[1], v[1]), byte(v[2], v[2]), 255};
      return true;
    case 6:
      pixel = {byte(v[0], v[1]), byte(v[2], v[3]), byte(v[4], v[5]), 255};
      return true;
    case 8:
      pixel = {byte(v[0], v[1]), byte(v[2], v[3]), byte(v[4], v[5]), byte(v[6], v[7])};
      return true;
    default:
      return false;
  }
}

constexpr std::array<std::pair<std::string_view, Pixel>, 10> named_colors{
    {{"white", {255, 255, 255, 255}},
     {"black", {0, 0, 0, 255}},
     {"grey", {128, 128, 128, 255}},
     {"gray", {128, 128, 128, 255}},
     {"red", {215, 48, 39, 255}},
     {"green", {60, 150, 80, 255}},
     {"blue", {50, 100, 190, 255}},
     {"yellow", {240, 200, 60, 255}},
     {"orange", {235, 130, 40, 255}},
     {"transparent", {0, 0, 0, 0}}}};

}  // namespace

Pixel color_from_name(std::string_view name) {
  for (const auto& [known, pixel] : named_colors) {
    if (known == name) return pixel;
  }
  Pixel pixel;
  if (!name.empty() && name[0] == '#' && parse_hex(name.substr(1), pixel)) return pixel;
  std::string all;
  for (const auto& [known, unused] : named_colors) all += fmt::format("{}, ", known);
  throw UsageError(
      fmt::format("there is no colour '{}'; there are {}#rgb, #rrggbb and #rrggbbaa", name, all));
}

Rgb weight_color(double weight) { return from_oklab(lerp(pale, red, unit(weight))); }

Rgb endpoint_color(double endpoint) {
  const double t = 2 * unit(endpoint) - 1;
  return from_oklab(lerp(middle, t < 0 ? blue : orange, std::fabs(t)));
}

std::vector<Rgb> bone_colors(const Skeleton& skeleton) {
  static const std::vector<Vec3> all = candidates();
  const std::vector<Bone>& bones = skeleton.bones;
  std::vector<int> used(all.size(), 0);
  std::vector<std::size_t> chosen;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    std::vector<bool> is_near(all.size(), false);  // the colours of those that it meets
    for (std::size_t other = b > most_compared ? b - most_compared : 0; other < b; ++other) {
      if (meet(bones[b], bones[other])) is_near[chosen[other]] = true;
    }
    std::size_t best = 0;
    double most = -INFINITY;
    for (std::size_t c = 0; c < all.size(); ++c) {
      // Far from the neighbours' colours first, then one that others do not have.
      double nearest = 0.25;
      for (std::size_t near = 0; near < all.size(); ++near) {
        if (is_near[near]) nearest = std::min(nearest, distance(all[c], all[near]));
      }
      const double score = nearest - 0.03 * used[c] - 1e-4 * static_cast<double>(c);
      if (score <= most) continue;
      most = score;
      best = c;
    }
    ++used[best];
    chosen.push_back(best);
  }
  std::vector<Rgb> colors;
  for (const std::size_t c : chosen) colors.push_back(from_oklab(all[c]));
  return colors;
}

std::vector<Rgb> weight_colors(const Weights& weights, std::span<const BoneIndex> bones) {
  std::vector<Rgb> colors;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    double weight = 0;
    for (const Influence& i : weights.row(v)) weight += has(bones, i.bone) ? i.weight : 0;
    colors.push_back(weight_color(weight));
  }
  return colors;
}

std::vector<Rgb> blended_colors(const Weights& weights, std::span<const Rgb> bones) {
  if (bones_used(weights) > bones.size()) {
    throw UsageError(fmt::format("{} colours for {} bones", bones.size(), bones_used(weights)));
  }
  std::vector<Rgb> colors;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    Rgb sum;
    double total = 0;
    for (const Influence& i : weights.row(v)) {
      sum += bones[i.bone] * static_cast<float>(i.weight);
      total += i.weight;
    }
    colors.push_back(total > 0 ? sum / static_cast<float>(total) : from_oklab(grey));
  }
  return colors;
}

std::vector<Rgb> endpoint_colors(const Weights& weights, std::span<const double> endpoints,
                                 std::span<const BoneIndex> bones) {
  if (endpoints.size() != weights.influences.size()) {
    throw UsageError(fmt::format("{} endpoint weights for {} influences", endpoints.size(),
                                 weights.influences.size()));
  }
  std::vector<Rgb> colors;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    double total = 0, mean = 0;
    for (std::size_t k = weights.offsets[v]; k < weights.offsets[v + 1]; ++k) {
      const Influence& i = weights.influences[k];
      if (!bones.empty() && !has(bones, i.bone)) continue;
      total += i.weight;
      mean += i.weight * endpoints[k];
    }
    const Rgb none = from_oklab(grey);
    const Rgb full = total > 0 ? endpoint_color(mean / total) : none;
    // Where the bone's weight is small, its endpoint weight hardly matters.
    colors.push_back(lerp(none, full, static_cast<float>(unit(4 * total))));
  }
  return colors;
}

std::vector<Vec4> striped_colors(const Mesh& mesh, const Skeleton& skeleton, const Weights& weights,
                                 std::span<const BoneIndex> bones, int count) {
  if (count < 1) throw UsageError(fmt::format("{} stripes: there is at least 1", count));
  validate(weights, mesh.vertex_count(), skeleton.bones.size());
  constexpr double sharpness = 3;
  const BoneTree tree = bone_tree(skeleton);
  std::vector<Vec3> along(skeleton.bones.size()), across(skeleton.bones.size());
  for (const int number : tree.order) {
    const std::size_t b = number;
    along[b] = normalized(skeleton.bones[b].tail - skeleton.bones[b].head);
    across[b] = any_perpendicular(along[b]);
    if (tree.parents[b] < 0) continue;
    const std::size_t p = tree.parents[b];
    across[b] = rotate(rotation_between(along[p], along[b]), across[p]);
  }
  std::vector<Vec4> colors = mesh.colors;
  if (colors.empty()) colors.assign(mesh.vertex_count(), {0.62, 0.50, 0.41, 1});
  for (std::size_t v = 0; v < colors.size(); ++v) {
    const int bone = dominant_bone(weights.row(v));
    if (bone < 0) continue;
    if (!bones.empty() && std::find(bones.begin(), bones.end(), bone) == bones.end()) continue;
    const std::size_t b = bone;
    const Vec3 p = mesh.positions[v] - skeleton.bones[b].head;
    const double around = math::atan2(dot(p, cross(along[b], across[b])), dot(p, across[b]));
    const double shade = 0.6 + 0.4 * math::tanh(sharpness * math::sin(count * around));
    colors[v] = {colors[v].x * shade, colors[v].y * shade, colors[v].z * shade, colors[v].w};
  }
  return colors;
}

}  // namespace sinew
