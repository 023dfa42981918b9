// The tokens of FIPA-SL.
#pragma once

#include "coracle/acl/sl/text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::acl::sl {

// A word that is not a number, a date or a truth value, and so needs no quotes.
bool is_plain_word(std::string_view text) noexcept;

// One token: a parenthesis, the name of a slot, or a constant or variable.
struct Token {
  enum class Kind : std::uint8_t { open, close, slot, term, end };

  Kind kind = Kind::end;
  std::size_t offset = 0;
  // For Kind::slot, the name. It is empty for every other kind.
  std::string slot;
  // For Kind::term.
  Term term;
};

// Gives the tokens of a text, one after another. Each byte is looked at once.
class Lexer {
 public:
  explicit Lexer(std::string_view text) noexcept : text_(text) {}

  // The next token; empty if there is none at this place, see fault(). `is_symbol` is set behind an
  // opening parenthesis, where "-" is a symbol.
  std::optional<Token> next(bool is_symbol);
  // The fault that next() has found.
  const Fault& fault() const noexcept { return fault_; }
  // The place behind the last token.
  std::size_t place() const noexcept { return at_; }

 private:
  std::optional<Token> refuse(std::size_t offset, std::string reason);
  // The word from here on, up to a blank, a parenthesis or a quote.
  std::string_view take_word() noexcept;
  // The text of the string that begins here; empty if it has no end.
  std::optional<std::string> take_string();
  // The text of a string, or of a byte string that is a text.
  std::optional<std::string> take_quoted_name();
  std::optional<Token> take_name(Token&& token);
  std::optional<Token> take_bytes(Token&& token);
  std::optional<Token> take_constant(Token&& token, bool is_symbol);

  std::string_view text_;
  std::size_t at_ = 0;
  Fault fault_;
};

}  // namespace coracle::acl::sl
