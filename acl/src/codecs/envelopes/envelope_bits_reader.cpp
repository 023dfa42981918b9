#include "codecs/envelopes/envelope_codes.hpp"

#include "coracle/acl/envelope_codec.hpp"
#include "coracle/support/quote.hpp"

#include <bitset>
#include <charconv>

namespace coracle::acl {

namespace {

class EnvelopeBitsReader {
 public:
  EnvelopeBitsReader(std::string_view bytes, const Limits& limits)
      : bytes_(bytes), source_(Form::bit_envelope, bytes), budget_(Form::bit_envelope, 0, limits) {}

  EnvelopeBits read() {
    while (!read_envelope()) {
    }
    return {std::move(envelope_), source_.place()};
  }

 private:
  using Fields = std::bitset<envelope_code::transport_behaviour + 1>;

  // Reads one envelope; returns whether it was the base envelope.
  bool read_envelope() {
    const std::size_t begin = source_.place();
    const std::uint8_t kind = source_.byte();
    const bool is_base = kind == envelope_code::base;
    if (!is_base && kind != envelope_code::external) {
      source_.fail_for(kind, "beginning of an envelope; it must be 0xfd or 0xfe");
    }
    std::uint64_t size = source_.number(2);
    if (size == 0) size = source_.number(4);
    read_inside(begin, size, is_base);
    return is_base;
  }

  // Reads an envelope of that size behind its length; so it cannot go on into the message.
  void read_inside(std::size_t begin, std::uint64_t size, bool is_base) {
    if (size < source_.place() - begin) {
      source_.fail("the envelope announces " + std::to_string(size) +
                   " bytes, which is less than its head has");
    }
    if (size > bytes_.size() - begin) {
      source_.fail("the envelope announces " + std::to_string(size) +
                   " bytes, but the input has fewer");
    }
    if (begin + size > budget_.limits().bytes) {
      fail_limit(Form::bit_envelope, budget_.limits().bytes, "bytes");
    }
    source_ = BitSource(Form::bit_envelope, bytes_.substr(0, begin + size), source_.place());
    const Fields begun_before = begun_;
    if (is_base) read_base();
    else read_stamp();
    for (std::uint8_t next = source_.byte(); next != code::end; next = source_.byte()) {
      read_field(next, begun_before);
    }
    if (!source_.at_end()) source_.fail("the envelope announces more bytes than it has");
    source_ = BitSource(Form::bit_envelope, bytes_, source_.place());
  }

  void read_base() {
    const std::string name = read_representation();
    if (is_first(envelope_code::representation, begun_)) envelope_.representation = name;
    envelope_.date = source_.date();
  }

  std::string read_representation() {
    const std::uint8_t kind = source_.byte();
    if (kind == envelope_code::other_representation) return std::string(source_.text());
    const std::size_t number = kind - std::size_t{envelope_code::first_representation};
    if (number >= envelope_code::representations.size()) {
      source_.fail_for(kind, "representation of a message");
    }
    return std::string(envelope_code::representations[number]);
  }

  // Marks the field, and returns whether it was not among those of `before`.
  bool is_first(std::uint8_t field, const Fields& before) {
    const bool is_first = !before[field];
    begun_[field] = true;
    return is_first;
  }

  // Sets the field, unless an envelope before has done so.
  template <class T>
  void set(std::uint8_t field, const Fields& before, T& target, T value) {
    if (is_first(field, before)) target = std::move(value);
  }

  void read_field(std::uint8_t field, const Fields& before) {
    Envelope& to = envelope_;
    switch (field) {
      case envelope_code::user:
        return read_property();
      case envelope_code::to:
        return set(field, before, to.to, read_agents(0));
      case envelope_code::from:
        return set(field, before, to.from, read_sender());
      case envelope_code::representation:
        return set(field, before, to.representation, read_representation());
      case envelope_code::comments:
        return set(field, before, to.comments, read_text());
      case envelope_code::payload_length:
        return set(field, before, to.payload_length, std::optional(read_length()));
      case envelope_code::payload_encoding:
        return set(field, before, to.payload_encoding, read_text());
      case envelope_code::intended_receiver:
        return set(field, before, to.intended_receivers, read_agents(0));
      case envelope_code::received:
        return read_stamp();
      case envelope_code::transport_behaviour:
        return set(field, before, to.transport_behaviour, read_any());
      default:
        source_.fail_for(field, "field of an envelope");
    }
  }

