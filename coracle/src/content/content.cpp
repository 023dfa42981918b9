#include "coracle/content.hpp"

#include "coracle/codec.hpp"
#include "coracle/detail/pool.hpp"
#include "coracle/errors.hpp"
#include "coracle/support/content_room.hpp"
#include "coracle/support/quote.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

namespace coracle::detail {

constinit const ContentKind text_kind{.name = "text/plain"};
constinit const ContentKind bytes_kind{.name = "application/octet-stream"};

namespace {

constinit const ContentKind named_kind{.name = ""};

// Type names that cost nothing to keep. Adding one is only a matter of speed.
constinit const std::array<ContentKind, 6> other_kinds = {
    ContentKind{.name = "application/cbor"}, ContentKind{.name = "application/json"},
    ContentKind{.name = "application/xml"},  ContentKind{.name = "boolean"},
    ContentKind{.name = "integer"},          ContentKind{.name = "floating"},
};

const ContentKind& kind_named(std::string_view type) noexcept {
  if (type == bytes_kind.name) return bytes_kind;
  if (type == text_kind.name) return text_kind;
  for (const ContentKind& kind : other_kinds) {
    if (type == kind.name) return kind;
  }
  return named_kind;
}

// The encoding of a typed value.
class Encoded final : public ContentExtra {
 public:
  // Its address is the tag of all encodings.
  static constexpr char tag = 0;

  Encoded() : ContentExtra(&tag) {}
  std::vector<std::byte> bytes;
};

std::size_t block_bytes(const ContentBlock& block) noexcept {
  if (block.is_typed()) return block.kind->block_bytes;
  std::size_t bytes = sizeof(ContentBlock) + block.size;
  if (block.kind == &named_kind) bytes += 1 + block.type().size();
  return bytes;
}

ContentBlock* make_block(const void* data, std::size_t size, const ContentKind& kind,
                         std::size_t extra_bytes) {
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(Errc::too_large,
                "content of " + std::to_string(size) + " bytes is over 4 GiB; send it in pieces");
  }
  void* memory = pool_allocate(sizeof(ContentBlock) + size + extra_bytes);
  auto* block = new (memory) ContentBlock(static_cast<std::uint32_t>(size), &kind);
  if (data != nullptr && size != 0)
    std::memcpy(static_cast<std::byte*>(memory) + sizeof(ContentBlock), data, size);
  return block;
}

}  // namespace

std::string_view ContentBlock::type() const noexcept {
  if (kind != &named_kind) return kind->name;
  const std::byte* name = inline_bytes() + size;
  return {reinterpret_cast<const char*>(name + 1), std::to_integer<std::size_t>(*name)};
}

const ContentExtra* ContentBlock::find(const void* tag) const noexcept {
  const ContentExtra* extra = extras.load(std::memory_order_acquire);
  while (extra != nullptr && extra->tag_ != tag) extra = extra->next_;
  return extra;
}

const ContentExtra* ContentBlock::keep(ContentExtra* extra) noexcept {
  ContentExtra* first = extras.load(std::memory_order_acquire);
  do {
    for (const ContentExtra* other = first; other != nullptr; other = other->next_) {
      if (other->tag_ != extra->tag_) continue;
      delete extra;
      return other;
    }
    extra->next_ = first;
  } while (!extras.compare_exchange_weak(first, extra, std::memory_order_acq_rel,
                                         std::memory_order_acquire));
  return extra;
}

std::span<const std::byte> ContentBlock::bytes() {
  if (!is_typed()) return {inline_bytes(), size};
  if (kind->view != nullptr) return kind->view(value());
  const ContentExtra* kept = find(&Encoded::tag);
  if (kept == nullptr) {
    auto encoded = std::make_unique<Encoded>();
    kind->encode(value(), encoded->bytes);
    encoded->bytes.shrink_to_fit();
    kept = keep(encoded.release());
  }
  return static_cast<const Encoded*>(kept)->bytes;
}

