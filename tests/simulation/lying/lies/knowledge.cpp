#include "knowledge.hpp"

#include "coracle/support/core_frames.hpp"

#include <algorithm>

namespace coracle::test::lying {

namespace {

using namespace coracle::detail;

constexpr std::size_t most_kept = 256, most_frames = 64;

}  // namespace

void Knowledge::note(std::vector<std::uint64_t>& list, std::uint64_t number) {
  if (list.size() >= most_kept) list.erase(list.begin());
  list.push_back(number);
}

void Knowledge::keep(ByteSpan head, ByteSpan content) {
  if (head.empty()) return;
  const auto kind = std::to_integer<std::uint8_t>(head.front());
  const bool greets = kind == greeting_frame || kind == answer_frame || kind == store_state_frame;
  if (greets && forgets_greetings) return;
  if (frames.size() >= most_frames) frames.pop_front();
  frames.push_back({{head.begin(), head.end()}, {content.begin(), content.end()}});
}

std::vector<std::string> Knowledge::own_names() const {
  std::vector<std::string> names;
  for (const auto& [name, holder] : held) {
    if (holder.lease == lease && lease != 0) names.push_back(name);
  }
  return names;
}

void Knowledge::on_lease(const society::NodeInfo& info) {
  generation = std::max(generation, info.lease >> 32);
  if (info.node == node) return;
  others[info.lease] = info;
}

void Knowledge::lose_lease() {
  if (lease != 0) earlier.push_back(std::exchange(lease, 0));
}

void Knowledge::on_event(const DirectoryEvent& event, const std::optional<Entry>& entry) {
  using Kind = DirectoryEvent::Kind;
  switch (event.kind) {
    case Kind::arrived:
    case Kind::changed:
      if (entry) held[event.name.str()] = {entry->lease, entry->incarnation};
      return;
    case Kind::ended:
      held.erase(event.name.str());
      return;
    case Kind::joined:
    case Kind::left:
      ++group_changes;
      if (std::find(groups.begin(), groups.end(), event.group.str()) == groups.end() &&
          groups.size() < most_kept)
        groups.push_back(event.group.str());
      return;
    case Kind::lease_ended:
      if (event.lease == lease) lose_lease();
      if (others.erase(event.lease) != 0) note(ended, event.lease);
      return;
  }
}

std::optional<std::string> Knowledge::hear_name(FrameReader& in, Pair& pair, Pair::Heard** known) {
  const std::uint64_t number = in.number();
  if (!in.ok()) return std::nullopt;
  if (number >= first_number) {
    const std::uint64_t index = number - first_number;
    if (index >= pair.heard.size()) return std::nullopt;
    if (known != nullptr) *known = &pair.heard[index];
    return pair.heard[index].name;
  }
  std::string name(in.text());
  if (!in.ok()) return std::nullopt;
  if (number == new_name) {
    pair.heard.push_back({name, 0});
    if (known != nullptr) *known = &pair.heard.back();
  }
  return name;
}

std::optional<HeardMessage> Knowledge::hear_message(std::uint8_t kind, FrameReader& in,
                                                    Pair& pair) {
  const bool is_handed = kind == hand_over_frame;
  HeardMessage message;
  if (is_handed) message.serial = in.number(), (void)in.number();
  Pair none;
  Pair& names = is_handed ? none : pair;
  Pair::Heard* target = nullptr;
  const auto name = hear_name(in, names, &target);
  if (!name) return std::nullopt;
  message.target = *name;
  if (!is_handed) {
    message.serial = in.number();
    if (kind != slot_request_frame && target != nullptr)
      message.serial = target->serial += message.serial;
    (void)in.number();
  }
  if (kind == store_message_frame) (void)in.number();
  const std::uint8_t bits = in.byte();
  if ((bits & has_source) != 0) {
    const auto source = hear_name(in, names, nullptr);
    if (!source) return std::nullopt;
    message.source = *source;
  }
  if ((bits & has_reply_to) != 0 && !hear_name(in, names, nullptr)) return std::nullopt;
  message.flags = in.number();
  (void)in.number();
  message.conversation = in.number();
  if (!in.ok()) return std::nullopt;
  note(serials, message.serial);
  note(conversations, message.conversation);
  return message;
}

std::optional<HeardMessage> Knowledge::on_frame(LeaseId from, ByteSpan head, ByteSpan content) {
  keep(head, content);
  FrameReader in(head);
  const std::uint8_t kind = in.byte();
  Pair& here = pair(from, lease);
  switch (kind) {
    case message_frame:
    case slot_request_frame:
    case hand_over_frame:
    case store_message_frame:
      return hear_message(kind, in, here);
    case reports_frame:
      while (in.ok() && !in.at_end() && hear_name(in, here, nullptr)) {
        (void)in.byte();
        note(serials, in.number());
        (void)in.number();
      }
      break;
    case closed_frame:
    case mailbox_frame:
      (void)hear_name(in, here, nullptr);
      break;
    case slot_withdrawal_frame:
    case slot_answer_frame:
      if (hear_name(in, here, nullptr)) note(entries, in.number());
      break;
    case probe_frame:
      if (hear_name(in, here, nullptr)) note(serials, in.number());
      (void)hear_name(in, here, nullptr);
      break;
    case tap_frame:
      note(tokens, in.number());
      note(taps, in.number());
      break;
    case no_tap_frame:
      note(taps, in.number());
      break;
    case greeting_frame:
    case answer_frame:
    case look_frame:
    case act_frame:
    case step_frame:
    case inspection_frame:
    case last_frame:
      note(tokens, in.number());
      break;
    default:
      break;
  }
  return std::nullopt;
}

}  // namespace coracle::test::lying
