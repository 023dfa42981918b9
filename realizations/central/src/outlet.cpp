#include "outlet.hpp"

#include <utility>

namespace coracle::central {

void Outlet::put(ByteSpan header, ByteSpan content) {
  if (!is_asked_) {
    channel_.send(header, content_of(content));
    return;
  }
  if (read_relayed_head(header).kind == Relayed::frames) {
    // A node that fetches gets as many frames as it has requested.
    for (FrameBatch each(content); each.next();) hold(header, each.whole());
  } else {
    hold(header, content);
  }
  if (wants_notice_ && !std::exchange(knows_, true)) say(Fetch::waiting, true);
}

void Outlet::hold(ByteSpan header, ByteSpan content) {
  held_.push_back({{header.begin(), header.end()}, {content.begin(), content.end()}});
  held_bytes_ += header.size() + content.size();
}

bool Outlet::on_ask(FrameReader& in) {
  const std::uint64_t wants_notice = in.number_up_to(1);
  const std::uint64_t most = in.number();
  if (!in.ok() || !in.at_end() || most == 0) return false;
  is_asked_ = true;
  wants_notice_ = wants_notice != 0;
  give(most);
  return true;
}

void Outlet::give(std::uint64_t most) {
  for (; most > 0 && !held_.empty(); --most) {
    const Held next = std::move(held_.front());
    held_.pop_front();
    held_bytes_ -= next.header.size() + next.content.size();
    channel_.send(next.header, content_of(next.content));
  }
  knows_ = !held_.empty();
  say(Fetch::given, knows_);
}

void Outlet::say(Fetch kind, bool is_more) {
  Bytes frame;
  FrameWriter out = begin_fetch(frame, kind, lease_);
  if (kind == Fetch::given) out.byte(is_more ? 1 : 0);
  channel_.send(frame);
}

}  // namespace coracle::central
