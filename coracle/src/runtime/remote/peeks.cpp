// Lists the messages that wait for a name on all other nodes. A peek takes nothing away.
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

}  // namespace

Task<Peeked> Remote::peek(Worker& at, Name name) {
  const auto found = std::make_shared<Peeked>();
  Task<Result<void>> permitting = node_.directory().may_look(node_.lease(), name);
  const Result<void> permitted = co_await permitting;
  if (!permitted && permitted.error().errc() == Errc::not_permitted) {
    found->is_allowed = false;
    co_return std::move(*found);
  }
  const std::function<void(LeaseId, std::uint64_t)> ask = [&](LeaseId to, std::uint64_t token) {
    {
      const std::lock_guard lock(mutex_);
      const auto asked = asked_.find(token);
      if (asked != asked_.end()) asked->second.found = found;
    }
    std::vector<std::byte> frame;
    FrameWriter out(frame);
    out.byte(peek_frame);
    out.number(token);
    out.text(name.view());
    transport_.send(self(), to, frame, {}, nullptr);
  };
  Task<> asking = ask_all(at, taps_patience, ask);
  co_await asking;
  const std::lock_guard lock(mutex_);
  co_return std::move(*found);
}

// Reads a peek, its reply, a request for last messages, or what a policy on the way puts in their
// place.
bool Remote::read_question(Worker& at, std::uint8_t kind, LeaseId from, FrameReader& in) {
  switch (kind) {
    case peek_frame:
      return read_peek(at, from, in);
    case peeked_frame:
      return read_peeked(from, in);
    case last_frame:
      return read_last(from, in);
    case refused_request_frame:
      return read_refused_request(from, in);
    case denied_frame:
      return read_denied(from, in);
    default:
      return false;
  }
}

// A reply may be large, and takes a pass through all that waits in a mailbox.
bool Remote::may_look_now(LeaseId from, Time now) {
  if (has_no_room(from)) return false;
  Peer& other = peer(from);
  if (now - other.looks_since >= std::chrono::seconds(1)) other.looks_since = now, other.looks = 0;
  return other.looks++ < most_looks;
}

bool Remote::has_no_room(LeaseId lease) {
  Peer& other = peer(lease);
  const std::lock_guard lock(other.mutex);
  return other.is_full;
}

bool Remote::read_peek(Worker& at, LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  const Result<Name> name = Name::parse(in.text());
  if (!in.ok() || !name) return false;
  if (!may_look_now(from, at.now())) return send_token(from, denied_frame, token), true;
  // A name without a record has no messages here, and a peek does not make a record.
  Mailbox* const mailbox = node_.mailboxes().find(name->view());
  const auto tell = [this, from, token](const Mailbox* there) {
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
    Peer& other = peer(from);
    const std::lock_guard lock(other.mutex);
    if (!transport_.send(other.self, from, frame, {}, nullptr)) other.is_full = true;
  };
  if (mailbox == nullptr) return tell(nullptr), true;
  at_home(*mailbox, [tell](Worker&, Mailbox& there) { tell(&there); });
  return true;
}

bool Remote::read_peeked(LeaseId from, FrameReader& in) {
  const std::uint64_t token = in.number();
  const std::uint64_t count = in.number();
  std::vector<WaitingMessage> messages;
  for (std::uint64_t left = in.number_up_to(most_peeked); left != 0 && in.ok(); --left)
    messages.push_back(read_waiting(in));
  if (!in.ok()) return false;
  {
    const std::lock_guard lock(mutex_);
    const auto asked = asked_.find(token);
    if (asked != asked_.end() && asked->second.found && asked->second.unanswered.contains(from)) {
      Peeked& all = *asked->second.found;
      all.count += count;
      all.messages.insert(all.messages.end(), messages.begin(), messages.end());
    }
  }
  answered(from, token);
  return true;
}

Peeked peek(Node& node, const Name& name) {
  NodeCore& core = node.core();
  if (core.remote() == nullptr)
    throw Error(Errc::unsupported,
                "a society of one process has no other node to look at; name a society of several, "
                "as in central://127.0.0.1:4410");
  Peeked found;
  core.run_blocking(core.worker(0), [&]() -> Task<> {
    Task<Peeked> looking = core.remote()->peek(*Worker::current(), name);
    found = co_await looking;
  });
  return found;
}

}  // namespace coracle::detail
