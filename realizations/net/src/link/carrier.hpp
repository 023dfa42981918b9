// A connection of a link.
#pragma once

#include "realizations/net/src/link.hpp"
#include "realizations/net/src/read_size.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::net {

class LinkState;

// One connection: first in its greeting, then carrying a session.
class Carrier final : public ConnectionEvents, public std::enable_shared_from_this<Carrier> {
 public:
  // `dialled` is the link that has dialled, or nullptr for a connection that came in.
  Carrier(Links::Home& home, std::unique_ptr<Connection> connection, LinkState* dialled);

  // Begins the greeting.
  void begin();
  // Returns whether the connection takes a write now.
  bool is_free() const { return !writing_ && greeting_out_.empty(); }
  // Writes all of `parts`. Returns true if that was done at once, which is tried if `at_once` and
  // there are any; returns false if LinkState::written() will follow.
  bool write(ByteSpans parts, bool at_once);
  // Goes on with the bytes that were read behind the greeting, and with what comes.
  void carry(LinkState& link);
  // Ends the connection, in order or at once, without any event.
  void end(bool in_order);
  // Ends the connection if its farewell is not written soon.
  void end_soon();
  // Ends the greeting for that reason.
  void refuse(Reason reason, std::string sentence);

  bool is_greeting() const { return link_ == nullptr; }
  LinkState* dialled() const { return dialled_; }
  void forget_link() { dialled_ = link_ = nullptr; }
  const Handshake& handshake() const { return *handshake_; }
  const std::string& address() const { return address_; }

  void on_read(std::size_t bytes) override;
  void on_written() override;
  void on_closed(const Error& why) override;

 private:
  void consume();
  void consume_greeting();
  void flush_greeting();
  void keep_reading();
  void fit_buffer(std::size_t size);
  void fail(const Closing& why);

  Links::Home& home_;
  std::unique_ptr<Connection> connection_;
  std::string address_;
  LinkState* dialled_;
  LinkState* link_ = nullptr;  // the link whose session this connection carries
  std::optional<Handshake> handshake_;
  std::unique_ptr<Alarm> deadline_;
  std::vector<std::byte> buffer_, greeting_out_, greeting_flying_;
  std::size_t filled_ = 0;
  ReadSize size_{256u << 10};
  bool reading_ = false, writing_ = false, ended_ = false;
  bool failed_ = false;  // nothing is read any more; it ends when its farewell is written
  bool ending_ = false;  // as failed_, and not later than deadline_
};
using CarrierPtr = std::shared_ptr<Carrier>;

}  // namespace coracle::net
