#include "codecs/checks.hpp"
#include "codecs/envelopes/envelope_codes.hpp"

#include "coracle/acl/envelope_codec.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>

namespace coracle::acl {

namespace {

// Writes one envelope without its first byte and its length.
class EnvelopeBitsWriter {
 public:
  void write_base(const Envelope& envelope) {
    write_representation(envelope.representation);
    write_date(envelope.date, "the envelope");
    write_agents(envelope_code::to, envelope.to);
    if (envelope.from != AgentId()) {
      append_byte(out_, envelope_code::from);
      check_writable(Form::bit_envelope, envelope.from);
      write_agent(envelope.from);
    }
    write_agents(envelope_code::intended_receiver, envelope.intended_receivers);
    write_field(envelope_code::comments, envelope.comments);
    if (envelope.payload_length) {
      append_byte(out_, envelope_code::payload_length);
      append_digits(out_, std::to_string(*envelope.payload_length));
    }
    write_field(envelope_code::payload_encoding, envelope.payload_encoding);
    if (!envelope.received.empty()) {
      append_byte(out_, envelope_code::received);
      write_stamp(envelope.received.back());
    }
    write_behaviour(envelope.transport_behaviour);
    for (const Property& each : envelope.user) {
      if (each.type != "string") {
        fail_writing(Form::bit_envelope, "the property " + coracle::detail::quoted(each.name) +
                                             " is no string; there is room for strings only");
      }
      write_property(each.name, each.value);
    }
    append_byte(out_, code::end);
  }

  void write_external(const Stamp& stamp) {
    write_stamp(stamp);
    append_byte(out_, code::end);
  }

  const std::string& written() const noexcept { return out_; }

 private:
  void text(std::string_view text) {
    if (has_zero(text)) {
      fail_writing(Form::bit_envelope,
                   "the text " + coracle::detail::quoted(text) +
                       " has a zero byte, for which there is no room; leave it out");
    }
    append_text(out_, text);
  }

  void write_field(std::uint8_t field, std::string_view value) {
    if (value.empty()) return;
    append_byte(out_, field);
    text(value);
  }

  void write_representation(std::string_view name) {
    const auto found = std::ranges::find(envelope_code::representations, name);
    if (found != envelope_code::representations.end()) {
      const auto number = found - envelope_code::representations.begin();
      append_byte(out_, envelope_code::first_representation + static_cast<unsigned>(number));
    } else {
      append_byte(out_, envelope_code::other_representation);
      text(name);
    }
  }

  void write_date(const std::optional<DateTime>& date, const char* owner) {
    if (!date)
      fail_writing(Form::bit_envelope,
                   std::string(owner) + " has no date, which this form needs; give it one");
    check_writable(Form::bit_envelope, *date);
    append_date(out_, *date);
  }

  void write_agents(std::uint8_t field, const std::vector<AgentId>& agents) {
    if (agents.empty()) return;
    append_byte(out_, field);
    for (const AgentId& each : agents) {
      check_writable(Form::bit_envelope, each);
      write_agent(each);
    }
    append_byte(out_, code::end);
  }

  void write_agent(const AgentId& agent) {
    append_byte(out_, envelope_code::name);
    text(agent.name);
    if (!agent.addresses.empty()) {
      append_byte(out_, envelope_code::addresses);
      for (const std::string& each : agent.addresses) write_address(each);
      append_byte(out_, code::end);
    }
    if (!agent.resolvers.empty()) {
      append_byte(out_, envelope_code::resolvers);
      for (const AgentId& each : agent.resolvers) write_agent(each);
      append_byte(out_, code::end);
    }
    for (const auto& [name, value] : agent.user) {
      const bool is_text = !has_zero(value);
      append_byte(out_, is_text ? envelope_code::slot_of_jade : envelope_code::slot);
      text(name);
      if (is_text) text(value);
      else append_counted(out_, value);
    }
    append_byte(out_, code::end);
  }

  // The end of the list would be taken for the beginning of an address, and the other way round.
  void write_address(const std::string& address) {
    if (address.starts_with(static_cast<char>(code::end))) {
      fail_writing(Form::bit_envelope, "the address " + coracle::detail::quoted(address) +
                                           " begins like the end of a list; give a URL");
    }
    text(address);
  }

  void write_stamp(const Stamp& stamp) {
    text(stamp.by);
    write_date(stamp.date, "a stamp");
    write_field(envelope_code::stamp_from, stamp.from);
    write_field(envelope_code::stamp_id, stamp.id);
    write_field(envelope_code::stamp_via, stamp.via);
    for (const auto& [name, value] : stamp.user) write_property(name, value);
    append_byte(out_, code::end);
  }

  void write_behaviour(const Body& behaviour) {
    if (const auto* bytes = std::get_if<Bytes>(&behaviour)) {
      if (bytes->empty()) return;
      append_byte(out_, envelope_code::transport_behaviour);
      append_counted(out_, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    } else if (const auto& written = std::get<std::string>(behaviour); !written.empty()) {
      append_byte(out_, envelope_code::transport_behaviour);
      append_byte(out_, code::string);
      text(written);
    }
  }

  // JADE writes one text with a blank between the name and the value; so a name has no blank.
  void write_property(std::string_view name, std::string_view value) {
    if (name.find(' ') != std::string_view::npos) {
      fail_writing(Form::bit_envelope, "the name of the property " + coracle::detail::quoted(name) +
                                           " has a blank; leave it out");
    }
    append_byte(out_, envelope_code::user);
    text(name);
    text(value);
  }

  std::string out_;
};

// Appends the first byte, the length of the whole envelope, and the envelope.
void append_envelope(std::string& out, std::uint8_t kind, const std::string& written) {
  constexpr std::size_t head = 3, long_head = 7;
  append_byte(out, kind);
  if (written.size() + head < 0x10000) {
    append_number(out, written.size() + head, 2);
  } else {
    if (written.size() + long_head > 0xffff'ffff) {
      fail_writing(Form::bit_envelope, "the envelope has more than 4 GiB; send less");
    }
    append_number(out, 0, 2);
    append_number(out, written.size() + long_head, 4);
  }
  out += written;
}

}  // namespace

std::string write_envelope_bits(const Envelope& envelope) {
  std::string out;
  for (std::size_t newer = 0; newer + 1 < envelope.received.size(); ++newer) {
    EnvelopeBitsWriter writer;
    writer.write_external(envelope.received[newer]);
    append_envelope(out, envelope_code::external, writer.written());
  }
  EnvelopeBitsWriter writer;
  writer.write_base(envelope);
  append_envelope(out, envelope_code::base, writer.written());
  return out;
}

}  // namespace coracle::acl
