#include "message/reading.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace coracle::http {
namespace {

using Kind = MessageReader::Kind;
using State = MessageReader::State;

const ReadLimits small_limits{
    .header_bytes = 300, .header_fields = 5, .target_bytes = 100, .body_bytes = 50};

// Reads all messages in `bytes`, in pieces of that size: "GET / [body] ", or the status of a fault.
std::string read_all(const std::string& bytes, Kind kind = Kind::request, std::size_t piece = 1000,
                     bool headers_end = false, bool ends = true) {
  MessageReader reader(kind, small_limits);
  reader.set_headers_end_response(headers_end);
  std::string all;
  std::size_t at = 0, end = 0;
  while (reader.state() != State::failed) {
    if (reader.state() == State::headed) {
      reader.go_on();
    } else if (reader.state() == State::done) {
      all += kind == Kind::request ? reader.head().method + ' ' + reader.head().target
                                   : std::to_string(reader.head().status);
      all += " [" + reader.body() + "] ";
      reader.next();
    } else if (at == end && end == bytes.size()) {
      if (!reader.has_begun() || !ends) return all;
      reader.end();
    } else {
      if (at == end) end = std::min(bytes.size(), end + piece);
      at += reader.read(std::string_view(bytes).substr(at, end - at));
    }
  }
  return all + '!' + std::to_string(reader.fault().status);
}

std::string post_with(const std::string& headers, const std::string& rest = "") {
  return "POST /x HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n" + rest;
}
const std::string second = "GET /2 HTTP/1.1\r\nHost: h\r\n\r\n";

BOOST_AUTO_TEST_SUITE(reading)

BOOST_AUTO_TEST_CASE(requests_are_read_however_they_are_cut) {
  const std::string all =
      "\r\n\r\nGET /1 HTTP/1.1\r\nHost: h\r\nA: b\r\n\r\n" +
      post_with("Content-Length: 3\r\n", "abc") + "\r\n" + second +
      post_with("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n5;a=\"b\"\r\ndefgh\r\n0\r\n\r\n") +
      second;
  for (std::size_t piece = 1; piece < all.size(); ++piece)
    BOOST_TEST(read_all(all, Kind::request, piece) ==
               "GET /1 [] POST /x [abc] GET /2 [] POST /x [abcdefgh] GET /2 [] ");
}

BOOST_AUTO_TEST_CASE(lengths_that_two_programs_could_understand_differently_are_refused) {
  const std::string body = "5\r\nhello\r\n0\r\n\r\n";
  const char* const wrong[] = {
      "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
      "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
      "Content-Length: 5\r\nContent-Length: 5\r\n",
      "Content-Length: 5\r\nContent-Length: 6\r\n",
      "Content-Length: 5, 5\r\n",
      "Content-Length: +5\r\n",
      "Content-Length: -5\r\n",
      "Content-Length: 0x5\r\n",
      "Content-Length: 5 5\r\n",
      "Content-Length:\r\n",
      "Content-Length: 18446744073709551616\r\n",
      "Content-Length: 99999999999999999999999999\r\n",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
      "Content-Length : 5\r\n",
      "Content-Length: 5\r\n X: y\r\n",
      "X:\r\n folded\r\n",
      "X: y\r\n\tfolded\r\n",
      "X: a\nContent-Length: 5\r\n",
      "X: a\rContent-Length: 5\r\n",
      "\nX: a\r\n",
      "X y\r\n",
      ": y\r\n",
      "X\x01: y\r\n",
      "X: \x01\r\n",
      "Connection: a b c, ,\x7f\r\n",
  };
  for (const char* headers : wrong)
    BOOST_TEST(read_all(post_with(headers, body) + second) == "!400", headers);
  BOOST_TEST(read_all(post_with(std::string("X: a\0b\r\n", 8))) == "!400");
}

BOOST_AUTO_TEST_CASE(other_codings_are_not_implemented) {
  for (const char* coding : {"identity", "xchunked", "gzip", "chunked, gzip", "gzip, chunked",
                             "chunked, chunked", "\"chunked\""})
    BOOST_TEST(read_all(post_with("Transfer-Encoding: " + std::string(coding) + "\r\n",
                                  "0\r\n\r\n")) == "!501");
  BOOST_TEST(read_all("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") == "!400");
}

BOOST_AUTO_TEST_CASE(first_lines_that_are_none_are_refused) {
  for (const char* line : {"GET", "GET /", "GET  / HTTP/1.1", "GET / HTTP/1.1 x", " GET / HTTP/1.1",
                           "G(T / HTTP/1.1", "GET /\x01 HTTP/1.1", "\x16\x03\x01", "GET / HTTP/11"})
    BOOST_TEST(read_all(std::string(line) + "\r\nHost: h\r\n\r\n").front() == '!');
  for (const char* version : {"HTTP/2.0", "HTTP/0.9", "HTTP/1.2"})
    BOOST_TEST(read_all("GET / " + std::string(version) + "\r\nHost: h\r\n\r\n") == "!505");
  BOOST_TEST(read_all("GET / HTTP/1.1\nHost: h\n\n") == "!400");
  std::string blank;
  for (int i = 0; i < 9; ++i) blank += "\r\n";
  BOOST_TEST(read_all(blank + second) == "!400");
}

BOOST_AUTO_TEST_CASE(wrong_chunks_are_refused) {
  const auto chunked = [](const std::string& body) {
    return read_all(post_with("Transfer-Encoding: chunked\r\n", body) + second);
  };
  BOOST_TEST(chunked("3\r\nabc\r\n0\r\n\r\n") == "POST /x [abc] GET /2 [] ");
  for (const std::string& body :
       {std::string("g\r\nabc\r\n0\r\n\r\n"), std::string("3\nabc\n0\n\n"),
        std::string("3\r\nabcd\r\n0\r\n\r\n"), std::string("-3\r\nabc\r\n0\r\n\r\n"),
        std::string("0x3\r\nabc\r\n0\r\n\r\n"), std::string("\r\nabc"),
        std::string("3 ;=\r\nabc\r\n0\r\n\r\n"), std::string("10000000000000000\r\n"),
        std::string("3;" + std::string(2000, 'x') + "\r\nabc\r\n0\r\n\r\n"), std::string(3000, '1'),
        std::string("0\r\nTrailer: x\r\n\r\n"), std::string("0\r\nContent-Length: 5\r\n\r\n")})
    BOOST_TEST((chunked(body) == "!400" || chunked(body) == "!413"), body.substr(0, 40));
}

BOOST_AUTO_TEST_CASE(a_message_beyond_a_limit_is_refused) {
  BOOST_TEST(read_all("GET /" + std::string(100, 'a') + " HTTP/1.1\r\n") == "!414");
  BOOST_TEST(read_all(std::string(101, 'a')) == "!414");
  BOOST_TEST(read_all(post_with("A: " + std::string(300, 'a'))) == "!431");
  BOOST_TEST(read_all(post_with("A: b\r\nC: d\r\nE: f\r\nG: h\r\nI: j\r\n")) == "!431");
  BOOST_TEST(read_all(post_with("A: b\r\nC: d\r\nE: f\r\nContent-Length: 0\r\n")) == "POST /x [] ");
  BOOST_TEST(read_all(post_with("Content-Length: 51\r\n")) == "!413");
  BOOST_TEST(read_all(post_with("Content-Length: 18446744073709551615\r\n")) == "!413");
  BOOST_TEST(read_all(post_with("Transfer-Encoding: chunked\r\n", "33\r\n")) == "!413");
  BOOST_TEST(read_all(post_with("Transfer-Encoding: chunked\r\n",
                                "30\r\n" + std::string(48, 'a') + "\r\n3\r\n")) == "!413");
}

BOOST_AUTO_TEST_CASE(a_body_that_is_cut_is_no_body) {
  BOOST_TEST(read_all(post_with("Content-Length: 5\r\n", "abc")) == "!400");
  BOOST_TEST(read_all(post_with("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n")) == "!400");
  BOOST_TEST(read_all("GET / HT") == "!400");
}

BOOST_AUTO_TEST_CASE(memory_grows_by_what_has_come) {
  const ReadLimits limits;
  MessageReader reader(Kind::request, limits);
  reader.read(post_with("Content-Length: 16000000\r\n"));
  reader.go_on();
  BOOST_TEST(reader.body().capacity() <= 64U * 1024);
  reader.read("abc");
  BOOST_TEST(reader.buffered() < 1000U);
}

BOOST_AUTO_TEST_CASE(the_connection_stays_or_ends_as_the_message_says) {
  const auto keeps = [](const std::string& head) {
    MessageReader reader(Kind::request, small_limits);
    reader.read(head + "\r\n");
    return reader.head().keeps_alive;
  };
  BOOST_TEST(keeps("GET / HTTP/1.1\r\nHost: h\r\n"));
  BOOST_TEST(!keeps("GET / HTTP/1.1\r\nHost: h\r\nConnection: x, Close\r\n"));
  BOOST_TEST(!keeps("GET / HTTP/1.0\r\n"));
  BOOST_TEST(keeps("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n"));
}

BOOST_AUTO_TEST_CASE(responses_end_by_length_by_chunks_or_with_the_connection) {
  const std::string all =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabHTTP/1.1 204 \r\n\r\n"
      "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"
      "HTTP/1.1 500 x y\r\nTransfer-Encoding: chunked\r\n\r\n2\r\ncd\r\n0\r\n\r\n"
      "HTTP/1.0 200 OK\r\n\r\nto the end";
  for (const std::size_t piece : {1, 2, 3, 1000})
    BOOST_TEST(read_all(all, Kind::response, piece) ==
               "200 [ab] 204 [] 304 [] 500 [cd] 200 [to the end] ");
  BOOST_TEST(read_all("HTTP/1.1 200 OK\r\n\r\n" + std::string(51, 'a'), Kind::response) == "!413");
  BOOST_TEST(read_all("\r\nHTTP/1.1 200 OK\r\n\r\n", Kind::response) == "!400");
  for (const char* line :
       {"HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1", "HTTP/1.1 abc", "ICY 200"})
    BOOST_TEST(
        read_all(std::string(line) + "\r\nContent-Length: 0\r\n\r\n", Kind::response).front() ==
        '!');
}

BOOST_AUTO_TEST_CASE(the_headers_end_a_response_of_jade) {
  const std::string of_jade =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nCache-Control: no-cache\r\n"
      "Connection: Keep-Alive\r\n\r\n<html><body><h1>200 OK</h1></body></html>\r\n";
  for (std::size_t piece = 1; piece < 2 * of_jade.size(); ++piece)
    BOOST_TEST(read_all(of_jade + of_jade + of_jade, Kind::response, piece, true, false) ==
               "200 [] 200 [] 200 [] ");
  const std::string counted = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab";
  BOOST_TEST(read_all(counted + counted, Kind::response, 1, true) == "200 [ab] 200 [ab] ");
  BOOST_TEST(read_all(of_jade + std::string(70'000, 'x'), Kind::response, 1000, true, false) ==
             "200 [] !400");
}

BOOST_AUTO_TEST_CASE(what_follows_a_response_of_jade_does_not_begin_another) {
  MessageReader reader(Kind::response, small_limits);
  reader.set_headers_end_response(true);
  reader.read("HTTP/1.1 200 OK\r\n\r\n");
  reader.go_on();
  reader.next();
  reader.read("<html>HTTP/1.");
  BOOST_TEST(!reader.has_begun());
  reader.read("</html>\r\nHTTP/1.");
  BOOST_TEST(reader.has_begun());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
