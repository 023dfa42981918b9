// The room that a platform gives to others: one that invents platforms leaves the others theirs,
// and one that answers no letters holds up nobody.
#include "net.hpp"

#include "coracle/acl/ontology/contents.hpp"
#include "coracle/acl/ontology/management.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::fipa::test {

namespace {

namespace fm = acl::management;
using acl::Performative;

fm::DfAgentDescription entry_of(const acl::AgentId& agent, const std::string& type) {
  fm::DfAgentDescription entry;
  if (!agent.name.empty()) entry.name = agent;
  fm::ServiceDescription service;
  service.name = "s";
  service.type = type;
  entry.services = {service};
  return entry;
}

acl::Message to_facilitator(const std::string& content) {
  acl::Message made;
  made.performative = Performative::request;
  made.receivers = {{.name = "df@here", .addresses = {Net::address("here")}}};
  made.content = content;
  made.language = "fipa-sl0";
  made.ontology = fm::ontology;
  made.protocol = "fipa-request";
  made.conversation_id = "c";
  made.reply_with = "r";
  return made;
}

const acl::AgentId df{.name = "df@here"};

acl::Message registering(const acl::AgentId& agent, const std::string& type) {
  acl::Message made =
      to_facilitator(acl::request_content(df, acl::to_term(fm::Register{entry_of(agent, type)})));
  made.sender = agent;
  return made;
}

acl::Message searching(const std::string& type, std::int64_t depth) {
  fm::Search search{entry_of({}, type), {}};
  search.description = entry_of({}, type);
  std::get<fm::DfAgentDescription>(search.description).services.front().name.reset();
  search.constraints.max_results = -1;
  search.constraints.max_depth = depth;
  return to_facilitator(acl::request_content(df, acl::to_term(search)));
}

std::size_t found_in(const acl::Message& answer) {
  const auto result = acl::read_result(acl::text_of(answer));
  return result ? acl::sl::elements_of(*result)->size() : 0;
}

// The platform "here", one that is honest, and one whose letters a test posts itself.
class Room {
 public:
  explicit Room(const std::function<void(GatewayOptions&)>& change)
      : net_(world_, {"here", "there", "liar"}) {
    GatewayOptions options{.platform = "here", .exposed = {"lab/**"}};
    change(options);
    here_.emplace(net_, options);
    there_.emplace(net_, GatewayOptions{.platform = "there", .exposed = {"lab/**"}});
  }
  // Posts a letter of the third platform.
  void post(const acl::Message& message) {
    const Letter letter =
        letter_of(message, message.receivers, acl::Representation::string, acl::CalendarTime());
    net_.post(net_.line("liar", "here"), http_body_of(letter, world_.random()));
  }
  void pass(Duration time) {
    world_.run_until([] { return false; }, Deadline(time));
  }
  // The answer to a message that the agent `name` of a platform sends to its gateway, and the time
  // that it takes.
  std::pair<acl::Message, Duration> ask(SocietyUnderTest& where, const std::string& name,
                                        acl::Message message) {
    class Asker final : public Agent {
     public:
      Asker(acl::Message message, std::optional<acl::Message>& answer)
          : message_(std::move(message)), answer_(answer) {}
      Task<> run() override {
        const Content content = Content::of(message_);
        co_await send("fipa", content);
        const Message got = co_await receive();
        answer_ = got.as<acl::Message>();
      }

     private:
      const acl::Message message_;
      std::optional<acl::Message>& answer_;
    };
    std::optional<acl::Message> answer;
    const Time before = world_.now();
    where.node().adopt(name, std::make_unique<Asker>(std::move(message), answer));
    BOOST_TEST_REQUIRE(world_.run_until([&] { return answer.has_value(); }, Deadline(1h)));
    return {*answer, world_.now() - before};
  }
  SocietyUnderTest& here() { return *here_; }
  SocietyUnderTest& there() { return *there_; }

