// The part of a session that handles received frames.
#include "coracle/support/mutations.hpp"
// The part of a session that handles received frames.
#include "realizations/net/src/session.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace coracle::net {

namespace {

constexpr std::size_t most_other = 1024;         // bytes of a frame without a number
constexpr std::size_t most_settle = 8192;        // bytes of one frame with settlements
constexpr std::uint64_t owed_bytes = 64u << 10;  // from here an acknowledgement is urgent
constexpr std::uint64_t most_credit = ~std::uint64_t{0} >> 1;

std::string digits(std::uint64_t value) { return std::to_string(value); }

// Returns the longest body of a frame of that kind; 0 when there is none.
std::uint64_t longest(std::uint8_t type, const SessionOptions& options) {
  switch (static_cast<FrameType>(type)) {
    case FrameType::message:
      return options.largest[Lane::normal] + 4;
    case FrameType::control:
      return options.largest[Lane::control] + 4;
    case FrameType::settle:
      return most_settle;
    case FrameType::large:
      return most_header + max_varint_bytes;
    case FrameType::chunk:
      return max_chunk;
    case FrameType::resume:
    case FrameType::start:
    case FrameType::goodbye:
    case FrameType::ping:
    case FrameType::pong:
    case FrameType::acknowledge:
    case FrameType::credit:
      return most_other;
    case FrameType::hello:
      break;
  }
  return 0;
}

}  // namespace

std::size_t Session::received(std::span<const std::byte> bytes, Time now) {
  assert(state_ != State::detached);
  now_ = now;
  if (!bytes.empty()) heard(now);
  std::size_t used = 0;
  while (bytes.size() - used >= frame_header_bytes && !closing_ && !farewell_) {
    const FrameHeader header = read_frame_header(bytes.data() + used);
    const std::uint64_t most = longest(header.type, options_);
    if (most == 0) {
      fail(Reason::unknown_frame, "a frame of kind " + digits(header.type) + " does not exist");
      break;
    }
    if (header.length > most) {
      fail(Reason::oversize, "a frame of kind " + digits(header.type) + " has " +
                                 digits(header.length) + " bytes, at most " + digits(most));
      break;
    }
    const std::size_t size = frame_header_bytes + header.length;
    if (bytes.size() - used < size) break;
    const auto body = bytes.subspan(used + frame_header_bytes, header.length);
    if (state_ == State::open && header.type == static_cast<std::uint8_t>(FrameType::message)) {
      if (!take_message(Lane::normal, body)) break;
    } else if (!take_frame(static_cast<FrameType>(header.type), body)) {
      break;
    }
    used += size;
  }
  if (!flying_) trim();
  if (owes_acknowledgement() && !acknowledge_at_) acknowledge_at_ = now + options_.acknowledge;
  if (acknowledgement_is_urgent()) acknowledge_at_ = now;
  tell_credits();
  return used;
}

bool Session::acknowledgement_is_urgent() const {
  return in_[Lane::normal].owed + in_[Lane::large].owed + in_[Lane::control].owed >= owed_bytes;
}

bool Session::take_frame(FrameType type, ByteSpan body) {
  if (type == FrameType::goodbye) return take_goodbye(body);
  if (state_ == State::resuming && type == FrameType::resume) return take_resume(body);
  if (state_ == State::starting && type == FrameType::start) return take_start(body);
  if (state_ == State::open) {
    switch (type) {
      case FrameType::message:
        return take_message(Lane::normal, body);
      case FrameType::control:
        return take_message(Lane::control, body);
      case FrameType::settle:
        return take_settle(body);
      case FrameType::large:
        return take_large(body);
      case FrameType::chunk:
        return take_chunk(body);
      case FrameType::ping:
        return take_ping(body);
      case FrameType::pong:
        return take_pong(body);
      case FrameType::acknowledge:
        return take_acknowledge(body);
      case FrameType::credit:
        return take_credit(body);
      default:
        break;
    }
  }
  return fail(Reason::unknown_frame,
              "a frame of kind " + digits(static_cast<std::uint8_t>(type)) + " is not expected");
}

// Counts a frame of the lane. Sets `known` when it has come before.
bool Session::take_number(Lane lane, std::size_t bytes) {
  In& in = in_[lane];
  const Seq seq = in.next++;
  if (seq <= in.watermark) {
    ++duplicates_;
    return false;
  }
  assert(seq == in.watermark + 1);
  in.watermark = seq;
  in.owed += bytes + 64;
  return true;
}

bool Session::charge(Lane lane, std::uint64_t bytes) {
  In& in = in_[lane];
  if (in.arrived.bytes >= in.granted.bytes || in.arrived.messages >= in.granted.messages)
    return fail(Reason::credit_overrun,
                std::string("more came on the ") + to_string(lane) + " lane than was granted");
  in.arrived.bytes += bytes;
  ++in.arrived.messages;
  return true;
}

void Session::arrive(Lane lane, ByteSpan header, ByteSpan content) {
  activity_ = now_;
  events_.on_arrived({lane, in_[lane].watermark, header, content});
}

