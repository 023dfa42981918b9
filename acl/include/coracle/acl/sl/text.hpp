// FIPA-SL as text. Reading gives a tree or a refusal for every input, in linear time and within
// limits. Writing gives the compact form of JADE's directory facilitator.
// Tests: acl/tests/sl/text_test.cpp; fuzzer: tests/fuzz/sl_fuzz.cpp.
#pragma once

#include "coracle/acl/sl/term.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::acl::sl {

// The limits for one text. The nesting is limited to max_depth, too.
struct Limits {
  // The length of the text.
  std::size_t bytes = std::size_t{1} << 20;
  // The number of constants, variables and compounds.
  std::size_t terms = 200'000;
  std::size_t depth = max_depth;
};

// The place and the reason of a refusal. The reason is part of a sentence: "the parenthesis is not
// closed".
struct Fault {
  std::size_t offset = 0;
  std::string reason;

  bool operator==(const Fault&) const = default;
};

// A part of a text.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  // That part of `text`.
  std::string_view of(std::string_view text) const noexcept {
    return text.substr(begin, end - begin);
  }
  bool operator==(const Span&) const = default;
};

// The result of reading the content of a message: its expressions and the place of each in the
// text, or the fault.
struct Reading {
  std::vector<Term> expressions;
  std::vector<Span> spans;
  std::optional<Fault> fault;

  // Returns whether the text was read.
  explicit operator bool() const noexcept { return !fault; }
};

// Reads the content of a message: "((action A (sell B)))", a parenthesis with at least one
// expression. Each is a proposition (a word), a formula, an action or a referential expression.
Reading read_content(std::string_view text, const Limits& limits = {});
// Reads one term; the result has one expression.
Reading read_term(std::string_view text, const Limits& limits = {});
// The same two, but failing with Errc::bad_encoding and a sentence about the fault.
std::vector<Term> content_from(std::string_view text, const Limits& limits = {});
Term term_from(std::string_view text, const Limits& limits = {});

// The text of a term, which reads back as the same term. A text is written as a word if it reads
// back as a text: "true", "12" and a text with blanks are quoted. A text that has to be quoted and
// ends with a backslash is written as #n", because JADE does not escape backslashes.
std::string to_text(const Term& term);
// The text of a message's content.
std::string to_text(const std::vector<Term>& content);

}  // namespace coracle::acl::sl
