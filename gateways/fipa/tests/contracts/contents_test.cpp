// The contents of contract nets, in both languages.
#include "coracle/fipa/contracts/contents.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace coracle::fipa {

namespace {

acl::Message with(acl::Body content) {
  acl::Message message;
  message.content = std::move(content);
  return message;
}

std::string text_of(const acl::Body& body) { return std::get<std::string>(body); }

caf::Contract digging() {
  caf::Contract contract;
  contract.kind = "dig";
  contract.subject = "a hole";
  return contract;
}

caf::Contract two_items() {
  caf::Contract contract = digging();
  contract.items = {"left", "the right"};
  contract.size = 3;
  return contract;
}

caf::Bid bid(caf::Amount amount) { return {0, 0, {{1, amount}}, {}}; }

// The amount that a proposal with that text means; -1 if it is refused.
caf::Amount amount_in(const std::string& text, int decimals) {
  try {
    return text_contents(decimals)->read_bid(digging(), with(text)).offerings.at(0).amount;
  } catch (const Error& error) {
    BOOST_TEST((error.errc() == Errc::bad_encoding));
    return -1;
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(contents)

BOOST_AUTO_TEST_CASE(a_call_in_plain_text_is_the_subject_with_the_kind_as_its_ontology) {
  const auto contents = text_contents();
  acl::Message cfp;
  contents->write_call(digging(), cfp);
  BOOST_TEST(acl::text_of(cfp) == "a hole");
  BOOST_TEST(cfp.ontology == "dig");
  BOOST_TEST((contents->read_call(cfp) == digging()));
  BOOST_TEST(text_of(contents->write_text("done")) == "done");
  BOOST_TEST(contents->read_text(with("done")) == "done");
}

BOOST_AUTO_TEST_CASE(plain_text_has_no_items) {
  acl::Message cfp;
  BOOST_CHECK_EXCEPTION(text_contents()->write_call(two_items(), cfp), Error,
                        [](const Error& error) { return error.errc() == Errc::bad_options; });
  BOOST_CHECK_THROW(text_contents(-1), Error);
  BOOST_CHECK_THROW(text_contents(10), Error);
}

BOOST_AUTO_TEST_CASE(an_amount_is_a_decimal_number) {
  BOOST_TEST(amount_in("20", 0) == 20);
  BOOST_TEST(amount_in(" 20.0\n", 0) == 20);
  BOOST_TEST(amount_in("9.5", 2) == 950);
  BOOST_TEST(amount_in("9.500", 2) == 950);
  BOOST_TEST(amount_in("0.07", 2) == 7);
  BOOST_TEST(amount_in("9.", 2) == 900);
  BOOST_TEST(amount_in("9007199254740992", 0) == caf::amount_limit);
  for (const char* const wrong : {"", " ", "-1", "1e3", "1.5", "five", "1 2", "0x10", "+1", ".5",
                                  "9007199254740993", "99999999999999999999999999"})
    BOOST_TEST(amount_in(wrong, 0) == -1, wrong);
  BOOST_TEST(amount_in("9.555", 2) == -1);
  BOOST_TEST(amount_in("1.2.3", 3) == -1);
}

BOOST_AUTO_TEST_CASE(a_written_amount_reads_back) {
  for (const int decimals : {0, 2, 9}) {
    for (const caf::Amount amount : {caf::Amount{0}, caf::Amount{7}, caf::Amount{950},
                                     caf::Amount{123456789012}, caf::amount_limit}) {
      const acl::Body body = text_contents(decimals)->write_bid(digging(), bid(amount));
      BOOST_TEST(amount_in(text_of(body), decimals) == amount);
    }
  }
  BOOST_TEST(text_of(text_contents(2)->write_award(digging(), {1, 7})) == "0.07");
}

BOOST_AUTO_TEST_CASE(sl_has_items_bundles_and_texts) {
  const auto contents = sl_contents();
  acl::Message cfp;
  contents->write_call(two_items(), cfp);
  BOOST_TEST(cfp.language == "fipa-sl0");
  BOOST_TEST(acl::text_of(cfp) ==
             "((contract :kind dig :subject \"a hole\" :items (sequence left \"the right\") "
             ":size 3))");
  BOOST_TEST((contents->read_call(cfp) == two_items()));
  const caf::Bid offered{0, 0, {{2, 7}, {3, 9}}, "deep"};
  const acl::Body body = contents->write_bid(two_items(), offered);
  const caf::Bid read = contents->read_bid(two_items(), with(body));
  BOOST_TEST((read.offerings == offered.offerings));
  BOOST_TEST(read.text == "deep");
  BOOST_TEST(text_of(contents->write_award(two_items(), {1, 7})) ==
             "((award :items (sequence left) :amount 7))");
  BOOST_TEST(contents->read_text(with(contents->write_text("all is done"))) == "all is done");
  BOOST_TEST(contents->read_text(with("(rock)")) == "(rock)");
}

BOOST_AUTO_TEST_CASE(an_offering_of_sl_without_items_is_for_the_whole_contract) {
  const auto contents = sl_contents();
  const acl::Message proposal = with("((bid :offerings (sequence (offering :amount 4))))");
  BOOST_TEST(contents->read_bid(digging(), proposal).offerings.at(0).items == 1U);
  BOOST_TEST(contents->read_bid(two_items(), proposal).offerings.at(0).items == 3U);
}

BOOST_AUTO_TEST_CASE(sl_that_means_no_contract_or_bid_is_refused) {
  const auto contents = sl_contents();
  std::string many = "((contract :subject x :items (sequence";
  for (int i = 0; i < 65; ++i) many += " i" + std::to_string(i);
  for (const std::string& wrong :
       {std::string(), std::string("((contract))"), std::string("((dig a))"), many + ")))"})
    BOOST_CHECK_THROW((void)contents->read_call(with(wrong)), Error);
  for (const char* const wrong :
       {"", "20", "((bid :offerings (sequence (offering :items (sequence up) :amount 4))))",
        "((bid :offerings (sequence (offering :amount four))))"})
    BOOST_CHECK_THROW((void)contents->read_bid(two_items(), with(wrong)), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
