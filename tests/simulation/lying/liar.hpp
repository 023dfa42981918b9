// A member of a society that lies: it greets honestly, and then says anything that has the right
// form, and at times not even that. A seed makes all that it says.
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
    unsigned host = 0;       // its own, on which nothing else is
    unsigned directory = 0;  // that of the society's service
    Linked kind = Linked::central;
  };
  struct Settings {
    std::string own_prefix = "evil/";
    std::vector<std::string> absent = {};  // names that others are to hold later
    bool is_harmless = false;              // it does not lie
    unsigned spares = 0;                   // see Temper
    // Gets the content of what others say to it; may be empty.
    std::function<void(std::string_view content)> heard = {};
    // Whether it leaves out what it would do by itself as its thing of that number; may be empty.
    std::function<bool(unsigned number)> leaves_out = {};
    // Gets a line for each thing that it does; may be empty.
    std::function<void(const std::string& line)> note = {};
  };

  // Begins at once. `world` outlives it.
  Liar(sim::World& world, const Place& place, std::uint64_t seed, Settings settings);
  ~Liar();

  // How many things it has done; whether it has done all that it wanted to.
  unsigned done() const;
  bool is_over() const;
  // Does nothing more; says farewell to all if `politely`.
  void stop(bool politely);

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace coracle::test::lying
