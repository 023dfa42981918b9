#include "coracle/formats/story.hpp"

#include "coracle/support/glob.hpp"

#include <algorithm>
#include <unordered_set>

namespace coracle::formats {

bool Selection::is_everything() const noexcept {
  return names.empty() && types.empty() && !conversation && from <= Duration::zero() &&
         until == Duration::max();
}

bool Selection::fits(const StoryMessage& message, Time begin) const noexcept {
  if (conversation && message.conversation != *conversation) return false;
  if (message.sent - begin < from || message.sent - begin >= until) return false;
  if (!types.empty() && !detail::fits_one(types, message.type)) return false;
  if (names.empty()) return true;
  return detail::fits_one(names, message.source.view()) ||
         detail::fits_one(names, message.target.view()) ||
         (!message.group.empty() && detail::fits_one(names, message.group.view()));
}

const StoryMessage* Story::find(std::uint64_t id) const noexcept {
  const auto found = std::lower_bound(
      messages.begin(), messages.end(), id,
      [](const StoryMessage& message, std::uint64_t number) { return message.id < number; });
  return found != messages.end() && found->id == id ? &*found : nullptr;
}

void Story::keep(const Selection& selection) {
  if (selection.is_everything()) return;
  not_selected += std::erase_if(
      messages, [&](const StoryMessage& each) { return !selection.fits(each, begin); });
  std::unordered_set<Name> names;
  for (const StoryMessage& each : messages) {
    names.insert(each.source);
    names.insert(each.target);
  }
  const auto is_stranger = [&](const Name& name) {
    return !names.contains(name) && !detail::fits_one(selection.names, name.view());
  };
  std::erase_if(lives, [&](const StoryLife& each) { return is_stranger(each.agent); });
  std::erase_if(gaps, [&](const StoryGap& each) { return is_stranger(each.hearer); });
}

}  // namespace coracle::formats
