#include "mouth.hpp"
#include "realizations/net/src/society/beacon/endpoints_here.hpp"
#include "realizations/net/src/society/home/connectivity.hpp"

namespace coracle::test::lying {

namespace {

using namespace society;

constexpr std::uint8_t leases_frame = 0xf0;
constexpr std::size_t largest = std::size_t{17} << 20;

}  // namespace

class DirectMouth::Neighbour final : public net::SessionEvents {
 public:
  explicit Neighbour(DirectMouth& home) : home_(home), channel_(home.turn_, largest) {}

  FrameChannel& channel() noexcept { return channel_; }
  void say(const Leases& leases, const Frame& frame) {
    if (told_ != leases) say_leases(leases);
    (void)channel_.send(frame.head, content_of(frame.content));
  }
  void say_leases(const Leases& leases) {
    Bytes frame;
    FrameWriter out(frame);
    out.byte(leases_frame);
    out.number(leases.from);
    out.number(leases.to);
    told_ = leases;
    (void)channel_.send(frame);
  }

  void on_arrived(const net::Arrived& message) override {
    const FrameChannel::Got got = channel_.take(message);
    if (got == FrameChannel::Got::frame) hear(channel_.head(), channel_.content());
    channel_.release(message.bytes());
  }
  void on_credit() override { (void)channel_.on_credit(); }
  void on_open(net::Opening) override {}
  void on_lost(const net::Closing&) override {}
  void on_restarted() override { begin_again(); }
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing&) override { begin_again(); }

 private:
  void begin_again() {
    told_ = heard_ = {};
    channel_.bind(channel_.link());
  }
  void hear(ByteSpan head, ByteSpan content) {
    FrameReader in(head);
    const std::uint8_t kind = in.byte();
    if (kind == leases_frame) {
      heard_.from = in.number();
      heard_.to = in.number();
    } else if (head.front() == batch_mark) {
      for (FrameBatch each(content); each.next();)
        home_.hearing_.on_frame(heard_.from, each.head(), each.content());
    } else {
      home_.hearing_.on_frame(heard_.from, head, content);
    }
  }

  DirectMouth& home_;
  FrameChannel channel_;
  Leases told_, heard_;
};

DirectMouth::DirectMouth(net::Links& links, FlushQueue& turn, Knowledge& known, Hearing& hearing)
    : links_(links), turn_(turn), known_(known), hearing_(hearing) {}

DirectMouth::~DirectMouth() = default;

DirectMouth::Neighbour& DirectMouth::neighbour(const std::string& node) {
  auto& found = neighbours_[node];
  if (!found) found = std::make_unique<Neighbour>(*this);
  return *found;
}

net::SessionEvents* DirectMouth::let_in(const net::Greeting& greeting) {
  return &neighbour(greeting.node);
}

void DirectMouth::on_link(net::Link& link) { neighbour(link.node()).channel().bind(&link); }

DirectMouth::Neighbour* DirectMouth::reach(LeaseId lease) {
  const auto info = known_.others.find(lease);
  if (info == known_.others.end()) return nullptr;
  Neighbour& found = neighbour(info->second.node);
  if (found.channel().link() == nullptr) {
    const auto endpoints = endpoints_from(info->second.endpoints);
    found.channel().bind(&links_.add(info->second.node, endpoints, found));
  }
  return &found;
}

void DirectMouth::say(LeaseId to, const Frame& frame) {
  if (Neighbour* const found = reach(to)) found->say({known_.lease, to}, frame);
}

std::string DirectMouth::lie_in_head(Draws& draw) {
  Neighbour* const found = reach(draw.other());
  if (found == nullptr) return "nothing";
  if (draw.chance(40)) {
    found->channel().link()->leave();
    return "an end of the session";
  }
  const Leases leases{draw.chance(50) ? known_.lease : draw.lease(), draw.lease()};
  found->say_leases(leases);
  if (!known_.frames.empty()) found->say(leases, known_.frames[draw.below(known_.frames.size())]);
  return "leases from " + std::to_string(leases.from) + " to " + std::to_string(leases.to);
}

void DirectMouth::break_off(Draws& draw) {
  Neighbour* const found = reach(draw.other());
  if (found == nullptr) return;
  net::Link& link = *found->channel().link();
  if (draw.chance(50)) link.session().close(net::Reason::idle, "a whim");
  else link.leave();
}

void DirectMouth::leave() {
  for (const auto& [node, neighbour] : neighbours_) {
    if (net::Link* const link = neighbour->channel().link()) link->leave();
  }
}

}  // namespace coracle::test::lying
