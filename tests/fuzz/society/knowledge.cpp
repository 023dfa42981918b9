#include "knowledge.hpp"

#include "coracle/support/core_frames.hpp"

#include <utility>

namespace coracle::fuzzed {

using namespace detail;

void Knowledge::on_lease(const society::NodeInfo& info) {
  all_leases.push_back(info.lease);
  if (info.lease != lease) others[info.lease] = info;
}

void Knowledge::on_event(const DirectoryEvent& event, const std::optional<Entry>& entry) {
  using Kind = DirectoryEvent::Kind;
  const std::string name(event.name.view());
  if (entry) held[name] = {entry->lease, number_of_life(entry->incarnation)};
  if (event.kind == Kind::ended && held.contains(name)) held[name].lease = 0;
  if (event.kind == Kind::lease_ended) others.erase(event.lease);
}

void Knowledge::lose_lease() {
  lease = 0;
  told.clear();
  heard.clear();
}

void Knowledge::keep(ByteSpan head, ByteSpan content) {
  constexpr std::size_t largest = 2048;
  if (head.size() + content.size() > largest) return;
  Frame frame{{head.begin(), head.end()}, {content.begin(), content.end()}};
  if (frames.size() < most_frames) frames.push_back(std::move(frame));
  else frames[next_frame_++ % most_frames] = std::move(frame);
}

Knowledge::Said::One* Knowledge::hear_name(society::FrameReader& in, Said& said,
                                           Said::One& passing) {
  const std::uint64_t number = in.number();
  if (!in.ok()) return nullptr;
  if (number >= first_number) {
    const std::uint64_t at = number - first_number;
    return at < said.names.size() ? &said.names[static_cast<std::size_t>(at)] : nullptr;
  }
  std::string name(in.text());
  if (number == new_name) return &said.names.emplace_back(Said::One{std::move(name)});
  passing.name = std::move(name);
  return &passing;
}

void Knowledge::on_message(society::FrameReader& in, std::uint8_t kind, Said& said) {
  Said::One passing, another;
  Said::One* const target = hear_name(in, said, passing);
  if (target == nullptr) return;
  serials.note(kind == slot_request_frame ? in.number() : target->serial += in.number());
  (void)in.number();  // its incarnation
  if (kind == store_message_frame) (void)in.number();
  const std::uint8_t bits = in.byte();
  if ((bits & has_source) != 0 && hear_name(in, said, another) == nullptr) return;
  if ((bits & has_reply_to) != 0 && hear_name(in, said, another) == nullptr) return;
  (void)in.number();
  (void)in.number();
  const std::uint64_t conversation = in.number();
  if (in.ok()) conversations.note(conversation);
}

void Knowledge::on_frame(LeaseId from, ByteSpan head, ByteSpan content) {
  keep(head, content);
  society::FrameReader in(head);
  Said& said = heard[from];
  if (const auto word = in.next_word(); word && ShortHead::is(*word)) {
    const ShortHead parts = ShortHead::of(*word);
    in.skip(sizeof *word);
    const std::size_t at = parts.target - first_number;
    if (at < said.names.size()) serials.note(said.names[at].serial += parts.serial_step);
    return conversations.note(in.number());
  }
  const std::uint8_t kind = in.byte();
  switch (kind) {
    case message_frame:
    case slot_request_frame:
    case store_message_frame:
      return on_message(in, kind, said);
    case hand_over_frame:
      return serials.note(in.number());
    case greeting_frame:
    case look_frame:
    case act_frame:
    case step_frame:
    case last_frame:
    case refused_request_frame:
      return tokens.note(in.number());
    case tap_frame:
      tokens.note(in.number());
      return taps.note(in.number());
    case reports_frame: {
      Said::One passing;
      while (in.ok() && !in.at_end() && hear_name(in, said, passing) != nullptr) {
        (void)in.byte();
        serials.note(in.number());
        (void)in.number();
      }
      return;
    }
    case closed_frame:
    case slot_withdrawal_frame:
    case slot_answer_frame:
    case mailbox_frame:
    case probe_frame: {
      Said::One passing;
      if (hear_name(in, said, passing) == nullptr || kind != probe_frame) return;
      (void)in.number();
      (void)hear_name(in, said, passing);
      return;
    }
    default:
      return;
  }
}

}  // namespace coracle::fuzzed
