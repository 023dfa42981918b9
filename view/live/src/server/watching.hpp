// The tasks of the viewer's agent: it overhears messages, follows the directory, and asks the
// society's service, while a browser looks.
#pragma once

#include "server/feed.hpp"
#include "server/looks.hpp"

#include "coracle/agent.hpp"

#include <functional>

namespace coracle::view {

class Watching {
 public:
  // Both outlive the agent's tasks. `changed` is called when the rights have changed.
  Watching(Feed& feed, const ViewerOptions& options, std::function<void()> changed)
      : feed_(feed), options_(options), changed_(std::move(changed)), looks_(feed, changed_) {}

  // The viewer has no agent in the society, for that reason.
  void have_no_agent(const std::string& why) { feed_.rights.overhear = why, has_agent_ = false; }

  // Begins, unless it goes on already; ends soon after the last browser has left.
  void begin(Agent& me);

  // Makes what the view keeps of an overheard message.
  static Seen seen_of(const Message& message, Time at, std::size_t content_limit);

 private:
  Task<> keep_on(Task<> (Watching::*what)(Agent&), bool& is_running, Agent& me);
  Task<> overhear(Agent& me);
  Task<> follow(Agent& me);
  Task<> survey(Agent& me);
  Task<> look(Agent& me) { return looks_.go_round(me); }
  Task<> find_all(Agent& me);
  void take(const Message& message, Time at);
  void measure(Time now);
  void arrive(const Entry& entry, Time at);

  Feed& feed_;
  const ViewerOptions& options_;
  const std::function<void()> changed_;
  Looks looks_;
  bool is_overhearing_ = false, is_following_ = false, is_surveying_ = false, is_looking_ = false;
  bool has_agent_ = true;
  std::uint64_t seen_before_ = 0, missed_before_ = 0;
  Time measured_{};
};

}  // namespace coracle::view
