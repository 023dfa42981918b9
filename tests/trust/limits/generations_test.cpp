// The generations of leases that nodes report to a directory when they attach.
#include "asker.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::trust {

using society::Announcement;
using society::Request;

namespace {

constexpr std::uint64_t absurd = 0xffff'0000;

// The node attaches anew, as after a move to another directory.
void attach_with(ServiceLab& lab, Asker& node, std::uint64_t seen) {
  node.ask(Request::moved);
  node.attach(seen);
  lab.run();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(generations)

// Had the directory gone on from that generation, its leases would be refused by the next one.
BOOST_AUTO_TEST_CASE(who_reports_an_absurd_generation_is_closed_and_keeps_nobody_out) {
  ServiceLab lab;
  Asker eve(lab, 1);
  attach_with(lab, eve, absurd);
  BOOST_TEST_REQUIRE(eve.ended().size() == 1U);
  BOOST_TEST(eve.ended().front().find("generation 4294901760") != std::string::npos,
             eve.ended().front());
  BOOST_TEST(eve.announced(Announcement::all_announced) == 1U);

  Asker ann(lab, 2);
  const std::uint64_t seen_by_ann = ann.lease() >> 32;
  BOOST_TEST(seen_by_ann < absurd);

  lab.restart();
  Asker bob(lab, 3);
  attach_with(lab, bob, seen_by_ann);
  BOOST_TEST(bob.ended().empty());
  BOOST_TEST(bob.announced(Announcement::all_announced) == 2U);
  const auto opened = bob.open_lease("another");
  lab.run();
  BOOST_TEST_REQUIRE(bob.is_answered(opened));
  BOOST_TEST(!bob.answer(opened).error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
