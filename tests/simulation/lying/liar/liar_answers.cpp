// The replies of a liar to frames from others.
#include "coracle/support/core_frames.hpp"
#include "liar_impl.hpp"
#include "runtime/remote/delivery_reports.hpp"

#include <algorithm>

namespace coracle::test::lying {

namespace {

// The numbers of received frames begin here, after the numbers of its own actions.
constexpr std::uint64_t first_heard = 1 << 20;

std::string shown(const Frame& frame) {
  std::string text;
  for (const std::byte each : frame.head) {
    const auto value = std::to_integer<unsigned>(each);
    const bool is_plain = value >= 'a' && value <= 'z';
    if (is_plain) text += static_cast<char>(value);
    else text += "." + std::to_string(value);
  }
  const std::string content(reinterpret_cast<const char*>(frame.content.data()),
                            std::min<std::size_t>(frame.content.size(), 20));
  return text + (content.starts_with("lie ") ? " " + content : std::string());
}

}  // namespace

// ── replies to others ───────────────────────────────────────────────────────────────────────────

void Liar::Impl::say(LeaseId to, const Frame& frame, const std::string& what) {
  if (known.lease == 0 || to == 0) return;
  if (settings.note) note("to " + std::to_string(to) + ": " + what + " [" + shown(frame) + "]");
  known.keep(frame.head, frame.content);
  mouth->say(to, frame);
}

void Liar::Impl::on_frame(LeaseId from, ByteSpan head, ByteSpan content) {
  if (head.empty() || is_stopped) return;
  random.begin(first_heard + heard++);
  if (settings.heard)
    settings.heard({reinterpret_cast<const char*>(content.data()), content.size()});
  const auto message = known.on_frame(from, head, content);
  if (!draw.chance(temper.answers) || program.clock().now() < silent_until) return;
  FrameReader in(head);
  const std::uint8_t kind = in.byte();
  if (message) return answer_message(from, kind, *message);
  const bool asks = kind == coracle::detail::greeting_frame || kind == coracle::detail::tap_frame ||
                    kind == coracle::detail::look_frame || kind == coracle::detail::last_frame ||
                    kind == coracle::detail::refused_request_frame;
  if (asks) answer_question(from, kind, in.number());
}

void Liar::Impl::answer_question(LeaseId from, std::uint8_t kind, std::uint64_t token) {
  if (draw.chance(temper.lies_back)) {
    const bool keeps_not = temper.is_left_out(Known::message_store);
    const auto keeps = static_cast<std::uint8_t>(keeps_not ? 0 : draw.below(3));
    const std::uint8_t answers[] = {coracle::detail::answer_frame, coracle::detail::denied_frame,
                                    coracle::detail::refused_request_frame};
    const std::uint8_t answer = answers[draw.below(3)];
    return say(
        from,
        CoreFrames::token(answer, token, answer == coracle::detail::answer_frame ? keeps : 255),
        "answers a question with " + std::to_string(answer) + " keeps " + std::to_string(keeps));
  }
  if (kind == coracle::detail::look_frame)
    return say(from, frames.inspected(token), "is looked at");
  say(from, CoreFrames::token(coracle::detail::answer_frame, token), "answers");
}

void Liar::Impl::answer_message(LeaseId from, std::uint8_t kind, const HeardMessage& message) {
  using namespace coracle::detail;
  const bool lies = draw.chance(temper.lies_back);
  if (kind == slot_request_frame) {
    const auto answer =
        static_cast<std::uint8_t>(lies ? draw.below(4) : std::uint64_t{slot_reserved});
    return say(from, frames.slot_answer(from, message.target, message.serial, answer),
               "answers a slot request with " + std::to_string(answer));
  }
  if (kind == hand_over_frame)
    return say(from, CoreFrames::taken_over(message.serial, keeps_stored), "takes over");
  // The liar replies to overheard requests in place of their target.
  if (lies && message.flags == copy_flag && message.conversation != 0)
    say(from,
        frames.message(from, message.source, message.target, draw.text(), reply_flag,
                       message.conversation),
        "answers what '" + message.source + "' has asked somebody else");
  if ((message.flags & (copy_flag | gap_flag | letter_flag)) != 0) return;
  const auto report =
      static_cast<std::uint8_t>(kind == store_message_frame ? kept_report
                                : lies                      ? draw.below(last_report + 1)
                                       : static_cast<std::uint64_t>(ReportKind::consumed));
  say(from, frames.report(from, message.target, report, message.serial),
      "marks " + std::to_string(message.serial) + " to '" + message.target + "' as " +
          std::to_string(report));
  if ((message.flags & request_flag) != 0 && !message.source.empty())
    say(from,
        frames.message(from, message.source, message.target, draw.text(), reply_flag,
                       message.conversation),
        "answers '" + message.source + "'");
}

}  // namespace coracle::test::lying
