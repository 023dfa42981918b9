// The parts of a Pattern; shared by its copies, by PatternIndex and by the code that encodes it.
#pragma once

#include "coracle/pattern.hpp"

#include <re2/re2.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::detail {

// A compiled expression. RE2 objects are safe to share between threads.
struct Expression {
  std::string written;                  // as the user wrote it, for error texts and encoding
  std::string regex;                    // the expression for RE2; differs only for formats
  std::unique_ptr<const RE2> compiled;  // of `regex`
  // A text that matches contains at least one of these; empty if none is known.
  std::vector<std::string> literals;

  // Returns whether the whole of `name` matches.
  bool matches_whole(std::string_view name) const;
  // Returns whether a match is found somewhere in `text`.
  bool found_in(std::string_view text) const;

 private:
  bool ruled_out(std::string_view text) const;
};

using SharedExpression = std::shared_ptr<const Expression>;

// The conditions of a pattern; a null or empty member is no condition.
struct PatternParts {
  Name source_name;
  Name target_name;
  SharedExpression source;
  SharedExpression target;
  SharedExpression text;
  SharedExpression format;
  std::vector<std::pair<std::string, std::string>> components;

  bool has_source() const noexcept { return source || !source_name.empty(); }
  bool has_target() const noexcept { return target || !target_name.empty(); }
  bool has_text() const noexcept { return text || format; }

  bool source_matches(std::string_view name) const;
  bool target_matches(std::string_view name) const;
  bool components_match(const HeaderView& headers) const;
  bool text_matches(std::string_view content) const;
};

// The options of every expression: 1 MiB, and nothing is written to a log.
RE2::Options expression_options();

}  // namespace coracle::detail
