#include "model/difference.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>

namespace coracle::view {

namespace {

using formats::StoryMessage;

constexpr std::size_t no_partner = std::numeric_limits<std::size_t>::max();

// For each message of `before`, the place of the same one in `after`.
std::vector<std::size_t> partners(const std::vector<StoryMessage>& before,
                                  const std::vector<StoryMessage>& after) {
  const auto key_of = [](const StoryMessage& message) {
    return std::make_tuple(message.source.view(), message.target.view(), message.kind, message.type,
                           message.content);
  };
  struct Places {
    std::vector<std::size_t> all;
    std::size_t next = 0;
  };
  std::map<decltype(key_of(before.front())), Places> places;
  for (std::size_t i = 0; i < after.size(); ++i) places[key_of(after[i])].all.push_back(i);
  std::vector<std::size_t> found(before.size(), no_partner);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto at = places.find(key_of(before[i]));
    if (at == places.end() || at->second.next == at->second.all.size()) continue;
    found[i] = at->second.all[at->second.next++];
  }
  return found;
}

// Leaves only the longest row of partners that rises.
void keep_rising(std::vector<std::size_t>& partner) {
  std::vector<std::size_t> ends;  // of the row of each length, the one that ends lowest
  std::vector<std::size_t> former(partner.size(), no_partner);
  for (std::size_t i = 0; i < partner.size(); ++i) {
    if (partner[i] == no_partner) continue;
    const auto at =
        std::lower_bound(ends.begin(), ends.end(), partner[i],
                         [&](std::size_t end, std::size_t place) { return partner[end] < place; });
    if (at != ends.begin()) former[i] = *(at - 1);
    if (at == ends.end()) ends.push_back(i);
    else *at = i;
  }
  std::vector<bool> is_kept(partner.size());
  for (std::size_t i = ends.empty() ? no_partner : ends.back(); i != no_partner; i = former[i])
    is_kept[i] = true;
  for (std::size_t i = 0; i < partner.size(); ++i)
    if (!is_kept[i]) partner[i] = no_partner;
}

}  // namespace

bool ComparedLine::is_same() const noexcept {
  return before != nullptr && after != nullptr && before->outcome == after->outcome;
}

std::vector<ComparedLine> compare(const formats::Story& before, const formats::Story& after) {
  if (before.messages.empty() || after.messages.empty()) {
    std::vector<ComparedLine> lines;
    for (const StoryMessage& each : before.messages) lines.push_back({&each, nullptr});
    for (const StoryMessage& each : after.messages) lines.push_back({nullptr, &each});
    return lines;
  }
  std::vector<std::size_t> partner = partners(before.messages, after.messages);
  keep_rising(partner);
  std::vector<ComparedLine> lines;
  std::size_t next = 0;
  const auto add_until = [&](std::size_t end) {
    for (; next < end; ++next) lines.push_back({nullptr, &after.messages[next]});
  };
  for (std::size_t i = 0; i < partner.size(); ++i) {
    if (partner[i] != no_partner) add_until(partner[i]);
    lines.push_back(
        {&before.messages[i], partner[i] == no_partner ? nullptr : &after.messages[next++]});
  }
  add_until(after.messages.size());
  return lines;
}

std::vector<ComparedLine> with_neighbours(const std::vector<ComparedLine>& lines,
                                          std::size_t around, std::size_t most) {
  std::vector<ComparedLine> chosen;
  std::size_t next = 0;  // the first line that is not judged
  for (std::size_t i = 0; i < lines.size() && chosen.size() < most; ++i) {
    if (lines[i].is_same()) continue;
    next = std::max(next, i - std::min(i, around));
    const std::size_t end = std::min(lines.size(), i + around + 1);
    for (; next < end && chosen.size() < most; ++next) chosen.push_back(lines[next]);
  }
  return chosen;
}

}  // namespace coracle::view
