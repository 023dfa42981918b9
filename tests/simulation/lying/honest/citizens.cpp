#include "citizens.hpp"

#include "support/seeds.hpp"

#include <chrono>

namespace coracle::test::lying {

namespace {

using namespace std::chrono_literals;

constexpr Duration patience = 10s;

}  // namespace

Citizen::~Citizen() {
  if (lives_ && !town_.is_over) town_.witness.fault("an agent of an honest node has ended");
}

Task<> Citizen::run() {
  lives_ = true;
  town_.witness.stays(name().str());
  ++town_.busy;
  spawn(live());
  Task<> reading = read();
  co_await reading;
}

Task<> Citizen::read() {
  for (;;) {
    Message message;
    try {
      message = co_await receive();
    } catch (const Error& error) {
      if (!town_.is_over) town_.witness.fault(name().str() + " cannot read: " + error.sentence());
      co_return;
    }
    town_.witness.on_read(name().str(), message);
    if (message.is_request() && !message.overheard()) spawn(answer(std::move(message)));
  }
}

Task<> Citizen::answer(Message request) {
  const std::string to = request.source().name().str();
  HonestMessage& record = town_.witness.will_send(HonestMessage::Kind::reply, name().str(), to);
  try {
    const std::string text = record.text;
    co_await reply(request, text);
    town_.witness.note_sent(record);
  } catch (const Error& error) {
    town_.witness.note_failed(record, error);
  }
}

Task<> Citizen::live() {
  for (unsigned left = things_; left != 0; --left) {
    co_await pause(up_to(town_.random, 20ms));
    Task<> acting = act();
    co_await acting;
  }
  --town_.busy;
}

std::string Citizen::somebody() {
  return town_.everybody[below(town_.random, town_.everybody.size())];
}

std::string Citizen::anybody() {
  if (below(town_.random, 6) == 0) return std::string(liars_prefix) + 'a';
  if (below(town_.random, 5) != 0 || town_.absent.empty()) return somebody();
  return town_.absent[below(town_.random, town_.absent.size())];
}

Task<> Citizen::act() {
  const auto what = below(town_.random, 10);
  const auto doing = town_.doing.insert(name().str() + " does " + std::to_string(what));
  Task<> acting = begin(what);
  co_await acting;
  town_.doing.erase(doing);
}

Task<> Citizen::begin(std::uint64_t what) {
  switch (what) {
    case 0:
    case 1:
    case 2:
      return send(anybody());
    case 3:
    case 4:
      return follow(anybody());
    case 5:
    case 6:
      return ask_one(below(town_.random, 6) == 0 ? std::string(liars_prefix) + 'a' : somebody());
    case 7:
      return send_to_team();
    case 8:
      return join_team();
    default:
      return listen();
  }
}

Task<> Citizen::send(std::string to) {
  HonestMessage& record = town_.witness.will_send(HonestMessage::Kind::plain, name().str(), to);
  const std::string text = record.text;
  const Result<void> sent = co_await send_result(to, text);
  if (sent) town_.witness.note_sent(record);
  else town_.witness.note_failed(record, sent.error());
}

Task<> Citizen::follow(std::string to) {
  HonestMessage& record = town_.witness.will_send(HonestMessage::Kind::tracked, name().str(), to);
  Post post(Name(to), Content(record.text));
  try {
    Receipt receipt = co_await track(std::move(post));
    record.receipt = receipt;
    town_.witness.note_sent(record);
  } catch (const Error& error) {
    town_.witness.note_failed(record, error);
  }
}

Task<> Citizen::ask_one(std::string to) {
  HonestMessage& record = town_.witness.will_send(HonestMessage::Kind::request, name().str(), to);
  const std::string text = record.text;
  const Result<Message> reply = co_await ask_result(to, text, patience);
  if (reply) town_.witness.on_reply(record, *reply);
  else town_.witness.note_failed(record, reply.error());
}

Task<> Citizen::send_to_team() {
  HonestMessage& record =
      town_.witness.will_send(HonestMessage::Kind::to_group, name().str(), "team");
  try {
    const std::string text = record.text;
    co_await multicast(group("team"), text);
    town_.witness.note_sent(record);
  } catch (const Error& error) {
    town_.witness.note_failed(record, error);
  }
}

Task<> Citizen::join_team() {
  try {
    co_await join(group("team"));
    town_.witness.joined(name().str());
  } catch (const Error&) {  // the policy forbids it
  }
}

Task<> Citizen::listen() {
  HonestTap what{name().str(), {}, {}};
  Pattern pattern;
  if (below(town_.random, 2) == 0) pattern.source_is(Name(what.source = somebody()));
  if (below(town_.random, 2) == 0) pattern.target_is(Name(what.target = somebody()));
  try {
    const Tap tap = co_await overhear(pattern, 100'000);
    town_.witness.opened(tap.id, what);
  } catch (const Error&) {
  }
}

}  // namespace coracle::test::lying
