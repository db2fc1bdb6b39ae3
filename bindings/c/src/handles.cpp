// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/src/handles.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <unordered_map>

#include "sinew/core/parallel.h"
#include "sinew/deform/default_method.h"

namespace sinew::c {
namespace {

class Registry {
 public:
  void* add(std::shared_ptr<Object> object) {
    const std::unique_lock lock(mutex_);
    do {
      next_ += step;
    } while (next_ == 0 || objects_.count(next_) != 0);
    objects_.emplace(next_, std::move(object));
    return reinterpret_cast<void*>(next_);
  }

  std::shared_ptr<Object> find(const void* handle) const {
    const std::shared_lock lock(mutex_);
    const auto found = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
    return found == objects_.end() ? nullptr : found->second;
  }

  void remove(const void* handle) {
    std::shared_ptr<Object> last;  // ends after the lock does
    const std::unique_lock lock(mutex_);
    const auto found = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
    if (found == objects_.end()) return;
    last = std::move(found->second);
    objects_.erase(found);
  }

  std::size_t size() const {
    const std::shared_lock lock(mutex_);
    return objects_.size();
  }

 private:
  // So that they look like addresses to a debugger, and none is a small number.
  static constexpr std::uintptr_t step = 16;
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uintptr_t, std::shared_ptr<Object>> objects_;
  std::uintptr_t next_ = 0x1000;
};

// Never destroyed: threads may still free handles while the program ends.
Registry& registry() {
  static Registry* const all = new Registry;
  return *all;
}

// Plain memory, so that a message can be kept when there is none left.
constexpr std::size_t longest_message = 4096;
thread_local char message[longest_message] = "";

void keep_message(const char* text) noexcept {
  std::size_t size = std::strlen(text);
  if (size >= longest_message) {
    size = longest_message - 1;
    // Not in the middle of a character.
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  }
  std::memcpy(message, text, size);
  message[size] = '\0';
}

}  // namespace

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    names.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

void* add_object(std::shared_ptr<Object> object) { return registry().add(std::move(object)); }

std::shared_ptr<Object> find_object(const void* handle, const char* kind) {
  if (handle == nullptr) throw HandleError(std::string("the ") + kind + " is NULL");
  std::shared_ptr<Object> object = registry().find(handle);
  if (!object) {
    throw HandleError(std::string("the ") + kind + " was freed, or is no handle of this library");
  }
  if (std::string_view(object->kind()) != kind) {
    throw HandleError(std::string("a handle of kind ") + object->kind() + " was given where a " +
                      kind + " is expected");
  }
  return object;
}

void remove_object(const void* handle, const char* kind) {
  find_object(handle, kind);
  registry().remove(handle);
}

std::size_t object_count() { return registry().size(); }

sinew_buffer* make_buffer(std::string bytes) {
  auto buffer = std::make_shared<BufferObject>();
  buffer->bytes = std::move(bytes);
  return make_handle(std::move(buffer));
}

sinew_status guarded(void (*call)(const void* body), const void* body) noexcept {
  try {
    call(body);
    return SINEW_OK;
  } catch (const HandleError& error) {
    keep_message(error.what());
    return SINEW_ERROR_HANDLE;
  } catch (const UsageError& error) {
    keep_message(error.what());
    return SINEW_ERROR_USAGE;
  } catch (const InputError& error) {
    keep_message(error.what());
    return SINEW_ERROR_INPUT;
  } catch (const FileError& error) {
    keep_message(error.what());
    return SINEW_ERROR_FILE;
  } catch (const Cancelled& error) {
    keep_message(error.what());
    return SINEW_CANCELLED;
  } catch (const std::bad_alloc&) {
    keep_message("there is not enough memory");
    return SINEW_ERROR_MEMORY;
  } catch (const std::length_error&) {
    keep_message("there is not enough memory");
    return SINEW_ERROR_MEMORY;
  } catch (const std::exception& error) {
    keep_message(error.what());
    return SINEW_ERROR_INTERNAL;
  } catch (...) {
    keep_message("an exception of another library");
    return SINEW_ERROR_INTERNAL;
  }
}

void require(const void* pointer, const char* name) {
  if (pointer == nullptr) throw UsageError(std::string(name) + " is NULL");
}

std::string text_of(const char* text, const char* name) {
  require(text, name);
  return text;
}

std::string text_or(const char* text, const char* otherwise) {
  return text != nullptr ? text : otherwise;
}

std::string method_name(const char* text, const Rig& rig) {
  return text != nullptr ? std::string(text) : std::string(default_method_name(rig));
}

std::filesystem::path path_of(const char* text) {
  require(text, "path");
  const std::string_view bytes = text;
  return std::u8string(bytes.begin(), bytes.end());
}

void check_size(const void* given, std::size_t given_size, std::size_t our_size, const char* name) {
  constexpr std::size_t largest = 4096;  // of any struct of any version
  if (given_size < sizeof(std::size_t) || given_size > largest ||
      given_size % sizeof(std::size_t) != 0) {
    throw UsageError(std::string(name) + ".struct_size is " + std::to_string(given_size) +
                     ": set it to the struct's size");
  }
  if (given == nullptr) return;
  const auto* bytes = static_cast<const unsigned char*>(given);
  for (std::size_t i = our_size; i < given_size; ++i) {
    if (bytes[i] == 0) continue;
    throw UsageError(std::string(name) + " has members that version " SINEW_VERSION
                                         " of the library does not know");
  }
}

Progress progress_of(sinew_progress callback, void* user) {
  if (callback == nullptr) return {};
  return Progress([callback, user](std::string_view stage, double fraction) {
    return callback(user, std::string(stage).c_str(), fraction) == 0;
  });
}

}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

const char* sinew_version(void) { return SINEW_VERSION; }

const char* sinew_last_error(void) { return message; }

const char* sinew_status_name(int status) {
  switch (status) {
    case SINEW_OK:
      return "SINEW_OK";
    case SINEW_ERROR_USAGE:
      return "SINEW_ERROR_USAGE";
    case SINEW_ERROR_INPUT:
      return "SINEW_ERROR_INPUT";
    case SINEW_ERROR_FILE:
      return "SINEW_ERROR_FILE";
    case SINEW_CANCELLED:
      return "SINEW_CANCELLED";
    case SINEW_ERROR_MEMORY:
      return "SINEW_ERROR_MEMORY";
    case SINEW_ERROR_HANDLE:
      return "SINEW_ERROR_HANDLE";
    case SINEW_ERROR_INTERNAL:
      return "SINEW_ERROR_INTERNAL";
    default:
      return "unknown";
  }
}

sinew_status sinew_set_thread_count(int count) {
  return guarded([&] {
    if (count < 0) throw UsageError("count is " + std::to_string(count) + ", below 0");
    set_thread_count(count);
  });
}

sinew_status sinew_get_thread_count(int* count) {
  return guarded([&] { result(count, "count") = thread_count(); });
}

sinew_status sinew_handle_count(size_t* count) {
  return guarded([&] { result(count, "count") = object_count(); });
}

sinew_status sinew_buffer_data(const sinew_buffer* buffer, const char** data, size_t* size) {
  return guarded([&] {
    if (data != nullptr) *data = nullptr;
    if (size != nullptr) *size = 0;
    const auto object = live<BufferObject>(buffer);
    if (data != nullptr) *data = object->bytes.c_str();
    if (size != nullptr) *size = object->bytes.size();
  });
}

sinew_status sinew_buffer_free(sinew_buffer* buffer) {
  return guarded([&] { free_handle<BufferObject>(buffer); });
}
