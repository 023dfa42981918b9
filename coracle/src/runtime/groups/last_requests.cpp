#include "last_requests.hpp"

#include "coracle/support/mutations.hpp"
#include "late_joiners.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

// Counted from the time when the agent begins to join: longer than it waits for slow nodes and for
// the directory.
constexpr Duration joining_patience = std::chrono::seconds(30);

}  // namespace

void LastRequests::send_one(LeaseId to, std::uint64_t token, LastAsked when, const Name& group,
                            const Name& member, std::size_t count) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(last_frame);
  out.number(token);
  out.byte(when);
  out.text(group.view());
  out.text(member.view());
  out.number(count);
  peers_.send(to, frame);
}

Task<> LastRequests::send(Worker& at, LastAsked when, Name group, Name member, std::size_t count) {
  const RequestsToAll::Ask ask = [&](LeaseId to, std::uint64_t token) {
    send_one(to, token, when, group, member, count);
  };
  Task<> asking = requests_.send(at, ask);
  co_await asking;
}

// Does not wait for replies.
Task<> LastRequests::cancel(Name group, Name member) {
  const std::vector<LeaseId> leases = co_await node_.directory().leases();
  for (const LeaseId lease : leases) {
    if (lease != node_.lease().id()) send_one(lease, 0, not_joining, group, member, 1);
  }
}

// The directory decides which lease holds the member's name, and whether the member is in the
// group.
bool LastRequests::read(Peer& from, FrameReader& in) {
  LateJoiner joiner;
  joiner.token = in.number();
  const std::uint8_t when = in.byte();
  const Result<Name> group = Name::parse(in.text());
  const Result<Name> member = Name::parse(in.text());
  const std::uint64_t count = in.number_up_to(Last::most);
  if (!in.ok() || !in.at_end() || !group || !member || count == 0) return false;
  if (when < before_joining || when > not_joining) return false;
  LateJoiners& late = node_.late_joiners();
  const LateJoiners::Asker asker{from.lease, *member};
  if (when == not_joining) {
    late.forget(*group, asker);
    if (joiner.token != 0) requests_.reply(from.lease, answer_frame, joiner.token);
    return true;
  }
  // An honest node may exceed this limit when replies come late.
  if (!late.begin_judging(from.lease)) {
    if (when == when_joined) late.forget(*group, asker);
    return requests_.reply(from.lease, denied_frame, joiner.token), true;
  }
  joiner.group = *group;
  joiner.member = *member;
  joiner.own_lease = peers_.self();
  if (when == before_joining)
    late.expect(*group, asker, count, false, Worker::current()->now() + joining_patience);
  Task<> judging = when == before_joining ? expect(from.lease, joiner) : give(from.lease, joiner);
  run_detached(*Worker::current(), std::move(judging));
  return true;
}

// News of the member's name may come later than the request.
Task<> LastRequests::expect(LeaseId from, LateJoiner joiner) {
  Directory& directory = node_.directory();
  auto holder = co_await directory.look_up(joiner.member);
  if (!holder || holder->lease != from) {
    co_await directory.catch_up();
    holder = co_await directory.look_up(joiner.member);
  }
  LateJoiners& late = node_.late_joiners();
  late.end_judging(from);
  if (joiner.own_lease != peers_.self()) co_return;
  const bool is_its_own = holder && holder->lease == from;
  // From now on, this node knows how much the member's mailbox takes.
  Mailbox* const mailbox =
      is_its_own && late.is_kept(joiner.group)
          ? sources_.record_of(*Worker::current(), peers_.of(from), joiner.member)
          : nullptr;
  if (mailbox != nullptr) store_server_.on_holder(*mailbox, holder_of(*holder));
  const LateJoiners::Asker asker{from, joiner.member};
  if (mutated(Mutation::any_joiner) || is_its_own) late.prove(joiner.group, asker);
  else late.forget(joiner.group, asker);
  requests_.reply(from, answer_frame, joiner.token);
}

namespace {

// A member that has just joined is one of the last, so the search begins there. A list that has not
// changed is searched once.
Task<bool> is_member(Directory& directory, Name group, Name member) {
  const auto members = co_await directory.members(group);
  if (std::find(members->rbegin(), members->rend(), member) != members->rend()) co_return true;
  co_await directory.catch_up();
  const auto later = co_await directory.members(group);
  if (later == members) co_return false;
  co_return std::find(later->rbegin(), later->rend(), member) != later->rend();
}

}  // namespace

Task<> LastRequests::give(LeaseId from, LateJoiner joiner) {
  LateJoiners& late = node_.late_joiners();
  const LateJoiners::Asker asker{from, joiner.member};
  bool is_one = late.is_expected(joiner.group, asker, Worker::current()->now());
  if (is_one) {
    Task<bool> looking = is_member(node_.directory(), joiner.group, joiner.member);
    is_one = co_await looking;
  }
  late.end_judging(from);
  if (joiner.own_lease != peers_.self()) co_return;
  if (!is_one) late.forget(joiner.group, asker);
  // The reply goes behind all that was given, also by way of other workers.
  const std::function<void()> answer = [this, from, token = joiner.token] {
    pass_through_all(node_, 0, [this, from, token] { requests_.reply(from, answer_frame, token); });
  };
  have_given(node_, joiner.group, asker, answer);
}

}  // namespace coracle::detail
