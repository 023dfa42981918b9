#include "workload_agent.hpp"

#include "coracle/node.hpp"
#include "support/elsewhere.hpp"

#include <charconv>

namespace coracle::contract {

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
    case 1: return box.messages(2);
    case 2: return box.messages(2).overflow(Overflow::fail);
    case 3: return box.messages(3).overflow(Overflow::drop_oldest);
    case 4: return box.messages(3).overflow(Overflow::drop_newest);
    case 5: return box.messages(3).overflow(Overflow::keep_latest);
    case 6: return box.messages(2).redirect_to("spill");
    default: return box;
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

std::vector<Log> Recorder::finish() {
  for (const std::size_t life : fenced_) {
    End& end = logs_[life].end;
    end = may_have_crashed(end) ? End::crashed_or_fenced : End::fenced;
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
  // Each life on another node than the one before.
  Node* const place = recorder_.places()[(player + life) % recorder_.places().size()];
  if (place == &node()) {
    co_await adopt(std::move(spec), std::move(agent));
  } else {
    co_await test::adopt_at(*place, *this, std::move(spec), std::move(agent));
  }
  lives_[player] = life;
  alive_[player] = true;
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
      alive_[i] = here;
      if (!here && plan.rounds[round].twist == Round::Twist::restart) co_await make(i, false);
    }
  }
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

}  // namespace coracle::contract
