// The sending of a hostile member.
#include "member_life.hpp"
#include "realizations/net/src/society/frames/frame_batch.hpp"

#include <algorithm>

namespace coracle::fuzzed {

using namespace society;

bool Member::Life::say(LeaseId to, const Frame& frame, bool is_kept) {
  if (frame.head.empty()) return false;
  if (is_kept) known.keep(frame.head, frame.content);
  return channel->say({known.lease, to}, frame.head, frame.content, false);
}

unsigned Member::Life::say_frame(Choices& choose) {
  const std::uint8_t kind = choose.of(frame_kinds());
  const LeaseId to = sayings.other(choose);
  return say(to, sayings.frame(kind, to, choose)) ? 1 : 0;
}

unsigned Member::Life::send_batch(Choices& choose) {
  const LeaseId to = sayings.other(choose);
  Bytes all;
  const auto count = static_cast<unsigned>(2 + choose.below(5));
  for (unsigned left = count; left != 0; --left) {
    const Frame frame = choose.in(230) ? sayings.frame(choose.of(frame_kinds()), to, choose)
                                       : sayings.repeated(choose);
    if (!frame.head.empty()) append_to_batch(all, frame.head, frame.content);
  }
  if (choose.in(2) && !all.empty()) all.pop_back();
  return channel->say({known.lease, to}, {}, all, true) ? count : 0;
}

// The first piece contains the whole head, which may be correct or not.
unsigned Member::Life::say_pieces(Choices& choose) {
  const LeaseId to = sayings.other(choose);
  const Frame frame = sayings.frame_by_itself(choose.of(frame_kinds()), to, choose);
  const std::size_t more = choose.in(128) ? 0 : choose.below(3000);
  Bytes all = frame.head;
  all.insert(all.end(), frame.content.begin(), frame.content.end());
  all.resize(all.size() + more);
  const std::size_t first = choose.in(250) ? std::max<std::size_t>(1, frame.head.size())
                                           : choose.below(frame.head.size() + 1);
  const std::size_t at = choose.in(250) ? choose.below(piece_places) : choose.below(256);
  Bytes piece = {first_piece, static_cast<std::byte>(at)};
  FrameWriter out(piece);
  out.number(frame.head.size() + (choose.in(2) ? 1 : 0));
  out.number(choose.in(250) ? all.size() : choose.number());
  const auto begin = all.begin(), cut = begin + static_cast<std::ptrdiff_t>(first);
  piece.insert(piece.end(), begin, cut);
  if (!channel->say({known.lease, to}, piece, {}, false)) return 0;
  piece.assign({next_piece, static_cast<std::byte>(at)});
  piece.insert(piece.end(), cut, all.end());
  if (choose.in(12)) return 1;  // the rest does not come
  return channel->say({known.lease, to}, piece, {}, false) ? 2 : 1;
}

unsigned Member::Life::say_request(Choices& choose) {
  static constexpr Request kinds[] = {
      Request::attach,          Request::open_lease,   Request::open_lease,
      Request::renew,           Request::renew,        Request::close_lease,
      Request::claim,           Request::claim,        Request::claim,
      Request::report_refusals, Request::take_over,    Request::take_over,
      Request::leave,           Request::leave,        Request::describe,
      Request::describe,        Request::join,         Request::join,
      Request::leave_group,     Request::leave_group,  Request::seen,
      Request::census,          Request::catch_up,     Request::moved,
      Request::may_speak,       Request::may_overhear, Request::may_look,
      Request::audit,           Request::may_operate,  Request::follow_all,
      Request::all_followed,
  };
  const Request kind = choose.of(kinds);
  const std::uint64_t number =
      kind == Request::open_lease && choose.in(200) ? ++last_opening : ++requests;
  const bool is_said = ask(sayings.request(kind, number, choose));
  // After these requests, it has no lease, and nothing else to send.
  if (kind == Request::attach || kind == Request::moved) open_lease();
  return is_said ? 1 : 0;
}

unsigned Member::Life::say_odd(Choices& choose) {
  const Leases leases{choose.in(200) ? known.lease : sayings.lease(choose), sayings.other(choose)};
  if (choose.in(64)) {
    const Frame frame = sayings.frame(choose.of(frame_kinds()), leases.to, choose);
    if (frame.head.empty()) return 0;
    return channel->say(leases, frame.head, frame.content, false) ? 1 : 0;
  }
  const unsigned which = choose.byte();
  return channel->say_odd(leases, which, choose.number()) ? 1 : 0;
}

unsigned Member::Life::say_nonsense(Choices& choose) {
  Frame frame;
  for (std::size_t left = choose.below(40); left != 0; --left)
    frame.head.push_back(static_cast<std::byte>(choose.byte()));
  if (choose.in(128)) return ask(frame.head.empty() ? Bytes{std::byte{0x1f}} : frame.head) ? 1 : 0;
  return say(sayings.other(choose), frame) ? 1 : 0;
}

unsigned Member::Life::misbehave(Choices& choose) {
  switch (choose.below(4)) {
    case 0:
      service->session().close(net::Reason::idle, "a whim");
      break;
    case 1:
      service->leave();
      is_lost = true;
      break;
    case 2:
      open_lease();
      return 1;
    default:
      is_lost = true;  // it restarts
      break;
  }
  service->flush();
  return 0;
}

}  // namespace coracle::fuzzed
