#include "codecs/checks.hpp"

#include "ascii.hpp"

#include "coracle/acl/string_codec.hpp"
#include "coracle/support/quote.hpp"

#include <charconv>

namespace coracle::acl {

namespace {

using coracle::detail::quoted;

class StringReader {
 public:
  StringReader(std::string_view text, const Limits& limits)
      : text_(text), budget_(Form::string, text.size(), limits) {}

  Message read() {
    skip_blanks();
    expect('(');
    read_performative();
    while (!take(')')) {
      if (at_ == text_.size()) fail("the bracket of the message is not closed");
      expect(':');
      read_parameter();
    }
    if (at_ != text_.size()) fail("something follows the message");
    restore_bytes(Form::string, message_, content_at_);
    return std::move(message_);
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const { fail_at(at_, reason); }
  [[noreturn]] void fail_at(std::size_t at, const std::string& reason) const {
    fail_reading(Form::string, at, reason);
  }

  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  // Takes the letter, and the blanks behind it, if it comes next.
  bool take(char letter) {
    if (at_ == text_.size() || text_[at_] != letter) return false;
    ++at_;
    skip_blanks();
    return true;
  }
  void expect(char letter) {
    if (!take(letter)) fail(std::string("there is no '") + letter + '\'');
  }

  // The letters up to the next blank or bracket.
  std::string_view bare() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) > ' ' &&
           text_[at_] != '(' && text_[at_] != ')') {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }
  // A word of the language, with the blanks behind it.
  std::string_view keyword() {
    const std::string_view word = bare();
    skip_blanks();
    return word;
  }

  void read_performative() {
    const std::size_t begin = at_;
    const std::string_view name = keyword();
    const auto performative = performative_of(name);
    if (!performative) fail_at(begin, "there is no performative " + quoted(name));
    message_.performative = *performative;
  }

  // Reads a parameter behind its colon.
  void read_parameter() {
    const std::size_t begin = at_;
    const std::string_view name = keyword();
    const auto is = [name](std::string_view other) { return same_text(name, other); };
    if (name.size() >= 2 && to_lower(name[0]) == 'x' && name[1] == '-') {
      return read_user(name.substr(2), begin, message_.user);
    }
    if (is("sender")) return read_sender();
    if (is("receiver")) return read_agents(message_.receivers, 0);
    if (is("reply-to")) return read_agents(message_.reply_to, 0);
    if (is("reply-by")) return read_date();
    if (is("content")) return read_content();
    if (is("language")) return read_value(message_.language);
    if (is("ontology")) return read_value(message_.ontology);
    if (is("protocol")) return read_value(message_.protocol);
    if (is("conversation-id")) return read_value(message_.conversation_id);
    if (is("reply-with")) return read_value(message_.reply_with);
    if (is("in-reply-to")) return read_value(message_.in_reply_to);
    if (is("encoding")) return read_value(message_.encoding);
    fail_at(begin, "there is no parameter " + quoted(name) + "; those of users begin with X-");
  }

  void read_sender() {
    message_.sender = {};
    read_agent(message_.sender, 0);
  }

  void read_content() {
    content_at_ = at_;
    std::string text;
    read_value(text);
    message_.content = std::move(text);
  }

  void read_date() {
    const std::size_t begin = at_;
    std::string text;
    read_value(text);
    message_.reply_by = date_time_from(text);
    if (!message_.reply_by) fail_at(begin, quoted(text) + " is not a date");
  }

  void read_user(std::string_view name, std::size_t begin, Parameters& parameters) {
    if (!is_word(name)) fail_at(begin, "the name of a user parameter is not one word of ASCII");
    budget_.take_item();
    auto& [key, value] = parameters.emplace_back();
    key = name;
    read_value(value);
  }

  // Reads the head of "(set …" or "(sequence …".
  void begin_list() {
    expect('(');
    const std::size_t begin = at_;
    const std::string_view kind = keyword();
    if (!same_text(kind, "set") && !same_text(kind, "sequence")) {
      fail_at(begin, "there is " + quoted(kind) + " instead of a set or a sequence");
    }
  }
  bool end_list() {
    if (at_ == text_.size()) fail("the bracket of a list is not closed");
    return take(')');
  }

  void read_agents(std::vector<AgentId>& agents, std::size_t depth) {
    agents.clear();
    begin_list();
    while (!end_list()) {
      budget_.take_item();
      read_agent(agents.emplace_back(), depth);
    }
  }

