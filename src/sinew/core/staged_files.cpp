// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/staged_files.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Of what is not yet in its place, and of what is replaced.
constexpr std::string_view prefix = ".sinew-", new_suffix = ".part", old_suffix = ".old";

// Held while names are made and while they change places, but not while bytes are written.
std::mutex staging;
// How many threads hold it or wait for it.
std::atomic<int> stagers = 0;

class StagingLock {
 public:
  StagingLock() {
    ++stagers;
    staging.lock();
  }
  ~StagingLock() {
    staging.unlock();
    --stagers;
  }
  StagingLock(const StagingLock&) = delete;
  StagingLock& operator=(const StagingLock&) = delete;
};

// Outlives everything, for a thread that calls discard_all() while the program ends, and is there
// without asking for memory.
std::set<StagedFiles*>& staged() {
  alignas(std::set<StagedFiles*>) static std::byte memory[sizeof(std::set<StagedFiles*>)];
  static auto& objects = *new (memory) std::set<StagedFiles*>;
  return objects;
}

[[noreturn]] void refuse(const fs::path& path, int code) {
  throw FileError(
      formatted("{}: cannot be written: {}", path.string(), std::generic_category().message(code)));
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

#ifdef __EMSCRIPTEN__
// Files lie in memory, for this program alone, and have one name each.
std::string machine_name() { return {}; }
bool add_name(const fs::path&, const fs::path&) { return false; }
#else
std::string machine_name() {
  utsname machine{};
  return ::uname(&machine) == 0 ? machine.nodename : "";
}
bool add_name(const fs::path& file, const fs::path& name) {
  return ::link(file.c_str(), name.c_str()) == 0;
}
#endif

// Where the number of a process means something: other machines and containers may write to the
// same folder.
const std::string& process_space() {
  static const std::string space = [] {
    std::string text = machine_name();
    std::error_code none;
    text += fs::read_symlink("/proc/self/ns/pid", none).string();
    unsigned hash = 2166136261U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return std::to_string(hash);
  }();
  return space;
}

// No two alike, whatever an earlier process with the same number left behind.
std::string temporary_name(std::string_view suffix) {
  static auto number = std::chrono::system_clock::now().time_since_epoch().count();
  return formatted("{}{}-{}-{}{}", prefix, process_space(), static_cast<long>(::getpid()), ++number,
                   suffix);
}

// Whether a file of that name was left by a process that is gone.
bool is_left_over(std::string_view name) {
  if (!name.starts_with(prefix) || !name.ends_with(new_suffix)) return false;
  name.remove_prefix(prefix.size());
  if (!name.starts_with(process_space() + "-")) return false;
  name.remove_prefix(process_space().size() + 1);
  const pid_t process = std::atoi(std::string(name).c_str());
  return process > 0 && ::kill(process, 0) != 0 && errno == ESRCH;
}

// Once for each folder, since it takes time in those with many files.
void remove_left_over(const fs::path& folder) {
  static std::set<fs::path> seen;
  if (!seen.insert(folder).second) return;
  DIR* entries = ::opendir(folder.c_str());
  if (entries == nullptr) return;
  while (const dirent* entry = ::readdir(entries)) {
    if (is_left_over(entry->d_name)) ::unlink((folder / entry->d_name).c_str());
  }
  ::closedir(entries);
}

// The number of what went wrong, or 0.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

// With its permissions. Not by std::filesystem, which needs streams and locales for it: fifty
// kilobytes of what browsers would download.
int copy_bytes(const fs::path& from, const fs::path& to) {
  std::vector<char> part(std::size_t{1} << 16);
  const int in = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (in < 0) return errno;
  struct stat kind {};
  const mode_t mode = ::fstat(in, &kind) == 0 ? kind.st_mode & 07777 : 0600;
  const int out = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int error = out < 0 ? errno : 0;
  while (error == 0) {
    const ssize_t count = ::read(in, part.data(), part.size());
    if (count == 0) break;
    if (count > 0) {
      error = write_all(out, {part.data(), static_cast<std::size_t>(count)});
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  ::close(in);
  if (out < 0) return error;
  if (::fchmod(out, mode) != 0 && error == 0) error = errno;
  if (::close(out) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

fs::path write_target(const fs::path& path) {
  constexpr int most_links = 40;  // as many as the system follows
  fs::path target = path;
  std::error_code none;
  for (int links = 0; fs::is_symlink(target, none); ++links) {
    if (links == most_links) refuse(path, ELOOP);
    const fs::path next = fs::read_symlink(target, none);
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target;
}

StagedFiles::StagedFiles() {
  const StagingLock lock;
  staged().insert(this);
}

StagedFiles::~StagedFiles() {
  const StagingLock lock;
  discard();
  staged().erase(this);
}

// Adds an empty file.
StagedFiles::Created StagedFiles::create(const fs::path& path) {
  if (path.empty()) throw FileError("a file without a name cannot be written");
  const fs::path target = write_target(path);
  std::error_code none;
  if (fs::exists(target, none) && !fs::is_regular_file(target, none)) {
    throw FileError(formatted("{}: is not an ordinary file and is not replaced", path.string()));
  }
  // It is found now, and not in commit(), that the name is too long or not one of a file.
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) refuse(path, errno);
  if (!target.has_filename()) refuse(path, EISDIR);
  const StagingLock lock;
  const fs::path folder = folder_of(target);
  remove_left_over(folder);
  // Known before it is there, so that it is removed whatever happens.
  const fs::path temporary = folder / temporary_name(new_suffix);
  files_.push_back({path, target, temporary, {}, exists ? int(old.st_mode & 07777) : -1});
  Created created{-1, temporary};
  created.descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (created.descriptor < 0) {
    const int error = errno;
    files_.pop_back();
    refuse(path, error);
  }
  return created;
}

void StagedFiles::write(const fs::path& path, std::string_view bytes) {
  const int file = create(path).descriptor;
  int error = write_all(file, bytes);
  if (::close(file) != 0 && error == 0) error = errno;
  if (error != 0) refuse(path, error);
}

fs::path StagedFiles::reserve(const fs::path& path) {
  const Created file = create(path);
  ::close(file.descriptor);
  return file.name;
}

void StagedFiles::erase(const fs::path& path) { erased_.push_back(path); }

void StagedFiles::make_folder(const fs::path& path) {
  std::vector<fs::path> missing;
  std::error_code failure;
  for (fs::path folder = path; !folder.empty() && !fs::exists(folder, failure);
       folder = folder.parent_path()) {
    missing.push_back(folder);
  }
  const StagingLock lock;
  folders_.insert(folders_.end(), missing.rbegin(), missing.rend());
  fs::create_directories(path, failure);
  if (failure) {
    throw FileError(formatted("{}: cannot be made: {}", path.string(), failure.message()));
  }
}

// Gives what the target is now a second name; a copy where the file system has one name for each
// file.
void StagedFiles::keep_old(File& file) {
  std::error_code failure;
  if (!fs::exists(file.target, failure)) return;
  file.old = folder_of(file.target) / temporary_name(old_suffix);
  if (add_name(file.target, file.old)) return;
  if (const int error = copy_bytes(file.target, file.old); error != 0) refuse(file.path, error);
}

void StagedFiles::roll_back() {
  for (auto file = files_.rbegin(); file != files_.rend(); ++file) {
    if (!file->placed) continue;
    if (file->old.empty()) {
      ::unlink(file->target.c_str());
    } else {
      // If even this fails, the second name stays, and no later process removes it.
      std::rename(file->old.c_str(), file->target.c_str());
      file->old.clear();
    }
    file->placed = false;
  }
}

void StagedFiles::commit() {
  const StagingLock lock;
  for (File& file : files_) {
    try {
      // What is placed last is placed or not: it needs no way back.
      if (&file != &files_.back()) keep_old(file);
      if (file.mode >= 0 && ::chmod(file.temporary.c_str(), mode_t(file.mode)) != 0) {
        refuse(file.path, errno);
      }
      if (std::rename(file.temporary.c_str(), file.target.c_str()) != 0) refuse(file.path, errno);
    } catch (...) {
      roll_back();
      throw;
    }
    file.placed = true;
  }
  for (const File& file : files_) {
    if (!file.old.empty()) ::unlink(file.old.c_str());
  }
  for (const fs::path& path : erased_) ::unlink(path.c_str());
  files_.clear();
  erased_.clear();
  folders_.clear();
}

void StagedFiles::discard() {
  for (const File& file : files_) {
    ::unlink(file.temporary.c_str());
    if (!file.old.empty()) ::unlink(file.old.c_str());
  }
  // Those within come last; one that others use by now is not empty and stays.
  for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) {
    ::rmdir(folder->c_str());
  }
  files_.clear();
  folders_.clear();
}

bool StagedFiles::is_busy() { return stagers > 0; }

void StagedFiles::discard_all() {
  staging.lock();  // for good: the program ends
  for (StagedFiles* object : staged()) object->discard();
}

}  // namespace sinew
