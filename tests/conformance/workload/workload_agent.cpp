#include "workload_agent.hpp"

#include "coracle/node.hpp"
#include "support/societies/elsewhere.hpp"

#include <charconv>

namespace coracle::conformance {

using namespace std::chrono_literals;

MessageId id_in(std::string_view text) {
  MessageId id = 0;
  std::from_chars(text.data(), text.data() + text.size(), id);
  return id;
}

std::string player_name(unsigned player) { return "p" + std::to_string(player); }

MailboxOptions box_of(unsigned kind) {
  MailboxOptions box;
  switch (kind % 7) {
    case 1:
      return box.messages(2);
    case 2:
      return box.messages(2).overflow(Overflow::fail);
    case 3:
      return box.messages(3).overflow(Overflow::drop_oldest);
    case 4:
      return box.messages(3).overflow(Overflow::drop_newest);
    case 5:
      return box.messages(3).overflow(Overflow::keep_latest);
    case 6:
      return box.messages(2).redirect_to("spill");
    default:
      return box;
  }
}

std::size_t Recorder::open(std::string agent) {
  const std::scoped_lock lock(mutex_);
  logs_.push_back({std::move(agent), End::stopped, {}});
  return logs_.size() - 1;
}

Log& Recorder::log(std::size_t life) {
  const std::scoped_lock lock(mutex_);
  return logs_[life];
}

void Recorder::keep(std::size_t life, MessageId id, Receipt receipt) {
  const std::scoped_lock lock(mutex_);
  kept_.push_back({life, id, std::move(receipt)});
}

void Recorder::fence(std::size_t life) {
  const std::scoped_lock lock(mutex_);
  fenced_.push_back(life);
}

void Recorder::place(std::size_t life, std::size_t where) {
  const std::scoped_lock lock(mutex_);
  where_[life] = where;
  logs_[life].takes_large = !takes_little(where);
}

void Recorder::lose(std::size_t where) {
  const std::scoped_lock lock(mutex_);
  places_[where] = nullptr;
  std::erase_if(where_, [&](const auto& each) {
    const auto [life, its_place] = each;
    if (its_place != where) return false;
    cuts_[life] = logs_[life].events.size();
    return true;
  });
}

std::vector<Log> Recorder::finish() {
  for (const auto& [life, count] : cuts_) {
    Log& log = logs_[life];
    log.node_lost = true;
    log.events.resize(count);
    if (log.end == End::stopped) log.end = End::lost;
  }
  for (const std::size_t life : fenced_) {
    End& end = logs_[life].end;
    if (end != End::lost) end = may_have_crashed(end) ? End::crashed_or_fenced : End::fenced;
  }
  for (const Kept& kept : kept_) {
    for (const TargetOutcome& target : kept.receipt.targets()) {
      Event event;
      event.kind = Event::Kind::outcome;
      event.id = kept.id;
      event.name = target.target.str();
      if (target.outcome) event.outcome = *target.outcome;
      else event.kind = Event::Kind::addressed;
      logs_[kept.life].events.push_back(std::move(event));
    }
  }
  kept_.clear();
  return {logs_.begin(), logs_.end()};
}

Event& Diarist::note(Event::Kind kind, MessageId id, std::string with) {
  Event event;
  event.kind = kind;
  event.id = id;
  event.name = std::move(with);
  log_.events.push_back(std::move(event));
  return log_.events.back();
}

Task<bool> Diarist::ask_noted(std::string whom, Conversation conversation, Deadline deadline) {
  const MessageId id = new_id();
  Event& sending = note(Event::Kind::sending, id);
  sending.targets = {whom};
  sending.request = true;
  sending.conversation = conversation;
  const std::string text = std::to_string(id) + " " + std::to_string(conversation);
  const Result<Message> reply = co_await ask_result(whom, text, deadline);
  if (!reply) {
    note(Event::Kind::asked, id).errc = reply.error().errc();
    co_return false;
  }
  const MessageId answer = id_in((*reply).text());
  note(Event::Kind::asked, id).reply = answer;
  note(Event::Kind::acknowledged, answer);
  co_return true;
}

Task<> Driver::make(unsigned player, bool take_over) {
  const std::string player_is = player_name(player);
  const std::size_t life = recorder_.open(player_is);
  note(Event::Kind::making).life = life;
  AgentSpec spec(player_is);
  spec.mailbox(box_of(recorder_.plan().boxes[player]));
  spec.on_worker(player % node().options().workers);
  if (take_over) {
    spec.take_over();
    if (alive_[player]) recorder_.fence(lives_[player]);
  }
  auto agent = std::make_unique<Player>(recorder_, life);
  // Each incarnation is on another node than the previous one.
  const std::vector<Node*>& places = recorder_.places();
  std::size_t where = (player + life) % places.size();
  while (places[where] == nullptr) where = (where + 1) % places.size();
  Node* const place = places[where];
  recorder_.place(life, where);
  lives_[player] = life;
  alive_[player] = true;
  if (place == &node()) {
    co_await adopt(std::move(spec), std::move(agent));
    co_return;
  }
  std::function<bool()> is_gone;
  if (recorder_.may_lose()) is_gone = [&places, where, place] { return places[where] != place; };
  try {
    co_await test::adopt_at(*place, *this, std::move(spec), std::move(agent), is_gone);
  } catch (const Error&) {
    if (!recorder_.is_lost(life)) throw;
  }
}

// The player's name is taken over at once, or it begins again when the name has no holder any more.
Task<> Driver::replace_lost(unsigned player, std::size_t round, bool is_here) {
  if (is_here && (round + player) % 4 == 0) co_await pause(40s);
  bool still = false;
  if (is_here) still = (co_await node().directory().look_up(player_name(player))).has_value();
  if (!still || (round + player) % 2 == 1) co_await make(player, still);
}

Task<> Driver::command(unsigned player, std::size_t round) {
  const std::string whom = player_name(player);
  co_await ask_noted(whom, first_round + round, recorder_.patience());
  --outstanding_;
}

Task<> Driver::run() {
  const Plan& plan = recorder_.plan();
  const auto players = static_cast<unsigned>(plan.boxes.size());
  lives_.resize(players);
  alive_.resize(players);
  for (unsigned i = plan.late; i < players; ++i) co_await make(i, false);
  for (std::size_t round = 0; round < plan.rounds.size(); ++round) {
    for (unsigned i = 0; i < players; ++i) {
      if (round == 1 && lives_[i] == 0) co_await make(i, false);
      if (!alive_[i]) continue;
      ++outstanding_;
      spawn(command(i, round));
    }
    const unsigned who = plan.rounds[round].who % players;
    if (plan.rounds[round].twist == Round::Twist::take_over && alive_[who])
      co_await make(who, true);
    while (outstanding_ != 0) co_await pause(1ms);
    for (unsigned i = 0; i < players; ++i) {
      if (!alive_[i]) continue;
      const bool here = (co_await node().directory().look_up(player_name(i))).has_value();
      if (recorder_.is_lost(lives_[i])) {
        co_await replace_lost(i, round, here);
        continue;
      }
      alive_[i] = here;
      if (!here && plan.rounds[round].twist == Round::Twist::restart) co_await make(i, false);
    }
  }
  co_await await_players();
}

// A player may still act after a command whose answer the driver did not get. It replies to one
// more command when it has acted.
Task<> Driver::await_players() {
  for (unsigned i = 0; i < alive_.size(); ++i) {
    if (!alive_[i]) continue;
    ++outstanding_;
    spawn(command(i, recorder_.plan().rounds.size()));
  }
  while (outstanding_ != 0) co_await pause(1ms);
}

Task<> Undertaker::run() {
  for (;;) {
    try {
      const Message letter = co_await receive();
      note(Event::Kind::dead_letter, id_in(letter.text()),
           std::string(letter.header("to").value_or("?")));
    } catch (const Error&) {
      co_return;
    }
  }
}

}  // namespace coracle::conformance
