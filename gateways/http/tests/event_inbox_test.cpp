#include "client/event_inbox.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

namespace coracle::http {
namespace {

using Kind = ClientSession::Arrival::Kind;

struct Inbox {
  Inbox() {
    Response head;
    head.status = 200;
    head.headers.add("Content-Type", "text/event-stream");
    inbox->arrive({Kind::head, 1, std::move(head)});
  }
  void arrive(std::size_t bytes) {
    Response piece;
    piece.body = "data: " + std::string(bytes, 'x') + "\n\n";
    inbox->arrive({Kind::piece, 1, std::move(piece)});
  }

  std::shared_ptr<EventInbox> inbox =
      std::make_shared<EventInbox>(nullptr, EventLimits{.event_bytes = 1000});
};

BOOST_AUTO_TEST_SUITE(event_inbox)

BOOST_AUTO_TEST_CASE(a_few_large_events_fill_it_as_many_small_ones_do) {
  Inbox small, large;
  for (int i = 0; i < 255; ++i) small.arrive(1);
  BOOST_TEST(small.inbox->has_room());
  small.arrive(1);
  BOOST_TEST(!small.inbox->has_room());
  large.arrive(990);
  large.arrive(990);
  BOOST_TEST(large.inbox->has_room());
  large.arrive(20);
  BOOST_TEST(!large.inbox->has_room());
}

BOOST_AUTO_TEST_CASE(an_inbox_that_is_closed_holds_nothing) {
  Inbox one;
  for (int i = 0; i < 3; ++i) one.arrive(990);
  BOOST_TEST(!one.inbox->has_room());
  one.inbox->close();
  BOOST_TEST(one.inbox->has_room());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
