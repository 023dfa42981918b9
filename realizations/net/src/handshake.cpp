#include "realizations/net/src/handshake.hpp"

#include "coracle/support/quote.hpp"
#include "realizations/net/src/plain_words.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace coracle::net {

namespace {

constexpr std::string_view magic = "CRCL";

enum class Field : std::uint8_t { society = 1, node, epoch, number, largest = 6 };

ByteSpan bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string text_of(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void field(FrameWriter& out, Field tag, ByteSpan value) {
  out.byte(static_cast<std::uint8_t>(tag));
  out.byte(static_cast<std::uint8_t>(value.size()));
  out.byte(static_cast<std::uint8_t>(value.size() >> 8));
  out.bytes(value);
}

ByteSpan read_value(FrameReader& reader) {
  const unsigned low = reader.byte(), high = reader.byte();
  return reader.bytes(low + 256 * high);
}

// Reads one field; returns false when its value is wrong.
bool read_field(std::uint8_t tag, ByteSpan value, Hello& hello) {
  FrameReader reader(value);
  Greeting& greeting = hello.greeting;
  switch (static_cast<Field>(tag)) {
    case Field::society:
      greeting.society = text_of(value);
      return is_name(greeting.society);
    case Field::node:
      greeting.node = text_of(value);
      return is_name(greeting.node);
    case Field::epoch:
      greeting.epoch.random = reader.word();
      greeting.epoch.counter = reader.word();
      return reader.done();
    case Field::number:
      greeting.number = reader.number();
      return reader.done();
    case Field::largest:
      greeting.largest = reader.number();
      return reader.done();
  }
  return true;  // a field of a later version
}

// A certificate for the node "lab" of its society is also valid for "lab.7": each program that runs
// there is a node. Returns "lab", or nothing if `name` is not valid for the node.
std::string_view certified(const Greeting& greeting, std::string_view name) {
  if (name == greeting.node) return name;
  const std::string prefix = "coracle://" + greeting.society + "/";
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return {};
  name.remove_prefix(prefix.size());
  const bool is_its = greeting.node == name || greeting.node.starts_with(std::string(name) + ".");
  return is_its ? name : std::string_view();
}

}  // namespace

bool is_name(std::string_view text) noexcept {
  return !text.empty() && text.size() <= Identity::max_name && text.find(' ') == text.npos &&
         detail::is_plain(text);
}

bool begins_hello(std::span<const std::byte> first) noexcept {
  if (first.size() < frame_header_bytes + magic.size()) return false;
  return first[0] == static_cast<std::byte>(FrameType::hello) &&
         std::ranges::equal(first.subspan(frame_header_bytes, magic.size()), bytes_of(magic));
}

std::vector<std::byte> not_permitted(std::string_view sentence) {
  std::vector<std::byte> bytes;
  append_goodbye(bytes, {Reason::not_permitted, std::string(sentence)});
  return bytes;
}

void append_hello(std::vector<std::byte>& out, const Hello& hello) {
  const Greeting& greeting = hello.greeting;
  std::vector<std::byte> epoch, number, largest;
  FrameWriter(epoch).word(greeting.epoch.random);
  FrameWriter(epoch).word(greeting.epoch.counter);
  FrameWriter(number).number(greeting.number);
  FrameWriter(largest).number(greeting.largest);
  append_frame(out, FrameType::hello, [&](FrameWriter& body) {
    body.bytes(bytes_of(magic));
    body.byte(hello.versions.least);
    body.byte(hello.versions.most);
    field(body, Field::society, bytes_of(greeting.society));
    field(body, Field::node, bytes_of(greeting.node));
    field(body, Field::epoch, epoch);
    field(body, Field::number, number);
    field(body, Field::largest, largest);
  });
}

std::optional<Hello> read_hello(ByteSpan body, std::string& fault) {
  FrameReader reader(body);
  if (!std::ranges::equal(reader.bytes(magic.size()), bytes_of(magic))) {
    fault = "it does not speak this protocol";
    return std::nullopt;
  }
  Hello hello;
  hello.versions.least = reader.byte();
  hello.versions.most = reader.byte();
  unsigned seen = 0;
  while (reader.ok() && reader.left() > 0) {
    const std::uint8_t tag = reader.byte();
    const ByteSpan value = read_value(reader);
    if (!reader.ok()) break;
    const unsigned bit = tag < 32 ? 1u << tag : 0;
    if ((seen & bit) != 0 || !read_field(tag, value, hello)) {
      fault = "field " + std::to_string(tag) + " of its greeting cannot be understood";
      return std::nullopt;
    }
    seen |= bit;
  }
  constexpr unsigned needed = 0b1011110;
  if (!reader.ok() || (seen & needed) != needed || hello.versions.least == 0 ||
      hello.versions.least > hello.versions.most) {
    fault = "its greeting is not complete";
    return std::nullopt;
  }
  return hello;
}

Handshake::Handshake(Session::Side side, const Identity& self, const Peer& peer,
                     std::string expected, std::uint64_t number, std::uint64_t largest,
                     Versions versions)
    : side_(side),
      self_(&self),
      peer_(&peer),
      expected_(std::move(expected)),
      number_(number),
      largest_(largest),
      versions_(versions) {}

Handshake Handshake::dial(const Identity& self, const Peer& peer, std::string expected,
                          std::uint64_t number, std::uint64_t largest, Versions versions) {
  Handshake made(Session::Side::dialled, self, peer, std::move(expected), number, largest,
                 versions);
  made.send_hello();
  return made;
}

Handshake Handshake::accept(const Identity& self, const Peer& peer, std::uint64_t largest,
                            Versions versions) {
  return Handshake(Session::Side::accepted, self, peer, {}, 0, largest, versions);
}

void Handshake::send_hello() {
  append_hello(out_,
               {{self_->society, self_->node, self_->epoch, number_, 0, largest_}, versions_});
}

void Handshake::fail(Reason reason, std::string sentence) {
  if (failed_) return;
  failed_ = Closing{reason, std::move(sentence)};
  state_ = State::over;
  done_.reset();
  asked_.reset();
  append_goodbye(out_, *failed_);
}

std::vector<std::byte> Handshake::take() { return std::exchange(out_, {}); }

std::size_t Handshake::received(std::span<const std::byte> bytes) {
  std::size_t used = 0;
  while ((state_ == State::hello || state_ == State::agreed) && used < bytes.size()) {
    const auto rest = bytes.subspan(used);
    const auto type = static_cast<FrameType>(rest[0]);
    const bool begins = state_ == State::hello;
    if (!begins && type == FrameType::resume) {
      finish();
      break;
    }
    if (type != FrameType::goodbye && (!begins || type != FrameType::hello)) {
      fail(begins ? Reason::malformed : Reason::unknown_frame,
           begins ? "it does not begin with a greeting"
                  : "it sent another frame before its session began");
      break;
    }
    if (rest.size() < frame_header_bytes) break;
    const std::size_t size = frame_header_bytes + read_frame_header(rest.data()).length;
    if (size > largest_frame) {
      fail(Reason::oversize, "a greeting has at most " + std::to_string(largest_frame) + " bytes");
      break;
    }
    if (rest.size() < size) break;
    used += size;
    take_frame(type, rest.first(size));
  }
  return used;
}

void Handshake::take_frame(FrameType type, ByteSpan frame) {
  const auto body = frame.subspan(frame_header_bytes);
  if (type == FrameType::hello) return take_hello(body);
  FrameReader reader(body);
  const std::uint8_t reason = reader.byte();
  failed_ = Closing{static_cast<Reason>(reason), shown(reader.rest())};
  told_ = true;
  state_ = State::over;
}

void Handshake::take_hello(ByteSpan body) {
  std::string fault;
  auto hello = read_hello(body, fault);
  if (!hello) return fail(Reason::malformed, fault);
  const std::uint8_t version = std::min(versions_.most, hello->versions.most);
  if (version < std::max(versions_.least, hello->versions.least))
    return fail(Reason::wrong_version,
                self_->node + " speaks versions " + std::to_string(versions_.least) + " to " +
                    std::to_string(versions_.most) + ", " + hello->greeting.node + " " +
                    std::to_string(hello->versions.least) + " to " +
                    std::to_string(hello->versions.most));
  hello->greeting.version = version;
  if (const auto no = judge(hello->greeting)) return fail(no->reason, no->sentence);
  greeting_ = std::move(hello->greeting);
  if (side_ == Session::Side::accepted) {
    asked_ = greeting_;
    state_ = State::asked;
  } else {
    finish();
  }
}

// Also notes the certified name of the peer.
std::optional<Closing> Handshake::judge(Greeting& greeting) const {
  if (greeting.society != self_->society)
    return Closing{Reason::wrong_society,
                   "this is society " + self_->society + ", not " + greeting.society};
  if (greeting.node == self_->node)
    return Closing{Reason::not_permitted, greeting.node + " is our own name"};
  if (!expected_.empty() && greeting.node != expected_)
    return Closing{Reason::not_permitted, "this is " + greeting.node + ", not " + expected_};
  greeting.is_inside = peer_->proof == Peer::Proof::process;
  greeting.is_on_this_host = peer_->is_on_this_host;
  if (peer_->proof == Peer::Proof::certificate) {
    const auto& names = peer_->names;
    for (const std::string& name : names) {
      if (greeting.certified.empty()) greeting.certified = certified(greeting, name);
    }
    if (greeting.certified.empty())
      return Closing{Reason::not_permitted, "the certificate is not that of " + greeting.node};
  } else if (peer_->proof == Peer::Proof::nothing && !self_->anybody) {
    return Closing{Reason::not_permitted, "neither a key nor a certificate proves its identity"};
  }
  return std::nullopt;
}

void Handshake::answer(std::uint64_t number) {
  assert(state_ == State::asked);
  number_ = number;
  asked_.reset();
  send_hello();
  state_ = State::agreed;
}

void Handshake::finish() {
  state_ = State::over;
  done_ = greeting_;
}

}  // namespace coracle::net
