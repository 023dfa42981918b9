#include "letter_stream.hpp"

#include "any_stream.hpp"
#include "coracle/errors.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::fipa {

namespace {

// A message grows by so many bytes at a time, whatever length its sender states.
constexpr std::size_t step = 64 * 1024;

class LetterReader {
 public:
  LetterReader(cdrStream& in, const acl::Limits& limits, Share& share)
      : in_(in), limits_(limits), share_(share), items_(limits.items) {}

  Letter letter() {
    Letter letter;
    const std::uint32_t envelopes = count(envelope_bytes);
    if (envelopes == 0) throw Error(Errc::bad_encoding, "the letter has no envelope");
    for (std::uint32_t i = 0; i < envelopes; ++i) add_envelope(letter.envelope);
    letter.payload = payload();
    return letter;
  }

 private:
  // The least bytes of one element of each list; a sequence takes four.
  static constexpr std::size_t envelope_bytes = 40, agent_bytes = 16, property_bytes = 8,
                               text_bytes = 4, date_bytes = 15, stamp_bytes = 24;

  // The number of elements of a list.
  std::uint32_t count(std::size_t least_bytes) {
    const std::uint32_t number = in_.unmarshalULong();
    if (number > items_)
      throw Error(Errc::too_large, "the letter has more agents, addresses and properties than " +
                                       std::to_string(limits_.items));
    if (number != 0 && !in_.checkInputOverrun(static_cast<CORBA::ULong>(least_bytes), number))
      throw Error(Errc::bad_encoding, "the letter ends in the middle of a list");
    items_ -= number;
    return number;
  }
  // A list with one element or none.
  bool one(std::size_t least_bytes) {
    const std::uint32_t number = count(least_bytes);
    if (number > 1) throw Error(Errc::bad_encoding, "a field of the envelope has several values");
    return number == 1;
  }
  std::string text() {
    const CORBA::String_var found = in_.unmarshalString(max_envelope_text);
    std::string result = found.in();
    take(result.size());
    return result;
  }
  void take(std::size_t bytes) {
    if (!share_.take(bytes))
      throw Error(Errc::limit_reached, "there is no room for the letter now; send it again later");
  }

