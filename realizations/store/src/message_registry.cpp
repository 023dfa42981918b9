// Registrations and groups.
#include "message_records.hpp"

namespace coracle::store {

Result<Journal::Appended> MessageStore::write_registration(std::string_view name,
                                                           const Registration& value) {
  FieldWriter head;
  head.text(name)
      .number(value.incarnation)
      .number(static_cast<std::int64_t>(value.lease.count()))
      .number(static_cast<std::uint8_t>(value.present))
      .text(value.owner);
  return journal_->append(static_cast<std::uint8_t>(Kind::registration),
                          {head.bytes(), value.details}, Urgency::needed);
}

Result<Journal::Appended> MessageStore::write_member(std::uint8_t kind, std::string_view group,
                                                     std::string_view member) {
  FieldWriter body;
  body.text(group).text(member);
  return journal_->append(kind, {body.bytes()}, Urgency::needed);
}

Result<Sequence> MessageStore::put_registration(std::string_view name,
                                                const Registration& registration) {
  const auto done = write_registration(name, registration);
  if (!done) return done.error();
  constexpr std::size_t fixed = 4 + 8 + 8 + 1 + 4;
  auto& kept = registrations_[std::string(name)];
  kept.value = registration;
  move(kept, *done,
       record_bytes(fixed + name.size() + registration.owner.size() + registration.details.size()));
  return done->sequence;
}

Result<Sequence> MessageStore::forget_registration(std::string_view name) {
  const auto found = registrations_.find(name);
  if (found == registrations_.end()) return journal_->last();
  FieldWriter body;
  body.text(name);
  const auto done =
      journal_->append(static_cast<std::uint8_t>(Kind::forgotten), {body.bytes()}, Urgency::needed);
  if (!done) return done.error();
  drop(found->second);
  registrations_.erase(found);
  return done->sequence;
}

Result<Sequence> MessageStore::join(std::string_view group, std::string_view member) {
  const auto found = groups_.find(group);
  if (found != groups_.end() && found->second.contains(std::string(member)))
    return journal_->last();
  const auto done = write_member(static_cast<std::uint8_t>(Kind::joined), group, member);
  if (!done) return done.error();
  auto& kept = groups_[std::string(group)][std::string(member)];
  kept.value = true;
  move(kept, *done, record_bytes(8 + group.size() + member.size()));
  return done->sequence;
}

Result<Sequence> MessageStore::leave(std::string_view group, std::string_view member) {
  const auto found = groups_.find(group);
  if (found == groups_.end()) return journal_->last();
  const auto kept = found->second.find(std::string(member));
  if (kept == found->second.end()) return journal_->last();
  const auto done = write_member(static_cast<std::uint8_t>(Kind::left), group, member);
  if (!done) return done.error();
  drop(kept->second);
  found->second.erase(kept);
  if (found->second.empty()) groups_.erase(found);
  return done->sequence;
}

const Registration* MessageStore::registration(std::string_view name) const {
  const auto found = registrations_.find(name);
  return found == registrations_.end() ? nullptr : &found->second.value;
}

std::vector<std::string> MessageStore::registered() const {
  std::vector<std::string> names;
  for (const auto& [name, kept] : registrations_) names.push_back(name);
  return names;
}

std::vector<std::string> MessageStore::members(std::string_view group) const {
  std::vector<std::string> names;
  const auto found = groups_.find(group);
  if (found == groups_.end()) return names;
  for (const auto& [name, kept] : found->second) names.push_back(name);
  return names;
}

std::vector<std::string> MessageStore::groups() const {
  std::vector<std::string> names;
  for (const auto& [name, members] : groups_) names.push_back(name);
  return names;
}

}  // namespace coracle::store
