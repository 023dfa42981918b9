#include "scanf_format.hpp"

#include "coracle/support/quote.hpp"

#include "coracle/errors.hpp"

#include <re2/re2.h>

#include <cstddef>
#include <initializer_list>

namespace coracle::detail {
namespace {

constexpr std::string_view spaces = " \t\n\v\f\r";
constexpr std::string_view skip_spaces = "[ \\t\\n\\v\\f\\r]*";
constexpr int max_width = 999;        // RE2 repeats at most 1,000 times
constexpr int max_number_width = 64;  // the expression for %f grows with its width

std::string concat(std::initializer_list<std::string_view> pieces) {
  std::string all;
  for (const auto piece : pieces) all += piece;
  return all;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// `what` repeated at least `least` times and, when there is a width, at most `most` times.
std::string repeated(std::string_view what, int least, int most) {
  return concat({what, "{", std::to_string(least), ",", std::to_string(most), "}"});
}

class Translator {
 public:
  explicit Translator(std::string_view format) : format_(format) {}

  std::string translate() {
    regex_ = "\\A";
    while (at_ < format_.size()) {
      const char c = format_[at_];
      if (spaces.find(c) != spaces.npos) {
        const auto end = format_.find_first_not_of(spaces, at_);
        at_ = end == format_.npos ? format_.size() : end;
        regex_ += skip_spaces;
      } else if (c == '%') {
        conversion();
      } else {
        const auto end = format_.find_first_of(" \t\n\v\f\r%", at_);
        regex_ += RE2::QuoteMeta(std::string(format_.substr(at_, end - at_)));
        at_ = end == format_.npos ? format_.size() : end;
      }
    }
    return regex_ + "\\z";
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(Errc::bad_pattern,
                concat({"The format ", quoted(format_, 200), " ", what,
                        "; the conversions are %d %u %x %f %s %c %[...] and %%, each with an "
                        "optional * and width."}));
  }

  void conversion() {
    const auto start = at_++;
    const bool suppressed = at_ < format_.size() && format_[at_] == '*';
    if (suppressed) ++at_;
    const int width = read_width();
    if (at_ == format_.size()) fail("ends inside a conversion");
    const char kind = format_[at_++];
    if (kind == '%') {
      if (at_ - start != 2) fail("has a star or width in %%");
      regex_ += '%';
      return;
    }
    if (kind != 'c' && kind != '[') regex_ += skip_spaces;
    regex_ += suppressed ? "(?:" : "(";
    regex_ += body(kind, width, start);
    regex_ += ')';
  }

  // Returns 0 when no width is given.
  int read_width() {
    if (at_ == format_.size() || !is_digit(format_[at_])) return 0;
    int width = 0;
    for (; at_ < format_.size() && is_digit(format_[at_]); ++at_) {
      width = width * 10 + (format_[at_] - '0');
      if (width > max_width) fail("has a width over 999");
    }
    if (width == 0) fail("has a width of 0");
    return width;
  }

  std::string body(char kind, int width, std::size_t start) {
    switch (kind) {
      case 'd': return decimal(width);
      case 'u': return run_of("[0-9]", width);
      case 'x': return hexadecimal(width);
      case 'f': return floating(width);
      case 's': return run_of("[^ \\t\\n\\v\\f\\r]", width);
      case 'c': return concat({"(?s:.){", std::to_string(width == 0 ? 1 : width), "}"});
      case '[': return run_of(character_set(), width);
      default: break;
    }
    fail(concat({"has the unknown conversion ", quoted(format_.substr(start, at_ - start))}));
  }

  static std::string run_of(std::string_view what, int width) {
    return width == 0 ? concat({what, "+"}) : repeated(what, 1, width);
  }

  static std::string decimal(int width) {
    if (width == 0) return "[+-]?[0-9]+";
    const std::string plain = repeated("[0-9]", 1, width);
    if (width == 1) return plain;
    return concat({plain, "|[+-]", repeated("[0-9]", 1, width - 1)});
  }

  static std::string hexadecimal(int width) {
    if (width == 0) return "(?:0[xX])?[0-9a-fA-F]+";
    const std::string plain = repeated("[0-9a-fA-F]", 1, width);
    if (width < 3) return plain;
    return concat({"0[xX]", repeated("[0-9a-fA-F]", 1, width - 2), "|", plain});
  }

  std::string floating(int width) const {
    if (width == 0) {
      return "[+-]?(?:(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
             "|(?i:inf(?:inity)?|nan))";
    }
    if (width > max_number_width) fail("has a width over 64 in %f");
    const std::string plain = fixed(width);
    return width == 1 ? plain : concat({plain, "|[+-](?:", fixed(width - 1), ")"});
  }

  // An expression for every unsigned number in fixed notation of at most `width` characters.
  static std::string fixed(int width) {
    std::string all = repeated("[0-9]", 1, width);
    for (int before = 1; before < width; ++before) {
      all += concat({"|", repeated("[0-9]", before, before), "\\.",
                     repeated("[0-9]", 0, width - 1 - before)});
    }
    if (width > 1) all += concat({"|\\.", repeated("[0-9]", 1, width - 1)});
    return all;
  }

  // A scanf set has no escapes; a `]` that comes first is a member. Characters that are special to
  // RE2 but not to scanf are quoted.
  std::string character_set() {
    std::string set = "[";
    if (at_ < format_.size() && format_[at_] == '^') {
      set += '^';
      ++at_;
    }
    for (bool first = true; at_ < format_.size(); first = false, ++at_) {
      const char c = format_[at_];
      if (c == ']' && !first) {
        ++at_;
        return set + "]";
      }
      const bool last = at_ + 1 < format_.size() && format_[at_ + 1] == ']';
      const bool quote = std::string_view("\\[]^").find(c) != std::string_view::npos ||
                         (c == '-' && (first || last));
      if (quote) set += '\\';
      set += c;
    }
    fail("has a %[ without its ]");
  }

  std::string_view format_;
  std::size_t at_ = 0;
  std::string regex_;
};

}  // namespace

std::string regex_of_format(std::string_view format) { return Translator(format).translate(); }

}  // namespace coracle::detail
