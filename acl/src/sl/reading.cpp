#include "coracle/acl/sl/text.hpp"

#include "sl/lexer.hpp"
#include "sl/making.hpp"
#include "sl/operators.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <utility>

namespace coracle::acl::sl {

namespace {

// Reads tokens, and keeps the compounds that are open in a list, so that deep nesting takes no
// stack.
class Parser {
 public:
  Parser(std::string_view text, const Limits& limits) noexcept
      : text_(text), limits_(limits), lexer_(text) {}

  Reading content() && {
    if (!begin() || !expect(Token::Kind::open, "content begins with '('")) return finish();
    while (peek(false) && token_.kind != Token::Kind::close) {
      const std::size_t begin = token_.offset;
      std::optional<Term> term = take_term();
      if (!term) return finish();
      if (std::string fault = fault_of_expression(*term); !fault.empty()) {
        return refuse(begin, std::move(fault)), finish();
      }
      add({begin, lexer_.place()}, std::move(*term));
    }
    if (reading_.fault) return finish();
    if (reading_.expressions.empty()) refuse(token_.offset, "content needs an expression");
    expect_end();
    return finish();
  }

  Reading term() && {
    if (!begin() || !peek(false)) return finish();
    const std::size_t begin = token_.offset;
    std::optional<Term> term = take_term();
    if (!term) return finish();
    add({begin, lexer_.place()}, std::move(*term));
    expect_end();
    return finish();
  }

 private:
  // A compound whose closing parenthesis is still to come.
  struct Open {
    std::size_t offset;
    bool has_symbol = false;
    Compound compound;
    std::string slot;
  };

  Reading finish() {
    if (reading_.fault) {
      reading_.expressions.clear();
      reading_.spans.clear();
    }
    return std::move(reading_);
  }
  bool refuse(std::size_t offset, std::string reason) {
    if (!reading_.fault) reading_.fault = Fault{offset, std::move(reason)};
    return false;
  }
  void add(Span span, Term&& term) {
    reading_.spans.push_back(span);
    reading_.expressions.push_back(std::move(term));
  }
  bool begin() {
    if (text_.size() <= limits_.bytes) return true;
    return refuse(limits_.bytes, "it has " + std::to_string(text_.size()) + " bytes, and at most " +
                                     std::to_string(limits_.bytes) + " are read");
  }
  bool peek(bool is_symbol) {
    std::optional<Token> token = lexer_.next(is_symbol);
    if (!token) return refuse(lexer_.fault().offset, lexer_.fault().reason);
    token_ = std::move(*token);
    return true;
  }
  bool expect(Token::Kind kind, const char* reason) {
    return peek(false) && (token_.kind == kind || refuse(token_.offset, reason));
  }
  void expect_end() { expect(Token::Kind::end, "there is more behind the end of the expression"); }

  // The term that begins with the present token.
  std::optional<Term> take_term() {
    std::vector<Open> open;
    for (;;) {
      std::optional<Term> term;
      if (!take_token(open, term)) return std::nullopt;
      if (term && open.empty()) return term;
      if (term && !put(open.back(), std::move(*term))) return std::nullopt;
      if (!peek(!open.back().has_symbol)) return std::nullopt;
    }
  }

  // Handles the present token. `term` gets the term that it ends, if it does.
  bool take_token(std::vector<Open>& open, std::optional<Term>& term) {
    switch (token_.kind) {
      case Token::Kind::open:
        if (!open.empty() && !open.back().has_symbol) {
          return refuse(token_.offset, "a parenthesis begins with a symbol");
        }
        if (open.size() >= limits_.depth || open.size() >= max_depth) {
          return refuse(token_.offset, "it is nested deeper than " +
                                           std::to_string(std::min(limits_.depth, max_depth)) +
                                           " levels");
        }
        open.push_back({token_.offset, false, {}, {}});
        return count();
      case Token::Kind::close:
        return close(open, term);
      case Token::Kind::slot:
        if (open.empty() || !open.back().has_symbol || !open.back().slot.empty()) {
          return refuse(token_.offset, "there is no place for a slot name");
        }
        open.back().slot = std::move(token_.slot);
        return true;
      case Token::Kind::term:
        term = std::move(token_.term);
        // The symbol belongs to its compound.
        return (!open.empty() && !open.back().has_symbol) || count();
      case Token::Kind::end:
        break;
    }
    if (open.empty()) return refuse(token_.offset, "there is no expression");
    return refuse(open.back().offset, "the parenthesis is not closed");
  }

  bool close(std::vector<Open>& open, std::optional<Term>& term) {
    if (open.empty()) return refuse(token_.offset, "there is no expression");
    Open& last = open.back();
    if (!last.has_symbol) return refuse(token_.offset, "a parenthesis begins with a symbol");
    if (!last.slot.empty()) {
      return refuse(token_.offset,
                    "the slot " + coracle::detail::quoted(last.slot) + " has no value");
    }
    if (std::string fault = fault_of(last.compound); !fault.empty()) {
      return refuse(last.offset, std::move(fault));
    }
    term = make_checked(std::move(last.compound));
    open.pop_back();
    return true;
  }

  // Adds `term` to a compound.
  bool put(Open& open, Term&& term) {
    if (open.has_symbol) {
      open.compound.arguments.push_back({std::exchange(open.slot, {}), std::move(term)});
      return true;
    }
    if (term.kind() != Term::Kind::text) {
      return refuse(token_.offset, "a parenthesis begins with a symbol");
    }
    open.compound.symbol = *term.as<std::string>();
    open.has_symbol = true;
    return true;
  }

  bool count() {
    if (++terms_ <= limits_.terms) return true;
    return refuse(token_.offset, "it has more than " + std::to_string(limits_.terms) + " terms");
  }

  std::string_view text_;
  Limits limits_;
  Lexer lexer_;
  Token token_;
  std::size_t terms_ = 0;
  Reading reading_;
};

std::vector<Term> expressions_of(Reading&& reading, const char* what) {
  if (reading.fault) {
    throw Error(Errc::bad_encoding, std::string("cannot read ") + what + " in FIPA-SL: at byte " +
                                        std::to_string(reading.fault->offset) + ", " +
                                        reading.fault->reason + "; its sender has to correct it");
  }
  return std::move(reading.expressions);
}

}  // namespace

Reading read_content(std::string_view text, const Limits& limits) {
  return Parser(text, limits).content();
}

Reading read_term(std::string_view text, const Limits& limits) {
  return Parser(text, limits).term();
}

std::vector<Term> content_from(std::string_view text, const Limits& limits) {
  return expressions_of(read_content(text, limits), "a content");
}

Term term_from(std::string_view text, const Limits& limits) {
  return std::move(expressions_of(read_term(text, limits), "a term").front());
}

}  // namespace coracle::acl::sl
