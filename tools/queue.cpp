// coracle queue: the messages that wait for an agent.
#include "commands.hpp"
#include "errand.hpp"
#include "inspected.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <string>

namespace coracle::command {

namespace {

namespace json = boost::json;

const char* kind_of(const WaitingMessage& message) {
  return message.kind == MessageKind::plain ? "message" : to_string(message.kind);
}

void print_waiting(const Place& place, const WaitingMessage& message) {
  if (place.json) {
    return print_json(json::serialize(json::object{{"from", message.source},
                                                   {"kind", kind_of(message)},
                                                   {"conversation", message.conversation},
                                                   {"redelivered", message.is_again},
                                                   {"bytes", message.size},
                                                   {"text", message.text}}));
  }
  const std::string more = message.size > message.text.size() ? "..." : "";
  print_line(fmt::format("{}{} from {}, {} bytes: {}{}", kind_of(message),
                         message.is_again ? " (again)" : "", message.source, message.size,
                         message.text, more));
}

}  // namespace

// The node itself looks: no agent is needed, and so no name.
int run_queue(const QueueSettings& settings) {
  Node node(open_to_inspect(settings.place));
  const Inspection found = inspect_permitted(node, Name(settings.name));
  for (const WaitingMessage& message : found.messages) print_waiting(settings.place, message);
  if (!settings.place.json) print_line(fmt::format("{} wait for {}", found.waiting, settings.name));
  return done;
}

}  // namespace coracle::command
