// SPDX-License-Identifier: Apache-2.0
// sinew_dump bakes|rewritten|gpu FOLDER, sinew_dump rig FILE: what tests by other software read.
// One program, as most of the time to compile it goes into what all of its files include.
#include <array>
#include <cstdio>
#include <exception>
#include <string_view>
#include <utility>

#include "tests/dump/dump.h"

int main(int count, char** arguments) {
  constexpr std::array<std::pair<std::string_view, void (*)(const std::filesystem::path&)>, 4>
      dumps = {{{"bakes", sinew::dump_bakes},
                {"rewritten", sinew::dump_rewritten},
                {"rig", sinew::dump_rig},
                {"gpu", sinew::dump_gpu_cases}}};
  for (const auto& [name, dump] : dumps) {
    if (count != 3 || name != arguments[1]) continue;
    try {
      dump(arguments[2]);
      return 0;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "sinew_dump: %s\n", error.what());
      return 3;
    }
  }
  std::fputs("usage: sinew_dump bakes|rewritten|gpu FOLDER, or sinew_dump rig FILE\n", stderr);
  return 2;
}