bool Session::take_message(Lane lane, ByteSpan body) {
  WireReader reader(body);
  const auto header = reader.bytes(reader.varint());
  if (!reader.ok()) return fail(Reason::malformed, "a message is shorter than its header");
  const auto content = reader.all();
  if (header.size() + content.size() > options_.largest[lane])
    return fail(Reason::oversize, std::string("a message of ") +
                                      digits(header.size() + content.size()) + " bytes on the " +
                                      to_string(lane) + " lane");
  if (!take_number(lane, body.size())) {
    if (mutated(Mutation::credit_counted_again))
      return charge(lane, header.size() + content.size());
    if (!mutated(Mutation::watermark_ignored)) return true;
    in_[lane].arrived.bytes -= header.size() + content.size();
    --in_[lane].arrived.messages;
  }
  if (!charge(lane, header.size() + content.size())) return false;
  arrive(lane, header, content);
  return true;
}

bool Session::take_large(ByteSpan body) {
  WireReader reader(body);
  const std::uint64_t total = reader.varint();
  const auto header = reader.all();
  if (!reader.ok()) return fail(Reason::malformed, "a large message does not state its size");
  if (inbox_.is_open())
    return fail(Reason::corrupt_chunk, "a large message began before the last one was complete");
  if (total > options_.largest[Lane::large] ||
      header.size() > options_.largest[Lane::large] - total)
    return fail(Reason::oversize, "a large message of " + digits(total) + " bytes, at most " +
                                      digits(options_.largest[Lane::large]));
  if (!charge(Lane::large, header.size() + total)) return false;
  inbox_.begin(header, total);
  if (inbox_.is_complete()) finish_large();
  return true;
}

bool Session::take_chunk(ByteSpan body) {
  if (!inbox_.fits(body.size()))
    return fail(Reason::corrupt_chunk,
                inbox_.is_open()
                    ? "a piece reaches beyond the end of its large message, or is empty"
                    : "a piece belongs to no large message");
  inbox_.add(body);
  in_[Lane::large].owed += body.size();
  if (inbox_.is_complete()) finish_large();
  return true;
}

void Session::finish_large() {
  In& in = in_[Lane::large];
  in.next = ++in.watermark + 1;
  const Inbox whole = std::exchange(inbox_, {});
  arrive(Lane::large, whole.header(), whole.content());
}

bool Session::take_settle(ByteSpan body) {
  if (!take_number(Lane::control, body.size()) && !mutated(Mutation::settled_twice)) return true;
  WireReader reader(body);
  const std::uint8_t lane = reader.u8(), settlement = reader.u8();
  const auto detail = reader.text(reader.varint());
  if (!reader.ok() || lane < 1 || lane >= lane_count || settlement >= settlement_count ||
      detail.size() > max_detail)
    return fail(Reason::malformed, "settlements that cannot be understood");
  activity_ = now_;
  return take_ranges(reader, static_cast<Lane>(lane), static_cast<Settlement>(settlement), detail);
}

bool Session::take_ranges(WireReader& reader, Lane lane, Settlement settlement,
                          std::string_view detail) {
  Seq after = 0;
  const std::uint32_t life = life_;
  do {
    const std::uint64_t gap = reader.varint(), more = reader.varint();
    if (!reader.ok() || gap == 0 || gap > most_credit || more > most_credit)
      return fail(Reason::malformed, "a range of settlements that cannot be understood");
    const SeqRange range{after + gap, after + gap + more};
    const Seq given = lane == Lane::normal ? normal_.given() : large_.given();
    if (range.last > given || range.first > range.last || !out_[lane].unsettled.contains(range)) {
      if (mutated(Mutation::settled_twice) && range.last <= given) {
        events_.on_settled({lane, range.first, range.last, settlement, detail});
        continue;
      }
      return fail(Reason::bad_settlement, "messages " + digits(range.first) + " to " +
                                              digits(range.last) + " of the " + to_string(lane) +
                                              " lane do not await " + to_string(settlement));
    }
    if (is_end(settlement)) out_[lane].unsettled.remove(range);
    events_.on_settled({lane, range.first, range.last, settlement, detail});
    assert(life == life_);
    after = range.last;
  } while (reader.left() > 0);
  (void)life;
  return true;
}

bool Session::take_resume(ByteSpan body) {
  WireReader reader(body);
  const Epoch epoch{reader.u64(), reader.u64()};
  const std::uint64_t session = reader.varint();
  PerLane<Seq> seen;
  PerLane<Amount> granted;
  for (const Lane lane : all_lanes) {
    seen[lane] = reader.varint();
    granted[lane].bytes = reader.varint();
    granted[lane].messages = reader.varint();
  }
  const std::uint64_t partial = reader.varint();
  if (!reader.done()) return fail(Reason::malformed, "a resumption that cannot be understood");
  if (epoch != epoch_ || session != number_)
    return fail(Reason::stale, "the peer resumes a session that is over");
  for (const Lane lane : all_lanes) {
    if (seen[lane] < acknowledged(lane))
      return fail(Reason::gap, std::string("the peer has lost what it acknowledged on the ") +
                                   to_string(lane) + " lane");
    if (!take_acknowledgement(lane, seen[lane]) || !grant_from_peer(lane, granted[lane]))
      return false;
  }
  trim();
  const Seq control = control_.rewind(), normal = normal_.rewind();
  const auto large =
      large_.rewind(partial + (mutated(Mutation::partial_off_by_one) && partial > 1));
  if (!large) return fail(Reason::malformed, "the peer has more of a large message than there is");
  if (side_ == Side::accepted) say_resume();
  say_start({{control, normal, *large}});
  state_ = State::starting;
  confirmed_ = true;
  return true;
}

