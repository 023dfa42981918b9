#include "codecs/bits/bit_codes.hpp"
#include "codecs/bits/code_table.hpp"
#include "codecs/checks.hpp"

#include "coracle/acl/bit_efficient_codec.hpp"
#include "coracle/support/quote.hpp"

namespace coracle::acl {

namespace {

// The value without the quotes around it, if there are any. Only \" stands for a quote.
std::string without_quotes(std::string_view text) {
  const bool has_quotes = text.size() >= 2 && text.front() == '"' && text.back() == '"' &&
                          text[text.size() - 2] != '\\';
  if (!has_quotes) return std::string(text);
  std::string value;
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    if (text[at] == '\\' && text[at + 1] == '"') ++at;
    value += text[at];
  }
  return value;
}

class BitReader {
 public:
  BitReader(std::string_view bytes, const Limits& limits, CodeTable* table)
      : source_(Form::bit_efficient, bytes),
        budget_(Form::bit_efficient, bytes.size(), limits),
        table_(table) {}

  Message read() {
    const std::uint8_t kind = source_.byte();
    if (kind < code::without_table || kind > code::using_table) {
      source_.fail_for(kind, "beginning of a message; it must be 0xfa, 0xfb or 0xfc");
    }
    learns_ = kind == code::learning;
    if (kind == code::without_table) table_ = nullptr;
    const std::uint8_t version = source_.byte();
    if (version != code::version) source_.fail_for(version, "known version");
    read_performative();
    for (std::uint8_t next = source_.byte(); next != code::end; next = source_.byte()) {
      read_parameter(next);
    }
    if (!source_.at_end()) source_.fail("something follows the message");
    restore_bytes(Form::bit_efficient, message_, content_at_);
    return std::move(message_);
  }
  // Returns whether the table may have changed before read() failed.
  bool learns() const noexcept { return learns_; }

 private:
  void read_performative() {
    const std::uint8_t kind = source_.byte();
    if (kind == code::other_performative) {
      const std::string name = read_word();
      const auto named = performative_of(name);
      if (!named) source_.fail("there is no performative " + coracle::detail::quoted(name));
      message_.performative = *named;
      return;
    }
    for (std::size_t number = 0; number < performatives; ++number) {
      if (code::performative[number] == kind) {
        message_.performative = static_cast<Performative>(number);
        return;
      }
    }
    source_.fail_for(kind, "performative");
  }

  void read_parameter(std::uint8_t parameter) {
    switch (parameter) {
      case code::user:
        return read_user(message_.user);
      case code::sender:
        message_.sender = {};
        return read_agent(message_.sender, 0);
      case code::receiver:
        return read_agents(message_.receivers, 0);
      case code::reply_to:
        return read_agents(message_.reply_to, 0);
      case code::content:
        return read_content();
      case code::reply_by:
        message_.reply_by = source_.date();
        return;
      case code::reply_with:
        message_.reply_with = read_value();
        return;
      case code::in_reply_to:
        message_.in_reply_to = read_value();
        return;
      case code::language:
        message_.language = read_value();
        return;
      case code::encoding:
        message_.encoding = read_value();
        return;
      case code::ontology:
        message_.ontology = read_value();
        return;
      case code::protocol:
        message_.protocol = read_word();
        return;
      case code::conversation_id:
        message_.conversation_id = read_value();
        return;
      default:
        source_.fail_for(parameter, "parameter of a message");
    }
  }

  void read_agents(std::vector<AgentId>& agents, std::size_t depth) {
    agents.clear();
    for (std::uint8_t next = source_.byte(); next != code::end; next = source_.byte()) {
      if (next != code::name) source_.fail_for(next, "beginning of an agent");
      budget_.take_item();
      read_rest_of_agent(agents.emplace_back(), depth);
    }
  }

  void read_agent(AgentId& agent, std::size_t depth) {
    const std::uint8_t begin = source_.byte();
    if (begin != code::name) source_.fail_for(begin, "beginning of an agent");
    read_rest_of_agent(agent, depth);
  }

  // Reads an agent behind the code of its name.
  void read_rest_of_agent(AgentId& agent, std::size_t depth) {
    agent.name = read_word();
    if (agent.name.empty()) source_.fail("an agent has no name");
    for (std::uint8_t next = source_.byte(); next != code::end; next = source_.byte()) {
      switch (next) {
        case code::addresses:
          read_addresses(agent.addresses);
          break;
        case code::resolvers:
          budget_.check_resolvers(depth + 1);
          read_agents(agent.resolvers, depth + 1);
          break;
        case code::slot:
          read_user(agent.user);
          break;
        default:
          source_.fail_for(next, "part of an agent");
      }
    }
  }

  void read_addresses(std::vector<std::string>& addresses) {
    addresses.clear();
    while (source_.peek() != code::end) {
      budget_.take_item();
      addresses.push_back(read_word());
    }
    source_.byte();
  }

  // JADE writes a value that is empty as a zero byte.
  void read_user(Parameters& parameters) {
    budget_.take_item();
    auto& [name, value] = parameters.emplace_back();
    name = read_word();
    if (source_.peek() == 0) source_.byte();
    else value = read_expression_or_text(false);
  }

