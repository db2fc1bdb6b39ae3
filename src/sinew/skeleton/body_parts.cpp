// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/body_parts.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sinew/skeleton/detail/letters.h"

namespace sinew {
namespace {

using detail::is_lower;
using detail::is_upper;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "mixamorig:LeftForeArm" has the words mixamorig, left, fore, arm.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool begins = is_upper(c) && i > 0 &&
                        (is_lower(name[i - 1]) || (i + 1 < name.size() && is_lower(name[i + 1])));
    if (begins || !(is_upper(c) || is_lower(c))) end_word();
    if (is_upper(c)) word += static_cast<char>(c - 'A' + 'a');
    if (is_lower(c)) word += c;
  }
  end_word();
  return words;
}

struct Entry {
  std::string_view word;
  BodyPart kind = BodyPart::unknown;
  HumanPart part = HumanPart::unknown;
  bool excludes = false;  // whatever else is in the name, no part of a human body moves with it
};

constexpr Entry other(std::string_view word, BodyPart kind = BodyPart::unknown) {
  return {word, kind, HumanPart::unknown, true};
}

// Matches two words whether written apart or together, and listed plurals.
constexpr std::array dictionary = {
    Entry{"hand", BodyPart::end, HumanPart::hand},
    Entry{"wrist", BodyPart::end, HumanPart::hand},
    Entry{"foot", BodyPart::end, HumanPart::foot},
    Entry{"feet", BodyPart::end, HumanPart::foot},
    Entry{"ankle", BodyPart::end, HumanPart::foot},
    Entry{"toe", BodyPart::end, HumanPart::toes},
    Entry{"toes", BodyPart::end, HumanPart::toes},
    Entry{"toebase", BodyPart::end, HumanPart::toes},
    Entry{"ball", BodyPart::end, HumanPart::toes},
    Entry{"head", BodyPart::end, HumanPart::head},
    Entry{"skull", BodyPart::end, HumanPart::head},
    Entry{"hips", BodyPart::trunk, HumanPart::hips},
    Entry{"pelvis", BodyPart::trunk, HumanPart::hips},
    Entry{"hip", BodyPart::unknown, HumanPart::hip},
    Entry{"chest", BodyPart::trunk, HumanPart::spine},
    Entry{"upperchest", BodyPart::trunk, HumanPart::spine},
    Entry{"ribcage", BodyPart::trunk, HumanPart::spine},
    Entry{"thorax", BodyPart::trunk, HumanPart::spine},
    Entry{"torso", BodyPart::unknown, HumanPart::spine},
    Entry{"spine", BodyPart::chain, HumanPart::spine},
    Entry{"abdomen", BodyPart::chain, HumanPart::spine},
    Entry{"waist", BodyPart::chain, HumanPart::spine},
    Entry{"lowerback", BodyPart::chain, HumanPart::spine},
    Entry{"upperback", BodyPart::chain, HumanPart::spine},
    Entry{"neck", BodyPart::chain, HumanPart::neck},
    Entry{"lowerneck", BodyPart::chain, HumanPart::neck},
    Entry{"upperneck", BodyPart::chain, HumanPart::neck},
    Entry{"thumb", BodyPart::chain, HumanPart::thumb},
    Entry{"index", BodyPart::chain, HumanPart::index},
    Entry{"middle", BodyPart::chain, HumanPart::middle},
    Entry{"mid", BodyPart::unknown, HumanPart::middle},
    Entry{"ring", BodyPart::chain, HumanPart::ring},
    Entry{"pinky", BodyPart::chain, HumanPart::little},
    Entry{"pinkie", BodyPart::chain, HumanPart::little},
    Entry{"little", BodyPart::chain, HumanPart::little},
    Entry{"shoulder", BodyPart::limb, HumanPart::shoulder},
    Entry{"shldr", BodyPart::limb, HumanPart::shoulder},
    Entry{"clavicle", BodyPart::limb, HumanPart::clavicle},
    Entry{"collar", BodyPart::limb, HumanPart::clavicle},
    Entry{"arm", BodyPart::limb, HumanPart::arm},
    Entry{"upperarm", BodyPart::limb, HumanPart::upper_arm},
    Entry{"armupper", BodyPart::limb, HumanPart::upper_arm},
    Entry{"uparm", BodyPart::limb, HumanPart::upper_arm},
    Entry{"humerus", BodyPart::limb, HumanPart::upper_arm},
    Entry{"lowerarm", BodyPart::limb, HumanPart::forearm},
    Entry{"armlower", BodyPart::limb, HumanPart::forearm},
    Entry{"forearm", BodyPart::limb, HumanPart::forearm},
    Entry{"elbow", BodyPart::limb, HumanPart::forearm},
    Entry{"radius", BodyPart::limb, HumanPart::forearm},
    Entry{"leg", BodyPart::limb, HumanPart::leg},
    Entry{"upperleg", BodyPart::limb, HumanPart::thigh},
    Entry{"legupper", BodyPart::limb, HumanPart::thigh},
    Entry{"upleg", BodyPart::limb, HumanPart::thigh},
    Entry{"thigh", BodyPart::limb, HumanPart::thigh},
    Entry{"femur", BodyPart::limb, HumanPart::thigh},
    Entry{"lowerleg", BodyPart::limb, HumanPart::shin},
    Entry{"leglower", BodyPart::limb, HumanPart::shin},
    Entry{"lowleg", BodyPart::limb, HumanPart::shin},
    Entry{"shin", BodyPart::limb, HumanPart::shin},
    Entry{"calf", BodyPart::limb, HumanPart::shin},
    Entry{"knee", BodyPart::limb, HumanPart::shin},
    Entry{"tibia", BodyPart::limb, HumanPart::shin},
    Entry{"finger", BodyPart::chain},
    Entry{"paw", BodyPart::end},
    Entry{"hoof", BodyPart::end},
    Entry{"heel", BodyPart::end},
    Entry{"tentacle", BodyPart::chain},
    Entry{"trunk", BodyPart::chain},
    Entry{"rope", BodyPart::chain},
    other("palm", BodyPart::end),
    other("jaw", BodyPart::end),
    other("eye", BodyPart::end),
    other("tail", BodyPart::chain),
    other("tongue", BodyPart::chain),
    other("hair", BodyPart::chain),
    other("twist", BodyPart::twist),
    other("roll", BodyPart::twist),
    other("ear"),
    other("brow"),
    other("lip"),
    other("breast"),
    other("bust"),
    other("skirt"),
    other("cloth"),
    other("muscle"),
    other("biceps"),
    other("kneecap"),
    other("metacarpal"),
    other("carpal"),
    other("inhand"),
    other("hipjoint"),
    other("end"),
    other("nub"),
    other("tip"),
    other("top"),
    other("site"),
    other("ik"),
    other("pole"),
    other("target"),
    other("mch"),
    other("org"),
    other("corrective"),
};

