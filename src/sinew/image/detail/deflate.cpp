// SPDX-License-Identifier: Apache-2.0
#include "sinew/image/detail/deflate.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "sinew/image/detail/prefix_code.h"

namespace sinew::images {
namespace {

constexpr std::array<std::uint32_t, 256> crc_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1) != 0 ? 0xedb88320u ^ (sum >> 1) : sum >> 1;
    table[byte] = sum;
  }
  return table;
}();

constexpr std::size_t window = 32768, shortest_match = 3, longest_match = 258;
constexpr std::size_t good_match = 32;
// From further away, three bytes cost as much as they do on their own.
constexpr std::size_t near = 4096;
// Between blocks, each of which has codes of its own.
constexpr std::size_t block_symbols = 16384;

constexpr std::size_t literal_count = 286, distance_count = 30, end_of_block = 256;

// What a symbol for lengths or distances stands for: numbers from `first` on, told apart by more
// bits.
struct Range {
  std::uint16_t first = 0;
  std::uint8_t more_bits = 0;
};

constexpr std::array<Range, 29> length_ranges = [] {
  std::array<Range, 29> ranges{};
  unsigned first = shortest_match;
  for (unsigned i = 0; i < 28; ++i) {
    ranges[i] = {static_cast<std::uint16_t>(first),
                 static_cast<std::uint8_t>(i < 8 ? 0 : i / 4 - 1)};
    first += 1u << ranges[i].more_bits;
  }
  ranges[28] = {longest_match, 0};
  return ranges;
}();

constexpr std::array<Range, distance_count> distance_ranges = [] {
  std::array<Range, distance_count> ranges{};
  unsigned first = 1;
  for (unsigned i = 0; i < distance_count; ++i) {
    ranges[i] = {static_cast<std::uint16_t>(first),
                 static_cast<std::uint8_t>(i < 4 ? 0 : i / 2 - 1)};
    first += 1u << ranges[i].more_bits;
  }
  return ranges;
}();

template <std::size_t count>
std::size_t range_of(const std::array<Range, count>& ranges, unsigned number) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), number,
                       [](unsigned value, const Range& range) { return value < range.first; });
  return static_cast<std::size_t>(after - ranges.begin()) - 1;
}

// A byte as it is (distance 0), or a copy of bytes that came before.
struct Token {
  std::uint16_t length_or_byte = 0;
  std::uint16_t distance = 0;
};

class Bits {
 public:
  void put(std::uint32_t value, unsigned count) {
    held_ |= static_cast<std::uint64_t>(value) << size_;
    for (size_ += count; size_ >= 8; size_ -= 8, held_ >>= 8) out_ += static_cast<char>(held_);
  }
  void fill_byte() { put(0, (8 - size_) % 8); }
  std::string& bytes() { return out_; }

 private:
  std::string out_;
  std::uint64_t held_ = 0;
  unsigned size_ = 0;
};

// How many bytes are equal from the start, `most` at most.
std::size_t equal_bytes(const std::uint8_t* a, const std::uint8_t* b, std::size_t most) {
  std::size_t count = 0;
  while (count + 8 <= most && std::memcmp(a + count, b + count, 8) == 0) count += 8;
  while (count < most && a[count] == b[count]) ++count;
  return count;
}

// Finds the longest match at a place, the nearest of the longest ones.
class Matcher {
 public:
  explicit Matcher(std::span<const std::uint8_t> bytes)
      : bytes_(bytes), last_(std::size_t{1} << hash_bits, nowhere), back_(window, 0) {}

  // Places must be added in order, before those after them are looked up.
  void add(std::size_t at) {
    if (at + shortest_match > bytes_.size()) return;
    std::int64_t& last = last_[hash(at)];
    const std::size_t far = last == nowhere ? 0 : at - static_cast<std::size_t>(last);
    back_[at % window] = static_cast<std::uint16_t>(far <= window ? far : 0);
    last = static_cast<std::int64_t>(at);
  }

