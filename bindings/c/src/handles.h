// SPDX-License-Identifier: Apache-2.0
// What every function of the C interface is made of: handles, status, messages, options.
#pragma once

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/c/sinew.h"
#include "sinew/core/error.h"
#include "sinew/core/progress.h"
#include "sinew/rig/rig.h"

namespace sinew::c {

// A handle that is NULL, was freed, or is of another kind.
class HandleError : public Error {
 public:
  using Error::Error;
};

// What a handle stands for. Handles are numbers that are never used twice, so that one that was
// freed is always recognised; whoever works on an object keeps it alive, so that freeing it
// meanwhile does no harm.
struct Object {
  virtual ~Object() = default;
  // As messages call it: "rig".
  virtual const char* kind() const = 0;
};

// What stands between the commas of a list; nothing comes after one at the end.
std::vector<std::string> names_in(std::string_view list);

void* add_object(std::shared_ptr<Object> object);
// Throws HandleError unless it is there and of this kind.
std::shared_ptr<Object> find_object(const void* handle, const char* kind);
void remove_object(const void* handle, const char* kind);
std::size_t object_count();

// The object of a handle; T has `Handle` and `name`.
template <class T>
std::shared_ptr<T> live(const typename T::Handle* handle) {
  return std::static_pointer_cast<T>(find_object(handle, T::name));
}

template <class T>
typename T::Handle* make_handle(std::shared_ptr<T> object) {
  return static_cast<typename T::Handle*>(add_object(std::move(object)));
}

template <class T>
void free_handle(typename T::Handle* handle) {
  if (handle != nullptr) remove_object(handle, T::name);
}

struct BufferObject final : Object {
  using Handle = sinew_buffer;
  static constexpr const char* name = "buffer";
  const char* kind() const override { return name; }
  std::string bytes;
};

sinew_buffer* make_buffer(std::string bytes);

// What a function does, with whatever it throws as a status, whose message is kept.
sinew_status guarded(void (*call)(const void* body), const void* body) noexcept;

template <class Body>
sinew_status guarded(const Body& body) noexcept {
  return guarded([](const void* it) { (*static_cast<const Body*>(it))(); }, &body);
}

// Throws UsageError where a pointer that must be given is NULL.
void require(const void* pointer, const char* name);

// Where a result goes, with nothing there yet. Throws UsageError where there is no such place.
template <class T>
T& result(T* place, const char* name) {
  require(place, name);
  return *place = T{};
}

// A string that must be given, and one that may be missing.
std::string text_of(const char* text, const char* name);
std::string text_or(const char* text, const char* otherwise);
// A method's name; if it is missing, that of the rig's default.
std::string method_name(const char* text, const Rig& rig);
std::filesystem::path path_of(const char* text);

// The entry of a list. Throws UsageError as in "clip 7: there are 2".
template <class List>
auto& entry(List& list, std::size_t index, const char* name) {
  if (index < std::size(list)) return list[index];
  throw UsageError(std::string(name) + " " + std::to_string(index) + ": there are " +
                   std::to_string(std::size(list)));
}

// Throws UsageError where a struct's size cannot be that of any version, or a member that this
// version does not know is not 0.
void check_size(const void* given, std::size_t given_size, std::size_t our_size, const char* name);

// The options as this version knows them: members that the caller does not know are 0.
template <class Options>
Options options_from(const Options* given, const char* name) {
  Options options;
  std::memset(&options, 0, sizeof options);
  if (given == nullptr) return options;
  check_size(given, given->struct_size, sizeof options, name);
  const std::size_t size = given->struct_size;
  std::memcpy(&options, given, size < sizeof options ? size : sizeof options);
  return options;
}

// An array of such structs, of the caller's version.
template <class Struct>
std::vector<Struct> list_from(const Struct* first, std::size_t count, const char* name) {
  std::vector<Struct> list;
  if (count == 0) return list;
  require(first, name);
  const std::size_t stride = first->struct_size;
  const auto* place = reinterpret_cast<const unsigned char*>(first);
  for (std::size_t i = 0; i < count; ++i, place += stride) {
    list.push_back(options_from(reinterpret_cast<const Struct*>(place), name));
    if (list.back().struct_size == stride) continue;
    throw UsageError(std::string(name) + "[" + std::to_string(i) +
                     "].struct_size is not that of the first");
  }
  return list;
}

// Gives the caller as many members of a result as it has room for.
template <class Result>
void fill(Result* place, Result value, const char* name) {
  require(place, name);
  const std::size_t size = place->struct_size;
  check_size(nullptr, size, sizeof value, name);
  value.struct_size = size;
  std::memcpy(place, &value, size < sizeof value ? size : sizeof value);
}

Progress progress_of(sinew_progress callback, void* user);

}  // namespace sinew::c
