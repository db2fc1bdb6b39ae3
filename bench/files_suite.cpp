// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "bench.h"
#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/core/parallel.h"
#include "sinew/io/io.h"
#include "sinew/samples/samples.h"

namespace sinew::bench {
namespace {

namespace fs = std::filesystem;

// An empty folder for the time that it lives.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("sinew-bench-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code nobody_asks;
    fs::remove_all(path_, nobody_asks);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path operator/(std::string_view name) const { return path_ / name; }

 private:
  fs::path path_;
};

// Measures what is done to a file; `made` are bytes to compare with those of other versions.
// Returns the seconds that it took; `copy_seconds` are those of copying the same file.
double measure(std::string_view name, const fs::path& file, double copy_seconds,
               const std::function<void()>& body, const fs::path& made) {
  reset_peak_memory();
  const double before = resident_memory();
  const double seconds = minimum_seconds(body, 1, 5);
  const double peak = peak_memory() - before;
  Checksum checksum;
  checksum.add(read_file(made));
  const auto bytes = static_cast<double>(fs::file_size(file));
  report_line(fmt::format("files,{},{},{:.0f},{},{:.4g},{:.0f},{},{:.2f},{:016x}", name,
                          file.extension().string(), bytes, thread_count(), seconds,
                          bytes / seconds * 1e-6,
                          copy_seconds > 0 ? fmt::format("{:.2f}", seconds / copy_seconds) : "",
                          peak / bytes, checksum.value()));
  return seconds;
}

}  // namespace

void run_files_suite(const Options& options) {
  const int threads = thread_count();
  if (options.threads > 0) set_thread_count(options.threads);
  const Folder folder;
  const fs::path glb = folder / "character.glb", copy = folder / "copy.glb";
  const std::string names[] = {"character.obj", "character.ply", "character.off", "character.mesh"};
  {
    const Rig rig = make_sample("mannequin", options.size);
    write_rig(glb, rig);
    for (const std::string& name : names) write_rig(folder / name, rig);
  }
  const double copying = measure(
      "copy", glb, 0, [&] { write_file(copy, read_file(glb)); }, copy);
  measure(
      "read", glb, copying, [&] { read_model(glb); }, glb);
  measure(
      "read and write over a copy", glb, copying, [&] { write_model(copy, read_model(glb)); },
      copy);
  measure(
      "read and write anew", glb, copying, [&] { write_rig(copy, read_rig(glb)); }, copy);
  for (const std::string& name : names) {
    measure(
        "read", folder / name, 0, [&] { read_model(folder / name); }, folder / name);
  }
  set_thread_count(threads);
}

}  // namespace sinew::bench