  Token find(std::size_t at, std::size_t longer_than, int tries) const {
    Token best;
    const std::size_t most = std::min(longest_match, bytes_.size() - at);
    std::size_t longest = std::max(longer_than, shortest_match - 1);
    if (most <= longest) return best;
    const std::int64_t last = last_[hash(at)];
    if (last == nowhere) return best;
    const std::uint8_t* const here = bytes_.data() + at;
    std::size_t step = at - static_cast<std::size_t>(last);
    for (std::size_t distance = step; distance <= window && tries-- > 0; distance += step) {
      const std::uint8_t* const there = here - distance;
      // What is longer is equal there, too, and seldom is.
      if (std::memcmp(there + longest - 1, here + longest - 1, 2) == 0) {
        const std::size_t length = equal_bytes(here, there, most);
        if (length > longest && (length != shortest_match || distance <= near)) {
          longest = length;
          best = {static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(distance)};
          if (length == most) break;
        }
      }
      step = back_[(at - distance) % window];
      if (step == 0) break;
    }
    return best;
  }

 private:
  static constexpr unsigned hash_bits = 15;
  static constexpr std::int64_t nowhere = -1;

  std::size_t hash(std::size_t at) const {
    const std::uint32_t three = bytes_[at] | bytes_[at + 1] << 8 | bytes_[at + 2] << 16;
    return three * 0x9e3779b1u >> (32 - hash_bits);
  }

  std::span<const std::uint8_t> bytes_;
  std::vector<std::int64_t> last_;   // by hash
  std::vector<std::uint16_t> back_;  // how far before a place the one with its hash is; 0: none
};

struct Block {
  std::vector<Token> tokens;
  std::size_t begin = 0, end = 0;  // of the bytes
  bool is_last = false;
};

// The numbers of symbols in the order in which their lengths are sent.
constexpr std::array<std::uint8_t, 19> length_order = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                       11, 4,  12, 3, 13, 2, 14, 1, 15};

// A length of a code, or how often one is repeated.
struct LengthSymbol {
  std::uint8_t symbol = 0, more = 0, more_bits = 0;
};

std::vector<LengthSymbol> packed_lengths(std::span<const std::uint8_t> lengths) {
  std::vector<LengthSymbol> result;
  for (std::size_t i = 0; i < lengths.size();) {
    std::size_t run = 1;
    while (i + run < lengths.size() && lengths[i + run] == lengths[i]) ++run;
    i += run;
    const std::uint8_t length = lengths[i - 1];
    if (length != 0) {
      result.push_back({length});
      --run;
    }
    while (run >= 3) {
      const std::size_t most = length != 0 ? 6 : 138;
      const std::size_t taken = std::min(run, most);
      run -= taken;
      if (length != 0) {
        result.push_back({16, static_cast<std::uint8_t>(taken - 3), 2});
      } else if (taken < 11) {
        result.push_back({17, static_cast<std::uint8_t>(taken - 3), 3});
      } else {
        result.push_back({18, static_cast<std::uint8_t>(taken - 11), 7});
      }
    }
    result.insert(result.end(), run, LengthSymbol{length});
  }
  return result;
}

// The codes of a block, and how they are told.
struct Codes {
  PrefixCode literals, distances, lengths;
  std::vector<LengthSymbol> packed;
  std::size_t literals_told = 257, distances_told = 1, lengths_told = 4;

  std::size_t header_bits() const {
    std::size_t bits = 14 + 3 * lengths_told;
    for (const LengthSymbol& one : packed) bits += lengths.length[one.symbol] + one.more_bits;
    return bits;
  }
};

struct Counts {
  std::array<std::uint32_t, literal_count> literals{};
  std::array<std::uint32_t, distance_count> distances{};
  std::size_t more_bits = 0;

