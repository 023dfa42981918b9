#include "core_frames.hpp"

#include "coracle/support/core_frames.hpp"
#include "runtime/remote/delivery_reports.hpp"

#include <algorithm>

namespace coracle::test::lying {

namespace {

using namespace coracle::detail;

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

void CoreFrames::write_known(Writer& out, const std::string& name) {
  auto& told = pair_->told;
  const auto known = std::find(told.begin(), told.end(), name);
  if (known != told.end())
    return out.number(first_number + static_cast<std::uint64_t>(known - told.begin()));
  out.number(new_name);
  out.text(name);
  told.push_back(name);
}

void CoreFrames::write_name(Writer& out, const std::string& name) {
  if (spells_ || draw_.chance(15)) {
    out.number(passing_name);
    return out.text(name);
  }
  if (draw_.chance(3) && !pair_->told.empty())
    return out.number(first_number + draw_.below(pair_->told.size()));  // another one
  if (draw_.chance(temper_.ill_formed))
    return out.number(first_number + pair_->told.size() + draw_.below(3));  // none
  write_known(out, name);
}

void CoreFrames::write_life(Writer& out, const std::string& name) {
  if (draw_.chance(30)) return out.number(same_life_as_before);
  out.number(first_life + number_of_life(draw_.life_of(name)));
}

std::uint16_t CoreFrames::flags() {
  constexpr std::uint16_t usual[] = {0,
                                     0,
                                     request_flag,
                                     reply_flag,
                                     reply_flag | failure_flag,
                                     redelivered_flag,
                                     copy_flag,
                                     gap_flag,
                                     copy_flag | gap_flag,
                                     letter_flag};
  const std::uint64_t drawn =
      draw_.chance(85) ? usual[draw_.below(std::size(usual))] : draw_.below(std::uint64_t{1} << 13);
  const unsigned mask = temper_.is_left_out(Known::gap) ? ~unsigned{gap_flag} : ~0u;
  return static_cast<std::uint16_t>(drawn & travelling_flags & mask);
}

void CoreFrames::write_fields(Writer& out) {
  out.text(draw_.chance(60) ? std::string() : draw_.name());
  const std::uint64_t headers = draw_.below(4);
  out.number(headers);
  for (std::uint64_t left = headers; left != 0; --left) {
    constexpr const char* keys[] = {"from", "to", "reason", "role", "x"};
    out.text(keys[draw_.below(std::size(keys))]);
    out.text(draw_.chance(50) ? draw_.name() : draw_.text());
  }
  out.number(draw_.chance(70) ? 0 : draw_.below(std::uint64_t{1} << draw_.below(61)));  // its time
  for (int trace = 0; trace < 3; ++trace) out.number(draw_.below(3));
  out.number(draw_.chance(80) ? draw_.below(3) : draw_.below(~std::uint32_t{0}));  // deliveries
  out.number(draw_.count());                                                       // its gap
  out.number(draw_.chance(30) ? 0 : draw_.seen(known_.taps));
  out.number(draw_.chance(60) ? 0 : draw_.seen(known_.entries));
  const std::uint64_t redirects =
      draw_.chance(80) ? draw_.below(3) : draw_.below(~std::uint32_t{0});
  out.number(redirects);
  if (redirects != 0) out.text(draw_.chance(15) ? std::string() : draw_.name());  // redirected by
}

void CoreFrames::write_mailbox(Writer& out) {
  out.number(draw_.chance(50) ? 1024 : draw_.below(4));
  out.number(draw_.chance(50) ? std::uint64_t{1} << 20 : draw_.below(std::uint64_t{1} << 40));
  out.byte(static_cast<std::uint8_t>(draw_.below(6)));
}

// Writes the fields behind the target, its place and its incarnation.
void CoreFrames::write_rest(Writer& out, Bytes& content, const std::string& source,
                            std::string& what) {
  std::uint8_t bits = 0;
  if (!source.empty()) bits |= has_source;
  if (draw_.chance(35)) bits |= has_fields;
  if (draw_.chance(20)) bits |= is_tracked;
  const std::string reply_to = draw_.chance(15) ? draw_.name() : std::string();
  if (!reply_to.empty()) bits |= has_reply_to;
  if (draw_.chance(5)) bits |= is_forbidden;
  if (draw_.chance(25)) bits |= has_asking_life;
  const bool is_noted =
      !temper_.complains && draw_.chance(8);  // a notice, or a gap with its reason
  if (is_noted) bits |= has_note | has_fields;
  out.byte(bits);
  if (!source.empty()) write_name(out, source);
  if (!reply_to.empty()) write_name(out, reply_to);
  const std::uint16_t drawn = complains() ? std::uint16_t{letter_flag} : flags();
  const bool is_copy = is_noted && !draw_.chance(temper_.ill_formed) && (drawn & gap_flag) == 0;
  const std::uint16_t says = is_copy ? std::uint16_t{copy_flag} : drawn;
  out.number(says);
  out.number(draw_.chance(80) ? draw_.below(3) : draw_.number_near(1));  // its number at its source
  out.number(draw_.chance(50) ? 0 : draw_.seen(known_.conversations));
  std::string text = draw_.text();
  if (!known_.frames.empty() && draw_.chance(20)) {
    const Bytes& other = known_.frames[draw_.below(known_.frames.size())].content;
    text.assign(reinterpret_cast<const char*>(other.data()), other.size());
  }
  const std::uint64_t type = draw_.below(8);
  if (type == 0) {
    out.byte(no_content);
    text.clear();
  } else if (type == 1) {
    out.byte(named_content);
    out.text(draw_.chance(50) ? "a/type" : draw_.text());
  } else {
    out.byte(type == 2 ? bytes_content : text_content);
  }
  if ((bits & has_fields) != 0) write_fields(out);
  if ((bits & has_asking_life) != 0) out.number(draw_.number_near(2));
  if (is_noted) out.byte(static_cast<std::uint8_t>(draw_.below(draw_.chance(95) ? 15 : 17) + 1));
  content = bytes_of(text);
  what += " from '" + source + "' flags " + std::to_string(says) + " bits " + std::to_string(bits);
  if (!reply_to.empty()) what += " reply to '" + reply_to + "'";
}

std::string CoreFrames::write_message(Writer& out, std::uint8_t kind, Bytes& content) {
  const std::string target = draw_.chance(held_targets()) ? draw_.others_name() : mentioned();
  std::string what = " to '" + target + "'";
  spells_ = kind == hand_over_frame;
  if (kind == hand_over_frame) {
    out.number(draw_.number_near(draw_.below(4)));
    out.number(1 + draw_.below(std::uint64_t{1} << draw_.below(60)));
  }
  write_name(out, target);
  if (kind != hand_over_frame) {
    const bool is_step = kind != slot_request_frame;
    out.number(is_step && draw_.chance(80) ? 1 : draw_.number_near(1 + draw_.below(4)));
    write_life(out, target);
  }
  if (kind == store_message_frame) out.number(1 + draw_.below(std::uint64_t{1} << draw_.below(60)));
  std::string source;
  if (!draw_.chance(8)) source = draw_.chance(45) ? draw_.own_name() : draw_.name();
  write_rest(out, content, source, what);
  spells_ = false;
  return what;
}

std::string CoreFrames::write_reports(Writer& out) {
  std::string what;
  for (std::uint64_t left = 1 + draw_.below(3); left != 0; --left) {
    const std::string name = temper_.misreports ? draw_.others_name() : mentioned();
    const auto report = static_cast<std::uint8_t>(
        draw_.chance(temper_.ill_formed) ? last_report + 1 : draw_.below(last_report + 1));
    const std::uint64_t first = temper_.misreports ? draw_.below(8) : draw_.seen(known_.serials);
    const std::uint64_t count = draw_.count() % (std::uint64_t{1} << 32);
    write_name(out, name);
    out.byte(report);
    out.number(first);
    out.number(count);
    what += " '" + name + "' " + std::to_string(report) + " from " + std::to_string(first) + " x" +
            std::to_string(count);
  }
  return what;
}

std::string CoreFrames::write_about_name(Writer& out, std::uint8_t kind) {
  const std::string name = mentioned();
  std::string what = " '" + name + "'";
  write_name(out, name);
  if (kind == closed_frame) {
    out.number(number_of_life(draw_.life_of(name)));
    out.byte(static_cast<std::uint8_t>(draw_.below(5)));
    out.text(draw_.text().substr(0, closed_text_limit));
  } else if (kind == mailbox_frame) {
    write_mailbox(out);
  } else if (kind == probe_frame) {
    const std::string at = mentioned();
    out.number(draw_.chance(50) ? draw_.below(8) : draw_.seen(known_.serials));
    write_name(out, at);
    out.number(draw_.chance(70) ? draw_.below(4) : draw_.below(probe_hops_limit));
    out.text(draw_.text());
    what += " at '" + at + "'";
  } else {
    const std::uint64_t number = draw_.seen(known_.entries);
    out.number(number);
    what += " " + std::to_string(number);
    if (kind == slot_answer_frame) out.byte(static_cast<std::uint8_t>(draw_.below(4)));
  }
  return what;
}

std::string CoreFrames::write_other(Writer& out, std::uint8_t kind) {
  const std::uint64_t number = kind == no_tap_frame        ? draw_.seen(known_.taps)
                               : kind == taken_over_frame  ? draw_.number_near(draw_.below(4))
                               : kind == store_state_frame ? 0
                                                           : draw_.seen(known_.tokens);
  if (kind != store_state_frame) out.number(number);
  std::uint64_t keeps = draw_.chance(98) ? draw_.below(3) : draw_.below(256);
  if (temper_.is_left_out(Known::message_store)) keeps = 0;
  switch (kind) {
    case greeting_frame:
    case answer_frame:
    case store_state_frame:
    case taken_over_frame:
      out.byte(static_cast<std::uint8_t>(keeps));
      break;
    case look_frame:
      out.text(draw_.name());
      break;
    case act_frame:
      out.byte(static_cast<std::uint8_t>(draw_.below(2)));
      out.text(draw_.name());
      break;
    case acted_frame:
      out.byte(static_cast<std::uint8_t>(draw_.below(4)));
      break;
    case step_frame:
      write_step(out);
      break;
    case stepped_frame:
      out.byte(static_cast<std::uint8_t>(draw_.below(5)));
      for (int left = 5; left != 0; --left) out.number(draw_.count());
      out.number(0);
      break;
    case last_frame:
      out.byte(static_cast<std::uint8_t>(1 + draw_.below(3)));
      out.text(draw_.group()), out.text(draw_.name());
      out.number(draw_.chance(80) ? 1 + draw_.below(100) : draw_.count());
      break;
    case inspection_frame: {
      out.number(draw_.count());
      const std::uint64_t told = draw_.below(3);
      out.number(told);
      for (std::uint64_t left = told; left != 0; --left) {
        out.number(flags());
        out.number(draw_.below(4));
        out.text(draw_.name());
        out.number(draw_.count());
        out.text(draw_.text());
      }
      write_inspected(out);
      break;
    }
    default:
      break;
  }
  return " " + std::to_string(number) + " keeps " + std::to_string(keeps);
}

Frame CoreFrames::any(LeaseId to, std::string& what) {
  pair_ = &known_.pair(known_.lease, to);
  Frame frame;
  Writer out(frame.head);
  const auto kind = static_cast<std::uint8_t>(draw_.weighted(temper_.kinds));
  out.byte(kind);
  switch (kind) {
    case message_frame:
    case slot_request_frame:
    case hand_over_frame:
    case store_message_frame:
      what = write_message(out, kind, frame.content);
      break;
    case tap_frame:
      what = write_tap(out);
      break;
    case reports_frame:
      what = write_reports(out);
      break;
    case closed_frame:
    case mailbox_frame:
    case probe_frame:
    case slot_withdrawal_frame:
    case slot_answer_frame:
      what = write_about_name(out, kind);
      break;
    default:
      what = write_other(out, kind);
  }
  if (draw_.chance(temper_.ill_formed) && frame.head.size() > 1) {
    frame.head.resize(1 + draw_.below(frame.head.size()));
    what += ", cut";
  }
  what = "frame " + std::to_string(kind) + what;
  return frame;
}

// Changes one byte of an earlier frame: as a rule, a number becomes one larger or smaller.
Frame CoreFrames::repeated(std::string& what) {
  Frame frame = known_.frames[draw_.below(known_.frames.size())];
  what = "again " + std::to_string(std::to_integer<unsigned>(frame.head.front()));
  const auto kind = std::to_integer<std::uint8_t>(frame.head.front());
  const bool greets = kind == greeting_frame || kind == answer_frame || kind == store_state_frame;
  const bool as_it_is = (greets && temper_.is_left_out(Known::message_store)) ||
                        (kind == tap_frame && temper_.is_left_out(Known::eavesdropper)) ||
                        (kind == message_frame && temper_.is_left_out(Known::gap));
  if (as_it_is && kind != message_frame) return token(answer_frame, 0);
  if (!as_it_is && draw_.chance(60) && frame.head.size() > 1) {
    std::byte& at = frame.head[1 + draw_.below(frame.head.size() - 1)];
    const auto before = std::to_integer<std::uint8_t>(at);
    at = static_cast<std::byte>(draw_.chance(70) ? before + 1 - 2 * draw_.below(2)
                                                 : draw_.below(128));
    what += ", changed";
  }
  return frame;
}

// ── frames of an honest member ──────────────────────────────────────────────────────────────────

Frame CoreFrames::message(LeaseId to, const std::string& target, const std::string& source,
                          const std::string& text, std::uint16_t says, std::uint64_t conversation) {
  pair_ = &known_.pair(known_.lease, to);
  Frame frame;
  Writer out(frame.head);
  out.byte(message_frame);
  write_known(out, target);
  out.number(1);
  const auto held = known_.held.find(target);
  out.number(held == known_.held.end() ? same_life_as_before
                                       : first_life + number_of_life(held->second.life));
  out.byte(has_source);
  write_known(out, source);
  out.number(says);
  out.number(1);
  out.number(conversation);
  out.byte(text_content);
  frame.content = bytes_of(text);
  return frame;
}

Frame CoreFrames::report(LeaseId to, const std::string& target, std::uint8_t report,
                         std::uint64_t serial) {
  pair_ = &known_.pair(known_.lease, to);
  Frame frame;
  Writer out(frame.head);
  out.byte(reports_frame);
  write_known(out, target);
  out.byte(report);
  out.number(serial);
  out.number(1);
  return frame;
}

Frame CoreFrames::token(std::uint8_t kind, std::uint64_t token, std::uint8_t keeps) {
  Frame frame;
  Writer out(frame.head);
  out.byte(kind);
  out.number(token);
  if (keeps != 255) out.byte(keeps);
  return frame;
}

Frame CoreFrames::slot_answer(LeaseId to, const std::string& target, std::uint64_t number,
                              std::uint8_t answer) {
  pair_ = &known_.pair(known_.lease, to);
  Frame frame;
  Writer out(frame.head);
  out.byte(slot_answer_frame);
  write_known(out, target);
  out.number(number);
  out.byte(answer);
  return frame;
}

}  // namespace coracle::test::lying
