#include "support/some_terms.hpp"

#include <rapidcheck.h>

namespace coracle::acl::test {

namespace {

using sl::Argument;
using sl::Term;
using sl::Variable;

int below(int count) { return *rc::gen::inRange(0, count); }

DateTime some_date() {
  const auto field = [](int count) { return static_cast<std::uint8_t>(below(count)); };
  DateTime date;
  date.kind = static_cast<DateTime::Kind>(below(3));
  date.zone = *rc::gen::element('Z', 'a', '\0');
  date.year = static_cast<std::uint16_t>(below(10'000));
  date.month = field(100);
  date.day = field(100);
  date.hour = field(100);
  date.minute = field(100);
  date.second = field(100);
  date.millisecond = static_cast<std::uint16_t>(below(1000));
  return date;
}

double some_real() {
  const double number = *rc::gen::arbitrary<double>();
  return *rc::gen::element(number, number * 1e20, number * 1e-20, 1e7, 1e-3, 0.0, -0.0, 9999999.5);
}

std::string some_name() {
  std::string name = some_text();
  return name.empty() ? "x" : name;
}

// A symbol that is no operator.
std::string some_symbol() {
  const std::string symbol =
      below(2) == 0 ? *rc::gen::element<std::string>("register", "=", "-", "result", "true", "+")
                    : some_text();
  for (const char* each : {"|", ";", "B", "b", "U", "I", "pg", "not", "and"}) {
    if (sl::is_same_symbol(symbol, each)) return "s" + symbol;
  }
  return symbol;
}

Term some_constant() {
  switch (below(8)) {
    case 0:
      return *rc::gen::arbitrary<std::int64_t>();
    case 1:
      return some_real();
    case 2:
      return some_date();
    case 3:
      return below(2) == 0;
    case 4: {
      std::vector<std::byte> drawn;
      for (int i = below(9); i > 0; --i) drawn.push_back(static_cast<std::byte>(below(256)));
      return drawn;
    }
    case 5:
      return Variable{some_name()};
    default:
      return some_text();
  }
}

std::vector<Term> some_terms(int depth) {
  std::vector<Term> terms;
  for (int i = below(4); i > 0; --i) terms.push_back(some_term(depth));
  return terms;
}

Term some_action(int depth) {
  if (depth > 1 && below(4) == 0) {
    const std::string symbol = *rc::gen::element<std::string>("|", ";");
    return sl::compound(symbol, {some_action(depth - 1), some_action(depth - 1)});
  }
  return sl::action(some_term(depth - 1), some_term(depth - 1));
}

}  // namespace

std::string some_text() {
  if (below(3) > 0) {
    return *rc::gen::element<std::string>(
        "emma", "fipa-request", "a b", "", "true", "FALSE", "12", "-1.5e3", "+5", ".5", "0x1F",
        "20991114T221320123Z", "+00000000T000005000", "#5", ":name", "?x", "-", "--", "a\\",
        "a b\\", "\\", "\"", "\\\"", "a\\\"b", "\"\\", "caf\xc3\xa9", "\xff\\", "(", "a)b", "\x01",
        "line\nline", "http://127.0.0.1:7778/acc", "12f", "NaN");
  }
  std::string text;
  for (int i = below(12); i > 0; --i) {
    text += below(2) == 0 ? static_cast<char>(below(256))
                          : *rc::gen::element('"', '\\', ' ', '(', 'a', '1', '+', 'e');
  }
  return text;
}

Term some_term(int depth) {
  if (depth <= 0 || below(3) == 0) return some_constant();
  switch (below(6)) {
    case 0: {
      std::vector<Argument> slots;
      for (int i = below(4); i > 0; --i) slots.push_back({some_name(), some_term(depth - 1)});
      return sl::frame(some_symbol(), std::move(slots));
    }
    case 1:
      return sl::sequence(some_terms(depth - 1));
    case 2:
      return sl::set(some_terms(depth - 1));
    case 3:
      return some_action(depth);
    case 4: {
      const std::string symbol = *rc::gen::element<std::string>("iota", "any", "all");
      return sl::compound(symbol, {some_term(depth - 1), some_formula(depth - 1)});
    }
    default:
      return sl::compound(some_symbol(), some_terms(depth - 1));
  }
}

Term some_formula(int depth) {
  if (depth <= 0 || below(3) == 0) {
    if (below(5) == 0) return below(2) == 0;
    return some_text();
  }
  switch (below(5)) {
    case 0: {
      const std::string symbol = *rc::gen::element<std::string>("and", "or", "implies", "equiv");
      return sl::compound(symbol, {some_formula(depth - 1), some_formula(depth - 1)});
    }
    case 1:
      return sl::compound("not", {some_formula(depth - 1)});
    case 2: {
      const std::string symbol = *rc::gen::element<std::string>("forall", "exists");
      return sl::compound(symbol, {Variable{some_name()}, some_formula(depth - 1)});
    }
    case 3: {
      if (depth < 2 || below(2) == 0) {
        return sl::compound("B", {some_term(depth - 1), some_formula(depth - 1)});
      }
      std::vector<Term> parts = {some_action(depth - 1)};
      if (below(2) == 0) parts.push_back(some_formula(depth - 1));
      return sl::compound("done", std::move(parts));
    }
    default:
      return sl::compound(some_symbol(), some_terms(depth - 1));
  }
}

std::vector<Term> some_content(int depth) {
  std::vector<Term> content;
  for (int i = 1 + below(2); i > 0; --i) {
    content.push_back(below(3) == 0 && depth > 1 ? some_action(depth - 1)
                                                 : some_formula(depth - 1));
  }
  return content;
}

}  // namespace coracle::acl::test