const Entry* look_up(std::string_view word) {
  const auto found = std::find_if(dictionary.begin(), dictionary.end(),
                                  [&](const Entry& entry) { return entry.word == word; });
  return found == dictionary.end() ? nullptr : &*found;
}

BodySide side_of(std::string_view word) {
  if (word == "l" || word == "left" || word == "lft") return BodySide::left;
  if (word == "r" || word == "right" || word == "rgt") return BodySide::right;
  return BodySide::none;
}

struct Found {
  const Entry* entry = nullptr;
  BodySide side = BodySide::none;  // stuck to the word
};

// The word itself or, if it means nothing, what is left of it without its side.
Found look_up_with_side(std::string_view word) {
  if (const Entry* entry = look_up(word)) return {entry};
  for (const std::string_view side : {"left", "right", "l", "r"}) {
    if (word.starts_with(side)) {
      if (const Entry* entry = look_up(word.substr(side.size()))) return {entry, side_of(side)};
    }
    if (side.size() > 1 && word.ends_with(side)) {
      const Entry* entry = look_up(word.substr(0, word.size() - side.size()));
      if (entry != nullptr) return {entry, side_of(side)};
    }
  }
  return {};
}

bool is_finger(HumanPart part) { return part >= HumanPart::thumb && part <= HumanPart::little; }

