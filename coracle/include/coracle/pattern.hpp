// The patterns of eavesdroppers: conditions on a message's source, target, text and headers.
// Regular expressions are RE2's: matching takes time linear in the text, whatever the expression.
// Realization: coracle/src/patterns/pattern.cpp. Tests: coracle/tests/patterns/pattern_test.cpp
#pragma once

#include "coracle/name.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle {

namespace detail {
struct PatternParts;
}

// Reads the headers of one message, however they are stored.
class HeaderView {
 public:
  virtual ~HeaderView() = default;

  // The value of header `key`; nothing when the message has no such header.
  virtual std::optional<std::string_view> find(std::string_view key) const = 0;

 protected:
  HeaderView() = default;
  HeaderView(const HeaderView&) = default;
  HeaderView& operator=(const HeaderView&) = default;
};

// The headers of a message that has none.
class NoHeaders final : public HeaderView {
 public:
  std::optional<std::string_view> find(std::string_view) const override { return std::nullopt; }
};

// A pattern selects the messages that meet every condition that was set.
// Copies share their parts, and setting a condition on one copy never changes another, so copies
// may be used by several threads at once.
//
//   Pattern bids = Pattern().source("lab/.*").text("price=[0-9]+");
//   Pattern moves = Pattern().target_is("board").format("move %s to %d,%d");
class Pattern {
 public:
  // The longest expression, format or component, in bytes.
  static constexpr std::size_t max_bytes = 1024;
  // The largest number of components that one pattern may require.
  static constexpr std::size_t max_components = 64;

  // Every message.
  Pattern() = default;

  // The whole source name must match `regex`. Replaces an earlier condition on the source.
  // Fails with Errc::bad_pattern when RE2 cannot compile `regex` or it is over max_bytes.
  Pattern& source(std::string_view regex);
  // The whole name of the target, agent or group, must match `regex`. Replaces an earlier
  // condition on the target. Fails like source().
  Pattern& target(std::string_view regex);
  // `regex` must be found somewhere in the content's text: `(?i)` at its start ignores case, `(?s)`
  // lets a dot match a line's end. Replaces an earlier condition on the text. Fails like source().
  Pattern& text(std::string_view regex);

  // The source must be exactly `name`. Replaces an earlier condition on the source.
  // Fails with Errc::bad_pattern when `name` is empty.
  Pattern& source_is(const Name& name);
  // The target must be exactly `name`. Replaces an earlier condition on the target.
  // Fails with Errc::bad_pattern when `name` is empty.
  Pattern& target_is(const Name& name);

  // The message must have a header `header_key` with this value. If there are several components,
  // the message must have all of them; a second one with the same key replaces the first. Fails
  // with Errc::bad_pattern when the key is empty, or key and value are over max_bytes, or there are
  // over max_components.
  Pattern& component(std::string_view header_key, std::string_view value);

  // The whole text must have the form of `scanf_like`, for example "move %s to %d,%d". As with
  // scanf:
  //   white space    any run of white space, also an empty one
  //   %d %u          a decimal number with or without a sign; %u one without
  //   %x             a hexadecimal number, with or without 0x
  //   %f             a number such as -1.5e3; with a width only fixed notation, such as -1.5
  //   %s             a word: everything but white space
  //   %c             one character, or as many as the width gives
  //   %[a-z] %[^,]   one or more of (none of) these characters
  //   %%             a percent sign
  // A width (%5d) is the most characters that a conversion takes, a star (%*d) keeps the conversion
  // out of captures(); numbers and words skip white space before them. Unlike with scanf, a
  // conversion takes fewer characters when the rest of the format requires it. Replaces an earlier
  // format.
  // Fails with Errc::bad_pattern that names the conversion when there is no such conversion.
  Pattern& format(std::string_view scanf_like);

  // Returns whether a message with these parts meets every condition.
  bool matches(std::string_view source, std::string_view target, std::string_view text,
               const HeaderView& headers) const;

  // The texts that the conversions of the format take from `text`, in order; empty when there is no
  // format or `text` does not match it.
  std::vector<std::string> captures(std::string_view text) const;

  // The conditions of this pattern, for the library's own index and encoder; nullptr: no condition.
  const detail::PatternParts* parts() const noexcept { return parts_.get(); }

 private:
  detail::PatternParts clone() const;
  Pattern& assign(detail::PatternParts&& parts);

  std::shared_ptr<const detail::PatternParts> parts_;
};

}  // namespace coracle
