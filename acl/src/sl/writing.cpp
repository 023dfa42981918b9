#include "coracle/acl/sl/text.hpp"

#include "coracle/acl/base64.hpp"
#include "sl/lexer.hpp"

#include <charconv>

namespace coracle::acl::sl {

namespace {

void write_bytes(std::string& out, std::string_view bytes) {
  out += '#';
  out += std::to_string(bytes.size());
  out += '"';
  out += bytes;
}

void write_text(std::string& out, std::string_view text) {
  if (is_plain_word(text)) {
    out += text;
    return;
  }
  // The backslash would make the closing quote a part of the string.
  if (text.ends_with('\\')) return write_bytes(out, text);
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '\\';
    out += c;
  }
  out += '"';
}

// Writes as Java does: 0.001 to 9999999.0 plainly, other numbers as 1.5E10.
void write_real(std::string& out, double number) {
  char buffer[40];
  const auto end =
      std::to_chars(std::begin(buffer), std::end(buffer), number, std::chars_format::scientific);
  std::string_view text(buffer, static_cast<std::size_t>(end.ptr - buffer));
  if (text[0] == '-') {
    out += '-';
    text.remove_prefix(1);
  }
  const auto e = text.find('e');
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), end.ptr, exponent);
  std::string digits(text.substr(0, e));
  if (digits.size() > 1) digits.erase(1, 1);  // the point
  if (number == 0) {
    out += "0.0";
  } else if (exponent < -3 || exponent >= 7) {
    out += digits[0];
    out += '.';
    out += digits.size() > 1 ? digits.substr(1) : "0";
    out += 'E';
    out += std::to_string(exponent);
  } else if (exponent < 0) {
    out += "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  } else {
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() <= whole) digits.append(whole + 1 - digits.size(), '0');
    out += digits.insert(whole, 1, '.');
  }
}

struct Writer {
  std::string& out;

  void operator()(const std::string& text) const { write_text(out, text); }
  void operator()(bool truth) const { out += truth ? "true" : "false"; }
  void operator()(std::int64_t number) const { out += std::to_string(number); }
  void operator()(double number) const { write_real(out, number); }
  void operator()(const DateTime& date) const { out += to_text(date); }
  void operator()(const std::vector<std::byte>& bytes) const {
    std::string text;
    append_base64(text, bytes);
    write_bytes(out, text);
  }
  void operator()(const Variable& variable) const { write_name('?', variable.name); }
  void operator()(const Compound& compound) const {
    out += '(';
    if (compound.symbol == "-") out += '-';
    else write_symbol(compound.symbol);
    for (const Argument& each : compound.arguments) {
      out += ' ';
      if (!each.slot.empty()) {
        write_name(':', each.slot);
        out += ' ';
      }
      std::visit(*this, each.value.value());
    }
    out += ')';
  }

 private:
  // A truth value is a symbol like any other there.
  void write_symbol(const std::string& symbol) const {
    if (is_same_symbol(symbol, "true") || is_same_symbol(symbol, "false")) out += symbol;
    else write_text(out, symbol);
  }
  void write_name(char mark, const std::string& name) const {
    out += mark;
    write_symbol(name);
  }
};

}  // namespace

std::string to_text(const Term& term) {
  std::string text;
  std::visit(Writer{text}, term.value());
  return text;
}

std::string to_text(const std::vector<Term>& content) {
  std::string text = "(";
  for (const Term& each : content) {
    if (text.size() > 1) text += ' ';
    std::visit(Writer{text}, each.value());
  }
  return text += ')';
}

}  // namespace coracle::acl::sl