  std::string read_text() { return std::string(source_.text()); }

  std::uint64_t read_length() {
    const std::string digits = source_.digits();
    std::uint64_t length = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      source_.fail(coracle::detail::quoted(digits) + " is no length of a message");
    }
    return length;
  }

  AgentId read_sender() {
    const std::uint8_t begin = source_.byte();
    if (begin != envelope_code::name) source_.fail_for(begin, "beginning of an agent");
    return read_rest_of_agent(0);
  }

  std::vector<AgentId> read_agents(std::size_t depth) {
    std::vector<AgentId> agents;
    for (std::uint8_t next = source_.byte(); next != code::end; next = source_.byte()) {
      if (next != envelope_code::name) source_.fail_for(next, "beginning of an agent");
      budget_.take_item();
      agents.push_back(read_rest_of_agent(depth));
    }
    return agents;
  }

  AgentId read_rest_of_agent(std::size_t depth) {
    AgentId agent;
    agent.name = source_.text();
    if (agent.name.empty()) source_.fail("an agent has no name");
    for (std::uint8_t next = source_.byte(); next != code::end; next = source_.byte()) {
      switch (next) {
        case envelope_code::addresses:
          read_addresses(agent.addresses);
          break;
        case envelope_code::resolvers:
          budget_.check_resolvers(depth + 1);
          agent.resolvers = read_agents(depth + 1);
          break;
        case envelope_code::slot_of_jade:
        case envelope_code::slot:
          read_slot(next, agent.user);
          break;
        default:
          source_.fail_for(next, "part of an agent");
      }
    }
    return agent;
  }

  void read_addresses(std::vector<std::string>& addresses) {
    addresses.clear();
    while (source_.peek() != code::end) {
      budget_.take_item();
      addresses.push_back(read_text());
    }
    source_.byte();
  }

  void read_slot(std::uint8_t kind, Parameters& user) {
    budget_.take_item();
    auto& [name, value] = user.emplace_back();
    name = source_.text();
    if (kind == envelope_code::slot_of_jade) {
      value = source_.text();
    } else {
      const std::uint8_t type = source_.byte();
      value = type == code::string ? source_.text() : source_.counted(type);
    }
  }

  void read_stamp() {
    budget_.take_item();
    Stamp& stamp = envelope_.received.emplace_back();
    stamp.by = source_.text();
    stamp.date = source_.date();
    for (std::uint8_t next = source_.byte(); next != code::end; next = source_.byte()) {
      switch (next) {
        case envelope_code::user: {
          budget_.take_item();
          auto& [name, value] = stamp.user.emplace_back();
          read_name_and_value(name, value);
          break;
        }
        case envelope_code::stamp_from:
          stamp.from = source_.text();
          break;
        case envelope_code::stamp_id:
          stamp.id = source_.text();
          break;
        case envelope_code::stamp_via:
          stamp.via = source_.text();
          break;
        default:
          source_.fail_for(next, "part of a stamp");
      }
    }
  }

  void read_property() {
    budget_.take_item();
    Property& property = envelope_.user.emplace_back();
    read_name_and_value(property.name, property.value);
  }

  // JADE writes both as one text, with a blank between them.
  void read_name_and_value(std::string& name, std::string& value) {
    const std::string_view text = source_.text();
    const std::size_t blank = text.find(' ');
    name = text.substr(0, blank);
    value = blank == std::string_view::npos ? source_.text() : text.substr(blank + 1);
  }

  Body read_any() {
    const std::uint8_t kind = source_.byte();
    if (kind == code::string) return read_text();
    const auto bytes = std::as_bytes(std::span(source_.counted(kind)));
    if (bytes.empty()) return std::string();
    return Bytes(bytes.begin(), bytes.end());
  }

  std::string_view bytes_;
  BitSource source_;  // of the envelope that is read now
  Budget budget_;
  Envelope envelope_;
  Fields begun_;  // the fields that the envelopes so far had
};

}  // namespace

EnvelopeBits read_envelope_bits(std::string_view bytes, const Limits& limits) {
  return EnvelopeBitsReader(bytes, limits).read();
}

}  // namespace coracle::acl
