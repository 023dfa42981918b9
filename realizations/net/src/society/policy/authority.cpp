#include "authority.hpp"

#include "coracle/support/mutations.hpp"

#include <utility>

namespace coracle::society {

Authority::Authority(std::shared_ptr<const Policy> policy, Log log)
    : log_(std::move(log)), next_(std::move(policy)) {}

std::size_t Authority::Hash::operator()(const Question& question) const {
  const auto action = static_cast<std::size_t>(question.action);
  const detail::SecretHash hash;  // members choose the names
  return (hash(question.from) * 31 + hash(question.to)) * 31 + action;
}

void Authority::replace(std::shared_ptr<const Policy> policy) {
  const std::lock_guard lock(mutex_);
  next_ = std::move(policy);
}

// Every decision begins with this call.
void Authority::look_at_policy() {
  {
    const std::lock_guard lock(mutex_);
    if (next_ == policy_) return;
    policy_ = next_;
  }
  answers_.clear();
  lines_.clear();
}

void Authority::opened(LeaseId lease, Opener who) { members_[lease] = {std::move(who), {}}; }

void Authority::ended(LeaseId lease) {
  const auto found = members_.find(lease);
  if (found == members_.end()) return;
  for (const Name& name : found->second.names) {
    const auto last = last_holders_.find(name);
    if (last != last_holders_.end() && last->second == lease) last_holders_.erase(last);
  }
  members_.erase(found);
}

void Authority::claimed(LeaseId lease, const Name& name) {
  const auto found = members_.find(lease);
  if (found == members_.end() || found->second.names.size() >= most_names) return;
  found->second.names.insert(name);
  last_holders_[name] = lease;
}

const Authority::Member& Authority::member(LeaseId lease) const {
  static const Member nobody;
  const auto found = members_.find(lease);
  return found != members_.end() ? found->second : nobody;
}

bool Authority::allows(Action action, const Name& from, const Name& to) {
  if (answers_.size() >= most_answers) answers_.clear();
  const auto [found, is_new] = answers_.try_emplace({action, from, to}, false);
  if (is_new) found->second = policy_->allows({}, action, from, to);
  return found->second;
}

bool Authority::may_register(const Member& member, const Name& name) const {
  return policy_->allows(member.who.certified, Action::claim, name, name);
}

// Messages of an agent go out after its end, too. Messages in a name that the node has not
// registered pass as long as the node could have registered it: no other node has, and the policy
// would allow it.
bool Authority::speaks_for(LeaseId lease, const Name& name) {
  const Member& who = member(lease);
  if (who.who.is_inside || who.names.contains(name)) return true;
  return !last_holders_.contains(name) && may_register(who, name);
}

void Authority::note(LeaseId lease, const Refused& refused) {
  const Opener& who = member(lease).who;
  refusals_.note({0, who.node, who.certified, refused.right, refused.from, refused.to});
  ++refused_;
}

// Each line is logged once, so that a node that keeps trying does not fill the log.
std::string Authority::refuse(LeaseId lease, const Refused& refused, const std::string& what) {
  note(lease, refused);
  const Opener& who = member(lease).who;
  std::string line = "the policy does not let node " + who.node;
  if (!who.certified.empty()) line += " (certified as " + who.certified + ")";
  line += " " + what;
  if (lines_.size() < most_lines && lines_.insert(line).second) log_(line);
  return line;
}

std::optional<std::vector<Refusal>> Authority::audit(const Opener& asker, std::uint64_t after) {
  look_at_policy();
  const auto is_hidden = [&](const Name& name) {
    return !asker.is_inside && !policy_->allows(asker.certified, Action::audit, name, name);
  };
  if (is_hidden(Name())) return std::nullopt;
  std::vector<Refusal> shown = refusals_.after(after);
  std::erase_if(shown, [&](const Refusal& each) { return is_hidden(each.from); });
  return shown;
}

RefusalReport Authority::take_refusals() {
  RefusalReport report;
  report.count = std::exchange(refused_, 0);
  report.refusals = refusals_.take();
  return report;
}

std::optional<Error> Authority::against_claim(LeaseId lease, const Name& name) {
  look_at_policy();
  if (may_register(member(lease), name) || mutated(Mutation::claims_unasked)) return std::nullopt;
  return Error(Errc::not_permitted,
               refuse(lease, {"register", name, name}, "register the name '" + name.str() + "'") +
                   "; ask the society's operator for a grant");
}

std::optional<Error> Authority::against_join(LeaseId lease, const Name& member, const Name& group) {
  look_at_policy();
  const bool may = speaks_for(lease, member) && allows(Action::join, member, group);
  if (may || mutated(Mutation::joins_unasked)) return std::nullopt;
  const std::string what = "have '" + member.str() + "' join the group '" + group.str() + "'";
  return Error(Errc::not_permitted, refuse(lease, {"join", member, group}, what) +
                                        "; ask the society's operator for a grant");
}

bool Authority::lets_send(LeaseId lease, const Name& source, const Name& target) {
  look_at_policy();
  if (!source.empty() && !speaks_for(lease, source)) {
    (void)refuse(lease, {"register", source, source},
                 "use the name '" + source.str() + "', which it does not hold");
    return false;
  }
  if (allows(Action::send, source, target)) return true;
  (void)refuse(lease, {"send", source, target},
               "have '" + source.str() + "' send to '" + target.str() + "'");
  return false;
}

bool Authority::lets_speak(LeaseId lease, const Name& name) {
  look_at_policy();
  if (speaks_for(lease, name)) return true;
  (void)refuse(lease, {"register", name, name},
               "use the name '" + name.str() + "', which it does not hold");
  return false;
}

// An agent that may redirect vouches for the sources of the messages that it passes on.
bool Authority::lets_redirect(LeaseId lease, const Name& mailbox, const Name& source,
                              const Name& target) {
  if (mailbox.empty() || !lets_speak(lease, mailbox)) return false;
  if (allows(Action::send, source, mailbox) && allows(Action::redirect, mailbox, target))
    return true;
  (void)refuse(lease, {"redirect", mailbox, target},
               "have '" + mailbox.str() + "' redirect to '" + target.str() + "' what '" +
                   source.str() + "' sent");
  return false;
}

bool Authority::lets_overhear(LeaseId lease, const Name& eavesdropper, const Name& source,
                              const Name& target) {
  look_at_policy();
  if (!source.empty() && !speaks_for(lease, source)) return false;
  // Nobody overhears a refused message; the refusal is noted for the message itself.
  if (!allows(Action::send, source, target) && !mutated(Mutation::refused_is_heard)) return false;
  if (allows(Action::overhear, eavesdropper, source) &&
      allows(Action::overhear, eavesdropper, target))
    return true;
  note(lease, {"overhear", eavesdropper, source.empty() ? target : source});
  return false;
}

bool Authority::lets_keep(LeaseId lease) {
  if (member(lease).who.is_inside) return true;
  (void)refuse(lease, {"keep", {}, {}}, "be the message store of the society");
  return false;
}

// A node that may register that name would get its messages anyway.
bool Authority::lets_inspect(LeaseId lease, const Name& name) {
  look_at_policy();
  const Member& who = member(lease);
  if (may_register(who, name) || policy_->allows(who.who.certified, Action::inspect, name, name))
    return true;
  (void)refuse(lease, {"look", {}, name}, "inspect '" + name.str() + "'");
  return false;
}

bool Authority::lets_operate(LeaseId lease, const Name& name, const Opener& at) {
  look_at_policy();
  const Opener& who = member(lease).who;
  if (!policy_->allows(who.certified, Action::operate, name, name)) {
    (void)refuse(lease, {"operate", {}, name}, "end or restart '" + name.str() + "'");
    return false;
  }
  log_("node " + who.node + (who.certified.empty() ? "" : " (certified as " + who.certified + ")") +
       " ends or restarts '" + name.str() + "'");
  refusals_.note({0, who.node, who.certified, "operated", {}, name, 1, at.node, at.certified});
  return true;
}

bool Authority::lets_listen(LeaseId lease, const Name& eavesdropper) {
  look_at_policy();
  if (speaks_for(lease, eavesdropper) && allows(Action::overhear, eavesdropper, Name()))
    return true;
  (void)refuse(lease, {"overhear", eavesdropper, {}},
               "have '" + eavesdropper.str() + "' overhear anything");
  return false;
}

}  // namespace coracle::society
