// Moves the bytes of one connection between its wire and a protocol, which derives from this class.
// All of it happens on the thread that runs the loop.
#pragma once

#include "io/alarms.hpp"
#include "io/loop_state.hpp"
#include "io/output.hpp"
#include "io/wire.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace coracle::http {

class Channel : public Alarm, public std::enable_shared_from_this<Channel> {
 public:
  ~Channel() override;

  // Does what can be done, and waits for more. Called after every change from outside.
  void work();
  // The same at the end of the present round of the loop, once.
  void work_soon();
  // Ends the connection at once; on_closed() is called before this returns.
  void close();
  bool is_closed() const noexcept { return !wire_ || !wire_->is_open(); }

  Time deadline() const final;
  void on_time(Time now) final;

 protected:
  // The loop outlives the channel.
  Channel(LoopState& loop, std::unique_ptr<Wire> wire) : loop_(loop), wire_(std::move(wire)) {}

  // --- for the protocol ---
  virtual bool wants_bytes() const = 0;
  virtual Output& output() = 0;
  virtual void on_bytes(std::string_view bytes) = 0;
  // The peer sends nothing more.
  virtual void on_end() = 0;
  // Some bytes were written.
  virtual void on_written() = 0;
  // The connection has failed, and is about to be closed.
  virtual void on_failed(const std::string& why) = 0;
  virtual void on_closed() = 0;
  // Called before anything is written: the protocol may produce more.
  virtual void produce() = 0;
  // Called when nothing more can be written now: the protocol may end the connection, by end() or
  // close().
  virtual void decide() = 0;
  virtual Time next_deadline() const = 0;
  virtual void on_deadline(Time now) = 0;

  // From the first byte of the peer on, TLS is used.
  void expect_tls(TlsContext context) noexcept { tls_ = std::move(context); }
  // Ends the connection once the peer has taken everything: closes it when the peer has closed its
  // side, or when that time has passed.
  void end(Duration linger);
  bool is_ending() const noexcept { return is_ending_; }
  // Gives the wire away; this channel does nothing more, and on_closed() is not called.
  std::unique_ptr<Wire> release();
  LoopState& loop() noexcept { return loop_; }
  Wire& wire() noexcept { return *wire_; }
  Time now() const { return loop_.now(); }

 private:
  void watch();
  void on_readable();
  void read_some();
  void fail(const std::string& why);

  LoopState& loop_;
  std::unique_ptr<Wire> wire_;
  TlsContext tls_;
  bool is_working_ = false, works_soon_ = false, reads_soon_ = false;
  bool waits_to_read_ = false, waits_to_write_ = false;  // Asio tells when that is possible
  bool has_output_ = false;                              // the wire takes nothing more now
  bool needs_read_to_write_ = false, needs_write_to_read_ = false;  // as TLS may have it
  bool is_ending_ = false, has_ended_ = false;
  std::size_t ignored_ = 0;  // bytes that came while it was ending
  Time ends_at_ = Time::max();
};

}  // namespace coracle::http
