// SPDX-License-Identifier: Apache-2.0
// Steps of editing: the first line is a step and its argument, each further line a modifier and its
// argument, and what follows an empty line is in the file that the step takes. Refused, or the rig
// is valid after it.
#include <optional>

#include "sinew/edit/edit.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/tube.h"

namespace {

using namespace sinew;

std::pair<std::string, std::string> word_and_argument(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return {std::string(line), ""};
  return {std::string(line.substr(0, space)), std::string(line.substr(space + 1))};
}

// The part before `mark`, which is taken off along with it.
std::string_view take_until(std::string_view& text, std::string_view mark) {
  const std::size_t end = text.find(mark);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + mark.size());
  return part;
}

// Given where a step takes a file, unless it may take a number instead.
StepContent content_of(const std::string& name, std::string_view bytes) {
  static const std::shared_ptr<const Rig> other =
      std::make_shared<const Rig>(make_tube({.rings = 4, .sides = 3}));
  for (const StepForm& form : step_forms()) {
    if (form.word.name != name) continue;
    if (form.word.content == ContentKind::json) return JsonText{std::string(bytes)};
    if (form.word.content == ContentKind::matrix && !bytes.empty()) return read_dmat(bytes);
    if (form.word.content == ContentKind::rig) return other;
  }
  return {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Rig rig = make_tube({.rings = 3, .sides = 3});
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::string_view lines = take_until(rest, "\n\n");
  StepText text;
  std::tie(text.name, text.argument) = word_and_argument(take_until(lines, "\n"));
  while (!lines.empty()) {
    text.modifiers.push_back(word_and_argument(take_until(lines, "\n")));
  }
  Rig edited = rig;
  try {
    text.content = content_of(text.name, rest);
    const EditStep step = parse_step(text);
    edit(edited, {&step, 1});
  } catch (const InputError& error) {
    require(!error.place().empty() || !error.file().empty(), "an error names its place");
  } catch (const UsageError& error) {
    require(error.what()[0] != 0, "an error has a message");
  } catch (const FileError& error) {
    require(error.what()[0] != 0, "an error has a message");
  }
  validate(edited);
  return 0;
}
