// Promise 12: nobody may enter, or do anything, without permission.
#include "coracle/policy.hpp"
#include "play.hpp"

namespace coracle::conformance {

namespace {

// Forbids one action towards one name.
class Forbidding final : public Policy {
 public:
  Forbidding(Action action, Name to) : action_(action), to_(std::move(to)) {}
  bool allows(std::string_view identity, Action action, const Name&,
              const Name& to) const noexcept override {
    return identity == "somebody" && !(action == action_ && to == to_);
  }

 private:
  const Action action_;
  const Name to_;
};

NodeOptions forbidding(const Subject& subject, Action action, Name to) {
  NodeOptions options = options_for(subject);
  options.identity = "somebody";
  options.policy = std::make_shared<Forbidding>(action, std::move(to));
  return options;
}

void a_name_that_may_not_be_held_is_not_permitted(const Subject& subject) {
  play(subject, forbidding(subject, Action::claim, "king"), [](Agent& me) -> Task<> {
    expect_error(co_await error_of(start(me, "king", deaf())), Errc::not_permitted, "king");
    expect(!co_await me.node().directory().look_up("king"), "nobody is king");
    co_await start(me, "knave", deaf());
  });
}

void a_message_that_may_not_be_sent_is_not_permitted(const Subject& subject) {
  play(subject, forbidding(subject, Action::send, "king"), [](Agent& me) -> Task<> {
    co_await start(me, across(me, "king"), echo_to("main"));
    co_await start(me, across(me, "knave"), echo_to("main"));
    expect_error(co_await me.send_result("king", "hello"), Errc::not_permitted, "to the king");
    expect_error(co_await me.ask_result("king", "hello", soon), Errc::not_permitted, "a request");
    const std::vector<Name> both = {"king", "knave"};
    expect_error(co_await error_of(me.send(Post(both, "hello"))), Errc::not_permitted, "to both");
    expect_equal(co_await hear(me), "hello", "the knave got");
    co_await hear_nothing(me);
    expect(me.node().ledger().balanced(), "balanced: " + me.node().ledger().to_string());
  });
}

void a_member_of_a_group_that_may_not_be_sent_to_gets_nothing(const Subject& subject) {
  play(subject, forbidding(subject, Action::send, "king"), [](Agent& me) -> Task<> {
    Body member = [](Agent& agent) -> Task<> {
      co_await agent.join(group("court"));
      co_await agent.send("main", "joined");
      for (;;) {
        const std::string text = co_await hear(agent);
        co_await agent.send("main", text);
      }
    };
    co_await start(me, across(me, "king"), member);
    co_await start(me, across(me, "knave"), member);
    for (int i = 0; i < 2; ++i) expect_equal(co_await hear(me), "joined", "a member says");
    (void)co_await error_of(me.multicast(group("court"), "hello"));
    const Message echo = co_await take(me);
    expect_equal(echo.source().name(), Name("knave"), "who got it");
    co_await hear_nothing(me);
  });
}

void a_group_that_may_not_be_joined_is_not_permitted(const Subject& subject) {
  play(subject, forbidding(subject, Action::join, "court"), [](Agent& me) -> Task<> {
    expect_error(co_await error_of(me.join(group("court"))), Errc::not_permitted, "the court");
    expect_equal((co_await me.members(group("court"))).size(), 0u, "members");
    co_await me.join(group("pub"));
  });
}

}  // namespace

Cases admission_cases() {
  return {
      CORACLE_CASE(12, a_name_that_may_not_be_held_is_not_permitted),
      CORACLE_CASE(12, a_message_that_may_not_be_sent_is_not_permitted),
      CORACLE_CASE(12, a_member_of_a_group_that_may_not_be_sent_to_gets_nothing),
      CORACLE_CASE(12, a_group_that_may_not_be_joined_is_not_permitted),
      CORACLE_CASE_ELSEWHERE(12, a_listener_needs_credentials_unless_told_otherwise, listener,
                             "realizations/net/tests/asio/tls_key_test.cpp: "
                             "plain_text_stays_on_this_host_unless_it_is_said_to_be_insecure"),
  };
}

}  // namespace coracle::conformance
