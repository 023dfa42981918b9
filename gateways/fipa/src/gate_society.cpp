// A gateway's view of the society: the names of foreign agents in it, and its agents as others see
// them.
#include "foreign_agent.hpp"
#include "gate.hpp"
#include "services.hpp"

#include "coracle/agent_spec.hpp"
#include "coracle/errors.hpp"
#include "coracle/fipa/detail/entries.hpp"
#include "coracle/support/calendar.hpp"

#include <memory>
#include <utility>

namespace coracle::fipa {

namespace {

// The most agents of the society that are looked at.
constexpr std::size_t most_own = 100'000;

// The requests to join and to leave other facilitators that wait for answers.
constexpr std::size_t most_federating = 100;

}  // namespace

// Returns the agent that stands for a foreign one, which is made if there is none.
Task<Address> Gate::foreign(const acl::AgentId& id, acl::Representation form) {
  if (platform_.is_ours(id))
    throw Error(Errc::not_permitted,
                "the agent " + id.name + " is one of this platform, and no foreign one");
  const std::string key = lower(id.name);
  const auto known = foreign_.find(key);
  if (known != foreign_.end()) {
    Foreign& one = known->second;
    if (!id.addresses.empty()) one.id.addresses = id.addresses;
    one.form = form;
    uses_.splice(uses_.begin(), uses_, one.use);
    co_return one.address;
  }
  const Name name = foreign_name(id);
  const std::string platform = lower(acl::platform_part(id.name));
  Task<> making_room = make_room(platform);
  co_await making_room;
  Task<Address> adopting = adopt(AgentSpec(name), std::make_unique<ForeignAgent>(self(), id));
  const Address address = co_await adopting;
  uses_.push_front(key);
  foreign_.emplace(key, Foreign{id, form, address, uses_.begin()});
  names_.emplace(address, key);
  ++of_platform_[platform];
  co_return address;
}

// Takes the name from the agent that was idle for longest, if there is no room.
Task<> Gate::make_room(const std::string& platform) {
  const auto of_this = of_platform_.find(platform);
  const bool is_full =
      of_this != of_platform_.end() && of_this->second >= options_.foreign_agents_per_platform;
  if (!is_full && foreign_.size() < options_.foreign_agents) co_return;
  for (auto use = uses_.rbegin(); use != uses_.rend(); ++use) {
    const auto found = foreign_.find(*use);
    const std::string its_platform = lower(acl::platform_part(found->second.id.name));
    if (is_full && its_platform != platform) continue;
    const Address address = found->second.address;
    names_.erase(address);
    uses_.erase(found->second.use);
    foreign_.erase(found);
    if (--of_platform_[its_platform] == 0) of_platform_.erase(its_platform);
    const Content end = Content::of(End());
    co_await send(address, end);
    co_return;
  }
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
  const acl::CalendarTime now = coracle::detail::calendar_now();
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

// What this node knows of an agent.
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
    const Content content = Content::of(std::move(what));
    co_await send(known->second.address, content);
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
