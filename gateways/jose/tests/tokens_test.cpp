#include "coracle/jose/tokens.hpp"

#include "coracle/errors.hpp"
#include "coracle/http/server.hpp"
#include "coracle/log.hpp"
#include "coracle/support/manual_clock.hpp"
#include "coracle/web/callers.hpp"
#include "support/vectors.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <condition_variable>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace coracle::jose {
namespace {

using namespace std::chrono_literals;
using test::Vectors;

constexpr const char* no_keys = R"({"keys": []})";

// An issuer that gives what it is told to.
struct Issuer {
  Issuer() {
    http::Routes routes;
    routes.on("GET", "/keys", [this](const http::Request&, const http::Responder& to) {
      const std::lock_guard lock(mutex);
      ++asked;
      changed.notify_all();
      to.send(http::Response::with(keys, "application/json", status));
    });
    routes.on("GET", "/.well-known/openid-configuration",
              [this](const http::Request&, const http::Responder& to) {
                const std::lock_guard lock(mutex);
                to.send(http::Response::with(configuration, "application/json"));
              });
    server.emplace(loop, http::ServerOptions(), std::move(routes));
    configure(R"({"issuer": ")" + vectors.text("issuer") + R"(", "jwks_uri": ")" + url() + "\"}");
    loop.start();
  }

  std::string url() const { return server->url().text() + "keys"; }
  TokenJudge judge() {
    TokenOptions options;
    options.rules = vectors.rules();
    options.key_url = url();
    return token_judge(loop, options, times());
  }
  TokenTimes times() {
    return {&clock, [now = vectors.now()] { return now; }};
  }
  void give(const std::string& text, int with_status = 200) {
    const std::lock_guard lock(mutex);
    keys = text, status = with_status;
  }
  void configure(const std::string& text) {
    const std::lock_guard lock(mutex);
    configuration = text;
  }
  int requests() {
    const std::lock_guard lock(mutex);
    return asked;
  }
  void await_requests(int wanted) {
    std::unique_lock lock(mutex);
    BOOST_TEST_REQUIRE(changed.wait_for(lock, 30s, [&] { return asked >= wanted; }));
  }
  // Judges until the new keys have arrived.
  void await_caller(const TokenJudge& judged, const std::string& token) {
    for (int tries = 0; tries < 100'000 && !judged(token); ++tries) std::this_thread::yield();
    BOOST_TEST(judged(token).value_or("") == "jwt:ann");
  }

  Vectors vectors;
  http::Loop loop;
  detail::ManualClock clock;
  std::mutex mutex;  // guards the next five
  std::condition_variable changed;
  std::string keys = test::text_of("keys.json"), configuration;
  int status = 200, asked = 0;
  std::optional<http::Server> server;
};

// The warnings of keys that cannot be read again.
struct Warnings {
  Warnings() {
    set_log_sink([this](const LogLine& line) {
      if (line.text.find("cannot be read again") == line.text.npos) return;
      const std::lock_guard lock(mutex);
      ++seen;
      changed.notify_all();
    });
  }
  ~Warnings() { set_log_sink(nullptr); }
  void await(int wanted) const {
    std::unique_lock lock(mutex);
    BOOST_TEST_REQUIRE(changed.wait_for(lock, 30s, [&] { return seen >= wanted; }));
  }

