#include "support/side.hpp"
#include "support/sim_bench.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(sim_network)

BOOST_AUTO_TEST_CASE(it_keeps_the_contract) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      prove_all([&] {
        SimNetworkOptions options;
        SeededRandom random(seed);
        options.link.delay_least = between(random, Duration(0), 1ms);
        options.link.delay_most = options.link.delay_least + between(random, Duration(0), 5ms);
        options.link.jitter = between(random, Duration(0), 5ms);
        options.window = between(random, 8000, 100'000);
        return std::make_unique<SimBench>(seed, options);
      });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
