// Two societies that are platforms of FIPA for each other, over HTTP.
#include "coracle/fipa/gateway.hpp"

#include "coracle/acl/match.hpp"
#include "coracle/acl/ontology/contents.hpp"
#include "coracle/acl/ontology/frame.hpp"
#include "coracle/coracle.hpp"
#include "coracle/fipa/http_mtp.hpp"
#include "coracle/http/client.hpp"
#include "coracle/tests/support/in_memory.hpp"
#include "support/scripted_server.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace coracle::fipa {

namespace {

namespace fm = acl::management;
using acl::Performative;
using coracle::test::in_memory;
using namespace std::chrono_literals;

// Answers each request with the same content.
class Echo : public Agent {
  Task<> run() override {
    co_await describe(Properties().set("service", "echo"));
    for (;;) {
      const Message message = co_await receive();
      const auto* const asked = message.content().try_as<acl::Message>();
      if (asked == nullptr) continue;
      acl::Message answer = acl::reply(*asked, Performative::inform);
      answer.content = asked->content;
      const Content content = Content::of(std::move(answer));
      co_await send(message.source(), content);
    }
  }
};

// A society with a gateway.
struct Side {
  explicit Side(const std::string& platform)
      : node(in_memory()), gateway(node, {.platform = platform, .exposed = {"lab/**"}}) {
    loop.start();
    gateway.plug(http_mtp(loop));
    node.create<Echo>("lab/echo");
    node.create<Echo>("boss");
  }
  http::Loop loop;
  Node node;
  Gateway gateway;
};

acl::Message request(std::string content) {
  acl::Message made;
  made.performative = Performative::request;
  made.content = std::move(content);
  made.language = "fipa-sl0";
  made.conversation_id = "c1";
  made.reply_with = "r1";
  return made;
}

struct Sides {
  Side here{"here"}, there{"there"};
  Port ann{here.node, "lab/ann"};

