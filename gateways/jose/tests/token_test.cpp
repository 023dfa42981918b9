#include "coracle/jose/token.hpp"

#include "coracle/errors.hpp"
#include "support/vectors.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>

namespace coracle::jose {
namespace {

using namespace std::chrono_literals;
using test::Vectors;

std::string text_of(const TokenVerdict& verdict) {
  return verdict.caller ? "caller " + *verdict.caller : verdict.fault;
}

BOOST_AUTO_TEST_SUITE(token)

// Each fault of a token has some here, and each check has a mutation that one of them finds.
BOOST_AUTO_TEST_CASE(tokens_of_another_program_are_judged_by_their_faults) {
  const Vectors vectors;
  const web::JsonReader all = web::JsonReader(vectors.whole).at("tokens");
  std::size_t count = 0;
  for (const web::Json::Member& group : *all.object().if_object()) {
    for (const web::Json::Member& each : *group.value.if_object()) {
      const TokenVerdict verdict =
          judge_token(*each.value.if_text(), vectors.keys, vectors.rules(), vectors.now());
      const std::string wanted = group.name == "good" ? "caller jwt:ann" : group.name;
      BOOST_TEST(text_of(verdict) == wanted, each.name << ": " << text_of(verdict));
      BOOST_TEST(verdict.has_unknown_key == (group.name == "its key is unknown"));
      ++count;
    }
  }
  BOOST_TEST(count > 50);
}

BOOST_AUTO_TEST_CASE(a_token_is_valid_between_its_times_only) {
  const Vectors vectors;
  const std::string& token = vectors.token("good", "es256");
  const auto at = [&](Duration after) {
    return text_of(
        judge_token(token, vectors.keys, vectors.rules(),
                    vectors.now() + std::chrono::duration_cast<std::chrono::milliseconds>(after)));
  };
  BOOST_TEST(at(-331s) == "it is not valid yet");
  BOOST_TEST(at(-330s) == "caller jwt:ann");
  BOOST_TEST(at(330s - 1ms) == "caller jwt:ann");
  BOOST_TEST(at(330s) == "it has expired");
}

BOOST_AUTO_TEST_CASE(only_the_algorithms_of_the_rules_are_accepted) {
  const Vectors vectors;
  TokenRules rules = vectors.rules();
  rules.algorithms = {"RS256"};
  const auto judged = [&](const char* name) {
    return text_of(judge_token(vectors.token("good", name), vectors.keys, rules, vectors.now()));
  };
  BOOST_TEST(judged("rs256") == "caller jwt:ann");
  BOOST_TEST(judged("es256") == "its algorithm is not accepted");
  BOOST_TEST(judged("ps256") == "its algorithm is not accepted");
}

// Nobody can make such rules, since check_rules() refuses them; keys do not fit them either.
BOOST_AUTO_TEST_CASE(no_rules_make_a_secret_of_a_key) {
  const Vectors vectors;
  TokenRules rules = vectors.rules();
  rules.algorithms = {"none", "None", "HS256"};
  for (const char* name :
       {"none", "None", "none, signed", "hmac by the public key", "hmac by a secret of the set"}) {
    const std::string& token = vectors.token("its algorithm is not accepted", name);
    BOOST_TEST(text_of(judge_token(token, vectors.keys, rules, vectors.now())) ==
               "its key is unknown");
  }
}

BOOST_AUTO_TEST_CASE(texts_that_are_no_tokens_are_refused) {
  const Vectors vectors;
  const std::string good = vectors.token("good", "es256");
  for (const std::string& text :
       {std::string(), std::string("x"), std::string(".."), std::string("..."), good + ".x",
        good + "=", " " + good, good.substr(0, good.rfind('.')),
        good.substr(0, good.rfind('.') + 1), good.substr(good.find('.')), "." + good,
        std::string(max_token + 1, 'a'), std::string(5000, 'a') + ".a.a", std::string("bm8.a.a"),
        std::string("eyJhbGciOjF9.a.a")}) {
    const TokenVerdict verdict = judge_token(text, vectors.keys, vectors.rules(), vectors.now());
    BOOST_TEST(!verdict.caller.has_value());
    BOOST_TEST(verdict.fault != nullptr);
  }
}

BOOST_AUTO_TEST_CASE(without_keys_every_key_is_unknown) {
  const Vectors vectors;
  const TokenVerdict verdict =
      judge_token(vectors.token("good", "es256"), KeySet(), vectors.rules(), vectors.now());
  BOOST_TEST(!verdict.caller.has_value());
  BOOST_TEST(verdict.has_unknown_key);
}

BOOST_AUTO_TEST_CASE(rules_that_check_nothing_are_refused) {
  const auto broken = [](const std::function<void(TokenRules&)>& breaks) {
    TokenRules rules = Vectors().rules();
    breaks(rules);
    try {
      check_rules(rules);
      return false;
    } catch (const Error& error) {
      return error.errc() == Errc::bad_options;
    }
  };
  BOOST_TEST(!broken([](TokenRules&) {}));
  BOOST_TEST(broken([](TokenRules& rules) { rules.issuer.clear(); }));
  BOOST_TEST(broken([](TokenRules& rules) { rules.audience.clear(); }));
  BOOST_TEST(broken([](TokenRules& rules) { rules.algorithms.clear(); }));
  BOOST_TEST(broken([](TokenRules& rules) { rules.algorithms = {"none"}; }));
  BOOST_TEST(broken([](TokenRules& rules) { rules.algorithms = {"ES256", "HS256"}; }));
  BOOST_TEST(broken([](TokenRules& rules) { rules.caller_claim.clear(); }));
  BOOST_TEST(broken([](TokenRules& rules) { rules.prefix = "\n"; }));
  BOOST_TEST(broken([](TokenRules& rules) { rules.leeway = 11min; }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::jose
