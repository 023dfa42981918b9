// A facilitator with small limits, and messages to it.
#pragma once

#include "coracle/acl/ontology/contents.hpp"
#include "coracle/acl/ontology/frame.hpp"
#include "coracle/acl/sl/text.hpp"
#include "coracle/fipa/facilitator.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace coracle::fipa::test {

namespace fm = acl::management;
using acl::CalendarTime;
using acl::Performative;
using namespace std::chrono_literals;
using Description = Facilitator::Description;

inline const CalendarTime begin = CalendarTime(1'700'000'000'000ms);
inline const acl::AgentId df{.name = "df@ours"};
inline const acl::AgentId zed{.name = "zed@p2", .addresses = {"http://127.0.0.1:7779/acc"}};
inline const acl::AgentId eve{.name = "eve@p3"};

inline Description described(const acl::AgentId& who, const std::string& type) {
  Description entry;
  entry.name = who;
  fm::ServiceDescription service;
  service.name = "s-" + type;
  service.type = type;
  entry.services = {service};
  return entry;
}

inline Description of_type(const std::string& type) {
  Description pattern;
  fm::ServiceDescription service;
  service.type = type;
  pattern.services = {service};
  return pattern;
}

inline acl::Message message(const acl::AgentId& from, Performative performative,
                            std::string content) {
  acl::Message made;
  made.performative = performative;
  made.sender = from;
  made.receivers = {df};
  made.content = std::move(content);
  made.language = "fipa-sl0";
  made.ontology = fm::ontology;
  made.conversation_id = "c-" + from.name;
  made.reply_with = "r-" + from.name;
  return made;
}

template <class Act>
acl::Message request(const acl::AgentId& from, const Act& act) {
  return message(from, Performative::request, acl::request_content(df, acl::to_term(act)));
}

inline fm::Search searching(const std::string& type, std::int64_t most = -1,
                            std::int64_t depth = 0) {
  fm::Search search{of_type(type), {}};
  search.constraints.max_results = most;
  search.constraints.max_depth = depth;
  return search;
}

inline std::vector<std::string> names_in(const acl::Message& answer) {
  std::vector<std::string> names;
  const auto result = acl::read_result(acl::text_of(answer));
  BOOST_TEST_REQUIRE(result.has_value());
  for (const auto& each : *acl::sl::elements_of(*result))
    names.push_back(acl::from_term<Description>(each.value).name->name);
  return names;
}

// The fixture of the tests.
struct AFacilitator {
  int last = 0;
  Facilitator facilitator{df,
                          [this] { return "id" + std::to_string(++last); },
                          {.entries = 6,
                           .entries_per_platform = 2,
                           .subscriptions = 2,
                           .results = 4,
                           .searches = 3,
                           .searches_per_host = 2,
                           .lease = 1h}};

  acl::Message only(const acl::Message& asked, CalendarTime now = begin) {
    Messages said = facilitator.on_message(asked, now);
    BOOST_TEST_REQUIRE(said.size() == 1U);
    BOOST_TEST(said[0].in_reply_to == asked.reply_with);
    BOOST_TEST(said[0].conversation_id == asked.conversation_id);
    BOOST_TEST((said[0].receivers == std::vector{asked.sender}));
    BOOST_TEST((said[0].sender == df));
    return said[0];
  }
  std::string refusal(const acl::Message& asked, Performative performative) {
    const acl::Message said = only(asked);
    BOOST_TEST((said.performative == performative));
    return acl::read_reason(acl::text_of(said)).predicate;
  }
  void enter(const acl::AgentId& who, const std::string& type) {
    BOOST_TEST((only(request(who, fm::Register{described(who, type)})).performative ==
                Performative::inform));
  }
};

}  // namespace coracle::fipa::test
