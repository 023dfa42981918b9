// A gateway's view of the society: the names of foreign agents in it, and its agents as others see
// them.
#include "foreign_agent.hpp"
#include "gate.hpp"
#include "services.hpp"

#include "coracle/agent_spec.hpp"
#include "coracle/errors.hpp"
#include "coracle/fipa/detail/entries.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace coracle::fipa {

namespace {

// The most agents of the society that are looked at.
constexpr std::size_t most_own = 100'000;

// The messages to agents of the society that wait for room in their mailboxes.
constexpr std::size_t most_given_later = 1000;

// The requests to join and to leave other facilitators that wait for answers.
constexpr std::size_t most_federating = 100;

}  // namespace

// Returns the agent that stands for a foreign one, which is made if there is none. Nothing proves
// who has sent a letter. So a letter does not change the addresses of an agent that is known: its
// addresses are tried when the known ones take no letters any more.
Task<Address> Gate::foreign(acl::AgentId id, acl::Representation form, By by) {
  if (platform_.is_ours(id))
    throw Error(Errc::not_permitted,
                "the agent " + id.name + " is one of this platform, and no foreign one");
  const std::string key = lower(id.name);
  const auto known = foreign_.find(key);
  if (known != foreign_.end()) {
    Foreign& one = known->second;
    one.is_wanted = one.is_wanted || by != By::letter;
    if (by == By::letter) one.form = form;
    const bool is_believed = by > one.by || by == By::program || one.id.addresses.empty();
    if (is_believed && !id.addresses.empty()) {
      one.id.addresses = std::move(id.addresses);
      one.by = by;
    } else if (!id.addresses.empty()) {
      one.claimed = std::move(id.addresses);
    }
    uses_.splice(uses_.begin(), uses_, one.use);
    co_return one.address;
  }
  const Name name = foreign_name(id);
  const std::string platform = lower(acl::platform_part(id.name));
  make_room(platform);
  const std::string requests = new_id_() + "-";
  Task<Address> adopting =
      adopt(AgentSpec(name), std::make_unique<ForeignAgent>(self(), id, requests));
  const Address address = co_await adopting;
  uses_.push_front(key);
  foreign_.emplace(
      key,
      Foreign{std::move(id), by, {}, form, address, requests, by != By::letter, uses_.begin()});
  names_.emplace(address, key);
  requests_.emplace(requests, key);
  ++of_platform_[platform];
  co_return address;
}

// Takes the name from the agent that was idle for longest, if there is no room: from one that has
// only sent letters, if there is one.
void Gate::make_room(const std::string& platform) {
  const auto of_this = of_platform_.find(platform);
  const bool is_full =
      of_this != of_platform_.end() && of_this->second >= options_.foreign_agents_per_platform;
  if (!is_full && foreign_.size() < options_.foreign_agents) return;
  auto chosen = foreign_.end();
  for (auto use = uses_.rbegin(); use != uses_.rend(); ++use) {
    const auto found = foreign_.find(*use);
    if (is_full && lower(acl::platform_part(found->second.id.name)) != platform) continue;
    if (chosen == foreign_.end()) chosen = found;
    if (found->second.is_wanted) continue;
    chosen = found;
    break;
  }
  if (chosen == foreign_.end()) return;
  const std::string its_platform = lower(acl::platform_part(chosen->second.id.name));
  const Address address = chosen->second.address;
  names_.erase(address);
  requests_.erase(chosen->second.requests);
  uses_.erase(chosen->second.use);
  foreign_.erase(chosen);
  if (--of_platform_[its_platform] == 0) of_platform_.erase(its_platform);
  spawn(end_one(address));
}

// Ends the agent of a foreign one, however full its mailbox is.
Task<> Gate::end_one(Address agent) {
  const Content end = Content::of(End());
  for (;;) {
    const Result<void> sent = co_await send_result(agent.name(), end);
    if (sent ||
        (sent.error().errc() != Errc::mailbox_full && sent.error().errc() != Errc::deadlock))
      co_return;
  }
}

const Gate::Foreign* Gate::failed_request(const acl::Message& message) const {
  if (message.performative != acl::Performative::failure) return nullptr;
  if (lower(acl::local_part(message.sender.name)) != "ams") return nullptr;
  const std::size_t end = message.in_reply_to.rfind('-');
  if (end == std::string::npos) return nullptr;
  const auto found = requests_.find(message.in_reply_to.substr(0, end + 1));
  if (found == requests_.end()) return nullptr;
  const bool is_its_platform =
      lower(acl::platform_part(found->second)) == lower(acl::platform_part(message.sender.name));
  return is_its_platform ? &foreign_.at(found->second) : nullptr;
}

std::vector<std::string> Gate::addresses_of(const acl::AgentId& id) const {
  if (!id.addresses.empty()) return id.addresses;
  const auto known = foreign_.find(lower(id.name));
  if (known == foreign_.end()) return {};
  std::vector<std::string> all = known->second.id.addresses;
  for (const std::string& each : known->second.claimed) {
    if (std::find(all.begin(), all.end(), each) == all.end()) all.push_back(each);
  }
  return all;
}

