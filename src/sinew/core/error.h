// SPDX-License-Identifier: Apache-2.0
// The exceptions of the library. Every message names the place and says what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace sinew {

// All that the library throws on its own account.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message);  // what() returns it
  explicit Error(const char* message);         // the same
};

// The caller asked for something impossible (a method that does not exist, an index out of range).
class UsageError : public Error {
 public:
  using Error::Error;  // with a message
};

// A file, or data passed in, is malformed. `place` says where: "line 12", "byte 40", a JSON pointer
// such as "/meshes/0/primitives/0", "vertex 7". The message reads "file: place: problem".
class InputError : public Error {
 public:
  // With or without the name of the file.
  InputError(std::string place, std::string problem);
  InputError(std::string file, std::string place, std::string problem);

  // The three parts of the message; the file is empty where none is named.
  const std::string& file() const { return file_; }
  const std::string& place() const { return place_; }
  const std::string& problem() const { return problem_; }

  // The same error with the file's name in front; unchanged if it already names a file.
  InputError in_file(const std::string& file) const;

 private:
  std::string file_;
  std::string place_;
  std::string problem_;
};

// The operating system refused (a folder that does not exist, a full disk).
class FileError : public Error {
 public:
  using Error::Error;  // with a message
};

// A progress hook asked to stop.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

}  // namespace sinew
