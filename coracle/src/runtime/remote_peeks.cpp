// What waits for a name, on all other nodes: whoever asks takes nothing away.
#include "pattern_parts.hpp"
#include "runtime/node_core.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

constexpr std::uint64_t most_peeked = 1000;
constexpr std::size_t most_text = 256;
constexpr unsigned most_looks = 16;  // of one node in a second

void write_waiting(FrameWriter& out, const Parcel& parcel) {
  out.number(parcel.flags & travelling_flags);
  out.number(parcel.conversation);
  out.text(parcel.source != nullptr ? parcel.source->name.view() : std::string_view());
  std::string_view text;
  std::uint64_t size = 0;
  if (parcel.content != nullptr && !parcel.content->is_typed()) {
    text = {reinterpret_cast<const char*>(parcel.content->inline_bytes()), parcel.content->size};
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
    links_.send(self(), to, frame, {});
  };
  Task<> asking = ask_all(at, ears_patience, ask);
  co_await asking;
  const std::lock_guard lock(mutex_);
  co_return std::move(*found);
}

// A peek, or what a policy on the way makes of questions.
bool Remote::read_question(Worker& at, std::uint8_t kind, LeaseId from, FrameReader& in) {
  switch (kind) {
    case peek_frame:
      return read_peek(at, from, in);
    case peeked_frame:
      return read_peeked(from, in);
    case last_frame:
      return read_last(from, in);
    case refused_question_frame:
      return read_refused_question(from, in);
    case denied_frame:
      return read_denied(from, in);
    default:
      return false;
  }
}

// An answer may be large, and what waits in a mailbox is gone through.
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
  // Of a name that nobody has spoken of there is nothing, and nothing is to be kept.
  Party* const party = node_.parties().find(name->view());
  const auto tell = [this, from, token](const Party* there) {
    std::uint64_t count = 0;
    std::vector<std::byte> frame, shown;
    if (there != nullptr) {
      FrameWriter first(shown);
      there->each_waiting([&](const Parcel& parcel) {
        if (is_counted(parcel) && count++ < most_peeked) write_waiting(first, parcel);
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
    if (!links_.send(other.self, from, frame, {})) other.is_full = true;
  };
  if (party == nullptr) return tell(nullptr), true;
  at_home(*party, [tell](Worker&, Party& there) { tell(&there); });
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

}  // namespace coracle::detail
