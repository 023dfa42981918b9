#include "member.hpp"

#include "channel.hpp"
#include "realizations/net/src/society/settings.hpp"
#include "realizations/net/src/society/together.hpp"
#include "realizations/net/src/society/way.hpp"
#include "realizations/sim/src/wire.hpp"
#include "runtime/marks.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace coracle::fuzzed {

namespace {

using namespace society;
using sim::detail::Program;

constexpr std::uint16_t directory_port = 4410;
constexpr std::uint64_t term = 30'000'000'000;
constexpr std::uint64_t largest_answer = std::uint64_t{4} << 20;
// Numbers of its own requests; those of an input's are others.
enum : std::uint64_t { attaching = 1 << 20, claiming, seeing, opening = 1 << 24 };

net::Endpoint at_host(unsigned host, std::uint16_t port) {
  return net::Endpoint::parse("sim://node" + std::to_string(host) + ":" + std::to_string(port))
      .value();
}

net::Identity identity_at(unsigned host, Program& program) {
  net::Identity self;
  self.society = "simulated";
  self.node = "host" + std::to_string(host) + "." + std::to_string(program.life());
  self.epoch = {program.random().next(), 0};
  self.key = "what all of them know";
  return self;
}

}  // namespace

struct Member::Life final : net::LinksEvents, net::SessionEvents {
  Life(sim::World& world, const Place& where, const Reads& told);

  // --- LinksEvents ---
  net::SessionEvents* on_peer(const net::Greeting& peer) override {
    return direct ? &direct->let_in(peer.node) : nullptr;
  }
  void on_link(net::Link& link) override {
    if (direct) direct->on_link(link);
  }
  void on_fault(const std::string&, const net::Closing&, const net::Link*) override {}

  // --- SessionEvents: the service ---
  void on_arrived(const net::Arrived& message) override;
  void on_settled(const net::Settled&) override {}
  void on_credit(net::Lane) override {}
  void on_open(net::Opening) override { join(); }
  void on_lost(const net::Closing&) override { is_lost = true; }
  void on_restarted(const net::Unsettled&) override {}
  void on_suspected() override {}
  void on_trusted() override {}
  void on_gone(const net::Closing&, const net::Unsettled&) override { is_lost = true; }

  bool ask(const Bytes& request) {
    trace("the service", request);
    const bool has_room = service->session().send(way_lane, request, {}) != 0;
    service->flush();
    return has_room;
  }
  // A request whose arguments are numbers.
  Bytes plain(Request kind, std::uint64_t number, std::initializer_list<std::uint64_t> arguments);
  void join();
  void open_lease();
  void claim(const std::string& name);
  void take(FrameReader& in);
  void on_lease(LeaseId lease);
  void hear(LeaseId from, ByteSpan head, ByteSpan content);
  void answer(LeaseId from, ByteSpan head);

  bool say(LeaseId to, const Frame& frame, bool is_kept = true);
  unsigned say_frame(Choices& choose);
  unsigned say_together(Choices& choose);
  unsigned say_pieces(Choices& choose);
  unsigned say_request(Choices& choose);
  unsigned say_odd(Choices& choose);
  unsigned say_nonsense(Choices& choose);
  unsigned misbehave(Choices& choose);

  const Place& place;
  const Reads& reads;
  Program program;
  Knowledge known;
  Sayings sayings;
  Turn turn;
  Way way{turn, largest_answer};  // puts together what the service says
  net::Links links;
  std::vector<std::string> endpoints;
  net::Link* service = nullptr;
  std::optional<Relayed> relayed;
  std::optional<Direct> direct;
  Channel* channel = nullptr;
  std::uint64_t requests = 0, group_changes = 0;
  std::uint64_t last_opening = opening, last_answered = opening;  // requests for a lease
  bool is_lost = false;
};

Member::Life::Life(sim::World& world, const Place& where, const Reads& told)
    : place(where),
      reads(told),
      program(world, where.host),
      sayings(known, where.prefix),
      links(program.network(), program.alarms(), program.clock(), program.random(),
            identity_at(where.host, program), link_options(peer_patience), *this) {
  const net::Endpoint place_of_service = at_host(place.directory, directory_port);
  service = &links.add("", {&place_of_service, 1}, *this);
  way.bind(service);
  const Hears hears = [this](LeaseId from, ByteSpan head, ByteSpan content) {
    hear(from, head, content);
  };
  if (place.kind == test::Linked::distributed) {
    endpoints.push_back(links.listen(at_host(place.host, 0)).value().text());
    channel = &direct.emplace(links, known, hears);
  } else {
    channel = &relayed.emplace(*service, known, hears);
  }
  service->keep();
  service->dial();
}

// ── what it does as every node does ─────────────────────────────────────────────────────────────

