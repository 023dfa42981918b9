#include "honest.hpp"

#include "coracle/acl/ontology/contents.hpp"
#include "coracle/fipa/detail/entries.hpp"
#include "support/seeds.hpp"

namespace coracle::fipa::test {

using acl::Performative;
using coracle::test::below;

namespace {

constexpr int conversations_of_each = 12;
constexpr Duration longest = 100s;

const acl::Message* acl_in(const Message& message) {
  return message.content().try_as<acl::Message>();
}

}  // namespace

void Judge::look(const Message& message, const std::string& platform) {
  const Content content = message.content();
  const auto* const said = content.try_as<acl::Message>();
  if (said == nullptr) return;
  const Name& source = message.source().name();
  const std::string sender = lower(said->sender.name);
  const std::string from(acl::platform_part(sender)), local(acl::local_part(sender));
  if (source.view() == "fipa") {
    if (from != platform || (local != "ams" && local != "df"))
      fault("the gateway speaks for " + sender);
    return;
  }
  const auto foreign = foreign_agent(source);
  if (!foreign) {  // an agent of the society, which a liar's reply-to has made answer here
    if (sender != lower(source.view()) + "@" + platform)
      fault(source.str() + " speaks for " + sender);
    return;
  }
  if (acl::platform_part(*foreign) == platform)
    return fault("a letter comes from its own platform");
  // The failure of a request is its reply, by the name of the agent that was asked.
  const bool is_report = local == "ams" && said->performative == Performative::failure;
  if (*foreign != sender && !(is_report && acl::platform_part(*foreign) == from) &&
      !(is_report && from == platform))
    fault(source.str() + " speaks for " + sender);
}

Task<> Echo::run() {
  for (;;) {
    const Message message = co_await receive();
    judge_.look(message, platform_);
    const Content got = message.content();
    const auto* const asked = got.try_as<acl::Message>();
    if (asked == nullptr || asked->performative != Performative::request) continue;
    acl::Message answer = acl::reply(*asked, Performative::inform);
    answer.content = asked->content;
    const Content content = Content::of(std::move(answer));
    (void)co_await send_result(message.source().name(), content);
  }
}

Task<> Worker::act() {
  Properties what;
  what.set("service", "work");
  Task<> describing = describe(std::move(what));
  co_await describing;
}

Task<> Worker::converse(acl::Talk& talk) {
  const std::string order(acl::text_of(talk.opening()));
  if (talk.session().can_say(Performative::propose)) {
    acl::Speech bid(Performative::propose, order);
    bid.reply_within = Duration(20s);
    (void)co_await talk.say(std::move(bid));
    const std::optional<acl::Message> decision = co_await talk.next(20s);
    if (!decision || decision->performative != Performative::accept_proposal) co_return;
  }
  acl::Speech done(Performative::inform, order);
  (void)co_await talk.say(std::move(done));
}

Task<> Reader::run() {
  for (;;) {
    const Message message = co_await receive();
    judge_.look(message, platform_);
    const Content content = message.content();
    const auto* const said = content.try_as<acl::Message>();
    if (said == nullptr) continue;
    const std::string text(acl::text_of(*said));
    if (!text.starts_with(private_mark)) continue;  // a lie
    const std::string source = message.source().name().str();
    const int number = std::stoi(text.substr(std::string(private_mark).size()));
    if (number != next_[source]++)
      judge_.fault("message " + std::to_string(number) + " of " + source + " is out of order");
  }
}

Task<> Full::run() {
  set_mailbox(MailboxOptions().messages(3));
  co_await pause(Deadline::never());
}

Task<> Hidden::run() {
  for (;;) {
    const Message message = co_await receive();
    judge_.fault("an agent that is not exposed gets a message of " + message.source().name().str());
  }
}

// --- the chief ---

Chief::Chief(Judge& judge, Random& random, SocietyUnderTest& here, SocietyUnderTest& there)
    : judge_(judge), random_(random), here_(here), there_(there) {}

void Chief::want(bool is_met, const std::string& text) {
  if (!is_met) judge_.fault(here_.platform() + ": " + text);
}

std::string Chief::fresh() {
  return private_mark + here_.platform() + " " + std::to_string(++last_);
}

Name Chief::named(const std::string& agent) const { return foreign_name(there_.id_of(agent)); }

acl::Message Chief::to(const std::string& agent) const {
  acl::Message message;
  message.performative = Performative::request;
  message.receivers = {there_.id_of(agent)};
  message.language = "fipa-sl";
  return message;
}

acl::Terms Chief::terms() { return acl::Terms().settings(here_.settings()).until(longest); }

Task<> Chief::run() {
  static const std::vector<std::string> partners = {"lab/echo", "lab/work", "lab/reader",
                                                    "lab/nobody", "df"};
  for (const std::string& each : partners) (void)co_await introduce(*this, there_.id_of(each));
  for (int i = 0; i < conversations_of_each; ++i) {
    co_await pause(coracle::test::up_to(random_, 2s));
    const Time begin = now();
    Task<> conversing = converse_once();
    co_await conversing;
    want(now() - begin <= longest, "a conversation takes too long");
    judge_.on_conversation();
    look_at_the_rest();
  }
  Task<> counting = count_names();
  co_await counting;
  judge_.on_end();
}

Task<> Chief::converse_once() {
  switch (below(random_, 8)) {
    case 0:
      return ask_echo();
    case 1:
      return request_work();
    case 2:
      return call_for_bids();
    case 3:
      return number_messages();
    case 4:
      return search_there(0);
    case 5:
      return search_there(2);
    case 6:
      return ask_nobody();
    default:
      return ask_liar();
  }
}

Task<> Chief::ask_echo() {
  acl::Message asked = to("lab/echo");
  if (below(random_, 2) == 0) asked.receivers.clear();
  const std::string text = fresh();
  asked.content = text;
  asked.reply_with = "mine";
  const Content content = Content::of(std::move(asked));
  const Result<Message> reply = co_await ask_result(named("lab/echo"), content, longest);
  if (!reply) co_return want(false, std::string("an echo fails: ") + reply.error().what());
  judge_.look(*reply, here_.platform());
  const auto answer = reply->as<acl::Message>();
  want(acl::text_of(answer) == text, "an echo is " + std::string(acl::text_of(answer)));
  want(answer.in_reply_to == "mine", "an echo answers " + answer.in_reply_to);
  answered_.insert(text);
}

Task<> Chief::request_work() {
  acl::Message asked = to("lab/work");
  const std::string text = fresh();
  asked.content = text;
  const acl::Answers answers = co_await acl::request(*this, std::move(asked), terms());
  want(answers.at(0).outcome == acl::Outcome::done,
       std::string("a request ends: ") + acl::to_string(answers.at(0).outcome));
  want(acl::text_of(answers.at(0).message) == text, "the result of a request is wrong");
  answered_.insert(text);
}

Task<> Chief::call_for_bids() {
  acl::Message call = to("lab/work");
  call.receivers.push_back(there_.id_of("lab/nobody"));
  const std::string text = fresh();
  call.content = text;
  acl::Choose choose = [this, text](const acl::Answers& bids) {
    for (const acl::Answer& each : bids) want(acl::text_of(each.message) == text, "a bid is a lie");
    return std::vector<acl::Speech>(bids.size(), acl::Speech(Performative::accept_proposal));
  };
  acl::Terms chosen = terms();
  chosen.reply_within(40s);
  const acl::Answers answers =
      co_await acl::contract_net(*this, std::move(call), std::move(choose), std::move(chosen));
  want(answers.at(0).outcome == acl::Outcome::done,
       std::string("a contract net ends: ") + acl::to_string(answers.at(0).outcome));
  want(answers.at(1).outcome == acl::Outcome::lost,
       std::string("an absent bidder is ") + acl::to_string(answers.at(1).outcome));
  answered_.insert(text);
}

Task<> Chief::number_messages() {
  for (int i = 0; i < 5; ++i) {
    acl::Message said = to("lab/reader");
    said.performative = Performative::inform;
    said.content = private_mark + std::to_string(numbered_++);
    const Content content = Content::of(std::move(said));
    (void)co_await send_result(named("lab/reader"), content);
  }
}

Task<> Chief::search_there(std::int64_t depth) {
  acl::management::DfAgentDescription pattern;
  pattern.services.emplace_back().type = "work";
  acl::management::Search search{pattern, {}};
  search.constraints.max_results = -1;
  search.constraints.max_depth = depth;
  acl::Message asked = to("df");
  asked.ontology = acl::management::ontology;
  asked.content = acl::request_content(asked.receivers[0], acl::to_term(search));
  acl::Terms chosen = terms();
  chosen.reply_within(30s);
  const acl::Answers answers = co_await acl::request(*this, std::move(asked), std::move(chosen));
  const std::string text(acl::text_of(answers.at(0).message));
  // A facilitator that waits for others answers at the end of the time, perhaps too late for us.
  if (depth > 0 && answers.at(0).outcome == acl::Outcome::expired) co_return;
  want(answers.at(0).outcome == acl::Outcome::done,
       std::string("a search ends: ") + acl::to_string(answers.at(0).outcome) + " " + text);
  want(text.find("lab/work@" + there_.platform()) != std::string::npos, "a search finds " + text);
  want(text.find(hidden) == std::string::npos, "a search finds a hidden agent");
}

Task<> Chief::ask_nobody() {
  acl::Message asked = to("lab/nobody");
  asked.content = fresh();
  const acl::Answers answers = co_await acl::request(*this, std::move(asked), terms());
  want(answers.at(0).outcome == acl::Outcome::lost,
       std::string("a request to nobody ends: ") + acl::to_string(answers.at(0).outcome));
}

// The liar may answer it as it likes, or not at all.
Task<> Chief::ask_liar() {
  acl::AgentId eve;
  eve.name = "eve@liar";
  eve.addresses = {Net::address("liar")};
  const Name name = co_await introduce(*this, eve);
  acl::Message asked;
  asked.performative = Performative::request;
  asked.content = std::string("for the liar");
  asked.conversation_id = "c" + std::to_string(++last_);
  const Content content = Content::of(std::move(asked));
  (void)co_await ask_result(name, content, 20s);
}

// Those that are about to lose their names count, too.
Task<> Chief::count_names() {
  Query all;
  all.prefix = "fipa";
  all.limit = 100'000;
  const std::vector<Entry> found = co_await search(all);
  want(found.size() <= 2 * most_foreign,
       std::to_string(found.size()) + " foreign agents have names");
}

void Chief::look_at_the_rest() {
  while (const std::optional<Message> message = try_receive()) {
    judge_.look(*message, here_.platform());
    const auto* const said = acl_in(*message);
    if (said != nullptr && said->performative == Performative::inform)
      want(!answered_.contains(std::string(acl::text_of(*said))), "an answer comes twice");
  }
}

}  // namespace coracle::fipa::test
