#include "gate/gate.hpp"

#include "services/answers.hpp"

#include "coracle/errors.hpp"
#include "coracle/fipa/detail/entries.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

namespace coracle::fipa {

namespace {

// The reasons as JADE begins them; partners look at these words.
constexpr const char* not_found = "Agent not found: nobody on this platform has that name";
constexpr const char* no_address = "Foreign agent with no address";
constexpr const char* too_many = "Service error: too many letters are on their way";
// The failures that one letter gets: whoever has sent it may have named somebody else, who gets
// them.
constexpr std::size_t most_failures = 16;

bool wants_no_failure(const acl::Message& message) {
  if (message.performative == acl::Performative::failure ||
      message.performative == acl::Performative::not_understood)
    return true;
  return std::any_of(message.user.begin(), message.user.end(), [](const auto& each) {
    return each.first == "JADE-ignore-failure" && lower(each.second) == "true";
  });
}

}  // namespace

Gate::Gate(GatewayOptions options, std::shared_ptr<const Transports> transports, Name transport,
           Surroundings surroundings)
    : options_(std::move(options)),
      transports_(std::move(transports)),
      transport_(std::move(transport)),
      surroundings_(std::move(surroundings)),
      new_id_(acl::random_ids(*surroundings_.random)),
      platform_(options_.platform, options_.exposed),
      df_(own_id("df")),
      ams_(own_id("ams")),
      facilitator_(df_, new_id_, options_.facilitator),
      management_(ams_, options_.management),
      foreign_(options_.foreign_agents, options_.foreign_agents_per_platform),
      outboxes_(options_.letters, options_.letters_per_address) {}

acl::AgentId Gate::own_id(const char* local) const {
  return {.name = std::string(local) + "@" + platform_.name(), .addresses = platform_.addresses()};
}

void Gate::refresh_addresses() {
  const std::uint64_t version = transports_->version();
  if (std::exchange(addresses_seen_, version) == version) return;
  platform_.set_addresses(transports_->addresses());
  df_ = own_id("df");
  ams_ = own_id("ams");
  acl::management::ApDescription description;
  description.name = platform_.name();
  for (const auto& each : transports_->all()) {
    const std::string protocol(each->name());
    description.services.push_back({protocol, protocol, each->addresses()});
  }
  management_.describe(std::move(description));
  management_.set_self(ams_);
  management_.put_own(df_);
  facilitator_.set_self(df_);
  is_new_ = true;
}

Task<> Gate::run() {
  changes_.emplace(*this);
  Task<> beginning = changes_->begin();
  co_await beginning;
  refresh_addresses();
  spawn(follow());
  for (;;) {
    const auto due = facilitator_.next_time();
    Deadline until = Deadline::never();
    if (due) until = Deadline(std::max(Duration::zero(), Duration(*due - calendar())));
    std::optional<Message> message = co_await receive(Match(), until);
    refresh_addresses();
    Task<> sending = send_all(facilitator_.on_time(calendar()));
    co_await sending;
    Task<> publishing = publish_changes();
    co_await publishing;
    if (!message) continue;
    if (message->source().name() == transport_ && message->content().try_as<End>() != nullptr)
      break;
    Task<> handling = handle(*message);
    co_await handling;
  }
  Task<> ending = end_all();
  co_await ending;
}

Task<> Gate::end_all() {
  for (const auto& [key, foreign] : foreign_.all()) {
    Task<> ending = end_one(foreign.name);
    co_await ending;
  }
  // Another gateway can have the names then.
  for (const auto& [key, foreign] : foreign_.all()) {
    try {
      (void)co_await watch(foreign.name);
    } catch (const Error& error) {
      if (error.errc() != Errc::no_such_agent) throw;
    }
  }
}

Task<> Gate::handle(Message& message) {
  const Content content = message.content();
  const Name who = message.source().name();
  const ForeignEntry* const foreign = foreign_.named(who);
  const bool is_foreign = foreign != nullptr;
  const bool is_transport = who == transport_;
  if (const auto* arrived = content.try_as<Arrived>(); arrived && is_transport) {
    Task<> taking = take(*arrived);
    co_await taking;
  } else if (const auto* passed = content.try_as<Passed>(); passed && is_foreign) {
    Task<> taking = take_passed(foreign->id.name, *passed);
    co_await taking;
  } else if (const auto* undelivered = content.try_as<Undelivered>(); undelivered && is_foreign) {
    const acl::AgentId receiver = platform_.id_of(Name(undelivered->what.to));
    Task<> failing = fail(undelivered->what.message, receiver, undelivered->reason);
    co_await failing;
  } else if (const auto* introduced = content.try_as<Introduce>()) {
    Task<> introducing = introduce(message, introduced->agent);
    co_await introducing;
  } else if (content.try_as<Federate>() != nullptr && is_transport) {
    Task<> federating = federate(message);
    co_await federating;
  } else if (const auto* own = content.try_as<acl::Message>(); own && !is_foreign) {
    Task<> taking = take_own(who.str(), *own, own->receivers);
    co_await taking;
  } else if (message.is_request()) {
    co_await refuse(message, "a gateway takes messages of FIPA");
  }
}

// --- messages of the society ---

Task<> Gate::introduce(const Message& message, acl::AgentId agent) {
  std::string problem;
  Name name;
  try {
    const NamedBy by = message.source().name() == transport_ ? NamedBy::program : NamedBy::agent;
    Task<Name> making = foreign(std::move(agent), options_.form, by);
    name = co_await making;
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    problem = error.sentence();
  }
  if (!problem.empty()) co_await refuse(message, problem);
  else co_await reply(message, name.str());
}

// It goes to that agent alone, whatever other receivers it names: they get it by their own names.
Task<> Gate::take_passed(const std::string& to, const Passed& passed) {
  acl::AgentId receiver{.name = to};
  acl::Message message = passed.message;
  for (acl::AgentId& each : message.receivers) {
    if (!is_same_agent(each, receiver)) continue;
    each.addresses = foreign_.addresses_of(each);
    receiver = each;
  }
  return take_own(passed.from, std::move(message), {std::move(receiver)});
}

Task<> Gate::take_own(std::string from, acl::Message message, std::vector<acl::AgentId> receivers) {
  const Name sender(from);
  message.sender = platform_.id_of(sender);  // whatever it has written there
  if (platform_.exposes(sender)) {
    for (const acl::AgentId& each : receivers) foreign_.want(each.name);
    Task<> routing = route(std::move(message), std::move(receivers));
    co_await routing;
    co_return;
  }
  for (const acl::AgentId& each : receivers) {
    Task<> failing = fail(message, each, "Not authorized: the gateway does not expose this agent");
    co_await failing;
  }
}

// --- messages of other platforms ---

Task<> Gate::take(const Arrived& arrived) {
  std::string problem;
  try {
    Task<Name> making = foreign(arrived.message.sender, arrived.form, NamedBy::letter);
    (void)co_await making;
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    problem = error.errc() == Errc::bad_name
                  ? "Service error: the sender's name is longer than agents' names here may be"
                  : "Service error: the platform cannot give the sender a name";
  }
  failures_ = most_failures;
  for (const acl::AgentId& each : arrived.receivers) {
    if (!platform_.is_ours(each)) continue;  // another platform's
    Task<> doing = problem.empty() ? deliver(arrived.message, each, arrived.host)
                                   : fail(arrived.message, each, problem);
    co_await doing;
  }
  failures_.reset();
}

// Gives a message to an agent of this platform.
Task<> Gate::deliver(const acl::Message& message, const acl::AgentId& receiver, std::string host) {
  const bool is_df = is_same_agent(receiver, df_);
  if (is_df || is_same_agent(receiver, ams_)) {
    Task<> entering = enter_changes();
    co_await entering;
    Task<> answering = send_all(is_df ? facilitator_.on_message(message, calendar(), host)
                                      : management_.on_message(message, calendar(), host));
    co_await answering;
    if (is_df) {
      Task<> telling = on_federated(message);
      co_await telling;
    }
    Task<> publishing = publish_changes();
    co_await publishing;
    co_return;
  }
  const std::optional<Name> to = platform_.agent_of(receiver);
  bool is_there = false;
  if (to) {
    Task<std::optional<Entry>> looking = entry_of(*to);
    is_there = (co_await looking).has_value();
  }
  if (!is_there) {
    Task<> failing = fail(message, receiver, not_found);
    co_await failing;
    co_return;
  }
  const ForeignEntry* const sender = foreign_.find(message.sender.name);
  if (sender == nullptr) {  // of this platform
    Task<> giving = give(*to, Content::of(message));
    co_await giving;
    co_return;
  }
  bool is_given = false;
  {
    const ForeignEntry* const asked = foreign_.asked_by(message);
    const Name by = asked == nullptr ? sender->name : asked->name;
    const Content content = asked == nullptr ? Content::of(Deliver{to->str(), message})
                                             : Content::of(Failed{to->str(), message});
    coracle::detail::Sending::AsResult sending = send_result(by, content);
    if (sending.has_ended()) is_given = bool(co_await sending);
    else (void)sending.give_up();
  }
  if (is_given) co_return;
  Task<> failing = fail(message, receiver, no_room);
  co_await failing;
}

Task<> Gate::send_all(std::vector<acl::Message> messages) {
  for (acl::Message& each : messages) {
    const std::vector<acl::AgentId> receivers = each.receivers;
    Task<> routing = route(std::move(each), receivers);
    co_await routing;
  }
}

Task<> Gate::route(acl::Message message, std::vector<acl::AgentId> receivers) {
  // Receivers that are reached at the same addresses share a letter.
  std::map<std::vector<std::string>, std::vector<acl::AgentId>> elsewhere;
  for (acl::AgentId& each : receivers) {
    if (platform_.is_ours(each)) {
      Task<> delivering = deliver(message, each);
      co_await delivering;
      continue;
    }
    std::vector<std::string> addresses = foreign_.addresses_of(each);
    elsewhere[std::move(addresses)].push_back(std::move(each));
  }
  for (auto& [addresses, group] : elsewhere) {
    const char* problem = nullptr;
    if (addresses.empty()) {
      problem = no_address;
    } else if (!outboxes_.has_room(addresses.front())) {
      problem = too_many;
    } else {
      // Nobody else needs it if all receivers are at the same place.
      outboxes_.put(
          {elsewhere.size() == 1 ? std::move(message) : message, std::move(group), addresses});
      spawn(post(addresses.front()));
      continue;
    }
    for (const acl::AgentId& each : group) {
      Task<> failing = fail(message, each, problem);
      co_await failing;
    }
  }
}

Task<> Gate::post(std::string address) {
  const LetterToSend one = outboxes_.take(address);
  const std::string& first = one.receivers.front().name;
  const ForeignEntry* const known = foreign_.find(first);
  const acl::Representation form = known == nullptr ? options_.form : known->form;
  std::string problem;
  try {
    const auto letter =
        std::make_shared<const Letter>(letter_of(one.message, one.receivers, form, calendar()));
    Task<std::string> trying = try_addresses(first, one.addresses, letter);
    problem = co_await trying;
  } catch (const Error& error) {
    if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
    problem = "Unexpected error: " + error.sentence();
  }
  outboxes_.done(address);
  if (problem.empty()) co_return;
  for (const acl::AgentId& each : one.receivers) {
    Task<> failing = fail(one.message, each, problem);
    co_await failing;
  }
}

// Sends a letter to the first address that takes it; returns why none did, or nothing.
Task<std::string> Gate::try_addresses(const std::string& receiver,
                                      std::vector<std::string> addresses,
                                      std::shared_ptr<const Letter> letter) {
  std::string problem = "Foreign agent unreachable: no transport serves its addresses";
  std::vector<std::string> in_vain;
  for (const std::string& each : addresses) {
    in_vain.push_back(each);
    const std::shared_ptr<Mtp> mtp = transports_->find(each);
    if (mtp == nullptr) continue;
    try {
      Task<> sending = mtp->send(each, letter);
      co_await sending;
      in_vain.pop_back();
      foreign_.on_reached(receiver, in_vain, each);
      co_return std::string();
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
      problem = "Foreign agent unreachable: " + error.sentence();
    }
  }
  co_return problem;
}

Task<> Gate::fail(const acl::Message& message, const acl::AgentId& receiver, std::string reason) {
  const ForeignEntry* const known = foreign_.find(receiver.name);
  const bool is_request = known != nullptr && message.reply_with.starts_with(known->requests);
  if (!is_request && wants_no_failure(message)) co_return;
  acl::Message notice = failure_notice(ams_, message, receiver, reason);
  if (!platform_.is_ours(message.sender)) {
    if (failures_ && *failures_ == 0) co_return;
    if (failures_) --*failures_;
    const std::vector<acl::AgentId> to = notice.receivers;
    Task<> routing = route(std::move(notice), to);
    co_await routing;
  } else if (is_same_agent(message.sender, df_)) {
    Task<> delivering = deliver(notice, df_);
    co_await delivering;
  } else if (!is_same_agent(message.sender, ams_)) {
    const Name sender(acl::local_part(message.sender.name));  // as take_own() has written it
    Task<> giving = is_request
                        ? give(known->name, Content::of(Failed{sender.str(), std::move(notice)}))
                        : give(sender, Content::of(std::move(notice)));
    co_await giving;
  }
}

}  // namespace coracle::fipa