  acl::Property property() {
    acl::Property property;
    property.name = text();
    read_any(in_, property, max_envelope_text);
    take(property.value.size());
    return property;
  }
  acl::AgentId agent(std::size_t depth) {
    acl::AgentId id;
    id.name = text();
    const std::uint32_t addresses = count(text_bytes);
    for (std::uint32_t i = 0; i < addresses; ++i) id.addresses.push_back(text());
    const std::uint32_t resolvers = count(agent_bytes);
    if (resolvers != 0 && depth == acl::max_resolver_depth)
      throw Error(Errc::too_large, "the resolvers of an agent are nested too deeply");
    for (std::uint32_t i = 0; i < resolvers; ++i) id.resolvers.push_back(agent(depth + 1));
    const std::uint32_t properties = count(property_bytes);
    for (std::uint32_t i = 0; i < properties; ++i) {
      acl::Property each = property();
      id.user.emplace_back(std::move(each.name), std::move(each.value));
    }
    return id;
  }
  std::vector<acl::AgentId> agents() {
    std::vector<acl::AgentId> all;
    const std::uint32_t number = count(agent_bytes);
    for (std::uint32_t i = 0; i < number; ++i) all.push_back(agent(0));
    return all;
  }
  // Nothing if there is no such date.
  std::optional<acl::DateTime> date() {
    constexpr CORBA::Short least[] = {0, 1, 1, 0, 0, 0, 0};
    constexpr CORBA::Short most[] = {9999, 12, 31, 23, 59, 60, 999};
    CORBA::Short parts[7];
    bool is_right = true;
    for (std::size_t i = 0; i < 7; ++i) {
      parts[i] = in_.unmarshalShort();
      is_right = is_right && parts[i] >= least[i] && parts[i] <= most[i];
    }
    const auto zone = static_cast<char>(in_.unmarshalChar());
    const bool is_letter = (zone >= 'A' && zone <= 'Z') || (zone >= 'a' && zone <= 'z');
    if (!is_right) return std::nullopt;
    const auto small = [&](std::size_t i) { return static_cast<std::uint8_t>(parts[i]); };
    acl::DateTime date;
    date.zone = is_letter ? zone : '\0';
    date.year = static_cast<std::uint16_t>(parts[0]);
    date.month = small(1);
    date.day = small(2);
    date.hour = small(3);
    date.minute = small(4);
    date.second = small(5);
    date.millisecond = static_cast<std::uint16_t>(parts[6]);
    return date;
  }
  acl::Stamp stamp() {
    acl::Stamp stamp;
    stamp.by = text();
    stamp.from = text();
    stamp.date = date();
    stamp.id = text();
    stamp.via = text();
    return stamp;
  }
  void replace(std::string& field) {
    std::string found = text();
    if (!found.empty()) field = std::move(found);
  }
  void replace(std::vector<acl::AgentId>& field) {
    std::vector<acl::AgentId> found = agents();
    if (!found.empty()) field = std::move(found);
  }
  void add_envelope(acl::Envelope& envelope) {
    replace(envelope.to);
    if (one(agent_bytes)) envelope.from = agent(0);
    replace(envelope.comments);
    replace(envelope.representation);
    const CORBA::Long length = in_.unmarshalLong();
    if (length > 0) envelope.payload_length = static_cast<std::uint64_t>(length);
    replace(envelope.payload_encoding);
    if (one(date_bytes)) envelope.date = date();
    const std::uint32_t encrypted = count(text_bytes);
    for (std::uint32_t i = 0; i < encrypted; ++i) (void)text();
    replace(envelope.intended_receivers);
    if (one(stamp_bytes)) envelope.received.insert(envelope.received.begin(), stamp());
    if (one(text_bytes)) {
      const std::uint32_t behaviours = count(property_bytes);
      for (std::uint32_t i = 0; i < behaviours; ++i) (void)property();
    }
    const std::uint32_t properties = count(property_bytes);
    if (properties != 0) envelope.user.clear();
    for (std::uint32_t i = 0; i < properties; ++i) envelope.user.push_back(property());
  }
  std::string payload() {
    const std::size_t size = in_.unmarshalULong();
    if (size > limits_.bytes)
      throw Error(Errc::too_large,
                  "the message has more than " + std::to_string(limits_.bytes) + " bytes");
    std::string bytes;
    while (bytes.size() < size) {
      const std::size_t at = bytes.size(), next = std::min(step, size - at);
      take(next);
      bytes.resize(at + next);
      in_.get_octet_array(reinterpret_cast<CORBA::Octet*>(bytes.data() + at),
                          static_cast<int>(next));
    }
    return bytes;
  }

  cdrStream& in_;
  const acl::Limits& limits_;
  Share& share_;
  std::size_t items_;
};

// --- checking and writing ---

class Check {
 public:
  explicit Check(std::size_t items) : items_(items) {}

  void text(std::string_view text) const {
    if (text.find('\0') != std::string_view::npos)
      throw Error(Errc::bad_encoding, "IIOP carries no text with a zero; remove it");
    if (text.size() >= max_envelope_text)
      throw Error(Errc::too_large, "a text of the envelope has more than 64 KiB");
  }
  void items(std::size_t number) {
    if (number > items_) throw Error(Errc::too_large, "the envelope has too many elements");
    items_ -= number;
  }
  void agent(const acl::AgentId& id, std::size_t depth = 0) {
    text(id.name);
    items(id.addresses.size() + id.resolvers.size() + id.user.size());
    if (depth > acl::max_resolver_depth)
      throw Error(Errc::too_large, "the resolvers of an agent are nested too deeply");
    for (const std::string& each : id.addresses) text(each);
    for (const acl::AgentId& each : id.resolvers) agent(each, depth + 1);
    for (const auto& [name, value] : id.user) {
      text(name);
      text(value);
    }
  }
  void agents(const std::vector<acl::AgentId>& all) {
    items(all.size());
    for (const acl::AgentId& each : all) agent(each);
  }

 private:
  std::size_t items_;
};

class LetterWriter {
 public:
  explicit LetterWriter(cdrStream& out) : out_(out) {}

