// The way in which an agent of the society talks with a client of A2A: as with any other agent that
// asks it. Its reply is the result of the task. Before the reply, it may send messages in the
// conversation of the request: each is a piece of the result, and a Progress is shown to the
// client. A Question is a request of its own. Tests: gateways/a2a/tests/server_test.cpp
#pragma once

#include "coracle/agent.hpp"
#include "coracle/message.hpp"
#include "coracle/task.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace coracle::a2a {

// The headers of a request that comes from a client, or goes to a foreign agent.
namespace header {
inline constexpr std::string_view task = "a2a-task";          // the task's id
inline constexpr std::string_view context = "a2a-context";    // the family of tasks, of one caller
inline constexpr std::string_view caller = "a2a-caller";      // the caller, as the gateway knows it
inline constexpr std::string_view metadata = "a2a-metadata";  // JSON, as the client has sent it
inline constexpr std::string_view talks = "a2a-talks";  // the asker takes pieces and questions
// Words of FIPA, which the other side has by an extension: docs/a2a-fipa.md.
inline constexpr std::string_view performative = "fipa-performative";  // as in "request"
inline constexpr std::string_view protocol = "fipa-protocol";          // as in "fipa-request"
inline constexpr std::string_view ontology = "fipa-ontology";
}  // namespace header

// The extension by which messages have words of FIPA.
inline constexpr std::string_view fipa_extension = "urn:coracle:a2a:fipa:1";

// A note for the client: the agent works, and at what.
struct Progress {
  static constexpr std::string_view content_type = "a2a/progress/v1";
  std::string text;
};

// Asks the client for something, without which the agent cannot go on.
struct Question {
  static constexpr std::string_view content_type = "a2a/question/v1";
  std::string text;
  bool is_for_authorization = false;  // the client has to prove or permit something elsewhere
  Conversation conversation = 0;      // of the request; put_question() fills it in
};

// A request to a foreign agent: whether its card has an extension. The reply is JSON, the
// parameters that the card has for it; it is a refusal if the card does not have it.
struct ExtensionRequest {
  static constexpr std::string_view content_type = "a2a/extension-request/v1";
  std::string uri;
};

// Sends a Progress to the sender of a request.
coracle::Task<> report_progress(Agent& me, const MessageView& request, std::string text);
// Sends a piece of the result to the sender of a request; the reply is the last one.
coracle::Task<> send_piece(Agent& me, const MessageView& request, Content piece);
// Puts a Question to the sender of a request, and waits for the answer; nothing if the task was
// canceled or has ended otherwise, or at the deadline. Fails with Errc::stopped and Errc::fenced.
coracle::Task<std::optional<coracle::Message>> put_question(Agent& me, const MessageView& request,
                                                            Question question,
                                                            Deadline deadline = Deadline::never());

}  // namespace coracle::a2a
