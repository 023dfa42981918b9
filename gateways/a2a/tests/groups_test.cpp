// Messages to several agents: docs/a2a-groups.md.
#include "server/groups.hpp"

#include "coracle/a2a/fault.hpp"
#include "coracle/a2a/model_json.hpp"
#include "coracle/web/json.hpp"
#include "support/team.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>

namespace coracle::a2a {
namespace {

using namespace test;
using Verdict = GroupTally::Verdict;

std::string wish_of(const std::string& json, std::size_t members = 4) {
  Message message{"m"};
  message.metadata.set(groups_extension, web::parse_json(json).value());
  try {
    return std::to_string(group_wish_in(message, 4).value().needed(members));
  } catch (const Fault& fault) {
    return fault.kind() == FaultKind::invalid_params ? "refused" : "other";
  }
}

// The states of the members, by their names.
std::map<std::string, std::string> states_in(const Task& task) {
  std::map<std::string, std::string> all;
  for (const Artifact& each : task.artifacts) {
    const Json* const entry = each.metadata.find(groups_extension);
    BOOST_REQUIRE(entry != nullptr);
    BOOST_TEST(each.artifact_id == "answer-of/" + each.name);
    all[*entry->find("agent")->if_text()] = *entry->find("state")->if_text();
  }
  return all;
}

BOOST_AUTO_TEST_SUITE(groups)

BOOST_AUTO_TEST_CASE(the_client_says_how_many_answers_it_needs) {
  BOOST_TEST(wish_of(R"({"agents":["a","b"]})") == "4");
  BOOST_TEST(wish_of(R"({"agents":["a"],"answers":"all"})", 3) == "3");
  BOOST_TEST(wish_of(R"({"group":"g","answers":"majority"})", 4) == "3");
  BOOST_TEST(wish_of(R"({"group":"g","answers":"majority"})", 3) == "2");
  BOOST_TEST(wish_of(R"({"group":"g","answers":"first"})") == "1");
  BOOST_TEST(wish_of(R"({"group":"g","answers":2})") == "2");
}

BOOST_AUTO_TEST_CASE(a_wish_that_makes_no_sense_is_refused) {
  for (const char* wish :
       {"7", "{}", R"({"agents":[]})", R"({"agents":["a"],"group":"g"})", R"({"agents":["a","a"]})",
        R"({"agents":["a","b","c","d","e"]})", R"({"agents":[7]})", R"({"group":7})",
        R"({"group":"g","answers":"some"})", R"({"group":"g","answers":0})",
        R"({"group":"g","answers":5})", R"({"group":"g","answers":1.5})"})
    BOOST_TEST(wish_of(wish) == "refused", wish);
  BOOST_TEST(wish_of(R"({"group":"g"})", 0) == "refused");
}

BOOST_AUTO_TEST_CASE(a_tally_ends_when_the_number_is_reached_or_out_of_reach) {
  GroupTally two_of_three(3, 2);
  BOOST_TEST((two_of_three.note(true) == Verdict::open));
  BOOST_TEST((two_of_three.note(false) == Verdict::open));
  BOOST_TEST((two_of_three.note(true) == Verdict::reached));
  GroupTally all(2, 2);
  BOOST_TEST((all.note(false) == Verdict::missed));
}

BOOST_AUTO_TEST_CASE(each_member_gets_the_message_and_its_answer_is_an_artifact) {
  Team team;
  const Task task = team.ask("hello", R"({"agents":["lab/ann","lab/bob"]})");
  BOOST_TEST((task.status.state == TaskState::completed));
  BOOST_TEST(team.active == groups_extension);
  BOOST_TEST(task.artifacts.size() == 2);
  for (const Artifact& each : task.artifacts) BOOST_TEST(text_of(each.parts) == "you said hello|");
  BOOST_TEST(states_in(task).at("lab/bob") == "TASK_STATE_COMPLETED");
}

BOOST_AUTO_TEST_CASE(too_few_answers_fail_the_task) {
  Team team;
  const Task task = team.ask("refuse", R"({"agents":["lab/ann","lab/bob"]})");
  BOOST_TEST((task.status.state == TaskState::failed));
  BOOST_TEST(task.artifacts.size() == 1);  // one refusal decides it
  BOOST_TEST(states_in(task).begin()->second == "TASK_STATE_REJECTED");
  BOOST_TEST(text_of(task.artifacts[0].parts).find("no coffee") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_first_answer_is_enough_if_the_client_wants_it_so) {
  Team team;
  const Task task =
      team.ask("hello", R"({"agents":["lab/ann","lab/bob","lab/helper"],"answers":"first"})");
  BOOST_TEST((task.status.state == TaskState::completed));
  BOOST_TEST(task.artifacts.size() == 1);
}

BOOST_AUTO_TEST_CASE(members_that_clients_may_not_know_do_not_exist) {
  Team team;
  for (const char* wish : {R"({"agents":["hidden"]})", R"({"agents":["none"]})",
                           R"({"agents":["x//y"]})", R"({"group":"nobody"})", R"({"group":"//"})"})
    BOOST_TEST(team.code(wish) == -32602, wish);
}

BOOST_AUTO_TEST_CASE(a_message_without_the_header_is_an_ordinary_one) {
  Team team;
  const Json wish = web::parse_json(R"({"agents":["lab/ann","lab/bob"]})").value();
  const Task task = team.ask("hello", wish, "urn:y");
  BOOST_TEST(task.artifacts.at(0).artifact_id == "result");
  BOOST_TEST(team.active.empty());
}

BOOST_AUTO_TEST_CASE(to_cancel_the_task_withdraws_all_requests) {
  Team team;
  const Json later = Json().set("returnImmediately", true);
  const Json wish = web::parse_json(R"({"agents":["lab/ann","lab/bob"]})").value();
  Json params = team.message("wait", Json().set("metadata", Json().set(groups_extension, wish)));
  params.set("configuration", later);
  const std::string body = web::write_rpc({"SendMessage", params, Json(7)});
  const http::Response begun = team.fetch("POST", "/a2a/lab/helper", body, {}, true,
                                          {{"A2A-Extensions", std::string(groups_extension)}});
  const Task task = task_in(web::parse_json(begun.body).value());
  BOOST_TEST((task.status.state == TaskState::working));
  const Json cancel = Json().set("id", task.id);
  BOOST_TEST((task_in(team.call("CancelTask", cancel)).status.state == TaskState::canceled));
  BOOST_TEST(task_in(team.call("GetTask", cancel)).artifacts.empty());
}

BOOST_AUTO_TEST_CASE(a_group_of_the_society_is_asked) {
  Team team;
  class Member : public Agent {
    coracle::Task<> run() override {
      coracle::Task<> joining = join(Group("team"));
      co_await joining;
      for (;;) {
        const coracle::Message message = co_await receive();
        const std::string own = name().str();
        co_await reply(message, own);
      }
    }
  };
  team.node.create<Member>("lab/cy");
  team.node.create<Member>("other/dee");
  BOOST_TEST(Port(team.node, "asker").ask("lab/cy", "x").text() == "lab/cy");
  BOOST_TEST(Port(team.node, "asker").ask("other/dee", "x").text() == "other/dee");
  const Task task = team.ask("hello", R"({"group":"team"})");
  BOOST_TEST((task.status.state == TaskState::completed));
  BOOST_REQUIRE(task.artifacts.size() == 1);  // the other one is hidden
  BOOST_TEST(task.artifacts[0].name == "lab/cy");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
