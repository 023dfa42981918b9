// The content of a message: immutable bytes or a typed C++ value, shared by all its owners. To copy
// a content only increases a reference count; local delivery never encodes. Typed access (of, as,
// try_as) needs <coracle/typed.hpp>. Tests: coracle/tests/content/content_test.cpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle {

namespace detail {

// The description of what a block holds and how to handle it; one static object per C++ type or
// standard name. Plain bytes need only the name.
struct ContentKind {
  std::string_view name;           // empty: the name follows the bytes in the block
  std::uint32_t value_offset = 0;  // of a typed value, from the block's start; 0: plain bytes
  std::uint32_t block_bytes = 0;   // size of a block with a typed value
  void (*destroy)(void* value) noexcept = nullptr;  // nullptr: nothing needs to be destroyed
  // Either the value's bytes in place (strings), or a function that encodes the value.
  std::span<const std::byte> (*view)(const void* value) noexcept = nullptr;
  void (*encode)(const void* value, std::vector<std::byte>& out) = nullptr;
};

// The kinds of most contents.
extern const ContentKind text_kind, bytes_kind;

// An object that was made from a block's content on demand and is kept with the block: its
// encoding, or a value that was decoded from it. `tag` identifies the kind; a block has at most one
// object of each tag.
class ContentExtra {
 public:
  explicit ContentExtra(const void* tag) noexcept : tag_(tag) {}
  ContentExtra(const ContentExtra&) = delete;
  ContentExtra& operator=(const ContentExtra&) = delete;
  virtual ~ContentExtra() = default;

 private:
  friend struct ContentBlock;
  const void* tag_;
  ContentExtra* next_ = nullptr;
};

// The shared block behind a Content: this header, then the bytes (and a custom type's name), all in
// one pooled allocation. An envelope may keep the raw pointer; see Content::release.
struct ContentBlock {
  std::atomic<std::uint32_t> refs{1};
  std::uint32_t size;  // bytes, or an estimate for a typed value
  const ContentKind* kind;
  std::atomic<ContentExtra*> extras{nullptr};

  ContentBlock(std::uint32_t bytes, const ContentKind* what) noexcept : size(bytes), kind(what) {}

  bool is_typed() const noexcept { return kind->value_offset != 0; }
  const std::byte* inline_bytes() const noexcept {
    return reinterpret_cast<const std::byte*>(this) + sizeof(ContentBlock);
  }
  const void* value() const noexcept {
    return reinterpret_cast<const std::byte*>(this) + kind->value_offset;
  }
  std::string_view type() const noexcept;

  // The ContentExtra with this tag, or nullptr.
  const ContentExtra* find(const void* tag) const noexcept;
  // Keeps `extra`, or deletes it when another thread was faster; returns the one that is kept.
  const ContentExtra* keep(ContentExtra* extra) noexcept;
  // The bytes. A typed value is encoded at the first call.
  std::span<const std::byte> bytes();

  static ContentExtra* next_of(const ContentExtra* extra) noexcept { return extra->next_; }
};

static_assert(sizeof(ContentBlock) <= 24);

// A new block with a copy of `data` as "application/octet-stream". Throws Errc::too_large (4 GiB).
ContentBlock* make_bytes_block(std::span<const std::byte> data);
// A new block with a copy of `data`. Throws Errc::too_large (4 GiB) or Errc::bad_options (name).
ContentBlock* make_bytes_block(std::span<const std::byte> data, std::string_view type);
// A new block with a copy of `text` as "text/plain".
ContentBlock* make_text_block(std::string_view text);
// Throws Error(Errc::wrong_type).
[[noreturn]] void fail_wrong_type(std::string_view held, std::string_view wanted);
// Destroys a block to which nobody refers any more.
void destroy_block(ContentBlock* block) noexcept;

// Adds an owner to `block` (which may be nullptr).
inline void retain(ContentBlock* block) noexcept {
  if (block != nullptr) block->refs.fetch_add(1, std::memory_order_relaxed);
}

// Removes an owner from `block` (which may be nullptr). A sole owner needs no read-modify-write,
// because nobody else is left who could copy the block.
inline void drop(ContentBlock* block) noexcept {
  if (block == nullptr) return;
  if (block->refs.load(std::memory_order_acquire) == 1 ||
      block->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    destroy_block(block);
  }
}

}  // namespace detail

