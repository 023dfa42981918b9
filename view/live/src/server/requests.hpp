// The requests of pages: each has a number, and gets one reply.
#pragma once

#include "server/feed.hpp"
#include "server/holding.hpp"
#include "server/inspections.hpp"
#include "server/player.hpp"
#include "server/replays.hpp"

#include "coracle/agent.hpp"

#include <functional>
#include <string_view>
#include <utility>

namespace coracle::view {

class Requests {
 public:
  // All outlive this object; `player` is nullptr for a living society. `changed` is called when the
  // rights have changed.
  Requests(Feed& feed, Player* player, Replays& replays, std::function<void()> changed)
      : feed_(feed),
        player_(player),
        replays_(replays),
        inspections_(feed.times),
        holding_(feed),
        changed_(std::move(changed)) {}

  // Does what a frame of the page asks for, and sends the reply. A frame that is no request closes
  // the connection.
  Task<> obey(Agent& me, Browser& browser, std::string_view frame);

 private:
  Task<json::value> done(Agent& me, Browser& browser, std::string_view what,
                         const json::object& request);
  Task<json::value> send(Agent& me, Browser& browser, const json::object& request);
  Task<json::value> act(Agent& me, Browser& browser, std::string_view what,
                        const json::object& request);
  Task<json::value> operate_on(Agent& me, std::string_view what, const json::object& request);
  json::value select(Browser& browser, const json::object& request);
  json::value history(const json::object& request) const;
  json::value message(const json::object& request) const;
  json::value play(std::string_view what, const json::object& request);

  Feed& feed_;
  Player* const player_;
  Replays& replays_;
  Inspections inspections_;
  Holding holding_;
  const std::function<void()> changed_;
};

}  // namespace coracle::view