  acl::AgentId id(const std::string& name) { return there.gateway.id_of(name); }
  acl::Message next() {
    const std::optional<Message> message = ann.receive(acl::any_message(), 20s);
    BOOST_TEST_REQUIRE(message.has_value());
    return message->as<acl::Message>();
  }
  std::string failure(const acl::Message& said) {
    BOOST_TEST((said.performative == Performative::failure));
    BOOST_TEST(said.in_reply_to == "r1");
    return std::string(acl::text_of(said));
  }
  acl::Message ask(const acl::AgentId& whom, std::string content) {
    acl::Message asked = request(std::move(content));
    asked.receivers = {whom};
    asked.ontology = fm::ontology;
    ann.send("fipa", Content::of(asked));
    return next();
  }
  static fm::DfAgentDescription with_service(const std::string& type) {
    fm::DfAgentDescription pattern;
    fm::ServiceDescription service;
    service.type = type;
    pattern.services = {service};
    return pattern;
  }
  // The number of agents with that type of service which a facilitator finds.
  std::size_t found(const acl::AgentId& whom, const std::string& type, std::int64_t depth) {
    const fm::Search search{with_service(type),
                            {.max_depth = depth, .max_results = -1, .search_id = {}}};
    const acl::Message said = ask(whom, acl::request_content(whom, acl::to_term(search)));
    return acl::sl::elements_of(acl::read_result(acl::text_of(said)).value())->size();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(gateway, Sides)

BOOST_AUTO_TEST_CASE(agents_of_two_societies_talk_by_their_names) {
  const Name echo = here.gateway.introduce(id("lab/echo"));
  BOOST_TEST(echo.str() == "fipa/lab%2fecho@there");
  for (const std::string text : {"hello", "gr\xc3\xbc\xc3\x9f dich", "a \"b\" \\"}) {
    ann.send(echo, Content::of(request(text)));
    const std::optional<Message> message = ann.receive(from(echo), 20s);
    BOOST_TEST_REQUIRE(message.has_value());
    const acl::Message said = message->as<acl::Message>();
    BOOST_TEST((said.performative == Performative::inform));
    BOOST_TEST(acl::text_of(said) == text);
    BOOST_TEST(said.in_reply_to == "r1");
    BOOST_TEST(said.sender.name == "lab/echo@there");
  }
}

BOOST_AUTO_TEST_CASE(a_request_of_the_society_gets_the_foreign_answer_as_its_reply) {
  const Name echo = here.gateway.introduce(id("lab/echo"));
  const Message reply = ann.ask(echo, Content::of(request("?")), 20s);
  BOOST_TEST(acl::text_of(reply.as<acl::Message>()) == "?");
}

BOOST_AUTO_TEST_CASE(messages_keep_their_order) {
  const Name echo = here.gateway.introduce(id("lab/echo"));
  constexpr int many = 200;
  for (int number = 0; number < many; ++number)
    ann.send(echo, Content::of(request(std::to_string(number))));
  for (int number = 0; number < many; ++number)
    BOOST_TEST(acl::text_of(next()) == std::to_string(number));
}

BOOST_AUTO_TEST_CASE(a_receiver_that_does_not_exist_or_is_not_exposed_is_a_failure) {
  for (const char* const name : {"lab/nobody", "boss"}) {
    const std::string why = failure(ask(id(name), "x"));
    BOOST_TEST(why.find("Agent not found") != std::string::npos);
    BOOST_TEST(why.find(name) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(an_agent_that_is_not_exposed_sends_nothing) {
  Port eve(here.node, "eve");
  acl::Message said = request("x");
  said.receivers = {id("lab/echo")};
  eve.send("fipa", Content::of(said));
  const std::optional<Message> answer = eve.receive(acl::any_message(), 20s);
  BOOST_TEST_REQUIRE(answer.has_value());
  BOOST_TEST(failure(answer->as<acl::Message>()).find("Not authorized") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_platform_that_is_not_there_is_a_failure) {
  acl::AgentId gone = id("lab/echo");
  gone.name = "zed@nowhere";
  gone.addresses = {"http://127.0.0.1:1/acc"};
  BOOST_TEST(failure(ask(gone, "x")).find("Foreign agent unreachable") != std::string::npos);
  gone.addresses.clear();
  BOOST_TEST(failure(ask(gone, "x")).find("Foreign agent with no address") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_agent_that_has_described_itself_is_found_by_the_other_platform) {
  const acl::AgentId df = id("df");
  const acl::Message said =
      ask(df, acl::request_content(df, acl::to_term(fm::Search{with_service("echo"), {}})));
  const auto result = acl::read_result(acl::text_of(said));
  BOOST_TEST_REQUIRE(result.has_value());
  const auto& found = *acl::sl::elements_of(*result);
  BOOST_TEST_REQUIRE(found.size() == 1U);
  const auto entry = acl::from_term<fm::DfAgentDescription>(found[0].value);
  BOOST_TEST(entry.name->name == "lab/echo@there");
  BOOST_TEST((entry.name->addresses == there.gateway.addresses()));
}

BOOST_AUTO_TEST_CASE(a_registration_of_a_foreign_agent_is_found_by_a_search_of_the_society) {
  fm::DfAgentDescription me;
  me.name = here.gateway.id_of("lab/ann");
  fm::ServiceDescription service;
  service.name = "ann's";
  service.type = "sonar";
  service.properties = {{"range", acl::sl::Term(7)}};
  me.services = {service};
  const acl::AgentId df = id("df");
  const acl::Message said = ask(df, acl::request_content(df, acl::to_term(fm::Register{me})));
  BOOST_TEST((said.performative == Performative::inform));
  Port ben(there.node, "ben");
  std::vector<Entry> found;
  while (found.empty()) found = ben.search(where("service") == "sonar");
  BOOST_TEST(found.at(0).name.str() == "fipa/lab%2fann@here");
}

BOOST_AUTO_TEST_CASE(a_facilitator_that_has_joined_another_one_is_searched_by_it) {
  const acl::AgentId df = id("df");
  BOOST_TEST(found(df, "echo", 1) == 1U);
  here.gateway.join(df);
  BOOST_TEST(found(df, "echo", 1) == 2U);
  BOOST_CHECK_EXCEPTION(here.gateway.join(df), Error, [](const Error& error) {
    return error.errc() == Errc::refused &&
           std::string(error.sentence()).find("already-registered") != std::string::npos;
  });
  here.gateway.leave(df);
  BOOST_TEST(found(df, "echo", 1) == 1U);
  const acl::AgentId gone{.name = "df@nowhere", .addresses = {"http://127.0.0.1:1/acc"}};
  BOOST_CHECK_EXCEPTION(here.gateway.join(gone), Error, [](const Error& error) {
    return std::string(error.sentence()).find("unreachable") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(an_agent_is_found_by_what_it_has_registered_until_it_ends) {
  const acl::AgentId df = here.gateway.id_of("df");
  {
    Port eve(here.node, "lab/eve");
    fm::DfAgentDescription entry = with_service("lamp");
    entry.name = here.gateway.id_of("lab/eve");
    entry.services[0].name = "eve's";
    acl::Message asked = request(acl::request_content(df, acl::to_term(fm::Register{entry})));
    asked.receivers = {df};
    eve.send("fipa", Content::of(asked));
    const std::optional<Message> said = eve.receive(acl::any_message(), 20s);
    BOOST_TEST_REQUIRE(said.has_value());
    BOOST_TEST((said->as<acl::Message>().performative == Performative::inform));
    BOOST_TEST(found(df, "lamp", 0) == 1U);
  }
  BOOST_TEST(found(df, "lamp", 0) == 0U);
}

BOOST_AUTO_TEST_CASE(the_management_system_describes_its_platform) {
  const acl::AgentId ams = id("ams");
  const acl::Message said = ask(ams, acl::request_content(ams, acl::to_term(fm::GetDescription())));
  BOOST_TEST(std::string(acl::text_of(said)).find(there.gateway.addresses().at(0)) !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(hostile_posts_get_a_status_and_disturb_nobody) {
  http::Client client(here.loop);
  const auto post = [&](const std::string& type, std::string body) {
    http::Request asked;
    asked.method = "POST";
    asked.url = http::Url::parse(there.gateway.addresses().at(0)).value();
    asked.headers.add("Content-Type", type);
    asked.body = std::move(body);
    return client.fetch_and_wait(std::move(asked)).status;
  };
  BOOST_TEST(post("text/plain", "x") == 415);
  BOOST_TEST(post("multipart/mixed ; boundary=\"b\"", "--b\r\n\r\nx\r\n--b--\r\n") == 400);
  acl::Message forged = request("x");
  forged.sender = id("lab/ann");  // it claims to be of the platform that it is sent to
  forged.receivers = {id("lab/echo")};
  const Letter letter =
      letter_of(forged, forged.receivers, acl::Representation::string, acl::CalendarTime());
  const HttpBody body = http_body_of(letter, machine_random());
  BOOST_TEST(post(body.content_type, body.body) == 403);
  const Name echo = here.gateway.introduce(id("lab/echo"));
  BOOST_TEST(ann.ask(echo, Content::of(request("still there?")), 20s).is_request() == false);
}

BOOST_AUTO_TEST_CASE(a_numbered_letter_that_comes_twice_is_taken_once) {
  Port counter(there.node, "lab/counter");
  http::Client client(here.loop);
  const auto post = [&](const std::string& content, const std::string& number) {
    acl::Message said = request(content);
    said.sender = {.name = "zed@p2"};
    said.receivers = {id("lab/counter")};
    const Letter letter =
        letter_of(said, said.receivers, acl::Representation::string, acl::CalendarTime());
    HttpBody body = http_body_of(letter, machine_random());
    http::Request asked;
    asked.method = "POST";
    asked.url = http::Url::parse(there.gateway.addresses().at(0)).value();
    asked.headers.add("Content-Type", body.content_type);
    if (!number.empty()) asked.headers.add("Coracle-Letter", number);
    asked.body = std::move(body.body);
    const http::Response response = client.fetch_and_wait(std::move(asked));
    BOOST_TEST(response.status == 200);
    BOOST_TEST(response.headers.find("Coracle-Letters").value_or("") == "numbered");
  };
  for (const char* each : {"0123456789abcdef-1", "0123456789abcdef-2", "0123456789abcdef-1",
                           "0123456789abcdef-2", "0123456789abcdef-3"})
    post(each, each);
  post("last", "");
  for (const char* each :
       {"0123456789abcdef-1", "0123456789abcdef-2", "0123456789abcdef-3", "last"})
    BOOST_TEST(acl::text_of(counter.receive(acl::any_message(), 20s)->as<acl::Message>()) == each);
}

// Such a partner may have taken it: it is not sent again, and its sender is told.
BOOST_AUTO_TEST_CASE(a_letter_that_a_broken_connection_leaves_without_an_answer_is_a_failure) {
  const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  // The first connection is closed when the second letter has come.
  const http::test::ScriptedServer partner({{ok, ""}, {ok}});
  acl::Message said = request("hello");
  said.receivers = {{.name = "zed@p2", .addresses = {partner.url().origin() + "/acc"}}};
  for (const char* each : {"r0", "r1", "r2"}) {
    said.reply_with = each;
    ann.send("fipa", Content::of(said));
  }
  const std::string why = failure(next());
  BOOST_TEST(why.find("closed the connection before its response was complete") != why.npos, why);
  const Name echo = here.gateway.introduce(id("lab/echo"));
  BOOST_TEST(acl::text_of(ann.ask(echo, Content::of(request("?")), 20s).as<acl::Message>()) == "?");
  while (partner.connections() < 2 || partner.bodies().size() < 3) std::this_thread::yield();
  BOOST_TEST(!ann.try_receive(acl::any_message()).has_value());  // no other failure
}

BOOST_AUTO_TEST_CASE(many_letters_between_gateways_keep_their_order) {
  Port counter(there.node, "lab/counter");
  const Name name = here.gateway.introduce(id("lab/counter"));
  for (int i = 0; i < 1000; ++i) ann.send(name, Content::of(request(std::to_string(i))));
  for (int i = 0; i < 1000; ++i)
    BOOST_TEST(acl::text_of(counter.receive(acl::any_message(), 20s)->as<acl::Message>()) ==
               std::to_string(i));
}

BOOST_AUTO_TEST_CASE(a_gateway_can_follow_another_one) {
  Node node(in_memory());
  for (int turn = 0; turn < 3; ++turn) {
    Gateway mine(node, {.platform = "mine"});
    BOOST_TEST(mine.introduce(id("lab/echo")).str() == "fipa/lab%2fecho@there");
  }
}

BOOST_AUTO_TEST_CASE(a_transport_can_be_unplugged_and_plugged_again) {
  BOOST_TEST(there.gateway.unplug("fipa.mts.mtp.http.std"));
  BOOST_TEST(!there.gateway.unplug("fipa.mts.mtp.http.std"));
  BOOST_TEST(there.gateway.addresses().empty());
  there.gateway.plug(http_mtp(there.loop));
  const Name echo = here.gateway.introduce(id("lab/echo"));
  BOOST_TEST(acl::text_of(ann.ask(echo, Content::of(request("?")), 20s).as<acl::Message>()) == "?");
}

BOOST_AUTO_TEST_CASE(a_name_is_reached_at_the_address_to_which_its_platform_has_moved) {
  const Name echo = here.gateway.introduce(id("lab/echo"));
  BOOST_TEST(there.gateway.unplug("fipa.mts.mtp.http.std"));
  there.gateway.plug(http_mtp(there.loop));
  // The answer is a letter of the agent with its new address.
  BOOST_TEST(acl::text_of(ask(id("lab/echo"), "where?")) == "where?");
  BOOST_TEST(acl::text_of(ann.ask(echo, Content::of(request("?")), 20s).as<acl::Message>()) == "?");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