// The longest name of a content type, in bytes.
inline constexpr std::size_t max_content_type_bytes = 127;
// The largest limit that a society can set on the content of one message: 1 GiB.
inline constexpr std::size_t max_content_bytes = std::size_t{1} << 30;

// The immutable content of a message. Copies share one block; any thread may read or drop a copy.
class Content {
 public:
  // No content, without a type.
  Content() noexcept = default;
  // Text of type "text/plain". Throws Errc::too_large above 4 GiB, like every constructor here.
  Content(std::string_view text) : block_(detail::make_text_block(text)) {}
  Content(const char* text) : Content(std::string_view(text)) {}
  Content(const std::string& text) : Content(std::string_view(text)) {}

  Content(const Content& other) noexcept : block_(other.block_) { detail::retain(block_); }
  Content(Content&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Content& operator=(Content other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Content() { detail::drop(block_); }

  // A copy of `data` of type "application/octet-stream".
  static Content bytes(std::span<const std::byte> data) {
    return adopt(detail::make_bytes_block(data));
  }
  // A copy of `data` under the name `type`, which has 1 to 127 bytes (else Errc::bad_options).
  static Content bytes(std::span<const std::byte> data, std::string_view type) {
    return adopt(detail::make_bytes_block(data, type));
  }

  // Takes `value` as it is; the value is encoded only when its bytes are requested.
  template <class T>
  static Content of(T value);  // in <coracle/typed.hpp>

  // The bytes as text; valid as long as some copy of this content lives.
  std::string_view text() const {
    const auto view = bytes();
    return {reinterpret_cast<const char*>(view.data()), view.size()};
  }

  // The bytes, valid as long as some copy of this content lives. A typed value is encoded at the
  // first call, and the encoding is kept. Throws Errc::bad_encoding when the value is nested deeper
  // than 32, and any exception of the type's own encode function.
  std::span<const std::byte> bytes() const {
    if (block_ == nullptr) return {};
    if (!block_->is_typed()) return {block_->inline_bytes(), block_->size};
    return block_->bytes();
  }

  // The size that limits count: the bytes, or an estimate of a typed value's memory.
  std::size_t size() const noexcept { return block_ == nullptr ? 0 : block_->size; }

  // The name of the content's type; empty only for Content().
  std::string_view type() const noexcept {
    return block_ == nullptr ? std::string_view() : block_->type();
  }

  // Returns whether there are no bytes; never true for a typed value.
  bool empty() const noexcept { return size() == 0; }

  // Returns whether this holds a C++ value rather than bytes.
  bool is_typed() const noexcept { return block_ != nullptr && block_->is_typed(); }

  // The value: the one that was given to of(), or else decoded once and kept. Valid as long as some
  // copy of this content lives. Throws Errc::wrong_type when the content has another type name,
  // Errc::bad_encoding when the bytes are no valid encoding of that type.
  template <class T>
  const T& as() const;  // in <coracle/typed.hpp>

  // The same, but returns nullptr where as() would throw.
  template <class T>
  const T* try_as() const noexcept;  // in <coracle/typed.hpp>

  // The same content as bytes of the same type, as another process would receive it.
  Content encoded() const { return is_typed() ? bytes(bytes(), type()) : *this; }

  // For the runtime: gives the block away with one reference, which adopt() takes back or
  // detail::drop() ends. Returns nullptr when there is no content.
  detail::ContentBlock* release() noexcept { return std::exchange(block_, nullptr); }
  // For the runtime: takes over the reference that release() gave away.
  static Content adopt(detail::ContentBlock* block) noexcept {
    Content content;
    content.block_ = block;
    return content;
  }
  // For the runtime: the block, still owned by this content.
  detail::ContentBlock* block() const noexcept { return block_; }

 private:
  detail::ContentBlock* block_ = nullptr;
};

namespace detail {

// The same bytes under another type name, without a copy when nobody else owns the block. Throws
// Errc::bad_options (name).
Content renamed(Content content, std::string_view type);

}  // namespace detail

}  // namespace coracle
