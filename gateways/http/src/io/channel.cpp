#include "io/channel.hpp"

#include <utility>

namespace coracle::http {

namespace {

using Status = Moved::Status;

// A peer that sends so much after the end of a connection is not waited for.
constexpr std::size_t most_after_end = 256 * 1024;

}  // namespace

Channel::~Channel() = default;

Time Channel::deadline() const {
  if (is_closed()) return Time::max();
  return is_ending_ ? ends_at_ : next_deadline();
}

void Channel::on_time(Time now) {
  const auto self = shared_from_this();
  if (is_ending_) return close();
  on_deadline(now);
  work();
}

void Channel::work() {
  if (is_closed() || is_working_) return;
  const auto self = shared_from_this();
  is_working_ = true;
  while (!is_closed() && !is_ending_) {
    produce();
    if (is_closed() || output().empty()) break;
    const Moved written = wire_->write(output());
    if (written.bytes != 0) on_written();
    has_output_ = written.status == Status::wait_write;
    needs_read_to_write_ = written.status == Status::wait_read;
    if (written.status == Status::failed || written.status == Status::ended) {
      is_working_ = false;
      return fail(wire_->failure());
    }
    if (written.status != Status::done) break;
  }
  if (!is_closed() && !is_ending_) decide();
  is_working_ = false;
  if (is_closed()) return;
  watch();
  loop_.alarms().set(*this);
}

void Channel::work_soon() {
  if (is_working_ || std::exchange(works_soon_, true)) return;
  loop_.at_end([self = shared_from_this()] {
    self->works_soon_ = false;
    self->work();
  });
}

void Channel::watch() {
  const bool reads = !has_ended_ && (is_ending_ || wants_bytes());
  // The socket does not tell of bytes that TLS holds.
  if (reads && wire_->has_pending() && !std::exchange(reads_soon_, true)) {
    loop_.at_end([self = shared_from_this()] {
      self->reads_soon_ = false;
      if (!self->is_closed()) self->on_readable();
    });
  }
  if (!waits_to_read_ && ((reads && !needs_write_to_read_) || needs_read_to_write_)) {
    waits_to_read_ = true;
    wire_->socket().async_wait(Wire::Socket::wait_read,
                               [self = shared_from_this()](const boost::system::error_code&) {
                                 self->waits_to_read_ = false;
                                 self->needs_read_to_write_ = false;
                                 if (!self->is_closed()) self->on_readable();
                               });
  }
  if (!waits_to_write_ && (has_output_ || needs_write_to_read_)) {
    waits_to_write_ = true;
    wire_->socket().async_wait(Wire::Socket::wait_write,
                               [self = shared_from_this()](const boost::system::error_code&) {
                                 self->waits_to_write_ = false;
                                 if (self->is_closed()) return;
                                 if (std::exchange(self->needs_write_to_read_, false))
                                   self->on_readable();
                                 else self->work();
                               });
  }
}

void Channel::on_readable() {
  if (tls_ != nullptr && !wire_->is_encrypted()) wire_->encrypt(tls_.get());
  if (is_ending_ || wants_bytes()) read_some();
  if (!is_closed()) work();
}

void Channel::read_some() {
  const std::span<char> room = loop_.scratch();
  std::size_t filled = 0;
  Moved moved{Status::done};
  do {
    moved = wire_->read(room.subspan(filled));
    if (moved.status == Status::done) filled += moved.bytes;
  } while (moved.status == Status::done && wire_->has_pending() && filled < room.size());
  needs_write_to_read_ = moved.status == Status::wait_write;
  if (filled != 0 && is_ending_) ignored_ += filled;
  else if (filled != 0) on_bytes({room.data(), filled});
  if (is_closed()) return;
  if (moved.status == Status::ended || ignored_ > most_after_end) {
    has_ended_ = true;
    if (is_ending_) return close();
    on_end();
  } else if (moved.status == Status::failed) {
    fail(wire_->failure());
  }
}

void Channel::fail(const std::string& why) {
  if (!is_ending_) on_failed(why);
  close();
}

void Channel::end(Duration linger) {
  if (is_ending_ || is_closed()) return;
  is_ending_ = true;
  wire_->shut_down();
  if (has_ended_ || linger <= Duration::zero()) return close();
  ends_at_ = now() + linger;
}

void Channel::close() {
  if (is_closed()) return;
  const auto self = shared_from_this();
  loop_.alarms().remove(*this);
  wire_->close();
  on_closed();
}

std::unique_ptr<Wire> Channel::release() {
  loop_.alarms().remove(*this);
  boost::system::error_code ignored;
  wire_->socket().cancel(ignored);
  return std::move(wire_);
}

}  // namespace coracle::http
