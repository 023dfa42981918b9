#include "codecs/envelopes/envelope_values.hpp"
#include "codecs/xml/xml_form.hpp"

#include "ascii.hpp"

#include "coracle/acl/envelope_codec.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>

namespace coracle::acl {

namespace {

using coracle::detail::quoted;

class EnvelopeReader final : public XmlForm {
 public:
  EnvelopeReader(std::string_view text, const Limits& limits)
      : XmlForm(Form::xml_envelope, text, limits) {}

  Envelope read() {
    read_all();
    if (!senders_.empty()) envelope_.from = std::move(senders_.back());
    envelope_.transport_behaviour = std::move(behaviour_);
    std::ranges::reverse(envelope_.received);
    return std::move(envelope_);
  }

 private:
  enum Place : int { in_envelope = document + 1, in_params, in_received };

  void on_own(int own, std::string_view element, const XmlAttributes& attributes) override {
    if (own == in_params) return open_field(element, attributes);
    if (own == in_received) return open_part_of_stamp(element, attributes);
    if (own == document && same_text(element, "envelope")) return open_own(in_envelope);
    if (own != in_envelope || !same_text(element, "params")) fail_unknown(element);
    has_to_ = has_intended_ = false;
    open_own(in_params);
  }

  void open_field(std::string_view element, const XmlAttributes& attributes) {
    const auto is = [element](std::string_view other) { return same_text(element, other); };
    if (is("to")) return open_list(envelope_.to, has_to_);
    if (is("intended-receiver")) return open_list(envelope_.intended_receivers, has_intended_);
    if (is("from")) return open_agents(senders_);
    if (is("comments")) return open_new_text(envelope_.comments);
    if (is("acl-representation")) return open_new_text(envelope_.representation);
    if (is("payload-encoding")) return open_new_text(envelope_.payload_encoding);
    if (is("payload-length")) return open_new_text(length_);
    if (is("date")) return open_new_text(date_);
    if (is("transport-behaviour")) return open_new_text(behaviour_);
    if (is("user-defined")) return open_property(attributes);
    if (!is("received")) fail_unknown(element);
    budget().take_item();
    envelope_.received.emplace_back();
    open_own(in_received);
  }

  // In each `params`, the first element of a list replaces that of an earlier one.
  void open_list(std::vector<AgentId>& list, bool& is_begun) {
    if (!is_begun) list.clear();
    is_begun = true;
    open_agents(list);
  }

  void open_new_text(std::string& text) {
    text.clear();
    open_text(text);
  }

  void open_property(const XmlAttributes& attributes) {
    budget().take_item();
    Property& property = envelope_.user.emplace_back();
    property.name = attributes.find("href").value_or("");
    property.type = attributes.find("type").value_or("string");
    open_text(property.value);
  }

  void open_part_of_stamp(std::string_view element, const XmlAttributes& attributes) {
    Stamp& stamp = envelope_.received.back();
    if (same_text(element, "user-defined")) {
      budget().take_item();
      const std::string_view name = attributes.find("href").value_or("");
      return open_text(stamp.user.emplace_back(name, "").second);
    }
    const std::string_view value = attributes.find("value").value_or("");
    if (same_text(element, "received-date")) stamp.date = date_from(value);
    else if (same_text(element, "received-by")) stamp.by = value;
    else if (same_text(element, "received-from")) stamp.from = value;
    else if (same_text(element, "received-id")) stamp.id = value;
    else if (same_text(element, "received-via")) stamp.via = value;
    else fail_unknown(element);
    open_empty();
  }

  void on_text_end(std::string& text) override {
    if (&text == &length_) envelope_.payload_length = length_from(text);
    if (&text == &date_) envelope_.date = date_from(text);
  }

  std::optional<std::uint64_t> length_from(std::string_view text) const {
    const auto length = envelope_length(text);
    if (!length) fail(quoted(text) + " is no length of a message");
    return length->value;
  }

  DateTime date_from(std::string_view text) const {
    const auto date = envelope_date(text);
    if (!date) fail(quoted(text) + " is not a date");
    return *date;
  }

  Envelope envelope_;
  std::vector<AgentId> senders_;
  std::string length_, date_, behaviour_;
  bool has_to_ = false, has_intended_ = false;  // in this `params`
};

}  // namespace

Envelope read_envelope_xml(std::string_view text, const Limits& limits) {
  return EnvelopeReader(text, limits).read();
}

}  // namespace coracle::acl
