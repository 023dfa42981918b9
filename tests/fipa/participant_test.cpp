// Participants, on every realization: cancels, several conversations at once, and agents that lie.
#include "partners.hpp"

#include "coracle/acl/match.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::acl::test {

namespace {

AgentId agent(const char* name) { return {name, {}, {}, {}}; }

Task<> send_message(Agent& me, const char* to, Message message) {
  const Content content = Content::of(std::move(message));
  co_await me.send(to, content);
}

Message opening(Act act, const char* protocol, std::string conversation) {
  Message message;
  message.performative = act;
  message.protocol = protocol;
  message.language = "fipa-sl0";
  message.conversation_id = std::move(conversation);
  message.reply_with = "r1";
  return message;
}

Task<Message> next_message(Agent& me) {
  const coracle::Message received = co_await me.receive(any_message());
  co_return received.as<Message>();
}

void a_participant_may_begin_conversations_of_its_own(Scene& scene) {
  // Ann asks bob, who asks ann, while ann waits for bob.
  const auto asking = [&](Partner& me, Talk& talk) -> Task<> {
    const Message message = to("ann");
    const Answers answers = co_await query(me, message, scene.terms());
    Speech done(Act::inform, answers.at(0).message.content);
    (void)co_await talk.say(std::move(done));
  };
  scene.run_both({{"bob", asking}}, says({Act::inform}, "(secret)"), [&](Partner& me) -> Task<> {
    const Message message = to("bob");
    const Answers answers = co_await request(me, message, scene.terms());
    expect_equal(shown(answers), std::string("bob: done (secret)"), "the answer");
  });
}

void conversations_run_beside_each_other(Scene& scene) {
  const auto slow = [](Partner& me, Talk& talk) -> Task<> {
    if (text_of(talk.opening()) == "(slow)") co_await me.pause(300ms);
    me.note("answers " + std::string(text_of(talk.opening())));
    Speech done(Act::inform, talk.opening().content);
    (void)co_await talk.say(std::move(done));
  };
  scene.run({{"bob", slow}}, [&](Agent& me) -> Task<> {
    Message message = to("bob");
    message.content = std::string("(slow)");
    message.conversation_id = "c1";
    co_await send_message(me, "bob", opening(Act::request, "fipa-request", "c1"));
    Message slow_one = opening(Act::request, "fipa-request", "c2");
    slow_one.content = std::string("(slow)");
    co_await send_message(me, "bob", slow_one);
    Message quick_one = opening(Act::request, "fipa-request", "c3");
    quick_one.content = std::string("(quick)");
    co_await send_message(me, "bob", quick_one);
    std::vector<std::string> order;
    for (int i = 0; i < 3; ++i) order.push_back((co_await next_message(me)).conversation_id);
    expect(order == std::vector<std::string>{"c1", "c3", "c2"}, "the slow one is last");
  });
}

void a_cancel_is_seen_and_answered(Scene& scene) {
  const auto working = [](Partner& me, Talk& talk) -> Task<> {
    Speech yes(Act::agree);
    (void)co_await talk.say(std::move(yes));
    const std::optional<Message> cancel = co_await talk.next();
    expect(cancel && cancel->performative == Act::cancel, "it is a cancel");
    const bool obeys = text_of(*cancel) == "(please)";
    me.note(obeys ? "obeys" : "goes on");
    (void)co_await talk.answer_cancel(obeys);
    Speech done(Act::inform);
    (void)co_await talk.say(std::move(done));
  };
  scene.run({{"bob", working}}, [&](Agent& me) -> Task<> {
    for (const char* content : {"(please)", "(now)"}) {
      co_await send_message(me, "bob", opening(Act::request, "fipa-request", "c1"));
      expect((co_await next_message(me)).performative == Act::agree, "it agrees");
      Message cancel = opening(Act::cancel, "", "c1");
      cancel.content = std::string(content);
      cancel.reply_with = "r2";
      co_await send_message(me, "bob", cancel);
      const Message answer = co_await next_message(me);
      expect_equal(answer.in_reply_to, std::string("r2"), "the answer to the cancel");
      const bool obeyed = answer.performative == Act::inform;
      expect(obeyed || answer.performative == Act::failure, "done or not");
      if (!obeyed) expect_equal((co_await next_message(me)).in_reply_to, std::string("r1"), "r1");
    }
    expect(scene.diary().has("bob obeys") && scene.diary().has("bob goes on"), "both");
  });
}

void a_conversation_that_is_not_ended_ends_with_a_failure(Scene& scene) {
  scene.run({{"bob", says({Act::agree})}}, [&](Agent& me) -> Task<> {
    const Message message = to("bob");
    const Answers answers = co_await request(me, message, scene.terms());
    expect(answers.at(0).outcome == Outcome::failed, "it has failed");
    expect(text_of(answers[0].message).find("internal-error") != std::string::npos, "why");
  });
}

void a_message_that_lies_about_its_sender_has_no_effect(Scene& scene) {
  // Eve knows the identifiers of the conversation between ann and bob.
  const auto slow = [](Partner& me, Talk& talk) -> Task<> {
    const Message opened = talk.opening();
    Message lie = acl::reply(opened, Act::refuse);
    lie.sender = agent("bob");
    co_await send_message(me, "eve", lie);
    co_await me.pause(100ms);
    Speech done(Act::inform);
    (void)co_await talk.say(std::move(done));
  };
  scene.run({{"bob", slow}}, [&](Agent& me) -> Task<> {
    const coracle::test::Body lying = [](Agent& eve) -> Task<> {
      Message lie = co_await next_message(eve);
      co_await send_message(eve, "main", lie);
      lie.sender = agent("eve");
      co_await send_message(eve, "main", lie);
      lie.sender = agent("ams@elsewhere");
      lie.performative = Act::failure;
      co_await send_message(eve, "main", lie);
    };
    (void)co_await coracle::test::start(me, "eve", lying);
    const Message message = to("bob");
    const Answers answers = co_await request(me, message, scene.terms());
    expect_equal(shown(answers), std::string("bob: done"), "the true answer");
  });
}

void a_participant_is_not_deceived_either(Scene& scene) {
  scene.run({{"bob", bids(3)}}, [&](Agent& me) -> Task<> {
    co_await send_message(me, "bob", opening(Act::cfp, "fipa-contract-net", "c1"));
    const Message bid = co_await next_message(me);
    expect(bid.performative == Act::propose, "a bid");
    Message award = acl::reply(bid, Act::accept_proposal);
    award.reply_with = "r2";
    const coracle::test::Body lying = [award](Agent& eve) -> Task<> {
      Message lie = award;
      lie.sender = agent("main");
      co_await send_message(eve, "bob", lie);
      lie.sender = {};
      co_await send_message(eve, "bob", lie);
      co_await eve.send("main", "I have tried");
    };
    (void)co_await coracle::test::start(me, "eve", lying);
    (void)co_await me.receive(of_type("text/plain"));
    Message wrong = award;
    wrong.in_reply_to = "guessed";
    co_await send_message(me, "bob", wrong);
    co_await send_message(me, "bob", award);
    const Message result = co_await next_message(me);
    expect(result.performative == Act::inform, "only the true award counts");
    co_await send_message(me, "bob", award);
    while (scene.diary().count("bob hears accept-proposal of main") < 2) co_await me.pause(1ms);
    expect(scene.diary().has("bob hears accept-proposal of eve"), scene.diary().all());
  });
}

void an_unknown_act_is_not_understood_and_too_many_conversations_are_refused(Scene& scene) {
  Scene* const all = &scene;
  scene.run({}, [all](Agent& me) -> Task<> {
    const auto waiting = [](Partner&, Talk& talk) -> Task<> { (void)co_await talk.next(); };
    auto bob = std::make_unique<Partner>(waiting, all->diary(), all->settings(),
                                         Participations::Limits{10, 2});
    bob->chooses = [](const Session& session) { return &session.protocol() == &request_protocol; };
    co_await all->place(me, "bob", std::move(bob));
    co_await send_message(me, "bob", opening(Act::propose, "fipa-propose", "c0"));
    const Message answer = co_await next_message(me);
    expect(answer.performative == Act::not_understood, "it is no request");
    expect_equal(std::string(text_of(answer)), std::string("((unsupported-act propose))"), "why");
    for (const char* each : {"c1", "c2", "c3"}) {
      co_await send_message(me, "bob", opening(Act::request, "fipa-request", each));
    }
    const Message refusal = co_await next_message(me);
    expect(refusal.performative == Act::refuse, "there are too many");
    expect_equal(refusal.conversation_id, std::string("c3"), "the third one");
    co_await send_message(me, "bob", opening(Act::agree, "fipa-request", "c4"));
    while (!all->diary().has("bob hears agree of main")) co_await me.pause(1ms);
  });
}

void a_participant_that_retires_ends_its_conversations_first(Scene& scene) {
  scene.run({}, [&](Agent& me) -> Task<> {
    const auto slow = [](Partner& self, Talk& talk) -> Task<> {
      self.retire();
      self.note("retires");
      co_await self.pause(200ms);
      Speech done(Act::inform);
      (void)co_await talk.say(std::move(done));
    };
    auto bob = std::make_unique<Partner>(slow, scene.diary(), scene.settings());
    co_await scene.place(me, "bob", std::move(bob));
    co_await send_message(me, "bob", opening(Act::request, "fipa-request", "c1"));
    while (!scene.diary().has("bob retires")) co_await me.pause(1ms);
    co_await send_message(me, "bob", opening(Act::request, "fipa-request", "c2"));
    const Message refusal = co_await next_message(me);
    expect_equal(refusal.conversation_id, std::string("c2"), "no new conversation");
    expect((co_await next_message(me)).performative == Act::inform, "the old one is finished");
    try {
      const Ending ending = co_await me.watch("bob");
      expect(ending.reason == EndReason::stopped, "then it ends");
    } catch (const Error& error) {
      expect(error.errc() == Errc::no_such_agent, "or it has ended already");
    }
  });
}

const bool registered_participants = on_every_ground(
    "participant",
    {GROUND_CASE(a_participant_may_begin_conversations_of_its_own),
     GROUND_CASE(conversations_run_beside_each_other), GROUND_CASE(a_cancel_is_seen_and_answered),
     GROUND_CASE(a_conversation_that_is_not_ended_ends_with_a_failure),
     GROUND_CASE(a_message_that_lies_about_its_sender_has_no_effect),
     GROUND_CASE(a_participant_is_not_deceived_either),
     GROUND_CASE(an_unknown_act_is_not_understood_and_too_many_conversations_are_refused),
     GROUND_CASE(a_participant_that_retires_ends_its_conversations_first)});

}  // namespace

}  // namespace coracle::acl::test
