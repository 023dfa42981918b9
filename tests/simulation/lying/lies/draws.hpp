// The values from which lies are built: names, incarnations, leases and numbers, true and false,
// drawn by a seed.
#pragma once

#include "knowledge.hpp"
#include "realizations/net/src/seeded_random.hpp"

#include <array>
#include <string>
#include <vector>

namespace coracle::test::lying {

// Randomness that starts anew for each action, so that one action can be left out while the others
// stay much as they were.
class Dice final : public Random {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed), state_(seed) {}

  void begin(std::uint64_t thing) { state_ = net::SeededRandom(seed_ * 1'000'003 + thing).next(); }
  std::uint64_t next() override {
    net::SeededRandom one(state_);
    state_ += 0x9e3779b97f4a7c15;
    return one.next();
  }

 private:
  const std::uint64_t seed_;
  std::uint64_t state_;
};

// Kinds of lies that can be left out, to see the effect of the others.
enum class Known : std::uint8_t {
  message_store,  // it stores messages of others
  eavesdropper,   // the tap of another agent, or of another incarnation
  gap,            // a gap marker
  generation,     // it announces leases of a later generation
  tap,            // it uses another agent's tap number
  silence,        // it does not reply, or not confirm
};

// The probability of each action of a liar. It is drawn for each seed, so that a liar concentrates
// on a few kinds of lies.
struct Temper {
  std::array<unsigned, 32> kinds{};     // of core frames, by their number
  std::array<unsigned, 23> requests{};  // to the directory
  // The weights of its next action.
  unsigned says = 60, repeats = 15, asks = 15, heads = 3, manners = 4, is_honest = 15;
  // Percent.
  unsigned answers = 100;   // of requests to it, at all
  unsigned lies_back = 0;   // of its replies
  unsigned reads = 100;     // of its messages, so that their senders have credit again
  unsigned is_seen = 100;   // of the changes of groups that it has to confirm
  unsigned ill_formed = 0;  // of its frames: even their format is wrong
  bool is_left_out(Known kind) const { return (spares & 1u << static_cast<unsigned>(kind)) != 0; }

  unsigned spares = 0;      // a bit for each Known kind of lie that it leaves out
  bool invents = false;     // it mentions many names that nobody has used
  bool complains = false;   // it sends many dead letters
  bool is_ahead = false;    // it reports generations of leases that no directory gives out
  bool disguises = false;   // it registers names with characters that nobody sees
  bool misreports = false;  // it reports what became of messages to others
  unsigned acts = 200;      // in total
  Duration pause = std::chrono::milliseconds(5);  // between two actions, on average
};
Temper a_temper(Random& random);

class Draws {
 public:
  Draws(Random& random, const Knowledge& known) : random_(random), known_(known) {}

  std::uint64_t below(std::uint64_t count) { return random_.next() % count; }
  bool chance(unsigned percent) { return net::chance(random_, percent); }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[below(all.size())];
  }
  // Draws the index of one of `weights`, in proportion to them.
  template <std::size_t count>
  std::size_t weighted(const std::array<unsigned, count>& weights) {
    std::uint64_t sum = 0;
    for (const unsigned weight : weights) sum += weight;
    std::uint64_t left = below(sum);
    std::size_t place = 0;
    while (left >= weights[place]) left -= weights[place++];
    return place;
  }

  std::string own_name();     // a name that it holds, or might hold
  std::string others_name();  // a name that another agent holds
  std::string name();         // any
  std::string unused_name();  // a name that nobody has used
  std::string group();
  LeaseId other();  // a live lease that is not its own; 0 if there is none
  LeaseId lease();  // any
  Incarnation life_of(const std::string& name);
  std::uint64_t number_near(std::uint64_t truth);
  std::uint64_t seen(const std::vector<std::uint64_t>& list);  // or another number
  std::uint64_t count();
  std::string text();

 private:
  Random& random_;
  const Knowledge& known_;
  std::uint64_t last_ = 0;
};

}  // namespace coracle::test::lying
