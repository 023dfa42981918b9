#include "asker.hpp"

#include "coracle/grants.hpp"
#include "realizations/net/src/society/home/settings.hpp"

#include <optional>
#include <stdexcept>

namespace coracle::trust {

using namespace society;

namespace {

constexpr unsigned most_hosts = 8;
constexpr std::uint64_t largest_announcement = std::uint64_t{4} << 20;

sim::Options world_of_hosts() {
  sim::Options options;
  options.nodes = most_hosts;
  options.trace_messages = false;
  return options;
}

net::Identity identity_at(unsigned host, sim::detail::Program& program) {
  net::Identity self;
  self.society = "simulated";
  self.node = "host" + std::to_string(host);
  self.epoch = {program.random().next(), 0};
  self.anybody = true;
  return self;
}

}  // namespace

ServiceLab::ServiceLab() : world_(world_of_hosts()) { service_.emplace(world_, 0); }

ServiceLab::ServiceLab(const std::string& policy) : world_(world_of_hosts()) {
  service_.emplace(world_, 0, test::Linked::distributed, 0,
                   test::LinkedGuard{parse_policy(policy).value(), {}, policy});
}

void ServiceLab::restart() {
  world_.crash(0);
  service_.emplace(world_, 0);
  run();
}

Asker::Asker(ServiceLab& lab, unsigned host)
    : program_(lab.world(), host),
      flush_queue_([this] { program_.tell([this] { flush_queue_.flush(); }); }),
      links_(program_.network(), program_.alarms(), program_.clock(), program_.random(),
             identity_at(host, program_), link_options(peer_patience), *this),
      way_(flush_queue_, largest_announcement) {
  const net::Endpoint service = net::Endpoint::parse("sim://node0:4410").value();
  net::Link& link = links_.add("", {&service, 1}, *this);
  link.keep();
  link.dial();
  way_.bind(&link);
  attach();
  (void)open_lease("local");
  lab.run();
  if (!is_answered(asked_) || answer(asked_).error) throw std::runtime_error("it got no lease");
  lease_ = answer(asked_).value;
}

void Asker::attach(std::uint64_t seen) {
  ask(Request::attach, seen);
  ask(Request::follow_all, "");
  ask(Request::all_followed);
}

std::uint64_t Asker::open_lease(std::string_view identity) {
  constexpr std::uint64_t an_hour = 3'600'000'000'000;
  return ask(Request::open_lease, identity, an_hour, NodeInfo());
}

std::uint64_t Asker::claim(std::string_view name, const Properties& properties) {
  return ask(Request::claim, name, lease_, properties, MailboxOptions(), Incarnation());
}

std::uint64_t Asker::describe(std::string_view name, std::uint64_t life,
                              const Properties& properties) {
  return ask(Request::describe, name, life_of_number(life), properties);
}

void Asker::leave(std::string_view name, std::uint64_t life) {
  (void)ask(Request::leave, name, life_of_number(life), Ending());
}

void Asker::on_arrived(const net::Arrived& message) {
  if (way_.take(message) == FrameChannel::Got::frame) take(FrameReader(way_.head()));
  if (reads) way_.release(message.bytes());
}

void Asker::take(FrameReader in) {
  const auto kind = static_cast<Announcement>(in.byte());
  ++announced_[kind];
  if (kind == Announcement::answer) {
    const std::uint64_t number = in.number();
    answers_[number] = read_answer(in);
  }
  if (kind == Announcement::audit) {
    (void)in.number();
    refusals_ = read_refusals(in);
  }
  if (kind == Announcement::census) {
    (void)in.number();
    for (const auto& [what, count] : read_census(in).counts) counts_[what] = count;
  }
  if (kind == Announcement::all_announced) is_complete_ = true, seen_ = 0;
  if (kind != Announcement::event || !is_complete_ || !says_seen) return;
  std::optional<Entry> entry;
  const auto what = read_event(in, entry).kind;
  if (what == DirectoryEvent::Kind::joined || what == DirectoryEvent::Kind::left)
    ask(Request::seen, ++seen_);
}

}  // namespace coracle::trust
