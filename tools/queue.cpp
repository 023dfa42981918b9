// coracle queue: the messages that wait for an agent.
#include "commands.hpp"
#include "errand.hpp"

#include "coracle/detail/message_record.hpp"
#include "coracle/realizations/open.hpp"
#include "coracle/support/peek.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <string>

namespace coracle::command {

namespace {

namespace json = boost::json;

std::string kind_of(std::uint16_t flags) {
  if ((flags & detail::failure_flag) != 0) return "failure";
  if ((flags & detail::reply_flag) != 0) return "reply";
  return (flags & detail::request_flag) != 0 ? "request" : "message";
}

void print_waiting(const Place& place, const detail::WaitingMessage& message) {
  const bool is_again = (message.flags & detail::redelivered_flag) != 0;
  if (place.json) {
    return print_json(json::serialize(json::object{{"from", message.source},
                                                   {"kind", kind_of(message.flags)},
                                                   {"conversation", message.conversation},
                                                   {"redelivered", is_again},
                                                   {"bytes", message.size},
                                                   {"text", message.text}}));
  }
  const std::string more = message.size > message.text.size() ? "..." : "";
  print_line(fmt::format("{}{} from {}, {} bytes: {}{}", kind_of(message.flags),
                         is_again ? " (again)" : "", message.source, message.size, message.text,
                         more));
}

}  // namespace

// The node itself looks: no agent is needed, and so no name.
int run_queue(const QueueSettings& settings) {
  Node node(open(settings.place.realization));
  const detail::Peeked found = detail::peek(node, Name(settings.name));
  if (!found.is_allowed)
    throw Error(
        Errc::not_permitted,
        "the society's policy does not let this node look at what waits for '" + settings.name +
            "'; a node may look if it may register that name: ask its operator for a grant");
  for (const detail::WaitingMessage& message : found.messages)
    print_waiting(settings.place, message);
  if (!settings.place.json) print_line(fmt::format("{} wait for {}", found.count, settings.name));
  return done;
}

}  // namespace coracle::command
