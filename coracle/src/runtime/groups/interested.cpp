#include "interested.hpp"

#include "patterns/pattern_parts.hpp"
#include "seen_by_patterns.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

// The headers of a message, as patterns see them that were registered for a role.
class RoleHeaders final : public RecordHeaders {
 public:
  RoleHeaders(const MessageRecord& record, std::string_view role) noexcept
      : RecordHeaders(record), role_(role) {}
  std::optional<std::string_view> find(std::string_view key) const override {
    if (key == role_component) return role_;
    return RecordHeaders::find(key);
  }

 private:
  std::string_view role_;
};

}  // namespace

bool is_for_role(const Pattern& pattern) {
  const PatternParts* const parts = pattern.parts();
  if (parts == nullptr) return false;
  const auto is_role = [](const auto& one) { return one.first == role_component; };
  return std::any_of(parts->components.begin(), parts->components.end(), is_role);
}

bool RegisteredPatterns::add(std::uint64_t id, Mailbox& whose, const Pattern& pattern,
                             std::uint64_t told) {
  if (!is_for_role(pattern)) return false;
  index_.add(id, pattern);
  whose_[id] = {&whose, told};
  return true;
}

bool RegisteredPatterns::remove(std::uint64_t id) {
  if (whose_.erase(id) == 0) return false;
  index_.remove(id);
  return true;
}

std::vector<Interested> RegisteredPatterns::who(const MessageRecord& record,
                                                std::string_view role) {
  std::vector<Interested> all;
  if (whose_.empty()) return all;
  std::unordered_map<Mailbox*, std::size_t> places;
  std::vector<Eavesdropper> eavesdroppers;
  for (const std::uint64_t id : index_.match(
           record.source->name, addressed_to(record), [&record] { return text_of(record); },
           RoleHeaders(record, role)))
    eavesdroppers.push_back(whose_.at(id));
  std::sort(eavesdroppers.begin(), eavesdroppers.end(),
            [](const Eavesdropper& a, const Eavesdropper& b) {
              return a.told != b.told ? a.told < b.told : a.who->name < b.who->name;
            });
  for (const Eavesdropper& eavesdropper : eavesdroppers) {
    const auto [place, is_new] = places.emplace(eavesdropper.who, all.size());
    if (is_new) all.push_back({eavesdropper.who, {}});
    all[place->second].ids.push_back(eavesdropper.told);
  }
  return all;
}

}  // namespace coracle::detail
