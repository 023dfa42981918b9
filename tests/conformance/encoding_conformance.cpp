// A node that sends typed content as bytes, as between processes.
#include "coracle/realizations/local.hpp"
#include "coracle/typed.hpp"
#include "play.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace coracle::conformance {

namespace {

struct Reading {
  static constexpr std::string_view content_type = "reading/v1";
  std::string place;
  int centimetres = 0;

  bool operator==(const Reading&) const = default;
};

// Expects that a Reading which an agent sends to itself arrives.
void expect_that_it_arrives(bool encoded) {
  NodeOptions options = test::quick();
  options.always_encode = encoded;
  test::Society society(local::realization(), options);
  society.run([encoded](Agent& me) -> Task<> {
    const Reading reading{"door", 240};
    co_await me.send(me.self(), Content::of(reading));
    const Message message = co_await me.receive();
    test::expect(message.content().is_typed() == !encoded, "it arrives as a value or as bytes");
    test::expect(message.as<Reading>() == reading, "it can be read");
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(encoding)

BOOST_AUTO_TEST_CASE(a_value_travels_as_it_is) { expect_that_it_arrives(false); }

BOOST_AUTO_TEST_CASE(a_value_travels_as_bytes_where_the_node_says_so) {
  expect_that_it_arrives(true);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::conformance
