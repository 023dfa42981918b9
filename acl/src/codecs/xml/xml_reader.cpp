#include "codecs/checks.hpp"
#include "codecs/xml/xml_form.hpp"

#include "ascii.hpp"

#include "coracle/acl/xml_codec.hpp"
#include "coracle/support/quote.hpp"

namespace coracle::acl {

namespace {

using coracle::detail::quoted;

// Drops the backslashes before quotes, if every quote has one.
void drop_escapes(std::string& text) {
  std::size_t quote = text.find('"');
  if (quote == std::string::npos) return;
  std::string dropped;
  std::size_t begin = 0;
  for (; quote != std::string::npos; quote = text.find('"', begin + 1)) {
    if (quote == 0 || text[quote - 1] != '\\') return;
    dropped.append(text, begin, quote - 1 - begin);
    begin = quote;
  }
  dropped.append(text, begin);
  text = std::move(dropped);
}

class MessageReader final : public XmlForm {
 public:
  MessageReader(std::string_view text, const Limits& limits) : XmlForm(Form::xml, text, limits) {}

  Message read() {
    read_all();
    if (!senders_.empty()) message_.sender = std::move(senders_.back());
    message_.content = std::move(content_);
    restore_bytes(Form::xml, message_, 0);
    return std::move(message_);
  }

 private:
  static constexpr int in_message = document + 1;

  void on_own(int own, std::string_view element, const XmlAttributes& attributes) override {
    if (own == in_message) return open_parameter(element, attributes);
    if (!same_text(element, "fipa-message")) fail_unknown(element);
    const auto act = attributes.find("act");
    if (!act) fail("the message has no attribute \"act\" with its performative");
    const auto performative = performative_of(*act);
    if (!performative) fail("there is no performative " + quoted(*act));
    message_.performative = *performative;
    message_.conversation_id = attributes.find("conversation-id").value_or("");
    open_own(in_message);
  }

  void on_text_end(std::string& text) override { drop_escapes(text); }

  void open_parameter(std::string_view element, const XmlAttributes& attributes) {
    if (same_text(element, "sender")) return open_agents(senders_);
    if (same_text(element, "receiver")) return open_agents(message_.receivers);
    if (same_text(element, "reply-to")) return open_agents(message_.reply_to);
    if (same_text(element, "reply-by")) return open_date(attributes);
    if (same_text(element, "user-defined")) {
      return open_user(attributes.find("href").value_or(""));
    }
    if (same_text(element.substr(0, 2), "X-")) return open_user(element.substr(2));
    std::string* const text = text_of(element);
    if (text == nullptr) fail_unknown(element);
    if (attributes.find("href")) {
      fail("the parameter " + quoted(element) + " is given by a link, which is not followed");
    }
    text->clear();
    open_text(*text);
  }

  void open_date(const XmlAttributes& attributes) {
    const std::string_view time = attributes.find("time").value_or("");
    message_.reply_by = date_time_from(time);
    if (!message_.reply_by) fail(quoted(time) + " is not a date");
    open_empty();
  }

  void open_user(std::string_view name) {
    budget().take_item();
    open_text(message_.user.emplace_back(name, "").second);
  }

  // The text of that parameter; nullptr if there is none.
  std::string* text_of(std::string_view element) {
    const auto is = [element](std::string_view other) { return same_text(element, other); };
    if (is("content")) return &content_;
    if (is("language")) return &message_.language;
    if (is("ontology")) return &message_.ontology;
    if (is("protocol")) return &message_.protocol;
    if (is("conversation-id")) return &message_.conversation_id;
    if (is("reply-with")) return &message_.reply_with;
    if (is("in-reply-to")) return &message_.in_reply_to;
    if (is("encoding")) return &message_.encoding;
    return nullptr;
  }

  Message message_;
  std::vector<AgentId> senders_;
  std::string content_;
};

}  // namespace

Message read_xml(std::string_view text, const Limits& limits) {
  return MessageReader(text, limits).read();
}

}  // namespace coracle::acl
