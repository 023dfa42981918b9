#include "server/session.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace coracle::http {
namespace {

using namespace std::chrono_literals;

// A session whose bytes and time the test moves.
struct SessionBench {
  explicit SessionBench(ServerLimits limits = {}, std::optional<Sites> sites = std::nullopt)
      : settings{
            limits,
            {limits.header_bytes, limits.header_fields, limits.target_bytes, limits.body_bytes},
            {},
            std::move(sites),
            Url::parse("http://localhost:7/").value()} {
    const Handler none = [](const Request&, const Responder&) {};
    settings.routes.on("GET", "/get", none).on("POST", "/post/{name}", none);
    session.emplace(settings, all, own, "peer:1", now);
  }

  SessionBench& gets(const std::string& bytes) {
    session->on_bytes(bytes, now);
    while (auto job = session->next_job()) jobs.push_back(*std::move(job));
    return *this;
  }
  // Takes what was written, as the peer does.
  std::string written() {
    std::string text;
    std::string_view views[16];
    while (!session->output().empty()) {
      const std::size_t count = session->output().front(views);
      std::size_t bytes = 0;
      for (std::size_t i = 0; i < count; ++i) text += views[i], bytes += views[i].size();
      session->output().drop(bytes);
      session->on_written(now);
      while (auto job = session->next_job()) jobs.push_back(*std::move(job));
    }
    return text;
  }
  // The status of the first response that was written.
  std::string status() { return written().substr(9, 3); }
  void respond(std::size_t job, const std::string& body) {
    session->respond(jobs.at(job).number, Response::with(body, "text/plain"), now);
  }
  bool is_over() { return session->is_over() && session->output().empty(); }