ContentBlock* make_bytes_block(std::span<const std::byte> data, std::string_view type) {
  const ContentKind& kind = kind_named(type);
  if (&kind != &named_kind) return make_block(data.data(), data.size(), kind, 0);
  if (type.empty() || type.size() > max_content_type_bytes) {
    throw Error(Errc::bad_options, "a content type's name has 1 to 127 bytes, not " +
                                       std::to_string(type.size()) + "; shorten it");
  }
  ContentBlock* block = make_block(data.data(), data.size(), kind, 1 + type.size());
  auto* name = reinterpret_cast<std::byte*>(block + 1) + data.size();
  *name = static_cast<std::byte>(type.size());
  std::memcpy(name + 1, type.data(), type.size());
  return block;
}

ContentBlock* make_bytes_block(std::span<const std::byte> data) {
  return make_block(data.data(), data.size(), bytes_kind, 0);
}

Content content_with_room(std::size_t bytes) {
  return Content::adopt(make_block(nullptr, bytes, bytes_kind, 0));
}

std::span<std::byte> room_in(const Content& content) noexcept {
  ContentBlock* const block = content.block();
  return {reinterpret_cast<std::byte*>(block + 1), block->size};
}

ContentBlock* make_text_block(std::string_view text) {
  return make_block(text.data(), text.size(), text_kind, 0);
}

Content renamed(Content content, std::string_view type) {
  const ContentKind& kind = kind_named(type);
  ContentBlock* const block = content.block();
  const bool is_ours = block != nullptr && block->kind == &bytes_kind && block->refs.load() == 1;
  if (!is_ours || &kind == &named_kind) return Content::bytes(content.bytes(), type);
  block->kind = &kind;
  return content;
}

namespace {

// Not inlined, to keep the path short for contents that have nothing but their bytes.
[[gnu::noinline]] void destroy_with_all(ContentBlock* block) noexcept {
  ContentExtra* extra = block->extras.load(std::memory_order_relaxed);
  const ContentKind& kind = *block->kind;
  while (extra != nullptr) delete std::exchange(extra, ContentBlock::next_of(extra));
  if (kind.destroy != nullptr) kind.destroy(const_cast<void*>(block->value()));
  pool_free(block, block_bytes(*block));
}

}  // namespace

void destroy_block(ContentBlock* block) noexcept {
  const ContentKind& kind = *block->kind;
  if (block->extras.load(std::memory_order_relaxed) == nullptr && kind.destroy == nullptr)
      [[likely]] {
    if (kind.block_bytes != 0) return pool_free(block, kind.block_bytes);
    if (&kind != &named_kind) return pool_free(block, sizeof(ContentBlock) + block->size);
  }
  destroy_with_all(block);
}

void fail_wrong_type(std::string_view held, std::string_view wanted) {
  const std::string what =
      held.empty() ? "there is no content, but it should be"
                   : "the content is of type " + quoted(held, max_content_type_bytes) + ", not";
  throw Error(Errc::wrong_type, what + " of type " + quoted(wanted, max_content_type_bytes) +
                                    "; look at type() first, or use try_as");
}

namespace {

constexpr std::string_view cannot_decode = "cannot decode: ";

}  // namespace

void fail_decoding(const std::string& reason) {
  throw Error(Errc::bad_encoding, std::string(cannot_decode) + reason);
}

void fail_decoding_at(const Error& failure, std::string_view type, const Decoder& decoder) {
  if (failure.errc() != Errc::bad_encoding) throw;
  std::string_view reason = failure.sentence();
  if (reason.starts_with(cannot_decode)) reason.remove_prefix(cannot_decode.size());
  std::string sentence = "cannot decode " + quoted(type, max_content_type_bytes) + ": ";
  sentence += reason;
  if (const std::string place = decoder.place(); !place.empty()) {
    sentence += ", at " + place + " (fields and items count from 0)";
  }
  throw Error(Errc::bad_encoding,
              sentence + "; build sender and receiver with the same definition of the type");
}

}  // namespace coracle::detail
