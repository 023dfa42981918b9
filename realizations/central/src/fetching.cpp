#include "fetching.hpp"

namespace coracle::central {

Fetching::Fetching(NodeConnectivity& connectivity, const Delivery& delivery)
    : connectivity_(connectivity),
      delivery_(delivery),
      next_(connectivity.alarms().make([this] { ask(); })) {}

void Fetching::begin(LeaseId self) {
  end();
  if (delivery_.how == Delivery::How::push) return;
  self_ = self;
  ask();
}

void Fetching::end() {
  self_ = 0;
  is_asking_ = false;
  next_->set(Time::max());
}

// At most one request is open, so that a slow server does not get more requests than it answers.
void Fetching::ask() {
  if (self_ == 0 || is_asking_) return;
  is_asking_ = true;
  Bytes frame;
  FrameWriter out = begin_fetch(frame, Fetch::ask, self_);
  out.byte(delivery_.how == Delivery::How::notify ? 1 : 0);
  out.number(delivery_.most);
  connectivity_.directory().channel().send(frame);
}

bool Fetching::on_message(ByteSpan header) {
  FrameReader in(header);
  const auto kind = static_cast<Fetch>(in.byte());
  const LeaseId lease = in.number();
  const bool is_more = kind != Fetch::given || in.number_up_to(1) != 0;
  if (!in.ok() || !in.at_end() || kind == Fetch::ask) return false;
  if (lease != self_) return true;  // of an earlier lease
  if (kind == Fetch::given) is_asking_ = false;
  if (is_more) {
    ask();
  } else if (delivery_.how == Delivery::How::poll) {
    next_->set(connectivity_.clock().now() + delivery_.interval);
  }
  return true;
}

}  // namespace coracle::central
