#include "play.hpp"

namespace coracle::conformance {

std::vector<Realization> nodes_of(const Subject& subject) {
  std::vector<Realization> nodes;
  nodes.push_back(subject.open());
  if (!subject.join) return nodes;
  for (Realization& other : subject.join()) nodes.push_back(std::move(other));
  return nodes;
}

void play(const Subject& subject, NodeOptions options, Body body) {
  Society society(nodes_of(subject), options);
  society.run(std::move(body));
}

void play(const Subject& subject, Body body) {
  play(subject, options_for(subject), std::move(body));
}

Task<Message> take(Agent& me, Match match, const char* file, int line) {
  std::optional<Message> message = co_await me.receive(std::move(match), soon);
  if (!message) fail("a message that should have come has not", file, line);
  co_return std::move(*message);
}

Task<std::string> hear(Agent& me, Match match, const char* file, int line) {
  const Message message = co_await take(me, std::move(match), file, line);
  co_return std::string(message.text());
}

Task<> hear_nothing(Agent& me, Match match, const char* file, int line) {
  std::optional<Message> message = co_await me.receive(std::move(match), a_moment);
  if (message) fail("\"" + std::string(message->text()) + "\" came, should be nothing", file, line);
}

std::string all_there(Agent& me, const Match& match) {
  std::string texts;
  while (std::optional<Message> message = me.try_receive(match)) {
    if (!texts.empty()) texts += ' ';
    if (message->gap() != 0) texts += "(" + std::to_string(message->gap()) + ")";
    else texts += message->text();
  }
  return texts;
}

Task<> until(Agent& me, std::function<bool()> met, const char* what, const char* file, int line) {
  const Time end = Deadline(soon).at(me.now());
  while (!met()) {
    if (me.now() > end) fail(std::string("never happened: ") + what, file, line);
    co_await me.pause(1ms);
  }
}

Task<> gone(Agent& me, Name name, const char* file, int line) {
  const Time end = Deadline(soon).at(me.now());
  while (co_await me.node().directory().look_up(name)) {
    if (me.now() > end) fail(name.str() + " should have ended, and holds its name", file, line);
    co_await me.pause(1ms);
  }
}

Task<> count_to(Agent& me, Target to, int n) {
  for (int i = 1; i <= n; ++i) {
    const std::string text = std::to_string(i);
    co_await me.send(to, text);
  }
}

Body echo_to(std::string whom) {
  return [whom](Agent& me) -> Task<> {
    for (;;) {
      const Message message = co_await me.receive();
      const std::string text(message.text());
      co_await me.send(whom, text);
    }
  };
}

Body answering() {
  return [](Agent& me) -> Task<> {
    for (;;) {
      const Message message = co_await me.receive();
      const Content content = message.content();
      co_await me.reply(message, content);
    }
  };
}

Body deaf() {
  return [](Agent& me) -> Task<> { co_await me.pause(Deadline(std::chrono::hours(1))); };
}

AgentSpec across(Agent& me, Name name) {
  AgentSpec spec(std::move(name));
  spec.on_worker(me.node().options().workers - 1);
  return spec;
}

MailboxOptions room_for(std::uint32_t messages, Overflow policy) {
  return MailboxOptions().messages(messages).overflow(policy);
}

}  // namespace coracle::conformance
