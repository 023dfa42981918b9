// The transport against plain sockets: what strangers may send, and what it sends to strangers.
// omniORB has one broker in a process, so transports that call each other are in
// tests/interop.
#include "coracle/fipa/iiop_mtp.hpp"

#include "address.hpp"
#include "coracle/coracle.hpp"
#include "coracle/errors.hpp"
#include "coracle/tests/support/in_memory.hpp"
#include "letter_stream.hpp"
#include "support/broker.hpp"
#include "support/wire.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::fipa {

namespace {

using coracle::test::in_memory;
using test::Listener;
using test::Request;
using test::Socket;
using namespace std::chrono_literals;

Letter letter(const std::string& text) {
  Letter letter;
  letter.envelope.from.name = "ann@here";
  letter.envelope.comments = text;
  letter.payload = text;
  return letter;
}
std::string argument(const Letter& letter) {
  cdrMemoryStream stream;
  write_letter(stream, letter);
  return test::bytes_of(stream);
}

// A society with a transport; letters that come are told to `listener`.
struct Station {
  Node node{in_memory()};
  Port port{node, "transport"}, listener{node, "listener"}, sender{node, "sender"};
  std::shared_ptr<Mtp> mtp;

  void plug(IiopMtpOptions options = {}) {
    mtp = iiop_mtp(std::move(options));
    mtp->begin(port, [](Agent& me, Letter come) -> Task<> {
      if (come.payload == "forbidden") throw Error(Errc::not_permitted, "that is forbidden");
      const Content content(come.payload);
      co_await me.send("listener", content);
    });
  }
  std::uint16_t own_port() const { return parse_iiop_address(mtp->addresses().at(0)).value().port; }
  std::string next() {
    const std::optional<Message> message = listener.receive(Match(), 20s);
    BOOST_TEST_REQUIRE(message.has_value());
    return std::string(message->text());
  }
  // Sends, and returns the failure.
  std::optional<Error> send(const std::string& address, const Letter& what = letter("hello")) {
    const auto shared = std::make_shared<const Letter>(what);
    return sender.act<std::optional<Error>>([&](Agent&) -> Task<std::optional<Error>> {
      std::optional<Error> failure;
      try {
        Task<> sending = mtp->send(address, shared);
        co_await sending;
      } catch (const Error& error) {
        failure = error;
      }
      co_return failure;
    });
  }
  bool fails(const std::string& address, Errc errc, const std::string& words) {
    const auto failure = send(address);
    BOOST_TEST_REQUIRE(failure.has_value());
    BOOST_TEST_INFO(failure->sentence());
    return failure->errc() == errc && failure->sentence().find(words) != std::string::npos;
  }
  // Sends a request by a socket of its own; returns the answer.
  std::string ask(const std::string& message) const {
    const Socket socket(test::connected(own_port()));
    socket.send(message);
    return socket.message();
  }
  bool is_refused(const std::string& message, const std::string& exception) const {
    const std::string answer = ask(message);
    return !answer.empty() && test::status_of(answer) == test::system_exception &&
           answer.find("IDL:omg.org/CORBA/" + exception + ":1.0") != std::string::npos;
  }
  void still_works() {
    BOOST_TEST(test::status_of(ask(Request().with(argument(letter("still there"))))) == test::done);
    BOOST_TEST(next() == "still there");
  }
};

std::string corbaloc(std::uint16_t port, const std::string& key = "acc") {
  return "corbaloc::127.0.0.1:" + std::to_string(port) + "/" + key;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(transport, Station)

// --- letters that come ---

BOOST_AUTO_TEST_CASE(a_letter_is_taken_and_answered_if_an_answer_is_wanted) {
  plug();
  const Socket socket(test::connected(own_port()));
  for (int i = 0; i < 100; ++i) {
    Request request;
    request.wants_answer = false;
    socket.send(request.with(argument(letter(std::to_string(i)))));
  }
  socket.send(Request().with(argument(letter("last"))));
  BOOST_TEST(test::status_of(socket.message()) == test::done);
  for (int i = 0; i < 100; ++i) BOOST_TEST(next() == std::to_string(i));
  BOOST_TEST(next() == "last");
}

BOOST_AUTO_TEST_CASE(a_letter_that_is_refused_is_answered_by_an_exception) {
  IiopMtpOptions options;
  options.letters.bytes = 100;
  plug(std::move(options));
  const std::string good = argument(letter("x"));
  BOOST_TEST(is_refused(Request().with(argument(letter("forbidden"))), "NO_PERMISSION"));
  BOOST_TEST(is_refused(Request().with(argument(letter(std::string(101, 'x')))), "IMP_LIMIT"));
  BOOST_TEST(is_refused(Request().with(good.substr(0, good.size() / 2)), "MARSHAL"));
  BOOST_TEST(is_refused(Request().with(test::number(1) + test::number(7)), "MARSHAL"));
  BOOST_TEST(is_refused(Request{.key = "other"}.with(good), "OBJECT_NOT_EXIST"));
  BOOST_TEST(is_refused(Request{.operation = "other"}.with(good), "BAD_OPERATION"));
  still_works();
}

BOOST_AUTO_TEST_CASE(what_is_no_message_of_giop_costs_its_sender_the_connection) {
  plug();
  const std::string good = Request().with(argument(letter("x")));
  std::string huge = good.substr(0, 12);
  huge.replace(8, 4, test::number(0xfffffff0));
  std::string version = good;
  version[4] = 9;
  for (const std::string& each :
       {std::string("POST /acc HTTP/1.1\r\n\r\n"), std::string(10'000, '\0'), huge, version,
        std::string("GIOP\1\2\1\7\xff\xff\xff\x7f", 12),
        std::string("GIOP\1\2\1\3\4\0\0\0\1\2\3\4", 16)}) {
    const Socket socket(test::connected(own_port()));
    socket.send(each);
    shutdown(socket.number(), SHUT_WR);
    while (!socket.message().empty()) {
    }
  }
  still_works();
}

BOOST_AUTO_TEST_CASE(connections_beyond_a_limit_are_closed_and_others_are_served) {
  IiopMtpOptions options;
  options.limits.connections_per_host = 3;
  plug(std::move(options));
  const std::string message = Request().with(argument(letter("x")));
  std::vector<std::unique_ptr<Socket>> sockets;
  for (int i = 0; i < 3; ++i) {
    sockets.push_back(std::make_unique<Socket>(test::connected(own_port())));
    sockets.back()->send(message);
    BOOST_TEST(!sockets.back()->message().empty());
  }
  for (int i = 0; i < 100; ++i) {
    const Socket refused(test::connected(own_port()));
    BOOST_TEST(refused.message().empty());
  }
  sockets[0]->send(message);
  BOOST_TEST(!sockets[0]->message().empty());
  sockets.clear();
  std::string answer;
  while (answer.empty()) answer = ask(message);  // once the ends of the three are noticed
}

BOOST_AUTO_TEST_CASE(a_sender_that_stops_in_the_middle_loses_its_connection) {
  IiopMtpOptions options;
  options.limits.receive_time = 200ms;
  plug(std::move(options));
  const std::string message = Request().with(argument(letter(std::string(5000, 'x'))));
  const Socket socket(test::connected(own_port()));
  socket.send(std::string_view(message).substr(0, message.size() - 1000));
  while (!socket.message().empty()) {
  }
  still_works();
}

// --- letters that go ---

BOOST_AUTO_TEST_CASE(a_letter_has_gone_when_the_platform_has_answered) {
  plug();
  const Listener platform;
  auto answered = std::async(std::launch::async, [&] {
    const Socket socket(platform.accept());
    std::string said;
    for (int i = 0; i < 3; ++i) {
      const std::string request = socket.message();
      said += request.substr(request.size() - 1);
      socket.send(test::reply_to(request, test::done, ""));
    }
    return said;
  });
  for (const char* const each : {"a", "b", "c"})
    BOOST_TEST(!send(corbaloc(platform.port()), letter(each)).has_value());
  BOOST_TEST(answered.get() == "abc");
}

BOOST_AUTO_TEST_CASE(a_letter_is_sent_again_if_the_connection_that_was_kept_breaks) {
  plug();
  const Listener platform;
  auto answered = std::async(std::launch::async, [&] {
    std::string said;
    {
      const Socket socket(platform.accept());
      socket.send(test::reply_to(socket.message(), test::done, ""));
      said += socket.message().back();  // and closes without an answer
    }
    const Socket next(platform.accept());
    const std::string request = next.message();
    next.send(test::reply_to(request, test::done, ""));
    return said + request.back();
  });
  BOOST_TEST(!send(corbaloc(platform.port()), letter("a")).has_value());
  BOOST_TEST(!send(corbaloc(platform.port()), letter("b")).has_value());
  BOOST_TEST(answered.get() == "bb");
}

BOOST_AUTO_TEST_CASE(a_platform_that_does_not_answer_gets_one_way_calls) {
  IiopMtpOptions options;
  options.awaits_answer = false;
  plug(std::move(options));
  const Listener platform;
  BOOST_TEST(!send(corbaloc(platform.port())).has_value());
  const Socket socket(platform.accept());
  BOOST_TEST(socket.message().ends_with("hello"));
}

BOOST_AUTO_TEST_CASE(a_platform_that_is_gone_refuses_or_is_slow_is_an_error) {
  IiopMtpOptions options;
  options.limits.answer_time = 300ms;
  plug(std::move(options));
  std::uint16_t closed = 0;
  {
    const Listener platform;
    closed = platform.port();
  }
  BOOST_TEST(fails(corbaloc(closed), Errc::unreachable, "cannot connect"));
  const Listener platform;
  BOOST_TEST(fails(corbaloc(platform.port()), Errc::expired, "not answered in time"));
}

BOOST_AUTO_TEST_CASE(an_exception_of_another_gateway_says_why) {
  plug();
  const Listener platform;
  auto answered = std::async(std::launch::async, [&] {
    const Socket socket(platform.accept());
    const std::string name = "IDL:omg.org/CORBA/NO_PERMISSION:1.0";
    const std::string exception =
        test::padded(test::number(static_cast<std::uint32_t>(name.size() + 1)) + name + '\0') +
        test::number(0x43524000 + static_cast<std::uint32_t>(Errc::not_permitted)) +
        test::number(1);
    socket.send(test::reply_to(socket.message(), test::system_exception, exception));
    return socket.message();
  });
  BOOST_TEST(fails(corbaloc(platform.port()), Errc::refused, "its sender is not permitted"));
  mtp->end();
  (void)answered.get();
}

BOOST_AUTO_TEST_CASE(an_object_that_says_it_has_moved_is_not_followed) {
  plug();
  const Listener platform, victim;
  auto answered = std::async(std::launch::async, [&] {
    const Socket socket(platform.accept());
    // An object reference: a type, one profile of IIOP 1.0.
    const std::string host = "127.0.0.1";
    std::string profile = std::string("\1\1\0\0", 4) + test::number(10) + host + '\0';
    profile +=
        std::string({static_cast<char>(victim.port()), static_cast<char>(victim.port() >> 8)});
    profile = test::padded(profile) + test::number(3) + "acc";
    const std::string type = "IDL:FIPA/MTS:1.0";
    const std::string reference =
        test::padded(test::number(17) + type + '\0') + test::number(1) + test::number(0) +
        test::number(static_cast<std::uint32_t>(profile.size())) + profile;
    socket.send(test::reply_to(socket.message(), test::moved, reference));
    return socket.message();
  });
  BOOST_TEST(fails(corbaloc(platform.port()), Errc::refused, "NO_PERMISSION"));
  mtp->end();
  (void)answered.get();
  // The socket that connects now is the first.
  const Socket probe(test::connected(victim.port()));
  const Socket first(victim.accept());
  probe.send("probe");
  BOOST_TEST(first.receive(5) == "probe");
}

BOOST_AUTO_TEST_CASE(letters_go_to_partners_only_and_never_to_the_own_port) {
  IiopMtpOptions options;
  options.partners = {"127.0.0.1:*", "*.lab:2809"};
  plug(std::move(options));
  const std::string own = corbaloc(own_port());
  BOOST_TEST(fails(own, Errc::not_permitted, "sends itself no letters"));
  BOOST_TEST(fails(mtp->addresses().at(0), Errc::not_permitted, "sends itself no letters"));
  BOOST_TEST(fails("corbaloc::10.0.0.1:2809/acc", Errc::not_permitted, "none of the partners"));
  BOOST_TEST(fails("corbaloc::p.lab:22/acc", Errc::not_permitted, "none of the partners"));
  BOOST_TEST(fails("corbaloc::localhost:1/acc", Errc::not_permitted, "none of the partners"));
  BOOST_TEST(fails("corbaloc::127.0.0.1:1/acc", Errc::unreachable, "cannot connect"));
  BOOST_TEST(fails("corbaname::ns#x", Errc::bad_endpoint, "naming service"));
  BOOST_TEST(fails("IOR:00", Errc::bad_endpoint, "no object reference"));
}

BOOST_AUTO_TEST_CASE(an_envelope_that_iiop_cannot_carry_is_an_error) {
  plug();
  Letter with_zero = letter("x");
  with_zero.envelope.comments = std::string("a\0b", 3);
  const Listener platform;
  const auto failure = send(corbaloc(platform.port()), with_zero);
  BOOST_TEST_REQUIRE(failure.has_value());
  BOOST_TEST((failure->errc() == Errc::bad_encoding));
  Letter beyond_latin_1 = letter("x");  // in IIOP 1.0, which a corbaloc means
  beyond_latin_1.envelope.comments = "\xe6\xbc\xa2";
  const auto other = send(corbaloc(platform.port()), beyond_latin_1);
  BOOST_TEST_REQUIRE(other.has_value());
  BOOST_TEST((other->errc() == Errc::bad_encoding));
}

// --- begin and end ---

BOOST_AUTO_TEST_CASE(a_process_has_one_transport_at_a_time) {
  plug();
  BOOST_CHECK_EXCEPTION(iiop_mtp(), Error,
                        [](const Error& error) { return error.errc() == Errc::limit_reached; });
  mtp->end();
  BOOST_TEST(mtp->addresses().empty());
  BOOST_TEST(fails(corbaloc(1), Errc::stopped, "plug it in again"));
  plug({.key = "other key"});
  BOOST_TEST((test::status_of(ask(Request{.key = "other key"}.with(argument(letter("x"))))) ==
              test::done));
  mtp->end();
  const test::Broker own;
  BOOST_CHECK_THROW(iiop_mtp(), Error);
}

BOOST_AUTO_TEST_CASE(a_transport_begins_again_at_its_address) {
  plug();
  const std::uint16_t first = own_port();
  const std::string address = mtp->addresses().at(0);
  mtp->end();
  plug({.endpoint = "127.0.0.1:" + std::to_string(first)});
  BOOST_TEST(mtp->addresses().at(0) == address);
  still_works();
}

BOOST_AUTO_TEST_CASE(letters_on_their_way_fail_when_the_transport_ends) {
  plug();
  const Listener platform;
  auto ending = std::async(std::launch::async, [&] {
    Socket socket(platform.accept());
    (void)socket.message();  // the call waits for its answer now
    shutdown(socket.number(), SHUT_RDWR);
  });
  BOOST_TEST(send(corbaloc(platform.port())).has_value());
  ending.get();
  mtp->end();
  mtp->end();
}

BOOST_AUTO_TEST_CASE(the_address_is_what_others_are_told) {
  plug({.form = IiopMtpOptions::Form::corbaloc, .advertised = "p1.lab:99", .key = "a b"});
  BOOST_TEST(mtp->addresses().at(0) == "corbaloc::p1.lab:99/a%20b");
  BOOST_TEST(fails("corbaloc::p1.lab:99/x", Errc::not_permitted, "itself"));
  BOOST_TEST(mtp->serves("IOR:00"));
  BOOST_TEST(mtp->serves("corbaname::x"));
  BOOST_TEST(!mtp->serves("http://x/acc"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
