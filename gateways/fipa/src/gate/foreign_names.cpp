#include "gate/foreign_names.hpp"

#include "coracle/fipa/detail/entries.hpp"
#include "coracle/support/mutations.hpp"

#include <algorithm>
#include <utility>

namespace coracle::fipa {

namespace {

std::string platform_of(const std::string& key) { return std::string(acl::platform_part(key)); }

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

const ForeignEntry* ForeignNames::find(std::string_view id) const {
  const auto found = all_.find(lower(id));
  return found == all_.end() ? nullptr : &found->second;
}

ForeignEntry* ForeignNames::entry(std::string_view id) {
  const auto found = all_.find(lower(id));
  return found == all_.end() ? nullptr : &found->second;
}

const ForeignEntry* ForeignNames::named(const Name& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : &all_.at(found->second);
}

const ForeignEntry* ForeignNames::name_again(const acl::AgentId& id, acl::Representation form,
                                             NamedBy by) {
  ForeignEntry* const one = entry(id.name);
  if (one == nullptr) return nullptr;
  one->is_wanted = one->is_wanted || by != NamedBy::letter;
  if (by == NamedBy::letter) one->form = form;
  const bool is_believed = by > one->by || by == NamedBy::program || one->id.addresses.empty() ||
                           mutated(Mutation::any_address);
  if (is_believed && !id.addresses.empty()) {
    one->id.addresses = id.addresses;
    one->by = by;
  } else if (!id.addresses.empty()) {
    one->claimed = id.addresses;
  }
  uses_.splice(uses_.begin(), uses_, one->use);
  return one;
}

std::optional<Name> ForeignNames::make_room_for(const acl::AgentId& id) {
  const std::string platform = platform_of(lower(id.name));
  const auto of_this = of_platform_.find(platform);
  const bool is_full = of_this != of_platform_.end() && of_this->second >= most_of_platform_;
  if (!is_full && all_.size() < most_) return std::nullopt;
  const std::string* chosen = nullptr;
  for (auto use = uses_.rbegin(); use != uses_.rend(); ++use) {
    if (is_full && platform_of(*use) != platform) continue;
    if (chosen == nullptr) chosen = &*use;
    if (all_.at(*use).is_wanted) continue;
    chosen = &*use;
    break;
  }
  if (chosen == nullptr) return std::nullopt;
  const std::string key = *chosen;
  Name name = all_.at(key).name;
  erase(key);
  return name;
}

void ForeignNames::erase(const std::string& key) {
  const auto found = all_.find(key);
  const auto of_its = of_platform_.find(platform_of(key));
  if (--of_its->second == 0) of_platform_.erase(of_its);
  names_.erase(found->second.name);
  requests_.erase(found->second.requests);
  uses_.erase(found->second.use);
  all_.erase(found);
}

void ForeignNames::add(acl::AgentId id, acl::Representation form, NamedBy by, Name name,
                       std::string requests) {
  std::string key = lower(id.name);
  uses_.push_front(key);
  names_.emplace(name, key);
  requests_.emplace(requests, key);
  ++of_platform_[platform_of(key)];
  all_.emplace(std::move(key), ForeignEntry{std::move(id),
                                            by,
                                            {},
                                            form,
                                            std::move(name),
                                            std::move(requests),
                                            by != NamedBy::letter,
                                            uses_.begin()});
}

void ForeignNames::want(std::string_view id) {
  if (ForeignEntry* const one = entry(id)) one->is_wanted = true;
}

void ForeignNames::on_reached(std::string_view id, const std::vector<std::string>& in_vain,
                              const std::string& address) {
  ForeignEntry* const one = entry(id);
  if (one == nullptr || !has(one->claimed, address)) return;
  const std::vector<std::string>& known = one->id.addresses;
  const bool are_gone = std::all_of(known.begin(), known.end(),
                                    [&](const std::string& each) { return has(in_vain, each); });
  if (are_gone) one->id.addresses = one->claimed;
}

std::vector<std::string> ForeignNames::addresses_of(const acl::AgentId& id) const {
  if (!id.addresses.empty()) return id.addresses;
  const ForeignEntry* const one = find(id.name);
  if (one == nullptr) return {};
  std::vector<std::string> addresses = one->id.addresses;
  for (const std::string& each : one->claimed) {
    if (!has(addresses, each)) addresses.push_back(each);
  }
  return addresses;
}

const ForeignEntry* ForeignNames::asked_by(const acl::Message& failure) const {
  if (failure.performative != acl::Performative::failure) return nullptr;
  if (lower(acl::local_part(failure.sender.name)) != "ams") return nullptr;
  const std::size_t end = failure.in_reply_to.rfind('-');
  if (end == std::string::npos) return nullptr;
  const auto found = requests_.find(failure.in_reply_to.substr(0, end + 1));
  if (found == requests_.end()) return nullptr;
  const bool is_its_platform =
      platform_of(found->second) == lower(acl::platform_part(failure.sender.name));
  return is_its_platform ? &all_.at(found->second) : nullptr;
}

}  // namespace coracle::fipa
