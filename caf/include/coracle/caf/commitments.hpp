// What a bidder has promised to whom, as a state machine: what clients say and the time go in, and
// whether there is room for more comes out. Bidder drives it. Contract:
// caf/tests/commitments_test.cpp.
#pragma once

#include "coracle/caf/contract.hpp"
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

// When a bid takes room. In neither case is there ever more promised than there is room for.
enum class Promises : std::uint8_t {
  at_award,  // it may bid for more than it can do, and refuses awards that are too many
  at_bid,    // it never refuses an award, and bids less often
};

// How many units of work a bidder can have at a time, and who has them.
class Commitments {
 public:
  // Which contract of which client.
  struct Key {
    // Contract `id` of the client `of`.
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

  // How far it is with one of them.
  enum class State : std::uint8_t {
    bid,       // it has bid
    accepted,  // it has accepted an award and has no lease yet
    held,      // it has the lease: it is at work
    reported,  // it has said its last word
  };

  // One of them.
  struct Commitment {
    // The contract and the bid, as they were sent.
    Content call;
    Content offer;
    State state = State::bid;
    // What it takes of the capacity.
    std::uint64_t room = 0;
    // The award, from State::accepted on.
    AwardNumber award = 0;
    Items items = 0;
    Amount price = 0;
    // When it ends by itself, and when the lease should be asked for again.
    Time until;
    Time renew = Time::max();
    // The greatest award that was seen.
    AwardNumber seen = 0;

    // What it is about.
    const Contract& contract() const { return call.as<Contract>(); }
  };

  Commitments(std::uint64_t capacity, Promises promises)
      : capacity_(capacity), promises_(promises) {}

  // All there is, and what is taken of it.
  std::uint64_t capacity() const noexcept { return capacity_; }
  std::uint64_t taken() const noexcept { return taken_; }
  std::uint64_t room() const noexcept { return capacity_ - taken_; }
  // How many contracts it has to do with.
  std::size_t size() const noexcept { return all_.size(); }
  // One of them, or nullptr.
  const Commitment* find(const Key& key) const;
  // When something is due at the latest; it may turn out not to be.
  Time due() const noexcept { return due_; }

  // A call for bids: it replaces what was bid in earlier ones. Why not even to think about it;
  // empty: there may be room.
  std::string on_call(const Key& key, const Contract& contract);
  // It wants to bid that for the Contract in `call`. `offer` becomes the bid that can be sent,
  // without offerings for which there is no room; false when none is left.
  bool bid(const Key& key, const Content& call, Bid bid, Time now, Content& offer);
  // An award: why it is refused; empty: it is accepted.
  std::string on_award(const Key& key, const Award& award, Time now);
  // A lease. True when it is the first of its award: now the work begins.
  bool on_lease(const Key& key, const Lease& lease, Time now);
  // It says its last word, or gives the award back. False: it has none by that number.
  bool report(const Key& key, AwardNumber award);
  bool withdraw(const Key& key, AwardNumber award);
  // The client says that it has lost the award, or was paid; true when it was at work.
  bool drop(const Key& key, AwardNumber award);
  // The client rejects what it has bid up to that call.
  void reject(const Key& key, std::uint32_t round);

  // What has to be done now.
  struct Chores {
    std::vector<std::pair<Key, AwardNumber>> renew;  // ask for the lease again
    std::vector<std::pair<Key, AwardNumber>> lost;   // it was at work, and its lease is over
    std::vector<std::pair<Key, AwardNumber>> ended;  // the client has not answered what it said
  };
  // Time has passed: gives what is due.
  Chores on_time(Time now);

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const noexcept { return key.hash; }
  };
  // Nodes come from the pool, as what is said does: one is made for each bid.
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
