// SPDX-License-Identifier: Apache-2.0
// Several files that are written all or none.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace sinew {

// The file that is replaced when `path` is written: what a symbolic link leads to, even if there is
// no file yet. Throws FileError for a link that leads back to itself.
std::filesystem::path write_target(const std::filesystem::path& path);

// Everything is first written beside its target, to hidden files with short names of their own
// (".sinew-*.part"), and takes its place in commit(). What was not committed is removed by the
// destructor; what a killed process left is removed by the next one that writes to that folder.
// While files take their places, what they replace has a second name (".sinew-*.old").
// Errors are FileErrors that name the path as given.
class StagedFiles {
 public:
  StagedFiles();
  ~StagedFiles();
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;

  // An existing file keeps its permissions.
  void write(const std::filesystem::path& path, std::string_view bytes);
  // An empty file for another program to write to, which commit() puts in the place of `path`.
  std::filesystem::path reserve(const std::filesystem::path& path);
  // Removes the file in commit(), if it is still there.
  void erase(const std::filesystem::path& path);
  // Makes the folder and those it lies in, at once; the new ones go if nothing is committed.
  void make_folder(const std::filesystem::path& path);

  // Puts all files in their places. If one cannot be, those already replaced are put back.
  void commit();

  // For a program that is about to end at any moment of its work: removes what is staged, in all
  // objects, and lets no thread stage or commit anything from then on. A commit that has begun is
  // finished first.
  static void discard_all();
  // Whether a thread changes what is staged: one that calls discard_all() then waits for it, for
  // ever if it is that thread.
  static bool is_busy();

 private:
  struct File {
    std::filesystem::path path, target, temporary;
    std::filesystem::path old;  // a second name of what `target` was; empty: it did not exist
    int mode = -1;              // the permissions of what is replaced; below 0: nothing is
    bool placed = false;
  };
  struct Created {
    int descriptor;
    std::filesystem::path name;
  };

  Created create(const std::filesystem::path& path);
  void keep_old(File& file);
  void roll_back();
  void discard();

  std::vector<File> files_;
  std::vector<std::filesystem::path> erased_, folders_;
};

}  // namespace sinew
