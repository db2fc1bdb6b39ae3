#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which names docs/api/make_pages.py refuses, and which comments it finds: on a header made for it."""
import subprocess
import sys
from pathlib import Path

HEADER = """// SPDX-License-Identifier: Apache-2.0
// A header.
#pragma once

namespace sinew {

// Explained, with its members.
struct Good {
  int plain = 0;
  friend bool operator==(const Good&, const Good&) = default;
};
// And what makes it.
Good make_good(int a = 1'000, Good b = {});
Good make_better();

struct Bad {
  int mute = 0;
  int told = 0;  // by a remark
                 // of two lines
};

// Not about what follows.

void lost();

// Values on one line.
enum class Short { one, two };
// Values on several.
enum class Long {
  said,  // this one
  unsaid,
};

using Mute = Good;

// Has all of them.
class Thing {
 public:
  Thing();
  ~Thing();
  Thing(Thing&&) noexcept;
  // From a number.
  explicit Thing(int n);
  explicit Thing(const char* text);

  int count() const {
    // Not a comment on anything.
    return n_;
  }

 private:
  int hidden() const;
  int n_ = 0;
};

// A first number < 2 & "quoted // text".
inline constexpr int first = 1;
inline constexpr int second = 2;

}  // namespace sinew
"""
EXPECTED = {"Bad", "Bad::mute", "lost", "Long::unsaid", "Mute", "Thing::count"}


def main():
    folder = Path(sys.argv[1])
    header = folder / "sinew" / "core" / "thing.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    script = Path(__file__).resolve().parents[2] / "docs" / "api" / "make_pages.py"

    def refused(text):
        header.write_text(text)
        done = subprocess.run([script, folder / "pages", folder / "sinew"], capture_output=True, text=True, check=False)
        lines = [line.split() for line in done.stdout.splitlines() if line.endswith(" has no comment")]
        return done, {words[1].removeprefix("sinew::") for words in lines}

    done, names = refused(HEADER)
    assert done.returncode == 1 and names == EXPECTED, f"{names ^ EXPECTED}\n{done.stdout}{done.stderr}"
    page = (folder / "pages" / "html" / "structsinew_1_1Bad.html").read_text()
    assert "by a remark of two lines" in page, page
    begin, end = HEADER.split("struct Bad")[0], "}  // namespace sinew\n"
    done, names = refused(begin + end)
    assert done.returncode == 0 and not names, done.stdout + done.stderr


if __name__ == "__main__":
    main()
