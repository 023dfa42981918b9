// A name that another node claims while this node ends its lease.
#include "coracle/directory_filter.hpp"
#include "member.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <utility>

namespace coracle::trust {

using namespace detail;

namespace {

// Another member claims the name just before a lease is closed.
class ClaimedAtTheEnd final : public DirectoryFilter {
 public:
  ClaimedAtTheEnd(std::shared_ptr<Directory> next, Name name)
      : DirectoryFilter(std::move(next)), name_(std::move(name)) {}
  Task<Result<void>> close_lease(LeaseId lease, EndReason reason) override {
    Result<LeaseId> other = co_await next().open_lease("member", Duration(1h));
    (void)co_await next().claim(Claim(name_, std::move(other).value()));
    co_return co_await next().close_lease(lease, reason);
  }

 private:
  const Name name_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(stopping)

// The other node ignores what comes from an ended lease, so the message would be lost.
BOOST_AUTO_TEST_CASE(what_waits_for_a_name_that_is_claimed_at_the_end_is_reported_as_undelivered) {
  sim::World world{sim::Options{}};
  const auto transport = std::make_shared<StandInTransport>();
  Realization parts = world.realization();
  parts.directory = std::make_shared<ClaimedAtTheEnd>(parts.directory, "bob");
  parts.transport = transport;
  Node node(std::move(parts));
  node.adopt("ann", std::make_unique<test::Doer>([](Agent& me) -> Task<> {
               co_await me.send("bob", "wait for bob");
             }));
  world.run_for(1s);
  transport->sent.clear();
  const StopReport report = node.stop(1s);
  BOOST_TEST_REQUIRE(report.undelivered.size() == 1U);
  BOOST_TEST(report.undelivered.front().name.view() == "bob");
  BOOST_TEST(report.ledger.in_flight == 0U);
  for (const auto& [to, frame] : transport->sent)
    BOOST_TEST(std::to_integer<int>(frame.front()) != message_frame);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
