// The commitments of a bidder to its clients, as a state machine. Its inputs are messages of
// clients and the time; its output is whether there is room for more work. Bidder drives it.
// Tests: caf/tests/contracts/commitments_test.cpp.
#pragma once

#include "coracle/caf/contracts/contract.hpp"
#include "coracle/detail/pool.hpp"
#include "coracle/name.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::caf {

// The time at which a bid takes room. In both cases the bidder never promises more than it has room
// for.
enum class Promises : std::uint8_t {
  at_award,  // the bidder may bid for more than it can do, and refuses excess awards
  at_bid,    // the bidder never refuses an award, and bids less often
};

// The units of work that a bidder can do at a time, and the contracts that use them.
class Commitments {
 public:
  // Identifies a contract of a client.
  struct Key {
    // Names contract `id` of client `of`.
    Key(Name of, ContractId id)
        : client(std::move(of)),
          contract(id),
          hash(client.hash() * std::size_t{31} + static_cast<std::size_t>(id)) {}

    // The client, the number of its contract, and a hash of both, computed once.
    Name client;
    ContractId contract;
    std::size_t hash;

    friend bool operator==(const Key&, const Key&) = default;
  };

  // The state of a commitment.
  enum class State : std::uint8_t {
    bid,       // the bidder has bid
    accepted,  // the bidder has accepted an award and has no lease yet
    held,      // the bidder has the lease and is at work
    reported,  // the bidder has sent its last report
  };

  // One commitment.
  struct Commitment {
    // The contract and the bid, as they were sent.
    Content call;
    Content offer;
    State state = State::bid;
    // The units of capacity that the commitment takes.
    std::uint64_t room = 0;
    // The award, from State::accepted on.
    AwardNumber award = 0;
    Items items = 0;
    Amount price = 0;
    // The time at which the commitment ends by itself, and the time at which to renew the lease.
    Time until;
    Time renew = Time::max();
    // The greatest award number received so far.
    AwardNumber seen = 0;

    // The contract of the commitment.
    const Contract& contract() const { return call.as<Contract>(); }
  };

  Commitments(std::uint64_t capacity, Promises promises)
      : capacity_(capacity), promises_(promises) {}

  // The capacity, the units taken, and the units free.
  std::uint64_t capacity() const noexcept { return capacity_; }
  std::uint64_t taken() const noexcept { return taken_; }
  std::uint64_t room() const noexcept { return capacity_ - taken_; }
  // The number of commitments.
  std::size_t size() const noexcept { return all_.size(); }
  // Returns the commitment, or nullptr.
  const Commitment* find(const Key& key) const;
  // The time at which something may be due. It can turn out that nothing is due then.
  Time due() const noexcept { return due_; }

  // Handles a call for bids. The call replaces earlier bids for this contract. Returns the reason
  // why the bidder need not consider the call; empty if there may be room.
  std::string on_call(const Key& key, const Contract& contract);
  // Makes a bid for the Contract in `call`. `offer` becomes the bid that can be sent, without
  // offerings for which there is no room. Returns false when no offering is left.
  bool bid(const Key& key, const Content& call, Bid bid, Time now, Content& offer);
  // Handles an award. Returns the reason why the award is refused; empty if it is accepted.
  std::string on_award(const Key& key, const Award& award, Time now);
  // Handles a lease. Returns true when it is the first lease of its award: the work begins now.
  bool on_lease(const Key& key, const Lease& lease, Time now);
  // Notes that the bidder sends its last report, or gives the award back. Returns false when no
  // award with that number is in a state that allows this.
  bool report(const Key& key, AwardNumber award);
  bool withdraw(const Key& key, AwardNumber award);
  // Handles the client's message that the bidder has lost the award or is settled. Returns true
  // when the bidder was at work.
  bool drop(const Key& key, AwardNumber award);
  // Handles the client's rejection of all bids up to call `round`.
  void reject(const Key& key, std::uint32_t round);

  // The actions that are due now.
  struct Chores {
    std::vector<std::pair<Key, AwardNumber>> renew;  // request the lease again
    std::vector<std::pair<Key, AwardNumber>> lost;   // the bidder was at work, and its lease has
                                                     // expired
    std::vector<std::pair<Key, AwardNumber>> ended;  // the client has not replied to the bid or the
                                                     // acceptance
  };
  // Advances the time, and returns what is due.
  Chores on_time(Time now);

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const noexcept { return key.hash; }
  };
  // The nodes of the map come from the pool, as contents do, because each bid makes one node.
  template <class T>
  struct Pooled {
    using value_type = T;

    Pooled() = default;
    template <class U>
    Pooled(const Pooled<U>&) noexcept {}
    T* allocate(std::size_t count) {
      return static_cast<T*>(coracle::detail::pool_allocate(count * sizeof(T)));
    }
    void deallocate(T* at, std::size_t count) noexcept {
      coracle::detail::pool_free(at, count * sizeof(T));
    }
    friend bool operator==(const Pooled&, const Pooled&) noexcept { return true; }
  };
  using All = std::unordered_map<Key, Commitment, Hash, std::equal_to<Key>,
                                 Pooled<std::pair<const Key, Commitment>>>;

  Commitment* with_award(const Key& key, AwardNumber award);
  void take(Commitment& one, std::uint64_t room);
  void forget(const Key& key);
  void forget(All::iterator one);
  void expect(Time when) noexcept { due_ = when < due_ ? when : due_; }

  std::uint64_t capacity_;
  Promises promises_;
  std::uint64_t taken_ = 0;
  All all_;
  Time due_ = Time::max();
};

}  // namespace coracle::caf