  explicit Counts(const Block& block) {
    for (const Token& token : block.tokens) {
      if (token.distance == 0) {
        ++literals[token.length_or_byte];
        continue;
      }
      const std::size_t length = range_of(length_ranges, token.length_or_byte);
      const std::size_t distance = range_of(distance_ranges, token.distance);
      ++literals[end_of_block + 1 + length];
      ++distances[distance];
      more_bits += length_ranges[length].more_bits + distance_ranges[distance].more_bits;
    }
    literals[end_of_block] = 1;
  }

  std::size_t bits(const PrefixCode& literal, const PrefixCode& distance) const {
    std::size_t sum = more_bits;
    for (std::size_t i = 0; i < literals.size(); ++i) {
      sum += std::size_t{literals[i]} * literal.length[i];
    }
    for (std::size_t i = 0; i < distances.size(); ++i) {
      sum += std::size_t{distances[i]} * distance.length[i];
    }
    return sum;
  }
};

Codes codes_for(const Counts& counts) {
  Codes codes;
  codes.literals = best_code(counts.literals, 15);
  codes.distances = best_code(counts.distances, 15);
  const auto told = [](const PrefixCode& code, std::size_t least) {
    std::size_t count = code.length.size();
    while (count > least && code.length[count - 1] == 0) --count;
    return count;
  };
  codes.literals_told = told(codes.literals, 257);
  codes.distances_told = told(codes.distances, 1);
  std::vector<std::uint8_t> all(
      codes.literals.length.begin(),
      codes.literals.length.begin() + static_cast<std::ptrdiff_t>(codes.literals_told));
  all.insert(all.end(), codes.distances.length.begin(),
             codes.distances.length.begin() + static_cast<std::ptrdiff_t>(codes.distances_told));
  codes.packed = packed_lengths(all);
  std::array<std::uint32_t, 19> often{};
  for (const LengthSymbol& one : codes.packed) ++often[one.symbol];
  codes.lengths = best_code(often, 7);
  codes.lengths_told = 19;
  while (codes.lengths_told > 4 &&
         codes.lengths.length[length_order[codes.lengths_told - 1]] == 0) {
    --codes.lengths_told;
  }
  return codes;
}

// The codes that need not be told.
const Codes& fixed_codes() {
  static const Codes codes = [] {
    std::vector<std::uint8_t> lengths(288, 8);
    std::fill(lengths.begin() + 144, lengths.begin() + 256, 9);
    std::fill(lengths.begin() + 256, lengths.begin() + 280, 7);
    Codes result;
    result.literals = code_of(std::move(lengths));
    result.distances = code_of(std::vector<std::uint8_t>(distance_count, 5));
    return result;
  }();
  return codes;
}

void put_header(Bits& out, const Codes& codes) {
  out.put(static_cast<std::uint32_t>(codes.literals_told - 257), 5);
  out.put(static_cast<std::uint32_t>(codes.distances_told - 1), 5);
  out.put(static_cast<std::uint32_t>(codes.lengths_told - 4), 4);
  for (std::size_t i = 0; i < codes.lengths_told; ++i) {
    out.put(codes.lengths.length[length_order[i]], 3);
  }
  for (const LengthSymbol& one : codes.packed) {
    out.put(codes.lengths.bits[one.symbol], codes.lengths.length[one.symbol]);
    out.put(one.more, one.more_bits);
  }
}

void put_tokens(Bits& out, const std::vector<Token>& tokens, const Codes& codes) {
  const auto put = [&](const PrefixCode& code, std::size_t symbol) {
    out.put(code.bits[symbol], code.length[symbol]);
  };
  for (const Token& token : tokens) {
    if (token.distance == 0) {
      put(codes.literals, token.length_or_byte);
      continue;
    }
    const std::size_t length = range_of(length_ranges, token.length_or_byte);
    put(codes.literals, end_of_block + 1 + length);
    out.put(token.length_or_byte - unsigned{length_ranges[length].first},
            length_ranges[length].more_bits);
    const std::size_t distance = range_of(distance_ranges, token.distance);
    put(codes.distances, distance);
    out.put(token.distance - unsigned{distance_ranges[distance].first},
            distance_ranges[distance].more_bits);
  }
  put(codes.literals, end_of_block);
}

