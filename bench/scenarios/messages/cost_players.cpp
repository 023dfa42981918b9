#include "cost_players.hpp"

#include "harness/run/failures.hpp"

#include <coracle/post.hpp>
#include <coracle/receipt.hpp>

#include <chrono>
#include <optional>
#include <utility>

namespace coracle::bench {

namespace {

constexpr std::uint64_t batch = 500;       // round trips for each look at the clock
constexpr Conversation conversation = 42;  // the conversation of all messages
constexpr const char* ponger_name = "ponger";

bool is_pong(const MessageView& message) { return !message.is_request(); }

void check(const Message& pong) {
  if (!pong) throw NotDone("a pong was empty");
}

}  // namespace

Task<> CostPinger::play() {
  const Address ponger = find(ponger_name);
  const Time begin = clock_now() + seconds(game_.interval / 5);
  const Time end = begin + seconds(game_.interval);
  Time before = clock_now();
  while (before < end) {
    co_await exchange(ponger);
    const Time after = clock_now();
    game_.messages += 2 * batch;
    if (before >= begin) {
      game_.found.samples.push_back(nanoseconds(after - before) / (2 * batch));
      game_.found.value += nanoseconds(after - before);
      game_.found.n += 2 * batch;
    }
    before = after;
  }
  game_.found.value /= static_cast<double>(game_.found.n);
  co_await send(ponger, game_.content, farewell);
  for (const Address companion : game_.company) {
    co_await send(companion, game_.content, farewell);
  }
  game_.messages += 1 + game_.company.size();
}

// One coroutine for all forms, so that no compared form pays for a coroutine frame of ours.
Task<> CostPinger::exchange(Address ponger) {
  for (std::uint64_t i = 0; i < batch; ++i) {
    switch (game_.sent) {
      case Sent::plain:
        co_await send(ponger, game_.content, conversation);
        break;
      case Sent::by_name:
        co_await send(ponger_name, game_.content, conversation);
        break;
      case Sent::fresh: {
        Content fresh = Content::bytes(game_.content.bytes(), game_.content.type());
        co_await send(ponger, std::move(fresh), conversation);
        break;
      }
      case Sent::request: {
        const Message pong = co_await ask(ponger, game_.content, std::chrono::seconds(30));
        continue;
      }
      case Sent::tracked: {
        Post tracked(ponger, game_.content);
        Receipt receipt = co_await track(std::move(tracked));
        const bool was_consumed = co_await receipt.reached(Stage::consumed);
        if (!was_consumed) throw NotDone("a ping was not consumed");
        break;
      }
      default:
        co_await send(dressed(ponger));
        break;
    }
    switch (game_.read) {
      case Read::any:
        check(co_await receive());
        break;
      case Read::by_sender:
        check(co_await receive(from(ponger)));
        break;
      case Read::by_conversation:
        check(co_await receive(in_conversation(conversation)));
        break;
      case Read::by_predicate:
        check(co_await receive(that(is_pong)));
        break;
      case Read::until: {
        const std::optional<Message> pong = co_await receive(std::chrono::seconds(30));
        if (!pong) throw NotDone("a pong did not come");
        break;
      }
    }
  }
}

Post CostPinger::dressed(Address ponger) const {
  Post post(ponger, game_.content);
  if (game_.sent == Sent::header) post.header("unit", "metre");
  if (game_.sent == Sent::deadline) post.expires(std::chrono::minutes(1));
  return post.conversation(conversation);
}

Task<> Answerer::play() {
  for (;;) {
    const Message question = co_await receive();
    if (question.conversation() == farewell) co_return;
    co_await reply(question, question.content());
  }
}

Task<> Hesitator::play() {
  for (;;) {
    Message ping = co_await receive();
    if (ping.conversation() == farewell) co_return;
    ping.give_back();
    ping = co_await receive();
    if (!ping.redelivered()) throw NotDone("a message came again without the mark");
    co_await send(ping.source(), ping.content(), ping.conversation());
  }
}

Task<> Listener::play() {
  for (const Pattern& pattern : patterns_) co_await overhear(pattern);
  listening_.count_down();
  for (;;) {
    const Message message = co_await receive();
    if (!message.overheard() && message.conversation() == farewell) co_return;
  }
}

}  // namespace coracle::bench
