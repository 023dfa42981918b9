#include "codecs/bits/bit_codes.hpp"
#include "codecs/bits/code_table.hpp"
#include "codecs/checks.hpp"

#include "coracle/acl/bit_efficient_codec.hpp"
#include "coracle/support/quote.hpp"

namespace coracle::acl {

namespace {

void check_no_zero(std::string_view text, std::string_view name) {
  if (!has_zero(text)) return;
  fail_writing(Form::bit_efficient,
               std::string(name) + ' ' + coracle::detail::quoted(text) +
                   " has a zero byte, for which there is no room; leave it out");
}

void check_agent(const AgentId& agent) {
  check_no_zero(agent.name, "the name");
  for (const std::string& each : agent.addresses) check_no_zero(each, "the address");
  for (const AgentId& each : agent.resolvers) check_agent(each);
  for (const auto& each : agent.user) check_no_zero(each.first, "the parameter of an agent");
}

// Requires that the message can be written, so that no code table is changed by half of one.
void check_message(const Message& message) {
  check_writable(Form::bit_efficient, message);
  check_agent(message.sender);
  for (const AgentId& each : message.receivers) check_agent(each);
  for (const AgentId& each : message.reply_to) check_agent(each);
  check_no_zero(text_of(message), "the content");
  check_no_zero(message.protocol, "the protocol");
  for (const auto& each : message.user) check_no_zero(each.first, "the user parameter");
  if (bytes_of(message).size() > 0xffff'ffff) {
    fail_writing(Form::bit_efficient, "the content has more than 4 GiB; send less");
  }
}

class BitWriter {
 public:
  BitWriter(std::string& out, CodeTable* table, bool learns)
      : out_(out), table_(table), learns_(learns) {}

  void write(const Message& message) {
    append_byte(out_, table_ == nullptr ? code::without_table
                      : learns_         ? code::learning
                                        : code::using_table);
    append_byte(out_, code::version);
    append_byte(out_, code::performative[static_cast<std::size_t>(message.performative)]);
    write_value(code::ontology, message.ontology);
    if (has_sender(message)) {
      append_byte(out_, code::sender);
      write_agent(message.sender);
    }
    write_agents(code::receiver, message.receivers);
    write_value(code::encoding, message.encoding);
    write_value(code::conversation_id, message.conversation_id);
    write_agents(code::reply_to, message.reply_to);
    if (message.reply_by) {
      append_byte(out_, code::reply_by);
      append_date(out_, *message.reply_by);
    }
    write_value(code::in_reply_to, message.in_reply_to);
    write_value(code::reply_with, message.reply_with);
    write_value(code::language, message.language);
    if (!message.protocol.empty()) {
      append_byte(out_, code::protocol);
      write_word(message.protocol);
    }
    write_user(code::user, message.user);
    write_content(message.content);
    append_byte(out_, code::end);
  }

 private:
  // Writes a text that the table has; otherwise, adds it if the message extends the table.
  bool write_index(std::string_view text, bool is_string) {
    if (table_ == nullptr) return false;
    const auto known = table_->find(text);
    if (known) {
      if (learns_) table_->use(*known);
      append_byte(out_, code::word_index);  // also of a string, as JADE has it
      append_number(out_, *known, table_->code_bytes());
    } else if (learns_) {
      table_->add(text, is_string);
    }
    return known.has_value();
  }

  void write_word(std::string_view text) {
    if (write_index(text, false)) return;
    append_byte(out_, code::word);
    append_text(out_, text);
  }

  void write_string(std::string_view text) {
    if (write_index(text, true)) return;
    append_byte(out_, code::string);
    append_text(out_, text);
  }

  void write_agents(std::uint8_t parameter, const std::vector<AgentId>& agents) {
    if (agents.empty()) return;
    append_byte(out_, parameter);
    for (const AgentId& each : agents) write_agent(each);
    append_byte(out_, code::end);
  }

  void write_agent(const AgentId& agent) {
    append_byte(out_, code::name);
    write_word(agent.name);
    if (!agent.addresses.empty()) {
      append_byte(out_, code::addresses);
      for (const std::string& each : agent.addresses) write_word(each);
      append_byte(out_, code::end);
    }
    write_agents(code::resolvers, agent.resolvers);
    write_user(code::slot, agent.user);
    append_byte(out_, code::end);
  }

  // A value without quotes, which JADE would keep. In a table, the same text may be a string, whose
  // quotes are no part of it; so a text that begins with a quote is written as bytes.
  void write_value(std::uint8_t parameter, std::string_view value) {
    if (value.empty()) return;
    append_byte(out_, parameter);
    const bool may_be_string = table_ != nullptr && value.front() == '"';
    if (has_zero(value) || may_be_string) append_counted(out_, value);
    else write_word(value);
  }

  void write_user(std::uint8_t parameter, const Parameters& parameters) {
    for (const auto& [name, value] : parameters) {
      append_byte(out_, parameter);
      write_word(name);
      if (has_zero(value)) append_counted(out_, value);
      else write_string(value);
    }
  }

  void write_content(const Body& content) {
    if (const auto* bytes = std::get_if<Bytes>(&content)) {
      if (bytes->empty()) return;
      append_byte(out_, code::content);
      append_counted(out_, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    } else if (const auto& text = std::get<std::string>(content); !text.empty()) {
      append_byte(out_, code::content);
      write_string(text);
    }
  }

  std::string& out_;
  CodeTable* table_;
  bool learns_;
};

std::size_t bytes_of_agents(const std::vector<AgentId>& agents);

std::size_t bytes_of_user(const Parameters& parameters) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : parameters) bytes += name.size() + value.size();
  return bytes;
}

std::size_t bytes_of_agent(const AgentId& agent) {
  std::size_t bytes = agent.name.size();
  for (const std::string& each : agent.addresses) bytes += each.size();
  return bytes + bytes_of_agents(agent.resolvers) + bytes_of_user(agent.user);
}

std::size_t bytes_of_agents(const std::vector<AgentId>& agents) {
  std::size_t bytes = 0;
  for (const AgentId& each : agents) bytes += bytes_of_agent(each);
  return bytes;
}

// The bytes that the texts of the message can take in a table.
std::size_t bytes_of_texts(const Message& message) {
  return bytes_of_agent(message.sender) + bytes_of_agents(message.receivers) +
         bytes_of_agents(message.reply_to) + text_of(message).size() + message.language.size() +
         message.encoding.size() + message.ontology.size() + message.protocol.size() +
         message.conversation_id.size() + message.reply_with.size() + message.in_reply_to.size() +
         bytes_of_user(message.user);
}

}  // namespace

void write_bit_efficient_into(std::string& out, const Message& message) {
  check_message(message);
  BitWriter(out, nullptr, false).write(message);
}

std::string write_bit_efficient(const Message& message) {
  std::string out;
  out.reserve(256 + bytes_of(message).size());
  write_bit_efficient_into(out, message);
  return out;
}

BitEfficientWriter::BitEfficientWriter(unsigned bits, const Limits& limits)
    : table_(std::make_unique<CodeTable>(bits)), limits_(limits) {}

BitEfficientWriter::~BitEfficientWriter() = default;

void BitEfficientWriter::write_into(std::string& out, const Message& message, bool learns) {
  check_message(message);
  const bool has_room = table_->bytes() + bytes_of_texts(message) <= limits_.table_bytes;
  BitWriter(out, table_.get(), learns && has_room).write(message);
}

}  // namespace coracle::acl
