// coracle: looks at societies and takes part in them, from a shell.
#include "command_line.hpp"
#include "coracle/support/quote.hpp"

#include "realizations/net/src/shown_setting.hpp"

#include "coracle/errors.hpp"
#include "coracle/version.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace coracle::command {

namespace {

// Reads the command line, and does what it asks for.
int obey(CLI::App& app, int argc, char** argv, const Act& act) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    // The error text would quote all arguments, and one of them may be a key.
    std::string names;
    for (const std::string& word : app.remaining(true)) {
      if (word.starts_with('-')) names += " " + net::shown_setting(word.substr(0, word.find('=')));
    }
    fmt::print(stderr, "coracle: unexpected arguments:{}; see coracle --help\n",
               names.empty() ? " too many words" : names);
    return wrong_usage;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : wrong_usage;
  }
  try {
    return act();
  } catch (const std::exception& error) {
    fmt::print(stderr, "coracle: {}\n", detail::shown(error.what()));
    return failed;
  }
}

int run(int argc, char** argv) {
  CLI::App app(
      "Looks at societies of agents and takes part in them.\n\n"
      "  coracle central --listen 127.0.0.1:4410 --data ./society\n"
      "  coracle send   --realization central://127.0.0.1:4410 --as ann --to bob hello\n"
      "  coracle listen --realization central://127.0.0.1:4410 --as bob --count 1");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string(version));
  Act act;
  for (const auto add : {add_serving, add_gateways, add_looks, add_operating, add_following,
                         add_showing, add_talking})
    add(app, act);
  return obey(app, argc, argv, act);
}

}  // namespace

}  // namespace coracle::command

int main(int argc, char** argv) { return coracle::command::run(argc, argv); }
