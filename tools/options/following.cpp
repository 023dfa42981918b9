// The commands that overhear messages and print them.
#include "command_line.hpp"

namespace coracle::command {

namespace {

void add_watch(CLI::App& app, Act& act) {
  const auto [watch, settings] = add_command(
      app, act, "watch",
      "Prints the messages between other agents as they are sent, from now on. A line also says\n"
      "how many messages are missing at its place",
      run_watch);
  MessageChoice& choice = settings.choice;
  add_place(watch, settings.place);
  watch.add_option("patterns", choice.names,
                   "Only from or to names of these patterns, as in 'lab/**'; default: all");
  watch.add_option("--type", choice.types, "Only content types of this pattern; may be repeated");
  watch.add_option("--conversation", choice.conversation, "Only that conversation");
  watch.add_option("--text", choice.text, "Only texts in which this expression is found");
  watch.add_option("--rate", choice.rate,
                   "About so many messages in a second at most, of each worker of each node");
  watch.add_flag("--outcomes", settings.outcomes,
                 "Numbers the messages, and prints what becomes of each");
  watch.add_option("--count", settings.count,
                   "Ends after this many messages, with --outcomes when each of them has one; "
                   "default: never");
  watch.add_option("--as", settings.as, "The name of the eavesdropper");
}

}  // namespace

void add_following(CLI::App& app, Act& act) {
  const auto [trace, tracing] = add_command(
      app, act, "trace",
      "Prints one conversation as a time-line, or all of them without a number.\n"
      "It overhears messages from now on; or it reads a file that record=FILE made, with\n"
      "the outcome of each message. --json shows the numbers of conversations.",
      run_trace);
  add_place(trace, tracing.place);
  trace.add_option("conversation", tracing.conversation, "The number of the conversation");
  trace.add_option("--as", tracing.as, "The name of the eavesdropper");
  trace.add_option("--recording", tracing.recording, "Reads that recording instead");
  trace.add_option("--count", tracing.count, "Ends after this many messages; default: never");

  add_watch(app, act);

  // The same as watch, with other choices.
  const auto [tap, tapping] =
      add_command(app, act, "tap", "Overhears other agents and prints their messages", run_watch);
  add_place(tap, tapping.place);
  tap.add_option("--as", tapping.as, "The name of the eavesdropper")->required();
  tap.add_option("--source", tapping.choice.source, "Only from names that this expression matches");
  tap.add_option("--target", tapping.choice.target, "Only to names that this expression matches");
  tap.add_option("--text", tapping.choice.text, "Only texts in which this expression is found");
  tap.add_option("--count", tapping.count, "Ends after this many messages; default: never");
}

}  // namespace coracle::command