  void read_content() {
    content_at_ = source_.place();
    const std::uint8_t kind = source_.byte();
    if (is_text(kind)) {
      message_.content = std::string(read_text(kind).text);
    } else {
      const auto bytes = std::as_bytes(std::span(source_.counted(kind)));
      if (bytes.empty()) message_.content = std::string();
      else message_.content = Bytes(bytes.begin(), bytes.end());
    }
  }

  static bool is_text(std::uint8_t kind) {
    return kind == code::word || kind == code::word_index || kind == code::string ||
           kind == code::string_index;
  }

  struct Text {
    std::string_view text;  // valid until the next text is read
    bool is_string;
  };

  // Reads a word or a string behind its code.
  Text read_text(std::uint8_t kind) {
    if (kind == code::word_index || kind == code::string_index) return read_index(kind);
    const Text read{source_.text(), kind == code::string};
    if (learns_ && table_ != nullptr) learn(read);
    return read;
  }

  Text read_index(std::uint8_t kind) {
    if (table_ == nullptr) source_.fail_for(kind, "code here, because there is no code table");
    const auto index = static_cast<CodeTable::Code>(source_.number(table_->code_bytes()));
    const CodeTable::Entry* const entry = table_->at(index);
    if (entry == nullptr) {
      source_.fail("the code table has no text " + std::to_string(index));
    }
    if (learns_) table_->use(index);
    budget_.take_text(entry->text.size());
    return {entry->text, entry->is_string || kind == code::string_index};
  }

  void learn(const Text& read) {
    if (const auto known = table_->find(read.text)) return table_->use(*known);
    if (read.text.size() > budget_.limits().table_bytes - table_->bytes()) {
      fail_limit(Form::bit_efficient, budget_.limits().table_bytes, "bytes for the code table");
    }
    table_->add(read.text, read.is_string);
  }

  std::string read_word() {
    const std::uint8_t kind = source_.byte();
    if (kind != code::word && kind != code::word_index) source_.fail_for(kind, "word");
    return std::string(read_text(kind).text);
  }

  std::string read_value() { return read_expression_or_text(true); }

  // Reads the value of a parameter; the quotes of a string are a part of it or not.
  std::string read_expression_or_text(bool drops_quotes) {
    std::uint8_t kind = source_.byte();
    if (kind == code::string_instead) {
      kind = source_.byte();
      if (kind < code::string || kind > code::bytes32) source_.fail_for(kind, "string");
    }
    if (is_text(kind)) {
      const Text read = read_text(kind);
      return read.is_string && drops_quotes ? without_quotes(read.text) : std::string(read.text);
    }
    if (kind == code::number || kind == code::hex_number) return source_.digits();
    if (kind < code::closes) return std::string(source_.counted(kind));
    return read_expression(kind);
  }

  // Reads an expression in brackets, as the text that it stands for: (a (b 12) "c d").
  std::string read_expression(std::uint8_t kind) {
    std::string text;
    std::size_t depth = 0;
    for (;; kind = source_.byte()) {
      const std::uint8_t element = kind & 0x1f;
      switch (kind & 0xe0) {
        case code::opens:
          budget_.check_depth(++depth);
          if (text.size() > 0 && text.back() != '(') text += ' ';
          text += '(';
          if (element != 0) read_element(element, text);
          break;
        case code::closes:
          if (depth == 0) source_.fail_for(kind, "beginning of a value");
          text += ')';
          if (--depth > 0 && element != 0) read_element(element, text);
          else if (element != 0) source_.fail_for(kind, "end of an expression");
          break;
        default:
          if (depth == 0 || kind > 0x1f) source_.fail_for(kind, "part of an expression");
          read_element(element, text);
      }
      if (depth == 0) return text;
    }
  }

  // Reads an element of an expression. For an expression, JADE has the codes 18 and 19 the other
  // way round; since bytes never are in a table, both are taken as the one with a length.
  void read_element(std::uint8_t element, std::string& text) {
    if (text.back() != '(') text += ' ';
    if (is_text(element)) {
      text += read_text(element).text;
    } else if (element == code::number || element == code::hex_number) {
      text += source_.digits();
    } else {
      if (element == code::bytes_index) element = code::bytes32;
      const std::string_view bytes = source_.counted(element);
      (((text += '#') += std::to_string(bytes.size())) += '"') += bytes;
    }
  }

  BitSource source_;
  Budget budget_;
  CodeTable* table_;
  bool learns_ = false;
  Message message_;
  std::size_t content_at_ = 0;
};

}  // namespace

Message read_bit_efficient(std::string_view bytes, const Limits& limits) {
  return BitReader(bytes, limits, nullptr).read();
}

BitEfficientReader::BitEfficientReader(unsigned bits, const Limits& limits)
    : table_(std::make_unique<CodeTable>(bits)), limits_(limits) {}

BitEfficientReader::~BitEfficientReader() = default;

Message BitEfficientReader::read(std::string_view bytes) {
  const bool uses_table =
      !bytes.empty() && static_cast<std::uint8_t>(bytes.front()) != code::without_table;
  if (is_lost_ && uses_table) {
    fail_reading(Form::bit_efficient, 0,
                 "the code table cannot be used, because an earlier message was refused; "
                 "begin again on both sides");
  }
  BitReader reader(bytes, limits_, table_.get());
  try {
    return reader.read();
  } catch (...) {
    is_lost_ = is_lost_ || reader.learns();
    throw;
  }
}

}  // namespace coracle::acl
