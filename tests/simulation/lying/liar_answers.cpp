// What a liar answers to what others say to it.
#include "liar_parts.hpp"
#include "runtime/marks.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>

namespace coracle::test::lying {

namespace {

// Where the numbers of what it hears begin, behind those of what it does by itself.
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

// ── what others say to it ───────────────────────────────────────────────────────────────────────

void Liar::Parts::say(LeaseId to, const Frame& frame, const std::string& what) {
  if (known.lease == 0 || to == 0) return;
  if (settings.note) note("to " + std::to_string(to) + ": " + what + " [" + shown(frame) + "]");
  known.keep(frame.head, frame.content);
  mouth->say(to, frame);
}

void Liar::Parts::on_frame(LeaseId from, ByteSpan head, ByteSpan content) {
  if (head.empty() || is_stopped) return;
  random.begin(first_heard + heard++);
  if (settings.heard)
    settings.heard({reinterpret_cast<const char*>(content.data()), content.size()});
  const auto message = known.on_frame(from, head, content);
  if (!draw.chance(temper.answers) || program.clock().now() < silent_until) return;
  FrameReader in(head);
  const std::uint8_t kind = in.byte();
  if (message) return answer_message(from, kind, *message);
  const bool asks = kind == coracle::detail::hello_frame || kind == coracle::detail::ear_frame ||
                    kind == coracle::detail::peek_frame ||
                    kind == coracle::detail::last_frame ||
                    kind == coracle::detail::refused_question_frame;
  if (asks) answer_question(from, kind, in.number());
}

void Liar::Parts::answer_question(LeaseId from, std::uint8_t kind, std::uint64_t token) {
  if (draw.chance(temper.lies_back)) {
    const bool keeps_not = temper.is_left_out(Known::custodian);
    const auto keeps = static_cast<std::uint8_t>(keeps_not ? 0 : draw.below(3));
    const std::uint8_t answers[] = {coracle::detail::answer_frame, coracle::detail::denied_frame,
                                    coracle::detail::refused_question_frame};
    const std::uint8_t answer = answers[draw.below(3)];
    return say(
        from,
        CoreFrames::token(answer, token, answer == coracle::detail::answer_frame ? keeps : 255),
        "answers a question with " + std::to_string(answer) + " keeps " + std::to_string(keeps));
  }
  if (kind == coracle::detail::peek_frame) return say(from, frames.peeked(token), "is looked at");
  say(from, CoreFrames::token(coracle::detail::answer_frame, token), "answers");
}

void Liar::Parts::answer_message(LeaseId from, std::uint8_t kind, const HeardMessage& message) {
  using namespace coracle::detail;
  const bool lies = draw.chance(temper.lies_back);
  if (kind == knock_frame) {
    const auto answer = static_cast<std::uint8_t>(lies ? draw.below(4) : std::uint64_t{place_kept});
    return say(from, frames.knock_answer(from, message.target, message.serial, answer),
               "answers a knock with " + std::to_string(answer));
  }
  if (kind == hand_over_frame)
    return say(from, CoreFrames::taken_over(message.serial, keeps_stored), "takes over");
  // It answers in another's place what it overhears.
  if (lies && message.flags == copy_flag && message.conversation != 0)
    say(from,
        frames.message(from, message.source, message.target, draw.text(), reply_flag,
                       message.conversation),
        "answers what '" + message.source + "' has asked somebody else");
  if ((message.flags & (copy_flag | gap_flag | letter_flag)) != 0) return;
  const auto mark = static_cast<std::uint8_t>(kind == entrust_frame ? kept_mark
                                              : lies                ? draw.below(last_mark + 1)
                                                     : static_cast<std::uint64_t>(Mark::consumed));
  say(from, frames.mark(from, message.target, mark, message.serial),
      "marks " + std::to_string(message.serial) + " to '" + message.target + "' as " +
          std::to_string(mark));
  if ((message.flags & request_flag) != 0 && !message.source.empty())
    say(from,
        frames.message(from, message.source, message.target, draw.text(), reply_flag,
                       message.conversation),
        "answers '" + message.source + "'");
}

}  // namespace coracle::test::lying
