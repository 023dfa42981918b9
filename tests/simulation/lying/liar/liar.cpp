#include "liar_impl.hpp"

#include "coracle/support/core_frames.hpp"
#include "realizations/net/src/society/home/settings.hpp"

#include <utility>

namespace coracle::test::lying {

namespace {

constexpr std::uint64_t largest_answer = std::uint64_t{4} << 20;
constexpr Duration renewal = std::chrono::seconds(5);
constexpr unsigned names_at_first = 3;
// The numbers of the liar's other actions begin here.
constexpr std::uint64_t first_ring = 1 << 21;

}  // namespace

namespace {

net::Identity identity_at(unsigned host, sim::detail::Program& program) {
  net::Identity self;
  self.society = "simulated";
  self.node = "host" + std::to_string(host) + "." + std::to_string(program.life());
  self.epoch = {program.random().next(), 0};
  self.anybody = true;
  return self;
}

net::Endpoint at_host(unsigned host, std::uint16_t port) {
  return net::Endpoint::parse("sim://node" + std::to_string(host) + ":" + std::to_string(port))
      .value();
}

constexpr std::uint16_t directory_port = 4410;

// One piece of a large frame: the first piece, correct or not; or a later piece of a frame that may
// or may not have begun at that place.
Frame piece_of(const Frame& frame, Draws& draw, std::string& what) {
  const bool is_first = draw.chance(60);
  const std::uint64_t place = draw.below(draw.chance(95) ? piece_places : 256);
  what += is_first ? ", the first piece" : ", a further piece";
  Frame piece;
  FrameWriter out(piece.head);
  out.byte(static_cast<std::uint8_t>(is_first ? first_piece : next_piece));
  out.byte(static_cast<std::uint8_t>(place));
  const std::size_t all = frame.head.size() + frame.content.size();
  if (is_first) {
    out.number(draw.chance(90) ? frame.head.size() : draw.count());
    out.number(draw.chance(95) ? all + draw.below(draw.chance(50) ? 2 : 2000) : draw.count());
  }
  piece.head.insert(piece.head.end(), frame.head.begin(), frame.head.end());
  piece.head.insert(piece.head.end(), frame.content.begin(), frame.content.end());
  return piece;
}

}  // namespace

Liar::Impl::Impl(sim::World& world, const Place& where, std::uint64_t seed, Settings with)
    : place(where),
      settings(std::move(with)),
      program(world, where.host),
      random(seed),
      temper(a_temper(random)),
      turn([this] { program.tell([this] { turn.flush(); }); }),
      self(identity_at(where.host, program)),
      links(program.network(), program.alarms(), program.clock(), program.random(), self,
            link_options(peer_patience), *this),
      channel(turn, largest_answer) {
  if (settings.is_harmless) temper = Temper{.acts = 0};
  temper.spares = settings.spares;
  if (temper.is_left_out(Known::silence)) temper.answers = temper.is_seen = 100;
  known.forgets_greetings = temper.is_left_out(Known::message_store);
  known.own_prefix = settings.own_prefix;
  known.absent = settings.absent;
  known.node = self.node;
  if (place.kind == Linked::distributed) {
    endpoints.push_back(links.listen(at_host(place.host, 0)).value().text());
    mouth = &direct.emplace(links, turn, known, *this);
  } else {
    mouth = &relayed.emplace(channel, known, *this);
  }
  requests.emplace(draw, known, temper, endpoints);
  const net::Endpoint service = at_host(place.directory, directory_port);
  link = &links.add("", {&service, 1}, *this);
  link->keep();
  channel.bind(link);
  link->dial();
  alarm = program.alarms().make([this] { ring(); });
  set_alarm();
}

// ── the directory ───────────────────────────────────────────────────────────────────────────────

void Liar::Impl::attach() {
  known.lose_lease();
  known.others.clear();
  known.group_changes = 0;
  is_complete = false;
  channel.bind(link);
  ask(requests->attach());
  ask(requests->follow_all());
  ask(requests->all_followed());
  note("attaches");
}

void Liar::Impl::on_arrived(const net::Arrived& message) {
  if (is_besides(message)) {
    if (relayed) relayed->on_arrived(message);
  } else if (channel.take(message) == FrameChannel::Got::frame) {
    FrameReader in(channel.head());
    take(in);
  }
  if (draw.chance(temper.reads)) channel.release(message.bytes());
}

void Liar::Impl::take(FrameReader& in) {
  switch (static_cast<Announcement>(in.byte())) {
    case Announcement::answer: {
      const std::uint64_t number = in.number();
      return on_answer(number, read_answer(in));
    }
    case Announcement::event: {
      std::optional<Entry> entry;
      const DirectoryEvent event = read_event(in, entry);
      if (!in.ok()) return;
      known.on_event(event, entry);
      const bool is_group =
          event.kind == DirectoryEvent::Kind::joined || event.kind == DirectoryEvent::Kind::left;
      if (is_group && draw.chance(temper.is_seen) && is_complete) ask(requests->seen());
      return;
    }
    case Announcement::lease_opened: {
      const NodeInfo info = read_node_info(in);
      if (in.ok()) known.on_lease(info);
      return;
    }
    case Announcement::all_announced:
      known.group_changes = 0;
      is_complete = wants_lease = true;
      return;
    case Announcement::audit:
    case Announcement::older:
    case Announcement::census:
    case Announcement::policy:
      return;
  }
}

void Liar::Impl::on_answer(std::uint64_t number, const Answer& answer) {
  const Request asked = requests->asked(number);
  if (answer.error) {
    note("answered no to request " + std::to_string(static_cast<unsigned>(asked)) + ": " +
         answer.error->sentence());
    return;
  }
  if (asked == Request::open_lease) on_lease(answer.value);
}

void Liar::Impl::on_lease(LeaseId lease) {
  known.lose_lease();
  known.lease = lease;
  wants_lease = false;
  renew_at = program.clock().now() + renewal;
  mouth->on_lease();
  note("has lease " + std::to_string(lease));
  for (unsigned name = 0; name < names_at_first; ++name)
    ask(requests->claim(known.own_prefix + static_cast<char>('a' + name)));
  // Like every node, it asks who overhears.
  for (const auto& [other, info] : known.others)
    say(other, CoreFrames::token(coracle::detail::greeting_frame, 1), "greets");
}

// ── actions of its own ──────────────────────────────────────────────────────────────────────────

void Liar::Impl::set_alarm() {
  alarm->set(program.clock().now() +
             net::between(random, std::chrono::microseconds(50), 2 * temper.pause));
}

void Liar::Impl::ring() {
  if (is_stopped) return;
  const Time now = program.clock().now();
  random.begin(first_ring + rings++);
  if (std::exchange(wants_to_dial, false)) link->dial();
  if (known.lease == 0 && is_complete && draw.chance(20)) wants_lease = true;
  if (std::exchange(wants_lease, false)) ask(requests->open_lease());
  if (known.lease != 0 && now >= renew_at) {
    renew_at = now + renewal;
    ask(requests->renew());
  }
  if (now >= silent_until && link->session().is_open()) {
    for (std::uint64_t left = 1 + draw.below(6); left != 0 && done < temper.acts; --left) act();
  }
  random.begin(first_ring + rings++);
  set_alarm();
}

void Liar::Impl::act() {
  if (known.lease == 0) return;
  const unsigned number = done++;
  if (settings.leaves_out && settings.leaves_out(number)) return;
  random.begin(number);
  if (settings.note) note("#" + std::to_string(number));
  const std::array<unsigned, 6> weights = {temper.says,  temper.repeats, temper.asks,
                                           temper.heads, temper.manners, temper.is_honest};
  std::string what;
  switch (draw.weighted(weights)) {
    case 0: {
      const LeaseId to = draw.other();
      if (to == 0) return;
      const Frame frame = frames.any(to, what);
      return say(to, frame, what);
    }
    case 1: {
      if (known.frames.empty()) return;
      const Frame frame = frames.repeated(what);
      if (draw.chance(85)) return say(draw.other(), frame, what);
      return say(draw.other(), piece_of(frame, draw, what), what);
    }
    case 2: {
      const Bytes request = requests->any(what);
      note(what);
      ask(request);
      if (request.front() == static_cast<std::byte>(Request::attach)) wants_lease = true;
      return;
    }
    case 3:
      return note(mouth->lie_in_head(draw));
    case 4:
      return misbehave();
    default:
      return be_honest();
  }
}

// Sends a message in a name of its own.
void Liar::Impl::be_honest() {
  const std::string to = draw.others_name();
  const auto held = known.held.find(to);
  const std::vector<std::string> own = known.own_names();
  if (held == known.held.end() || own.empty() || held->second.lease == known.lease) return;
  const std::string& source = draw.one_of(own);
  const bool asks = draw.chance(30);
  say(held->second.lease,
      frames.message(held->second.lease, to, source, draw.text(),
                     static_cast<std::uint16_t>(asks ? coracle::detail::request_flag : 0),
                     asks ? 1000 + done : 0),
      "'" + source + "' to '" + to + "'");
}

void Liar::Impl::misbehave() {
  switch (draw.below(7)) {
    case 6:
      return attach();
    case 0:
      note("is silent for a while");
      silent_until = program.clock().now() + net::between(random, Duration(0), 64 * temper.pause);
      return;
    case 1:
      note("breaks off");
      return mouth->break_off(draw);
    case 2:
      note("closes its link to the directory");
      link->session().close(net::Reason::idle, "a whim");
      wants_to_dial = true;
      return;
    case 3:
      note("leaves and comes again");
      link->leave();
      known.lose_lease();
      wants_to_dial = true;
      return;
    default:
      note("wants another lease");
      wants_lease = true;
  }
}

// ── from outside ────────────────────────────────────────────────────────────────────────────────

Liar::Liar(sim::World& world, const Place& place, std::uint64_t seed, Settings settings)
    : impl_(std::make_unique<Impl>(world, place, seed, std::move(settings))) {}

Liar::~Liar() = default;

unsigned Liar::done() const { return impl_->done; }

bool Liar::is_over() const { return impl_->is_stopped || impl_->done >= impl_->temper.acts; }

void Liar::stop(bool politely) {
  impl_->is_stopped = true;
  impl_->alarm->set(Time::max());
  if (!politely) return;
  impl_->mouth->leave();
  impl_->link->leave();
  impl_->turn.flush();
}

}  // namespace coracle::test::lying
