// The sentence of every kind of failure is written down here.
#include "table.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

namespace coracle::test {

namespace {

// Kinds that end a message and never fail a call: Outcome, Verdict and the log use them.
const std::set<Errc> only_outcomes = {Errc::no_credit, Errc::store_lost};

bool exists(Errc errc) { return !make_error_code(errc).message().starts_with("unknown error"); }

}  // namespace

BOOST_AUTO_TEST_SUITE(texts)

BOOST_AUTO_TEST_CASE(each_failure_reads_as_the_table_says) {
  for (const Row& row : all_rows()) {
    BOOST_TEST_CONTEXT(row.situation) {
      const std::optional<Error> error = row.happens();
      BOOST_TEST(error.has_value(), "nothing failed");
      if (!error) continue;
      BOOST_TEST(error->code().message() == make_error_code(row.errc).message());
      BOOST_TEST(fits(error->sentence(), row.sentence),
                 "it reads: " << error->sentence() << "\n  should be: " << row.sentence);
    }
  }
}

BOOST_AUTO_TEST_CASE(each_kind_of_failure_has_a_row) {
  std::set<Errc> told = only_outcomes;
  for (const Row& row : all_rows()) told.insert(row.errc);
  for (int value = 1; exists(static_cast<Errc>(value)); ++value) {
    const auto errc = static_cast<Errc>(value);
    BOOST_TEST(told.contains(errc), "no row for: " << make_error_code(errc).message());
  }
}

BOOST_AUTO_TEST_CASE(a_placeholder_stands_for_digits_or_for_any_text) {
  BOOST_TEST(fits("port 12 of ann; end", "port <n> of <...>; end"));
  BOOST_TEST(!fits("port x of ann; end", "port <n> of <...>; end"));
  BOOST_TEST(!fits("port 12 of ann; end.", "port <n> of <...>; end"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
