// The members of a group that are not asked, or not asked any more.
#include "coracle/web/json.hpp"
#include "support/team.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <utility>

namespace coracle::a2a {
namespace {

using namespace test;

// Counts what it gets, until it is asked for the count. With a gate, it begins behind that.
class Counting : public Agent {
 public:
  Counting(std::string gate, Overflow overflow) : gate_(std::move(gate)), overflow_(overflow) {}

 private:
  coracle::Task<> run() override {
    if (!gate_.empty()) {
      set_mailbox(MailboxOptions().messages(1).overflow(overflow_));
      (void)co_await ask(Name(gate_), "may I?");
    }
    for (int count = 0;;) {
      const coracle::Message message = co_await receive();
      if (message.text() == "count") co_await reply(message, std::to_string(count));
      else ++count;
    }
  }

  std::string gate_;
  Overflow overflow_;
};

// Answers the first request when it is told to open.
class Gate : public Agent {
  coracle::Task<> run() override {
    const coracle::Message asked = co_await receive();
    const coracle::Message opens = co_await receive();
    co_await reply(asked, "yes");
    co_await reply(opens, "opened");
  }
};

// Answers with much text.
class Talker : public Agent {
  coracle::Task<> run() override {
    for (;;) {
      const coracle::Message message = co_await receive();
      co_await reply(message, std::string(10'000, 'x'));
    }
  }
};

// Keeps each message, and answers with the place of its bytes in memory.
class Keeper : public Agent {
  coracle::Task<> run() override {
    for (;;) {
      kept_.push_back(co_await receive());
      const auto place = reinterpret_cast<std::uintptr_t>(kept_.back().content().bytes().data());
      co_await reply(kept_.back(), std::to_string(place));
    }
  }

  std::deque<coracle::Message> kept_;
};

// A member of the group "team".
class Member : public Agent {
  coracle::Task<> run() override {
    coracle::Task<> joining = join(Group("team"));
    co_await joining;
    for (;;) {
      const coracle::Message message = co_await receive();
      co_await reply(message, "here");
    }
  }
};

// Fills the mailbox of an agent behind its gate, which has the agent's request by now.
void fill(Node& node, const char* agent) { Port(node, "filler").send(agent, "first"); }

std::string count_of(Node& node, const char* agent) {
  return std::string(Port(node, "asker").ask(agent, "count").text());
}

BOOST_AUTO_TEST_SUITE(group_members)

BOOST_AUTO_TEST_CASE(members_get_nothing_after_the_task_has_failed) {
  Team team;
  team.node.create<Gate>("gate");
  team.node.create<Counting>("lab/aa", "gate", Overflow::fail);
  team.node.create<Counting>("lab/zz", "", Overflow::wait);
  fill(team.node, "lab/aa");
  const Task task = team.ask("hello", R"({"agents":["lab/aa","lab/zz"]})");
  BOOST_TEST((task.status.state == TaskState::failed));
  BOOST_TEST(task.artifacts.size() == 1);
  BOOST_TEST(count_of(team.node, "lab/zz") == "0");
  BOOST_TEST(Port(team.node, "opener").ask("gate", "open").text() == "opened");
}

BOOST_AUTO_TEST_CASE(requests_are_withdrawn_when_the_task_becomes_too_large) {
  ServerOptions options;
  options.limits.bytes_per_task = 4000;
  Team team(std::move(options));
  team.node.create<Gate>("gate");
  team.node.create<Counting>("lab/aa", "gate", Overflow::wait);
  team.node.create<Talker>("lab/zz");
  fill(team.node, "lab/aa");
  const Task task = team.ask("hello", R"({"agents":["lab/aa","lab/zz"]})");
  BOOST_TEST((task.status.state == TaskState::failed));
  (void)team.call("GetTask", Json().set("id", task.id));  // the server has done all by now
  BOOST_TEST(Port(team.node, "opener").ask("gate", "open").text() == "opened");
  BOOST_TEST(count_of(team.node, "lab/aa") == "1");
}

BOOST_AUTO_TEST_CASE(all_members_share_one_copy_of_the_message) {
  Team team;
  team.node.create<Keeper>("lab/aa");
  team.node.create<Keeper>("lab/zz");
  const Task task = team.ask("hello", R"({"agents":["lab/aa","lab/zz"]})");
  BOOST_REQUIRE(task.artifacts.size() == 2);
  BOOST_TEST(text_of(task.artifacts[0].parts) == text_of(task.artifacts[1].parts));
}

BOOST_AUTO_TEST_CASE(a_group_with_too_many_members_is_refused) {
  ServerOptions options;
  options.limits.group_members = 2;
  Team team(std::move(options));
  for (const char* name : {"lab/aa", "lab/bb", "lab/cc"}) {
    team.node.create<Member>(name);
    BOOST_TEST(Port(team.node, "asker").ask(name, "x").text() == "here");
    const bool is_too_many = name == std::string("lab/cc");
    BOOST_TEST(team.code(R"({"group":"team"})") == (is_too_many ? -32602 : 0), name);
  }
}

BOOST_AUTO_TEST_CASE(a_message_that_continues_a_task_is_for_no_group) {
  Team team;
  const std::string id = task_in(team.send("ask")).id;
  const Json wish = web::parse_json(R"({"agents":["lab/ann","lab/bob"]})").value();
  const Json metadata = Json().set(groups_extension, wish);
  const Json params = team.message("red", Json().set("taskId", id).set("metadata", metadata));
  const std::string body = web::write_rpc({"SendMessage", params, Json(7)});
  const http::Response response = team.fetch("POST", "/a2a/lab/helper", body, {}, true,
                                             {{"A2A-Extensions", std::string(groups_extension)}});
  BOOST_TEST(!response.headers.find("A2A-Extensions").has_value());
  const Task task = task_in(web::parse_json(response.body).value());
  BOOST_TEST(text_of(task.artifacts.at(0).parts) == "painted red|");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
