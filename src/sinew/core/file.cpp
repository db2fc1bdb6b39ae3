// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/file.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"

namespace sinew {
namespace {

std::string reason(int code) { return std::generic_category().message(code); }

struct TemporaryFile {
  int file = -1;  // -1: errno says why
  std::string path;
};

// Creates a file that no other thread or process writes to; skips names left over from a crash.
TemporaryFile create_beside(const std::filesystem::path& target) {
  static std::atomic<unsigned> counter = 0;
  TemporaryFile result;
  do {
    result.path = formatted("{}.{}-{}.part", target.string(), ::getpid(), ++counter);
    result.file = ::open(result.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (result.file < 0 && errno == EEXIST);
  return result;
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    throw FileError(formatted("{}: is a folder, not a file", path.string()));
  }
  // A pipe or a device may never end.
  if (std::filesystem::exists(path, failure) && !std::filesystem::is_regular_file(path, failure)) {
    throw FileError(formatted("{}: is not an ordinary file", path.string()));
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw FileError(formatted("{}: cannot be opened: {}", path.string(), reason(errno)));
  std::string bytes;
  char block[1 << 16];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    bytes.append(block, static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw FileError(formatted("{}: cannot be read to its end", path.string()));
  return bytes;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  // If `path` is a symbolic link, replace the file it points to, not the link.
  std::error_code failure;
  std::filesystem::path target = path;
  if (std::filesystem::is_symlink(path, failure)) {
    target = std::filesystem::weakly_canonical(path, failure);
    if (failure) target = path;
  }
  if (std::filesystem::exists(target, failure) &&
      !std::filesystem::is_regular_file(target, failure)) {
    throw FileError(formatted("{}: is not an ordinary file and is not replaced", path.string()));
  }
  const auto [file, temporary] = create_beside(target);
  if (file < 0) {
    throw FileError(formatted("{}: cannot be written: {}", path.string(), reason(errno)));
  }
  int error = 0;
  struct stat old {};
  if (::stat(target.c_str(), &old) == 0 && ::fchmod(file, old.st_mode & 07777) != 0) error = errno;
  while (!bytes.empty() && error == 0) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    throw FileError(formatted("{}: cannot be written: {}", path.string(), reason(error)));
  }
}

}  // namespace sinew
