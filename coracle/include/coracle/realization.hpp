// A realization connects a society: it is a bundle of parts, such as Transport, Directory and
// Queue, and each part can be replaced alone. An agent's code does not depend on the realization.
#pragma once

#include "coracle/directory.hpp"
#include "coracle/driver.hpp"
#include "coracle/matching.hpp"
#include "coracle/observer.hpp"
#include "coracle/queue.hpp"
#include "coracle/reactor.hpp"
#include "coracle/store_backend.hpp"
#include "coracle/transport.hpp"

#include <memory>
#include <optional>
#include <string>

namespace coracle {

// The parts on which a Node is opened. A realization's factory (`local::realization()`), or
// `open("local:")` in <coracle/realizations/open.hpp>, makes them; then any part may be replaced.
struct Realization {
  // The text with which it was opened, for people: "local:".
  std::string name;
  // Carries messages.
  std::shared_ptr<Transport> transport;
  // Where the node's first worker waits for whatever the transport and the directory wait for;
  // nullptr when there is nothing to wait for.
  std::shared_ptr<Reactor> reactor;
  // Registers names.
  std::shared_ptr<Directory> directory;
  // Makes mailboxes.
  QueueFactory queue;
  // The source of time; nullptr is the machine's steady clock.
  std::shared_ptr<Clock> clock;
  // Runs the workers of the node; nullptr gives each of them a thread.
  std::shared_ptr<Driver> driver;
  // Is notified of events; nullptr: there is no observer.
  std::shared_ptr<Observer> observer;
  // The backend that keeps other nodes' messages; nullptr: this node is not the message store.
  std::shared_ptr<StoreBackend> backend;
  // True sends the messages of the node's agents to the society's message store, which keeps them
  // and passes them on to their targets. This needs a message store that promises Stage::stored.
  bool stores = false;
  // The way in which eavesdroppers' patterns are matched; linear also when NodeOptions::matching is
  // linear.
  Matching matching = Matching::set;
  // The largest content of one message; overrides NodeOptions::content_limit.
  std::optional<std::size_t> content_limit;
  // The time that the node waits for an answer when it begins; overrides NodeOptions::connect_time.
  std::optional<Duration> connect_time;
  // The time that the node's workers look for work before they sleep; overrides NodeOptions::spin
  // and the number of processors.
  std::optional<Duration> spin;
};

}  // namespace coracle