  void letter(const Letter& letter) {
    const auto& stamps = letter.envelope.received;
    number(std::max<std::size_t>(stamps.size(), 1));
    envelope(letter.envelope, stamps.empty() ? nullptr : &stamps.back());
    const acl::Envelope nothing;
    for (std::size_t i = stamps.size(); i-- > 1;) envelope(nothing, &stamps[i - 1]);
    number(letter.payload.size());
    out_.put_octet_array(reinterpret_cast<const CORBA::Octet*>(letter.payload.data()),
                         static_cast<int>(letter.payload.size()));
  }

 private:
  void number(std::size_t value) { out_.marshalULong(static_cast<CORBA::ULong>(value)); }
  void text(const std::string& value) { out_.marshalString(value.c_str()); }
  void property(const acl::Property& property) {
    text(property.name);
    write_any(out_, property);
  }
  void agent(const acl::AgentId& id) {
    text(id.name);
    number(id.addresses.size());
    for (const std::string& each : id.addresses) text(each);
    agents(id.resolvers);
    number(id.user.size());
    for (const auto& [name, value] : id.user) property({name, value});
  }
  void agents(const std::vector<acl::AgentId>& all) {
    number(all.size());
    for (const acl::AgentId& each : all) agent(each);
  }
  void date(const acl::DateTime& date) {
    for (const int part : {int{date.year}, int{date.month}, int{date.day}, int{date.hour},
                           int{date.minute}, int{date.second}, int{date.millisecond}})
      out_.marshalShort(static_cast<CORBA::Short>(part));
    out_.marshalChar(static_cast<CORBA::Char>(date.zone == '\0' ? ' ' : date.zone));
  }
  static bool is_absolute(const std::optional<acl::DateTime>& date) {
    return date && date->kind == acl::DateTime::Kind::absolute;
  }
  void envelope(const acl::Envelope& envelope, const acl::Stamp* stamp) {
    agents(envelope.to);
    const bool has_sender = envelope.from != acl::AgentId();
    number(has_sender ? 1 : 0);
    if (has_sender) agent(envelope.from);
    text(envelope.comments);
    text(envelope.representation);
    const std::uint64_t length = envelope.payload_length.value_or(0);
    constexpr std::uint64_t most = std::numeric_limits<CORBA::Long>::max();
    out_.marshalLong(length <= most ? static_cast<CORBA::Long>(length) : 0);
    text(envelope.payload_encoding);
    number(is_absolute(envelope.date) ? 1 : 0);
    if (is_absolute(envelope.date)) date(*envelope.date);
    number(0);  // encrypted
    agents(envelope.intended_receivers);
    number(stamp != nullptr ? 1 : 0);
    if (stamp != nullptr) {
      text(stamp->by);
      text(stamp->from);
      date(is_absolute(stamp->date) ? *stamp->date : acl::DateTime());
      text(stamp->id);
      text(stamp->via);
    }
    number(0);  // transport behaviour
    number(envelope.user.size());
    for (const acl::Property& each : envelope.user) property(each);
  }

  cdrStream& out_;
};

}  // namespace

Letter read_letter(cdrStream& in, const acl::Limits& limits, Share& share) {
  return LetterReader(in, limits, share).letter();
}

void check_letter(const Letter& letter, const acl::Limits& limits) {
  const acl::Envelope& envelope = letter.envelope;
  if (letter.payload.size() > limits.bytes)
    throw Error(Errc::too_large,
                "the message has more than " + std::to_string(limits.bytes) + " bytes");
  Check check(limits.items);
  check.agents(envelope.to);
  check.agent(envelope.from);
  check.agents(envelope.intended_receivers);
  check.text(envelope.comments);
  check.text(envelope.representation);
  check.text(envelope.payload_encoding);
  check.items(envelope.received.size() + envelope.user.size());
  for (const acl::Stamp& each : envelope.received) {
    for (const std::string* const text : {&each.by, &each.from, &each.id, &each.via})
      check.text(*text);
  }
  for (const acl::Property& each : envelope.user) {
    check.text(each.name);
    check.text(each.value);
  }
}

void write_letter(cdrStream& out, const Letter& letter) { LetterWriter(out).letter(letter); }

}  // namespace coracle::fipa
