#include "realizations/net/src/link/links_home.hpp"

#include <algorithm>
#include <utility>

namespace coracle::net {

Links::Links(Network& network, Alarms& alarms, const Clock& clock, Random& random, Identity self,
             LinkOptions options, LinksEvents& events) {
  const auto refuse = [](const char* what) { throw Error(Errc::bad_options, what); };
  if (!is_name(self.society) || !is_name(self.node))
    refuse(
        "the names of a society and of a node have 1 to 255 bytes of visible UTF-8 characters, and "
        "no spaces; choose others");
  if (options.least_pause <= Duration::zero() || options.most_pause < options.least_pause ||
      options.connect <= Duration::zero() || options.greeting <= Duration::zero() ||
      options.greetings == 0)
    refuse("a span or a limit of the links is not positive; choose another");
  home_ = std::make_unique<Home>(network, alarms, clock, random, std::move(self),
                                 std::move(options), events);
}

Links::~Links() {
  home_->listeners.clear();
  for (const CarrierPtr& carrier : std::exchange(home_->greeting, {})) {
    carrier->forget_link();
    carrier->end(false);
  }
  for (auto& link : home_->links) link->retire();
}

Result<Endpoint> Links::listen(const Endpoint& at) {
  auto made = home_->network.listen(at, *home_);
  if (!made) return made.error();
  home_->listeners.push_back(std::move(made).value());
  return home_->listeners.back()->endpoint();
}

Link& Links::add(std::string node, std::span<const Endpoint> endpoints, SessionEvents& events) {
  LinkState& link = home_->make(std::move(node), home_->next_number++, events);
  link.set_endpoints(endpoints);
  return link;
}

Link* Links::find(std::string_view node) { return home_->find(node); }

void Links::remove(Link& link) {
  auto& links = home_->links;
  const auto found = std::find_if(links.begin(), links.end(),
                                  [&link](const auto& each) { return each.get() == &link; });
  if (found == links.end()) return;
  auto removed = std::move(*found);
  links.erase(found);
  removed->retire();
  home_->bury(std::move(removed));
}

LinkState* Links::Home::find(std::string_view node) {
  const auto found = std::find_if(links.begin(), links.end(),
                                  [node](const auto& each) { return each->node() == node; });
  return node.empty() || found == links.end() ? nullptr : found->get();
}

LinkState& Links::Home::make(std::string node, std::uint64_t number, SessionEvents& user) {
  links.push_back(std::make_unique<LinkState>(*this, std::move(node), number, user));
  return *links.back();
}

void Links::Home::bury(std::unique_ptr<LinkState> link) {
  buried.push_back(std::move(link));
  if (!burial) burial = alarms.make([this] { buried.clear(); });
  burial->set(clock.now());
}

std::uint64_t Links::Home::number_for(const std::string& node) {
  LinkState* link = find(node);
  return link != nullptr ? link->session().number() : next_number++;
}

void Links::Home::on_accept(std::unique_ptr<Connection> connection) {
  if (greeting.size() >= options.greetings) {
    const CarrierPtr slowest = greeting.front();
    greeting.pop_front();
    slowest->end(false);
    fault(slowest->address(), {Reason::busy,
                               "too many connections are in their greeting, and this one is the "
                               "oldest"});
  }
  auto carrier = std::make_shared<Carrier>(*this, std::move(connection), nullptr);
  greeting.push_back(carrier);
  carrier->begin();
}

void Links::Home::on_refuse(const Error& why) {
  fault("somebody", {Reason::not_permitted, why.sentence()});
}

void Links::Home::adopt(const CarrierPtr& carrier) {
  const Handshake& handshake = carrier->handshake();
  const Greeting& peer = *handshake.done();
  if (const std::uint64_t accepts = peer.largest; accepts < options.least_largest)
    return carrier->refuse(Reason::malformed,
                           peer.node + " accepts " + std::to_string(accepts) +
                               " bytes in one message; it must accept at least " +
                               std::to_string(options.least_largest));
  LinkState* link = carrier->dialled();
  if (link != nullptr) {
    LinkState* known = find(peer.node);
    if (known != nullptr && known != link)
      return carrier->refuse(Reason::crossed, "there is a link to " + peer.node + " already");
    link->set_node(peer.node);
  } else {
    link = find(peer.node);
    // Of two connections that cross each other, the one dialled by the node of the lesser name
    // stays.
    if (link != nullptr && link->is_greeting() && self.node < peer.node)
      return carrier->refuse(Reason::crossed, "this node's own connection is under way");
    if (link != nullptr && link->session().number() != handshake.number())
      return carrier->refuse(Reason::crossed, "another connection was faster");
  }
  const KnownPeer* known = link != nullptr ? &link->session().peer() : nullptr;
  if (known != nullptr && known->greeting() && known->greeting()->is_inside != peer.is_inside)
    return carrier->refuse(Reason::not_permitted, peer.node + " is the name of another node");
  if (known != nullptr && known->judge(peer) == KnownPeer::Verdict::stale)
    return carrier->refuse(Reason::stale,
                           peer.node + " has a newer session already, of this or a later process");
  if (link == nullptr) {
    SessionEvents* user = events.on_peer(peer);
    if (user == nullptr)
      return carrier->refuse(Reason::not_permitted, "this node accepts no link from " + peer.node);
    link = &make(peer.node, handshake.number(), *user);
    events.on_link(*link);
  }
  forget(*carrier);
  link->take_over(carrier);
}

}  // namespace coracle::net
