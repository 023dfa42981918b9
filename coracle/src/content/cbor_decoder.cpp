#include "cbor_token.hpp"
#include "coracle/codec.hpp"
#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <array>
#include <limits>

namespace coracle {

namespace {

using cbor::Kind;
using cbor::Token;

// An array or map that is being read. The struct is small and is not cleared at the start: a
// decoder has many of them, and most contents need one.
struct Open {
  std::uint64_t left : 62;  // items; a pair counts as two
  std::uint64_t indefinite : 1;
  std::uint64_t map : 1;
};
constexpr std::uint64_t most_items = (std::uint64_t{1} << 62) - 1;  // more than there are bytes
// For longer input, an error names no place: a sender of content that cannot be decoded must not
// cause more work than this.
constexpr std::size_t largest_with_place = std::size_t{256} << 10;

class CborDecoder final : public Decoder {
 public:
  CborDecoder(std::span<const std::byte> input, DecodeLimits limits)
      : input_(input),
        budget_(input.size() * limits.bytes_per_input_byte + limits.extra_bytes) {}

  Shape peek() override {
    if (at_end()) return Shape::end;
    switch (head().kind) {
      case Kind::null: return Shape::null;
      case Kind::boolean: return Shape::boolean;
      case Kind::positive:
      case Kind::negative: return Shape::integer;
      case Kind::floating: return Shape::floating;
      case Kind::text: return Shape::text;
      case Kind::bytes: return Shape::bytes;
      case Kind::array: return Shape::array;
      default: return Shape::map;
    }
  }

  void null() override { take(Kind::null, "null"); }
  bool boolean() override { return take(Kind::boolean, "a boolean").number != 0; }

  std::int64_t integer() override {
    const Token& next = head();
    const bool negative = next.kind == Kind::negative;
    // It stays, and may be read without a sign.
    if ((negative || next.kind == Kind::positive) &&
        next.number > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
      detail::fail_decoding("an integer does not fit 64 bits with a sign");
    }
    const Token& taken = take(negative ? Kind::negative : Kind::positive, "an integer");
    return static_cast<std::int64_t>(negative ? ~taken.number : taken.number);
  }

  std::uint64_t unsigned_integer() override {
    return take(Kind::positive, "an integer without a sign").number;
  }

  double floating() override {
    switch (head().kind) {
      case Kind::positive: return static_cast<double>(take(Kind::positive, "").number);
      case Kind::negative: return -1.0 - static_cast<double>(take(Kind::negative, "").number);
      default: return take(Kind::floating, "a number").real;
    }
  }

  std::string_view text() override {
    const auto data = string(Kind::text, "text");
    return {reinterpret_cast<const char*>(data.data()), data.size()};
  }
  std::span<const std::byte> bytes() override { return string(Kind::bytes, "bytes"); }

  std::size_t begin_array() override { return begin(Kind::array, "an array"); }
  void end_array() override { end(false); }
  std::size_t begin_map() override { return begin(Kind::map, "a map") / 2; }
  void end_map() override { end(true); }

  void skip() override {
    head();
    at_ = pass(at_);
    done();
  }

  void finish() override {
    if (depth_ != 0 || !finished_) detail::fail_decoding("an item is left unread");
    if (at_ != input_.size()) detail::fail_decoding("bytes follow the value");
  }

  void charge(std::size_t bytes) override {
    if (bytes > budget_) detail::fail_decoding("it would take more memory than its size justifies");
    budget_ -= bytes;
  }

  std::string place() const override;

 private:
  bool at_end() const { return depth_ == 0 ? finished_ : open_[depth_ - 1].left == 0; }

