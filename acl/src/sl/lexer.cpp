#include "sl/lexer.hpp"

#include "ascii.hpp"
#include "coracle/acl/base64.hpp"

#include "coracle/support/quote.hpp"

#include <charconv>
#include <system_error>
#include <utility>
#include <variant>

namespace coracle::acl::sl {

namespace {

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr bool is_in_word(char c) noexcept {
  return static_cast<unsigned char>(c) > 0x20 && c != '(' && c != ')' && c != '"';
}

constexpr bool begins_word(char c) noexcept {
  return is_in_word(c) && !is_digit(c) && c != '#' && c != ':' && c != '-' && c != '?';
}

// Removes digits from the front of `text`, and returns how many there were.
std::size_t take_digits(std::string_view& text) noexcept {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  text.remove_prefix(count);
  return count;
}

bool is_hexadecimal(std::string_view text) noexcept {
  if (text.size() < 3 || text[0] != '0' || (text[1] | 0x20) != 'x') return false;
  return text.substr(2).find_first_not_of("0123456789abcdefABCDEF") == text.npos;
}

enum class Form : std::uint8_t { none, integer, hexadecimal, real };

// The form of a number without its sign.
Form form_of(std::string_view text) noexcept {
  if (is_hexadecimal(text)) return Form::hexadecimal;
  std::size_t digits = take_digits(text);
  if (digits > 0 && text.empty()) return Form::integer;
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    digits += take_digits(text);
  }
  if (digits == 0) return Form::none;
  if (text.empty()) return Form::real;
  if ((text[0] | 0x20) != 'e') return Form::none;
  text.remove_prefix(1);
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return take_digits(text) > 0 && text.empty() ? Form::real : Form::none;
}

std::string_view without_sign(std::string_view text) noexcept {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return text;
}

// The number, which has the form `form`; empty if it is out of the range of the type.
std::optional<Term> number_of(std::string_view text, Form form) {
  if (text[0] == '+') text.remove_prefix(1);
  if (form == Form::real) {
    double real = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), real);
    if (read.ec != std::errc()) return std::nullopt;
    return Term(real);
  }
  const bool is_negative = text[0] == '-';
  std::string digits = is_negative ? "-" : "";
  digits += without_sign(text).substr(form == Form::hexadecimal ? 2 : 0);
  std::int64_t integer = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), integer,
                                    form == Form::hexadecimal ? 16 : 10);
  if (read.ec != std::errc()) return std::nullopt;
  return Term(integer);
}

}  // namespace

bool is_plain_word(std::string_view text) noexcept {
  if (text.empty() || !begins_word(text[0])) return false;
  for (const char c : text) {
    if (!is_in_word(c) || static_cast<unsigned char>(c) >= 0x80) return false;
  }
  if (is_same_symbol(text, "true") || is_same_symbol(text, "false")) return false;
  return !(text[0] == '+' && date_time_from(text)) && form_of(without_sign(text)) == Form::none;
}

std::optional<Token> Lexer::refuse(std::size_t offset, std::string reason) {
  fault_ = {offset, std::move(reason)};
  return std::nullopt;
}

std::optional<Token> Lexer::next(bool is_symbol) {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  Token token;
  token.offset = at_;
  if (at_ == text_.size()) return token;
  switch (text_[at_]) {
    case '(':
      ++at_;
      return token.kind = Token::Kind::open, token;
    case ')':
      ++at_;
      return token.kind = Token::Kind::close, token;
    case ':':
    case '?':
      return take_name(std::move(token));
    case '#':
      return take_bytes(std::move(token));
    default:
      return take_constant(std::move(token), is_symbol);
  }
}

