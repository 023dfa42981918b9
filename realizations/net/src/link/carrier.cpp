#include "realizations/net/src/link/links_home.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace coracle::net {

Carrier::Carrier(Links::Home& home, std::unique_ptr<Connection> connection, LinkState* dialled)
    : home_(home),
      connection_(std::move(connection)),
      address_(connection_->peer().address),
      dialled_(dialled) {
  const std::uint64_t largest = home.options.session.largest;
  const Peer& peer = connection_->peer();
  const Versions& versions = home.options.versions;
  handshake_ = dialled != nullptr ? Handshake::dial(home.self, peer, dialled->node(),
                                                    dialled->session().number(), largest, versions)
                                  : Handshake::accept(home.self, peer, largest, versions);
}

void Carrier::begin() {
  connection_->bind(*this);
  // The objects that the alarm uses live at least as long as the alarm.
  deadline_ = home_.alarms.make([this] {
    const auto self = shared_from_this();
    if (failed_ || !is_greeting()) return end(false);
    refuse(Reason::too_slow, "no greeting in time");
  });
  deadline_->set(home_.clock.now() + home_.options.greeting);
  buffer_.resize(Handshake::largest_frame);
  flush_greeting();
  keep_reading();
}

void Carrier::keep_reading() {
  if (ended_ || failed_ || reading_) return;
  reading_ = true;
  connection_->read(std::span(buffer_).subspan(filled_));
}

void Carrier::flush_greeting() {
  const auto more = handshake_->take();
  greeting_out_.insert(greeting_out_.end(), more.begin(), more.end());
  if (writing_ || greeting_out_.empty() || ended_) return;
  greeting_flying_ = std::exchange(greeting_out_, {});
  writing_ = true;
  const ByteSpan part[] = {greeting_flying_};
  connection_->write(part);
}

bool Carrier::write(ByteSpans parts, bool at_once) {
  assert(is_free() && !ended_);
  std::size_t taken = 0;
  if (at_once && !parts.empty()) {
    taken = connection_->try_write(parts);
    while (!parts.empty() && taken >= parts.front().size()) {
      taken -= parts.front().size();
      parts = parts.subspan(1);
    }
    if (parts.empty()) return true;
  }
  writing_ = true;
  if (taken == 0) return connection_->write(parts), false;
  std::vector<ByteSpan> rest(parts.begin(), parts.end());
  rest.front() = rest.front().subspan(taken);
  connection_->write(rest);
  return false;
}

void Carrier::end(bool in_order) {
  if (std::exchange(ended_, true)) return;
  deadline_.reset();
  in_order ? connection_->close() : connection_->reset();
  connection_.reset();
}

void Carrier::end_soon() {
  failed_ = true;
  if (std::exchange(ending_, true)) return;
  deadline_ = home_.alarms.make([this] {
    const auto self = shared_from_this();
    if (link_ != nullptr) return link_->lost({Reason::stalled, "the goodbye was not read in time"});
    end(false);
  });
  deadline_->set(home_.clock.now() + home_.options.greeting);
}

void Carrier::on_read(std::size_t bytes) {
  const auto self = shared_from_this();
  reading_ = false;
  const std::size_t filled = filled_ += bytes;
  consume();
  if (ended_) return;
  if (!is_greeting()) fit_buffer(size_.after(filled, buffer_.size()));
  keep_reading();
}

void Carrier::fit_buffer(std::size_t size) {
  if (size > buffer_.size()) buffer_.resize(size);
  if (size < buffer_.size() && filled_ == 0) buffer_ = std::vector<std::byte>(size);
}

void Carrier::consume() {
  if (is_greeting()) consume_greeting();
  if (is_greeting() || ended_ || failed_) return;
  const std::size_t used = link_->received({buffer_.data(), filled_});
  if (ended_) return;
  filled_ -= used;
  if (used > 0 && filled_ > 0) std::memmove(buffer_.data(), buffer_.data() + used, filled_);
  if (filled_ == buffer_.size())  // the session guarantees that no frame is larger than this
    buffer_.resize(std::max(2 * buffer_.size(), link_->session().largest_frame()));
}

void Carrier::consume_greeting() {
  while (!failed_ && !ended_ && is_greeting()) {
    const std::size_t used = handshake_->received({buffer_.data(), filled_});
    filled_ -= used;
    if (used > 0 && filled_ > 0) std::memmove(buffer_.data(), buffer_.data() + used, filled_);
    if (handshake_->failed()) return fail(*handshake_->failed());
    if (handshake_->asked()) {
      handshake_->answer(home_.number_for(handshake_->asked()->node));
      flush_greeting();
      continue;
    }
    flush_greeting();
    if (!handshake_->done()) return;
    home_.adopt(shared_from_this());
    return;
  }
}

void Carrier::refuse(Reason reason, std::string sentence) {
  handshake_->fail(reason, std::move(sentence));
  fail(*handshake_->failed());
}

// The greeting has failed: sends a farewell, and closes when that is written.
void Carrier::fail(const Closing& why) {
  if (std::exchange(failed_, true)) return;
  const auto self = shared_from_this();
  home_.forget(*this);
  LinkState* link = std::exchange(dialled_, nullptr);
  if (handshake_->was_told()) {
    end(true);
  } else {
    end_soon();
    flush_greeting();
    if (!writing_) end(true);
    // Until the farewell is written, only the alarm and the connection refer to this object.
    if (!ended_) home_.greeting.push_back(self);
  }
  if (link != nullptr) {
    link->dial_failed(why);
  } else if (why.reason != Reason::crossed) {
    home_.fault(address_, why);
  }
}

void Carrier::carry(LinkState& link) {
  link_ = &link;
  dialled_ = nullptr;
  deadline_.reset();
  buffer_.resize(std::max(ReadSize::first, buffer_.size()));
  consume();
}

void Carrier::on_written() {
  const auto self = shared_from_this();
  writing_ = false;
  if (!greeting_flying_.empty()) {
    greeting_flying_.clear();
    flush_greeting();
    if (writing_) return;
    if (failed_ && is_greeting()) {
      home_.forget(*this);
      return end(true);
    }
    if (link_ != nullptr) link_->flush();
    return;
  }
  if (link_ != nullptr) link_->written();
}

void Carrier::on_closed(const Error& why) {
  const auto self = shared_from_this();
  ended_ = true;
  deadline_.reset();
  connection_.reset();
  home_.forget(*this);
  const bool is_refused = why.errc() == Errc::not_permitted;
  const Closing closing{is_refused ? Reason::not_permitted : Reason::broken, why.sentence()};
  if (link_ != nullptr) return link_->lost(closing);
  if (failed_) return;
  if (LinkState* link = std::exchange(dialled_, nullptr)) return link->dial_failed(closing);
  // A peer that closes before it has sent its greeting is stopping, or has reached us by another
  // connection.
  if (why.errc() != Errc::disconnected) home_.fault(address_, closing);
}

}  // namespace coracle::net
