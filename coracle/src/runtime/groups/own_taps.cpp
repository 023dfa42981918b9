#include "own_taps.hpp"

#include "coracle/support/error_texts.hpp"
#include "coracle/support/mutations.hpp"
#include "pattern_fields.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"
#include "runtime/store/store_state.hpp"

namespace coracle::detail {

namespace {

// The most greetings of one lease; a node sends them when it begins, and not again.
constexpr unsigned most_greetings = 4;

}  // namespace

std::vector<OwnTaps::OwnTap> OwnTaps::all() {
  const std::lock_guard lock(mutex_);
  return taps_;
}

Task<Result<void>> OwnTaps::add(Worker& at, std::uint64_t id, const Mailbox& eavesdropper,
                                const Pattern& pattern, TapOptions options) {
  const OwnTap tap{
      id,     eavesdropper.name, eavesdropper.incarnation, eavesdropper.extension->mailbox, pattern,
      options};
  {
    const std::lock_guard lock(mutex_);
    if (taps_.size() >= most && !mutated(Mutation::own_taps_uncounted)) {
      co_return Error(Errc::limit_reached, "this node's agents overhear by " +
                                               std::to_string(most) +
                                               " patterns already; drop one first");
    }
    taps_.push_back(tap);
  }
  if (mutated(Mutation::tap_not_told)) co_return Result<void>();
  if (!is_for_role(pattern)) {
    Task<Result<void>> permitting =
        node_.directory().may_overhear(node_.lease().id(), eavesdropper.name);
    const Result<void> permitted = co_await permitting;
    if (!permitted && permitted.error().errc() == Errc::not_permitted) {
      co_return may_not_overhear(eavesdropper.name);
    }
  }
  Task<> asking = send_to_all(at, tap);
  co_await asking;
  co_return Result<void>();
}

Task<> OwnTaps::add_again(Worker& at) {
  // All requests are sent at once, so that slow nodes are waited for only once.
  const Signal done;
  {
    const std::shared_ptr<void> last(nullptr, [done](void*) { done.set(); });
    for (const OwnTap& tap : all()) {
      run_detached(at,
                   [](OwnTaps& self, Worker& here, OwnTap one, std::shared_ptr<void>) -> Task<> {
                     Task<> asking = self.send_to_all(here, std::move(one));
                     co_await asking;
                   }(*this, at, tap, last));
    }
  }
  (void)co_await done.wait();
}

// A node that replies late may have sent messages before it knew the tap.
Task<> OwnTaps::send_to_all(Worker& at, OwnTap tap) {
  const RequestsToAll::Ask ask = [this, tap](LeaseId to, std::uint64_t token) {
    send(to, tap, token);
  };
  Task<> asking = requests_.send(at, ask, [this, tap] { miss_copies(tap); });
  co_await asking;
}

// The request goes behind all copies: those on their way still come.
Task<> OwnTaps::drop(std::uint64_t id) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(taps_, [id](const OwnTap& tap) { return tap.id == id; });
  }
  const std::vector<LeaseId> leases = co_await node_.directory().leases();
  for (const LeaseId lease : leases) {
    if (lease != node_.lease().id()) send_drop(lease, id);
  }
}

void OwnTaps::send(LeaseId to, const OwnTap& tap, std::uint64_t token) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(tap_frame);
  out.number(token);
  out.number(tap.id);
  out.text(tap.eavesdropper.view());
  out.number(std::uint64_t{tap.life.epoch} << 32 | tap.life.counter);
  write_mailbox(out, tap.mailbox);
  write_pattern(out, tap.pattern);
  write_tap_options(out, tap.options);
  peers_.send(to, frame);
}

void OwnTaps::send_drop(LeaseId to, std::uint64_t id) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(no_tap_frame);
  out.number(id);
  peers_.send(to, frame);
}

void OwnTaps::send_all(LeaseId to) {
  for (const OwnTap& tap : all()) send(to, tap, 0);
}

bool OwnTaps::read_greeting(Peer& from, FrameReader& in) {
  const std::uint64_t token = in.number();
  if (!in.ok()) return false;
  if (!in.at_end()) store_.note(from.lease, in.byte());
  const bool is_denied = from.has_no_room();
  const bool is_too_much =
      !is_denied && from.greetings++ >= most_greetings && !mutated(Mutation::greetings_uncounted);
  if (is_too_much) peers_.on_excess(from.lease);
  if (!is_denied && !is_too_much) send_all(from.lease);
  requests_.reply(from.lease, is_denied || is_too_much ? denied_frame : answer_frame, token);
  return true;
}

void OwnTaps::miss_copies() {
  for (const OwnTap& tap : all()) miss_copies(tap);
}

void OwnTaps::miss_copies(const OwnTap& tap) {
  Mailbox* const eavesdropper = node_.mailboxes().find(tap.eavesdropper.view());
  if (eavesdropper == nullptr || is_for_role(tap.pattern)) return;
  at_home(*eavesdropper, [id = tap.id](Worker& home, Mailbox& there) {
    if ((there.mode_now() & elsewhere) == 0) home.overhearing.report_unknown_gap(there, id);
  });
}

}  // namespace coracle::detail
