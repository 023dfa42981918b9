// FIPA-SL as text: the contents of JADE, all that is refused, and what is written reads the same.
#include "coracle/acl/sl/text.hpp"

#include "support/exchanges.hpp"
#include "support/some_terms.hpp"

#include "coracle/errors.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::acl::sl {

namespace {

// The refusal of a content: "place: reason".
std::string refusal(std::string_view text, const Limits& limits = {}) {
  const Reading reading = read_content(text, limits);
  if (!reading.fault) return "none";
  BOOST_TEST(reading.expressions.empty());
  BOOST_TEST(reading.spans.empty());
  return std::to_string(reading.fault->offset) + ": " + reading.fault->reason;
}

bool is_refused(std::string_view text, std::string_view why) {
  const std::string found = refusal(text);
  if (found.find(why) != std::string::npos) return true;
  BOOST_TEST_MESSAGE(text << " -> " << found);
  return false;
}

// What is written of the term that was read.
std::string again(std::string_view term) { return to_text(term_from(term)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(sl_text)

BOOST_AUTO_TEST_CASE(the_contents_of_jade_are_written_as_they_were_read) {
  std::vector<std::string> contents = {
      test::register_request,    test::register_done, "(" + test::search_all + ")",
      test::one_found,           test::none_found,    test::deregister,
      "(" + test::watched + ")", test::notification,  test::ams_found,
      test::platform_described};
  for (const std::string& each : test::errors) {
    if (each.find("\"language\"") == std::string::npos) contents.push_back(each);
  }
  for (const std::string& each : contents) BOOST_TEST(to_text(content_from(each)) == each);
}

BOOST_AUTO_TEST_CASE(the_form_with_blanks_is_read_as_the_compact_one) {
  const std::string spaced =
      "( ( action  ( agent-identifier :name df@p1\t:addresses\r\n(sequence "
      "http://127.0.0.1:27778/acc ) )  ( register ( df-agent-description ) ) ) )";
  BOOST_TEST(to_text(content_from(spaced)) ==
             "((action " + test::d + " (register (df-agent-description))))");
  BOOST_TEST(content_from(test::undelivered).size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_word_and_a_string_are_the_same_text) {
  BOOST_TEST((term_from("emma") == Term("emma")));
  BOOST_TEST((term_from("\"emma\"") == Term("emma")));
  BOOST_TEST((term_from("\"say \\\"hi\\\"\"") == Term("say \"hi\"")));
  BOOST_TEST((term_from("\"a\\b\"") == Term("a\\b")));
  BOOST_TEST((term_from("\"\"") == Term("")));
  BOOST_TEST((term_from("#9\"two words") == Term("two words")));
  BOOST_TEST((term_from("caf\xc3\xa9") == Term("caf\xc3\xa9")));
  BOOST_TEST(again("\"emma\"") == "emma");
  BOOST_TEST(again("caf\xc3\xa9") == "\"caf\xc3\xa9\"");
}

BOOST_AUTO_TEST_CASE(a_text_that_looks_like_another_kind_is_quoted) {
  for (const char* each :
       {"true", "FALSE", "12", "-1", "+5", ".5", "1e3", "0x1F", "12f", "#1", "20991114T221320123Z",
        "+00000000T000005000", ":x", "?x", "-", "a b", "", "(", "\n"}) {
    BOOST_TEST(to_text(Term(each)) == "\"" + std::string(each) + "\"");
  }
  for (const char* each : {"emma", "fipa-request", "a-1", "http://h:1/acc", "+", "+x", "a\\", "a#"})
    BOOST_TEST(to_text(Term(each)) == each);
}

BOOST_AUTO_TEST_CASE(a_quoted_text_that_ends_with_a_backslash_is_a_byte_string) {
  BOOST_TEST(to_text(Term("C:\\My Files\\")) == "#12\"C:\\My Files\\");
  BOOST_TEST((term_from("#12\"C:\\My Files\\") == Term("C:\\My Files\\")));
  const Term odd = frame("f", {{"a b\\", Variable{"c d\\"}}});
  BOOST_TEST((term_from(to_text(odd)) == odd));
}

BOOST_AUTO_TEST_CASE(bytes_are_base64_in_a_byte_string) {
  const std::vector<std::byte> bytes = {std::byte{0}, std::byte{0xff}, std::byte{'('}};
  BOOST_TEST(to_text(Term(bytes)) == "#4\"AP8o");
  BOOST_TEST((term_from("#4\"AP8o") == Term(bytes)));
  BOOST_TEST((term_from("#4\"AP8=") == Term(std::vector{bytes[0], bytes[1]})));
  BOOST_TEST((term_from("#0\"") == Term(std::vector<std::byte>())));
  // Text, because no bytes have this base64: bits are left over.
  BOOST_TEST((term_from("#4\"AP9=") == Term("AP9=")));
  BOOST_TEST((term_from("#4\"A===") == Term("A===")));
  BOOST_TEST((term_from("(f #3\"(a\" b)") == compound("f", {"(a\"", "b"})));
}

BOOST_AUTO_TEST_CASE(numbers_are_written_as_java_writes_them) {
  for (const auto& [number, text] : std::vector<std::pair<double, std::string>>{
           {0.0, "0.0"},
           {-0.0, "-0.0"},
           {1.0, "1.0"},
           {1e10, "1.0E10"},
           {9999999.0, "9999999.0"},
           {1e7, "1.0E7"},
           {0.001, "0.001"},
           {0.00099, "9.9E-4"},
           {-12.5, "-12.5"},
           {123456.789, "123456.789"},
           {1.7976931348623157e308, "1.7976931348623157E308"},
           {100.0, "100.0"}}) {
    BOOST_TEST(to_text(Term(number)) == text);
    BOOST_TEST((term_from(text) == Term(number)));
  }
  BOOST_TEST((term_from("+5") == Term(5)));
  BOOST_TEST((term_from("-9223372036854775808") == Term(INT64_MIN)));
  BOOST_TEST((term_from("0x1F") == Term(31)));
  BOOST_TEST((term_from("-0x10") == Term(-16)));
  BOOST_TEST((term_from("5.") == Term(5.0)));
  BOOST_TEST((term_from("-.5e+1") == Term(-5.0)));
}

BOOST_AUTO_TEST_CASE(dates_are_read_with_and_without_zone_and_sign) {
  for (const char* each : {"20991114T221320123Z", "20991114T221320123", "+00000000T000005000"}) {
    const Term date = term_from(each);
    BOOST_TEST((date.kind() == Term::Kind::date));
    BOOST_TEST(to_text(date) == each);
  }
}

BOOST_AUTO_TEST_CASE(operators_are_read_in_any_case_and_written_as_they_were) {
  for (const char* each :
       {"((and (p) (or q (not true))))", "((IMPLIES p q))", "((equiv (p 1) (q 2)))",
        "((forall ?x (exists ?y (p ?x ?y))))", "((B me (PG you (U a (I b p)))))",
        "((feasible (action me go) p))", "((done (| (action a b) (; (action c d) (action e f)))))",
        "((= (any (sequence ?x ?y) (p ?x ?y)) (all ?z (q ?z))))", "((p (+ 1 (- 2 3))))",
        "((iota ?\"odd name\" (p ?\"odd name\")))", "(true false p)", "((true))"}) {
    BOOST_TEST(to_text(content_from(each)) == each);
  }
}

BOOST_AUTO_TEST_CASE(the_place_of_each_expression_is_known) {
  const std::string text = " ( " + test::search_all + "  already-registered )";
  const Reading reading = read_content(text);
  BOOST_TEST_REQUIRE(reading.spans.size() == 2U);
  BOOST_TEST(reading.spans[0].of(text) == test::search_all);
  BOOST_TEST(reading.spans[1].of(text) == "already-registered");
}

BOOST_AUTO_TEST_CASE(a_text_that_is_no_content_is_refused_with_its_place) {
  BOOST_TEST(refusal("") == "0: content begins with '('");
  BOOST_TEST(refusal("p") == "0: content begins with '('");
  BOOST_TEST(refusal("()") == "1: content needs an expression");
  BOOST_TEST(refusal("(p") == "2: there is no expression");
  BOOST_TEST(refusal("(p))") == "3: there is more behind the end of the expression");
  BOOST_TEST(refusal("((f (g a)") == "1: the parenthesis is not closed");
  BOOST_TEST(is_refused("((f a)", "no expression"));
  BOOST_TEST(is_refused("(())", "begins with a symbol"));
  BOOST_TEST(is_refused("(((f) a))", "begins with a symbol"));
  BOOST_TEST(is_refused("((12 a))", "begins with a symbol"));
  BOOST_TEST(is_refused("((?x a))", "begins with a symbol"));
  BOOST_TEST(is_refused("((:a b))", "no place for a slot name"));
  BOOST_TEST(is_refused("(:a)", "no place for a slot name"));
  BOOST_TEST(is_refused("((f :a :b 1))", "no place for a slot name"));
  BOOST_TEST(is_refused("((f :a))", "has no value"));
  BOOST_TEST(is_refused("((f :a 1 2))", "all arguments"));
  BOOST_TEST(is_refused("((f 1 :a 2))", "all arguments"));
  BOOST_TEST(is_refused("((f : 1))", "a slot needs a name"));
  BOOST_TEST(is_refused("((f :\"\" 1))", "a slot needs a name"));
  BOOST_TEST(is_refused("((f ?))", "a variable needs a name"));
  BOOST_TEST(is_refused("(12)", "formulas, actions"));
  BOOST_TEST(is_refused("(?x)", "formulas, actions"));
  BOOST_TEST(is_refused("((f \"a))", "quotation mark"));
  BOOST_TEST(is_refused("((f \"a\\\"))", "quotation mark"));
  BOOST_TEST(is_refused("((f 12abc))", "needs quotation marks"));
  BOOST_TEST(is_refused("((f -a))", "needs quotation marks"));
  BOOST_TEST(is_refused("((f a -))", "needs quotation marks"));
  BOOST_TEST(is_refused("((f \x01))", "control character"));
  BOOST_TEST(is_refused("((f 9223372036854775808))", "out of range"));
  BOOST_TEST(is_refused("((f 1e999))", "out of range"));
  BOOST_TEST(is_refused("((f #))", "byte string"));
  BOOST_TEST(is_refused("((f #-1\"a))", "byte string"));
  BOOST_TEST(is_refused("((f #99999999999999999999\"a))", "byte string"));
  BOOST_TEST(is_refused("((f #18446744073709551615\"a))", "longer than the rest"));
  BOOST_TEST(is_refused("((not 7))", "'not' needs a formula"));
  BOOST_TEST(is_refused("((action me))", "'action' needs a term and a term"));
}

BOOST_AUTO_TEST_CASE(a_text_above_a_limit_is_refused) {
  Limits limits;
  limits.bytes = 5;
  BOOST_TEST(refusal("(p q)", limits) == "none");
  BOOST_TEST(refusal("(p qr)", limits).find("at most 5") != std::string::npos);
  limits = {};
  limits.terms = 3;
  BOOST_TEST(refusal("((f 1 2))", limits) == "none");
  BOOST_TEST(refusal("((f 1 2 3))", limits).find("more than 3 terms") != std::string::npos);
  limits = {};
  limits.depth = 2;
  BOOST_TEST(refusal("((f (g)))", limits) == "none");
  BOOST_TEST(refusal("((f (g (h))))", limits).find("nested") != std::string::npos);

  std::string deep = "(";
  for (std::size_t i = 0; i < 50'000; ++i) deep += "(f ";
  BOOST_TEST(is_refused(deep, "nested deeper than 100 levels"));
  limits = {};
  limits.depth = 1'000'000;
  BOOST_TEST(refusal(deep, limits).find("nested deeper than 100") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_error_of_a_refusal_names_the_place_and_the_reason) {
  try {
    (void)content_from("((f 12abc))");
    BOOST_FAIL("it was read");
  } catch (const Error& error) {
    BOOST_TEST((error.errc() == Errc::bad_encoding));
    BOOST_TEST(error.sentence().find("at byte 4, \"12abc\" is no word") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(every_term_reads_back_as_it_was_written) {
  BOOST_TEST(rc::check([] {
    const Term term = test::some_term(5);
    RC_ASSERT(term_from(to_text(term)) == term);
  }));
  BOOST_TEST(rc::check([] {
    const std::vector<Term> content = test::some_content(5);
    RC_ASSERT(content_from(to_text(content)) == content);
  }));
}

BOOST_AUTO_TEST_CASE(every_text_gives_a_tree_or_a_refusal_within_the_text) {
  BOOST_TEST(rc::check([] {
    std::string text = to_text(test::some_content(4));
    for (int i = *rc::gen::inRange(0, 3); i > 0 && !text.empty(); --i) {
      const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
      const std::string_view marks = "() \":?#\\a1";
      const auto mark = *rc::gen::inRange<std::size_t>(0, marks.size());
      if (*rc::gen::inRange(0, 2) == 0) text[at] = marks[mark];
      else text.erase(at, 1);
    }
    const Reading reading = read_content(text);
    if (reading) RC_ASSERT(content_from(to_text(reading.expressions)) == reading.expressions);
    else RC_ASSERT(reading.fault->offset <= text.size());
  }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl::sl
