#include "codecs/checks.hpp"
#include "codecs/xml/xml.hpp"

#include "coracle/acl/envelope_codec.hpp"

namespace coracle::acl {

namespace {

class EnvelopeWriter {
 public:
  std::string write(const Envelope& envelope) {
    out_.reserve(1024);
    out_ += "<?xml version=\"1.0\"?>\n<envelope><params index=\"1\">";
    write_agents("to", envelope.to);
    if (envelope.from != AgentId()) write_agent("from", envelope.from);
    write_text("comments", envelope.comments);
    write_text("acl-representation", envelope.representation);
    if (envelope.payload_length) {
      write_text("payload-length", std::to_string(*envelope.payload_length));
    }
    write_text("payload-encoding", envelope.payload_encoding);
    if (envelope.date) write_text("date", date(*envelope.date));
    write_agents("intended-receiver", envelope.intended_receivers);
    write_behaviour(envelope.transport_behaviour);
    for (const Property& each : envelope.user) write_property(each.name, each.value, each.type);
    write_stamps(envelope.received);
    out_ += "</params></envelope>";
    return std::move(out_);
  }

 private:
  void text(std::string_view text) { append_ascii_xml(Form::xml_envelope, out_, text); }

  static std::string date(const DateTime& date) {
    check_writable(Form::xml_envelope, date);
    return to_text(date);
  }

  void write_text(std::string_view element, std::string_view value) {
    if (value.empty()) return;
    ((out_ += '<') += element) += '>';
    text(value);
    ((out_ += "</") += element) += '>';
  }

  // JADE reads one agent in each element.
  void write_agents(std::string_view element, const std::vector<AgentId>& agents) {
    for (const AgentId& each : agents) write_agent(element, each);
  }

  void write_agent(std::string_view element, const AgentId& agent) {
    if (agent.name.empty()) fail_writing(Form::xml_envelope, "an agent has no name; give it one");
    ((out_ += '<') += element) += "><agent-identifier>";
    write_text("name", agent.name);
    out_ += "<addresses>";
    for (const std::string& each : agent.addresses) {
      out_ += "<url>";
      text(each);
      out_ += "</url>";
    }
    ((out_ += "</addresses></agent-identifier></") += element) += '>';
  }

  void write_behaviour(const Body& behaviour) {
    if (const auto* bytes = std::get_if<Bytes>(&behaviour); bytes != nullptr && !bytes->empty()) {
      fail_writing(Form::xml_envelope,
                   "the transport behaviour is bytes, for which there is no room; give text");
    }
    if (const auto* written = std::get_if<std::string>(&behaviour)) {
      write_text("transport-behaviour", *written);
    }
  }

  void write_property(std::string_view name, std::string_view value, std::string_view type) {
    out_ += "<user-defined href=\"";
    text(name);
    out_ += "\" type=\"";
    text(type);
    out_ += "\">";
    text(value);
    out_ += "</user-defined>";
  }

  void write_stamps(const std::vector<Stamp>& stamps) {
    for (std::size_t older = stamps.size(); older > 0; --older) {
      const std::size_t index = stamps.size() - older + 1;
      if (index > 1) out_ += "</params><params index=\"" + std::to_string(index) + "\">";
      write_stamp(stamps[older - 1]);
    }
  }

  void write_stamp(const Stamp& stamp) {
    out_ += "<received>";
    if (stamp.date) write_value("received-date", date(*stamp.date));
    write_value("received-by", stamp.by);
    write_value("received-from", stamp.from);
    write_value("received-id", stamp.id);
    write_value("received-via", stamp.via);
    for (const auto& [name, value] : stamp.user) write_property(name, value, "string");
    out_ += "</received>";
  }

  void write_value(std::string_view element, std::string_view value) {
    if (value.empty()) return;
    ((out_ += '<') += element) += " value=\"";
    text(value);
    out_ += "\"/>";
  }

  std::string out_;
};

}  // namespace

std::string write_envelope_xml(const Envelope& envelope) {
  return EnvelopeWriter().write(envelope);
}

}  // namespace coracle::acl