  mutable std::mutex mutex;  // guards the next two
  mutable std::condition_variable changed;
  int seen = 0;
};

// The keys of the vectors without those of that id.
std::string keys_without(const std::string& id) {
  const web::Json whole = web::parse_json(test::text_of("keys.json")).value();
  web::Json left;
  for (const web::Json& each : *whole.find("keys")->if_array())
    if (*each.find("kid")->if_text() != id) left.push(each);
  return web::to_text(web::Json().set("keys", left));
}

// The keys of the vectors, again and again.
std::string megabyte_of_keys() {
  const std::string set = test::text_of("keys.json");
  const std::size_t begin = set.find('[') + 1;
  const std::string keys = set.substr(begin, set.rfind(']') - begin);
  std::string all = R"({"keys": [)" + keys;
  while (all.size() < (std::size_t{1} << 20)) all += ',' + keys;
  return all + "]}";
}

BOOST_AUTO_TEST_SUITE(tokens)

BOOST_AUTO_TEST_CASE(keys_come_from_a_url) {
  Issuer issuer;
  const TokenJudge judge = issuer.judge();
  BOOST_TEST(judge(issuer.vectors.token("good", "es256")).value_or("") == "jwt:ann");
  BOOST_TEST(judge(issuer.vectors.token("good", "rs256")).value_or("") == "jwt:ann");
  BOOST_TEST(!judge(issuer.vectors.token("it has expired", "before")).has_value());
  BOOST_TEST(issuer.requests() == 1);
}

BOOST_AUTO_TEST_CASE(a_key_that_is_unknown_is_asked_for_once_in_a_minute) {
  Issuer issuer;
  issuer.give(keys_without("curve"));
  const TokenJudge judge = issuer.judge();
  const std::string& token = issuer.vectors.token("good", "es256");
  issuer.give(test::text_of("keys.json"));
  for (int i = 0; i < 100; ++i) BOOST_TEST(!judge(token).has_value());
  issuer.clock.advance(60s);
  (void)judge(token);
  issuer.await_requests(2);
  issuer.await_caller(judge, token);
  // Those whose keys nobody has cause no requests.
  for (int i = 0; i < 100; ++i)
    BOOST_TEST(!judge(issuer.vectors.token("its key is unknown", "no such")).has_value());
  BOOST_TEST(judge(token).has_value());
  BOOST_TEST(issuer.requests() == 2);
}

BOOST_AUTO_TEST_CASE(a_key_that_was_withdrawn_is_not_accepted_after_an_idle_time) {
  Issuer issuer;
  const TokenJudge judge = issuer.judge();
  const std::string& token = issuer.vectors.token("good", "es256");
  BOOST_TEST(judge(token).has_value());
  issuer.give(keys_without("curve"));
  issuer.clock.advance(10min);
  BOOST_TEST(!judge(token).has_value());  // it causes the request
  issuer.await_requests(2);
  issuer.await_caller(judge, issuer.vectors.token("good", "rs256"));
  BOOST_TEST(!judge(token).has_value());
}

BOOST_AUTO_TEST_CASE(nobody_is_refused_for_old_keys_while_tokens_come) {
  Issuer issuer;
  const TokenJudge judge = issuer.judge();
  const std::string &always = issuer.vectors.token("good", "rs256"),
                    &sometimes = issuer.vectors.token("good", "es256");
  for (int i = 2; i < 10; ++i) {
    const bool has_all = i % 2 != 0;
    issuer.give(has_all ? test::text_of("keys.json") : keys_without("curve"));
    issuer.clock.advance(5min);
    BOOST_TEST(judge(always).has_value());
    issuer.await_requests(i);
    // The new keys have arrived once they are used.
    for (int tries = 0; tries < 100'000 && judge(sometimes).has_value() != has_all; ++tries)
      std::this_thread::yield();
    BOOST_TEST(judge(sometimes).has_value() == has_all);
  }
}

BOOST_AUTO_TEST_CASE(keys_stay_in_use_for_an_hour_while_their_issuer_fails) {
  Issuer issuer;
  const Warnings warnings;
  const TokenJudge judge = issuer.judge();
  const std::string& token = issuer.vectors.token("good", "es256");
  int failures = 0;
  for (const auto& [text, status] : {std::pair<std::string, int>("", 500),
                                     {"{", 200},
                                     {no_keys, 200},
                                     {std::string(300'000, ' '), 200},
                                     {megabyte_of_keys(), 200}}) {
    issuer.give(text, status);
    issuer.clock.advance(9min);
    BOOST_TEST(judge(token).has_value());
    warnings.await(++failures);
    BOOST_TEST(judge(token).has_value());
  }
  issuer.clock.advance(9min);  // 54 minutes
  BOOST_TEST(judge(token).has_value());
  warnings.await(++failures);
  issuer.clock.advance(6min);
  BOOST_TEST(!judge(token).has_value());
  warnings.await(++failures);
  BOOST_TEST(!judge(token).has_value());
  issuer.give(test::text_of("keys.json"));
  issuer.clock.advance(1min);
  issuer.await_caller(judge, token);
}

BOOST_AUTO_TEST_CASE(old_keys_are_used_after_an_idle_time_only_once_their_issuer_has_failed) {
  Issuer issuer;
  const Warnings warnings;
  const TokenJudge judge = issuer.judge();
  const std::string& token = issuer.vectors.token("good", "es256");
  issuer.give("", 500);
  issuer.clock.advance(30min);
  (void)judge(token);
  warnings.await(1);
  BOOST_TEST(judge(token).has_value());
  issuer.clock.advance(29min);
  (void)judge(token);
  warnings.await(2);
  BOOST_TEST(judge(token).has_value());
  issuer.clock.advance(1min);
  BOOST_TEST(!judge(token).has_value());
}

BOOST_AUTO_TEST_CASE(an_issuer_tells_the_place_of_its_keys) {
  Issuer issuer;
  TokenOptions options;
  options.rules = issuer.vectors.rules();
  const std::string base = issuer.server->url().text();
  options.rules.issuer = base.substr(0, base.size() - 1);
  const auto begin = [&] { return token_judge(issuer.loop, options, issuer.times()); };
  BOOST_CHECK_THROW(begin(), Error);  // the configuration is of another issuer
  issuer.configure(R"({"issuer": ")" + options.rules.issuer + R"(", "jwks_uri": ")" + issuer.url() +
                   "\"}");
  BOOST_CHECK_NO_THROW(begin());
  issuer.configure(R"({"issuer": ")" + options.rules.issuer +
                   R"(", "jwks_uri": "http://keys.example/keys"})");
  BOOST_CHECK_THROW(begin(), Error);  // no https
  for (const char* text : {"", "{}", "[]"}) {
    issuer.configure(text);
    BOOST_CHECK_THROW(begin(), Error);
  }
}

BOOST_AUTO_TEST_CASE(keys_in_a_file_are_read_again) {
  Issuer issuer;
  const coracle::test::TemporaryFolder folder;
  TokenOptions options;
  options.rules = issuer.vectors.rules();
  options.key_file = folder / "keys";
  const std::string& token = issuer.vectors.token("good", "es256");
  std::ofstream(options.key_file) << keys_without("curve");
  const TokenJudge judge = token_judge(issuer.loop, options, issuer.times());
  std::ofstream(options.key_file) << test::text_of("keys.json");
  BOOST_TEST(!judge(token).has_value());
  issuer.clock.advance(60s);
  BOOST_TEST(judge(token).value_or("") == "jwt:ann");
  std::ofstream(options.key_file) << keys_without("curve");
  issuer.clock.advance(10min);
  BOOST_TEST(!judge(token).has_value());  // the first token after an idle time is judged by it
  const std::string& other = issuer.vectors.token("good", "rs256");
  BOOST_TEST(judge(other).has_value());
  std::ofstream(options.key_file) << "nothing";
  issuer.clock.advance(59min);
  BOOST_TEST(judge(other).has_value());
  issuer.clock.advance(1min);
  BOOST_TEST(!judge(other).has_value());
}

BOOST_AUTO_TEST_CASE(options_that_cannot_be_used_are_refused) {
  Issuer issuer;
  const auto errc_of = [&](TokenOptions options) {
    options.rules = issuer.vectors.rules();
    try {
      (void)token_judge(issuer.loop, std::move(options), issuer.times());
      return Errc::bad_name;
    } catch (const Error& error) {
      return error.errc();
    }
  };
  BOOST_TEST((errc_of({.key_file = "/none"}) == Errc::no_such_file));
  BOOST_TEST((errc_of({.key_file = "x", .key_url = issuer.url()}) == Errc::bad_options));
  BOOST_TEST((errc_of({.key_url = "http://keys.example/"}) == Errc::bad_options));
  BOOST_TEST((errc_of({.key_url = "keys"}) == Errc::bad_endpoint));
  BOOST_TEST((errc_of({.key_url = issuer.url() + "x"}) == Errc::refused));
  issuer.give(no_keys);
  BOOST_TEST((errc_of({.key_url = issuer.url()}) == Errc::bad_encoding));
}

BOOST_AUTO_TEST_CASE(the_log_tells_the_reason_of_a_refusal_and_the_stranger_does_not_learn_it) {
  Issuer issuer;
  const web::Callers callers({.judge = issuer.judge()});
  std::vector<std::string> lines;
  set_log_sink([&](const LogLine& line) { lines.emplace_back(line.text); });
  std::vector<std::string> sentences;
  for (const auto& [fault, name] : {std::pair("it has expired", "before"),
                                    {"it has another issuer", "other"},
                                    {"its signature is wrong", "changed"},
                                    {"it has expired", "long before"}}) {
    http::Request request;
    request.headers.add("Authorization", "Bearer " + issuer.vectors.token(fault, name));
    sentences.push_back(callers.caller_of(request).error().sentence());
  }
  set_log_sink(nullptr);
  for (const std::string& each : sentences) BOOST_TEST(each == sentences.front());
  BOOST_TEST_REQUIRE(lines.size() == 3);  // one line a minute for each fault
  BOOST_TEST(lines[0] == "a token was refused: it has expired");
  BOOST_TEST(lines[1] == "a token was refused: it has another issuer");
  BOOST_TEST(callers.challenge().find("WWW-Authenticate").value_or("") ==
             "Bearer realm=\"coracle\"");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::jose
