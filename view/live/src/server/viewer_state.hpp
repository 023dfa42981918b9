// The parts of a viewer: the server on the thread of its loop, and the feed on the worker of
// the viewer's agent.
#pragma once

#include "server/door.hpp"
#include "server/feed.hpp"
#include "server/metrics.hpp"
#include "server/player.hpp"
#include "server/requests.hpp"
#include "server/watching.hpp"

#include "coracle/http/agent.hpp"
#include "coracle/http/server.hpp"
#include "coracle/port.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace coracle::view {

class ViewerState {
 public:
  ViewerState(http::Loop& loop, ViewerOptions options, std::string why);
  ~ViewerState();

  void begin(Node& node, std::string no_agent, const formats::Story* story);
  void wait_for(std::string why);
  void add_panel(Panel panel);

  Door& door() noexcept { return *door_; }
  const http::Url& url() const noexcept { return server_->url(); }
  std::size_t browsers() const noexcept { return browsers_; }

 private:
  static constexpr std::size_t most_browsers = 32;

  http::Routes routes();
  void add_pages(http::Routes& routes);
  void add_panels(http::Routes& routes);
  // Handles a connection to the feed: here, while there is no society yet, or by the agent.
  void connect(http::Request request, const http::Responder& responder);
  Task<> serve(Agent& me, http::Request request, http::Responder responder);
  Task<> play(Agent& me);
  Task<http::Response> metrics();
  json::object hello(Time now) const;
  void say_hello();
  static http::WebSocket accept(const http::Responder& responder);
  http::WebSocket socket_of(const http::Request& request, const http::Responder& responder);
  Rights rights_without_society() const;

  ViewerOptions options_;
  Feed feed_;
  Watching watching_;
  std::unique_ptr<Door> door_;
  std::unique_ptr<Player> player_;
  std::unique_ptr<Replays> replays_;
  std::unique_ptr<Requests> requests_;
  std::int64_t epoch_ = 0;  // in milliseconds since 1970
  std::string me_;
  bool is_playing_ = false;
  std::atomic<std::size_t> browsers_ = 0;
  std::atomic<bool> has_begun_ = false;

  mutable std::mutex mutex_;  // guards the members below, while there is no society
  std::string why_;           // there is none
  // The browsers that came before the society, by their addresses; then the agent takes them over.
  std::map<std::string, http::WebSocket> waiting_;
  http::Handler to_agent_, to_metrics_;

  std::unique_ptr<Port> port_;
  std::unique_ptr<http::Server> server_;
};

}  // namespace coracle::view
