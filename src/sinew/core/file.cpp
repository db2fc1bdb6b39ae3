// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/file.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "sinew/core/error.h"
#include "sinew/core/internal/format.h"
#include "sinew/core/staged_files.h"

namespace sinew {
namespace {

std::string reason(int code) { return std::generic_category().message(code); }

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
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(path.c_str(), "rb"),
                                                           &std::fclose);
  if (!in) throw FileError(formatted("{}: cannot be opened: {}", path.string(), reason(errno)));
  // In one go where the size is known; a file may still grow or shrink meanwhile.
  std::string bytes;
  const std::uintmax_t stated = std::filesystem::file_size(path, failure);
  if (!failure && stated < bytes.max_size()) {
    bytes.resize(static_cast<std::size_t>(stated));
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), in.get()));
  }
  char block[1 << 16];
  while (const std::size_t read = std::fread(block, 1, sizeof block, in.get())) {
    bytes.append(block, read);
  }
  if (std::ferror(in.get()) != 0) {
    throw FileError(formatted("{}: cannot be read to its end", path.string()));
  }
  return bytes;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  StagedFiles files;
  files.write(path, bytes);
  files.commit();
}

}  // namespace sinew
