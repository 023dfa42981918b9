#include "coracle/name.hpp"

#include "coracle/detail/pool.hpp"
#include "coracle/support/mutations.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/support/secret_hash.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace coracle {

namespace {

using detail::NameBlock;

constexpr std::size_t text_offset = offsetof(NameBlock, text);
static_assert(text_offset == 9, "a name of 23 bytes must fit two granules of the pool");
static_assert(Name::max_bytes <= 255, "the size is one byte");

// Returns the fault of one segment and its remedy, or nullptr.
const char* fault_of_segment(std::string_view segment) {
  if (segment.empty())
    return "a path segment is empty; put exactly one '/' between segments and none at the ends";
  if (segment == "." || segment == "..")
    return "'.' and '..' are no path segments; write the whole path";
  return nullptr;
}

std::uint64_t eight_bytes(const char* from) noexcept {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// Returns whether there are only printable ASCII characters. Eight bytes are tested together: a
// byte that is not ASCII has its top bit set, a byte below the blank gets it by the subtraction,
// and DEL gets it by the addition.
bool is_printable_ascii(std::string_view text) noexcept {
  constexpr std::uint64_t each = 0x0101010101010101;
  const auto odd = [](std::uint64_t word) {
    return ((word | (word - 0x20 * each) | (word + each)) & 0x80 * each) != 0;
  };
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) {
    if (odd(eight_bytes(at))) return false;
  }
  char last[8] = {' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '};
  std::memcpy(last, at, left);
  return !odd(eight_bytes(last));
}

// Returns the fault in the segments of a path of printable ASCII characters, or nullptr.
const char* fault_of_path(std::string_view text) {
  for (;;) {
    const std::size_t end = text.find('/');
    if (const char* fault = fault_of_segment(text.substr(0, end))) return fault;
    if (end == text.npos) return nullptr;
    text.remove_prefix(end + 1);
  }
}

// Returns the fault of `text` as a name and its remedy, or nullptr.
const char* fault_of(std::string_view text) {
  if (text.empty()) return "it is empty; give at least one character";
  if (text.size() > Name::max_bytes) return "it is longer than 255 bytes; choose a shorter one";
  if (is_printable_ascii(text) || mutated(Mutation::any_character)) return fault_of_path(text);
  std::size_t segment = 0;
  for (std::size_t at = 0; at < text.size();) {
    const detail::Utf8Character character = detail::utf8_at(text, at);
    if (character.bytes == 0) return "it is not UTF-8; encode it as UTF-8";
    if (detail::is_control(character.code))
      return "it holds a control character; use visible characters only";
    if (detail::is_deceiving(character.code) || detail::is_shaping(character.code))
      return "it holds a character that is invisible, or that changes the direction of the text; "
             "use visible characters only";
    if (character.code == '/') {
      if (const char* fault = fault_of_segment(text.substr(segment, at - segment))) return fault;
      segment = at + 1;
    }
    at += character.bytes;
  }
  return fault_of_segment(text.substr(segment));
}

Error bad_name(std::string_view text, const char* fault) {
  return Error(Errc::bad_name, detail::quoted(text) + " is not a name: " + fault);
}

constexpr std::size_t bytes_for(std::size_t size) {
  return std::max(sizeof(NameBlock), text_offset + size);
}

NameBlock* make_block(std::string_view text) {
  void* memory = detail::pool_allocate(bytes_for(text.size()));
  auto* block = new (memory)
      NameBlock{1, detail::secret_hash(text), static_cast<std::uint8_t>(text.size()), {}};
  std::memcpy(static_cast<char*>(memory) + text_offset, text.data(), text.size());
  return block;
}

}  // namespace

namespace detail {

void free_block(NameBlock* block) noexcept {
  const std::size_t bytes = bytes_for(block->size);
  block->~NameBlock();
  pool_free(block, bytes);
}

// Multiplies eight bytes at a time into 64 bits; every bit of the text affects every bit of the
// result. The hash can be computed backwards: see secret_hash.hpp for names that strangers choose.
std::uint32_t hash_of(std::string_view text) noexcept {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
  std::uint64_t state = text.size() * factor;
  const auto mix = [&state](std::uint64_t word) {
    state = (state ^ word) * 0xd6e8feb86659fd93;
    state ^= state >> 32;
  };
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) mix(eight_bytes(at));
  if (left > 0) {
    char last[8] = {};
    std::memcpy(last, at, left);
    mix(eight_bytes(last));
  }
  mix(factor);
  return static_cast<std::uint32_t>(state ^ state >> 32);
}

}  // namespace detail

Name::Name(std::string_view text) {
  if (const char* fault = fault_of(text)) throw bad_name(text, fault);
  block_ = make_block(text);
}

Result<Name> Name::parse(std::string_view text) {
  if (const char* fault = fault_of(text)) return bad_name(text, fault);
  Name name;
  name.block_ = make_block(text);
  return name;
}

bool Name::within(const Name& prefix) const noexcept {
  if (prefix.empty() || block_ == prefix.block_) return true;
  const std::string_view whole = view();
  const std::string_view start = prefix.view();
  return whole.starts_with(start) && (whole.size() == start.size() || whole[start.size()] == '/');
}

}  // namespace coracle
