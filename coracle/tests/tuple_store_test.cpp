// The tuples of a space and the requests that wait for some, without any agent.
#include "tuple_space/store.hpp"

#include "coracle/detail/tuple_messages.hpp"
#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <deque>
#include <random>
#include <set>
#include <string>

namespace coracle {
namespace {

using namespace std::chrono_literals;
using detail::Age;
using detail::fields_of;
using detail::Grant;
using detail::HeldFields;
using detail::Loan;
using detail::no_loan;
using detail::TupleRequest;
using detail::TupleStore;
using detail::Wish;

constexpr Time forever = Time::max();

Time at(Duration span) { return Time(span); }

HeldFields held(TupleFields fields) {
  TupleRequest request;
  request.fields = std::move(fields);
  HeldFields kept;
  kept.content = Content::of(std::move(request));
  kept.fields = &kept.content.as<TupleRequest>().fields;
  return kept;
}

template <class... Fields>
HeldFields tuple(const Fields&... fields) {
  return held(fields_of(fields...));
}

const TupleFields& fields(const Content& content) { return content.as<TupleRequest>().fields; }

std::string shown(const Grant& grant) {
  return std::to_string(grant.whose) + (grant.wish == Wish::take ? " takes " : " reads ") +
         to_string(fields(grant.tuple));
}

struct Fixture {
  TupleStore store;
  std::vector<Grant> grants;

