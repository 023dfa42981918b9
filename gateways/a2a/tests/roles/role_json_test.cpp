#include "roles/role_json.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::a2a {
namespace {

Json json_of(const std::string& text) { return web::parse_json(text).value(); }

caf::Contract contract_with(std::size_t items) {
  caf::Contract contract;
  contract.id = 7;
  contract.kind = "digging";
  contract.subject = "a hole";
  for (std::size_t i = 0; i < items; ++i) contract.items.push_back("part " + std::to_string(i));
  return contract;
}

std::string bid_of(const std::string& answer, std::size_t items = 0, const BidForm& form = {}) {
  const auto bid = bid_in(json_of(answer), form, contract_with(items));
  if (!bid) return "none";
  std::string text;
  for (const caf::Offering& each : bid->offerings)
    text += std::to_string(each.items) + ":" + std::to_string(each.amount) + " ";
  return text + bid->text;
}

caf::Agenda agenda() {
  caf::Agenda made;
  made.subject = "lunch";
  made.alternatives = {"bread", "rice", "soup"};
  made.round = 1;
  return made;
}

BOOST_AUTO_TEST_SUITE(role_json)

BOOST_AUTO_TEST_CASE(an_announcement_says_what_is_wanted) {
  BOOST_TEST(web::to_text(announcement_of(Name("boss"), contract_with(2))) ==
             R"({"announcement":{"client":"boss","contract":"7","round":1,"kind":"digging",)"
             R"("subject":"a hole","items":["part 0","part 1"],"size":1,"bidWithinMs":5000}})");
}

BOOST_AUTO_TEST_CASE(an_answer_with_an_amount_is_a_bid) {
  BOOST_TEST(bid_of(R"({"bid":{"amount":12,"text":"soon"}})") == "1:12 soon");
  BOOST_TEST(bid_of(R"({"bid":{"amount":12}})", 3) == "7:12 ");
  BOOST_TEST(bid_of(R"({"bid":{"offerings":[{"items":[0,2],"amount":3},{"amount":9}]}})", 3) ==
             "5:3 7:9 ");
}

BOOST_AUTO_TEST_CASE(everything_else_is_no_bid) {
  for (const char* answer :
       {"null", "7", "{}", R"({"bid":null})", R"({"decline":{"reason":"busy"}})",
        R"({"bid":{"amount":-1}})", R"({"bid":{"amount":1.5}})", R"({"bid":{"amount":"12"}})",
        R"({"bid":{"amount":9007199254740993}})", R"({"bid":{"offerings":[]}})",
        R"({"bid":{"offerings":[{"items":[0]}]}})", R"({"bid":{"offerings":[7]}})",
        R"({"bid":{"offerings":[{"items":[3],"amount":1}]}})",
        R"({"bid":{"offerings":[{"items":[64],"amount":1}]}})",
        R"({"bid":{"offerings":[{"items":[-1],"amount":1}]}})",
        R"({"bid":{"offerings":[{"items":[],"amount":1}]}})"})
    BOOST_TEST(bid_of(answer, 3) == "none", answer);
}

BOOST_AUTO_TEST_CASE(the_card_states_where_the_amount_is) {
  const BidForm form = bid_form_in(json_of(R"({"amount":"/offer/0/total~1sum","text":7})"));
  BOOST_TEST(form.text == "/bid/text");
  BOOST_TEST(bid_of(R"({"offer":[{"total/sum":5}]})", 0, form) == "1:5 ");
  BOOST_TEST(
      bid_in(Json(5), bid_form_in(json_of(R"({"amount":""})")), contract_with(0)).has_value());
  for (const char* pointer : {"/a/b", "/offer/1", "/offer/x", "/offer/0/~", "/"})
    BOOST_TEST(value_at(json_of(R"({"offer":[{"total/sum":5}]})"), pointer) == nullptr, pointer);
}

BOOST_AUTO_TEST_CASE(a_ballot_names_the_alternatives) {
  BOOST_TEST(web::to_text(agenda_of(agenda())) ==
             R"({"agenda":{"subject":"lunch","alternatives":["bread","rice","soup"],"round":1,)"
             R"("withinMs":0}})");
  const caf::Ballot ranked = ballot_in(json_of(R"({"ranking":["soup","bread"]})"), agenda());
  BOOST_TEST(ranked.ranking == (std::vector<caf::Candidate>{2, 0}),
             boost::test_tools::per_element());
  const caf::Ballot approving = ballot_in(json_of(R"({"approved":["rice"]})"), agenda());
  BOOST_TEST(approving.approved.value() == (std::vector<caf::Candidate>{1}),
             boost::test_tools::per_element());
  const caf::Ballot grading =
      ballot_in(json_of(R"({"scores":{"bread":1,"rice":2,"soup":3}})"), agenda());
  BOOST_TEST(grading.scores.value().size() == 3);
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_no_ballot_abstains) {
  for (const char* answer :
       {"null", "[]", R"({"ranking":"soup"})", R"({"ranking":["fish"]})",
        R"({"ranking":["soup","soup"]})", R"({"ranking":[0]})", R"({"scores":{"bread":1}})",
        R"({"approved":[[]]})", R"({"scores":{"bread":1,"rice":2,"soup":3000000000}})"}) {
    const caf::Ballot ballot = ballot_in(json_of(answer), agenda());
    BOOST_TEST((ballot == caf::Ballot()), answer);
  }
}

BOOST_AUTO_TEST_CASE(proposals_are_texts) {
  BOOST_TEST(proposals_in(json_of(R"({"alternatives":["a","b"]})")).size() == 2);
  for (const char* answer : {"null", R"({"alternatives":"a"})", R"({"alternatives":["a",7]})",
                             R"({"alternatives":[""]})"})
    BOOST_TEST(proposals_in(json_of(answer)).empty(), answer);
}

BOOST_AUTO_TEST_CASE(a_reply_has_a_value) {
  BOOST_TEST((value_of_reply(content_of_value(Json().set("a", 1))) == Json().set("a", 1)));
  BOOST_TEST((value_of_reply(Content("{\"a\":1}")) == Json().set("a", 1)));
  BOOST_TEST((value_of_reply(Content("12 please")) == Json()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
