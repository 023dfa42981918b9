// A way of being a society: a bundle of Transport, Directory and Queue, each of which can be
// replaced alone. An agent's code never knows which one it runs on.
#pragma once

#include "coracle/custody.hpp"
#include "coracle/directory.hpp"
#include "coracle/driver.hpp"
#include "coracle/matching.hpp"
#include "coracle/observer.hpp"
#include "coracle/queue.hpp"
#include "coracle/transport.hpp"

#include <memory>
#include <optional>
#include <string>

namespace coracle {

// What a Node is opened on. Made by a realization's factory (`local::realization()`), or by
// `open("local:")` in <coracle/realizations/open.hpp>; then any part may be replaced.
struct Realization {
  // What it was opened as, for people: "local:".
  std::string name;
  // Moves messages.
  std::shared_ptr<Transport> transport;
  // Knows names.
  std::shared_ptr<Directory> directory;
  // Makes mailboxes.
  QueueFactory queue;
  // Tells the time; nullptr is the machine's steady clock.
  std::shared_ptr<Clock> clock;
  // Runs the workers of the node; nullptr gives each of them a thread.
  std::shared_ptr<Driver> driver;
  // Is told what happens; nullptr when nobody wants to know.
  std::shared_ptr<Observer> observer;
  // Keeps what other nodes hand over; nullptr: this node is no custodian.
  std::shared_ptr<Custody> custody;
  // What the node's agents send goes to the society's custodian, who keeps it, and from there to
  // its target. Needs a custodian that promises Stage::stored.
  bool entrusts = false;
  // How eavesdroppers' patterns are matched, unless NodeOptions::matching says linear.
  Matching matching = Matching::set;
  // The largest content of one message, whatever NodeOptions::content_limit says.
  std::optional<std::size_t> content_limit;
  // How long the node waits for an answer when it begins, whatever NodeOptions::connect_time says.
  std::optional<Duration> connect_time;
  // For how long the node's workers look for work before they sleep, whatever NodeOptions::spin and
  // the number of processors say.
  std::optional<Duration> spin;
};

}  // namespace coracle