  // The token at `at`: the head of an item, a break or a tag.
  Token token_at(std::size_t at) const {
    Token found;
    read_token(at, found);
    return found;
  }
  void read_token(std::size_t at, Token& found) const {
    found.indefinite = false;
    const auto rest = input_.subspan(at);
    const auto* data = reinterpret_cast<const unsigned char*>(rest.data());
    const auto result = cbor_stream_decode(data, rest.size(), &cbor::token_callbacks, &found);
    if (result.status != CBOR_DECODER_FINISHED) {
      at_next_ |= &found == &head_;
      detail::fail_decoding(result.status == CBOR_DECODER_NEDATA ? "the input ends too early"
                                                                 : "the input is not CBOR");
    }
    found.read = result.read;
  }

  [[noreturn]] void fail_next(const char* reason) {
    at_next_ = true;
    detail::fail_decoding(reason);
  }

  // The next item's head, after its tags.
  const Token& head() {
    if (known_) return head_;
    if (at_end()) fail_next("there are fewer items than expected");
    for (read_token(at_, head_); head_.kind == Kind::tag; read_token(at_, head_)) at_ += head_.read;
    if (head_.kind == Kind::stop) fail_next("a break is where an item should be");
    known_ = true;
    return head_;
  }

  // The result is valid until the next head is read.
  const Token& take(Kind kind, const char* wanted) {
    const Token& taken = head();
    if (taken.kind != kind) detail::fail_decoding(std::string("expected ") + wanted);
    at_ += taken.read;
    done();
    return taken;
  }

  // Counts one item of the innermost array or map as read.
  void done() {
    known_ = false;
    if (depth_ == 0) finished_ = true;
    else --open_[depth_ - 1].left;
  }

  std::span<const std::byte> string(Kind kind, const char* wanted) {
    const Token& taken = take(kind, wanted);
    if (!taken.indefinite) return taken.data;
    joined_.clear();
    for (;;) {
      const Token piece = token_at(at_);
      at_ += piece.read;
      if (piece.kind == Kind::stop) return joined_;
      check_piece(piece, kind);
      charge(piece.data.size());
      joined_.insert(joined_.end(), piece.data.begin(), piece.data.end());
    }
  }

  static void check_piece(const Token& piece, Kind kind) {
    if (piece.kind != kind || piece.indefinite) detail::fail_decoding("a string has a wrong piece");
  }

  // The array or map with this head, with the number of items that the head announces; `at` is
  // behind the head.
  Open opened(const Token& taken, std::size_t at, std::size_t depth) const {
    if (depth >= max_codec_depth) detail::fail_decoding("it is nested deeper than 32");
    const bool map = taken.kind == Kind::map;
    if (taken.indefinite) return {0, true, map};
    if (taken.number > (input_.size() - at) / (map ? 2 : 1)) {
      detail::fail_decoding("it announces more items than there are bytes");
    }
    return {taken.number * (map ? 2 : 1) & most_items, false, map};
  }

  std::size_t begin(Kind kind, const char* wanted) {
    const Token& taken = take(kind, wanted);
    Open open = opened(taken, at_, depth_);
    if (open.indefinite) {
      for (std::size_t at = at_; token_at(at).kind != Kind::stop; at = pass(at)) ++open.left;
      if (open.map && open.left % 2 != 0) detail::fail_decoding("a map has a key without a value");
    }
    open_[depth_++] = open;
    return open.left;
  }

  void end(bool map) {
    if (depth_ == 0 || open_[depth_ - 1].map != map)
      detail::fail_decoding("no array or map ends here");
    known_ = false;
    at_next_ = true;
    for (; open_[depth_ - 1].left != 0; --open_[depth_ - 1].left) at_ = pass(at_);
    at_next_ = false;
    if (open_[--depth_].indefinite) at_ += token_at(at_).read;
  }

  std::size_t pass(std::size_t at) const;
  std::size_t behind_tags(std::size_t at) const;
  std::string step(const Open& open, std::size_t begin, std::size_t item) const;

