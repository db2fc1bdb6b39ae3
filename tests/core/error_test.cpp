// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/error.h"

#include <gtest/gtest.h>

#include "tests/support/refusals.h"

namespace sinew {
namespace {

TEST(Error, message_reads_file_place_problem) {
  EXPECT_STREQ(InputError("line 12", "has no end").what(), "line 12: has no end");
  EXPECT_STREQ(InputError("a.obj", "line 12", "has no end").what(), "a.obj: line 12: has no end");
  EXPECT_STREQ(InputError("", "is empty").what(), "is empty");
  EXPECT_STREQ(InputError("a.obj", "", "is empty").what(), "a.obj: is empty");
}

TEST(Error, file_is_named_once) {
  const InputError inner = InputError("line 3", "is wrong").in_file("a.obj");
  EXPECT_STREQ(inner.what(), "a.obj: line 3: is wrong");
  EXPECT_STREQ(inner.in_file("b.json").what(), "a.obj: line 3: is wrong");
  EXPECT_EQ(inner.file(), "a.obj");
  EXPECT_EQ(inner.place(), "line 3");
  EXPECT_EQ(inner.problem(), "is wrong");
}

TEST(Error, all_kinds_are_errors) {
  EXPECT_EQ(refusal<Error>([] { throw UsageError("x"); }), "x");
  EXPECT_EQ(refusal<Error>([] { throw InputError("x", "y"); }), "x: y");
  EXPECT_EQ(refusal<Error>([] { throw FileError("x"); }), "x");
  EXPECT_EQ(refusal<Error>([] { throw Cancelled(); }), "cancelled");
}

}  // namespace
}  // namespace sinew
