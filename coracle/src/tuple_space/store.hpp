// The tuples of one space, and the waiters for tuples: a pure state machine. Requests and the time
// go in, results come out. It is sequential: a request finds the state that earlier requests left.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/content.hpp"
#include "coracle/tuple.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::detail {

// A tuple or a pattern: the fields, and the content that keeps them in memory.
struct HeldFields {
  Content content;
  const TupleFields* fields = nullptr;
  std::uint64_t kept = 0;  // a tuple's number at the space's keeper, if there is one
};

// A waiter is identified by its age: the smaller the age, the longer it has waited.
using Age = std::uint64_t;
// A tuple that was handed out, and may come back.
using Loan = std::uint32_t;
inline constexpr Loan no_loan = ~Loan{0};

enum class Wish : std::uint8_t { take, read, notice };

// A tuple for a waiter.
struct Grant {
  Age age = 0;
  Wish wish = Wish::take;
  std::uint32_t whose = 0;
  Content tuple;
  Loan loan = no_loan;  // of a take
};

class TupleStore {
 public:
  TupleStore();
  TupleStore(const TupleStore&) = delete;
  TupleStore& operator=(const TupleStore&) = delete;
  ~TupleStore();

  // Stores a tuple until then, or gives it to waiters: all that read it get it, and the one that
  // has waited longest of those that take it.
  void out(HeldFields tuple, Time until, std::vector<Grant>& grants);
  // The oldest tuple that matches; it stays.
  std::optional<Content> read(const TupleFields& pattern);
  // Takes the oldest tuple that matches out of the store; it is gone for ever once the loan is
  // settled.
  std::optional<Grant> take(const TupleFields& pattern);
  // Confirms that the tuple has reached the agent that took it.
  void settle(Loan loan);
  // Puts back a tuple that did not reach the agent: it is as if the tuple had never been away,
  // unless its time is over.
  void give_back(Loan loan, Time now, std::vector<Grant>& grants);

  // Adds a waiter for a tuple that is not there or, for notices, for all tuples that come. An age
  // that was given before is kept.
  Age wait(HeldFields pattern, Wish wish, Time until, std::uint32_t whose, Age age = 0);
  // Ends a wait; returns the waiter's `whose` if it was waiting.
  std::optional<std::uint32_t> forget(Age age);
  // Changes the end of a wait for notices; returns false when there is no such wait.
  bool renew(Age age, Time until);

  // Ends what is due: removes tuples, and returns the waiters whose time is over.
  struct Expired {
    Age age = 0;
    Wish wish = Wish::take;
    std::uint32_t whose = 0;
  };
  std::vector<Expired> advance(Time now);
  // The time when something ends next; Time::max() if never.
  Time next_end() const noexcept;

  // The numbers of kept tuples that have gone for ever since the last call.
  std::vector<std::uint64_t> take_gone() noexcept { return std::exchange(gone_, {}); }
  bool has_gone() const noexcept { return !gone_.empty(); }

  // The fields of a lent tuple.
  const TupleFields& fields_of(Loan loan) const;
  std::size_t tuples() const noexcept { return tuples_; }
  std::size_t lent() const noexcept { return loans_.size() - free_loans_.size(); }
  std::size_t waiting() const noexcept { return waiters_.size(); }
  std::uint64_t expired() const noexcept { return expired_; }

 private:
  struct Tuple;
  struct Shape;
  struct List {
    Tuple* first = nullptr;
    Tuple* last = nullptr;
  };
  struct Links {
    Tuple* next = nullptr;
    Tuple* prev = nullptr;
  };
  using Ends = std::multimap<Time, Tuple*>;
  using WaitEnds = std::multimap<Time, Age>;
  // The index position of a waiter: by the first field that its pattern gives.
  struct Place {
    std::size_t position = 0;
    std::uint64_t hash = 0;
  };
  struct Waiter {
    HeldFields pattern;
    Wish wish = Wish::take;
    Time until = Time::max();
    std::uint32_t whose = 0;
    Shape* shape = nullptr;
    Place place;
    WaitEnds::iterator end;
  };

  static Links& links(Tuple& tuple, std::size_t which) noexcept;
  static void insert(List& list, Tuple& tuple, std::size_t which) noexcept;
  static void remove(List& list, Tuple& tuple, std::size_t which) noexcept;
  Shape& shape_of(const TupleFields& fields);
  Tuple* find(const TupleFields& pattern);
  void index(Shape& shape, std::size_t position);
  void keep(std::unique_ptr<Tuple> tuple);
  std::unique_ptr<Tuple> lift(Tuple& tuple);
  void offer(std::unique_ptr<Tuple> tuple, std::vector<Grant>& grants, bool is_new);
  Loan lend(std::unique_ptr<Tuple> tuple);
  void forget_shapes();
  void note_gone(const Tuple& tuple);

  std::unordered_map<std::uint64_t, std::unique_ptr<Shape>> shapes_;
  std::unordered_map<Age, Waiter> waiters_;
  Ends ends_;
  WaitEnds wait_ends_;
  std::vector<std::unique_ptr<Tuple>> loans_;
  std::vector<Loan> free_loans_;
  std::vector<std::uint64_t> gone_;
  std::uint64_t next_tuple_ = 1;
  Age next_age_ = 1;
  std::size_t tuples_ = 0;
  std::uint64_t expired_ = 0;
};

}  // namespace coracle::detail
