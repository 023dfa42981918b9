// The name of an agent, a group or a directory entry: a path such as `lab/robot1/sonar`.
// Names are compared byte for byte; copies share their text.
#pragma once

#include "coracle/result.hpp"

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace coracle {

namespace detail {

// The text of a name with its hash, in one block of the pool that all copies share. The characters
// begin at `text` and go on behind the struct, so that a name of up to 23 bytes takes 32 bytes, and
// one of up to 7 half of that.
struct NameBlock {
  std::atomic<std::uint32_t> refs;
  std::uint32_t secret_hash;  // for the library's tables, whose names strangers choose
  std::uint8_t size;
  char text[3];
};

// Frees the memory of a block to which nobody refers any more.
void free_block(NameBlock* block) noexcept;

// The hash of `text`, equal to Name::hash(), so that tables can be searched without a Name.
std::uint32_t hash_of(std::string_view text) noexcept;

struct SecretHash;

}  // namespace detail

// A validated name: UTF-8, 1 to 255 bytes, path segments separated by `/`, none of them empty, `.`
// or `..`. All its characters are visible: no control characters, none without width (such as
// joiners), none that changes the direction of others. A default-constructed Name is empty and
// names nobody.
class Name {
 public:
  // The longest name, in bytes.
  static constexpr std::size_t max_bytes = 255;

  Name() noexcept = default;
  // Makes a name of a text. Fails with Errc::bad_name.
  Name(std::string_view text);
  // Makes a name of a text. Fails with Errc::bad_name.
  Name(const char* text) : Name(std::string_view(text)) {}
  // Makes a name of a text. Fails with Errc::bad_name.
  Name(const std::string& text) : Name(std::string_view(text)) {}
  Name(const Name& other) noexcept : block_(other.block_) {
    if (block_ != nullptr) block_->refs.fetch_add(1, std::memory_order_relaxed);
  }
  Name(Name&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Name& operator=(Name other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Name() {
    if (block_ != nullptr && block_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1)
      detail::free_block(block_);
  }

  // The same as the constructor, but returns an error instead of throwing.
  static Result<Name> parse(std::string_view text);

  // The text of the name; empty for an empty name.
  std::string_view view() const noexcept {
    if (block_ == nullptr) return {};
    return {reinterpret_cast<const char*>(block_) + offsetof(detail::NameBlock, text),
            block_->size};
  }
  // A copy of the text.
  std::string str() const { return std::string(view()); }
  // Returns whether this names nobody.
  bool empty() const noexcept { return block_ == nullptr; }
  // A hash of the text, computed anew; the same in every process of one build.
  std::uint32_t hash() const noexcept { return block_ == nullptr ? 0 : detail::hash_of(view()); }

  // Returns whether this name is `prefix` itself or lies below it: `lab/robot1` is within `lab`.
  // Every name is within the empty one.
  bool within(const Name& prefix) const noexcept;

  friend bool operator==(const Name& a, const Name& b) noexcept {
    return a.block_ == b.block_ || (a.secret_hash() == b.secret_hash() && a.view() == b.view());
  }
  friend std::strong_ordering operator<=>(const Name& a, const Name& b) noexcept {
    return a.view() <=> b.view();
  }

 private:
  friend struct detail::SecretHash;

  std::uint32_t secret_hash() const noexcept { return block_ == nullptr ? 0 : block_->secret_hash; }

  detail::NameBlock* block_ = nullptr;
};

}  // namespace coracle

// Lets names be keys of unordered containers.
template <>
struct std::hash<coracle::Name> {
  std::size_t operator()(const coracle::Name& name) const noexcept { return name.hash(); }
};
