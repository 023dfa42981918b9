// A directory facilitator (DF) of FIPA as a state machine: messages and the time go in; the
// answers, the notifications and the requests to other facilitators come out. It sends nothing
// itself. An agent can change the entry of its own name only. The society enters those of its own
// agents that have described themselves and have not registered.
// Tests: gateways/fipa/tests/facilitator_test.cpp, facilitator_room_test.cpp.
#pragma once

#include "coracle/acl/message.hpp"
#include "coracle/acl/ontology/contents.hpp"
#include "coracle/acl/ontology/management.hpp"
#include "coracle/fipa/detail/entries.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace coracle::fipa {

// The limits of a facilitator. A request beyond one is answered with a failure that names it.
struct FacilitatorLimits {
  // Entries in all, those with which agents of one platform have registered themselves, and those
  // that one host has sent. If there is no room, the host with the most entries loses one to a host
  // with fewer: platforms can be invented, hosts cannot.
  std::size_t entries = 10'000;
  std::size_t entries_per_platform = 2'000;
  std::size_t entries_per_host = 4'000;
  // Subscriptions in all, of agents of one platform, and from one host, with the same rule.
  std::size_t subscriptions = 1'000;
  std::size_t subscriptions_per_platform = 100;
  std::size_t subscriptions_per_host = 400;
  // The most results of one search.
  std::size_t results = 100;
  // Searches that wait for the answers of other facilitators, in all and from one host, with the
  // same rule: the one that yields is answered at once, with the entries that it has found. The
  // facilitators to which one search is passed on.
  std::size_t searches = 256;
  std::size_t searches_per_host = 100;
  std::size_t children = 100;
  // The longest lease of an entry that an agent has registered; one without a lease gets this one.
  std::chrono::milliseconds lease = std::chrono::hours(24);
  // The time for the answers of other facilitators, if the request does not give one.
  std::chrono::milliseconds patience = std::chrono::minutes(5);
};

// The messages that are to be sent, in this order.
using Messages = std::vector<acl::Message>;

class Facilitator {
 public:
  using Description = acl::management::DfAgentDescription;

  // `self` is the facilitator's identifier; `new_id` gives a text that was never used before.
  Facilitator(acl::AgentId self, std::function<std::string()> new_id,
              FacilitatorLimits limits = {});

  // The facilitator is reached at other addresses now.
  void set_self(acl::AgentId self) { self_ = std::move(self); }
  // The society describes an agent of its own by this entry from now on, or by none. The entry with
  // which an agent has registered itself stays.
  Messages put_own(Description entry, acl::CalendarTime now);
  Messages remove_own(const std::string& name, acl::CalendarTime now);
  // An agent of the society has ended: it has no entry any more.
  Messages end_own(const std::string& name, acl::CalendarTime now);

  // Handles a message to the facilitator, which that host has sent; empty: it is of this society.
  Messages on_message(const acl::Message& message, acl::CalendarTime now,
                      const std::string& host = {});
  // Ends the leases and the searches whose time is over.
  Messages on_time(acl::CalendarTime now);
  // The time at which on_time() has something to do; nothing while it has not.
  std::optional<acl::CalendarTime> next_time() const;

  // The request by which this facilitator becomes a child of another one, which then passes on
  // searches to it, and the one that ends that. The answer is a message to the facilitator as any
  // other.
  acl::Message join(const acl::AgentId& parent);
  acl::Message leave(const acl::AgentId& parent);

  // The entries that match, at most `most` of them.
  std::vector<Description> search(const Description& pattern, std::size_t most,
                                  acl::CalendarTime now) const;
  // The entry of an agent; nullptr if it has none.
  const Description* entry(const std::string& name) const;
  // The foreign agents whose entries have changed, or ended, since the last call.
  std::vector<std::string> take_changed() noexcept { return std::exchange(changed_, {}); }
  std::size_t entries() const noexcept { return entries_.size(); }
  std::size_t subscriptions() const noexcept { return subscriptions_.size(); }

 private:
  using Entries = detail::Entries<Description>;

  struct Subscription {
    acl::Message asked;
    std::string text;  // that notifications repeat
    Description pattern;
    std::string host;  // that has sent it; empty: it is of this society
  };
  // A search that waits for other facilitators.
  struct Search {
    std::string host;  // that has sent it; empty: it is of this society
    acl::Message asked;
    std::string text;
    std::vector<Description> found;
    std::size_t wanted = 0;
    std::map<std::string, std::string>
        waiting;  // by the identifier of the request, the facilitator
    acl::CalendarTime deadline;
  };

  acl::Message refuse(const acl::Message& to, const std::string& text,
                      const acl::management::Reason& reason) const;
  Messages on_request(const acl::Message& message, acl::CalendarTime now, const std::string& host);
  Messages on_subscribe(const acl::Message& message, acl::CalendarTime now,
                        const std::string& host);
  bool make_room_for_subscription(const acl::Message& message, const std::string& host,
                                  Messages& out);
  Messages on_cancel(const acl::Message& message);
  void on_answer(const acl::Message& message, Messages& out);
  Messages act(const acl::Message& message, const acl::AskedAction& asked, acl::CalendarTime now,
               const std::string& host);
  Messages enter(const acl::Message& message, const acl::AskedAction& asked, Description entry,
                 bool is_new, acl::CalendarTime now, const std::string& host);
  std::optional<acl::management::Reason> limit_lease(Description& entry, acl::CalendarTime& end,
                                                     acl::CalendarTime now) const;
  Messages remove(const acl::Message& message, const std::string& text, const Description& entry,
                  acl::CalendarTime now);
  Messages find(const acl::Message& message, const std::string& text,
                const acl::management::Search& search, acl::CalendarTime now,
                const std::string& host);
  void take_out(const std::string& key, acl::CalendarTime now, Messages& out);
  void notify(const Description* before, const Description& after, acl::CalendarTime now,
              Messages& out) const;
  // A request to another facilitator.
  acl::Message ask(const acl::AgentId& whom, const acl::sl::Term& act);
  void ask_children(Search& search, const Description& pattern, std::int64_t depth,
                    const std::string& id, Messages& out);
  acl::Message finished(const Search& search) const;

  acl::AgentId self_;
  std::function<std::string()> new_id_;
  FacilitatorLimits limits_;
  Entries entries_;
  std::vector<std::string> changed_;
  std::deque<Subscription> subscriptions_;
  std::deque<Search> searches_;
  std::deque<std::string> served_;  // the latest identifiers of searches
};

}  // namespace coracle::fipa
