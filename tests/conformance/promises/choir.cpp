#include "choir.hpp"

namespace coracle::conformance {

Body singing() {
  return [](Agent& me) -> Task<> {
    for (;;) {
      const Message told = co_await me.receive();
      const std::string text(told.text());
      if (text == "end") co_return;
      if (text.starts_with("keep ")) {
        me.keep_last(group("choir"), std::stoul(text.substr(5)));
      } else {
        co_await me.multicast(group("choir"), text);
      }
      co_await me.reply(told, "done");
    }
  };
}

Task<> command(Agent& me, std::string who, std::string what) {
  const Message done = co_await me.ask(Target(who), Content(what), soon);
  expect_equal(done.text(), "done", who + " says");
}

Task<> sing(Agent& me, std::string who, int from, int to) {
  for (int number = from; number <= to; ++number) co_await command(me, who, std::to_string(number));
}

Task<> start_singer(Agent& me, AgentSpec spec, std::string name, int keeps, int sings) {
  co_await start(me, std::move(spec), singing());
  co_await command(me, name, "keep " + std::to_string(keeps));
  co_await sing(me, name, 1, sings);
}

Task<std::string> hear_songs(Agent& me, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) {
    const Message message = co_await take(me);
    expect_equal(message.target(), Name("choir"), "the target");
    const std::string text(message.text());
    all += (all.empty() ? "" : " ") + (message.earlier() ? "(" + text + ")" : text);
  }
  co_return all;
}

}  // namespace coracle::conformance
