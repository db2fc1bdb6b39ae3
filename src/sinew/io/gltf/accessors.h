// SPDX-License-Identifier: Apache-2.0
// Reads, checks and decodes the data of a glTF document's accessors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/io/gltf/document.h"
#include "sinew/io/internal/checked_json.h"

namespace sinew::gltf {

// The values are those of the file format.
enum class ComponentType {
  int8 = 5120,
  uint8 = 5121,
  int16 = 5122,
  uint16 = 5123,
  uint32 = 5125,
  float32 = 5126
};
std::size_t component_size(ComponentType type);

// The value represented by a stored integer: itself or, if `normalized`, a number in [-1, 1] or [0,
// 1].
double decoded(double stored, ComponentType type, bool normalized);

struct AccessorInfo {
  std::size_t count = 0;
  std::size_t columns = 1, rows = 1;  // columns > 1 only for matrices
  ComponentType component = ComponentType::float32;
  bool normalized = false;
  bool has_view = false;  // without a view, all but the sparse elements are zero
  bool is_sparse = false;

  std::size_t components() const { return columns * rows; }
};

// The elements that a sparse accessor overrides.
struct SparseElements {
  std::vector<std::uint32_t> indices;  // ascending
  std::vector<double> values;          // components() values for each
};

class Accessors;

// The numbers of an accessor, some elements at a time: all of them decoded would take several times
// the memory that they have in the file. Only what is sparse or compressed is there as a whole.
template <class T>
class Decoded {
 public:
  Decoded() = default;
  explicit Decoded(std::vector<T> all) : values_(std::move(all)), is_whole_(true) {}

  bool empty() const { return accessors_ == nullptr && !is_whole_; }
  // `width` numbers for each element from `first` on, in place until the next call.
  std::span<const T> at(std::size_t first, std::size_t count, std::size_t width);

 private:
  friend class Accessors;
  Accessors* accessors_ = nullptr;
  int accessor_ = 0;
  std::vector<T> values_;
  bool is_whole_ = false;
};

// Reads accessors by index; the indices must exist. Throws InputError. All decoded data counts
// towards a limit that grows with the size of the document's buffers, so that small files cannot
// use excessive memory.
class Accessors {
 public:
  explicit Accessors(const Document& document);

  std::size_t size() const;
  JsonRef json(int accessor) const;
  AccessorInfo info(int accessor) const;

  // count * components() numbers, element by element (matrices by columns), integers decoded.
  std::vector<double> doubles(int accessor);
  // Unsigned integers that are not normalized.
  std::vector<std::uint32_t> integers(int accessor);
  // The same, some at a time; these objects must outlive what they return.
  Decoded<double> some_doubles(int accessor);
  Decoded<std::uint32_t> some_integers(int accessor);
  SparseElements sparse_elements(int accessor);

  // The bytes of a buffer view, decompressed. `byte_stride` is 0 where the view has none.
  struct View {
    std::string_view bytes;
    std::size_t byte_offset = 0;  // of the view in its buffer
    std::size_t byte_stride = 0;
  };
  View view(int buffer_view);
  std::size_t view_count() const;

  // Counts memory requested by something in the file; throws at `place` if over the limit.
  void charge(std::size_t bytes, const std::string& place);

 private:
  // Where the elements of an accessor, or of its sparse part, lie.
  struct Elements {
    std::string_view bytes;
    std::size_t stride = 0;
  };
  Elements locate(const JsonRef& owner, const AccessorInfo& info, std::size_t count,
                  bool may_have_stride);
  std::vector<std::uint32_t> sparse_indices(const JsonRef& sparse, const AccessorInfo& info);
  template <class T>
  friend class Decoded;
  template <class T>
  void decode(int accessor, const AccessorInfo& info, std::vector<T>& values);
  template <class T>
  Decoded<T> some(int accessor, const AccessorInfo& info);
  template <class T>
  void decode_range(int accessor, const AccessorInfo& info, std::size_t first, std::size_t count,
                    T* values);
  AccessorInfo info_of_integers(int accessor) const;
  std::string_view decompressed_bytes(int buffer_view, const JsonRef& extension);
  std::string_view buffer_range(const JsonRef& json, std::size_t length);

  const Document* document_;
  JsonRef root_;
  std::size_t limit_ = 0;
  std::size_t charged_ = 0;
  std::map<int, std::string> decompressed_;
};

}  // namespace sinew::gltf
