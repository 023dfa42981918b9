#include "view/options.hpp"

namespace coracle::command {

#if defined(CORACLE_HAS_VIEW) && defined(CORACLE_HAS_HTTP)

void add_view(CLI::App& app, ViewSettings& settings, std::function<int()>& act) {
  CLI::App& view = *app.add_subcommand(
      "view",
      "Shows a society in a web browser, as it runs, or a recording, which record=FILE made.\n"
      "It prints the address of the page, which is valid for one browser. On SIGUSR1, it prints\n"
      "another one. It overhears messages while a browser looks");
  CLI::Option* const recording =
      view.add_option("--recording", settings.recording, "The file of a recording");
  view.add_option("--realization", settings.place.realization,
                  "The realization, as in central://127.0.0.1:4410; by default that of "
                  "CORACLE_REALIZATION")
      ->excludes(recording);
  view.add_option("--listen", settings.listen, "Host and port of the page; port 0 is any free one");
  view.add_flag("--open", settings.open, "Opens the page in a browser");
  view.add_option("--as", settings.as,
                  "The name of its agent in the society; by default coracle/view-1, or the next "
                  "number that is free");
  view.add_option("--messages", settings.messages, "The messages that it keeps at most")
      ->check(CLI::Range(std::size_t{1000}, std::size_t{1'000'000}));
  view.add_flag("--metrics", settings.metrics, "Prints how Prometheus gets /metrics");
  view.add_option("--host", settings.hosts, "A name under which browsers of other hosts reach it");
  CLI::Option* const certificate = view.add_option("--certificate", settings.certificate,
                                                   "The file of its certificate, for https");
  view.add_option("--key", settings.key, "The file of the certificate's key")->needs(certificate);
  view.add_option("--clients", settings.clients,
                  "The file of the authorities whose certificates let browsers in")
      ->needs(certificate);
  view.add_option("--login", settings.login,
                  "The key with which people log in, such as the society's, or a file with it")
      ->envname("CORACLE_VIEW_LOGIN");
  view.add_flag("--insecure", settings.insecure,
                "Lets browsers of other hosts in without TLS or login; others can read and change "
                "what is sent");
  view.callback([&] { act = [&] { return run_view(settings); }; });
}

#else

void add_view(CLI::App&, ViewSettings&, std::function<int()>&) {}

#endif

}  // namespace coracle::command
