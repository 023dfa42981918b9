// The parts of links; private to them. carrier.cpp is one connection, link.cpp one other node,
// links.cpp all of them.
#pragma once

#include "realizations/net/src/link.hpp"
#include "realizations/net/src/read_size.hpp"

#include <list>
#include <optional>

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

// One other node: its session, the connection that carries the session, and the attempts to get
// one.
class LinkState final : public Link, public ConnectEvents {
 public:
  LinkState(Links::Home& home, std::string node, std::uint64_t number, SessionEvents& user);
  ~LinkState() override;

  const std::string& node() const override { return node_; }
  Session& session() override { return session_; }
  void flush() override;
  void set_endpoints(std::span<const Endpoint> endpoints) override;
  void dial() override;
  void dial_anew() override;
  void keep() override { kept_ = true; }
  bool is_out_of_reach() const override { return !carrier_ && failures_ != 0; }
  void leave() override;

  void on_connect(Result<std::unique_ptr<Connection>> outcome) override;

  // Called when a connection that we dialled has ended before it carried anything.
  void dial_failed(const Closing& why);
  // Returns whether a connection that we dialled is in its greeting.
  bool is_greeting() const { return dialling_ != nullptr; }
  void stop_dialling();
  void set_node(std::string node) { node_ = std::move(node); }
  // From now on `carrier` carries the session.
  void take_over(CarrierPtr carrier);
  // Called when bytes came by the carrier; returns how many of them are used.
  std::size_t received(std::span<const std::byte> bytes);
  void written();
  void lost(const Closing& why);
  // From now on the link does nothing any more.
  void retire();

 private:
  void landed(Time now);
  void ring();
  void schedule(Time now);
  void end_carrier(const Closing& why, bool in_order);
  void react();
  bool may_rest() const;
  void look_after_idleness(Time now);
  void start_dial();
  void pause_before_dial();
  void give_up(const Closing& why);

  Links::Home& home_;
  std::string node_;
  Session session_;
  std::vector<Endpoint> endpoints_;
  CarrierPtr carrier_, dialling_;
  std::unique_ptr<Attempt> attempt_;
  std::unique_ptr<Alarm> alarm_, redial_;
  Time armed_ = Time::max();
  unsigned failures_ = 0;
  bool wanted_ = false;   // a connection is needed
  bool pausing_ = false;  // a pause runs before the next attempt to connect
  bool leaving_ = false;  // it ends as soon as the farewell can be sent
  bool inside_ = false;   // the session is calling its user
  bool retired_ = false;
  bool kept_ = false;
  bool accepted_ = false;  // the carrier was not dialled by us
  bool faulty_ = false;    // the last connection ended because of what was received on it
};

struct Links::Home final : public ListenEvents {
  Home(Network& net, Alarms& bells, const Clock& time, Random& dice, Identity who,
       LinkOptions settings, LinksEvents& user)
      : network(net),
        alarms(bells),
        clock(time),
        random(dice),
        self(std::move(who)),
        options(std::move(settings)),
        events(user) {}

  void on_accept(std::unique_ptr<Connection> connection) override;
  void on_refuse(const Error& why) override;

  // Returns the number of our session with that node; a new one when there is no link yet.
  std::uint64_t number_for(const std::string& node);
  LinkState* find(std::string_view node);
  LinkState& make(std::string node, std::uint64_t number, SessionEvents& user);
  // Called when a greeting is done: gives the connection to its link.
  void adopt(const CarrierPtr& carrier);
  // Called when a connection is over.
  void forget(const Carrier& carrier) {
    greeting.remove_if([&](const auto& c) { return c.get() == &carrier; });
  }
  void fault(const std::string& peer, const Closing& why, const Link* link = nullptr) {
    events.on_fault(peer, why, link);
  }
  // Destroys later an object that may still be on the stack.
  void bury(std::unique_ptr<LinkState> link);

  Network& network;
  Alarms& alarms;
  const Clock& clock;
  Random& random;
  Identity self;
  LinkOptions options;
  LinksEvents& events;
  std::uint64_t next_number = 1;
  std::vector<std::unique_ptr<LinkState>> links;
  std::list<CarrierPtr> greeting;  // the oldest first
  std::vector<std::unique_ptr<Listener>> listeners;
  std::vector<std::unique_ptr<LinkState>> buried;
  std::unique_ptr<Alarm> burial;
};

}  // namespace coracle::net
