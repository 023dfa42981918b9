#include "channel.hpp"

#include "realizations/central/src/relay_frames.hpp"
#include "realizations/net/src/society/beacon/endpoints_here.hpp"
#include "realizations/net/src/society/frames/frame_batch.hpp"
#include "realizations/net/src/society/home/connectivity.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace coracle::fuzzed {

namespace {

using namespace society;
using central::Fetch;

constexpr std::uint8_t leases_frame = 0xf0;

void read_batch(const Hears& hears, LeaseId from, ByteSpan content) {
  for (FrameBatch each(content); each.next();) hears(from, each.head(), each.content());
}

}  // namespace

void trace(const std::string& to, ByteSpan header, ByteSpan content) {
  static const bool is_wanted = std::getenv("CORACLE_FUZZ_TRACE") != nullptr;
  if (!is_wanted) return;
  std::fprintf(stderr, "says to %s:", to.c_str());
  for (const ByteSpan part : {header, content.first(std::min<std::size_t>(content.size(), 200))}) {
    for (const std::byte each : part) {
      const auto value = std::to_integer<unsigned>(each);
      std::fprintf(stderr, value > 32 && value < 127 ? " '%c" : " %02x", value);
    }
    std::fputs(" |", stderr);
  }
  std::fputc('\n', stderr);
}

// ── by the clearinghouse ────────────────────────────────────────────────────────────────────────

bool Relayed::send(ByteSpan header, ByteSpan content) {
  trace("the server", header, content);
  return service_.session().send(header, content_of(content)) != 0;
}

bool Relayed::say(const Leases& leases, ByteSpan header, ByteSpan content, bool is_batch) {
  const std::uint64_t size = is_batch ? content.size() : header.size() + content.size();
  // A larger piece, or more unread bytes, would cost the node its connection.
  if (size > central::largest_relayed_piece) return false;
  if (unread_[leases.to] >= central::relay_window) return false;
  Bytes head;
  central::begin_relayed(head, is_batch ? central::Relayed::frames : central::Relayed::piece,
                         leases);
  if (!is_batch) head.insert(head.end(), header.begin(), header.end());
  if (!send(head, content)) return false;
  unread_[leases.to] += size;
  return true;
}

bool Relayed::say_odd(const Leases& leases, unsigned which, std::uint64_t number) {
  Bytes frame;
  switch (which % 8) {
    case 0:
    case 1:  // mostly nothing, which fits
      central::begin_relayed(frame, central::Relayed::read, leases)
          .number(which % 64 == 0 ? number : 0);
      break;
    case 2:
      central::begin_relayed(frame, central::Relayed::how_much, leases);
      break;
    case 3:
      central::begin_relayed(frame, central::Relayed::refused, leases).text("no");
      break;
    case 4: {
      FrameWriter out = central::begin_fetch(frame, Fetch::ask, leases.from);
      out.byte(static_cast<std::uint8_t>(which >> 3 & 1));
      out.number(which % 128 == 4 ? number : 1 + number % 100);
      break;
    }
    case 5:
      if (which % 128 != 5) return false;  // kinds that only the server sends
      (void)central::begin_fetch(frame, Fetch::given, leases.from);
      break;
    default:
      return false;
  }
  return send(frame);
}

void Relayed::note_read(LeaseId from, std::uint64_t bytes) {
  std::uint64_t& read = read_[from] += bytes;
  if (read < central::relay_window / 2) return;
  Bytes frame;
  central::begin_relayed(frame, central::Relayed::read, {known_.lease, from})
      .number(std::exchange(read, 0));
  (void)send(frame);
}

void Relayed::on_arrived(const net::Arrived& message) {
  const central::RelayedHead head = central::read_relayed_head(message.header);
  if (!head.ok || head.leases.to != known_.lease) return;
  const LeaseId from = head.leases.from;
  const ByteSpan rest = message.header.subspan(head.size);
  switch (head.kind) {
    case central::Relayed::piece:
      note_read(from, rest.size() + message.content.size());
      if (!rest.empty() && rest.front() < first_piece) hears_(from, rest, message.content);
      return;
    case central::Relayed::frames:
      note_read(from, message.content.size());
      return read_batch(hears_, from, message.content);
    case central::Relayed::read: {
      FrameReader in(rest);
      std::uint64_t& unread = unread_[from];
      unread -= std::min(unread, in.number());
      return;
    }
    case central::Relayed::how_much: {
      Bytes frame;
      central::begin_relayed(frame, central::Relayed::read, {known_.lease, from})
          .number(std::exchange(read_[from], 0));
      (void)send(frame);
      return;
    }
    case central::Relayed::refused:
      return;
  }
}