std::string_view Lexer::take_word() noexcept {
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_in_word(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::optional<std::string> Lexer::take_string() {
  std::string value;
  std::size_t copied = ++at_;
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] != '"') continue;
    // A quote behind a backslash belongs to the string.
    const bool is_escaped = at_ > copied && text_[at_ - 1] == '\\';
    value += text_.substr(copied, at_ - copied - (is_escaped ? 1 : 0));
    if (!is_escaped) return ++at_, value;
    value += '"';
    copied = at_ + 1;
  }
  return std::nullopt;
}

std::optional<std::string> Lexer::take_quoted_name() {
  const std::size_t begin = at_;
  if (text_[at_] == '"') {
    std::optional<std::string> name = take_string();
    if (!name) refuse(begin, "the quotation mark is not closed");
    return name;
  }
  Token token;
  token.offset = begin;
  const std::optional<Token> found = take_bytes(std::move(token));
  if (!found) return std::nullopt;
  const auto* name = found->term.as<std::string>();
  return name == nullptr ? std::string() : *name;
}

std::optional<Token> Lexer::take_name(Token&& token) {
  const bool is_slot = text_[at_++] == ':';
  std::string name;
  if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '#')) {
    std::optional<std::string> found = take_quoted_name();
    if (!found) return std::nullopt;
    name = std::move(*found);
  } else if (at_ < text_.size() && begins_word(text_[at_])) {
    name = take_word();
  }
  if (name.empty()) {
    return refuse(token.offset, is_slot ? "a slot needs a name" : "a variable needs a name");
  }
  token.kind = is_slot ? Token::Kind::slot : Token::Kind::term;
  if (is_slot) token.slot = std::move(name);
  else token.term = Variable{std::move(name)};
  return std::move(token);
}

std::optional<Token> Lexer::take_bytes(Token&& token) {
  std::string_view rest = text_.substr(at_ + 1);
  std::size_t length = 0;
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), length);
  const auto digits = static_cast<std::size_t>(read.ptr - rest.data());
  if (read.ec != std::errc() || digits == rest.size() || rest[digits] != '"') {
    return refuse(token.offset, "a byte string needs the form #5\"hello");
  }
  rest.remove_prefix(digits + 1);
  if (rest.size() < length) {
    return refuse(token.offset, "the byte string is longer than the rest of the text");
  }
  at_ = text_.size() - rest.size() + length;
  rest = rest.substr(0, length);
  token.kind = Token::Kind::term;
  // Only the text that such bytes are written as stands for bytes, so that each term has one text.
  auto bytes = from_base64(rest);
  std::string written;
  if (bytes) append_base64(written, *bytes);
  if (bytes && written == rest) token.term = std::move(*bytes);
  else token.term = std::string(rest);
  return std::move(token);
}

std::optional<Token> Lexer::take_constant(Token&& token, bool is_symbol) {
  token.kind = Token::Kind::term;
  if (text_[at_] == '"') {
    std::optional<std::string> found = take_string();
    if (!found) return refuse(token.offset, "the quotation mark is not closed");
    token.term = std::move(*found);
    return std::move(token);
  }
  const std::string_view word = take_word();
  if (word.empty()) return refuse(token.offset, "a control character can be in a string only");
  if (const auto date = date_time_from(word)) {
    token.term = *date;
  } else if (const Form form = form_of(without_sign(word)); form != Form::none) {
    std::optional<Term> number = number_of(word, form);
    if (!number) {
      return refuse(token.offset,
                    "the number " + coracle::detail::quoted(word) + " is out of range");
    }
    token.term = std::move(*number);
  } else if (!begins_word(word[0]) && !(is_symbol && word == "-")) {
    return refuse(token.offset, coracle::detail::quoted(word) +
                                    " is no word, number or date; a word that begins with a digit "
                                    "or '-' needs quotation marks");
  } else if (!is_symbol && is_same_symbol(word, "true")) {
    token.term = true;
  } else if (!is_symbol && is_same_symbol(word, "false")) {
    token.term = false;
  } else {
    token.term = std::string(word);
  }
  return std::move(token);
}

}  // namespace coracle::acl::sl
