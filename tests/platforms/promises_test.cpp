// The promises of docs/promises.md for agents of two societies that talk through their gateways, in
// each form of messages. The differences are listed there.
#include "two.hpp"

#include "coracle/acl/initiator.hpp"
#include "coracle/acl/match.hpp"
#include "coracle/acl/ontology/contents.hpp"
#include "coracle/acl/participant.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

namespace coracle::fipa::test {

namespace {

using acl::Performative;

acl::Message saying(Performative performative, std::string content) {
  acl::Message made;
  made.performative = performative;
  made.content = std::move(content);
  made.language = "fipa-sl0";
  made.reply_with = "mine";
  return made;
}

// The message of FIPA in what was received.
acl::Message in(const std::optional<Message>& received) {
  if (!received) return saying(Performative::not_understood, "nothing has come");
  return received->as<acl::Message>();
}

// Answers with the same content, `count` times; then it ends.
std::function<Task<>(Agent& me)> echo(int count = 1'000'000) {
  return [count](Agent& me) -> Task<> {
    for (int i = 0; i < count; ++i) {
      const Message message = co_await me.receive();
      const auto asked = message.as<acl::Message>();
      acl::Message answer = acl::reply(asked, Performative::inform);
      answer.content = asked.content;
      co_await me.send(message.source(), Content::of(answer));
    }
  };
}

void expect_failure(const acl::Message& said, const std::string& reason, const std::string& agent) {
  const std::string text(acl::text_of(said));
  BOOST_TEST((said.performative == Performative::failure));
  BOOST_TEST(said.in_reply_to == "mine");
  BOOST_TEST(text.find("MTS-error") != std::string::npos);
  BOOST_TEST(text.find(reason) != std::string::npos, text);
  BOOST_TEST(text.find(agent) != std::string::npos, text);
}

// The acts of lab/ann, for each sentence.
namespace sentences {

Task<> messages_of_one_sender_keep_their_order(Agent& me, Two& two) {
  auto got = std::make_shared<std::vector<std::string>>();
  two.start(two.there(), "lab/bob", [got](Agent& bob) -> Task<> {
    for (;;) got->emplace_back(acl::text_of((co_await bob.receive()).as<acl::Message>()));
  });
  co_await two.introduce_all(me, "lab/bob");
  std::vector<std::string> sent;
  for (int i = 0; i < 300; ++i) {
    sent.push_back(std::to_string(i));
    // A large message takes longer than those that follow it.
    if (i == 7) sent.back() += std::string(200'000, 'x');
    co_await me.send(Two::there_is("lab/bob"), Content::of(saying(Performative::inform, sent[i])));
  }
  while (got->size() < sent.size()) co_await me.pause(10ms);
  for (std::size_t i = 0; i < sent.size(); ++i) BOOST_TEST(got->at(i) == sent[i]);
}

Task<> a_request_gets_one_reply_with_its_own_reply_with(Agent& me, Two& two) {
  two.start(two.there(), "lab/echo", echo());
  co_await two.introduce_all(me, "lab/echo");
  const std::vector<std::string> texts = {"one", "two", ""};
  for (const std::string& text : texts) {
    const Content content = Content::of(saying(Performative::request, text));
    const Message reply = co_await me.ask(Two::there_is("lab/echo"), content, 60s);
    const auto answer = reply.as<acl::Message>();
    BOOST_TEST(acl::text_of(answer) == text);
    BOOST_TEST(answer.in_reply_to == "mine");
    BOOST_TEST(reply.source().name().str() == "fipa/lab%2fecho@there");
  }
  co_await me.pause(1s);
  BOOST_TEST(me.pending() == 0U);
}

// An absent agent, one that is not exposed, and one of a platform that is not there: the reply of a
// request is the failure.
Task<> a_request_that_nobody_takes_ends_with_a_failure(Agent& me, Two& two) {
  two.start(two.there(), "boss", echo());
  co_await two.introduce_all(me, "lab/nobody boss");
  const acl::AgentId gone{.name = "zed@gone", .addresses = {"sim://gone"}};
  (void)co_await introduce(me, gone);
  const acl::AgentId nowhere{.name = "zed@nowhere"};
  (void)co_await introduce(me, nowhere);
  const std::map<std::string, std::string> reasons = {{"lab/nobody@there", "Agent not found"},
                                                      {"boss@there", "Agent not found"},
                                                      {"zed@gone", "unreachable"},
                                                      {"zed@nowhere", "no address"}};
  for (const auto& [agent, reason] : reasons) {
    const Content content = Content::of(saying(Performative::request, "x"));
    acl::AgentId id;
    id.name = agent;
    const Name whom = foreign_name(id);
    const Message reply = co_await me.ask(whom, content, 300s);
    expect_failure(reply.as<acl::Message>(), reason, agent);
  }
}

// The same for a message that is no request: the failure is a message of its own.
Task<> a_message_that_nobody_takes_comes_back_as_a_failure(Agent& me, Two& two) {
  acl::Message said = saying(Performative::inform, "x");
  said.receivers = {two.there().id_of("lab/nobody")};
  co_await me.send("fipa", Content::of(said));
  expect_failure(in(co_await me.receive(60s)), "Agent not found", "lab/nobody@there");
}

Task<> a_refusal_and_a_silence_are_outcomes_of_a_request(Agent& me, Two& two) {
  two.start(two.there(), "lab/no", [](Agent& no) -> Task<> {
    const Message message = co_await no.receive();
    const acl::Message answer = acl::reply(message.as<acl::Message>(), Performative::refuse);
    co_await no.send(message.source(), Content::of(answer));
  });
  two.start(two.there(), "lab/mute", [](Agent& mute) -> Task<> {
    const Message message = co_await mute.receive();
    co_await mute.pause(Deadline::never());
  });
  acl::Message asked;
  asked.receivers = {two.there().id_of("lab/no"), two.there().id_of("lab/mute")};
  co_await two.introduce_all(me, "lab/no lab/mute");
  acl::Terms terms;
  terms.settings(two.here().settings()).reply_within(5s).until(20s);
  const acl::Answers answers = co_await acl::request(me, asked, terms);
  BOOST_TEST((answers.at(0).outcome == acl::Outcome::refused));
  BOOST_TEST((answers.at(1).outcome == acl::Outcome::expired));
}

Task<> a_conversation_with_an_absent_agent_is_lost(Agent& me, Two& two) {
  acl::Message asked;
  co_await two.introduce_all(me, "lab/nobody");
  const acl::AgentId gone{.name = "zed@gone", .addresses = {"sim://gone"}};
  (void)co_await introduce(me, gone);
  asked.receivers = {two.there().id_of("lab/nobody"), gone};
  acl::Terms terms;
  terms.settings(two.here().settings()).until(60s);
  const acl::Answers answers = co_await acl::request(me, asked, terms);
  BOOST_TEST((answers.at(0).outcome == acl::Outcome::lost));
  BOOST_TEST((answers.at(1).outcome == acl::Outcome::lost));
}

// An agent that ends is not found from then on; its name that returns is reached again.
Task<> a_name_that_returns_is_reached_again(Agent& me, Two& two) {
  co_await two.introduce_all(me, "lab/echo");
  for (int turn = 0; turn < 3; ++turn) {
    const bool is_there = turn != 1;
    if (is_there) two.start(two.there(), "lab/echo", echo(1));
    const Content content = Content::of(saying(Performative::request, "?"));
    const Message reply = co_await me.ask(Two::there_is("lab/echo"), content, 60s);
    if (is_there) BOOST_TEST(acl::text_of(reply.as<acl::Message>()) == "?");
    else expect_failure(reply.as<acl::Message>(), "Agent not found", "lab/echo@there");
    co_await me.pause(100ms);
  }
}

// The agent reads a request and ends. FIPA has no notice of that: the deadline ends the request.
Task<> an_agent_that_ends_in_the_middle_lets_a_request_expire(Agent& me, Two& two) {
  two.start(two.there(), "lab/ends",
            [](Agent& ends) -> Task<> { const Message message = co_await ends.receive(); });
  co_await two.introduce_all(me, "lab/ends");
  const Content content = Content::of(saying(Performative::request, "?"));
  const Result<Message> reply = co_await me.ask_result(Two::there_is("lab/ends"), content, 10s);
  BOOST_TEST(!reply.has_value());
  if (!reply) BOOST_TEST((reply.error().errc() == Errc::expired));
}

Task<> each_of_several_receivers_gets_a_message_once(Agent& me, Two& two) {
  auto got = std::make_shared<std::map<std::string, int>>();
  acl::Message said = saying(Performative::inform, "all");
  const std::vector<std::string> names = {"lab/a", "lab/b", "lab/c"};
  for (const std::string& name : names) {
    two.start(two.there(), name, [got, name](Agent& each) -> Task<> {
      for (;;) {
        const auto message = (co_await each.receive()).as<acl::Message>();
        if (message.receivers.size() >= 3) ++(*got)[name];
      }
    });
    said.receivers.push_back(two.there().id_of(name));
  }
  said.receivers.push_back(two.there().id_of("LAB/A"));  // FIPA takes it for the first
  said.receivers.push_back(two.there().id_of("lab/a"));
  co_await me.send("fipa", Content::of(said));
  co_await me.pause(1s);
  const std::map<std::string, int> once = {{"lab/a", 1}, {"lab/b", 1}, {"lab/c", 1}};
  BOOST_TEST((*got == once));
  // By the names of the receivers, too, each gets its own copy alone.
  co_await two.introduce_all(me, "lab/a lab/b lab/c");
  for (const std::string& name : names) co_await me.send(Two::there_is(name), Content::of(said));
  co_await me.pause(1s);
  const std::map<std::string, int> twice = {{"lab/a", 2}, {"lab/b", 2}, {"lab/c", 2}};
  BOOST_TEST((*got == twice));
}

Task<> every_performative_and_every_content_arrives_as_it_was(Agent& me, Two& two) {
  two.start(two.there(), "lab/echo", echo());
  co_await two.introduce_all(me, "lab/echo");
  const std::vector<std::string> contents = {"", "gr\xc3\xbc\xc3\x9f \"dich\" \\", "(a)\n(b)",
                                             std::string(300'000, 'q')};
  for (std::size_t i = 0; i < acl::performatives; ++i) {
    acl::Message said = saying(static_cast<Performative>(i), contents[i % contents.size()]);
    said.protocol = "fipa-request";
    said.conversation_id = "c " + std::to_string(i);
    said.ontology = "any";
    said.user = {{"key", "value"}};
    const Content content = Content::of(said);
    const Message reply = co_await me.ask(Two::there_is("lab/echo"), content, 60s);
    const auto answer = reply.as<acl::Message>();
    BOOST_TEST(acl::text_of(answer) == acl::text_of(said));
    BOOST_TEST(answer.conversation_id == said.conversation_id);
    BOOST_TEST(answer.in_reply_to == "mine");
  }
}

Task<> a_full_mailbox_delays_the_sender_and_nobody_else(Agent& me, Two& two) {
  two.start(two.there(), "lab/full", [](Agent& full) -> Task<> {
    full.set_mailbox(MailboxOptions().messages(1));
    co_await full.pause(Deadline::never());
  });
  two.start(two.there(), "lab/echo", echo());
  co_await two.introduce_all(me, "lab/full lab/echo");
  two.start(two.here(), "lab/eve", [](Agent& eve) -> Task<> {
    for (int i = 0; i < 3000; ++i)
      (void)co_await eve.send_result(Two::there_is("lab/full"),
                                     Content::of(saying(Performative::inform, "flood")));
    co_await eve.pause(Deadline::never());
  });
  co_await me.pause(5s);
  const Time begin = me.now();
  const Content content = Content::of(saying(Performative::request, "?"));
  const Message reply = co_await me.ask(Two::there_is("lab/echo"), content, 60s);
  BOOST_TEST(acl::text_of(reply.as<acl::Message>()) == "?");
  BOOST_TEST((me.now() - begin < 5s));
}

Task<> a_foreign_agent_is_found_and_answers_a_participant(Agent& me, Two& two) {
  class Bidder : public acl::Participant {
   public:
    using Participant::Participant;

   protected:
    Task<> act() override {
      Properties what;
      what.set("service", "translation");
      co_await describe(std::move(what));
    }
    Task<> converse(acl::Talk& talk) override {
      acl::Speech bid(Performative::propose, "((price 7))");
      (void)co_await talk.say(std::move(bid));
      const std::optional<acl::Message> decision = co_await talk.next(10s);
      if (!decision || decision->performative != Performative::accept_proposal) co_return;
      acl::Speech done(Performative::inform, "((done))");
      (void)co_await talk.say(std::move(done));
    }
  };
  two.start(two.there(), "lab/bidder", std::make_unique<Bidder>(two.there().settings()));
  co_await me.pause(1s);
  acl::Terms terms;
  terms.settings(two.here().settings()).reply_within(10s).until(30s);
  acl::management::DfAgentDescription pattern;
  pattern.services.emplace_back().type = "translation";
  const acl::AgentId df = two.there().id_of("df");
  acl::Message search;
  search.receivers = {df};
  search.language = "fipa-sl0";
  search.ontology = acl::management::ontology;
  const acl::management::Search action{pattern, {}};
  search.content = acl::request_content(df, acl::to_term(action));
  (void)co_await introduce(me, df);
  const acl::Answers found = co_await acl::request(me, search, terms);
  BOOST_TEST((found.at(0).outcome == acl::Outcome::done));
  const std::string text(acl::text_of(found.at(0).message));
  BOOST_TEST(text.find("lab/bidder@there") != std::string::npos, text);
  (void)co_await introduce(me, two.there().id_of("lab/bidder"));
  acl::Message call;
  call.receivers = {two.there().id_of("lab/bidder")};
  const acl::Choose accept = [](const acl::Answers& bids) {
    return std::vector<acl::Speech>(bids.size(), acl::Speech(Performative::accept_proposal));
  };
  const acl::Answers bids = co_await acl::contract_net(me, call, accept, terms);
  BOOST_TEST((bids.at(0).outcome == acl::Outcome::done));
  BOOST_TEST(acl::text_of(bids.at(0).message) == "((done))");
}

}  // namespace sentences

constexpr acl::Representation forms[] = {
    acl::Representation::string, acl::Representation::bit_efficient, acl::Representation::xml};

void in_each_form(const Two::Body& body) {
  for (const acl::Representation form : forms) {
    BOOST_TEST_CONTEXT("in the form " << acl::to_text(form)) { Two(form).run(body); }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(promises)

BOOST_AUTO_TEST_CASE(messages_of_one_sender_keep_their_order) {
  in_each_form(sentences::messages_of_one_sender_keep_their_order);
}

BOOST_AUTO_TEST_CASE(a_request_gets_one_reply_with_its_own_reply_with) {
  in_each_form(sentences::a_request_gets_one_reply_with_its_own_reply_with);
}

BOOST_AUTO_TEST_CASE(a_request_that_nobody_takes_ends_with_a_failure) {
  in_each_form(sentences::a_request_that_nobody_takes_ends_with_a_failure);
}

BOOST_AUTO_TEST_CASE(a_message_that_nobody_takes_comes_back_as_a_failure) {
  in_each_form(sentences::a_message_that_nobody_takes_comes_back_as_a_failure);
}

BOOST_AUTO_TEST_CASE(a_refusal_and_a_silence_are_outcomes_of_a_request) {
  in_each_form(sentences::a_refusal_and_a_silence_are_outcomes_of_a_request);
}

BOOST_AUTO_TEST_CASE(a_conversation_with_an_absent_agent_is_lost) {
  in_each_form(sentences::a_conversation_with_an_absent_agent_is_lost);
}

BOOST_AUTO_TEST_CASE(a_name_that_returns_is_reached_again) {
  in_each_form(sentences::a_name_that_returns_is_reached_again);
}

BOOST_AUTO_TEST_CASE(an_agent_that_ends_in_the_middle_lets_a_request_expire) {
  in_each_form(sentences::an_agent_that_ends_in_the_middle_lets_a_request_expire);
}

BOOST_AUTO_TEST_CASE(each_of_several_receivers_gets_a_message_once) {
  in_each_form(sentences::each_of_several_receivers_gets_a_message_once);
}

BOOST_AUTO_TEST_CASE(every_performative_and_every_content_arrives_as_it_was) {
  in_each_form(sentences::every_performative_and_every_content_arrives_as_it_was);
}

BOOST_AUTO_TEST_CASE(a_full_mailbox_delays_the_sender_and_nobody_else) {
  in_each_form(sentences::a_full_mailbox_delays_the_sender_and_nobody_else);
}

BOOST_AUTO_TEST_CASE(a_foreign_agent_is_found_and_answers_a_participant) {
  in_each_form(sentences::a_foreign_agent_is_found_and_answers_a_participant);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa::test