// ── by links of its own ─────────────────────────────────────────────────────────────────────────

class Direct::Neighbour final : public net::SessionEvents {
 public:
  explicit Neighbour(Direct& home) : home_(home) {}

  net::Link* link = nullptr;

  bool send(ByteSpan header, ByteSpan content = {}) {
    trace(link->node(), header, content);
    if (link->session().send(header, content_of(content)) == 0) return false;
    if (!link->session().is_attached()) link->dial();
    link->flush();
    return true;
  }
  bool say_leases(const Leases& leases) {
    Bytes frame;
    FrameWriter out(frame);
    out.byte(leases_frame);
    out.number(leases.from);
    out.number(leases.to);
    told_ = leases;
    return send(frame);
  }
  bool say(const Leases& leases, ByteSpan header, ByteSpan content) {
    return (told_ == leases || say_leases(leases)) && send(header, content);
  }

  void on_arrived(const net::Arrived& message) override {
    hear(message);
    link->session().release(message.bytes());
  }
  void on_credit() override {}
  void on_open(net::Opening) override {}
  void on_lost(const net::Closing&) override {}
  void on_restarted() override { told_ = heard_ = {}; }
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing&) override { told_ = heard_ = {}; }

 private:
  void hear(const net::Arrived& message) {
    FrameReader in(message.header);
    const std::uint8_t kind = in.byte();
    if (kind == leases_frame) {
      heard_.from = in.number();
      heard_.to = in.number();
    } else if (message.header.front() == batch_mark) {
      read_batch(home_.hears_, heard_.from, message.content);
    } else if (kind < leases_frame) {
      home_.hears_(heard_.from, message.header, message.content);
    }
  }

  Direct& home_;
  Leases told_, heard_;
};

Direct::Direct(net::Links& links, const Knowledge& known, Hears hears)
    : links_(links), known_(known), hears_(std::move(hears)) {}

Direct::~Direct() = default;

Direct::Neighbour& Direct::neighbour(const std::string& node) {
  auto& found = neighbours_[node];
  if (!found) found = std::make_unique<Neighbour>(*this);
  return *found;
}

net::SessionEvents& Direct::let_in(const std::string& node) { return neighbour(node); }

void Direct::on_link(net::Link& link) { neighbour(link.node()).link = &link; }

Direct::Neighbour* Direct::reach(LeaseId lease) {
  const auto info = known_.others.find(lease);
  if (info == known_.others.end() || info->second.endpoints.empty()) return nullptr;
  Neighbour& found = neighbour(info->second.node);
  if (found.link == nullptr)
    found.link = &links_.add(info->second.node, endpoints_from(info->second.endpoints), found);
  return &found;
}

bool Direct::say(const Leases& leases, ByteSpan header, ByteSpan content, bool is_batch) {
  Neighbour* const found = reach(leases.to);
  if (found == nullptr) return false;
  if (is_batch) header = {&batch_mark, 1};
  return found->say(leases, header, content);
}

bool Direct::say_odd(const Leases& leases, unsigned which, std::uint64_t number) {
  Neighbour* const found = reach(leases.to);
  if (found == nullptr) return false;
  switch (which % 8) {
    case 0:
    case 1:
    case 2:
    case 3:
      return found->say_leases(leases);
    case 4:
      return found->say_leases({leases.to, leases.from});
    case 5:
      if (which % 32 == 5) found->link->session().close(net::Reason::idle, "a whim");
      return false;
    case 6:
      if (which % 32 == 6) found->link->leave();
      return false;
    default:
      return found->say_leases({leases.from, number});
  }
}

}  // namespace coracle::fuzzed