void put_as_they_are(Bits& out, std::span<const std::uint8_t> bytes, bool is_last) {
  do {
    const std::size_t count = std::min<std::size_t>(bytes.size(), 65535);
    out.put(is_last && count == bytes.size() ? 1 : 0, 3);
    out.fill_byte();
    out.put(static_cast<std::uint32_t>(count), 16);
    out.put(~static_cast<std::uint32_t>(count) & 0xffff, 16);
    out.bytes().append(reinterpret_cast<const char*>(bytes.data()), count);
    bytes = bytes.subspan(count);
  } while (!bytes.empty());
}

// In the smallest of the three ways there are.
void put_block(Bits& out, const Block& block, std::span<const std::uint8_t> bytes) {
  const Counts counts(block);
  const Codes codes = codes_for(counts);
  const Codes& fixed = fixed_codes();
  const std::size_t own = codes.header_bits() + counts.bits(codes.literals, codes.distances);
  const std::size_t known = counts.bits(fixed.literals, fixed.distances);
  const std::size_t size = block.end - block.begin, plain = 8 * size + 40 * (size / 65535 + 1);
  if (plain < std::min(own, known)) {
    put_as_they_are(out, bytes.subspan(block.begin, size), block.is_last);
    return;
  }
  out.put((block.is_last ? 1u : 0u) | (own < known ? 4u : 2u), 3);
  if (own < known) put_header(out, codes);
  put_tokens(out, block.tokens, own < known ? codes : fixed);
}

std::uint32_t adler32(std::span<const std::uint8_t> bytes) {
  std::uint32_t a = 1, b = 0;
  while (!bytes.empty()) {
    const std::size_t count = std::min<std::size_t>(bytes.size(), 5552);  // sums fit into 32 bits
    for (const std::uint8_t byte : bytes.first(count)) b += a += byte;
    a %= 65521;
    b %= 65521;
    bytes = bytes.subspan(count);
  }
  return b << 16 | a;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t sum = 0xffffffffu;
  for (const char byte : bytes) {
    sum = crc_table[(sum ^ static_cast<std::uint8_t>(byte)) & 0xff] ^ (sum >> 8);
  }
  return ~sum;
}

std::string deflated(std::span<const std::uint8_t> bytes, int most_tries) {
  Bits out;
  out.put(0xda78, 16);
  Matcher matcher(bytes);
  Block block;
  const auto end_block = [&](std::size_t at) {
    block.end = at;
    block.is_last = at == bytes.size();
    put_block(out, block, bytes);
    block.tokens.clear();
    block.begin = at;
  };
  std::size_t at = 0;
  Token here = bytes.size() < shortest_match ? Token{} : matcher.find(0, 0, most_tries);
  while (at < bytes.size()) {
    matcher.add(at);
    // A byte on its own, if the match after it is longer.
    Token next;
    if (at + 1 + shortest_match <= bytes.size()) {
      const bool good = here.distance != 0 && here.length_or_byte >= good_match;
      next = matcher.find(at + 1, here.distance != 0 ? here.length_or_byte : 0,
                          good ? most_tries / 4 : most_tries);
    }
    if (here.distance == 0 || next.distance != 0) {
      block.tokens.push_back({bytes[at], 0});
      ++at;
      here = next;
    } else {
      block.tokens.push_back(here);
      const std::size_t end = at + here.length_or_byte;
      while (++at < end) matcher.add(at);
      here = at + shortest_match <= bytes.size() ? matcher.find(at, 0, most_tries) : Token{};
    }
    if (block.tokens.size() == block_symbols && at < bytes.size()) end_block(at);
  }
  end_block(bytes.size());
  const std::uint32_t sum = adler32(bytes);
  out.fill_byte();
  for (const int shift : {24, 16, 8, 0}) out.put(sum >> shift & 0xff, 8);
  return std::move(out.bytes());
}

}  // namespace sinew::images
