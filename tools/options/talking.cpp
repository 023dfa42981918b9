// The commands that take part as an agent.
#include "command_line.hpp"

namespace coracle::command {

void add_talking(CLI::App& app, Act& act) {
  const auto [send, sending] = add_command(app, act, "send", "Sends one message", run_send);
  add_realization(send, sending.place);
  send.add_option("--as", sending.as, "The name of the sender")->required();
  send.add_option("--to", sending.to, "The name of the receiver")->required();
  send.add_option("--within", sending.within,
                  "Seconds that a present agent has to receive the message")
      ->check(CLI::Range(0.0, 1e6));
  CLI::Option& text = *send.add_option("text", sending.text, "The text of the message");
  CLI::Option& type = *send.add_option("--type", sending.type,
                                       "The content type of a typed value, instead of a text");
  CLI::Option& json = *send.add_option("--json", sending.json,
                                       "The value, as JSON; the fields of a struct are an array");
  text.excludes(&type)->excludes(&json);
  type.needs(&json);
  json.needs(&type);
  send.parse_complete_callback([&settings = sending] {
    if (settings.text.empty() && settings.json.empty())
      throw CLI::ValidationError("there is nothing to send; give a text, or --type and --json");
  });

  const auto [listen, listening] =
      add_command(app, act, "listen", "Prints the messages that an agent receives", run_listen);
  add_place(listen, listening.place);
  listen.add_option("--as", listening.as, "The name of the agent")->required();
  listen.add_option("--count", listening.count, "Ends after this many messages; default: never");
}

}  // namespace coracle::command
