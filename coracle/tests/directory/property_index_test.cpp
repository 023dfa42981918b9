#include "directory/property_index.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>

namespace coracle::detail {

namespace {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : random_(seed) {}

  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
  // Returns a value of any kind; some values are equal in two kinds.
  Operand value() {
    const auto number = static_cast<std::int64_t>(below(3));
    switch (below(6)) {
      case 0:
        return number;
      case 1:
        return static_cast<double>(number);
      case 2:
        return static_cast<double>(number) + 0.5;
      case 3:
        return number == 0 ? 9223372036854775808.0 : -0.0;
      case 4:
        return number == 0;
      default:
        return std::to_string(number);
    }
  }
  std::string key() { return std::string(1, static_cast<char>('a' + below(3))); }
  Condition condition(unsigned depth = 3) {
    switch (depth == 0 ? 0 : below(6)) {
      case 0:
        return where(key()) == value();
      case 1:
        return condition(depth - 1) && condition(depth - 1);
      case 2:
        return condition(depth - 1) && (where(key()) == value());
      case 3:
        return condition(depth - 1) || condition(depth - 1);
      case 4:
        return !condition(depth - 1);
      default:
        return below(2) == 0 ? where(key()).exists() : Condition();
    }
  }

 private:
  std::mt19937 random_;
};

BOOST_AUTO_TEST_SUITE(property_index)

BOOST_AUTO_TEST_CASE(whatever_fits_is_among_the_candidates) {
  unsigned narrowed = 0, found = 0;
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    Dice dice(seed);
    PropertyIndex<std::uint32_t> index;
    std::map<std::uint32_t, Properties> all;
    for (unsigned step = 0; step < 300; ++step) {
      const std::uint32_t id = dice.below(40);
      if (const auto known = all.find(id); known != all.end()) {
        index.remove(id, known->second);
        all.erase(known);
        continue;
      }
      Properties properties;
      for (std::uint32_t count = dice.below(4); count > 0; --count) {
        properties.set(dice.key(), dice.value());
      }
      index.add(id, properties);
      all[id] = properties;
      const Condition condition = dice.condition();
      const auto* const candidates = index.candidates(condition);
      if (candidates == nullptr) continue;
      narrowed += candidates->size() < all.size() ? 1 : 0;
      for (const std::uint32_t each : *candidates) BOOST_TEST_REQUIRE(all.contains(each));
      for (const auto& [each, known] : all) {
        if (!condition.holds(known)) continue;
        ++found;
        BOOST_TEST_REQUIRE(candidates->contains(each), "seed " << seed << ", step " << step);
      }
    }
  }
  BOOST_TEST(narrowed > 1000U);
  BOOST_TEST(found > 1000U);
}

BOOST_AUTO_TEST_CASE(only_an_equality_that_must_hold_narrows) {
  PropertyIndex<int> index;
  index.add(1, Properties().set("kind", "sonar").set("range", 5));
  index.add(2, Properties().set("kind", "sonar").set("range", 7));
  index.add(3, Properties().set("kind", "laser"));
  const auto count = [&index](const Condition& condition) {
    const auto* const candidates = index.candidates(condition);
    return candidates == nullptr ? -1 : static_cast<int>(candidates->size());
  };
  const Condition sonar = where("kind") == "sonar", far = where("range") == 7.0;
  BOOST_TEST(count(sonar) == 2);
  BOOST_TEST(count(sonar && far) == 1);
  BOOST_TEST(count(sonar && where("range") > 5) == 2);
  BOOST_TEST(count(where("kind") == "radar") == 0);
  BOOST_TEST(count(sonar || far) == -1);
  BOOST_TEST(count(!sonar) == -1);
  BOOST_TEST(count(Condition()) == -1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::detail
