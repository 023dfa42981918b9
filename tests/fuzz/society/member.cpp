#include "member_life.hpp"

#include "coracle/support/core_frames.hpp"
#include "realizations/net/src/society/home/settings.hpp"

#include <utility>

namespace coracle::fuzzed {

namespace {

using namespace society;
using sim::detail::Program;

constexpr std::uint16_t directory_port = 4410;
constexpr std::uint64_t term = 30'000'000'000;

net::Endpoint at_host(unsigned host, std::uint16_t port) {
  return net::Endpoint::parse("sim://node" + std::to_string(host) + ":" + std::to_string(port))
      .value();
}

net::Identity identity_at(unsigned host, Program& program) {
  net::Identity self;
  self.society = "simulated";
  self.node = "host" + std::to_string(host) + "." + std::to_string(program.life());
  self.epoch = {program.random().next(), 0};
  self.anybody = true;
  return self;
}

}  // namespace

Member::Life::Life(sim::World& world, const Place& where, const Reads& told)
    : place(where),
      reads(told),
      program(world, where.host),
      sayings(known, where.prefix),
      links(program.network(), program.alarms(), program.clock(), program.random(),
            identity_at(where.host, program), link_options(peer_patience), *this) {
  const net::Endpoint place_of_service = at_host(place.directory, directory_port);
  service = &links.add("", {&place_of_service, 1}, *this);
  service_channel.bind(service);
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

// ── frames of every node ────────────────────────────────────────────────────────────────────────

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
  is_complete = false;
  (void)ask(plain(Request::attach, attaching, {0}));
  Bytes all = plain(Request::follow_all, 0, {});
  FrameWriter(all).text({});
  (void)ask(all);
  (void)ask(plain(Request::all_followed, 0, {}));
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
  switch (static_cast<Announcement>(in.byte())) {
    case Announcement::answer: {
      const std::uint64_t number = in.number();
      const Answer answer = read_answer(in);
      if (number <= last_answered || number > last_opening) return;
      last_answered = number;
      if (!answer.error) on_lease(answer.value);
      return;
    }
    case Announcement::event: {
      std::optional<Entry> entry;
      const DirectoryEvent event = read_event(in, entry);
      known.on_event(event, entry);
      using Kind = DirectoryEvent::Kind;
      if (event.kind == Kind::lease_ended && event.lease == known.lease && known.lease != 0) {
        known.lose_lease();
        if (last_answered == last_opening) open_lease();
      }
      if (is_complete && (event.kind == Kind::joined || event.kind == Kind::left))
        (void)ask(plain(Request::seen, seeing, {++group_changes}));
      return;
    }
    case Announcement::lease_opened:
      return known.on_lease(read_node_info(in));
    case Announcement::all_announced:
      group_changes = 0;
      is_complete = true;
      return;
    case Announcement::policy:
    case Announcement::audit:
    case Announcement::older:
    case Announcement::census:
      return;
  }
}

void Member::Life::on_arrived(const net::Arrived& message) {
  if (is_besides(message)) {
    if (relayed) relayed->on_arrived(message);
    service->flush();
  } else if (service_channel.take(message) == FrameChannel::Got::frame) {
    FrameReader in(service_channel.head());
    take(in);
  }
  service_channel.release(message.bytes());
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
    case greeting_frame:
    case tap_frame:
    case last_frame:
      out.byte(answer_frame);
      out.number(token);
      out.byte(keeps_nothing);
      break;
    case look_frame:
      out.byte(inspection_frame);
      for (const std::uint64_t number : {token, std::uint64_t{0}, std::uint64_t{0}})
        out.number(number);
      break;
    case refused_request_frame:
      out.byte(denied_frame);
      out.number(token);
      break;
    default:
      return;
  }
  (void)say(from, said, false);
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
  else if (what < 170) said = life_->send_batch(choose);
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
