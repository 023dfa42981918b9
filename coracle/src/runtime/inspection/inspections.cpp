#include "inspections.hpp"

#include "coracle/support/signal.hpp"
#include "inspecting.hpp"
#include "inspection/inspection_parts.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"

#include <utility>

namespace coracle::detail {

namespace {

constexpr unsigned most_looks = 16;  // by one node in a second
// The time after which a worker of this node counts as silent.
constexpr Duration own_patience = std::chrono::seconds(1);

// The part of this node, which its worker may provide too late.
struct OwnPart {
  Signal done;
  Inspection found;  // written before the signal is set
};

Task<> ask_own(Worker& at, std::shared_ptr<Inspection> all) {
  Mailbox* const mailbox = at.node().mailboxes().find(all->name.view());
  if (mailbox == nullptr) co_return;
  const auto own = std::make_shared<OwnPart>();
  at_home(*mailbox, [own](Worker& home, Mailbox& there) {
    own->found = look_at(home, there);
    own->done.set();
  });
  if (co_await own->done.wait(own_patience)) {
    const bool is_holders = all->lease == at.node().lease().id();
    add_part(*all, std::move(own->found), is_holders);
  }
}

}  // namespace

bool may_look_now(Peer& from, Time now) {
  if (from.has_no_room()) return false;
  if (now - from.looks_since >= std::chrono::seconds(1)) from.looks_since = now, from.looks = 0;
  return from.looks++ < most_looks;
}

Task<> Inspections::ask_others(Worker& at, std::shared_ptr<Inspection> found) {
  const RequestsToAll::Ask ask = [this, name = found->name](LeaseId to, std::uint64_t token) {
    std::vector<std::byte> frame;
    FrameWriter out(frame);
    out.byte(look_frame);
    out.number(token);
    out.text(name.view());
    peers_.send(to, frame);
  };
  Task<> asking = requests_.send(at, ask, nullptr, found);
  co_await asking;
}

bool Inspections::read(Worker& at, Peer& from, FrameReader& in) {
  const std::uint64_t token = in.number();
  const Result<Name> name = Name::parse(in.text());
  if (!in.ok() || !name) return false;
  if (!may_look_now(from, at.now())) return requests_.reply(from.lease, denied_frame, token), true;
  const auto reply = [this, lease = from.lease, token](const Inspection& part) {
    std::vector<std::byte> frame;
    FrameWriter out(frame);
    out.byte(inspection_frame);
    out.number(token);
    write_inspection(out, part);
    peers_.reply(lease, frame);
  };
  // A name without a record has nothing here, and a look does not make a record.
  Mailbox* const mailbox = node_.mailboxes().find(name->view());
  if (mailbox == nullptr) return reply({}), true;
  at_home(*mailbox, [reply](Worker& home, Mailbox& there) { reply(look_at(home, there)); });
  return true;
}

bool Inspections::read_reply(Peer& from, FrameReader& in) {
  const std::uint64_t token = in.number();
  Inspection part = read_inspection(in);
  if (!in.ok()) return false;
  requests_.on_reply(from.lease, token, std::move(part));
  return true;
}

Task<Inspection> inspect_at(Worker& at, Name name) {
  NodeCore& node = at.node();
  const auto all = std::make_shared<Inspection>();
  all->name = name;
  Task<Result<void>> permitting = node.directory().may_look(node.lease().id(), name);
  const Result<void> permitted = co_await permitting;
  const bool is_refused = !permitted && permitted.error().errc() == Errc::not_permitted;
  if (is_refused || (!node.authorize(Action::claim, name, name) &&
                     !node.authorize(Action::inspect, name, name))) {
    all->is_allowed = false;
    co_return std::move(*all);
  }
  Task<std::optional<Entry>> looking = node.directory().look_up(name);
  if (const std::optional<Entry> entry = co_await looking) {
    all->lease = entry->lease;
    all->node = entry->identity;
  }
  Task<> own = ask_own(at, all);
  co_await own;
  if (node.remote() != nullptr) {
    Task<> others = node.remote()->inspections().ask_others(at, all);
    co_await others;
  }
  if (all->lease != 0 && all->activity == Activity::absent) all->activity = Activity::silent;
  co_return std::move(*all);
}

}  // namespace coracle::detail

namespace coracle {

Inspection inspect(Node& node, const Name& name) {
  detail::NodeCore& core = node.core();
  Inspection found;
  core.calls().run_blocking(core.worker(0), [&]() -> Task<> {
    Task<Inspection> inspecting = detail::inspect_at(*detail::Worker::current(), name);
    found = co_await inspecting;
  });
  return found;
}

Task<Inspection> inspect(Agent& agent, Name name) {
  Task<Inspection> inspecting = detail::inspect_at(detail::here(agent), std::move(name));
  co_return co_await inspecting;
}

}  // namespace coracle
