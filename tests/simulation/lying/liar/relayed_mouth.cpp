#include "mouth.hpp"
#include "realizations/central/src/relay_frames.hpp"

namespace coracle::test::lying {

using namespace central;

void RelayedMouth::say(LeaseId to, const Frame& frame) {
  const std::uint64_t size = frame.head.size() + frame.content.size();
  if (unread_[to] >= relay_window || size > largest_relayed_piece) return;
  unread_[to] += size;
  Bytes head;
  begin_relayed(head, Relayed::piece, {known_.lease, to});
  head.insert(head.end(), frame.head.begin(), frame.head.end());
  (void)service_.send(head, society::content_of(frame.content));
}

void RelayedMouth::note_read(LeaseId from, std::uint64_t bytes) {
  std::uint64_t& read = read_[from] += bytes;
  if (read < relay_window / 2) return;
  Bytes head;
  begin_relayed(head, Relayed::read, {known_.lease, from}).number(std::exchange(read, 0));
  (void)service_.send(head);
}

void RelayedMouth::on_arrived(const net::Arrived& message) {
  const RelayedHead head = read_relayed_head(message.header);
  if (!head.ok || head.leases.to != known_.lease) return;
  const LeaseId from = head.leases.from;
  const ByteSpan rest = message.header.subspan(head.size);
  society::FrameReader in(rest);
  switch (head.kind) {
    case Relayed::piece:
      note_read(from, rest.size() + message.content.size());
      if (!rest.empty() && rest.front() < society::first_piece)
        hearing_.on_frame(from, rest, message.content);
      return;
    case Relayed::frames: {
      note_read(from, message.content.size());
      for (society::FrameBatch each(message.content); each.next();)
        hearing_.on_frame(from, each.head(), each.content());
      return;
    }
    case Relayed::read:
      unread_[from] -= std::min(unread_[from], in.number());
      return;
    case Relayed::how_much: {
      Bytes answer;
      begin_relayed(answer, Relayed::read, {known_.lease, from})
          .number(std::exchange(read_[from], 0));
      (void)service_.send(answer);
      return;
    }
    case Relayed::refused:
      return hearing_.on_refused(from);
  }
}

std::string RelayedMouth::lie_in_head(Draws& draw) {
  Bytes head;
  const std::uint64_t what = draw.below(16);
  const Leases leases{draw.chance(70) ? known_.lease : draw.lease(),
                      draw.chance(60) ? draw.other() : draw.lease()};
  std::string said = " from " + std::to_string(leases.from) + " to " + std::to_string(leases.to);
  if (what < 8) {  // this amount was read, or not
    begin_relayed(head, Relayed::read, leases).number(draw.chance(70) ? 0 : draw.count());
    said = "read" + said;
  } else if (what < 11) {
    begin_relayed(head, Relayed::how_much, leases);
    said = "how much" + said;
  } else if (what < 12) {
    begin_relayed(head, Relayed::refused, leases).text(draw.text());
    said = "refused" + said;
  } else if (what < 14) {
    begin_relayed(head, Relayed::piece, leases);
    if (!known_.frames.empty()) {
      const Bytes& other = known_.frames[draw.below(known_.frames.size())].head;
      head.insert(head.end(), other.begin(), other.end());
    }
    said = "a frame that was heard," + said;
  } else {
    auto out = begin_fetch(head, draw.chance(80) ? Fetch::ask : Fetch::given,
                           draw.chance(80) ? known_.lease : draw.lease());
    out.byte(static_cast<std::uint8_t>(draw.below(3)));
    out.number(1 + draw.below(5000));
    said = "fetch";
  }
  (void)service_.send(head);
  return said;
}

}  // namespace coracle::test::lying
