// An agent that answers a message by another one, which is no reply: who asks it has to receive.
#pragma once

#include "nodes.hpp"

#include <string>
#include <string_view>

namespace coracle::test {

inline void start_sage(Nodes& nodes, unsigned host, std::string_view advice) {
  nodes.start(host, "sage", [answer = Content(advice)](Agent& me) -> Task<> {
    const Message question = co_await me.receive();
    co_await me.send(question.source(), answer);
    co_await me.receive();  // until the end
  });
}

// Asks the sage, and receives what it says some time after that has come.
inline Task<std::string> advice_for(Agent& me) {
  const Content question("what shall I do?");
  co_await me.send("sage", question);
  co_await me.pause(1s);
  const Message answer = co_await me.receive(from("sage"));
  co_return std::string(answer.text());
}

}  // namespace coracle::test
