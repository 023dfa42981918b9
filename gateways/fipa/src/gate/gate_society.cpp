// A gateway's view of the society: the names of foreign agents in it, and its agents as others see
// them.
#include "gate/foreign_agent.hpp"
#include "gate/gate.hpp"
#include "services/services.hpp"

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

}  // namespace

Task<Name> Gate::foreign(acl::AgentId id, acl::Representation form, NamedBy by) {
  if (platform_.is_ours(id))
    throw Error(Errc::not_permitted,
                "the agent " + id.name + " is one of this platform, and no foreign one");
  if (const ForeignEntry* const known = foreign_.name_again(id, form, by)) co_return known->name;
  Name name = foreign_name(id);
  if (auto gone = foreign_.make_room_for(id)) spawn(end_one(*std::move(gone)));
  const std::string requests = new_id_() + "-";
  Task<Address> adopting =
      adopt(AgentSpec(name), std::make_unique<ForeignAgent>(self(), id.name, requests));
  (void)co_await adopting;
  foreign_.add(std::move(id), form, by, name, requests);
  co_return name;
}

// Ends the agent of a foreign one, however full its mailbox is.
Task<> Gate::end_one(Name agent) {
  const Content end = Content::of(End());
  for (;;) {
    const Result<void> sent = co_await send_result(agent, end);
    if (sent ||
        (sent.error().errc() != Errc::mailbox_full && sent.error().errc() != Errc::deadlock))
      co_return;
  }
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
    const ForeignEntry* const known = foreign_.find(name);
    if (known == nullptr) continue;
    Describe what;
    if (const auto* const entry = facilitator_.entry(name)) what.properties = texts_of(*entry);
    Task<> giving = give(known->name, Content::of(std::move(what)));
    co_await giving;
  }
}

// --- other facilitators ---

Task<> Gate::federate(Message& message) {
  const Content content = message.content();
  const auto& what = *content.try_as<Federate>();
  acl::Message request =
      what.joins ? facilitator_.join(what.parent) : facilitator_.leave(what.parent);
  federations_.add(request, std::move(message), what.parent.name);
  Task<> sending = route(std::move(request), {what.parent});
  co_await sending;
}

Task<> Gate::on_federated(const acl::Message& answer) {
  const std::optional<Message> asked = federations_.take(answer, ams_.name);
  if (!asked) co_return;
  if (answer.performative == acl::Performative::inform) {
    co_await reply(*asked, Content());
    co_return;
  }
  const std::string problem = "the facilitator " + lower(answer.sender.name) + " has answered " +
                              std::string(acl::to_text(answer.performative)) + ": " +
                              std::string(acl::text_of(answer));
  co_await refuse(*asked, problem);
}

}  // namespace coracle::fipa
