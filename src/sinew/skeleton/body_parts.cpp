// SPDX-License-Identifier: Apache-2.0
#include "sinew/skeleton/body_parts.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "sinew/skeleton/detail/letters.h"

namespace sinew {
namespace {

using detail::is_lower;
using detail::is_upper;

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

using Entry = std::pair<std::string_view, BodyPart>;

// Matches two words whether written apart or together, and listed plurals.
constexpr std::array dictionary = {
    Entry{"hand", BodyPart::end},         Entry{"wrist", BodyPart::end},
    Entry{"palm", BodyPart::end},         Entry{"paw", BodyPart::end},
    Entry{"foot", BodyPart::end},         Entry{"feet", BodyPart::end},
    Entry{"ankle", BodyPart::end},        Entry{"toe", BodyPart::end},
    Entry{"toes", BodyPart::end},         Entry{"toebase", BodyPart::end},
    Entry{"ball", BodyPart::end},         Entry{"hoof", BodyPart::end},
    Entry{"heel", BodyPart::end},         Entry{"head", BodyPart::end},
    Entry{"skull", BodyPart::end},        Entry{"jaw", BodyPart::end},
    Entry{"eye", BodyPart::end},          Entry{"hips", BodyPart::trunk},
    Entry{"pelvis", BodyPart::trunk},     Entry{"chest", BodyPart::trunk},
    Entry{"upperchest", BodyPart::trunk}, Entry{"ribcage", BodyPart::trunk},
    Entry{"thorax", BodyPart::trunk},     Entry{"spine", BodyPart::chain},
    Entry{"neck", BodyPart::chain},       Entry{"tail", BodyPart::chain},
    Entry{"tentacle", BodyPart::chain},   Entry{"tongue", BodyPart::chain},
    Entry{"trunk", BodyPart::chain},      Entry{"hair", BodyPart::chain},
    Entry{"rope", BodyPart::chain},       Entry{"thumb", BodyPart::chain},
    Entry{"index", BodyPart::chain},      Entry{"middle", BodyPart::chain},
    Entry{"ring", BodyPart::chain},       Entry{"pinky", BodyPart::chain},
    Entry{"pinkie", BodyPart::chain},     Entry{"little", BodyPart::chain},
    Entry{"finger", BodyPart::chain},     Entry{"shoulder", BodyPart::limb},
    Entry{"clavicle", BodyPart::limb},    Entry{"collar", BodyPart::limb},
    Entry{"arm", BodyPart::limb},         Entry{"upperarm", BodyPart::limb},
    Entry{"lowerarm", BodyPart::limb},    Entry{"forearm", BodyPart::limb},
    Entry{"uparm", BodyPart::limb},       Entry{"elbow", BodyPart::limb},
    Entry{"leg", BodyPart::limb},         Entry{"upperleg", BodyPart::limb},
    Entry{"lowerleg", BodyPart::limb},    Entry{"upleg", BodyPart::limb},
    Entry{"thigh", BodyPart::limb},       Entry{"shin", BodyPart::limb},
    Entry{"calf", BodyPart::limb},        Entry{"knee", BodyPart::limb},
    Entry{"twist", BodyPart::twist},      Entry{"roll", BodyPart::twist},
};

BodyPart look_up(std::string_view word) {
  const auto found = std::find_if(dictionary.begin(), dictionary.end(),
                                  [&](const Entry& entry) { return entry.first == word; });
  return found == dictionary.end() ? BodyPart::unknown : found->second;
}

}  // namespace

BodyPart body_part(std::string_view joint_name) {
  const std::vector<std::string> words = words_of(joint_name);
  std::vector<BodyPart> parts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    parts.push_back(look_up(words[i]));
    if (i + 1 < words.size()) parts.push_back(look_up(words[i] + words[i + 1]));
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

}  // namespace sinew
