// All links of a node.
#pragma once

#include "realizations/net/src/link/link_state.hpp"

#include <list>

namespace coracle::net {

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
