// What a lie is made of: names, lives, leases and numbers, true and otherwise, by a seed.
#pragma once

#include "knowledge.hpp"
#include "realizations/net/src/sim/seeded_random.hpp"

#include <array>
#include <string>
#include <vector>

namespace coracle::test::lying {

// Randomness that begins anew for each thing that is done, so that one thing may be left out and
// the others stay much as they were.
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

// Kinds of lies that can be left out, to see what others do.
enum class Known : std::uint8_t {
  custodian,   // it keeps what others hand over
  hearer,      // an ear of somebody else, or of another life
  gap,         // a gap marker
  generation,  // leases of a later generation were seen
  ear,         // an ear's number is somebody else's
  silence,     // it does not answer, or not confirm
};

// How likely a member does what. Drawn for each seed, so that it dwells on a few kinds of lies.
struct Temper {
  std::array<unsigned, 32> kinds{};     // of core frames, by their number
  std::array<unsigned, 20> requests{};  // to the directory
  // Of what it does next.
  unsigned says = 60, repeats = 15, asks = 15, heads = 3, manners = 4, is_honest = 15;
  // Percent.
  unsigned answers = 100;   // of what it is asked, at all
  unsigned lies_back = 0;   // of its answers
  unsigned reads = 100;     // of what comes, so that its sender has room again
  unsigned is_seen = 100;   // of the changes of groups that it has to confirm
  unsigned ill_formed = 0;  // of what it says: not even its form is right
  bool is_left_out(Known kind) const { return (spares & 1u << static_cast<unsigned>(kind)) != 0; }

  unsigned spares = 0;  // a bit for each Known kind of lie that it does not tell
  unsigned acts = 200;  // in all
  Duration pause = std::chrono::milliseconds(5);  // between two, on average
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
  // The place of one of `weights`, in proportion to them.
  template <std::size_t count>
  std::size_t weighted(const std::array<unsigned, count>& weights) {
    std::uint64_t sum = 0;
    for (const unsigned weight : weights) sum += weight;
    std::uint64_t left = below(sum);
    std::size_t place = 0;
    while (left >= weights[place]) left -= weights[place++];
    return place;
  }

  std::string own_name();     // that it holds, or might
  std::string others_name();  // that somebody else holds
  std::string name();         // any
  std::string group();
  LeaseId other();  // that is alive, and not its own; 0 if there is none
  LeaseId lease();  // any
  Incarnation life_of(const std::string& name);
  std::uint64_t number_near(std::uint64_t truth);
  std::uint64_t seen(const std::vector<std::uint64_t>& list);  // or something else
  std::uint64_t count();
  std::string text();

 private:
  Random& random_;
  const Knowledge& known_;
  std::uint64_t last_ = 0;
};

}  // namespace coracle::test::lying
