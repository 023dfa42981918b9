// A link to one other node.
#pragma once

#include "realizations/net/src/link/carrier.hpp"

namespace coracle::net {

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
  void on_bytes_written(Time now);
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

}  // namespace coracle::net
