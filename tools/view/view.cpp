// coracle view
#include "commands.hpp"
#include "coracle/support/quote.hpp"
#include "service_view.hpp"
#include "view/replay_child.hpp"

#include "coracle/coracle.hpp"
#include "coracle/formats/story_of.hpp"
#include "coracle/realizations/open.hpp"
#include "coracle/recording/recording.hpp"
#include "coracle/view/viewer.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

extern char** environ;

namespace coracle::command {

namespace {

using namespace std::chrono_literals;

// The signals for which the command waits. They are blocked before any thread is made.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    for (const int each : {SIGINT, SIGTERM, SIGUSR1}) sigaddset(&set_, each);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  }
  // Waits until one comes; returns zero after a second.
  int wait_a_second() const {
    const timespec second{1, 0};
    const int signal = sigtimedwait(&set_, nullptr, &second);
    return signal > 0 ? signal : 0;
  }

 private:
  sigset_t set_{};
};

// A page that leads to the address. The address is not an argument of the browser's, which other
// users of this host could see.
class Opening {
 public:
  explicit Opening(const std::string& address) {
    std::string path = "/tmp/coracle-view-XXXXXX.html";
    const int file = mkstemps(path.data(), 5);
    if (file < 0) return;
    path_ = path;
    const std::string page =
        fmt::format("<!doctype html><meta http-equiv=\"refresh\" content=\"0;url={}\">\n", address);
    const bool is_written = ::write(file, page.data(), page.size()) == ::ssize_t(page.size());
    ::close(file);
    std::string program = "xdg-open";
    char* const arguments[] = {program.data(), path_.data(), nullptr};
    ::pid_t child = 0;
    if (is_written && ::posix_spawnp(&child, "xdg-open", nullptr, nullptr, arguments, environ) == 0)
      return;
    fmt::print(stderr, "coracle: no browser can be opened; open the address yourself\n");
  }
  Opening(const Opening&) = delete;
  ~Opening() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }

 private:
  std::string path_;
};

// The secret itself, or the first line of the file of that name.
std::string secret_of(const std::string& text) {
  std::ifstream file(text);
  std::string line;
  return !text.empty() && file && std::getline(file, line) ? line : text;
}

view::ViewerOptions options_of(const ViewSettings& settings) {
  view::ViewerOptions options;
  options.server.endpoint = settings.listen;
  options.server.insecure = settings.insecure;
  if (!settings.certificate.empty())
    options.server.tls = {settings.certificate, settings.key, settings.clients};
  options.login = secret_of(settings.login);
  options.hosts = settings.hosts;
  options.name = settings.as;
  options.messages = settings.messages;
  // The rest of the text may have a key.
  options.realization = settings.place.realization.substr(0, settings.place.realization.find(':'));
  return options;
}

view::Survey survey_of(const ServicePlace& place) {
  ServiceView seen = look_at(place, 5s, nullptr).value();
  view::Survey survey;
  for (const society::Census::Lease& each : seen.census.leases) {
    view::NodeRow& node = survey.nodes.emplace_back();
    node.lease = each.lease;
    node.node = each.node;
    node.host = each.node.substr(0, each.node.find('/'));
    node.certified = each.certified;
    node.age = static_cast<double>(each.age) / 1000;
    node.names = each.names;
    node.waiting = each.waiting;
  }
  for (auto& [group, members] : seen.groups)
    if (!members.empty()) survey.groups.emplace_back(group, std::move(members));
  for (auto& [name, entry] : seen.agents) survey.agents.push_back(std::move(entry));
  return survey;
}

void print_addresses(view::Viewer& viewer, const ViewSettings& settings) {
  const std::string address = viewer.address();
  fmt::print("the view is at {}\n", address);
  if (settings.metrics)
    fmt::print("metrics are at {}metrics with the header: Authorization: Bearer {}\n", viewer.url(),
               viewer.bearer());
  std::fflush(stdout);
}

// Waits until the command is to end.
void attend(const Signals& signals, view::Viewer& viewer) {
  for (;;) {
    const int signal = signals.wait_a_second();
    if (signal == SIGINT || signal == SIGTERM) return;
    if (signal != SIGUSR1) continue;
    fmt::print("the view is at {}\n", viewer.address());
    std::fflush(stdout);
  }
}

// A node in the society. While the society is not there, the page says so; nothing if the command
// is to end.
std::unique_ptr<Node> node_in_time(const Signals& signals, view::Viewer& viewer,
                                   const std::string& realization) {
  for (bool is_first = true;; is_first = false) {
    try {
      NodeOptions options;
      options.connect_time = 2s;
      return std::make_unique<Node>(open(realization), options);
    } catch (const Error& failure) {
      if (failure.errc() != Errc::unreachable) throw;
      const std::string why = "the society is not there yet, the view waits for it: ";
      viewer.wait_for(why + failure.what());
      if (is_first) fmt::print(stderr, "coracle: {}{}\n", why, detail::shown(failure.what()));
    }
    const int signal = signals.wait_a_second();
    if (signal == SIGINT || signal == SIGTERM) return nullptr;
    if (signal == SIGUSR1) fmt::print("the view is at {}\n", viewer.address()), std::fflush(stdout);
  }
}

int view_recording(const ViewSettings& settings, const Signals& signals) {
  const recording::Recording recording = recording::Recording::load(settings.recording);
  const formats::Story story = formats::story_of(recording);
  if (!recording.complete()) fmt::print(stderr, "coracle: {}\n", recording.cut_off());
  view::ViewerOptions options = options_of(settings);
  options.realization = recording.realization();
  options.no_replay = no_replay(recording, settings.program);
  if (options.no_replay.empty())
    options.replay = [&settings](const view::ReplayChange& change) {
      return run_again(settings.program, settings.recording, change);
    };
  http::Loop loop;
  loop.start();
  Node node(open("local:"));
  view::Viewer viewer(loop, node, story, std::move(options));
  print_addresses(viewer, settings);
  std::optional<Opening> opening;
  if (settings.open) opening.emplace(viewer.address());
  attend(signals, viewer);
  return recording.complete() ? done : cut_off;
}

}  // namespace

int run_view(const ViewSettings& settings) {
  const Signals signals;
  if (!settings.recording.empty()) return view_recording(settings, signals);
  const std::string& text = settings.place.realization;
  view::ViewerOptions options = options_of(settings);
  if (const std::optional<ServicePlace> place = service_of(text)) {
    options.society = place->society;
    options.survey = [text] { return survey_of(service_to_ask(text, 5s)); };
  }
  http::Loop loop;
  loop.start();
  std::unique_ptr<Node> node;
  view::Viewer viewer(loop, std::move(options), "the view connects to the society");
  print_addresses(viewer, settings);
  std::optional<Opening> opening;
  if (settings.open) opening.emplace(viewer.address());
  node = node_in_time(signals, viewer, text);
  if (!node) return done;
  std::string why;
  try {
    viewer.begin(*node);
  } catch (const Error& failure) {
    if (failure.errc() != Errc::not_permitted) throw;
    why = failure.what();
  }
  if (!why.empty()) {
    fmt::print(stderr, "coracle: {}\n", detail::shown(why));
    node = std::make_unique<Node>(open("local:"));
    viewer.begin(*node, why);
  }
  attend(signals, viewer);
  return done;
}

}  // namespace coracle::command
