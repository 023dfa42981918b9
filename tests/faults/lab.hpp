// The meeting point of the nodes of one test, each in a process of its own: a server, which may end
// and start again. It also has the requirements that hold with every kind of server.
#pragma once

#include "coracle/coracle.hpp"
#include "processes.hpp"
#include "support/societies/doer.hpp"
#include "support/temporary_folder.hpp"
#include "support/watchdog.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace coracle::test {

class Lab {
 public:
  virtual ~Lab() = default;
  // One more node.
  virtual Realization node() const = 0;
  // Starts to serve. Call this after the test's processes have started: they are forked, and no
  // other thread may exist then.
  void serve();
  // Ends the test if it takes too long. Call this after the test's processes have started, too.
  void watch(std::chrono::seconds limit = std::chrono::seconds(90));
  virtual void stop_serving() = 0;
  // Returns whether agents can exchange messages while there is no server.
  virtual bool runs_without() const = 0;

  // In a process of its own: makes an agent there, and waits for its end.
  std::function<void()> with(std::string name, Doer::What what) const;

 protected:
  virtual void begin() = 0;
  std::string place() const { return "unix://" + (folder_ / "server"); }

  TemporaryFolder folder_;

 private:
  std::optional<Watchdog> watchdog_;
};

// Reads texts up to `last` and sends each to `to`, with "!" before a redelivered text.
Doer::What passing_on(Name to, std::string last);

// The requirements on each lab.
void agents_talk_and_count_every_message(Lab& lab);
void what_a_killed_process_had_not_read_goes_to_the_next_holder(Lab& lab);
void a_server_that_begins_again_costs_no_message(Lab& lab);
void a_large_content_arrives_whole_among_small_ones(Lab& lab);
void a_node_makes_a_thousand_agents(Lab& lab);
// A tuple space with a keeper is killed, again and again (kept_tuples.cpp).
void what_a_killed_space_had_confirmed_is_there_again(Lab& lab);
// A slave in another process is lost while it has a task (lost_slaves.cpp).
void a_lost_slaves_tasks_are_done_elsewhere(Lab& lab, void (Process::*loss)(), Duration within);
void is_refused_for_its_key(Realization node);

}  // namespace coracle::test
