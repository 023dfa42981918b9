// An agent that answers a message by another message, which is no reply: the asking agent has to
// receive it.
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

// Sends a message to the sage, and receives the sage's message some time after it has come.
inline Task<std::string> advice_for(Agent& me) {
  const Content question("what shall I do?");
  co_await me.send("sage", question);
  co_await me.pause(1s);
  const Message answer = co_await me.receive(from("sage"));
  co_return std::string(answer.text());
}

}  // namespace coracle::test
