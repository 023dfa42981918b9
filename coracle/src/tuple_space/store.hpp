// The tuples of one space, and who waits for some: a pure state machine. Requests and the time go
// in, answers come out. It is sequential: what a request finds is what earlier ones left.
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

// A tuple or a pattern: the fields, and what keeps them in memory.
struct HeldFields {
  Content content;
  const TupleFields* fields = nullptr;
  std::uint64_t kept = 0;  // a tuple's number at the space's keeper, if there is one
};

// Who waits is known by its age: the smaller, the longer.
using Age = std::uint64_t;
// A tuple that was handed out, and may come back.
using Loan = std::uint32_t;
inline constexpr Loan no_loan = ~Loan{0};

enum class Wish : std::uint8_t { take, read, notice };

// Somebody who waits gets a tuple.
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

  // Stores a tuple until then, or gives it to who waits for it; all who read it get it, and who has
  // waited longest of those who take.
  void out(HeldFields tuple, Time until, std::vector<Grant>& grants);
  // The oldest tuple that fits, which stays.
  std::optional<Content> read(const TupleFields& pattern);
  // The oldest that fits, which goes: for ever once the loan is settled.
  std::optional<Grant> take(const TupleFields& pattern);
  // Whoever took the tuple has it.
  void settle(Loan loan);
  // Nobody has it: it is as if it had never been away, unless its time is over.
  void give_back(Loan loan, Time now, std::vector<Grant>& grants);

  // Somebody waits for a tuple that is not there; for all that come, when it is for notices. An age
  // that was given before is kept.
  Age wait(HeldFields pattern, Wish wish, Time until, std::uint32_t whose, Age age = 0);
  // It waits no longer; whose it was, if it did.
  std::optional<std::uint32_t> forget(Age age);
  // Another end of its waiting; false when it does not wait.
  bool renew(Age age, Time until);

  // Ends what ends by then: tuples go, and who has waited so long is told.
  struct Expired {
    Age age = 0;
    Wish wish = Wish::take;
    std::uint32_t whose = 0;
  };
  std::vector<Expired> advance(Time now);
  // When there is something to end; Time::max() if never.
  Time next_end() const noexcept;

  // Kept tuples that have gone for ever since this was last asked, by their numbers.
  std::vector<std::uint64_t> take_gone() noexcept { return std::exchange(gone_, {}); }
  bool has_gone() const noexcept { return !gone_.empty(); }

  // What was lent.
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
  // Where somebody waits: by the first field that its pattern gives.
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