  template <class... Fields>
  void out(const Fields&... values) {
    store.out(tuple(values...), forever, grants);
  }
  template <class... Fields>
  std::string take(const Fields&... pattern) {
    const auto grant = store.take(fields_of(pattern...));
    if (!grant) return "";
    store.settle(grant->loan);
    return to_string(fields(grant->tuple));
  }
  std::string given() {
    std::string text;
    for (const Grant& grant : grants) text += shown(grant) + "; ";
    grants.clear();
    return text;
  }
};

BOOST_FIXTURE_TEST_SUITE(tuple_store, Fixture)

BOOST_AUTO_TEST_CASE(a_pattern_fits_by_number_kind_and_value_of_the_fields) {
  out("task", 7, 0.5, true);
  BOOST_TEST(take("task", 7, 0.5) == "");
  BOOST_TEST(take("task", 7, 0.5, false) == "");
  BOOST_TEST(take("task", 7.0, 0.5, true) == "");
  BOOST_TEST(take("task", any<double>, 0.5, true) == "");
  BOOST_TEST(take("tas", 7, 0.5, true) == "");
  BOOST_TEST(take("task", any<int>, any<double>, any<bool>) == "(\"task\", 7, 0.500000, true)");
  BOOST_TEST(store.tuples() == 0U);
}

BOOST_AUTO_TEST_CASE(a_whole_number_must_fit_the_type_that_is_asked_for) {
  out("n", 300);
  out("m", -1);
  BOOST_TEST(take("n", any<std::uint8_t>) == "");
  BOOST_TEST(take("n", any<std::int8_t>) == "");
  BOOST_TEST(take("m", any<unsigned>) == "");
  BOOST_TEST(take("m", any<std::uint64_t>) == "");
  BOOST_TEST(take("n", any<std::int16_t>) == "(\"n\", 300)");
  BOOST_TEST(take("m", any<std::int8_t>) == "(\"m\", -1)");
  out(std::int64_t{127});
  BOOST_TEST(take(any<std::int8_t>) == "(127)");
  out(std::int64_t{128});
  BOOST_TEST(take(any<std::int8_t>) == "");
  BOOST_CHECK_THROW((void)fields_of(std::uint64_t{1} << 63), Error);
}

BOOST_AUTO_TEST_CASE(equal_tuples_are_kept_each_and_the_oldest_goes_first) {
  out("x", 1);
  out("x", 1);
  out("x", 2);
  BOOST_TEST(take("x", any<int>) == "(\"x\", 1)");
  BOOST_TEST(take("x", any<int>) == "(\"x\", 1)");
  BOOST_TEST(take("x", any<int>) == "(\"x\", 2)");
  BOOST_TEST(take("x", any<int>) == "");
}

BOOST_AUTO_TEST_CASE(a_pattern_may_leave_the_first_field_open_or_all_of_them) {
  for (int i = 0; i < 100; ++i) out(i, "name " + std::to_string(i % 10));
  BOOST_TEST(take(any<int>, "name 7") == "(7, \"name 7\")");
  BOOST_TEST(take(any<int>, "name 7") == "(17, \"name 7\")");
  BOOST_TEST(take(any<int>, any<std::string>) == "(0, \"name 0\")");
  out(1000, "name 7");
  for (int i = 27; i < 100; i += 10) {
    BOOST_TEST(take(any<int>, "name 7") == "(" + std::to_string(i) + ", \"name 7\")");
  }
  BOOST_TEST(take(any<int>, "name 7") == "(1000, \"name 7\")");
  BOOST_TEST(take(any<int>, "name 7") == "");
  BOOST_TEST(store.tuples() == 89U);
}

BOOST_AUTO_TEST_CASE(reading_takes_nothing) {
  out("x", 1);
  for (int i = 0; i < 3; ++i) BOOST_TEST(store.read(fields_of("x", any<int>)).has_value());
  BOOST_TEST(store.tuples() == 1U);
  BOOST_TEST(!store.read(fields_of("y", any<int>)).has_value());
}

BOOST_AUTO_TEST_CASE(one_tuple_satisfies_all_who_read_and_the_one_who_has_waited_longest_to_take) {
  store.wait(tuple("x", any<int>), Wish::read, forever, 1);
  store.wait(tuple(any<std::string>, 5), Wish::take, forever, 2);
  store.wait(tuple("x", any<int>), Wish::take, forever, 3);
  store.wait(tuple(any<std::string>, any<int>), Wish::read, forever, 4);
  out("y", 6);
  BOOST_TEST(given() == "4 reads (\"y\", 6); ");
  out("x", 5);
  BOOST_TEST(given() == "1 reads (\"x\", 5); 2 takes (\"x\", 5); ");
  out("x", 6);
  BOOST_TEST(given() == "3 takes (\"x\", 6); ");
  out("x", 7);
  BOOST_TEST(given() == "");
  BOOST_TEST(store.tuples() == 2U);
  BOOST_TEST(store.waiting() == 0U);
}

BOOST_AUTO_TEST_CASE(who_asks_again_keeps_its_turn) {
  const Age first = store.wait(tuple("x"), Wish::take, at(1s), 1);
  store.wait(tuple("x"), Wish::take, forever, 2);
  const auto over = store.advance(at(1s));
  BOOST_TEST_REQUIRE(over.size() == 1U);
  BOOST_TEST(over[0].age == first);
  BOOST_TEST(store.wait(tuple("x"), Wish::take, forever, 3, first) == first);
  // An age that was never given, or is in use, gives no privilege.
  BOOST_TEST(store.wait(tuple("x"), Wish::take, forever, 4, first) > first);
  BOOST_TEST(store.wait(tuple("x"), Wish::take, forever, 5, 1'000'000) < 1'000'000U);
  for (int i = 0; i < 5; ++i) out("x");
  BOOST_TEST(given() == "3 takes (\"x\"); 2 takes (\"x\"); 4 takes (\"x\"); 5 takes (\"x\"); ");
}

BOOST_AUTO_TEST_CASE(a_tuple_that_comes_back_is_the_oldest_again_or_goes_to_who_waits) {
  out("x", 1);
  out("x", 2);
  const auto one = store.take(fields_of("x", any<int>));
  BOOST_TEST(store.lent() == 1U);
  store.give_back(one->loan, at(0s), grants);
  BOOST_TEST(store.lent() == 0U);
  BOOST_TEST(take("x", any<int>) == "(\"x\", 1)");
  const auto two = store.take(fields_of("x", any<int>));
  store.wait(tuple("x", any<int>), Wish::notice, forever, 8);
  store.wait(tuple("x", any<int>), Wish::take, forever, 9);
  store.give_back(two->loan, at(0s), grants);
  BOOST_TEST(given() == "9 takes (\"x\", 2); ");  // it is not new, so it is no notice
}

BOOST_AUTO_TEST_CASE(tuples_and_waits_end_at_their_time_and_not_before) {
  store.out(tuple("x"), at(10s), grants);
  store.wait(tuple("y"), Wish::take, at(5s), 1);
  BOOST_TEST((store.next_end() == at(5s)));
  BOOST_TEST(store.advance(at(5s) - Duration(1)).empty());
  BOOST_TEST(store.advance(at(5s)).size() == 1U);
  BOOST_TEST((store.next_end() == at(10s)));
  const auto lent = store.take(fields_of("x"));
  BOOST_TEST_REQUIRE(lent.has_value());
  BOOST_TEST((store.next_end() == forever));
  store.give_back(lent->loan, at(9s), grants);
  BOOST_TEST((store.next_end() == at(10s)));
  store.advance(at(10s));
  BOOST_TEST(store.tuples() == 0U);
  BOOST_TEST(store.expired() == 1U);
  store.out(tuple("z"), at(20s), grants);
  const auto late = store.take(fields_of("z"));
  store.give_back(late->loan, at(20s), grants);
  BOOST_TEST(store.tuples() == 0U);
  BOOST_TEST(store.expired() == 2U);
}

BOOST_AUTO_TEST_CASE(notices_come_for_each_new_tuple_until_they_end) {
  const Age age = store.wait(tuple("x", any<int>), Wish::notice, at(10s), 1);
  out("x", 1);
  out("x", 2);
  BOOST_TEST(grants.size() == 2U);
  BOOST_TEST((grants[0].wish == Wish::notice && grants[0].loan == no_loan));
  grants.clear();
  BOOST_TEST(store.tuples() == 2U);
  BOOST_TEST(store.renew(age, at(20s)));
  BOOST_TEST(store.advance(at(10s)).empty());
  BOOST_TEST(store.advance(at(20s)).size() == 1U);
  BOOST_TEST(!store.renew(age, forever));
  out("x", 3);
  BOOST_TEST(grants.empty());
}

BOOST_AUTO_TEST_CASE(shapes_that_nobody_uses_are_forgotten_and_those_in_use_are_not) {
  out("kept");
  const auto lent = (out(1, 2, 3), store.take(fields_of(1, 2, 3)));
  store.wait(tuple(any<bool>, any<bool>), Wish::take, forever, 1);
  for (unsigned code = 0; code < 4096; ++code) {  // each has other kinds of fields
    TupleFields many;
    for (unsigned i = 0; i < 12; ++i) {
      if ((code >> i & 1) != 0) many.emplace_back(std::int64_t{1});
      else many.emplace_back(true);
    }
    store.out(held(many), forever, grants);
    store.settle(store.take(many)->loan);
  }
  store.give_back(lent->loan, at(0s), grants);
  BOOST_TEST(take(1, 2, 3) == "(1, 2, 3)");
  BOOST_TEST(take("kept") == "(\"kept\")");
  out(true, false);
  BOOST_TEST(given() == "1 takes (true, false); ");
}

// The same in a slow way: everything in lists, which are searched from the oldest on.
class Model {
 public:
  std::vector<std::string> out(TupleFields tuple) {
    std::vector<std::string> told;
    for (auto waiter = waiters_.begin(); waiter != waiters_.end();) {
      const bool reads = waiter->wish == Wish::read && matches(waiter->pattern, tuple);
      if (reads) told.push_back(std::to_string(waiter->whose));
      waiter = reads ? waiters_.erase(waiter) : waiter + 1;
    }
    for (auto waiter = waiters_.begin(); waiter != waiters_.end(); ++waiter) {
      if (!matches(waiter->pattern, tuple)) continue;
      told.push_back(std::to_string(waiter->whose) + "!");
      waiters_.erase(waiter);
      return told;
    }
    tuples_.push_back(std::move(tuple));
    return told;
  }
  std::string find(const TupleFields& pattern, bool takes) {
    for (auto tuple = tuples_.begin(); tuple != tuples_.end(); ++tuple) {
      if (!matches(pattern, *tuple)) continue;
      const std::string found = to_string(*tuple);
      if (takes) tuples_.erase(tuple);
      return found;
    }
    return "";
  }
  void wait(TupleFields pattern, Wish wish, std::uint32_t whose) {
    waiters_.push_back({std::move(pattern), wish, whose});
  }

