#include "coracle/web/callers.hpp"

#include "coracle/errors.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace coracle::web {
namespace {

const std::string anns_key = "key-of-ann-0123456789", bobs_token = "token-of-bob-0123456789";

Callers both() {
  return Callers({.api_keys = {{"ann", anns_key}}, .tokens = {{"bob", bobs_token}}});
}

std::string caller(const Callers& callers, http::Headers headers) {
  http::Request request;
  request.headers = std::move(headers);
  const auto found = callers.caller_of(request);
  return found ? *found : "refused";
}

BOOST_AUTO_TEST_SUITE(callers)

BOOST_AUTO_TEST_CASE(a_caller_is_known_by_its_secret) {
  BOOST_TEST(caller(both(), {{"X-API-Key", anns_key}}) == "ann");
  BOOST_TEST(caller(both(), {{"authorization", "bearer " + bobs_token}}) == "bob");
}

BOOST_AUTO_TEST_CASE(a_request_without_a_valid_proof_is_refused) {
  for (const http::Headers& headers :
       {http::Headers{}, http::Headers{{"X-API-Key", bobs_token}}, http::Headers{{"X-API-Key", ""}},
        http::Headers{{"Authorization", "Bearer " + anns_key}},
        http::Headers{{"Authorization", bobs_token}},
        http::Headers{{"Authorization", "Basic " + bobs_token}},
        http::Headers{{"X-API-Key", anns_key.substr(1)}},
        http::Headers{{"X-API-Key", anns_key}, {"X-API-Key", anns_key}}})
    BOOST_TEST(caller(both(), headers) == "refused");
}

BOOST_AUTO_TEST_CASE(two_proofs_have_to_name_the_same_caller) {
  BOOST_TEST(caller(both(), {{"X-API-Key", anns_key}, {"Authorization", "Bearer " + bobs_token}}) ==
             "refused");
  const Callers one({.api_keys = {{"ann", anns_key}}, .tokens = {{"ann", bobs_token}}});
  BOOST_TEST(caller(one, {{"X-API-Key", anns_key}, {"Authorization", "Bearer " + bobs_token}}) ==
             "ann");
  BOOST_TEST(caller(one, {{"X-API-Key", anns_key}, {"Authorization", "Bearer wrong"}}) ==
             "refused");
}

BOOST_AUTO_TEST_CASE(without_proofs_everybody_is_anyone) {
  BOOST_TEST(caller(Callers(), {}) == "anyone");
  BOOST_TEST(caller(Callers(), {{"Authorization", "Bearer x"}}) == "anyone");
  BOOST_TEST(!Callers().needs_proof());
}

BOOST_AUTO_TEST_CASE(a_refusal_says_which_proofs_are_accepted) {
  const http::Headers headers = both().challenge();
  BOOST_TEST(headers.count("WWW-Authenticate") == 2);
}

BOOST_AUTO_TEST_CASE(another_judge_is_asked_for_tokens_that_are_not_in_the_list) {
  const Callers judged({.tokens = {{"bob", bobs_token}}, .judge = [](std::string_view token) {
                          return token == "signed" ? std::optional<std::string>("eve")
                                                   : std::nullopt;
                        }});
  BOOST_TEST(caller(judged, {{"Authorization", "Bearer signed"}}) == "eve");
  BOOST_TEST(caller(judged, {{"Authorization", "Bearer " + bobs_token}}) == "bob");
  BOOST_TEST(caller(judged, {{"Authorization", "Bearer other"}}) == "refused");
}

BOOST_AUTO_TEST_CASE(a_caller_is_known_by_the_subject_of_its_certificate) {
  const Callers callers({.tokens = {{"bob", bobs_token}, {"ann", anns_key}},
                         .certificates = {{"ann", "CN=ann,O=Lab"}, {"ann", "CN=ann,O=Home"}}});
  const auto caller_with = [&](const char* subject, http::Headers headers = {}) {
    http::Request request;
    request.certificate_subject = subject;
    request.headers = std::move(headers);
    const auto found = callers.caller_of(request);
    return found ? *found : "refused";
  };
  BOOST_TEST(caller_with("CN=ann,O=Lab") == "ann");
  BOOST_TEST(caller_with("CN=ann,O=Home") == "ann");
  for (const char* other : {"", "CN=ann", "O=Lab,CN=ann", "CN=ann,O=Lab,OU=x", "cn=ann,o=lab"})
    BOOST_TEST(caller_with(other) == "refused");
  BOOST_TEST(caller_with("CN=proxy", {{"Authorization", "Bearer " + bobs_token}}) == "bob");
  BOOST_TEST(caller_with("CN=ann,O=Lab", {{"Authorization", "Bearer " + anns_key}}) == "ann");
  BOOST_TEST(caller_with("CN=ann,O=Lab", {{"Authorization", "Bearer " + bobs_token}}) == "refused");
  BOOST_TEST(caller_with("CN=ann,O=Lab", {{"Authorization", "Bearer x"}}) == "refused");
  BOOST_TEST(callers.needs_proof());
  BOOST_TEST(callers.challenge().count("WWW-Authenticate") == 2);
}

BOOST_AUTO_TEST_CASE(a_refusal_says_what_would_help) {
  const auto sentence = [](const Callers& callers, http::Headers headers) {
    http::Request request;
    request.headers = std::move(headers);
    return callers.caller_of(request).error().sentence();
  };
  const std::string none = "the request does not prove who sends it; send ";
  BOOST_TEST(sentence(both(), {}) == none + "a token or an API key");
  BOOST_TEST(sentence(Callers({.api_keys = {{"ann", anns_key}}}), {}) == none + "an API key");
  BOOST_TEST(sentence(Callers({.certificates = {{"ann", "CN=ann"}}}), {}) ==
             none + "the certificate of a caller");
  // The token of bob, and the key of ann.
  BOOST_TEST(
      sentence(both(), {{"Authorization", "Bearer " + bobs_token}, {"X-API-Key", anns_key}}) ==
      "the API key is that of another caller; leave one of the proofs out");
  BOOST_TEST(sentence(both(), {{"X-API-Key", "other"}}) ==
             "the API key is not valid; correct X-API-Key");
  // Its issuer may have a key that is not known yet.
  BOOST_TEST(sentence(both(), {{"Authorization", "Bearer other"}}) ==
             "the token is not accepted; try again, or get a new one");
}

BOOST_AUTO_TEST_CASE(a_server_and_its_callers_agree_about_certificates) {
  const auto fits = [](const Callers& callers, const std::optional<http::ServerTls>& tls) {
    try {
      callers.check(tls);
      return true;
    } catch (const Error& error) {
      BOOST_TEST((error.errc() == Errc::bad_options), error.sentence());
      return false;
    }
  };
  const http::ServerTls silent{"own.pem", "own.key"};
  const http::ServerTls asking{"own.pem", "own.key", "authority.pem", true};
  const http::ServerTls demanding{"own.pem", "own.key", "authority.pem", false};
  const Callers known({.certificates = {{"ann", "CN=ann"}}});
  BOOST_TEST(!fits(known, std::nullopt));
  BOOST_TEST(!fits(known, silent));
  BOOST_TEST(fits(known, asking));
  BOOST_TEST(fits(known, demanding));
  for (const Callers& others : {Callers(), both()}) {
    BOOST_TEST(fits(others, std::nullopt));
    BOOST_TEST(fits(others, silent));
    BOOST_TEST(!fits(others, asking));
    BOOST_TEST(fits(others, demanding));  // strangers are kept out
  }
}

BOOST_AUTO_TEST_CASE(bad_subjects_are_refused) {
  const auto make = [](const std::string& subject) {
    return Callers({.certificates = {{"ann", subject}}});
  };
  BOOST_CHECK_NO_THROW(make("CN=ann"));
  for (const std::string& subject : {std::string(), std::string("ann"), std::string("CN=a\nb"),
                                     std::string("CN=\xc3\xa4"), std::string(1001, '=')})
    BOOST_CHECK_THROW(make(subject), Error);
  BOOST_CHECK_THROW(Callers({.certificates = {{"ann", "CN=x"}, {"bob", "CN=x"}}}), Error);
  BOOST_CHECK_THROW(Callers({.certificates = {{"", "CN=x"}}}), Error);
}

BOOST_AUTO_TEST_CASE(bad_callers_are_refused) {
  const auto make = [](const std::string& name, const std::string& secret) {
    return Callers({.api_keys = {{name, secret}}});
  };
  BOOST_CHECK_NO_THROW(make("ann", anns_key));
  BOOST_CHECK_THROW(make("", anns_key), Error);
  BOOST_CHECK_THROW(make("anyone", anns_key), Error);
  BOOST_CHECK_THROW(make("a\nb", anns_key), Error);
  BOOST_CHECK_THROW(make("ann", "short"), Error);
  BOOST_CHECK_THROW(make("ann", "with a blank in it 123"), Error);
  BOOST_CHECK_THROW(Callers({.tokens = {{"ann", anns_key}, {"bob", anns_key}}}), Error);
}

BOOST_AUTO_TEST_CASE(a_file_of_callers_is_for_its_owner_only) {
  namespace fs = std::filesystem;
  const test::TemporaryFolder folder;
  const std::string path = folder / "callers";
  const auto write = [&](const std::string& text) {
    std::ofstream(path) << text;
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  };
  write(R"({"ann": {"apiKey": ")" + anns_key + R"("}, "bob": {"token": ")" + bobs_token + "\"}}");
  const Callers read(Callers::from_file(path));
  BOOST_TEST(caller(read, {{"X-API-Key", anns_key}}) == "ann");
  BOOST_TEST(caller(read, {{"Authorization", "Bearer " + bobs_token}}) == "bob");
  write(R"({"ann": {"certificate": "CN=ann"}})");
  BOOST_TEST(Callers(Callers::from_file(path)).takes_certificates());
  fs::permissions(path, fs::perms::group_read, fs::perm_options::add);
  BOOST_CHECK_THROW(Callers::from_file(path), Error);
  for (const char* text : {"", "{}", "[]", R"({"ann": {}})", R"({"ann": {"token": 5}})"}) {
    write(text);
    BOOST_CHECK_THROW(Callers::from_file(path), Error);
  }
  BOOST_CHECK_THROW(Callers::from_file(path + "x"), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::web
