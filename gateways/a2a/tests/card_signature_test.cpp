#include "coracle/a2a/card_signature.hpp"

#include "coracle/a2a/model_json.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>

namespace coracle::a2a {
namespace {

// A signature that shows what was signed.
web::Signature shown(std::string_view text) { return {"header", std::string(text)}; }
bool is_shown(const web::Signature& signature, std::string_view text) {
  return signature.protected_header == "header" && signature.signature == text;
}

AgentCard some_card() {
  AgentCard card;
  card.name = "painter";
  card.version = "1";
  card.supported_interfaces = {{"https://h/a2a/p", "JSONRPC"}};
  card.capabilities.streaming = false;
  card.capabilities.extensions = {{"urn:x", "", false, Json().set("b", 1.0).set("a", "")}};
  card.skills.push_back({"paint", "painting", ""});
  return card;
}

BOOST_AUTO_TEST_SUITE(card_signature)

// The text that a2a-sdk 1.3.0 signs for this card.
BOOST_AUTO_TEST_CASE(the_canonical_text_without_what_is_empty_is_signed) {
  BOOST_TEST(signed_text(some_card()) ==
             R"({"capabilities":{"extensions":[{"params":{"b":1},"uri":"urn:x"}],)"
             R"("streaming":false},"name":"painter","skills":[{"id":"paint","name":"painting"}],)"
             R"("supportedInterfaces":[{"protocolBinding":"JSONRPC","protocolVersion":"1.0",)"
             R"("url":"https://h/a2a/p"}],"version":"1"})");
}

BOOST_AUTO_TEST_CASE(a_signature_is_valid_for_the_whole_card) {
  AgentCard card = some_card();
  BOOST_TEST(!is_signed(card, is_shown));
  sign(card, shown);
  BOOST_TEST(is_signed(card, is_shown));
  // It stays so when the card is sent, and when others sign it, too.
  const Json sent = to_json(card);
  BOOST_TEST(is_signed(read<AgentCard>(web::JsonReader(sent)), is_shown));
  card.signatures.insert(card.signatures.begin(), {"other", "x"});
  BOOST_TEST(is_signed(card, is_shown));
  for (const std::function<void(AgentCard&)>& change :
       {std::function<void(AgentCard&)>([](AgentCard& one) { one.name = "pointer"; }),
        std::function<void(AgentCard&)>(
            [](AgentCard& one) { one.supported_interfaces[0].url = "https://e/a2a/p"; }),
        std::function<void(AgentCard&)>([](AgentCard& one) { one.capabilities.streaming = true; }),
        std::function<void(AgentCard&)>([](AgentCard& one) { one.skills.clear(); }),
        std::function<void(AgentCard&)>([](AgentCard& one) { one.icon_url = "x"; })}) {
    AgentCard changed = card;
    change(changed);
    BOOST_TEST(!is_signed(changed, is_shown));
  }
}

BOOST_AUTO_TEST_CASE(only_the_first_ten_signatures_are_checked) {
  AgentCard card = some_card();
  card.signatures.assign(10, {"other", "x"});
  sign(card, shown);
  int checked = 0;
  BOOST_TEST(!is_signed(card, [&](const web::Signature& signature, std::string_view text) {
    ++checked;
    return is_shown(signature, text);
  }));
  BOOST_TEST(checked == 10);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
