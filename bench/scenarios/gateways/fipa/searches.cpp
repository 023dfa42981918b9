#include "scenarios/gateways/fipa/searches.hpp"

#include "scenarios/gateways/fipa/couples.hpp"

#include <coracle/acl/message.hpp>
#include <coracle/acl/ontology/contents.hpp>
#include <coracle/acl/ontology/management.hpp>
#include <coracle/coracle.hpp>

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace coracle::bench {

namespace {

namespace fm = acl::management;

// An agent that has described itself, and waits.
class Described final : public Agent {
 public:
  Task<> run() override {
    while (true) (void)co_await receive();
  }
};

std::string name_of(std::uint32_t number) { return fmt::format("service{}", number); }
std::string type_of(std::uint32_t number) { return fmt::format("type-{}", number); }

acl::Message search_for(std::uint32_t number, const acl::AgentId& df) {
  fm::ServiceDescription service;
  service.type = type_of(number);
  fm::DfAgentDescription wanted;
  wanted.services = {service};
  acl::Message search;
  search.performative = acl::Performative::request;
  search.receivers = {df};
  search.content = acl::request_content(df, acl::to_term(fm::Search{wanted, {}}));
  search.language = "fipa-sl0";
  search.ontology = fm::ontology;
  search.protocol = "fipa-request";
  search.conversation_id = "search";
  return search;
}

bool finds_it_alone(const acl::Message& answer, std::uint32_t number) {
  if (answer.performative != acl::Performative::inform) return false;
  const auto result = acl::read_result(acl::text_of(answer));
  if (!result) return false;
  const auto found = acl::from_term<std::vector<fm::DfAgentDescription>>(result.value());
  return found.size() == 1 && found.front().name &&
         found.front().name->name == name_of(number) + "@second";
}

// An agent of the first platform searches, until it is over.
Task<Run> search_for_long(Agent& me, const SearchLoad& load, const acl::AgentId& df) {
  Run run;
  Duration warm_up = seconds(load.interval / 3);
  Time start = clock_now();
  for (std::uint32_t number = 0; clock_now() - start < warm_up + seconds(load.interval);
       number = (number + 7) % load.entries) {
    acl::Message search = search_for(number, df);
    search.reply_with = std::to_string(number);
    const Content content = Content::of(std::move(search));
    const Time begin = clock_now();
    co_await me.send("fipa", content);
    const Message message = co_await me.receive();
    const double passed = nanoseconds(clock_now() - begin);
    const auto* const answer = message.content().try_as<acl::Message>();
    if (answer == nullptr || !finds_it_alone(*answer, number))
      throw NotDone("a search has not found its agent");
    if (clock_now() - start > warm_up) run.samples.push_back(passed);
  }
  for (const double each : run.samples) run.value += each;
  run.n = run.samples.size();
  if (run.n == 0) throw NotDone("no search has ended; measure for longer");
  run.value /= static_cast<double>(run.n);
  co_return run;
}

std::size_t bytes_of(const acl::Message& message, const FipaWay& way) {
  return bytes_of_letter(message, way) + bytes_of_response();
}

}  // namespace

Run play_searches(const SearchLoad& load) {
  const auto furnish = [&](FipaPlatform& second) {
    for (std::uint32_t i = 0; i < load.entries; ++i)
      second.node().create<Described>(
          AgentSpec(name_of(i)).properties(Properties().set("service", type_of(i))));
  };
  const auto play = [&](FipaPlatform& first, const SecondPlatform& second) {
    const acl::AgentId df{.name = "df@second", .addresses = {second.address}};
    Port port(first.node(), "searcher");
    return Played{port.act<Run>([&](Agent& me) { return search_for_long(me, load, df); })};
  };
  return on_two_platforms(load.way, furnish, play).run;
}

SearchBytes bytes_of_search(const SearchLoad& load) {
  const std::string address = "http://127.0.0.1:12345/acc";
  const acl::AgentId df{.name = "df@second", .addresses = {address}};
  acl::Message search = search_for(0, df);
  search.sender = {.name = "searcher@first", .addresses = {address}};
  search.reply_with = "123";
  acl::Message answer = acl::reply(search, acl::Performative::inform);
  answer.sender = df;
  fm::ServiceDescription service;
  service.name = name_of(0);
  service.type = type_of(0);
  service.properties = {{"service", acl::sl::Term(type_of(0))}};
  fm::DfAgentDescription found;
  found.name = acl::AgentId{.name = name_of(0) + "@second", .addresses = {address}};
  found.services = {service};
  const acl::AskedAction asked = acl::read_request(acl::text_of(search)).value();
  answer.content = acl::result_content(asked.text, acl::to_term(std::vector{found}));
  return {bytes_of(search, load.way), bytes_of(answer, load.way)};
}

}  // namespace coracle::bench
