#include "server/door.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::view {

namespace {

http::Request request(std::string query, std::string cookie = {}) {
  http::Request request;
  request.url.query = std::move(query);
  if (!cookie.empty()) request.headers.add("Cookie", cookie);
  return request;
}

std::string cookie_of(const http::Response& response) {
  const std::string value(*response.headers.find("Set-Cookie"));
  return value.substr(0, value.find(';'));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(door)

BOOST_AUTO_TEST_CASE(a_token_lets_one_browser_in_and_is_then_worth_nothing) {
  Door door(machine_random(), {});
  const std::string token = door.new_token();
  BOOST_TEST(door.receive(request(""))->status == 403);
  const auto let_in = door.receive(request("token=" + token));
  BOOST_TEST(let_in->status == 303);
  BOOST_TEST(let_in->headers.find("Set-Cookie")->find("HttpOnly; SameSite=Strict") !=
             std::string_view::npos);
  BOOST_TEST(!door.receive(request("", "other=1; " + cookie_of(*let_in))));
  BOOST_TEST(door.receive(request("token=" + token))->status == 403);
  BOOST_TEST(door.receive(request("token=" + std::string(64, '0')))->status == 403);
  BOOST_TEST(!door.is_inside(request("", "coracle-view=")));
}

BOOST_AUTO_TEST_CASE(only_the_last_sixteen_tokens_are_valid) {
  Door door(machine_random(), {});
  const std::string first = door.new_token();
  for (int i = 0; i < 16; ++i) door.new_token();
  BOOST_TEST(door.receive(request("token=" + first))->status == 403);
}

BOOST_AUTO_TEST_CASE(a_login_needs_the_key_and_guessing_is_slow) {
  Door door(machine_random(), {.login = "secret&1"});
  BOOST_TEST(door.receive(request(""))->status == 200);  // the form
  http::Request form;
  form.body = "key=secret%261";
  BOOST_TEST(door.log_in(form, Time{} + std::chrono::hours(1)).status == 303);
  http::Request wrong;
  wrong.body = "key=secret";
  int status = 0;
  for (int i = 0; i < 25; ++i) status = door.log_in(wrong, Time{} + std::chrono::hours(2)).status;
  BOOST_TEST(status == 429);
  BOOST_TEST(door.log_in(form, Time{} + std::chrono::hours(2)).status == 429);
  BOOST_TEST(door.log_in(form, Time{} + std::chrono::hours(3)).status == 303);
}

BOOST_AUTO_TEST_CASE(a_program_shows_its_secret_in_a_header) {
  Door door(machine_random(), {});
  http::Request metrics;
  metrics.headers.add("Authorization", "Bearer " + door.new_bearer());
  BOOST_TEST(door.is_inside(metrics));
}

BOOST_AUTO_TEST_CASE(every_response_forbids_scripts_of_others_and_frames) {
  http::Response response = http::Response::plain(200);
  protect(response);
  const std::string policy(*response.headers.find("Content-Security-Policy"));
  BOOST_TEST(policy.find("default-src 'none'; script-src 'self'") != policy.npos);
  BOOST_TEST(policy.find("frame-ancestors 'none'") != policy.npos);
  BOOST_TEST(policy.find("unsafe") == policy.npos);
  BOOST_TEST(*response.headers.find("X-Content-Type-Options") == "nosniff");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::view
