// SPDX-License-Identifier: Apache-2.0
#include "sinew/puppet/sample_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/math.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// The drawing is laid out on 1024 x 1024.
constexpr double layout_size = 1024;

constexpr std::array<SampleInfo, 1> pictures{
    {{"dancer", "a drawing to bring to life: long arms that cross its body, 16 bones, a motion"}}};

struct Color {
  double r, g, b;
};

Color mix(const Color& a, const Color& b, double t) {
  return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

constexpr Color ink{38, 30, 46}, skin{250, 196, 140}, shirt{222, 84, 76}, stripe{250, 232, 214},
    trousers{74, 102, 158}, boot{92, 62, 54}, hair{120, 66, 46}, white{255, 255, 255};

// A disc that grows or shrinks on its way from a to b.
struct Limb {
  Vec2 a, b;
  double radius_a, radius_b;
};

struct Nearest {
  double distance;  // negative inside
  double along;     // in pixels of the layout, from a
};

Nearest nearest(const Limb& limb, const Vec2& p) {
  const Vec2 axis = limb.b - limb.a, d = p - limb.a;
  const double length = math::hypot(axis.x, axis.y);
  const double t =
      length > 0 ? std::clamp((d.x * axis.x + d.y * axis.y) / (length * length), 0.0, 1.0) : 0;
  const Vec2 off = d - axis * t;
  return {math::hypot(off.x, off.y) - (limb.radius_a + (limb.radius_b - limb.radius_a) * t),
          t * length};
}

// Limbs that flow into one another, with one outline around them all.
struct Shape {
  std::vector<Limb> limbs;
  Color color;
  double outline = 7;  // its width; 0: none
  // Stripes across the limbs, so many of the layout's pixels wide; 0: none.
  double stripes = 0;
};

class Painter {
 public:
  explicit Painter(int size)
      : image_(size, size, {0, 0, 0, 0}), scale_(size / layout_size), size_(size) {}

  void paint(const Shape& shape) {
    double low_x = layout_size, low_y = layout_size, high_x = 0, high_y = 0;
    for (const Limb& limb : shape.limbs) {
      const double r = std::max(limb.radius_a, limb.radius_b) + shape.outline + 2 / scale_;
      low_x = std::min({low_x, limb.a.x - r, limb.b.x - r});
      low_y = std::min({low_y, limb.a.y - r, limb.b.y - r});
      high_x = std::max({high_x, limb.a.x + r, limb.b.x + r});
      high_y = std::max({high_y, limb.a.y + r, limb.b.y + r});
    }
    const auto pixel = [&](double x) {
      return std::clamp(static_cast<int>(x * scale_), 0, size_ - 1);
    };
    const int top = pixel(low_y), left = pixel(low_x), right = pixel(high_x);
    const std::size_t rows = pixel(high_y) - top + 1;
    parallel_for(rows, 16, [&](std::size_t begin, std::size_t end) {
      for (int y = top + static_cast<int>(begin); y < top + static_cast<int>(end); ++y) {
        for (int x = left; x <= right; ++x) {
          paint(shape, image_.at(x, y), {(x + 0.5) / scale_, (y + 0.5) / scale_});
        }
      }
    });
  }

  Image take() { return std::move(image_); }

 private:
  // How much of a pixel lies within a distance.
  double coverage(double distance) const { return std::clamp(0.5 - distance * scale_, 0.0, 1.0); }

  void paint(const Shape& shape, Pixel& pixel, const Vec2& p) const {
    Nearest best{1e9, 0};
    for (const Limb& limb : shape.limbs) {
      const Nearest here = nearest(limb, p);
      if (here.distance < best.distance) best = here;
    }
    const double alpha = coverage(best.distance - shape.outline / 2);
    if (alpha <= 0) return;
    Color color = shape.color;
    if (shape.stripes > 0) {
      const double phase = std::fmod(best.along, 2 * shape.stripes) - shape.stripes;
      const double edge = std::min(std::abs(phase), shape.stripes - std::abs(phase));
      color = mix(color, stripe, coverage(phase < 0 ? edge : -edge));
    }
    // Rounder: darker towards the edge.
    color = mix(color, ink, 0.22 * std::clamp(1 + best.distance / 34, 0.0, 1.0));
    if (shape.outline > 0) color = mix(ink, color, coverage(best.distance + shape.outline / 2));
    lay(pixel, color, alpha);
  }

  static void lay(Pixel& pixel, const Color& color, double alpha) {
    const double below = pixel.a / 255.0 * (1 - alpha), sum = alpha + below;
    const auto byte = [](double x) {
      return static_cast<std::uint8_t>(std::clamp(x + 0.5, 0.0, 255.0));
    };
    pixel = {byte((color.r * alpha + pixel.r * below) / sum),
             byte((color.g * alpha + pixel.g * below) / sum),
             byte((color.b * alpha + pixel.b * below) / sum), byte(255 * sum)};
  }

  Image image_;
  double scale_;
  int size_;
};

constexpr Vec2 hip{520, 640}, chest{512, 440}, crown{506, 180};
constexpr Vec2 shoulder_near{430, 420}, elbow_near{300, 520}, wrist_near{196, 636};
constexpr Vec2 shoulder_far{592, 418}, elbow_far{720, 372}, wrist_far{806, 262};
constexpr Vec2 thigh_near{474, 668}, knee_near{440, 790}, ankle_near{426, 905};
constexpr Vec2 thigh_far{566, 668}, knee_far{612, 784}, ankle_far{620, 905};
constexpr Vec2 temple{600, 206}, lock{640, 300};

Shape hand(const Vec2& wrist, const Vec2& way, const Vec2& side) {
  const Vec2 palm = wrist + way * 44;
  return {{{wrist, palm, 30, 46},
           {palm, palm + way * 40 + side * -34, 18, 15},
           {palm, palm + way * 56, 20, 16},
           {palm, palm + way * 42 + side * 32, 18, 15},
           {wrist + way * 14, wrist + way * 34 + side * 62, 16, 15}},
          skin};
}

Image draw_dancer(int size) {
  Painter painter(size);
  constexpr Vec2 down_left{-0.667, 0.745}, up_right{0.616, -0.788};
  painter.paint(hand(wrist_far, up_right, {-0.788, -0.616}));
  painter.paint(
      {{{shoulder_far, elbow_far, 38, 31}, {elbow_far, wrist_far, 31, 27}}, shirt, 7, 26});
  for (const auto& [thigh, knee, ankle] : {std::array{thigh_far, knee_far, ankle_far},
                                           std::array{thigh_near, knee_near, ankle_near}}) {
    const double way = thigh.x < hip.x ? -1 : 1;
    painter.paint({{{ankle, ankle + Vec2{0, 26}, 27, 30},
                    {ankle + Vec2{0, 30}, ankle + Vec2{58 * way, 38}, 32, 26}},
                   boot});
    painter.paint({{{thigh, knee, 50, 36}, {knee, ankle, 36, 27}}, trousers});
  }
  painter.paint({{{hip, hip, 66, 66}, {thigh_near, thigh_far, 48, 48}}, trousers});
  painter.paint(
      {{{chest, {516, 590}, 92, 74}, {shoulder_near, shoulder_far, 40, 40}}, shirt, 7, 26});
  painter.paint({{{{512, 330}, {512, 392}, 38, 38}}, skin});
  painter.paint({{{{556, 176}, {600, 216}, 44, 34}, {{600, 216}, lock, 34, 16}}, hair});
  painter.paint({{{{512, 250}, {512, 282}, 104, 92}}, skin});
  painter.paint({{{{430, 190}, {500, 150}, 34, 48}, {{500, 150}, {590, 178}, 48, 36}}, hair});
  for (const double x : {470.0, 552.0}) {
    painter.paint({{{{x, 258}, {x, 268}, 24, 24}}, white, 4});
    painter.paint({{{{x + 5, 266}, {x + 5, 266}, 11, 11}}, ink, 0});
  }
  for (int i = 0; i < 8; ++i) {
    const auto smile = [](int k) {
      const double angle = 0.55 + k * (3.14159 - 1.1) / 8;
      return Vec2{512 + 46 * math::cos(angle), 292 + 40 * math::sin(angle)};
    };
    painter.paint({{{smile(i), smile(i + 1), 5, 5}}, ink, 0});
  }
  painter.paint(hand(wrist_near, down_left, {0.745, 0.667}));
  painter.paint(
      {{{shoulder_near, elbow_near, 40, 33}, {elbow_near, wrist_near, 33, 28}}, shirt, 7, 26});
  return painter.take();
}

PictureBones dancer_bones(double scale) {
  PictureBones bones;
  bones.joints = {{"hip", hip},
                  {"chest", chest},
                  {"crown", crown},
                  {"shoulder_near", shoulder_near},
                  {"elbow_near", elbow_near},
                  {"wrist_near", wrist_near},
                  {"shoulder_far", shoulder_far},
                  {"elbow_far", elbow_far},
                  {"wrist_far", wrist_far},
                  {"thigh_near", thigh_near},
                  {"knee_near", knee_near},
                  {"ankle_near", ankle_near},
                  {"thigh_far", thigh_far},
                  {"knee_far", knee_far},
                  {"ankle_far", ankle_far},
                  {"temple", temple},
                  {"lock", lock}};
  for (PictureJoint& joint : bones.joints) joint.place = joint.place * scale;
  const auto add = [&](const char* name, std::string_view from, std::string_view to, double layer) {
    bones.bones.push_back({name, find_joint(bones, from), find_joint(bones, to), layer});
  };
  add("spine", "hip", "chest", 0);
  add("head", "chest", "crown", 1);
  add("collar_near", "chest", "shoulder_near", 0);
  add("upper_arm_near", "shoulder_near", "elbow_near", 2);
  add("forearm_near", "elbow_near", "wrist_near", 3);
  add("collar_far", "chest", "shoulder_far", 0);
  add("upper_arm_far", "shoulder_far", "elbow_far", -2);
  add("forearm_far", "elbow_far", "wrist_far", -3);
  add("pelvis_near", "hip", "thigh_near", 0);
  add("thigh_near", "thigh_near", "knee_near", -0.5);
  add("shin_near", "knee_near", "ankle_near", -0.5);
  add("pelvis_far", "hip", "thigh_far", 0);
  add("thigh_far", "thigh_far", "knee_far", -1);
  add("shin_far", "knee_far", "ankle_far", -1);
  add("temple", "crown", "temple", 1);
  add("lock", "temple", "lock", 0.5);
  return bones;
}

// The forearms between twice and half their length, an arm across the body, a step to the side.
PictureMotion dancer_motion(const PictureBones& bones, double scale) {
  PictureMotion motion;
  motion.name = "dance";
  motion.duration = 4;
  motion.joints.resize(bones.joints.size());
  const Easing ease = easing_from_name("in-out");
  const auto key = [&](std::string_view joint, double time, const Vec2& place) {
    motion.joints[find_joint(bones, joint)].push_back({time, place * scale, ease});
  };
  const auto along = [](const Vec2& from, const Vec2& to, double factor) {
    return from + (to - from) * factor;
  };
  key("hip", 0, hip);
  key("hip", 1, hip + Vec2{-30, 26});
  key("hip", 2, hip);
  key("hip", 3, hip + Vec2{34, 26});
  for (const auto& [name, place] :
       {std::pair{"ankle_near", ankle_near}, {"ankle_far", ankle_far}}) {
    key(name, 0, place);
  }
  key("knee_near", 0, knee_near);
  key("knee_near", 1, knee_near + Vec2{-36, 10});
  key("knee_near", 2, knee_near);
  key("knee_near", 3, knee_near + Vec2{20, 8});
  key("knee_far", 0, knee_far);
  key("knee_far", 1, knee_far + Vec2{-20, 8});
  key("knee_far", 2, knee_far);
  key("knee_far", 3, knee_far + Vec2{36, 10});
  key("crown", 0, crown);
  key("crown", 1, crown + Vec2{-66, 22});
  key("crown", 2, crown);
  key("crown", 3, crown + Vec2{70, 22});
  // Out to twice the forearm, in to half of it, then across the body.
  key("elbow_near", 0, elbow_near);
  key("elbow_near", 1, elbow_near + Vec2{-30, 20});
  key("elbow_near", 2, elbow_near + Vec2{8, 44});
  key("elbow_near", 2.5, {360, 570});
  key("elbow_near", 3, {420, 560});
  key("elbow_near", 3.5, {360, 560});
  key("wrist_near", 0, wrist_near);
  key("wrist_near", 1, along(elbow_near, wrist_near, 2) + Vec2{-30, 20});
  key("wrist_near", 2, along(elbow_near, wrist_near, 0.5) + Vec2{8, 44});
  key("wrist_near", 2.5, {370, 690});
  key("wrist_near", 3, {560, 500});
  key("wrist_near", 3.5, {370, 690});
  key("elbow_far", 0, elbow_far);
  key("elbow_far", 1, elbow_far + Vec2{-20, 40});
  key("elbow_far", 2, elbow_far + Vec2{6, -10});
  key("elbow_far", 3, elbow_far + Vec2{40, 30});
  key("wrist_far", 0, wrist_far);
  key("wrist_far", 1, along(elbow_far, wrist_far, 0.5) + Vec2{-20, 40});
  key("wrist_far", 2, along(elbow_far, wrist_far, 2) + Vec2{6, -10});
  key("wrist_far", 3, wrist_far + Vec2{80, 60});
  return motion;
}

}  // namespace

std::span<const SampleInfo> sample_picture_list() { return pictures; }

SamplePicture make_sample_picture(std::string_view name, int size) {
  if (name != pictures[0].name) {
    throw UsageError(
        fmt::format("there is no picture \"{}\"; there is {}", name, pictures[0].name));
  }
  if (size < 64 || size > 8192) throw UsageError("a picture is from 64 to 8192 pixels wide");
  const double scale = size / layout_size;
  SamplePicture sample;
  sample.image = draw_dancer(size);
  sample.bones = dancer_bones(scale);
  sample.motion = dancer_motion(sample.bones, scale);
  return sample;
}

}  // namespace sinew