  std::span<const std::byte> input_;
  std::size_t at_ = 0;
  std::size_t budget_;
  Token head_;
  bool known_ = false;  // head_ is the token at at_
  // A failure concerns the next item, not the item that was taken last.
  mutable bool at_next_ = false;
  bool finished_ = false;
  std::array<Open, max_codec_depth> open_;
  std::size_t depth_ = 0;
  std::vector<std::byte> joined_;
};

// Skips the item at `at` with all that is in it; returns the position of the next item.
std::size_t CborDecoder::pass(std::size_t at) const {
  std::array<Open, max_codec_depth> inner;
  std::size_t depth = 0;
  bool tagged = false;
  for (;;) {
    const Token found = token_at(at);
    at += found.read;
    if (found.kind == Kind::stop) {
      const bool fits = depth != 0 && inner[depth - 1].indefinite && !tagged;
      if (!fits || (inner[depth - 1].map && inner[depth - 1].left % 2 != 0)) {
        detail::fail_decoding("a break is where an item should be");
      }
      --depth;
    } else if (found.kind == Kind::array || found.kind == Kind::map) {
      tagged = false;
      const Open open = opened(found, at, depth_ + depth);
      if (open.indefinite || open.left != 0) {
        inner[depth++] = open;
        continue;
      }
    } else if (found.indefinite) {
      tagged = false;
      for (Token piece = token_at(at); piece.kind != Kind::stop; piece = token_at(at)) {
        check_piece(piece, found.kind);
        at += piece.read;
      }
      ++at;  // the break
    } else {
      tagged = found.kind == Kind::tag;
      if (tagged) continue;
    }
    // One item is over, and with it perhaps the array or map in which it was the last. The count of
    // an indefinite array or map goes upwards, so that a break within a pair is noticed.
    while (depth != 0 && !inner[depth - 1].indefinite && --inner[depth - 1].left == 0) --depth;
    if (depth == 0) return at;
    if (inner[depth - 1].indefinite) ++inner[depth - 1].left;
  }
}

std::size_t CborDecoder::behind_tags(std::size_t at) const {
  for (Token found = token_at(at); found.kind == Kind::tag; found = token_at(at)) at += found.read;
  return at;
}

// The text for item number `item` of an array or map whose first item begins at `begin`.
std::string CborDecoder::step(const Open& open, std::size_t begin, std::size_t item) const {
  if (!open.map) return "[" + std::to_string(item) + "]";
  if (item % 2 == 0) return "[key " + std::to_string(item / 2) + "]";
  std::size_t at = begin;
  for (std::size_t i = 0; i + 1 < item; ++i) at = pass(at);
  const Token key = token_at(behind_tags(at));
  if (key.kind == Kind::positive) return "[" + std::to_string(key.number) + "]";
  if (key.kind != Kind::text || key.indefinite) return "[pair " + std::to_string(item / 2) + "]";
  const std::string_view text(reinterpret_cast<const char*>(key.data.data()), key.data.size());
  return "[" + detail::quoted(text, 40) + "]";
}

// The input is read again from the beginning, because no counts are kept before a failure.
std::string CborDecoder::place() const {
  std::string place;
  if (input_.size() > largest_with_place) return place;
  try {
    std::size_t at = 0;
    for (std::size_t i = 0; i < depth_; ++i) {
      at = behind_tags(at);
      const Token head = token_at(at);
      at += head.read;
      std::size_t count = opened(head, at, i).left;
      if (head.indefinite) {
        for (std::size_t each = at; token_at(each).kind != Kind::stop; each = pass(each)) ++count;
      }
      std::size_t item = count - open_[i].left;
      const bool is_next = i + 1 == depth_ && (known_ || at_next_);
      if (!is_next && item-- == 0) break;  // nothing of this array or map was taken
      place += step(open_[i], at, item);
      if (i + 1 == depth_) break;
      for (std::size_t each = 0; each < item; ++each) at = pass(at);
    }
  } catch (const Error&) {
    // The result is the place as far as it can be read.
  }
  return place;
}

}  // namespace

std::unique_ptr<Decoder> cbor_decoder(std::span<const std::byte> input, DecodeLimits limits) {
  return std::make_unique<CborDecoder>(input, limits);
}

}  // namespace coracle