  void read_agent(AgentId& agent, std::size_t depth) {
    const std::size_t begin = at_;
    expect('(');
    if (!same_text(keyword(), "agent-identifier")) fail_at(begin, "there is no agent-identifier");
    while (!take(')')) {
      if (at_ == text_.size()) fail("the bracket of an agent is not closed");
      expect(':');
      read_slot(agent, depth);
    }
    if (agent.name.empty()) fail_at(begin, "the agent has no name");
  }

  // Reads a parameter of an agent behind its colon.
  void read_slot(AgentId& agent, std::size_t depth) {
    const std::size_t begin = at_;
    const std::string_view name = keyword();
    if (same_text(name, "name")) return read_value(agent.name);
    if (same_text(name, "addresses")) return read_addresses(agent.addresses);
    if (same_text(name, "resolvers")) {
      budget_.check_resolvers(depth + 1);
      return read_agents(agent.resolvers, depth + 1);
    }
    if (name.size() >= 2 && to_lower(name[0]) == 'x' && name[1] == '-') {
      return read_user(name.substr(2), begin, agent.user);
    }
    fail_at(begin, "an agent has no parameter " + quoted(name) + "; those of users begin with X-");
  }

  void read_addresses(std::vector<std::string>& addresses) {
    addresses.clear();
    begin_list();
    while (!end_list()) {
      budget_.take_item();
      read_value(addresses.emplace_back());
    }
  }

  // Reads a word, a text, a number, a date or an expression, and the blanks behind it.
  void read_value(std::string& value) {
    const char first = next();
    value.clear();
    if (first == '"') read_quoted(value);
    else if (first == '#') value = counted();
    else if (first == '(') value = expression();
    else value = bare_value();
    skip_blanks();
  }

  std::string_view bare_value() {
    const std::string_view value = bare();
    if (value.empty()) fail("a parameter has no value");
    return value;
  }

  // Reads a text in quotes. Only \" stands for something else: for a quote.
  void read_quoted(std::string& value) {
    const std::size_t begin = at_;
    std::size_t piece = begin + 1, from = piece;
    for (bool is_escaped = true; is_escaped;) {
      const std::size_t quote = next_quote(begin, from);
      is_escaped = quote > from && text_[quote - 1] == '\\';
      value.append(text_, piece, quote - piece - is_escaped);
      piece = quote;  // an escaped quote is the beginning of the next piece
      from = quote + 1;
    }
    at_ = from;
  }

  // The next quote from `from` on, in a text that begins at `begin`.
  std::size_t next_quote(std::size_t begin, std::size_t from) const {
    const std::size_t quote = text_.find('"', from);
    if (quote == std::string_view::npos) fail_at(begin, "a text has no closing quote");
    return quote;
  }

  // The text of `#4"text`.
  std::string_view counted() {
    const std::size_t begin = at_;
    std::size_t size = 0;
    const char* const digits = text_.data() + at_ + 1;
    const auto [end, error] = std::from_chars(digits, text_.data() + text_.size(), size);
    const std::size_t quote = static_cast<std::size_t>(end - text_.data());
    if (error != std::errc() || quote == text_.size() || text_[quote] != '"') {
      fail("the length of a text is not a number with a quote behind it");
    }
    if (size > text_.size() - quote - 1) fail_at(begin, "a text is longer than the message");
    at_ = quote + 1 + size;
    return text_.substr(quote + 1, size);
  }

  // The text of an expression in brackets.
  std::string_view expression() {
    const std::size_t begin = at_;
    std::size_t depth = 0;
    do {
      if (at_ == text_.size()) fail_at(begin, "the bracket of an expression is not closed");
      switch (next()) {
        case '(':
          budget_.check_depth(++depth), ++at_;
          break;
        case ')':
          --depth, ++at_;
          break;
        case '"':
          skip_quoted();
          break;
        case '#':
          counted();
          break;
        default:
          if (bare().empty()) fail("an expression has a control character");
      }
      if (depth > 0) skip_blanks();
    } while (depth > 0);
    return text_.substr(begin, at_ - begin);
  }
  void skip_quoted() {
    const std::size_t begin = at_;
    std::size_t quote = next_quote(begin, begin + 1);
    while (text_[quote - 1] == '\\') quote = next_quote(begin, quote + 1);
    at_ = quote + 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Budget budget_;
  Message message_;
  std::size_t content_at_ = 0;
};

}  // namespace

Message read_string(std::string_view text, const Limits& limits) {
  return StringReader(text, limits).read();
}

}  // namespace coracle::acl
