// The feed of one viewer: what it knows, and the browsers that get it. One thread at a time uses
// it: the worker of the viewer's agent.
#pragma once

#include "decisions/decisions.hpp"
#include "model/choice.hpp"
#include "model/messages.hpp"
#include "model/people.hpp"
#include "model/series.hpp"
#include "server/json.hpp"

#include "coracle/http/web_socket.hpp"

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <string>

namespace coracle::view {

// The rights of the page: each is empty, or the sentence that says why the page may not.
struct Rights {
  std::string overhear, inspect, send, operate;
  bool is_member = true;  // the viewer has an agent in the society
};

struct Browser {
  Browser(http::WebSocket way, const Messages& messages, std::string who)
      : socket(std::move(way)), peer(std::move(who)), cursor(messages) {}

  http::WebSocket socket;
  std::string peer;
  Choice choice;
  Cursor cursor;
  bool starts_anew = false;     // the next batch replaces everything
  std::uint64_t people = 0;     // the change of People up to which it has all
  std::uint64_t decisions = 0;  // the serial of the next record
  std::size_t metrics = 0;      // metrics that it knows
};

// A panel of the program's own.
struct Panel {
  std::string name, id, script;
  PanelView view = PanelView::text;
  std::function<std::string()> data;
};

class Feed {
 public:
  explicit Feed(const ViewerOptions& options)
      : messages({.messages = options.messages, .bytes = options.bytes}) {}

  Messages messages;
  People people;
  Series series;
  Decisions decisions;
  Times times;
  Rights rights;
  std::vector<Panel> panels;
  std::list<Browser*> browsers;
  std::uint64_t missed = 0;  // copies, as far as their number is known

  // A message has come.
  void see(Seen message);
  // Sends what is new to each browser that takes it: messages, up to 20 times a second.
  void send_batches(Time now);
  // Sends what has changed of the society, the values of metrics and of panels, about once a
  // second.
  void send_society();
  void send_series();
  void send_panels();
  // Records an act of a browser, and shows it to all.
  void record_act(const Browser& who, Time at, std::string_view what, std::string_view to);
  // The messages that this view holds have changed.
  void show_held(json::array holds);
  // Sends everything that a new browser needs behind its hello.
  void greet(Browser& browser);
  // All browsers begin anew, from the last messages on.
  void begin_anew();
  void send_to_all(const json::object& frame);

  std::uint64_t seen() const noexcept { return seen_; }

 private:
  static constexpr std::size_t most_unsent = 8, most_acts = 200;
  // Whether the browser takes its messages; else it gets them later, folded.
  static bool keeps_up(const Browser& browser) { return browser.socket.unsent() <= most_unsent; }
  static void send(const Browser& browser, const json::object& frame) {
    browser.socket.send_text(json::serialize(frame));
  }
  void send_society(Browser& browser);
  void send_decisions(Browser& browser);

  std::uint64_t seen_ = 0;
  std::deque<json::object> acts_;
  json::array held_;
};

}  // namespace coracle::view