// "Bip01 L Finger12" is the second part of the index finger.
HumanPart biped_finger(std::string_view name) {
  constexpr std::array fingers = {HumanPart::thumb, HumanPart::index, HumanPart::middle,
                                  HumanPart::ring, HumanPart::little};
  const std::size_t at = name.find("Finger");
  if (!name.starts_with("Bip") || at == std::string_view::npos || at + 6 >= name.size()) {
    return HumanPart::unknown;
  }
  const char digit = name[at + 6];
  if (!is_digit(digit) || digit - '0' >= static_cast<int>(fingers.size())) {
    return HumanPart::unknown;
  }
  return fingers[digit - '0'];
}

}  // namespace

BodyPart body_part(std::string_view joint_name) {
  const std::vector<std::string> words = words_of(joint_name);
  std::vector<BodyPart> parts;
  const auto add = [&](std::string_view word) {
    const Entry* entry = look_up_with_side(word).entry;
    parts.push_back(entry == nullptr ? BodyPart::unknown : entry->kind);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    add(words[i]);
    if (i + 1 < words.size()) add(words[i] + words[i + 1]);
  }
  const auto has = [&](BodyPart part) {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  };
  // hand_index_1 is a finger, forearm_twist a helper, hand_roll as well.
  for (const BodyPart part :
       {BodyPart::twist, BodyPart::chain, BodyPart::limb, BodyPart::end, BodyPart::trunk}) {
    if (has(part)) return part;
  }
  return BodyPart::unknown;
}

NamedPart named_part(std::string_view joint_name) {
  const std::vector<std::string> words = words_of(joint_name);
  std::vector<HumanPart> parts;
  bool left = false, right = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    Found found;
    // Two words that mean something together do not count one by one.
    if (i + 1 < words.size()) found = look_up_with_side(words[i] + words[i + 1]);
    const bool is_pair = found.entry != nullptr && side_of(words[i]) == BodySide::none &&
                         side_of(words[i + 1]) == BodySide::none;
    if (!is_pair) found = look_up_with_side(words[i]);
    const BodySide side = found.entry != nullptr ? found.side : side_of(words[i]);
    left = left || side == BodySide::left;
    right = right || side == BodySide::right;
    if (is_pair) ++i;
    if (found.entry == nullptr) continue;
    if (found.entry->excludes) return {};
    if (found.entry->part != HumanPart::unknown) parts.push_back(found.entry->part);
  }
  if (const HumanPart finger = biped_finger(joint_name); finger != HumanPart::unknown) {
    parts.push_back(finger);
  }
  NamedPart result;
  if (left != right) result.side = left ? BodySide::left : BodySide::right;
  if (parts.empty()) return result;
  // LeftHandIndex1 is a finger; spine_middle is not.
  const auto finger = std::find_if(parts.begin(), parts.end(), is_finger);
  const auto body = std::find_if(parts.begin(), parts.end(), [](HumanPart part) {
    return !is_finger(part) && part != HumanPart::hand;
  });
  if (body != parts.end()) {
    result.part = *body;
  } else {
    result.part = finger != parts.end() ? *finger : parts.front();
  }
  const bool has_side = result.side != BodySide::none;
  // DEF-pelvis.L is a helper beside the hips.
  if (result.part == HumanPart::hips && has_side) result.part = HumanPart::unknown;
  if (result.part == HumanPart::hip && !has_side) result.part = HumanPart::hips;
  return result;
}

}  // namespace sinew
