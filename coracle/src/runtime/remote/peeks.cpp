#include "peeks.hpp"

#include "homes.hpp"
#include "patterns/pattern_parts.hpp"
#include "runtime/node/node_core.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

constexpr std::uint64_t most_peeked = 1000;
constexpr std::size_t most_text = 256;
constexpr unsigned most_looks = 16;  // by one node in a second

void write_waiting(FrameWriter& out, const MessageRecord& record) {
  out.number(record.flags & travelling_flags);
  out.number(record.conversation);
  out.text(record.source != nullptr ? record.source->name.view() : std::string_view());
  std::string_view text;
  std::uint64_t size = 0;
  if (record.content != nullptr && !record.content->is_typed()) {
    text = {reinterpret_cast<const char*>(record.content->inline_bytes()), record.content->size};
    size = text.size();
  }
  out.number(size);
  out.text(text.substr(0, most_text));
}

WaitingMessage read_waiting(FrameReader& in) {
  WaitingMessage message;
  message.flags = static_cast<std::uint16_t>(in.number_up_to(travelling_flags));
  message.conversation = in.number();
  message.source = in.text();
  message.size = in.number();
  message.text = in.text();
  return message;
}

// A reply may be large, and takes a pass through all that waits in a mailbox.
bool may_look_now(Peer& from, Time now) {
  if (from.has_no_room()) return false;
  if (now - from.looks_since >= std::chrono::seconds(1)) from.looks_since = now, from.looks = 0;
  return from.looks++ < most_looks;
}

}  // namespace

Task<Peeked> Peeks::peek(Worker& at, Name name) {
  const auto found = std::make_shared<Peeked>();
  Task<Result<void>> permitting = node_.directory().may_look(node_.lease().id(), name);
  const Result<void> permitted = co_await permitting;
  if (!permitted && permitted.error().errc() == Errc::not_permitted) {
    found->is_allowed = false;
    co_return std::move(*found);
  }
  const RequestsToAll::Ask ask = [this, name](LeaseId to, std::uint64_t token) {
    std::vector<std::byte> frame;
    FrameWriter out(frame);
    out.byte(peek_frame);
    out.number(token);
    out.text(name.view());
    peers_.send(to, frame);
  };
  Task<> asking = requests_.send(at, ask, nullptr, found);
  co_await asking;
  co_return std::move(*found);
}

bool Peeks::read(Worker& at, Peer& from, FrameReader& in) {
  const std::uint64_t token = in.number();
  const Result<Name> name = Name::parse(in.text());
  if (!in.ok() || !name) return false;
  if (!may_look_now(from, at.now())) return requests_.reply(from.lease, denied_frame, token), true;
  // A name without a record has no messages here, and a peek does not make a record.
  Mailbox* const mailbox = node_.mailboxes().find(name->view());
  const auto tell = [this, lease = from.lease, token](const Mailbox* there) {
    std::uint64_t count = 0;
    std::vector<std::byte> frame, shown;
    if (there != nullptr) {
      FrameWriter first(shown);
      there->each_waiting([&](const MessageRecord& record) {
        if (is_counted(record) && count++ < most_peeked) write_waiting(first, record);
      });
    }
    FrameWriter out(frame);
    out.byte(peeked_frame);
    out.number(token);
    out.number(count);
    out.number(std::min(count, most_peeked));
    frame.insert(frame.end(), shown.begin(), shown.end());
    Peer& other = peers_.of(lease);
    const std::lock_guard lock(other.mutex);
    if (!other.send(frame)) other.is_full = true;
  };
  if (mailbox == nullptr) return tell(nullptr), true;
  at_home(*mailbox, [tell](Worker&, Mailbox& there) { tell(&there); });
  return true;
}

bool Peeks::read_reply(Peer& from, FrameReader& in) {
  const std::uint64_t token = in.number();
  Peeked there;
  there.count = in.number();
  for (std::uint64_t left = in.number_up_to(most_peeked); left != 0 && in.ok(); --left)
    there.messages.push_back(read_waiting(in));
  if (!in.ok()) return false;
  requests_.on_reply(from.lease, token, std::move(there));
  return true;
}

Peeked peek(Node& node, const Name& name) {
  NodeCore& core = node.core();
  if (core.remote() == nullptr)
    throw Error(Errc::unsupported,
                "a society of one process has no other node to look at; name a society of several, "
                "as in central://127.0.0.1:4410");
  Peeked found;
  core.calls().run_blocking(core.worker(0), [&]() -> Task<> {
    Task<Peeked> looking = core.remote()->peeks().peek(*Worker::current(), name);
    found = co_await looking;
  });
  return found;
}

}  // namespace coracle::detail
