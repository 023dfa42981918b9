#include "sayings.hpp"

#include "pools.hpp"
#include "runtime/remote/delivery_reports.hpp"
#include "runtime/remote/homes.hpp"

#include <algorithm>
#include <iterator>

namespace coracle::fuzzed {

using namespace detail;

namespace {

constexpr std::uint8_t kinds[] = {
    0,
    0,
    message_frame,
    message_frame,
    message_frame,
    message_frame,
    reports_frame,
    reports_frame,
    closed_frame,
    greeting_frame,
    tap_frame,
    tap_frame,
    no_tap_frame,
    answer_frame,
    probe_frame,
    slot_request_frame,
    slot_withdrawal_frame,
    slot_answer_frame,
    mailbox_frame,
    store_state_frame,
    hand_over_frame,
    taken_over_frame,
    refused_request_frame,
    denied_frame,
    look_frame,
    inspection_frame,
    act_frame,
    acted_frame,
    step_frame,
    stepped_frame,
    store_message_frame,
    last_frame,
};

constexpr const char* honest_names[] = {"lab/ann",   "lab/echo", "lab/full", "lab/slow", "lab/tray",
                                        "lab/diary", "lab/ear",  "lab/away", "lab/later"};
constexpr const char* odd_names[] = {"dead-letters", "teams/red", "a//b", "",      "x/",
                                     "evil",         "custodian", "lab",  "lab/**"};
constexpr const char* patterns[] = {"", "", "", ".*", "lab/.*", "[a-z]+", "(a*)*b", "(?i)x|", "["};

std::string content_of_size(Choices& choose) {
  static constexpr std::size_t sizes[] = {0, 1, 5, 17, 100, 1000, 4096, 5000, 20000};
  const std::size_t size = choose.in(240) ? sizes[choose.below(5)] : choose.of(sizes);
  return std::string(size, static_cast<char>('a' + choose.below(26)));
}

}  // namespace

std::span<const std::uint8_t> frame_kinds() { return kinds; }

// ── from the pools ──────────────────────────────────────────────────────────────────────────────

std::string Sayings::name(Choices& choose) {
  const std::uint8_t which = choose.byte();
  if (which < 110) return choose.of(honest_names);
  if (which < 190) return self_ + static_cast<char>('a' + which % 4);
  if (which < 205) return std::string("evil/") + static_cast<char>('1' + which % 2) + "/a";
  if (which < 225) return "never/" + std::to_string(choose.byte());
  if (which < 248) return "dead-letters";
  return choose.of(odd_names);
}

LeaseId Sayings::lease(Choices& choose) {
  const std::uint8_t which = choose.byte();
  if (which < 100) return known_.lease;
  if (which < 220 && !known_.all_leases.empty())
    return known_.all_leases[which % known_.all_leases.size()];
  if (which < 235) return known_.lease + 1;
  return choose.number();
}

LeaseId Sayings::other(Choices& choose) {
  const std::uint8_t which = choose.byte();
  if (which >= 250 || known_.others.empty()) return lease(choose);
  auto found = known_.others.begin();
  std::advance(found, which % known_.others.size());
  return found->first;
}

std::uint64_t Sayings::seen(const Numbers& numbers, Choices& choose) {
  const std::uint8_t which = choose.byte();
  if (which < 180 && !numbers.empty()) return numbers[which % numbers.size()] + (which < 20);
  return choose.number();
}

std::uint64_t Sayings::life_of(const std::string& name, Choices& choose) {
  const std::uint8_t which = choose.byte();
  const auto known = known_.held.find(name);
  if (which < 200 && known != known_.held.end()) return known->second.life + (which < 20);
  return choose.number();
}

// ── parts ───────────────────────────────────────────────────────────────────────────────────────

void Sayings::write_name(Writer& out, const std::string& name, Choices& choose) {
  const std::uint8_t how = choose.byte();
  if (spells_ || how < 40) {
    out.number(passing_name);
    return out.text(name);
  }
  auto& names = said_->names;
  if (how < 52 && !names.empty()) return out.number(first_number + how % names.size());
  if (how == 52) return out.number(first_number + names.size());
  const auto known = std::find_if(names.begin(), names.end(),
                                  [&name](const auto& each) { return each.name == name; });
  if (known != names.end())
    return out.number(first_number + static_cast<std::uint64_t>(known - names.begin()));
  out.number(new_name);
  out.text(name);
  names.push_back({name});
}

void Sayings::write_life(Writer& out, const std::string& name, Choices& choose) {
  if (choose.in(80)) return out.number(same_life_as_before);
  out.number(first_life + life_of(name, choose));
}

void Sayings::write_mailbox(Writer& out, Choices& choose) {
  const bool is_usual = choose.in(160);
  out.number(is_usual ? 1024 : choose.number() & ~std::uint32_t{0});
  out.number(is_usual ? std::uint64_t{1} << 20 : choose.number());
  out.byte(static_cast<std::uint8_t>(is_usual ? 0 : choose.below(choose.in(250) ? 6 : 8)));
}

void Sayings::write_extras(Writer& out, Choices& choose) {
  out.text(choose.in(140) ? std::string() : name(choose));
  const std::size_t headers = choose.in(200) ? 0 : choose.below(4);
  out.number(headers);
  for (std::size_t left = headers; left != 0; --left) {
    static constexpr const char* keys[] = {"from", "to", "reason", "role", "x"};
    out.text(choose.of(keys));
    out.text(choose.in(128) ? name(choose) : choose.of(texts));
  }
  out.number(choose.in(180) ? 0 : choose.number() & ((std::uint64_t{1} << 60) - 1));  // its time
  for (int trace = 0; trace < 3; ++trace) out.number(0);
  out.number(choose.in(200) ? 0 : choose.number() & ~std::uint32_t{0});  // deliveries
  out.number(choose.in(200) ? 0 : choose.number());                      // gap
  out.number(choose.in(128) ? 0 : seen(known_.taps, choose));
  out.number(choose.in(128) ? 0 : seen(known_.entries, choose));
  const std::uint64_t redirects = choose.in(200) ? 0 : choose.number() & ~std::uint32_t{0};
  out.number(redirects);
  if (redirects != 0) out.text(choose.in(16) ? std::string() : name(choose));  // by whom
}

// Writes the rest of a message, beginning with its bits.
void Sayings::write_rest(Writer& out, Bytes& content, Choices& choose) {
  static constexpr std::uint16_t usual[] = {0,
                                            0,
                                            0,
                                            request_flag,
                                            request_flag,
                                            reply_flag,
                                            reply_flag | failure_flag,
                                            redelivered_flag,
                                            copy_flag,
                                            gap_flag,
                                            copy_flag | gap_flag,
                                            letter_flag};
  const std::uint16_t flags =
      choose.in(230)
          ? choose.of(usual)
          : static_cast<std::uint16_t>((choose.byte() | choose.byte() << 8) & travelling_flags);
  std::uint8_t bits = choose.in(230) ? has_source : 0;
  if (choose.in(100)) bits |= has_fields;
  if (choose.in(100)) bits |= is_tracked;
  if (choose.in(30)) bits |= has_reply_to;
  if (choose.in(16)) bits |= is_forbidden;
  if (choose.in(60)) bits |= has_asking_life;
  const bool is_overheard = (flags & (copy_flag | gap_flag)) != 0;
  if (is_overheard ? choose.in(128) : choose.in(2)) bits |= has_note;
  out.byte(bits);
  if ((bits & has_source) != 0) write_name(out, name(choose), choose);
  if ((bits & has_reply_to) != 0) write_name(out, name(choose), choose);
  out.number(choose.in(254) ? flags : flags | 1u << 13);
  out.number(choose.in(220) ? 1 : choose.number());
  out.number(choose.in(60) ? 0 : seen(known_.conversations, choose));
  const std::uint8_t type = choose.byte();
  if (type < 160) out.byte(text_content);
  else if (type < 200) out.byte(bytes_content);
  else if (type < 220) out.byte(named_content), out.text(choose.of(texts));
  else out.byte(type < 254 ? std::uint8_t{no_content} : type);
  const std::string text = type >= 220 ? std::string() : content_of_size(choose);
  const auto said = std::as_bytes(std::span(text));
  content.assign(said.begin(), said.end());
  if ((bits & has_fields) != 0) write_extras(out, choose);
  if ((bits & has_asking_life) != 0) out.number(choose.number());
  if ((bits & has_note) != 0)
    out.byte(static_cast<std::uint8_t>(choose.in(240) ? 1 + choose.below(15) : choose.byte()));
}

// ── frames ──────────────────────────────────────────────────────────────────────────────────────

void Sayings::write_message(Writer& out, std::uint8_t kind, Bytes& content, Choices& choose) {
  const std::string target = name(choose);
  write_name(out, target, choose);
  out.number(choose.in(220) ? 1 : choose.number());
  write_life(out, target, choose);
  if (kind == store_message_frame) out.number(choose.in(128) ? 1'000'000'000 : choose.number());
  write_rest(out, content, choose);
}

// A message between numbered names.
void Sayings::write_short(Writer& out, Bytes& content, Choices& choose) {
  const std::size_t names = said_->names.size();
  const auto number = [&] {
    return static_cast<std::uint8_t>(
        first_number + choose.below(std::min<std::size_t>(std::max<std::size_t>(names, 1), 100)));
  };
  const std::uint64_t word =
      ShortHead{.target = number(),
                .source = number(),
                .flags = static_cast<std::uint8_t>(choose.byte() & ShortHead::flags_allowed),
                .serial_step = static_cast<std::uint8_t>(choose.in(230) ? 1 : choose.byte() & 0x7f),
                .sequence_step = 1}
          .word();
  for (unsigned at = 0; at < 8; ++at) out.byte(static_cast<std::uint8_t>(word >> 8 * at));
  out.number(choose.in(128) ? 0 : seen(known_.conversations, choose));
  const std::string text = content_of_size(choose);
  const auto said = std::as_bytes(std::span(text));
  content.assign(said.begin(), said.end());
  out.byte(text_content);
}

void Sayings::write_hand_over(Writer& out, Bytes& content, Choices& choose) {
  out.number(choose.number());
  out.number(choose.in(128) ? 1'000'000'000 : choose.number());
  spells_ = choose.in(250);
  write_name(out, name(choose), choose);
  write_rest(out, content, choose);
  spells_ = false;
}

void Sayings::write_reports(Writer& out, Choices& choose) {
  for (std::size_t left = 1 + choose.below(3); left != 0; --left) {
    write_name(out, name(choose), choose);
    out.byte(static_cast<std::uint8_t>(choose.below(last_report + (choose.in(254) ? 1 : 3))));
    out.number(seen(known_.serials, choose));
    out.number(choose.in(200) ? 1 : choose.number() & ~std::uint32_t{0});
  }
}

void Sayings::write_tap(Writer& out, Choices& choose) {
  const std::string eavesdropper = name(choose);
  out.number(seen(known_.tokens, choose));
  out.number(seen(known_.taps, choose));
  out.text(eavesdropper);
  out.number(life_of(eavesdropper, choose));
  write_mailbox(out, choose);
  for (int names = 0; names < 2; ++names) out.text(choose.in(200) ? std::string() : name(choose));
  for (int conditions = 0; conditions < 4; ++conditions)
    out.text(choose.in(180) ? "" : choose.of(patterns));
  const std::size_t components = choose.in(180) ? 0 : choose.below(3);
  out.number(components);
  for (std::size_t left = components; left != 0; --left) {
    out.text(choose.in(160) ? role_component : std::string_view("x"));
    out.text("observe");
  }
  if (!choose.in(128)) return;
  out.number(choose.in(200) ? choose.below(30) : choose.number());
  out.byte(choose.in(250) ? choose.byte() & 1 : choose.byte());
}

// A frame about one name.
void Sayings::write_of_name(Writer& out, std::uint8_t kind, Choices& choose) {
  const std::string about = name(choose);
  write_name(out, about, choose);
  switch (kind) {
    case closed_frame:
      out.number(life_of(about, choose));
      out.byte(static_cast<std::uint8_t>(choose.below(choose.in(252) ? 5 : 7)));
      return out.text(choose.of(texts));
    case slot_withdrawal_frame:
      return out.number(seen(known_.serials, choose));
    case slot_answer_frame:
      out.number(seen(known_.serials, choose));
      return out.byte(static_cast<std::uint8_t>(choose.below(choose.in(252) ? 4 : 6)));
    case mailbox_frame:
      return write_mailbox(out, choose);
    default:  // a probe
      out.number(choose.number());
      write_name(out, name(choose), choose);
      out.number(choose.in(220) ? choose.below(1025) : choose.number());
      return out.text(choose.in(200) ? "lab/ann" : content_of_size(choose));
  }
}

// A frame that begins with a token, or has nothing but a byte.
void Sayings::write_of_token(Writer& out, std::uint8_t kind, Choices& choose) {
  const auto keeps = [&] {
    return static_cast<std::uint8_t>(choose.below(choose.in(250) ? 3 : 9));
  };
  if (kind == store_state_frame) return out.byte(keeps());
  if (kind == taken_over_frame) {
    out.number(choose.number());
    return out.byte(keeps());
  }
  out.number(seen(kind == no_tap_frame ? known_.taps : known_.tokens, choose));
  switch (kind) {
    case greeting_frame:
    case answer_frame:
      if (choose.in(220)) out.byte(keeps());
      return;
    case look_frame:
      return out.text(name(choose));
    case act_frame:
      out.byte(static_cast<std::uint8_t>(choose.below(choose.in(240) ? 2 : 9)));
      return out.text(name(choose));
    case step_frame:
    case stepped_frame:
      return write_step(out, kind, choose);
    case acted_frame:
      return out.byte(static_cast<std::uint8_t>(choose.below(choose.in(240) ? 4 : 9)));
    case last_frame:
      out.byte(static_cast<std::uint8_t>(choose.below(choose.in(250) ? 4 : 6)));
      out.text(choose.in(200) ? "teams/red" : name(choose));
      out.text(name(choose));
      return out.number(choose.in(240) ? 1 + choose.below(100) : choose.number());
    case inspection_frame:
      return write_inspection(out, choose);
    default:
      return;
  }
}

Frame Sayings::frame_by_itself(std::uint8_t kind, LeaseId to, Choices& choose) {
  spells_ = choose.in(240);
  Frame made = frame(kind, to, choose);
  spells_ = false;
  return made;
}

Frame Sayings::frame(std::uint8_t kind, LeaseId to, Choices& choose) {
  Frame made;
  Writer out(made.head);
  said_ = &known_.told[to];
  if (kind == 0) {
    write_short(out, made.content, choose);
    return made;
  }
  out.byte(kind);
  switch (kind) {
    case message_frame:
    case slot_request_frame:
    case store_message_frame:
      write_message(out, kind, made.content, choose);
      break;
    case hand_over_frame:
      write_hand_over(out, made.content, choose);
      break;
    case reports_frame:
      write_reports(out, choose);
      break;
    case tap_frame:
      write_tap(out, choose);
      break;
    case closed_frame:
    case slot_withdrawal_frame:
    case slot_answer_frame:
    case mailbox_frame:
    case probe_frame:
      write_of_name(out, kind, choose);
      break;
    default:
      write_of_token(out, kind, choose);
  }
  return made;
}

Frame Sayings::repeated(Choices& choose) {
  if (known_.frames.empty()) return frame(message_frame, 0, choose);
  Frame again = choose.of(known_.frames);
  const std::size_t changes = choose.in(160) ? 0 : 1 + choose.below(3);
  for (std::size_t left = changes; left != 0 && !again.head.empty(); --left)
    again.head[choose.below(again.head.size())] = static_cast<std::byte>(choose.byte());
  return again;
}

}  // namespace coracle::fuzzed