void Gate::on_reached(const std::string& name, const std::string& address) {
  const auto known = foreign_.find(lower(name));
  if (known == foreign_.end()) return;
  Foreign& one = known->second;
  const auto has = [&](const std::vector<std::string>& all) {
    return std::find(all.begin(), all.end(), address) != all.end();
  };
  // None of the addresses that it had takes letters any more.
  if (!has(one.id.addresses) && has(one.claimed)) one.id.addresses = one.claimed;
}

// Sends to an agent whose mailbox may be full, which must not hold up the gate.
Task<> Gate::give(Name to, Content content) {
  {
    coracle::detail::Sending::AsResult sending = send_result(to, content);
    if (sending.has_ended()) {
      (void)co_await sending;  // what cannot be sent at all is lost
      co_return;
    }
    (void)sending.give_up();
  }
  if (given_later_ >= most_given_later) co_return;
  ++given_later_;
  spawn(give_later(std::move(to), std::move(content)));
}

Task<> Gate::give_later(Name to, Content content) {
  (void)co_await send_result(to, content);
  --given_later_;
}

Task<> Gate::enter_changes() {
  DirectoryChanges::Changed changed = changes_->take();
  if (std::exchange(is_new_, false) || changed.all) {
    Query all;
    all.limit = most_own;
    Task<std::vector<Entry>> searching = search(all);
    changed.names.assign(own_.begin(), own_.end());
    for (Entry& each : co_await searching) changed.names.push_back(std::move(each.name));
  }
  Messages out;
  for (const Name& each : changed.names) {
    Task<> entering = enter(each, out);
    co_await entering;
  }
  if (out.empty()) co_return;
  Task<> sending = send_all(std::move(out));
  co_await sending;
}

Task<> Gate::enter(const Name& agent, Messages& out) {
  if (!platform_.exposes(agent)) co_return;
  Task<std::optional<Entry>> looking = entry_of(agent);
  const std::optional<Entry> entry = co_await looking;
  const acl::CalendarTime now = calendar();
  const acl::AgentId id = platform_.id_of(agent);
  Messages news;
  if (!entry) {
    if (own_.erase(agent) == 0) co_return;
    management_.remove_own(id.name);
    news = facilitator_.end_own(id.name, now);
  } else {
    if (own_.size() >= most_own && !own_.contains(agent)) co_return;
    own_.insert(agent);
    management_.put_own(id);
    news = entry->properties.empty()
               ? facilitator_.remove_own(id.name, now)
               : facilitator_.put_own(description_of(id, entry->properties), now);
  }
  for (acl::Message& each : news) out.push_back(std::move(each));
}

Task<> Gate::follow() {
  for (;;) {
    Task<> entering = enter_changes();
    co_await entering;
    Task<> publishing = publish_changes();
    co_await publishing;
    Task<> waiting = changes_->wait();
    co_await waiting;
  }
}

Task<std::optional<Entry>> Gate::entry_of(Name agent) {
  Directory& directory = node().directory();
  const auto known = directory.try_look_up(agent);
  if (known) co_return *known;
  Task<std::optional<Entry>> looking = directory.look_up(std::move(agent));
  co_return co_await looking;
}

// Publishes the services that foreign agents have registered as properties of their names.
Task<> Gate::publish_changes() {
  const std::vector<std::string> changed = facilitator_.take_changed();
  for (const std::string& name : changed) {
    const auto known = foreign_.find(name);
    if (known == foreign_.end()) continue;
    Describe what;
    if (const auto* const entry = facilitator_.entry(name)) what.properties = texts_of(*entry);
    Task<> giving = give(known->second.address.name(), Content::of(std::move(what)));
    co_await giving;
  }
}

// --- other facilitators ---

Task<> Gate::federate(Message& message) {
  const Content content = message.content();
  const auto& what = *content.try_as<Federate>();
  acl::Message request =
      what.joins ? facilitator_.join(what.parent) : facilitator_.leave(what.parent);
  if (federating_.size() >= most_federating) federating_.erase(federating_.begin());
  federating_.emplace(request.reply_with, Federating{std::move(message), lower(what.parent.name)});
  Task<> sending = route(std::move(request), {what.parent});
  co_await sending;
}

Task<> Gate::on_federated(const acl::Message& answer) {
  const auto found = federating_.find(answer.in_reply_to);
  if (found == federating_.end() || answer.performative == acl::Performative::agree) co_return;
  const std::string sender = lower(answer.sender.name);
  if (sender != found->second.parent && sender != lower(ams_.name)) co_return;
  const Message asked = std::move(found->second.asked);
  federating_.erase(found);
  if (answer.performative == acl::Performative::inform) {
    co_await reply(asked, Content());
    co_return;
  }
  const std::string problem = "the facilitator " + sender + " has answered " +
                              std::string(acl::to_text(answer.performative)) + ": " +
                              std::string(acl::text_of(answer));
  co_await refuse(asked, problem);
}

}  // namespace coracle::fipa
