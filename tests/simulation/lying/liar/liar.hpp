// A member of a society that lies: it greets honestly, and then sends anything in the right format,
// and at times not even that. A seed draws all that it sends.
#pragma once

#include "linked_hosts.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::test::lying {

class Liar {
 public:
  struct Place {
    unsigned host = 0;       // a host of its own
    unsigned directory = 0;  // the host of the society's service
    Linked kind = Linked::central;
  };
  struct Settings {
    std::string own_prefix = "evil/";
    std::vector<std::string> absent = {};  // names that others are to hold later
    bool is_harmless = false;              // it does not lie
    unsigned spares = 0;                   // see Temper
    // Receives the content of messages to the liar; may be empty.
    std::function<void(std::string_view content)> heard = {};
    // Returns whether the liar leaves out its own action of that number; may be empty.
    std::function<bool(unsigned number)> leaves_out = {};
    // Receives a line for each action; may be empty.
    std::function<void(const std::string& line)> note = {};
  };

  // Starts at once. `world` outlives it.
  Liar(sim::World& world, const Place& place, std::uint64_t seed, Settings settings);
  ~Liar();

  // The number of its actions so far; and whether it has finished.
  unsigned done() const;
  bool is_over() const;
  // Performs no more actions; sends a farewell to all if `politely`.
  void stop(bool politely);

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace coracle::test::lying