Bytes Member::Life::plain(Request kind, std::uint64_t number,
                          std::initializer_list<std::uint64_t> arguments) {
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(kind));
  out.number(number);
  for (const std::uint64_t each : arguments) out.number(each);
  return frame;
}

void Member::Life::join() {
  is_lost = false;
  known.lose_lease();
  known.others.clear();
  group_changes = 0;
  (void)ask(plain(Request::attach, attaching, {0}));
  open_lease();
}

void Member::Life::open_lease() {
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(Request::open_lease));
  out.number(++last_opening);
  out.text("local");
  out.number(term);
  NodeInfo info;
  info.endpoints = endpoints;
  write(out, info);
  (void)ask(frame);
}

void Member::Life::claim(const std::string& name) {
  Bytes frame;
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(Request::claim));
  out.number(claiming);
  out.text(name);
  out.number(known.lease);
  write(out, Properties());
  write(out, MailboxOptions());
  out.number(0);
  (void)ask(frame);
}

void Member::Life::on_lease(LeaseId lease) {
  known.lose_lease();
  known.lease = lease;
  known.others.erase(lease);
  channel->on_lease();
  for (const char* name : {"a", "b"}) claim(place.prefix + name);
}

void Member::Life::take(FrameReader& in) {
  switch (static_cast<Told>(in.byte())) {
    case Told::answer: {
      const std::uint64_t number = in.number();
      const Answer answer = read_answer(in);
      if (number <= last_answered || number > last_opening) return;
      last_answered = number;
      if (!answer.error) on_lease(answer.value);
      return;
    }
    case Told::event: {
      std::optional<Entry> entry;
      const DirectoryEvent event = read_event(in, entry);
      known.on_event(event, entry);
      using Kind = DirectoryEvent::Kind;
      if (event.kind == Kind::lease_ended && event.lease == known.lease && known.lease != 0) {
        known.lose_lease();
        if (last_answered == last_opening) open_lease();
      }
      if (event.kind == Kind::joined || event.kind == Kind::left)
        (void)ask(plain(Request::seen, seeing, {++group_changes}));
      return;
    }
    case Told::lease_opened:
      return known.on_lease(read_node_info(in));
    case Told::all_told:
      group_changes = 0;
      return;
    case Told::policy:
    case Told::census:
      return;
  }
}

void Member::Life::on_arrived(const net::Arrived& message) {
  if (is_besides(message)) {
    if (relayed) relayed->on_arrived(message);
    service->flush();
  } else if (way.take(message) == Way::Got::frame) {
    FrameReader in(way.head());
    take(in);
  }
  way.release(message.bytes());
}

void Member::Life::hear(LeaseId from, ByteSpan head, ByteSpan content) {
  reads({reinterpret_cast<const char*>(content.data()), content.size()});
  known.on_frame(from, head, content);
  if (place.answers && !head.empty()) answer(from, head);
}

void Member::Life::answer(LeaseId from, ByteSpan head) {
  using namespace detail;
  FrameReader in(head);
  const std::uint8_t kind = in.byte();
  const std::uint64_t token = in.number();
  Frame said;
  FrameWriter out(said.head);
  switch (kind) {
    case hello_frame:
    case ear_frame:
      out.byte(answer_frame);
      out.number(token);
      out.byte(keeps_nothing);
      break;
    case peek_frame:
      out.byte(peeked_frame);
      for (const std::uint64_t number : {token, std::uint64_t{0}, std::uint64_t{0}})
        out.number(number);
      break;
    case refused_question_frame:
      out.byte(denied_frame);
      out.number(token);
      break;
    default:
      return;
  }
  (void)say(from, said, false);
}

// ── what it says ────────────────────────────────────────────────────────────────────────────────

bool Member::Life::say(LeaseId to, const Frame& frame, bool is_kept) {
  if (frame.head.empty()) return false;
  if (is_kept) known.keep(frame.head, frame.content);
  return channel->say({known.lease, to}, frame.head, frame.content, false);
}

unsigned Member::Life::say_frame(Choices& choose) {
  const std::uint8_t kind = choose.of(frame_kinds());
  const LeaseId to = sayings.other(choose);
  return say(to, sayings.frame(kind, to, choose)) ? 1 : 0;
}

unsigned Member::Life::say_together(Choices& choose) {
  const LeaseId to = sayings.other(choose);
  Bytes all;
  const auto count = static_cast<unsigned>(2 + choose.below(5));
  for (unsigned left = count; left != 0; --left) {
    const Frame frame = choose.in(230) ? sayings.frame(choose.of(frame_kinds()), to, choose)
                                       : sayings.repeated(choose);
    if (!frame.head.empty()) append_together(all, frame.head, frame.content);
  }
  if (choose.in(2) && !all.empty()) all.pop_back();
  return channel->say({known.lease, to}, {}, all, true) ? count : 0;
}

