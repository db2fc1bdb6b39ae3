// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/staged_files.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Staged : public testing::Test {
 protected:
  Staged()
      : folder_(fs::temp_directory_path() /
                ("sinew-staged-" + std::to_string(::getpid()) + "-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Staged() override { fs::remove_all(folder_); }

  long entries() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

TEST_F(Staged, nothing_is_seen_before_the_commit_and_all_after_it) {
  write_file(folder_ / "a", "old");
  {
    StagedFiles files;
    files.write(folder_ / "a", "new a");
    files.write(folder_ / "b", "new b");
    EXPECT_EQ(read_file(folder_ / "a"), "old");
    EXPECT_FALSE(fs::exists(folder_ / "b"));
    files.commit();
  }
  EXPECT_EQ(read_file(folder_ / "a"), "new a");
  EXPECT_EQ(read_file(folder_ / "b"), "new b");
  EXPECT_EQ(entries(), 2);
}

TEST_F(Staged, without_a_commit_all_is_as_it_was) {
  write_file(folder_ / "a", "old");
  {
    StagedFiles files;
    files.write(folder_ / "a", "new");
    files.make_folder(folder_ / "x" / "y");
    files.write(folder_ / "x" / "y" / "b", "new");
    files.erase(folder_ / "a");
  }
  EXPECT_EQ(read_file(folder_ / "a"), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Staged, a_file_that_cannot_take_its_place_takes_the_others_back) {
  write_file(folder_ / "a", "old");
  StagedFiles files;
  files.write(folder_ / "a", "new");
  files.write(folder_ / "b", "new");
  files.write(folder_ / "c", "new");
  fs::create_directory(folder_ / "c");  // in the meantime
  EXPECT_NE(refusal<FileError>([&] { files.commit(); }).find("/c: cannot be written: "),
            std::string::npos);
  EXPECT_EQ(read_file(folder_ / "a"), "old");
  EXPECT_FALSE(fs::exists(folder_ / "b"));
}

TEST_F(Staged, a_link_to_a_file_that_is_not_there_yet_is_followed) {
  fs::create_symlink("second", folder_ / "first");
  fs::create_symlink("file", folder_ / "second");
  write_file(folder_ / "first", "text");
  EXPECT_TRUE(fs::is_symlink(folder_ / "first"));
  EXPECT_EQ(read_file(folder_ / "file"), "text");
  fs::create_symlink("round", folder_ / "round");
  EXPECT_NE(refusal<FileError>([&] {
              write_file(folder_ / "round", "text");
            }).find("round: cannot be written: "),
            std::string::npos);
}

TEST_F(Staged, names_as_long_as_the_system_has_them) {
  const fs::path longest = folder_ / std::string(255, 'n');
  write_file(longest, "text");
  EXPECT_EQ(read_file(longest), "text");
  const fs::path longer = folder_ / std::string(256, 'n');
  EXPECT_NE(refusal<FileError>([&] { write_file(longer, "text"); }).find(": cannot be written: "),
            std::string::npos);
  EXPECT_EQ(refusal<FileError>([] { write_file("", "text"); }),
            "a file without a name cannot be written");
  EXPECT_EQ(entries(), 1);
}

// What is left in the folder is hidden, and gone after the next process has written there.
TEST_F(Staged, what_a_killed_process_left_is_removed_by_the_next) {
  write_file(folder_ / "other.part", "of somebody else");
  const pid_t child = ::fork();
  if (child == 0) {
    auto* files = new StagedFiles;
    files->write(folder_ / "a", "half");
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  ASSERT_EQ(entries(), 2);
  fs::path left;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (entry.path().filename() != "other.part") left = entry.path();
  }
  EXPECT_TRUE(left.filename().string().starts_with(".sinew-"));
  // This process has looked through the folder already; the next has not.
  const pid_t next = ::fork();
  if (next == 0) {
    fs::rename(folder_, folder_.string() + "-moved");
    write_file(folder_.string() + "-moved/b", "whole");
    fs::rename(folder_.string() + "-moved", folder_);
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(next, nullptr, 0), next);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(folder_ / "other.part"));
  EXPECT_EQ(read_file(folder_ / "b"), "whole");
}

}  // namespace
}  // namespace sinew
