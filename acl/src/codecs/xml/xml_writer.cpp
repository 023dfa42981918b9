#include "codecs/checks.hpp"
#include "codecs/xml/xml.hpp"
#include "coracle/acl/base64.hpp"

#include "ascii.hpp"

#include "coracle/acl/xml_codec.hpp"

#include <algorithm>

namespace coracle::acl {

namespace {

// Returns whether all quotes of a text, of which there are some, are behind a backslash. Then the
// reader would take the backslashes for those that JADE adds.
bool looks_escaped(std::string_view text) {
  std::size_t quote = text.find('"');
  if (quote == std::string_view::npos) return false;
  for (; quote != std::string_view::npos; quote = text.find('"', quote + 1)) {
    if (quote == 0 || text[quote - 1] != '\\') return false;
  }
  return true;
}

std::string with_escaped_quotes(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '"') escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

// Returns whether the letter can be part of the name of an element.
bool is_in_names(char letter) {
  return is_letter(letter) || is_digit(letter) || letter == '-' || letter == '_' || letter == '.';
}

class XmlWriter {
 public:
  explicit XmlWriter(std::string& out) : out_(out) {}

  void write(const Message& message) {
    ((out_ += "<fipa-message act=\"") += to_text(message.performative)) += "\">";
    if (has_sender(message)) write_agents("sender", {&message.sender, 1});
    for (const AgentId& each : message.receivers) write_agents("receiver", {&each, 1});
    for (const AgentId& each : message.reply_to) write_agents("reply-to", {&each, 1});
    write_content(message.content);
    write_text("language", message.language);
    write_text("encoding", message.encoding);
    write_text("ontology", message.ontology);
    write_text("protocol", message.protocol);
    write_text("conversation-id", message.conversation_id);
    write_text("reply-with", message.reply_with);
    write_text("in-reply-to", message.in_reply_to);
    if (message.reply_by) ((out_ += "<reply-by time=\"") += to_text(*message.reply_by)) += "\"/>";
    for (const auto& [name, value] : message.user) write_user(name, value);
    out_ += "</fipa-message>";
  }

 private:
  void begin(std::string_view element) { ((out_ += '<') += element) += '>'; }
  void end(std::string_view element) { ((out_ += "</") += element) += '>'; }

  void attribute(std::string_view text) { append_attribute(Form::xml, out_, text); }
  void text(std::string_view text) {
    if (looks_escaped(text)) append_xml_text(Form::xml, out_, with_escaped_quotes(text));
    else append_xml_text(Form::xml, out_, text);
  }

  void write_text(std::string_view element, std::string_view value) {
    if (value.empty()) return;
    begin(element);
    text(value);
    end(element);
  }

  void write_agents(std::string_view element, std::span<const AgentId> agents) {
    begin(element);
    for (const AgentId& each : agents) write_agent(each);
    end(element);
  }

  void write_agent(const AgentId& agent) {
    out_ += "<agent-identifier><name id=\"";
    attribute(agent.name);
    out_ += "\"/>";
    if (!agent.addresses.empty()) {
      out_ += "<addresses>";
      for (const std::string& each : agent.addresses) {
        out_ += "<url href=\"";
        attribute(each);
        out_ += "\"/>";
      }
      out_ += "</addresses>";
    }
    if (!agent.resolvers.empty()) write_agents("resolvers", agent.resolvers);
    for (const auto& [name, value] : agent.user) write_user_defined(name, value);
    out_ += "</agent-identifier>";
  }

  void write_content(const Body& content) {
    if (const auto* bytes = std::get_if<Bytes>(&content)) {
      if (bytes->empty()) return;
      ((out_ += "<X-JADE-Encoding>") += bytes_marker_value) += "</X-JADE-Encoding>";
      begin("content");
      append_base64(out_, *bytes);
      end("content");
    } else {
      write_text("content", std::get<std::string>(content));
    }
  }

  // A name that no element can have is an attribute.
  void write_user(std::string_view name, std::string_view value) {
    if (name.empty() || !std::ranges::all_of(name, is_in_names)) {
      return write_user_defined(name, value);
    }
    ((out_ += "<X-") += name) += '>';
    text(value);
    ((out_ += "</X-") += name) += '>';
  }

  void write_user_defined(std::string_view name, std::string_view value) {
    out_ += "<user-defined href=\"";
    attribute(name);
    out_ += "\">";
    text(value);
    end("user-defined");
  }

  std::string& out_;
};

}  // namespace

void write_xml_into(std::string& out, const Message& message) {
  check_writable(Form::xml, message);
  const std::size_t before = out.size();
  try {
    XmlWriter(out).write(message);
  } catch (...) {
    out.resize(before);
    throw;
  }
}

std::string write_xml(const Message& message) {
  std::string out;
  out.reserve(768 + bytes_of(message).size() + bytes_of(message).size() / 2);
  write_xml_into(out, message);
  return out;
}

}  // namespace coracle::acl
