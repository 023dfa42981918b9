// Terms of SL as values.
#include "coracle/acl/sl/term.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace coracle::acl::sl {

namespace {

bool is_bad(const Error& error) { return error.errc() == Errc::bad_options; }

}  // namespace

BOOST_AUTO_TEST_SUITE(sl_term)

BOOST_AUTO_TEST_CASE(a_term_has_the_kind_of_the_value_that_it_was_made_of) {
  using Kind = Term::Kind;
  BOOST_TEST((Term().kind() == Kind::text));
  BOOST_TEST((Term("emma").kind() == Kind::text));
  BOOST_TEST((Term(true).kind() == Kind::boolean));
  BOOST_TEST((Term(7).kind() == Kind::integer));
  BOOST_TEST((Term(7U).kind() == Kind::integer));
  BOOST_TEST((Term(7.5F).kind() == Kind::real));
  BOOST_TEST((Term(DateTime{}).kind() == Kind::date));
  BOOST_TEST((Term(std::vector<std::byte>(3)).kind() == Kind::bytes));
  BOOST_TEST((Term(Variable{"x"}).kind() == Kind::variable));
  BOOST_TEST((compound("register").kind() == Kind::compound));
  BOOST_TEST(*Term("emma").as<std::string>() == "emma");
  BOOST_TEST(Term("emma").as<bool>() == nullptr);
  BOOST_TEST(*Term(7).as<std::int64_t>() == 7);
}

BOOST_AUTO_TEST_CASE(symbols_and_slots_are_found_in_any_case_of_their_letters) {
  const Term book = frame("Book", {{"Title", "emma"}, {"price", 9}});
  BOOST_TEST(book.as_compound("book") != nullptr);
  BOOST_TEST(book.as_compound("books") == nullptr);
  BOOST_TEST(*book.as_compound("BOOK")->find("title")->as<std::string>() == "emma");
  BOOST_TEST(book.as_compound("book")->find("author") == nullptr);
  BOOST_TEST(book.as_compound("book")->find("") == nullptr);
  BOOST_TEST(Term("book").as_compound("book") == nullptr);
}

BOOST_AUTO_TEST_CASE(the_elements_are_those_of_a_set_or_a_sequence) {
  BOOST_TEST(elements_of(sequence({1, 2}))->size() == 2U);
  BOOST_TEST(elements_of(set({})) != nullptr);
  BOOST_TEST(elements_of(compound("list", {1, 2})) == nullptr);
  BOOST_TEST(elements_of("set") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_value_that_sl_cannot_write_is_refused) {
  BOOST_CHECK_EXCEPTION((void)Term(std::nan("")), Error, is_bad);
  BOOST_CHECK_EXCEPTION((void)Term(std::numeric_limits<double>::infinity()), Error, is_bad);
  BOOST_CHECK_EXCEPTION((void)Term(std::numeric_limits<std::uint64_t>::max()), Error, is_bad);
  BOOST_CHECK_EXCEPTION((void)Term(Variable{}), Error, is_bad);
  DateTime date;
  date.month = 100;
  BOOST_CHECK_EXCEPTION((Term(date)), Error, is_bad);
}

BOOST_AUTO_TEST_CASE(an_operator_has_the_arguments_that_it_needs) {
  const Term act = action("me", compound("go"));
  BOOST_CHECK_NO_THROW(compound("done", {act}));
  BOOST_CHECK_NO_THROW(compound("done", {act, "now"}));
  BOOST_CHECK_NO_THROW(compound("Iota", {Variable{"x"}, compound("result", {act})}));
  BOOST_CHECK_NO_THROW(compound("and", {"p", compound("not", {true})}));
  for (const auto& make : std::vector<std::function<Term()>>{
           [] { return compound("not", {7}); },
           [] {
             return compound("not", {"p", "q"});
           },
           [] { return compound("AND", {"p"}); },
           [] { return compound("done", {"p"}); },
           [] { return compound("action", {"me"}); },
           [] {
             return compound("forall", {"x", "p"});
           },
           [] {
             return compound("or", {"p", sequence({})});
           },
           [] { return compound("i", {7}); },
           [] {
             return frame("action", {{"actor", "me"}, {"act", "go"}});
           },
           [] {
             return frame("set", {{"a", 1}});
           },
           [] {
             return frame("book", {{"", 1}});
           },
           [] { return compound("book", {compound("not", {"p"})}); },
       }) {
    BOOST_CHECK_EXCEPTION(make(), Error, is_bad);
  }
}

BOOST_AUTO_TEST_CASE(a_term_is_never_nested_deeper_than_the_limit) {
  Term term = "x";
  for (std::size_t i = 0; i < max_depth; ++i) term = compound("f", {term});
  BOOST_TEST(term.depth() == max_depth);
  BOOST_CHECK_EXCEPTION(compound("f", {term}), Error, is_bad);
  BOOST_CHECK_EXCEPTION(sequence({1, term}), Error, is_bad);
}

BOOST_AUTO_TEST_CASE(terms_are_equal_if_their_trees_are) {
  const Term a = frame("book", {{"title", "emma"}});
  BOOST_TEST((a == frame("book", {{"title", "emma"}})));
  BOOST_TEST(!(a == frame("book", {{"title", "Emma"}})));
  BOOST_TEST(!(a == compound("book", {"emma"})));
  BOOST_TEST(!(Term(1) == Term(1.0)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl::sl
