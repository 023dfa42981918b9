#include "support/session_run.hpp"

#include "support/side.hpp"

namespace coracle::net::test {

using namespace std::chrono_literals;

SessionRun::SessionRun(std::uint64_t seed, RunFaults faults) : random_(seed), faults_(faults) {
  options_.window = {between(random_, 100, 50'000), between(random_, 2, 200)};
  options_.kept = between(random_, 1000, 50'000);
  habits_.small = between(random_, 0, 3000);
  habits_.large = between(random_, 0, 200'000);
  habits_.hoard = static_cast<unsigned>(between(random_, 0, 60));
  for (const unsigned index : {0u, 1u}) start(index);
}

void SessionRun::start(unsigned index) {
  Node& node = nodes_[index];
  if (node.session) node.duplicates += node.session->duplicates();
  node.session.reset();
  node.outgoing.clear();
  node.unread.clear();
  node.epoch = {next_epoch_++, 0};
  node.user = std::make_unique<ModelUser>(ledger_, index, random_, habits_);
  node.session = std::make_unique<Session>(options_, node.epoch, 1, *node.user, now_);
  node.user->bind(*node.session);
}

Greeting SessionRun::greeting(unsigned index) const {
  Greeting result;
  result.society = "lab";
  result.node = index == 0 ? "ann" : "bob";
  result.epoch = nodes_[index].epoch;
  result.number = nodes_[index].session->number();
  result.largest = options_.largest;
  return result;
}

void SessionRun::detach(unsigned index) {
  Node& node = nodes_[index];
  node.outgoing.clear();
  node.unread.clear();
  node.session->detach({Reason::broken, "cut"}, now_);
}

void SessionRun::connect() {
  const auto dialler = static_cast<unsigned>(between(random_, 0, 1));
  for (const unsigned index : {0u, 1u}) detach(index);
  for (const unsigned index : {dialler, 1 - dialler}) {
    Session& session = *nodes_[index].session;
    const Greeting peer = greeting(1 - index);
    promise(session.peer().judge(peer) != KnownPeer::Verdict::stale,
            "a live peer is taken for a stale one");
    session.attach(index == dialler ? Session::Side::dialled : Session::Side::accepted, peer, now_);
  }
}

void SessionRun::check(Node& node) {
  const auto& closing = node.session->closing();
  promise(!closing, "the session ends: " + (closing ? closing->sentence : std::string()));
  const auto& farewell = node.session->farewell();
  promise(!farewell, "the peer ends it: " + (farewell ? farewell->sentence : std::string()));
  constexpr std::size_t bound = 4u << 20;
  promise(node.session->memory() < bound, "a session holds too much memory");
}

void SessionRun::write(unsigned index) {
  Node& node = nodes_[index];
  if (!node.session->is_attached()) return;
  if (node.session->is_writing()) {
    if (node.patience-- == 0) node.session->written(now_);
    return;
  }
  for (const auto part : node.session->take(now_))
    node.outgoing.append(reinterpret_cast<const char*>(part.data()), part.size());
  node.patience = static_cast<unsigned>(between(random_, 0, 3));
}

void SessionRun::deliver(unsigned from, std::size_t most) {
  Node& source = nodes_[from];
  Node& target = nodes_[1 - from];
  if (!target.session->is_attached()) return;
  const std::size_t count = std::min(source.outgoing.size(), most);
  if (count == 0) return;
  target.unread += source.outgoing.substr(0, count);
  source.outgoing.erase(0, count);
  target.unread.erase(0, target.session->received(bytes_of(target.unread), now_));
  promise(target.unread.size() <= target.session->largest_frame(),
          "more than a frame is left to be understood");
  check(target);
}

void SessionRun::step() {
  now_ += Duration(between(random_, 0, 2'000'000));
  const bool attached = nodes_[0].session->is_attached() && nodes_[1].session->is_attached();
  const auto fate = between(random_, 0, 999);
  if (!attached && fate < 100) connect();
  if (attached && fate < faults_.cut) {
    ++cuts_;
    detach(static_cast<unsigned>(between(random_, 0, 1)));
  } else if (fate >= 100 && fate < 100 + faults_.restart) {
    ++restarts_;
    start(static_cast<unsigned>(between(random_, 0, 1)));
  } else if (fate >= 200 && fate < 200 + faults_.give_up) {
    const auto who = static_cast<unsigned>(between(random_, 0, 1));
    detach(who);
    Session& session = *nodes_[who].session;
    session.give_up({Reason::silent, "given up"}, session.number() + 1);
  }
  const auto who = static_cast<unsigned>(between(random_, 0, 1));
  Node& node = nodes_[who];
  switch (between(random_, 0, 3)) {
    case 0:
      node.user->act(8);
      break;
    case 1:
      if (now_ >= node.session->next_time()) node.session->on_time(now_);
      write(who);
      break;
    default: {
      const std::size_t sizes[] = {1, 7, 100, 5000, 200'000};
      deliver(who, between(random_, 1, sizes[between(random_, 0, 4)]));
    }
  }
}

void SessionRun::run(unsigned steps) {
  for (unsigned i = 0; i < steps; ++i) step();
}

void SessionRun::drain() {
  if (!nodes_[0].session->is_attached() || !nodes_[1].session->is_attached()) connect();
  for (unsigned turn = 0; turn < 100'000; ++turn) {
    now_ += 1ms;
    for (const unsigned index : {0u, 1u}) {
      if (now_ >= nodes_[index].session->next_time()) nodes_[index].session->on_time(now_);
      nodes_[index].user->finish();
      write(index);
      deliver(index, 1u << 20);
    }
    if (nodes_[0].user->is_done() && nodes_[1].user->is_done() && nodes_[0].session->is_quiet() &&
        nodes_[1].session->is_quiet())
      return;
  }
  throw Violation("what was sent does not arrive though nothing fails any more");
}

std::uint64_t SessionRun::duplicates() const {
  std::uint64_t sum = 0;
  for (const Node& node : nodes_) sum += node.duplicates + node.session->duplicates();
  return sum;
}

}  // namespace coracle::net::test
