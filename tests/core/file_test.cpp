// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/file.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test, removed afterwards.
class File : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::temp_directory_path() / ("sinew-file-" + std::to_string(::getpid()) + "-" +
                                     testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

// While it lives, no file can be written past the given size, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const FileError& e) {
    return e.what();
  }
  return "no error";
}

TEST_F(File, bytes_come_back_as_they_were) {
  std::string bytes(200001, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  for (const std::string& content : {bytes, std::string(), std::string("\r\n\x1a")}) {
    write_file(folder_ / "f", content);
    EXPECT_EQ(read_file(folder_ / "f"), content);
  }
  EXPECT_EQ(entries(), 1u);
}

TEST_F(File, failed_write_leaves_the_old_file_and_nothing_else) {
  write_file(folder_ / "f", "old");
  std::string message;
  {
    const FullDisk disk(1000);
    message = message_of([&] { write_file(folder_ / "f", std::string(5000, 'x')); });
  }
  EXPECT_NE(message.find("cannot be written"), std::string::npos) << message;
  EXPECT_EQ(read_file(folder_ / "f"), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(File, folder_is_neither_read_nor_replaced) {
  EXPECT_EQ(message_of([&] { read_file(folder_); }),
            folder_.string() + ": is a folder, not a file");
  fs::create_directory(folder_ / "sub");
  EXPECT_EQ(message_of([&] { write_file(folder_ / "sub", "x"); }),
            (folder_ / "sub").string() + ": is not an ordinary file and is not replaced");
  EXPECT_TRUE(fs::is_directory(folder_ / "sub"));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(File, missing_file_and_folder_are_named) {
  const fs::path missing = folder_ / "none" / "f";
  for (const std::string& message :
       {message_of([&] { read_file(missing); }), message_of([&] { write_file(missing, "x"); })}) {
    EXPECT_EQ(message.find(missing.string()), 0u) << message;
    EXPECT_NE(message.find("No such file or directory"), std::string::npos) << message;
  }
}

TEST_F(File, link_stays_a_link_and_its_target_is_replaced) {
  write_file(folder_ / "target", "old");
  fs::create_symlink(folder_ / "target", folder_ / "link");
  write_file(folder_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read_file(folder_ / "target"), "new");
}

TEST_F(File, replaced_file_keeps_its_permissions) {
  write_file(folder_ / "f", "old");
  const auto mine = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(folder_ / "f", mine);
  write_file(folder_ / "f", "new");
  EXPECT_EQ(fs::status(folder_ / "f").permissions(), mine);
}

TEST_F(File, writers_of_the_same_file_do_not_mix) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&, i] {
      for (int round = 0; round < 50; ++round) {
        EXPECT_NO_THROW(write_file(folder_ / "f", std::string(100000, static_cast<char>('a' + i))));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string bytes = read_file(folder_ / "f");
  EXPECT_EQ(bytes, std::string(100000, bytes.at(0)));
  EXPECT_EQ(entries(), 1u);
}

}  // namespace
}  // namespace sinew