  SessionSettings settings;
  Budget all{1 << 20}, own{1 << 20};
  Time now{1000s};
  std::optional<ServerSession> session;
  std::vector<ServerSession::Job> jobs;
};

std::string get_text(const std::string& path = "/get", const std::string& headers = "") {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost:7\r\n" + headers + "\r\n";
}
std::string post_text(const std::string& body, const std::string& headers = "") {
  return "POST /post/x HTTP/1.1\r\nHost: localhost:7\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body;
}

BOOST_AUTO_TEST_SUITE(session)

BOOST_AUTO_TEST_CASE(a_request_comes_to_its_handler_with_everything_it_has) {
  SessionBench bench;
  bench.gets(
      "POST http://LOCALHOST:7/post/lab%2Frobot?q=1 HTTP/1.1\r\nHost: localhost:7\r\n"
      "Content-Length: 2\r\nX: y\r\n\r\nab");
  BOOST_REQUIRE(bench.jobs.size() == 1U);
  const Request& request = bench.jobs[0].request;
  BOOST_TEST(request.method == "POST");
  BOOST_TEST(request.url.text() == "http://localhost:7/post/lab%2Frobot?q=1");
  BOOST_TEST(request.parameter("name") == "lab/robot");
  BOOST_TEST(request.headers.find("x").value() == "y");
  BOOST_TEST(request.body == "ab");
  BOOST_TEST(request.peer == "peer:1");
}

BOOST_AUTO_TEST_CASE(a_response_has_its_length_and_the_words_of_the_connection) {
  SessionBench bench;
  bench.gets(get_text());
  bench.respond(0, "hello");
  BOOST_TEST(bench.written() ==
             "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello");
  bench.gets(get_text("/get", "Connection: Keep-Alive\r\n"));
  bench.respond(1, "");
  BOOST_TEST(bench.written().find("\r\nConnection: Keep-Alive\r\n") != std::string::npos);
  bench.gets(get_text("/get", "Connection: close\r\n") + get_text());
  BOOST_TEST(bench.jobs.size() == 3U);  // nothing is read behind the last request
  bench.respond(2, "");
  BOOST_TEST(bench.written().find("\r\nConnection: close\r\n") != std::string::npos);
  BOOST_TEST(bench.is_over());
}

BOOST_AUTO_TEST_CASE(responses_leave_in_the_order_of_the_requests) {
  SessionBench bench;
  bench.gets(get_text() + get_text() + get_text("/none") + get_text());
  BOOST_REQUIRE(bench.jobs.size() == 3U);
  bench.respond(2, "3");
  bench.respond(1, "2");
  BOOST_TEST(bench.written() == "");
  bench.respond(0, "1");
  const std::string text = bench.written();
  BOOST_TEST(text.find("\r\n\r\n1HTTP") < text.find("\r\n\r\n2HTTP"));
  BOOST_TEST(text.find("\r\n\r\n2HTTP") < text.find("404"));
  BOOST_TEST(text.ends_with("\r\n\r\n3"));
  bench.respond(0, "again");
  BOOST_TEST(bench.written() == "");
}

BOOST_AUTO_TEST_CASE(too_many_requests_at_once_have_to_wait) {
  ServerLimits limits;
  limits.pipelined = 2;
  SessionBench bench(limits);
  bench.gets(get_text() + get_text() + get_text() + get_text());
  BOOST_TEST(bench.jobs.size() == 2U);
  BOOST_TEST(!bench.session->wants_bytes());
  bench.respond(0, "");
  BOOST_TEST(bench.written() != "");
  BOOST_TEST(bench.jobs.size() == 3U);
  bench.respond(1, ""), bench.respond(2, "");
  BOOST_TEST(bench.written() != "");
  bench.respond(3, "");
  BOOST_TEST(bench.written() != "");
  BOOST_TEST(bench.session->wants_bytes());
  BOOST_TEST(bench.session->is_idle());
}

BOOST_AUTO_TEST_CASE(head_and_options_need_no_handler) {
  SessionBench bench;
  bench.gets("HEAD /get HTTP/1.1\r\nHost: localhost\r\n\r\n");
  bench.respond(0, "hello");
  BOOST_TEST(bench.written() ==
             "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n");
  bench.gets("OPTIONS /get HTTP/1.1\r\nHost: localhost\r\n\r\n");
  BOOST_TEST(bench.written() == "HTTP/1.1 204 No Content\r\nAllow: GET, HEAD, OPTIONS\r\n\r\n");
  bench.gets("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n");
  BOOST_TEST(bench.status() == "204");
  BOOST_TEST(!bench.is_over());
}

BOOST_AUTO_TEST_CASE(an_error_has_its_status_and_the_connection_stays_if_it_can) {
  const std::pair<std::string, std::string> stay[] = {
      {get_text("/none"), "404"},
      {get_text("/post/x"), "405"},
      {"POST /post/x HTTP/1.1\r\nHost: localhost\r\n\r\n", "411"},
      {get_text("/../get"), "404"},
  };
  for (const auto& [bytes, status] : stay) {
    SessionBench bench;
    bench.gets(bytes);
    BOOST_TEST(bench.status() == status, bytes);
    BOOST_TEST(!bench.is_over(), bytes);
  }
  const std::pair<std::string, std::string> end[] = {
      {"GET /get HTTP/1.1\r\n\r\n", "400"},
      {"GET /get HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "400"},
      {"GET /get HTTP/1.1\r\nHost: a b\r\n\r\n", "400"},
      {get_text("get"), "400"},
      {get_text("*"), "400"},
      {get_text("/%zz"), "400"},
      {get_text("http://"), "400"},
      {"CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n", "501"},
      {"BREW /get HTTP/1.1\r\nHost: h\r\n\r\n", "501"},
      {post_text("x", "Transfer-Encoding: chunked\r\n"), "400"},
      {"POST /none HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello", "404"},
      {post_text("x", "Expect: tea\r\n"), "417"},
      {"\x16\x03\x01", "400"},
  };
  for (const auto& [bytes, status] : end) {
    SessionBench bench;
    bench.gets(bytes);
    BOOST_TEST(bench.status() == status, bytes);
    BOOST_TEST(bench.is_over(), bytes);
    BOOST_TEST(bench.jobs.empty());
    bench.gets(get_text());
    BOOST_TEST(bench.jobs.empty());
  }
}

BOOST_AUTO_TEST_CASE(a_client_that_waits_for_permission_gets_it) {
  SessionBench bench;
  bench.gets(
      "POST /post/x HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  BOOST_TEST(bench.written() == "HTTP/1.1 100 Continue\r\n\r\n");
  bench.gets("ab");
  BOOST_TEST(bench.jobs.size() == 1U);
  SessionBench refused;
  refused.gets("POST /no HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  BOOST_TEST(refused.status() == "404");
}

BOOST_AUTO_TEST_CASE(old_clients_are_served) {
  SessionBench bench;
  bench.gets("GET /get HTTP/1.0\r\n\r\n");
  bench.respond(0, "x");
  BOOST_TEST(bench.written().find("Connection: close") != std::string::npos);
  BOOST_TEST(bench.is_over());
  SessionBench stays;
  stays.gets("GET /get HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  stays.respond(0, "x");
  BOOST_TEST(stays.written().find("Connection: Keep-Alive") != std::string::npos);
  BOOST_TEST(!stays.is_over());
}

BOOST_AUTO_TEST_CASE(slow_clients_are_told_and_idle_ones_are_not) {
  const auto after = [](const std::string& bytes, Duration time) {
    SessionBench bench;
    if (!bytes.empty()) bench.gets(bytes);
    bench.written();
    bench.now += time;
    bench.session->on_time(bench.now);
    const std::string text = bench.written();
    return (bench.is_over() ? "over " : "on ") + text.substr(0, 12);
  };
  BOOST_TEST(after("GET /g", 10s) == "over HTTP/1.1 408");
  BOOST_TEST(after("GET /g", 9s) == "on ");
  BOOST_TEST(after("", 10s) == "over ");
  BOOST_TEST(after(get_text("/none"), 60s) == "over ");
  BOOST_TEST(after(get_text("/none"), 59s) == "on ");
  BOOST_TEST(after("POST /post/x HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc", 60s) ==
             "over HTTP/1.1 408");
  BOOST_TEST(after(get_text(), 1000s) == "on ");  // the handler may take its time
}

BOOST_AUTO_TEST_CASE(a_client_that_takes_nothing_is_disconnected) {
  SessionBench bench;
  bench.gets(get_text());
  bench.respond(0, "x");
  BOOST_TEST((bench.session->deadline() == bench.now + 30s));
  bench.now += 30s;
  bench.session->on_time(bench.now);
  BOOST_TEST(bench.session->is_broken());
}

BOOST_AUTO_TEST_CASE(a_body_for_which_there_is_no_room_is_refused) {
  SessionBench bench;
  bench.own.change(0, (1 << 20) - 100);
  bench.gets("POST /post/x HTTP/1.1\r\nHost: h\r\nContent-Length: 500\r\n\r\n");
  BOOST_TEST(bench.written() == "");
  bench.gets(std::string(400, 'x'));
  BOOST_TEST(bench.status() == "503");
  BOOST_TEST(bench.is_over());
  BOOST_TEST(bench.session->take_refusals().size() == 1U);
  bench.session.reset();
  BOOST_TEST(bench.all.used() == 0U);
}

BOOST_AUTO_TEST_CASE(what_is_held_is_given_back) {
  SessionBench bench;
  bench.gets(post_text(std::string(1000, 'x')) + post_text(std::string(500, 'y')));
  BOOST_TEST(bench.all.used() >= 1500U);
  bench.respond(1, std::string(300, 'z'));
  BOOST_TEST(bench.all.used() >= 1800U);
  bench.respond(0, "");
  BOOST_TEST(bench.written() != "");
  BOOST_TEST(bench.all.used() == 0U);
}

BOOST_AUTO_TEST_CASE(a_half_closed_connection_still_gets_its_responses) {
  SessionBench bench;
  bench.gets(get_text() + get_text());
  bench.session->on_end(bench.now);
  BOOST_TEST(!bench.session->is_over());
  bench.respond(0, "1");
  bench.respond(1, "2");
  BOOST_TEST(bench.written().ends_with("2"));
  BOOST_TEST(bench.is_over());
  SessionBench cut;
  cut.gets(get_text() + "GET /ge");
  cut.session->on_end(cut.now);
  cut.respond(0, "1");
  BOOST_TEST(cut.written().find("HTTP/1.1 400") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_stream_has_chunks_and_its_turn) {
  SessionBench bench;
  bench.gets(get_text() + get_text() + get_text());
  Response head;
  head.headers.add("Content-Type", "text/event-stream");
  bench.session->begin_stream(bench.jobs[1].number, head, bench.now);
  BOOST_TEST(!bench.session->streaming().has_value());
  bench.respond(0, "");
  BOOST_TEST(bench.written().ends_with("Transfer-Encoding: chunked\r\n\r\n"));
  BOOST_TEST(bench.session->streaming().value() == bench.jobs[1].number);
  bench.session->stream("hello", bench.now);
  bench.respond(2, "x");
  bench.session->end_stream(bench.now);
  BOOST_TEST(bench.written().starts_with("5\r\nhello\r\n0\r\n\r\nHTTP/1.1 200 OK"));
  SessionBench old;
  old.gets("GET /get HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  old.session->begin_stream(old.jobs[0].number, head, old.now);
  old.session->stream("hello", old.now);
  old.session->end_stream(old.now);
  BOOST_TEST(old.written().ends_with("\r\n\r\nhello"));
  BOOST_TEST(old.is_over());
}

BOOST_AUTO_TEST_CASE(a_websocket_takes_over_with_the_bytes_behind_its_request) {
  const std::string upgrade = get_text("/get", "Connection: Upgrade\r\nUpgrade: websocket\r\n");
  SessionBench bench;
  bench.gets(get_text() + upgrade + "frames");
  BOOST_TEST(bench.jobs.size() == 2U);
  bench.session->begin_socket(bench.jobs[1].number, {}, bench.now);
  BOOST_TEST(!bench.session->switched().has_value());
  bench.respond(0, "");
  BOOST_TEST(bench.session->switched().has_value());
  BOOST_TEST(bench.written().ends_with(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"));
  BOOST_TEST(bench.session->take_unread() == "frames");
  SessionBench stays;
  stays.gets(upgrade + get_text());
  stays.respond(0, "no");
  BOOST_TEST(stays.written() != "");
  BOOST_TEST(stays.jobs.size() == 2U);
}

BOOST_AUTO_TEST_CASE(pages_of_other_sites_are_refused_and_listed_ones_may_read) {
  Sites sites;
  sites.origins = {"https://tool.example"};
  SessionBench bench({}, sites);
  bench.gets(get_text("/get", "Origin: https://tool.example\r\n"));
  bench.respond(0, "x");
  BOOST_TEST(bench.written().find("Access-Control-Allow-Origin: https://tool.example\r\n") !=
             std::string::npos);
  bench.gets(
      "OPTIONS /post/x HTTP/1.1\r\nHost: localhost:7\r\nOrigin: https://tool.example\r\n"
      "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: x-a\r\n\r\n");
  const std::string preflight = bench.written();
  BOOST_TEST(preflight.find("Access-Control-Allow-Methods: POST, OPTIONS\r\n") !=
             std::string::npos);
  BOOST_TEST(preflight.find("Access-Control-Allow-Headers: x-a\r\n") != std::string::npos);
  bench.gets(get_text("/get", "Origin: http://evil.example\r\n"));
  BOOST_TEST(bench.status() == "403");
  SessionBench rebound({}, sites);
  rebound.gets("GET /get HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  BOOST_TEST(rebound.status() == "403");
}

BOOST_AUTO_TEST_CASE(a_session_that_finishes_responds_to_what_has_come) {
  SessionBench bench;
  bench.gets(get_text() + get_text());
  bench.session->finish();
  BOOST_TEST(!bench.session->is_over());
  bench.respond(0, "1"), bench.respond(1, "2");
  const std::string text = bench.written();
  BOOST_TEST(text.find("Connection: close") > text.find("\r\n\r\n1"));
  BOOST_TEST(bench.is_over());
}

BOOST_AUTO_TEST_CASE(a_client_that_goes_on_sending_behind_the_end_is_cut_off) {
  SessionBench bench;
  bench.gets(get_text("/get", "Connection: close\r\n"));
  for (int i = 0; i < 5; ++i) bench.gets(std::string(64 * 1024, 'x'));
  BOOST_TEST(bench.session->is_broken());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
