// The proofs that the server of a foreign agent gives by its card, and those that it gets.
#include "coracle/a2a/foreign_agent.hpp"

#include "coracle/web/digest.hpp"
#include "support/place.hpp"
#include "support/scripted.hpp"
#include "support/visit.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <string>
#include <vector>

namespace coracle::a2a {
namespace {

using namespace std::chrono_literals;
using namespace test;

BOOST_AUTO_TEST_SUITE(foreign_proofs)

BOOST_AUTO_TEST_CASE(an_agent_is_asked_only_if_a_trusted_key_has_signed_its_card) {
  const auto sign_with = [](const char* key) {
    return [key](std::string_view text) { return web::Signature{key, web::sha256_of(text)}; };
  };
  ServerOptions signing;
  signing.signer = sign_with("ours");
  Place place(signing), unsigned_place;
  const auto asked = [&](const Place& at, const char* trusted) {
    ForeignOptions options = Visit::at(at.server->address() + "/a2a/lab/helper");
    options.trusted = [=](const web::Signature& signature, std::string_view text) {
      return signature == sign_with(trusted)(text);
    };
    return Visit(options).ask("hello");
  };
  BOOST_TEST(asked(place, "ours") == "you said hello");
  BOOST_TEST(has(asked(place, "other"), "no signature by a key that is trusted"));
  BOOST_TEST(has(asked(unsigned_place, "ours"), "no signature by a key that is trusted"));
}

BOOST_AUTO_TEST_CASE(a_proof_leaves_this_host_by_https_only) {
  http::Loop loop;
  http::Client client(loop);
  const auto begins = [&](const ForeignOptions& options) {
    try {
      const ForeignAgent agent(client, options);
      return true;
    } catch (const Error& error) {
      BOOST_TEST((error.errc() == Errc::bad_options), error.sentence());
      return false;
    }
  };
  for (const char* address :
       {"https://a.example/x", "http://127.0.0.1:9/", "http://[::1]:9/", "http://localhost/x"})
    BOOST_TEST(begins({.address = address, .token = "secret"}), address);
  const std::string plain = "http://a.example/x", secure = "https://a.example/x";
  BOOST_TEST(begins({.address = plain}));
  BOOST_TEST(!begins({.address = plain, .token = "secret"}));
  BOOST_TEST(!begins({.address = plain, .api_key = "secret"}));
  BOOST_TEST(!begins({.address = secure, .token = "secret", .origins = {plain}}));
  BOOST_TEST(!begins({.address = secure, .token = "two words"}));
}

// Somebody has put another server at its address.
BOOST_AUTO_TEST_CASE(an_agent_whose_card_loses_its_signature_gets_neither_tasks_nor_proofs) {
  http::Loop loop;
  loop.start();
  Scripted server(loop, false);
  std::atomic<int> calls{0};
  server.set([&](const http::Request& request, const http::Responder& to) {
    ++calls;
    result(has(std::string(request.headers.find("Authorization").value_or("")), "secret")
               ? done
               : "{}")(request, to);
  });
  const Json unsigned_card = server.card();
  Json signed_card = unsigned_card;
  signed_card.set("signatures", Json().push(Json().set("protected", "ours").set("signature", "x")));
  server.set_card(signed_card);
  ForeignOptions options = Visit::at(server.address());
  options.token = "secret";
  options.card_time = 1ms;
  options.trusted = [](const web::Signature& signature, std::string_view) {
    return signature.protected_header == "ours";
  };
  Visit visit(options);
  const auto await = [&](const std::string& answer) {
    for (int tries = 0; tries < 100'000 && !has(visit.ask("dig"), answer); ++tries) {
    }
    BOOST_TEST(has(visit.ask("dig"), answer));
  };
  await("dug");
  BOOST_TEST(calls > 0);
  server.set_card(unsigned_card);
  await("no signature by a key that is trusted");
  const int before = calls;
  for (int i = 0; i < 10; ++i) BOOST_TEST(has(visit.ask("dig"), "no signature by a key"));
  BOOST_TEST(calls == before);
  BOOST_TEST(server.card_proofs() == 0);
  const auto found = Port(visit.node, "asker").act<std::vector<Entry>>([](Agent& me) {
    return me.search(where("skill/dig").exists());
  });
  BOOST_TEST(found.empty());
  server.set_card(signed_card);
  await("dug");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
