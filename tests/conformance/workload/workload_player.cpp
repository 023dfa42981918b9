// The players of a generated workload.
#include "support/societies/test_society.hpp"
#include "workload_agent.hpp"

namespace coracle::conformance {

namespace {

using namespace std::chrono_literals;

constexpr const char* group_name = "choir";
constexpr std::size_t large = 300;  // bytes

}  // namespace

Task<> Player::run() {
  // The players may have overheard copies of what the driver sends to others.
  const Match commands = that([](const MessageView& message) {
    return !message.overheard() && message.source().name() == Name("driver");
  });
  for (;;) {
    Message command;
    try {
      command = co_await receive(commands);
    } catch (const Error&) {
      break;
    }
    const MessageId id = id_in(command.text());
    Event& received = note(Event::Kind::received, id, "driver");
    received.wanted.from = "driver";
    received.redelivered = command.redelivered();
    const std::string_view text = command.text();
    const std::size_t round = id_in(text.substr(text.find(' ') + 1)) - first_round;
    const auto number = static_cast<std::size_t>(name().view()[1] - '0');
    const bool known = round < recorder_.plan().rounds.size();  // a broken mailbox returns anything
    const bool mine = !command.redelivered() && number < recorder_.plan().boxes.size() && known;
    bool is_over = false;  // the node stops during the operation
    try {
      if (mine) co_await play(recorder_.plan().rounds[round].scripts[number]);
    } catch (const Error& error) {
      if (error.errc() != Errc::stopped) throw;
      is_over = true;
    }
    if (!is_over && !command.redelivered()) co_await answer(command);
    note(Event::Kind::acknowledged, id);
    command.acknowledge();
    if (is_over) break;
  }
  co_await read_the_rest();
}

Task<> Player::play(std::vector<Step> script) {
  for (const Step& step : script) co_await perform(step);
}

Task<> Player::perform(Step step) {
  switch (step.what % 16) {
    case 0: case 1: case 2: co_return co_await send_plain(step);
    case 3: case 4: co_return co_await send_tracked(step);
    case 5: case 6: case 7: case 8: co_return co_await read(step);
    case 9: co_return settle_held(step.a);
    case 10: co_return co_await change_membership(step);
    case 11:
    case 12:
      co_return co_await change_taps(step);
    case 13: {
      const auto players = static_cast<unsigned>(recorder_.plan().boxes.size());
      (void)co_await ask_noted(player_name(step.a % players), 0, 3ms);
      co_return;
    }
    case 14: co_return co_await yield();
    default:
      if (step.a % 4 != 0) co_return;
      log_.end = End::crashed;
      throw test::Crash("as the script says");
  }
}

Task<> Player::send_plain(Step step) {
  const auto players = static_cast<unsigned>(recorder_.plan().boxes.size());
  const unsigned whom = step.a % (players + 1);
  const std::string to = whom == players ? "ghost" : player_name(whom);
  const MessageId id = new_id();
  Event& sending = note(Event::Kind::sending, id);
  sending.targets = {to};
  sending.conversation = step.b % 3;
  const std::string text = std::to_string(id);
  const Result<void> sent = co_await send_result(to, text, step.b % 3);
  if (sent) note(Event::Kind::sent, id);
  else note(Event::Kind::failed, id).errc = sent.error().errc();
}

Task<> Player::send_tracked(Step step) {
  const auto players = static_cast<unsigned>(recorder_.plan().boxes.size());
  const MessageId id = new_id();
  std::vector<Name> to;
  for (unsigned i = 0; i <= step.b % 3; ++i) {
    const std::string target = player_name((step.a + i) % players);
    if (i < players) to.push_back(target);
  }
  const bool to_group = step.c % 4 == 0;
  std::string text = std::to_string(id);
  const bool is_large = step.c % 5 == 2 && node().options().content_limit > 2 * large;
  if (is_large) text += ' ' + std::string(large, 'x');
  Post post = to_group ? Post(group(group_name), text) : Post(to, text);
  if (step.c % 5 == 1) post.expires(1ms);
  Event& sending = note(Event::Kind::sending, id);
  if (to_group) sending.targets = {group_name};
  else for (const Name& target : to) sending.targets.push_back(target.str());
  sending.to_group = to_group;
  sending.may_expire = step.c % 5 == 1;
  sending.tracked = true;
  sending.is_large = is_large;
  Receipt receipt = co_await track(std::move(post));
  const auto& targets = receipt.targets();
  const bool refused = targets.size() == 1 && targets[0].outcome == Outcome::refused && !to_group;
  // Of a large one it is not known whether a full mailbox refused it, or its reader's node.
  if (!refused) note(Event::Kind::sent, id);
  else if (!is_large) note(Event::Kind::failed, id).errc = Errc::mailbox_full;
  recorder_.keep(life_, id, std::move(receipt));
}

Task<> Player::read(Step step) {
  Wanted wanted;
  Match match;
  const auto players = static_cast<unsigned>(recorder_.plan().boxes.size());
  switch (step.a % 4) {
    case 1:
      wanted.from = player_name(step.b % players);
      match = from(Name(wanted.from));
      break;
    case 2:
      wanted.conversation = step.b % 2 + 1;
      match = in_conversation(wanted.conversation);
      break;
    case 3: {
      const MessageId parity = step.b % 2;
      wanted.parity = static_cast<int>(parity);
      match = that([parity](const MessageView& message) {
        return message.gap() == 0 && id_in(message.text()) % 2 == parity;
      });
      break;
    }
    default: break;
  }
  std::optional<Message> message;
  if (step.c % 3 == 0) message = try_receive(match);
  else message = co_await receive(match, 1ms);
  if (message) co_await take_in(std::move(*message), wanted, step.c / 3);
}

Task<> Player::take_in(Message message, const Wanted& wanted, unsigned disposition) {
  if (message.gap() != 0) {
    Event& gap = note(Event::Kind::gap);
    gap.tap = message.tap();
    gap.count = message.gap();
    co_return;
  }
  const MessageId id = id_in(message.text());
  const bool copy = message.overheard();
  Event& event = note(copy ? Event::Kind::heard : Event::Kind::received, id,
                      message.source().name().str());
  event.wanted = wanted;
  event.redelivered = message.redelivered();
  event.tap = message.tap();
  if (copy) co_return;
  if (disposition % 4 == 1) {
    held_.push_back(std::move(message));
    co_return;
  }
  if (disposition % 4 == 2) {
    note(Event::Kind::gave_back, id);
    message.give_back();
    co_return;
  }
  if (message.is_request() && !drained_) co_await answer(message);
  note(Event::Kind::acknowledged, id);
  message.acknowledge();
}

Task<> Player::answer(const Message& request) {
  const MessageId id = new_id();
  Event& sending = note(Event::Kind::sending, id);
  sending.targets = {request.source().name().str()};
  sending.answers = id_in(request.text());
  const std::string text = std::to_string(id);
  try {
    co_await reply(request, text);
    note(Event::Kind::sent, id);
  } catch (const Error& error) {
    note(Event::Kind::failed, id).errc = error.errc();
  }
}

void Player::settle_held(unsigned how) {
  // The last message first, so that messages that are given back find their old places.
  while (!held_.empty()) {
    const MessageId id = id_in(held_.back().text());
    if (how % 2 == 0) {
      note(Event::Kind::acknowledged, id);
      held_.back().acknowledge();
    } else {
      note(Event::Kind::gave_back, id);
      held_.back().give_back();
    }
    held_.pop_back();
  }
}

Task<> Player::change_membership(Step step) {
  if (step.a % 3 != 0) {
    note(Event::Kind::joining, 0, group_name);
    co_await join(group(group_name));
    note(Event::Kind::joined, 0, group_name);
  } else {
    note(Event::Kind::leaving, 0, group_name);
    co_await leave(group(group_name));
  }
}

Task<> Player::change_taps(Step step) {
  if (step.a % 4 == 0 && !taps_.empty()) {
    note(Event::Kind::tap_closing).tap = taps_.back().id;
    co_await stop_overhearing(taps_.back());
    taps_.pop_back();
    co_return;
  }
  const auto players = static_cast<unsigned>(recorder_.plan().boxes.size());
  Hearing hearing;
  Pattern pattern;
  if (step.b % 3 == 1) {
    hearing.source = player_name(step.b % players);
    pattern.source_is(hearing.source);
  }
  if (step.b % 3 == 2) {
    hearing.target = player_name(step.b % players);
    pattern.target_is(hearing.target);
  }
  if (step.c % 2 == 1) {
    hearing.last_digit = static_cast<int>(step.c % 10);
    // Requests carry a second number after their id.
    pattern.text("^[0-9]*" + std::to_string(hearing.last_digit) + "( |$)");
  }
  if (step.a % 2 == 0) hearing.limit = 2;
  note(Event::Kind::tap_opening).hearing = hearing;
  const Tap tap = co_await overhear(pattern, hearing.limit);
  taps_.push_back(tap);
  Event& opened = note(Event::Kind::tap_opened);
  opened.hearing = hearing;
  opened.tap = tap.id;
}

Task<> Player::read_the_rest() {
  settle_held(0);
  drained_ = true;
  const Wanted anything;
  for (;;) {
    Message message;
    try {
      message = co_await receive();
    } catch (const Error&) {
      break;
    }
    co_await take_in(std::move(message), anything, 0);
  }
  note(Event::Kind::drained);
}

}  // namespace coracle::conformance