 private:
  sim::World world_{sim::Options{.seed = sim::seed_from_environment(1), .nodes = 3}};
  Net net_;
  std::optional<SocietyUnderTest> here_, there_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(room)

BOOST_AUTO_TEST_CASE(a_platform_that_invents_platforms_leaves_others_the_facilitator) {
  Room room([](GatewayOptions& options) {
    options.facilitator.entries = 20;
    options.facilitator.entries_per_platform = 5;
    options.facilitator.entries_per_host = 30;
  });
  for (int i = 0; i < 100; ++i) {
    const std::string name = "x@invented" + std::to_string(i);
    room.post(registering({.name = name, .addresses = {Net::address("liar")}}, "lies"));
  }
  room.pass(1min);
  const auto lies = room.ask(room.here(), "lab/first", searching("lies", 0));
  BOOST_TEST(found_in(lies.first) == 20U);  // all the room
  for (int i = 0; i < 5; ++i) {
    const std::string name = "lab/a" + std::to_string(i);
    const auto answer = room.ask(room.there(), name, registering(room.there().id_of(name), "work"));
    BOOST_TEST((answer.first.performative == Performative::inform));
  }
  const auto honest = room.ask(room.here(), "lab/second", searching("work", 0));
  BOOST_TEST(found_in(honest.first) == 5U);
  const auto rest = room.ask(room.here(), "lab/third", searching("lies", 0));
  BOOST_TEST(found_in(rest.first) == 15U);
}

BOOST_AUTO_TEST_CASE(a_host_has_as_many_entries_as_it_may_have_however_many_platforms_it_names) {
  Room room([](GatewayOptions& options) { options.facilitator.entries_per_host = 7; });
  for (int i = 0; i < 30; ++i) {
    const std::string name = "x@invented" + std::to_string(i);
    room.post(registering({.name = name, .addresses = {Net::address("liar")}}, "lies"));
  }
  room.pass(1min);
  const auto lies = room.ask(room.here(), "lab/first", searching("lies", 0));
  BOOST_TEST(found_in(lies.first) == 7U);
}

// The letters to one address are full: the search ends with what this facilitator knows, without
// waiting for the other one.
BOOST_AUTO_TEST_CASE(a_search_ends_at_once_if_there_is_no_room_for_its_letter) {
  Room room([](GatewayOptions& options) { options.letters_per_address = 1; });
  // The answer to this one is on its way to a platform that does not take it.
  room.post(registering({.name = "df@liar", .addresses = {Net::address("liar")}}, "fipa-df"));
  room.pass(1s);
  const auto answer = room.ask(room.here(), "lab/first", searching("fipa-df", 1));
  BOOST_TEST((answer.first.performative == Performative::inform));
  BOOST_TEST(found_in(answer.first) == 1U);
  BOOST_TEST((answer.second < 1s));
}

// Its own letter is on its way: others to that address are refused, and the search ends with the
// letter's failure, before the patience of the facilitator.
BOOST_AUTO_TEST_CASE(a_search_on_its_way_leaves_no_room_for_others_and_ends_when_its_letter_fails) {
  Room room([](GatewayOptions& options) { options.letters_per_address = 1; });
  room.post(registering({.name = "df@liar", .addresses = {Net::address("liar")}}, "fipa-df"));
  room.pass(40s);  // the answer has failed
  class Searcher final : public Agent {
   public:
    explicit Searcher(std::optional<Time>& ended) : ended_(ended) {}
    Task<> run() override {
      const Content content = Content::of(searching("fipa-df", 1));
      co_await send("fipa", content);
      (void)co_await receive();
      ended_ = now();
    }

   private:
    std::optional<Time>& ended_;
  };
  std::optional<Time> ended;
  room.here().node().adopt("lab/searcher", std::make_unique<Searcher>(ended));
  room.pass(1s);
  BOOST_TEST(!ended.has_value());
  acl::Message other = to_facilitator("hello");
  other.receivers = {{.name = "zed@liar", .addresses = {Net::address("liar")}}};
  const auto refused = room.ask(room.here(), "lab/other", other);
  BOOST_TEST((refused.first.performative == Performative::failure));
  BOOST_TEST((refused.second < 1s));
  room.pass(31s);  // as long as a letter is waited for
  BOOST_TEST(ended.has_value());
  const auto again = room.ask(room.here(), "lab/again", searching("fipa-df", 0));
  BOOST_TEST(found_in(again.first) == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa::test
