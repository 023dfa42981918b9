#include "codecs/checks.hpp"
#include "coracle/acl/base64.hpp"

#include "ascii.hpp"

#include "coracle/acl/string_codec.hpp"
#include "coracle/support/quote.hpp"

namespace coracle::acl {

namespace {

// Words that have a meaning of their own within agent identifiers.
bool is_reserved(std::string_view text) {
  return same_text(text, "set") || same_text(text, "sequence") ||
         same_text(text, "agent-identifier");
}

// Returns whether every platform reads `text` as a word. Numbers and dates begin with a digit or a
// sign, parameters with a colon; JADE writes numbers such as 12f without quotes, and cannot read
// them so.
bool is_plain_word(std::string_view text) {
  return is_word(text) && is_letter(text.front()) && !is_reserved(text);
}

class StringWriter {
 public:
  explicit StringWriter(std::string& out) : out_(out) {}

  void write(const Message& message) {
    out_ += '(';
    for (const char letter : to_text(message.performative)) out_ += to_upper(letter);
    out_ += '\n';
    write_agents(message);
    write_content(message.content);
    write_parameter("reply-with", message.reply_with);
    write_parameter("in-reply-to", message.in_reply_to);
    write_parameter("encoding", message.encoding);
    write_parameter("language", message.language);
    write_parameter("ontology", message.ontology);
    if (message.reply_by) out_ += " :reply-by  " + to_text(*message.reply_by) + '\n';
    if (!message.protocol.empty()) {
      write_parameter("protocol", message.protocol);
      out_.back() = '\n';
    }
    write_parameter("conversation-id", message.conversation_id);
    write_user(message.user, "");
    out_ += ')';
  }

 private:
  void write_agents(const Message& message) {
    if (has_sender(message)) {
      out_ += " :sender  ";
      write_agent(message.sender);
      out_ += '\n';
    }
    write_set(" :receiver  (set ", message.receivers);
    write_set(" :reply-to  (set \n", message.reply_to);
  }

  void write_set(std::string_view head, const std::vector<AgentId>& agents) {
    if (agents.empty()) return;
    out_ += head;
    for (const AgentId& each : agents) {
      write_agent(each);
      out_ += ' ';
    }
    out_ += ")\n";
  }

  void write_agent(const AgentId& agent) {
    out_ += "( agent-identifier :name ";
    write_value(agent.name);
    out_ += ' ';
    if (!agent.addresses.empty()) {
      out_ += " :addresses (sequence ";
      for (const std::string& each : agent.addresses) {
        write_value(each);
        out_ += ' ';
      }
      out_ += ')';
    }
    if (!agent.resolvers.empty()) {
      out_ += " :resolvers (sequence ";
      for (const AgentId& each : agent.resolvers) {
        write_agent(each);
        out_ += ' ';
      }
      out_ += ')';
    }
    write_user(agent.user, " ");
    out_ += ')';
  }

  void write_content(const Body& content) {
    if (const auto* bytes = std::get_if<Bytes>(&content)) {
      if (bytes->empty()) return;
      ((out_ += ":X-") += bytes_marker) += ' ';
      (out_ += bytes_marker_value) += "\n :content  \"";
      append_base64(out_, *bytes);
      out_ += "\" \n";
    } else if (const auto& text = std::get<std::string>(content); !text.empty()) {
      out_ += " :content  ";
      write_quoted(text);
      out_ += " \n";
    }
  }

  void write_parameter(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    ((out_ += " :") += name) += "  ";
    write_value(value);
    out_ += ' ';
  }

  void write_user(const Parameters& parameters, std::string_view before) {
    for (const auto& [name, value] : parameters) {
      if (!is_word(name)) {
        fail_writing(Form::string, "the user parameter " + coracle::detail::quoted(name) +
                                       " is not one word of ASCII; give it another name");
      }
      (((out_ += before) += ":X-") += name) += ' ';
      write_value(value);
      out_ += ' ';
    }
  }

  void write_value(std::string_view value) {
    if (is_plain_word(value)) out_ += value;
    else write_quoted(value);
  }

  void write_quoted(std::string_view text) {
    if (text.ends_with('\\')) {
      (((out_ += '#') += std::to_string(text.size())) += '"') += text;
      return;
    }
    out_ += '"';
    std::size_t piece = 0, from = 0;
    for (;;) {
      const std::size_t quote = text.find('"', from);
      out_ += text.substr(piece, quote - piece);
      if (quote == std::string_view::npos) break;
      out_ += '\\';
      piece = quote;  // the quote is the beginning of the next piece
      from = quote + 1;
    }
    out_ += '"';
  }

  std::string& out_;
};

}  // namespace

void write_string_into(std::string& out, const Message& message) {
  check_writable(Form::string, message);
  const std::size_t before = out.size();
  try {
    StringWriter(out).write(message);
  } catch (...) {
    out.resize(before);
    throw;
  }
}

std::string write_string(const Message& message) {
  std::string out;
  out.reserve(512 + bytes_of(message).size() + bytes_of(message).size() / 2);
  write_string_into(out, message);
  return out;
}

}  // namespace coracle::acl
