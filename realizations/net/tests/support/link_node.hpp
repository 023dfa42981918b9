// A node with links for tests: its user is a ModelUser, and the node notes its events.
#pragma once

#include "realizations/net/src/link.hpp"
#include "support/session_model.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coracle::net::test {

// Returns the identity of a node; different nodes of a test have different names and epochs.
inline Identity identity(std::string node, std::uint64_t epoch = 1, bool anybody = true) {
  Identity result;
  result.society = "lab";
  result.node = std::move(node);
  result.epoch = {epoch, 0};
  result.anybody = anybody;
  return result;
}

// It has one user, who gets the events of every link; so there is one link in most tests.
class LinkNode final : public LinksEvents {
 public:
  LinkNode(Network& network, Alarms& alarms, const Clock& clock, Random& random, Identity self,
           LinkOptions options, Ledger& ledger, unsigned index, ModelUser::Habits habits)
      : user(ledger, index, random, habits),
        links(network, alarms, clock, random, std::move(self), std::move(options), *this) {}

  // Makes the link that it dials itself.
  void add(std::string node, const Endpoint& at) {
    const Endpoint there[] = {at};
    link = &links.add(std::move(node), there, user);
    user.bind(link->session());
  }

  SessionEvents* on_peer(const Greeting&) override { return lets_in ? &user : nullptr; }
  void on_link(Link& made) override {
    link = &made;
    user.bind(made.session());
    if (!endpoints.empty()) made.set_endpoints(endpoints);
  }
  void on_fault(const std::string& peer, const Closing& why, const Link*) override {
    faults.push_back(why);
    lines.push_back(peer + ": " + to_string(why.reason) + ": " + why.sentence);
  }
  // Returns how often a connection failed for that reason.
  std::size_t count(Reason reason) const {
    std::size_t sum = 0;
    for (const Closing& each : faults) sum += each.reason == reason;
    return sum;
  }

  ModelUser user;
  Link* link = nullptr;
  bool lets_in = true;
  std::vector<Endpoint> endpoints;  // where a peer that came in can be dialled
  std::vector<Closing> faults;
  std::vector<std::string> lines;
  Links links;  // ends first
};

}  // namespace coracle::net::test
