// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/tgf.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/text.h"
#include "sinew/io/detail/mesh_text.h"

namespace sinew {
namespace {

// A separator's line goes by its first word, as some programs write "# edges".
bool at_separator(const text::Reader& in) {
  text::Reader ahead = in;
  return ahead.word().starts_with('#');
}

// Whether what follows a point's coordinates is a name: no further column of numbers, no comment.
bool is_name(std::string_view text) {
  const std::string_view first = text.substr(0, text.find_first_of(" \t"));
  const bool is_plain = std::all_of(text.begin(), text.end(),
                                    [](char c) { return static_cast<unsigned char>(c) >= ' '; });
  return !first.empty() && first.front() != '#' && !text::parse_number(first) && is_plain &&
         text.back() != ' ';
}

Skeleton read_points(std::string_view bytes, std::size_t fewest_coordinates) {
  text::Reader in(bytes, {.comment = '\0'});
  std::vector<Vec3> points;
  std::vector<std::string> names;
  std::unordered_map<std::int64_t, int> point_of;
  bool more = in.next_line();
  for (; more && !at_separator(in); more = in.next_line()) {
    const std::int64_t number = in.integer("a joint's number");
    if (!point_of.emplace(number, static_cast<int>(points.size())).second) {
      in.fail(fmt::format("joint {} is listed twice", number));
    }
    Vec3 p;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string_view word = in.word();
      if (i >= fewest_coordinates && word.empty()) break;
      const auto value = text::parse_number(word);
      if (!value) {
        in.fail(fmt::format("joint {} should have {} finite coordinates, not {}", number,
                            fewest_coordinates == 3 ? "three" : "two or three",
                            text::quoted(word)));
      }
      p[i] = *value;
    }
    points.push_back(p);
    const std::string_view rest = in.rest_of_line();
    names.emplace_back(is_name(rest) ? rest : std::string_view());
  }
  if (!more) in.fail("there should be a line '#' between joints and bones");
  in.word();

  std::vector<std::array<int, 2>> segments;
  for (more = in.next_line(); more && !at_separator(in); more = in.next_line()) {
    std::array<int, 2> segment{};
    for (int& end : segment) {
      const std::string_view word = in.word();
      const auto number = text::parse_integer(word);
      const auto found = number ? point_of.find(*number) : point_of.end();
      if (found == point_of.end()) {
        in.fail(fmt::format("a bone should have the numbers of two joints, not {}",
                            text::quoted(word)));
      }
      end = found->second;
    }
    if (!has_length(points[segment[0]], points[segment[1]])) {
      in.fail("the bone's two joints are at the same place: remove it");
    }
    segments.push_back(segment);
  }
  Skeleton skeleton = skeleton_from_segments(points, segments);
  for (std::size_t j = 0; j < names.size(); ++j) skeleton.joints[j].name = std::move(names[j]);
  validate(skeleton);
  return skeleton;
}

}  // namespace

Skeleton read_tgf(std::string_view text) { return read_points(text, 3); }

Skeleton read_plane_tgf(std::string_view text) { return read_points(text, 2); }

std::string write_tgf(const Skeleton& skeleton) {
  const std::vector<Affine> globals = rest_globals(skeleton);
  std::vector<Vec3> points;
  points.reserve(globals.size());
  for (const Affine& global : globals) points.push_back(global.translation);
  for (const Bone& bone : skeleton.bones) {
    if (bone.tail_joint != no_joint) {
      points[bone.tail_joint] = bone.tail;
    }
  }
  for (const Bone& bone : skeleton.bones) points[bone.joint] = bone.head;

  // The joint's number if that is where the bone ends, otherwise one more point's.
  const auto point_at = [&](int joint, const Vec3& place) {
    const std::size_t index = joint;
    if (joint != no_joint && points[index] == place) return index + 1;
    points.push_back(place);
    return points.size();
  };
  std::string bones;
  for (const Bone& bone : skeleton.bones) {
    const std::size_t head = point_at(bone.joint, bone.head);
    const std::size_t tail = point_at(bone.tail_joint, bone.tail);
    fmt::format_to(std::back_inserter(bones), "{} {}\n", head, tail);
  }
  std::string out;
  for (std::size_t i = 0; i < points.size(); ++i) {
    text::append_integer(out, i + 1);
    out += ' ';
    const bool is_named = i < skeleton.joints.size() && is_name(skeleton.joints[i].name);
    text::append_numbers(out, points[i], is_named ? ' ' : '\n');
    if (is_named) out += skeleton.joints[i].name + '\n';
  }
  return out + "#\n" + bones + "#\n";
}

}  // namespace sinew
