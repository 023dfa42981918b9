#include "service_view.hpp"

#include "realizations/net/src/asio/alarms.hpp"
#include "realizations/net/src/society/directory/directory_frames.hpp"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <utility>

namespace coracle::command {

namespace {

using namespace society;

constexpr std::uint64_t largest_told = std::uint64_t{64} << 20;

class Looking final : public net::SessionEvents, public net::LinksEvents {
 public:
  // With `after`, requests the refusals since that serial, and nothing else.
  Looking(const ServicePlace& place, Duration patience,
          std::optional<std::uint64_t> after = std::nullopt)
      : after_(after),
        until_(steady_clock().now() + patience),
        network_(net::asio_network(context_, steady_clock(),
                                   socket_options(place.society, place.proof))),
        alarms_(net::asio_alarms(context_)),
        links_(*network_, *alarms_, steady_clock(), machine_random(),
               identity_of(place.society, place.proof, random_node_name(), place.endpoints),
               link_options(patience), *this),
        channel_(flush_queue_, largest_told) {
    net::Link& link = links_.add("", place.endpoints, *this);
    channel_.bind(&link);
    link.keep();
    link.dial();
  }
  ~Looking() override { channel_.bind(nullptr); }

  // Runs until everything has arrived, the other side refuses, or the time is over.
  bool run() {
    while (!done_ && !fault_ && steady_clock().now() < until_) {
      context_.restart();
      context_.run_one_for(std::chrono::milliseconds(20));
      flush_queue_.flush();
    }
    if (done_) channel_.link()->leave();
    channel_.link()->flush();
    context_.restart();
    context_.run_for(std::chrono::milliseconds(done_ ? 20 : 0));
    return done_;
  }
  ServiceView& view() { return view_; }
  std::vector<Refusal>& refusals() { return refusals_; }
  const std::optional<Error>& error() const { return error_; }
  const std::optional<net::Closing>& fault() const { return fault_; }

  // --- LinksEvents ---
  net::SessionEvents* on_peer(const net::Greeting&) override { return nullptr; }
  void on_link(net::Link&) override {}
  void on_fault(const std::string&, const net::Closing& why, const net::Link*) override {
    if (!fault_) fault_ = why;
  }

  // --- SessionEvents ---
  void on_arrived(const net::Arrived& message) override {
    const FrameChannel::Got got = channel_.take(message);
    if (got == FrameChannel::Got::nonsense) return fail();
    if (got == FrameChannel::Got::frame && !is_besides(message)) read(channel_.head());
    channel_.release(message.bytes());
  }
  void on_credit() override { channel_.on_credit(); }
  void on_open(net::Opening) override {
    channel_.bind(channel_.link());
    if (after_) return ask(Request::audit, 1);
    ask(Request::attach, 0);
    ask(Request::follow_all, 0);
    ask(Request::census, 1);
  }
  void on_lost(const net::Closing& why) override {
    if (!fault_) fault_ = why;
  }
  void on_restarted() override {}
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing& why) override { on_lost(why); }

 private:
  void ask(Request request, std::uint64_t number) {
    Bytes frame;
    FrameWriter out(frame);
    out.byte(static_cast<std::uint8_t>(request));
    out.number(number);
    if (request == Request::attach) out.number(0);  // this client has seen no service before
    if (request == Request::follow_all) out.text({});
    if (request == Request::audit) out.number(*after_);
    channel_.send(frame);
  }
  void fail() {
    if (!fault_) fault_ = net::Closing{net::Reason::malformed, "its reply cannot be understood"};
  }
  void read(ByteSpan frame) {
    FrameReader in(frame);
    switch (static_cast<Announcement>(in.byte())) {
      case Announcement::event:
        read_change(in);
        break;
      case Announcement::census:
        (void)in.number();
        view_.census = read_census(in);
        done_ = in.ok();
        break;
      case Announcement::audit:
        (void)in.number();
        refusals_ = read_refusals(in);
        done_ = in.ok();
        break;
      case Announcement::answer:
        (void)in.number();
        error_ = read_answer(in).error;
        done_ = in.ok();
        break;
      default:
        break;
    }
    if (!in.ok()) fail();
  }
  void read_change(FrameReader& in) {
    using Kind = DirectoryEvent::Kind;
    std::optional<Entry> entry;
    const DirectoryEvent event = read_event(in, entry);
    const std::string name = event.name.str();
    if (entry) view_.agents[name] = *std::move(entry);
    if (event.kind == Kind::ended) view_.agents.erase(name);
    if (event.kind == Kind::joined) view_.groups[event.group.str()].push_back(name);
    if (event.kind == Kind::left) std::erase(view_.groups[event.group.str()], name);
  }

  const std::optional<std::uint64_t> after_;
  boost::asio::io_context context_{1};
  const Time until_;
  const std::unique_ptr<net::Network> network_;
  const std::unique_ptr<net::Alarms> alarms_;
  FlushQueue flush_queue_;
  net::Links links_;
  FrameChannel channel_;
  ServiceView view_;
  std::vector<Refusal> refusals_;
  std::optional<Error> error_;
  std::optional<net::Closing> fault_;
  bool done_ = false;
};

net::Closing fault_of(const Looking& looking) {
  return looking.fault().value_or(
      net::Closing{net::Reason::silent, "it does not answer within the time"});
}

Error not_seen(const ServicePlace& place, const net::Closing& fault) {
  return Error(Errc::unreachable, "the " + place.service + " of the society '" + place.society +
                                      "' cannot be inspected: " + fault.sentence +
                                      "; `coracle doctor` says more");
}

}  // namespace

Result<ServiceView> look_at(const ServicePlace& place, Duration patience, net::Closing* why) {
  Looking looking(place, patience);
  if (looking.run()) return std::move(looking.view());
  const net::Closing fault = fault_of(looking);
  if (why != nullptr) *why = fault;
  return not_seen(place, fault);
}

Result<std::vector<Refusal>> refusals_of(const ServicePlace& place, std::uint64_t after,
                                         Duration patience) {
  Looking looking(place, patience, after);
  if (!looking.run()) return not_seen(place, fault_of(looking));
  if (looking.error()) return *looking.error();
  return std::move(looking.refusals());
}

}  // namespace coracle::command
