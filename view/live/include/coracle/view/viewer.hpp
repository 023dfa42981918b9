// A live view of a society, or of a recording, in a web browser. `coracle view` is a program around
// it; any program can embed it. Without a browser that looks, it overhears nothing.
// Tests: view/live/tests/viewer_test.cpp, view/live/tests/view_test.py
#pragma once

#include "coracle/formats/story.hpp"
#include "coracle/http/server.hpp"
#include "coracle/node.hpp"
#include "coracle/task.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::view {

// A node of the society, as its service knows it.
struct NodeRow {
  LeaseId lease = 0;
  std::string node = {}, host = {}, certified = {};
  double age = 0;             // seconds since it has its lease
  std::uint64_t names = 0;    // that it has registered
  std::uint64_t waiting = 0;  // bytes that it has not taken yet

  bool operator==(const NodeRow&) const = default;
};

// The state of a society's service.
struct Survey {
  std::vector<NodeRow> nodes;
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // with their members
  std::vector<Entry> agents;  // only shown by a viewer that has no agent in the society
};

// The ways in which the page shows a panel.
enum class PanelView : std::uint8_t { table, series, graph, text, script };

// A change of one message of a recording, for a replay.
struct ReplayChange {
  enum class How : std::uint8_t { drop, delay, text } how = How::drop;
  std::uint64_t message = 0;  // its number in the story
  Duration longer = {};       // of a delay
  std::string text = {};      // the new content
};

// The messages of a replay.
struct ReplayedRun {
  std::shared_ptr<const formats::Story> story;  // with the texts that it refers to
  std::string note = {};  // a sentence about its end, if that was no ordinary one
};

// The options of a viewer.
struct ViewerOptions {
  // Where it listens, and TLS. `sites` is set by the viewer. Beyond this host, it needs TLS with
  // `login` or with authorities of clients' certificates, or `insecure`.
  http::ServerOptions server = {};
  // The secret with which people log in beyond this host, such as the society's key; empty: there
  // is no login, only the address with its token.
  std::string login = {};
  // The names under which browsers reach the server, beside those of this host.
  std::vector<std::string> hosts = {};
  // The name of its agent; empty: coracle/view-N, with a number that is free.
  std::string name = {};
  // The realization and the society, to be shown.
  std::string realization = {}, society = {};
  // Asks the service of the society, on a thread of its own; nothing: there is none. It may fail.
  std::function<Survey()> survey = {};
  // For a story: runs it again with that change, on a thread of its own; nothing: it cannot be
  // replayed, for the reason `no_replay`.
  std::function<ReplayedRun(const ReplayChange& change)> replay = {};
  std::string no_replay = {};
  // The messages and the bytes of messages that are kept at most.
  std::size_t messages = 100'000;
  std::size_t bytes = std::size_t{96} << 20;
  // The patterns of sources that it overhears; the default is everything.
  Pattern overhears = {};
  // The copies that may wait for it, and the copies that each worker of a node makes for it in a
  // second; those beyond are counted.
  std::uint32_t copies = 8192;
  std::uint32_t rate = 20'000;
};

class ViewerState;

// A viewer. It serves the page from its construction to its end.
class Viewer {
 public:
  // A viewer that has no society yet: the page says `why`, until begin() is called.
  Viewer(http::Loop& loop, ViewerOptions options, std::string why);
  // A viewer of the society of `node`, which outlives it. Fails as http::Server does, and as
  // Agent::create() does for its agent.
  Viewer(http::Loop& loop, Node& node, ViewerOptions options);
  // A viewer of a story, which outlives it with the texts that it refers to. `node` is any node; it
  // gives the viewer its time.
  Viewer(http::Loop& loop, Node& node, const formats::Story& story, ViewerOptions options);
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  // Begins to look at the society of `node`, which outlives the viewer. Is called once, after the
  // first constructor. With `no_agent`, `node` is another one, because the viewer may have no agent
  // in the society for that reason; then only the survey shows the society.
  void begin(Node& node, std::string no_agent = {});
  // Sets another reason why there is no society yet.
  void wait_for(std::string why);

  // An address for one browser, with a new token that can be used once; at most 16 are valid at a
  // time.
  std::string address();
  // The address without it.
  std::string url() const;
  // The secret with which programs get /metrics, by the header "Authorization: Bearer SECRET".
  std::string bearer();
  // The number of browsers that look.
  std::size_t browsers() const noexcept;

  // Adds a panel to the page: `data` gives a value of JSON, about once a second while a browser
  // looks, on the worker of the viewer's agent. Its form is, for a table, an array of objects or
  // {columns, rows: [[value]]}; for a series, {at: [seconds], unit, lines: [[label, [values]]]};
  // for a graph, {links: [[from, to, weight]]}; for a text, a string. Call it before the first
  // browser comes. Fails with Errc::bad_options for a second panel of that name, and beyond 50.
  void add_panel(std::string name, PanelView view, std::function<std::string()> data);
  // Adds a panel with a script of its own, which runs in a sandboxed frame without an origin. The
  // frame gets each value by the event `message`, whose data is {is: "panel", data}.
  void add_script_panel(std::string name, std::string script, std::function<std::string()> data);

 private:
  std::unique_ptr<ViewerState> state_;
};

}  // namespace coracle::view