// In the first piece is all of the head, as it should be, or not.
unsigned Member::Life::say_pieces(Choices& choose) {
  const LeaseId to = sayings.other(choose);
  const Frame frame = sayings.frame(choose.of(frame_kinds()), to, choose);
  const std::size_t more = choose.in(128) ? 0 : choose.below(3000);
  Bytes all = frame.head;
  all.insert(all.end(), frame.content.begin(), frame.content.end());
  all.resize(all.size() + more);
  const std::size_t first = choose.in(250) ? std::max<std::size_t>(1, frame.head.size())
                                           : choose.below(frame.head.size() + 1);
  Bytes piece = {first_piece};
  FrameWriter out(piece);
  out.number(frame.head.size() + (choose.in(2) ? 1 : 0));
  out.number(choose.in(250) ? all.size() : choose.number());
  const auto begin = all.begin(), cut = begin + static_cast<std::ptrdiff_t>(first);
  piece.insert(piece.end(), begin, cut);
  if (!channel->say({known.lease, to}, piece, {}, false)) return 0;
  piece.assign({next_piece});
  piece.insert(piece.end(), cut, all.end());
  if (choose.in(12)) return 1;  // the rest does not come
  return channel->say({known.lease, to}, piece, {}, false) ? 2 : 1;
}

unsigned Member::Life::say_request(Choices& choose) {
  static constexpr Request kinds[] = {
      Request::attach,      Request::open_lease,  Request::open_lease,  Request::renew,
      Request::renew,       Request::close_lease, Request::claim,       Request::claim,
      Request::claim,       Request::claim,       Request::take_over,   Request::take_over,
      Request::leave,       Request::leave,       Request::describe,    Request::describe,
      Request::join,        Request::join,        Request::leave_group, Request::leave_group,
      Request::seen,        Request::census,      Request::catch_up,    Request::moved,
      Request::may_speak,   Request::may_overhear, Request::may_look,
  };
  const Request kind = choose.of(kinds);
  const std::uint64_t number =
      kind == Request::open_lease && choose.in(200) ? ++last_opening : ++requests;
  const bool is_said = ask(sayings.request(kind, number, choose));
  // After these it has no lease, and nothing else to say.
  if (kind == Request::attach || kind == Request::moved) open_lease();
  return is_said ? 1 : 0;
}

unsigned Member::Life::say_odd(Choices& choose) {
  const Leases leases{choose.in(200) ? known.lease : sayings.lease(choose), sayings.other(choose)};
  if (choose.in(64)) {
    const Frame frame = sayings.frame(choose.of(frame_kinds()), leases.to, choose);
    if (frame.head.empty()) return 0;
    return channel->say(leases, frame.head, frame.content, false) ? 1 : 0;
  }
  const unsigned which = choose.byte();
  return channel->say_odd(leases, which, choose.number()) ? 1 : 0;
}

unsigned Member::Life::say_nonsense(Choices& choose) {
  Frame frame;
  for (std::size_t left = choose.below(40); left != 0; --left)
    frame.head.push_back(static_cast<std::byte>(choose.byte()));
  if (choose.in(128)) return ask(frame.head.empty() ? Bytes{std::byte{0x1f}} : frame.head) ? 1 : 0;
  return say(sayings.other(choose), frame) ? 1 : 0;
}

unsigned Member::Life::misbehave(Choices& choose) {
  switch (choose.below(4)) {
    case 0:
      service->session().close(net::Reason::idle, "a whim");
      break;
    case 1:
      service->leave();
      is_lost = true;
      break;
    case 2:
      open_lease();
      return 1;
    default:
      is_lost = true;  // it begins anew
      break;
  }
  service->flush();
  return 0;
}

// ── from outside ────────────────────────────────────────────────────────────────────────────────

Member::Member(sim::World& world, Place place, Reads reads)
    : world_(world),
      place_(std::move(place)),
      reads_(std::move(reads)),
      life_(std::make_unique<Life>(world_, place_, reads_)) {}

Member::~Member() = default;

bool Member::is_ready() const { return life_->known.lease != 0 && !life_->is_lost; }

void Member::restart() {
  life_.reset();
  life_ = std::make_unique<Life>(world_, place_, reads_);
}

unsigned Member::act(Choices& choose) {
  const std::uint8_t what = choose.byte();
  unsigned said = 0;
  if (what < 150) said = life_->say_frame(choose);
  else if (what < 170) said = life_->say_together(choose);
  else if (what < 186)
    said = life_->say(life_->sayings.other(choose), life_->sayings.repeated(choose)) ? 1 : 0;
  else if (what < 194) said = life_->say_pieces(choose);
  else if (what < 234) said = life_->say_request(choose);
  else if (what < 250) said = life_->say_odd(choose);
  else if (what < 253) said = life_->misbehave(choose);
  else said = life_->say_nonsense(choose);
  life_->service->flush();
  return said;
}

}  // namespace coracle::fuzzed
