#include "liar.hpp"

#include "coracle/acl/ontology/contents.hpp"
#include "coracle/acl/ontology/management.hpp"
#include "support/seeds.hpp"

#include <algorithm>
#include <cctype>
#include <exception>

namespace coracle::fipa::test {

namespace fm = acl::management;
using coracle::test::up_to;

namespace {

constexpr std::size_t most_kept = 200;

template <class T>
void keep(std::vector<T>& all, T one) {
  if (all.size() < most_kept) all.push_back(std::move(one));
}

}  // namespace

Liar::Liar(Net& net, Deeds& deeds, std::vector<std::string> victims,
           std::vector<std::string> agents)
    : net_(net),
      deeds_(deeds),
      random_(net.world().random()),
      victims_(std::move(victims)),
      agents_(std::move(agents)) {}

std::uint64_t Liar::below(std::uint64_t count) { return coracle::test::below(random_, count); }

Task<> Liar::run() {
  net_.serve_all(*this, "liar", [this](Agent& me, const std::string&, HttpBody body) {
    return take(me, std::move(body));
  });
  for (;;) {
    co_await pause(up_to(random_, below(10) == 0 ? Duration(1s) : Duration(40ms)));
    // Now and then a flood.
    const std::uint64_t many = below(60) == 0 ? 200 : 1;
    try {
      for (std::uint64_t i = 0; i < many; ++i) lie();
    } catch (const std::exception& error) {
      deeds_.problem = error.what();
      throw;
    }
  }
}

// The platform's own end of a line: it may answer late, or never, or with an error.
Task<> Liar::take(Agent& me, HttpBody body) {
  keep(received_, body);
  const acl::Message message = message_of(letter_in(body.content_type, body.body));
  keep(conversations_, message.conversation_id);
  keep(identifiers_, message.reply_with);
  deeds_.learnt.push_back(body.body);
  const std::uint64_t how = below(40);
  if (how == 0) co_await me.pause(40s);
  if (how < 4) co_await me.pause(up_to(random_, 3s));
  if (how < 8) throw Error(Errc::bad_encoding, "the liar does not want it");
}

std::string Liar::some_name() {
  static const std::vector<std::string> odd = {"",
                                               "@",
                                               "x@",
                                               "@here",
                                               "fipa/transport",
                                               "fipa",
                                               "transport",
                                               "fipa@here",
                                               "ams",
                                               "df",
                                               "eve@",
                                               "eve@@liar",
                                               "eve@liar\n",
                                               "\xff@liar",
                                               "e v e@liar",
                                               "%41@liar",
                                               "fipa/ann@there@liar"};
  static const std::vector<std::string> services = {"ams", "df", "fipa", "fipa/transport"};
  switch (below(8)) {
    case 0:
      return any_of(odd);
    case 1:
      return any_of(services) + "@" + any_of(net_.platforms());
    case 2:
      return "crowd" + std::to_string(below(1000)) + "@p" + std::to_string(below(1000));
    case 3:
      return "crowd" + std::to_string(below(1000)) + "@liar";
    case 4: {
      std::string name = any_of(agents_) + "@" + any_of(victims_);
      for (char& each : name) each = static_cast<char>(std::toupper(each));
      return name;
    }
    case 5:
      return below(20) == 0 ? std::string(5000, 'x') + "@liar" : "eve@liar";
    default:
      return any_of(agents_) + "@" + any_of(victims_);
  }
}

std::vector<std::string> Liar::some_addresses() {
  switch (below(6)) {
    case 0:
      return {};
    case 1:
      return {Net::address(any_of(victims_))};
    case 2:
      return {"http://127.0.0.1:1/acc", "", "sim://", "sim://nowhere"};
    case 3:
      return {"sim://nowhere", Net::address("liar")};
    default:
      return {Net::address("liar")};
  }
}

acl::AgentId Liar::some_agent() {
  acl::AgentId id;
  id.name = some_name();
  id.addresses = some_addresses();
  return id;
}

std::string Liar::some_identifier(const std::vector<std::string>& known) {
  if (below(3) > 0) return any_of(known);
  const std::string number = std::to_string(1 + below(6));
  if (below(2) == 0) return any_of(victims_) + "-" + number;
  return foreign_name({.name = any_of(agents_) + "@" + any_of(victims_)}).str() + "-" + number;
}

std::string Liar::some_act() {
  fm::DfAgentDescription entry;
  if (below(8) > 0) entry.name = some_agent();
  for (std::uint64_t i = 0; i < below(3); ++i) {
    auto& service = entry.services.emplace_back();
    service.name = below(8) == 0 ? "" : "s";
    service.type = below(3) == 0 ? "fipa-df" : below(2) == 0 ? "work" : "lies";
  }
  if (below(3) == 0)
    entry.lease_time =
        acl::date_time_of(acl::CalendarTime(std::chrono::seconds(below(1ULL << 32))));
  fm::Search search{entry, {}};
  if (below(2) == 0) search.constraints.max_results = static_cast<std::int64_t>(below(5)) - 2;
  if (below(2) == 0) search.constraints.max_depth = static_cast<std::int64_t>(random_.next());
  if (below(2) == 0) search.constraints.search_id = std::to_string(below(5));
  fm::AmsAgentDescription agent;
  agent.name = entry.name;
  acl::AgentId actor;
  actor.name = std::string(below(2) == 0 ? "df" : "ams") + "@" + any_of(victims_);
  switch (below(8)) {
    case 0:
      return acl::request_content(actor, acl::to_term(fm::Register{entry}));
    case 1:
      return acl::request_content(actor, acl::to_term(fm::Modify{entry}));
    case 2:
      return acl::request_content(actor, acl::to_term(fm::Deregister{entry}));
    case 3:
      return acl::request_content(actor, acl::to_term(search));
    case 4:
      return acl::subscription_content(actor, acl::to_term(search));
    case 5:
      return acl::request_content(actor, acl::to_term(fm::Register{agent}));
    case 6:
      return acl::request_content(actor, acl::to_term(fm::Search{agent, {}}));
    default:
      return acl::request_content(actor, acl::to_term(fm::GetDescription()));
  }
}

std::string Liar::some_content(const acl::Message& message) {
  switch (below(6)) {
    case 0:
      return std::string(lie_mark) + std::string(below(3000), '(');
    case 1:
      return "((action (agent-identifier :name " + some_name() + ") (ACLMessage)) (MTS-error x))";
    case 2:
      return acl::result_content("(action x y)", acl::to_term(std::vector{some_agent()}));
    case 3:
      return std::string(lie_mark) + " about " + message.conversation_id;
    default:
      return some_act();
  }
}

acl::Message Liar::some_message() {
  acl::Message made;
  made.performative = below(2) == 0 ? acl::Performative::request
                                    : static_cast<acl::Performative>(below(acl::performatives));
  made.sender = some_agent();
  made.conversation_id = any_of(conversations_);
  made.in_reply_to = some_identifier(identifiers_);
  made.reply_with = "lie-" + std::to_string(++last_);
  if (below(4) == 0) made.reply_to = {some_agent()};
  if (below(2) == 0) made.language = "fipa-sl";
  if (below(3) == 0) made.ontology = fm::ontology;
  if (below(4) == 0) made.protocol = "fipa-request";
  made.content = some_content(made);
  return made;
}

HttpBody Liar::some_bytes() {
  if (below(10) == 0 && !received_.empty()) return any_of(received_);
  acl::Message message = some_message();
  std::vector<acl::AgentId> receivers;
  const std::uint64_t many = below(20) == 0 ? 50 : 1 + below(3);
  for (std::uint64_t i = 0; i < many; ++i) receivers.push_back(some_agent());
  message.receivers = receivers;
  if (below(3) == 0) message.receivers = {some_agent()};
  HttpBody body;
  try {
    Letter letter = letter_of(message, receivers, static_cast<acl::Representation>(below(3)),
                              acl::CalendarTime());
    if (below(3) == 0) letter.envelope.from = some_agent();
    if (below(3) == 0) letter.envelope.to = {some_agent()};
    if (below(5) == 0) letter.envelope.intended_receivers.clear();
    if (below(20) == 0) letter.envelope.representation = "fipa.acl.rep.xml.std";
    body = http_body_of(letter, random_);
  } catch (const Error&) {
    return {"text/plain", "no form has such a letter"};
  }
  const std::uint64_t spoilt = below(15);
  if (spoilt == 0) body.body.resize(below(body.body.size()));
  if (spoilt == 1) body.body[below(body.body.size())] = static_cast<char>(below(256));
  if (spoilt == 2) body.content_type = "multipart/mixed; boundary=x";
  return body;
}

void Liar::lie() {
  ++deeds_.lies;
  net_.post(net_.line("liar", any_of(victims_)), some_bytes());
}

}  // namespace coracle::fipa::test
