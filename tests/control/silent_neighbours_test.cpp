// Stages of a pipeline on hosts that fall silent, are taken for dead, and come back: no stage has
// ended, so nothing begins anew, and the stream goes on.
#include "linked/linked_hosts.hpp"
#include "stages.hpp"

#include <boost/test/unit_test.hpp>

#include <numeric>

namespace coracle::dispel::test {

namespace {

using coracle::test::LinkedHosts;
using coracle::test::up_to;
using namespace std::chrono_literals;

// A stream through three hosts. Each host makes the stage of its number.
class Stream : public LinkedHosts {
 public:
  explicit Stream(std::uint64_t seed) : LinkedHosts(3, seed) {
    Pipeline pipeline("p");
    pipeline.add<Numbers>("numbers", &out, count, 10ms).add<Add>("add", 0);
    pipeline.add<Collects>("all", &out).connect("numbers", "add").connect("add", "all");
    const auto plan = pipeline.plan();
    for (unsigned host = 0; host < plan.size(); ++host) {
      at(host).adopt(plan[host].name, pipeline.make(plan[host]));
    }
    world().run_for(2s);
  }
  // A host, or one of its links, is cut off, or the host stands still.
  void fall_silent(unsigned host, Duration how_long) {
    const auto hosts = static_cast<std::uint64_t>(world().hosts());
    switch (world().random().next() % 3) {
      case 0:
        world().part({host});
        break;
      case 1:
        world().cut(host, static_cast<unsigned>(world().random().next() % hosts));
        break;
      default:
        world().pause(host, how_long);
    }
    world().run_for(how_long);
    world().mend_all();
  }
  void expect_all() {
    until([this] { return out.ends() == 1; });
    std::vector<std::int64_t> wanted(count);
    std::iota(wanted.begin(), wanted.end(), 0);
    BOOST_TEST(out.items() == wanted, boost::test_tools::per_element());
    BOOST_TEST(out.error() == "");
  }

  static constexpr std::int64_t count = 2000;
  Collected out;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(silent_neighbours)

BOOST_AUTO_TEST_CASE(the_stream_goes_on_when_a_stage_that_was_taken_for_dead_comes_back) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      Stream stream(seed);
      Random& random = stream.world().random();
      for (int i = 0; i < 3; ++i) {
        const unsigned host = static_cast<unsigned>(random.next() % 3);
        const Duration how_long = 3s + up_to(random, 9s);
        stream.fall_silent(host, how_long);
        stream.world().run_for(up_to(random, 3s));
      }
      stream.expect_all();
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::dispel::test
