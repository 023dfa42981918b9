// The way in which an agent of the society talks with a client of a gateway: as with any other
// agent that asks it. Its reply is the result. Before the reply, it may send a Progress in the
// conversation of the request, which is shown to the client, and put a Question to the client,
// which is a request of its own. Gateways of A2A understand both, too (a2a/talk.hpp).
// Tests: gateways/mcp/tests/gateway_test.cpp
#pragma once

#include "coracle/agent.hpp"
#include "coracle/message.hpp"
#include "coracle/task.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace coracle::web {

// The header of a request whose sender takes a Progress and answers a Question. Gateways set it. An
// agent that sets it reads such messages while it waits for the reply.
inline constexpr const char* talk_header = "talk";
// Returns whether the sender of a request does so.
bool can_talk(const MessageView& request) noexcept;

// A message that shows the client that the agent works, and at which step.
struct Progress {
  static constexpr std::string_view content_type = "a2a/progress/v1";
  std::string text;
  double done = 0;   // of the work, in any unit; zero: the number of such messages counts
  double total = 0;  // of the work; zero: it is not known
};

// Asks the client for something, without which the agent cannot go on.
struct Question {
  static constexpr std::string_view content_type = "a2a/question/v1";
  std::string text;
  bool is_for_authorization = false;  // the client has to prove or permit something elsewhere
  Conversation conversation = 0;      // of the request; put_question() fills it in
};

// Sends a Progress to the sender of a request.
Task<> report_progress(Agent& me, const MessageView& request, std::string text, double done = 0,
                       double total = 0);
// Puts a Question to the sender of a request, and waits for the answer; nothing if there is none,
// if the request has ended, or at the deadline. Fails with Errc::stopped and Errc::fenced.
Task<std::optional<Message>> put_question(Agent& me, const MessageView& request, std::string text,
                                          Deadline deadline = Deadline::never());

}  // namespace coracle::web
