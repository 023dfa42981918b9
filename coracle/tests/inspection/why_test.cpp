#include "coracle/why_waits.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

namespace coracle {

namespace {

using namespace std::chrono_literals;

Wait wait_for(WaitFor what, const char* whom = nullptr, Conversation conversation = 0) {
  Wait wait;
  wait.what = what;
  if (whom != nullptr) wait.whom = whom;
  wait.conversation = conversation;
  return wait;
}

// Agents by name, as inspections would find them.
struct Agents {
  Inspection& add(const char* name, std::vector<Wait> waits = {}) {
    Inspection& made = all[name];
    made.name = name;
    made.lease = 1;
    made.waits = std::move(waits);
    made.activity = made.waits.empty() ? Activity::runs : Activity::waits;
    return made;
  }
  WhyWaits why(const char* name) const {
    return why_waits(name, [this](const Name& each) {
      const auto found = all.find(each.str());
      return found == all.end() ? Inspection() : found->second;
    });
  }
  std::map<std::string, Inspection> all;
};

bool says(const WhyWaits& why, std::string_view words) {
  return why.sentence.find(words) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(why)

BOOST_AUTO_TEST_CASE(a_circle_of_requests_is_a_deadlock) {
  Agents agents;
  agents.add("first", {wait_for(WaitFor::reply, "ann", 5)});
  agents.add("ann", {wait_for(WaitFor::reply, "bob", 7)});
  agents.add("bob", {wait_for(WaitFor::room, "carol")});
  agents.add("carol", {wait_for(WaitFor::message, "ann")});
  const WhyWaits why = agents.why("first");
  BOOST_TEST((why.end == WhyEnd::circle));
  BOOST_TEST(why.chain.size() == 4U);
  BOOST_TEST(why.circle_begins == 1U);
  BOOST_TEST(why.is_deadlock);
  BOOST_TEST(says(why, "'carol' waits for 'ann' again: a circle, in which nobody can go on"));
}

BOOST_AUTO_TEST_CASE(a_circle_with_another_task_is_no_deadlock) {
  Agents agents;
  agents.add("ann", {wait_for(WaitFor::reply, "bob", 7), wait_for(WaitFor::message)});
  agents.add("bob", {wait_for(WaitFor::reply, "ann", 8)});
  const WhyWaits why = agents.why("ann");
  BOOST_TEST((why.end == WhyEnd::circle));
  BOOST_TEST(!why.is_deadlock);
  BOOST_TEST(why.chain.front().other_waits == 1U);
}

BOOST_AUTO_TEST_CASE(each_dead_end_is_named) {
  Agents agents;
  const auto end_of = [&](const char* cause) {
    agents.add("ann", {wait_for(WaitFor::reply, cause, 7)});
    return agents.why("ann");
  };
  agents.add("runner");
  BOOST_TEST((end_of("runner").end == WhyEnd::runs));
  agents.add("sleeper", {wait_for(WaitFor::pause)}).waits.front().left = 3s;
  BOOST_TEST((end_of("sleeper").end == WhyEnd::pauses));
  BOOST_TEST(says(end_of("sleeper"), "for 3.0 s more"));
  agents.add("thinker", {wait_for(WaitFor::computation)});
  BOOST_TEST((end_of("thinker").end == WhyEnd::computes));
  agents.add("reader", {wait_for(WaitFor::message)});
  BOOST_TEST((end_of("reader").end == WhyEnd::reads));
  agents.add("mute").activity = Activity::silent;
  BOOST_TEST((end_of("mute").end == WhyEnd::silent));
  agents.add("secret").is_allowed = false;
  BOOST_TEST((end_of("secret").end == WhyEnd::not_allowed));
  const WhyWaits nobody = end_of("absent");
  BOOST_TEST((nobody.end == WhyEnd::nobody));
  BOOST_TEST(says(nobody, "nobody holds the name 'absent'"));
}

BOOST_AUTO_TEST_CASE(a_full_mailbox_and_an_unread_request_are_named) {
  Agents agents;
  agents.add("ann", {wait_for(WaitFor::reply, "bob", 7)});
  Inspection& bob = agents.add("bob", {wait_for(WaitFor::pause)});
  bob.mailbox.messages(2);
  bob.queued = 2;
  bob.messages = {{MessageKind::request, false, 7, "ann", 5, "well?"}};
  const WhyWaits why = agents.why("ann");
  BOOST_TEST(why.chain.back().is_full);
  BOOST_TEST(why.chain.back().is_unread);
  BOOST_TEST(says(why, "it has not read the request yet; its mailbox is full"));
  bob.messages.front().source = "carol";
  BOOST_TEST(!agents.why("ann").chain.back().is_unread);
}

BOOST_AUTO_TEST_CASE(of_several_waits_the_longest_for_an_agent_is_followed) {
  Agents agents;
  Wait longer = wait_for(WaitFor::reply, "carol", 8);
  longer.since = 9s;
  agents.add("ann", {wait_for(WaitFor::pause), wait_for(WaitFor::reply, "bob", 7), longer});
  agents.add("carol");
  BOOST_TEST(agents.why("ann").chain.back().name.view() == "carol");
  BOOST_TEST(agents.why("ann").chain.front().other_waits == 2U);
}

BOOST_AUTO_TEST_CASE(a_chain_without_an_end_is_cut) {
  int asked = 0;
  const WhyWaits why = why_waits("a/0", [&asked](const Name&) {
    Inspection found;
    found.activity = Activity::waits;
    const std::string next = "a/" + std::to_string(++asked);
    found.waits = {wait_for(WaitFor::reply, next.c_str(), 1)};
    return found;
  });
  BOOST_TEST((why.end == WhyEnd::too_long));
  BOOST_TEST(why.chain.size() == 256U);
  BOOST_TEST(asked == 256);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle
