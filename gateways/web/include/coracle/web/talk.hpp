// The way in which an agent of the society talks with a client of a gateway: as with any other
// agent that asks it. Its reply is the result. Before the reply, it may send messages in the
// conversation of the request: a Progress is shown to the client, and a Question is put to it.
// Tests: gateways/mcp/tests/gateway_test.cpp
#pragma once

#include "coracle/agent.hpp"
#include "coracle/message.hpp"
#include "coracle/task.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace coracle::web {

// A message that shows the client that the agent works, and at which step.
struct Progress {
  static constexpr std::string_view content_type = "web/progress/v1";
  std::string text;
  double done = 0;   // of the work, in any unit; zero: the number of such messages counts
  double total = 0;  // of the work; zero: it is not known
};

// Asks the client for something, without which the agent cannot go on.
struct Question {
  static constexpr std::string_view content_type = "web/question/v1";
  std::string text;
  bool is_for_authorization = false;  // the client has to prove or permit something elsewhere
};

// The answer to a question, if the client gives none.
struct Canceled {
  static constexpr std::string_view content_type = "web/canceled/v1";
  std::string reason;
};

// Sends a Progress to the sender of a request.
Task<> report_progress(Agent& me, const MessageView& request, std::string text, double done = 0,
                       double total = 0);
// Sends a Question to the sender of a request, and waits for the answer; nothing if there is none,
// or at the deadline.
Task<std::optional<Message>> put_question(Agent& me, const MessageView& request, std::string text,
                                          Deadline deadline = Deadline::never());

}  // namespace coracle::web