 private:
  struct Waiter {
    TupleFields pattern;
    Wish wish;
    std::uint32_t whose;
  };
  std::deque<TupleFields> tuples_;
  std::vector<Waiter> waiters_;
};

TupleFields some_fields(std::mt19937_64& random, bool is_pattern) {
  TupleFields fields;
  const std::size_t count = 1 + random() % 3;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<std::int64_t>(random() % 3);
    const bool is_text = random() % 2 == 0;
    if (is_pattern && random() % 3 == 0) {
      fields.emplace_back(OpenField{is_text ? FieldKind::text : FieldKind::integer, 8, true});
    } else if (is_text) {
      fields.emplace_back(std::to_string(value));
    } else {
      fields.emplace_back(value);
    }
  }
  return fields;
}

BOOST_FIXTURE_TEST_CASE(what_has_gone_for_ever_is_told_once_and_only_if_it_was_kept, Fixture) {
  const auto put = [&](std::uint64_t kept, int value, Time until) {
    HeldFields one = tuple("n", value);
    one.kept = kept;
    store.out(std::move(one), until, grants);
  };
  put(1, 1, forever);
  put(2, 2, forever);
  put(3, 3, at(1s));
  put(4, 4, at(1s));
  out("n", 5);
  const auto settled = store.take(fields_of("n", 1));
  const auto lent = store.take(fields_of("n", 2));
  const auto late = store.take(fields_of("n", 4));
  const auto not_kept = store.take(fields_of("n", 5));
  BOOST_TEST(!store.has_gone(), "what is lent may come back");
  store.settle(settled->loan);
  store.settle(not_kept->loan);
  store.give_back(lent->loan, at(0s), grants);
  BOOST_TEST(store.take_gone() == std::vector<std::uint64_t>{1}, boost::test_tools::per_element());
  (void)store.advance(at(2s));
  store.give_back(late->loan, at(2s), grants);
  BOOST_TEST((store.take_gone() == std::vector<std::uint64_t>{3, 4}));
  BOOST_TEST(!store.has_gone());
  BOOST_TEST(take("n", 2) != "");
  BOOST_TEST((store.take_gone() == std::vector<std::uint64_t>{2}));
}

BOOST_AUTO_TEST_CASE(any_sequence_of_operations_does_what_looking_through_everything_does) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    TupleStore one;
    Model model;
    for (std::uint32_t step = 0; step < 300; ++step) {
      const std::uint64_t what = random() % 8;
      TupleFields some = some_fields(random, what > 2);
      if (what <= 2) {
        std::vector<Grant> told;
        one.out(held(some), forever, told);
        std::multiset<std::string> got;
        for (const Grant& grant : told) {
          got.insert(std::to_string(grant.whose) + (grant.wish == Wish::take ? "!" : ""));
          if (grant.loan != no_loan) one.settle(grant.loan);
        }
        const auto wanted = model.out(some);
        BOOST_TEST_REQUIRE((got == std::multiset<std::string>(wanted.begin(), wanted.end())),
                           "seed " << seed);
      } else if (what <= 4) {
        const auto grant = one.take(some);
        // Sometimes the tuple is given back; then the result is as if it had been read.
        const bool stays = random() % 3 == 0;
        const std::string found = grant ? to_string(fields(grant->tuple)) : "";
        std::vector<Grant> told;
        if (grant && stays) one.give_back(grant->loan, at(0s), told);
        else if (grant) one.settle(grant->loan);
        BOOST_TEST_REQUIRE(found == model.find(some, !stays), "seed " << seed);
        BOOST_TEST_REQUIRE(told.empty());
      } else if (const auto read = one.read(some); what <= 6 || read) {
        BOOST_TEST_REQUIRE((read ? to_string(fields(*read)) : "") == model.find(some, false),
                           "seed " << seed);
      } else {
        const Wish wish = random() % 2 == 0 ? Wish::take : Wish::read;
        one.wait(held(some), wish, forever, step);
        model.wait(some, wish, step);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