bool Session::take_start(ByteSpan body) {
  WireReader reader(body);
  for (const Lane lane : all_lanes) {
    const Seq first = reader.varint();
    const Seq expected = in_[lane].watermark + 1;
    if (reader.ok() &&
        (first == 0 || first > expected || (lane == Lane::large && first < expected)))
      return fail(Reason::gap, "the " + std::string(to_string(lane)) + " lane goes on with " +
                                   digits(first) + ", not with " + digits(expected));
    in_[lane].next = first;
  }
  if (!reader.done()) return fail(Reason::malformed, "a start that cannot be understood");
  state_ = State::open;
  pulse_.begin(now_);
  ping_at_ = now_;
  const bool restarted = std::exchange(restarted_, false);
  const bool again = std::exchange(opened_, true);
  events_.on_open(again ? Opening::resumed : restarted ? Opening::restarted : Opening::first);
  return true;
}

Seq Session::acknowledged(Lane lane) const {
  return lane == Lane::control  ? control_.acknowledged()
         : lane == Lane::normal ? normal_.acknowledged()
                                : large_.acknowledged();
}

bool Session::take_acknowledgement(Lane lane, Seq seq) {
  const Seq given = lane == Lane::control  ? control_.given()
                    : lane == Lane::normal ? normal_.given()
                                           : large_.given();
  if (seq > given)
    return fail(Reason::bad_acknowledgement,
                "message " + digits(seq) + " of the " + to_string(lane) + " lane was never sent");
  switch (lane) {
    case Lane::control:
      control_.acknowledge(seq);
      break;
    case Lane::normal:
      normal_.acknowledge(seq);
      if (mutated(Mutation::lanes_confused)) control_.acknowledge(std::min(seq, control_.given()));
      break;
    case Lane::large:
      large_.acknowledge(seq);
      break;
  }
  return true;
}

bool Session::take_acknowledge(ByteSpan body) {
  WireReader reader(body);
  const std::uint8_t lane = reader.u8();
  const Seq seq = reader.varint();
  if (!reader.done() || lane >= lane_count)
    return fail(Reason::malformed, "an acknowledgement that cannot be understood");
  return take_acknowledgement(static_cast<Lane>(lane), seq);
}

bool Session::grant_from_peer(Lane lane, Amount granted) {
  if (granted.bytes > most_credit || granted.messages > most_credit)
    return fail(Reason::malformed, "a credit that is over the limit");
  Amount& have = out_[lane].granted;
  have.bytes = std::max(have.bytes, granted.bytes);
  have.messages = std::max(have.messages, granted.messages);
  return true;
}

bool Session::take_credit(ByteSpan body) {
  WireReader reader(body);
  const std::uint8_t lane = reader.u8();
  Amount granted;
  granted.bytes = reader.varint();
  granted.messages = reader.varint();
  if (!reader.done() || lane >= lane_count)
    return fail(Reason::malformed, "a credit that cannot be understood");
  return grant_from_peer(static_cast<Lane>(lane), granted);
}

bool Session::take_ping(ByteSpan body) {
  WireReader reader(body);
  const std::uint64_t token = reader.u64();
  if (!reader.done()) return fail(Reason::malformed, "a ping that cannot be understood");
  pong_ = token;
  pulse_.beat(now_);
  // Only the dialling side asks: its heartbeats are pings, and the other side's are pongs.
  if (side_ == Side::dialled) ping_at_ = now_ + 2 * options_.heartbeat;
  return true;
}

bool Session::take_pong(ByteSpan body) {
  WireReader reader(body);
  const std::uint64_t token = reader.u64();
  if (!reader.done()) return fail(Reason::malformed, "a pong that cannot be understood");
  if (token != token_ || !pinged_) return true;
  round_trip_ = now_ - *std::exchange(pinged_, std::nullopt);
  if (side_ == Side::accepted) pulse_.beat(now_);
  return true;
}

bool Session::take_goodbye(ByteSpan body) {
  WireReader reader(body);
  const std::uint8_t reason = reader.u8();
  const auto sentence = reader.all();
  if (!reader.ok()) return fail(Reason::malformed, "a goodbye that cannot be understood");
  farewell_ = Closing{static_cast<Reason>(reason), shown(sentence)};
  return false;
}

void Session::tell_credits() {
  if (state_ != State::open) return;
  for (const Lane lane : all_lanes) {
    Out& out = out_[lane];
    if (!out.wanting || !fits(out, lane)) continue;
    out.wanting = false;
    events_.on_credit(lane);
  }
}

}  // namespace coracle::net
