#include "tuple_space/store.hpp"

#include "coracle/detail/pool.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <string_view>
#include <utility>

namespace coracle::detail {

namespace {

// The position for patterns that give no field. They are looked up among all tuples of their shape.
constexpr std::size_t nowhere = max_tuple_fields;
constexpr std::size_t most_shapes = 1024;  // that are kept without being used

std::uint64_t mix(std::uint64_t value) noexcept {
  value ^= value >> 32;
  value *= 0xd6e8feb86659fd93U;
  value ^= value >> 32;
  value *= 0xd6e8feb86659fd93U;
  return value ^ value >> 32;
}

std::size_t kind_of(const TupleField& field) noexcept {
  const auto* open = std::get_if<OpenField>(&field);
  return open != nullptr ? static_cast<std::size_t>(open->kind) : field.index();
}

bool is_given(const TupleField& field) noexcept {
  return !std::holds_alternative<OpenField>(field);
}

std::uint64_t hash_of_bytes(const void* data, std::size_t size) noexcept {
  return std::hash<std::string_view>()(std::string_view(static_cast<const char*>(data), size));
}

std::uint64_t hash_of(const TupleField& field) noexcept {
  if (const auto* text = std::get_if<std::string>(&field)) {
    return hash_of_bytes(text->data(), text->size());
  }
  if (const auto* number = std::get_if<std::int64_t>(&field)) {
    return mix(static_cast<std::uint64_t>(*number));
  }
  if (const auto* truth = std::get_if<bool>(&field)) return *truth ? 1 : 0;
  if (const auto* real = std::get_if<double>(&field)) {
    return mix(std::bit_cast<std::uint64_t>(*real == 0 ? 0.0 : *real));  // -0.0 equals 0.0
  }
  const auto* bytes = std::get_if<std::vector<std::byte>>(&field);
  return bytes != nullptr ? hash_of_bytes(bytes->data(), bytes->size()) : 0;
}

// The shape is the number of fields and their kinds, as an exact number and not a hash.
std::uint64_t shape_number(const TupleFields& fields) noexcept {
  std::uint64_t number = 1;
  for (const TupleField& field : fields) number = number << 3 | kind_of(field);
  return number;
}

std::size_t first_given(const TupleFields& pattern) noexcept {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (is_given(pattern[i])) return i;
  }
  return nowhere;
}

}  // namespace

struct TupleStore::Tuple {
  static void* operator new(std::size_t bytes) { return pool_allocate(bytes); }
  static void operator delete(void* tuple, std::size_t bytes) noexcept { pool_free(tuple, bytes); }

  std::uint64_t number = 0;  // by age
  HeldFields held;
  Time until = Time::max();
  Shape* shape = nullptr;
  Ends::iterator end;
  // Links in the list of all tuples of the shape, in the list of the tuples with the same first
  // field, and in the lists of further indexes.
  std::array<Links, 2> fixed;
  std::vector<Links> more;
};

struct TupleStore::Shape {
  struct Index {
    using Lists = std::unordered_map<std::uint64_t, List>;

    std::size_t position = 0;
    Lists lists;
    Lists::node_type spare{};  // the last list that became empty; the next one reuses its memory

    List& list(std::uint64_t hash) {
      if (spare.empty()) return lists[hash];
      if (const auto known = lists.find(hash); known != lists.end()) return known->second;
      spare.key() = hash;
      return lists.insert(std::move(spare)).position->second;
    }
  };
  // The ages of the waiters that take, and of those that read.
  using Ages = std::array<std::set<Age>, 2>;

  std::uint64_t number = 0;
  List all;
  std::vector<Index> indexes;  // the first index is by the first field
  std::uint32_t waiting_anywhere = 0;
  std::array<std::uint32_t, max_tuple_fields + 1> waiting{};
  std::array<std::unordered_map<std::uint64_t, Ages>, max_tuple_fields + 1> waiters;
  std::size_t used = 0;  // the number of tuples and waiters
};

TupleStore::TupleStore() = default;

TupleStore::~TupleStore() {
  for (auto& [number, shape] : shapes_) {
    for (Tuple* tuple = shape->all.first; tuple != nullptr;) {
      delete std::exchange(tuple, links(*tuple, 0).next);
    }
  }
}

TupleStore::Links& TupleStore::links(Tuple& tuple, std::size_t which) noexcept {
  return which < tuple.fixed.size() ? tuple.fixed[which] : tuple.more[which - tuple.fixed.size()];
}

// Inserts a tuple by age: a new tuple is the youngest; a tuple that comes back is among the oldest.
void TupleStore::insert(List& list, Tuple& tuple, std::size_t which) noexcept {
  Tuple* next = nullptr;
  if (list.last != nullptr && list.last->number > tuple.number) {
    next = list.first;
    while (next->number < tuple.number) next = links(*next, which).next;
  }
  Tuple* const prev = next != nullptr ? links(*next, which).prev : list.last;
  links(tuple, which) = {next, prev};
  (prev != nullptr ? links(*prev, which).next : list.first) = &tuple;
  (next != nullptr ? links(*next, which).prev : list.last) = &tuple;
}

void TupleStore::remove(List& list, Tuple& tuple, std::size_t which) noexcept {
  const Links own = links(tuple, which);
  (own.prev != nullptr ? links(*own.prev, which).next : list.first) = own.next;
  (own.next != nullptr ? links(*own.next, which).prev : list.last) = own.prev;
}

TupleStore::Shape& TupleStore::shape_of(const TupleFields& fields) {
  auto& shape = shapes_[shape_number(fields)];
  if (!shape) {
    shape = std::make_unique<Shape>();
    shape->number = shape_number(fields);
    shape->indexes.emplace_back();
    if (shapes_.size() > most_shapes) {
      ++shape->used;  // so that this shape is not forgotten
      Shape& kept = *shape;
      forget_shapes();
      --kept.used;
      return kept;
    }
  }
  return *shape;
}

void TupleStore::forget_shapes() {
  std::erase_if(shapes_, [](const auto& each) { return each.second->used == 0; });
}

// From now on, tuples of this shape are also found by that field.
void TupleStore::index(Shape& shape, std::size_t position) {
  const std::size_t which = shape.indexes.size() + 1;
  shape.indexes.emplace_back();
  shape.indexes.back().position = position;
  for (Tuple* tuple = shape.all.first; tuple != nullptr; tuple = links(*tuple, 0).next) {
    tuple->more.emplace_back();
    insert(shape.indexes.back().lists[hash_of((*tuple->held.fields)[position])], *tuple, which);
  }
}

void TupleStore::keep(std::unique_ptr<Tuple> owned) {
  Tuple& tuple = *owned.release();
  Shape& shape = *tuple.shape;
  tuple.more.resize(shape.indexes.size() - 1);
  insert(shape.all, tuple, 0);
  for (std::size_t i = 0; i < shape.indexes.size(); ++i) {
    Shape::Index& by = shape.indexes[i];
    insert(by.list(hash_of((*tuple.held.fields)[by.position])), tuple, i + 1);
  }
  if (tuple.until != Time::max()) tuple.end = ends_.emplace(tuple.until, &tuple);
  ++tuples_;
  ++shape.used;
}

std::unique_ptr<TupleStore::Tuple> TupleStore::lift(Tuple& tuple) {
  Shape& shape = *tuple.shape;
  remove(shape.all, tuple, 0);
  for (std::size_t i = 0; i < shape.indexes.size(); ++i) {
    Shape::Index& by = shape.indexes[i];
    const auto list = by.lists.find(hash_of((*tuple.held.fields)[by.position]));
    remove(list->second, tuple, i + 1);
    if (list->second.first == nullptr) by.spare = by.lists.extract(list);
  }
  if (tuple.until != Time::max()) ends_.erase(tuple.end);
  --tuples_;
  --shape.used;
  return std::unique_ptr<Tuple>(&tuple);
}

TupleStore::Tuple* TupleStore::find(const TupleFields& pattern) {
  const auto known = shapes_.find(shape_number(pattern));
  if (known == shapes_.end()) return nullptr;
  Shape& shape = *known->second;
  const std::size_t position = first_given(pattern);
  List list = shape.all;
  std::size_t which = 0;
  if (position != nowhere && shape.all.first != nullptr) {
    std::size_t i = 0;
    while (i < shape.indexes.size() && shape.indexes[i].position != position) ++i;
    if (i == shape.indexes.size()) index(shape, position);
    const auto found = shape.indexes[i].lists.find(hash_of(pattern[position]));
    if (found == shape.indexes[i].lists.end()) return nullptr;
    list = found->second;
    which = i + 1;
  }
  for (Tuple* tuple = list.first; tuple != nullptr; tuple = links(*tuple, which).next) {
    if (matches(pattern, *tuple->held.fields)) return tuple;
  }
  return nullptr;
}

void TupleStore::out(HeldFields held, Time until, std::vector<Grant>& grants) {
  auto tuple = std::make_unique<Tuple>();
  tuple->number = next_tuple_++;
  tuple->shape = &shape_of(*held.fields);
  tuple->held = std::move(held);
  tuple->until = until;
  offer(std::move(tuple), grants, true);
}

// Notices are sent for new tuples, not for tuples that come back.
void TupleStore::offer(std::unique_ptr<Tuple> tuple, std::vector<Grant>& grants, bool is_new) {
  Shape& shape = *tuple->shape;
  if (shape.waiting_anywhere == 0) return keep(std::move(tuple));
  const TupleFields& fields = *tuple->held.fields;
  Age taker = 0;
  std::vector<Age> readers;
  for (std::size_t position = 0; position < shape.waiting.size(); ++position) {
    if (shape.waiting[position] == 0) continue;
    const auto& there = shape.waiters[position];
    const auto found = there.find(position == nowhere ? 0 : hash_of(fields[position]));
    if (found == there.end()) continue;
    for (const Age age : found->second[0]) {
      if (taker != 0 && age > taker) break;
      if (!matches(*waiters_.at(age).pattern.fields, fields)) continue;
      taker = age;
      break;
    }
    for (const Age age : found->second[1]) {
      const Waiter& waiter = waiters_.at(age);
      if (waiter.wish == Wish::notice && !is_new) continue;
      if (matches(*waiter.pattern.fields, fields)) readers.push_back(age);
    }
  }
  for (const Age age : readers) {
    const Waiter& waiter = waiters_.at(age);
    grants.push_back({age, waiter.wish, waiter.whose, tuple->held.content, no_loan});
    if (waiter.wish == Wish::read) (void)forget(age);
  }
  if (taker == 0) return keep(std::move(tuple));
  Content content = tuple->held.content;
  const std::uint32_t whose = *forget(taker);
  grants.push_back({taker, Wish::take, whose, std::move(content), lend(std::move(tuple))});
}

Loan TupleStore::lend(std::unique_ptr<Tuple> tuple) {
  ++tuple->shape->used;  // the tuple may come back
  if (free_loans_.empty()) {
    free_loans_.push_back(static_cast<Loan>(loans_.size()));
    loans_.emplace_back();
  }
  const Loan loan = free_loans_.back();
  free_loans_.pop_back();
  loans_[loan] = std::move(tuple);
  return loan;
}

std::optional<Content> TupleStore::read(const TupleFields& pattern) {
  const Tuple* const tuple = find(pattern);
  if (tuple == nullptr) return std::nullopt;
  return tuple->held.content;
}

std::optional<Grant> TupleStore::take(const TupleFields& pattern) {
  Tuple* const tuple = find(pattern);
  if (tuple == nullptr) return std::nullopt;
  Grant grant;
  grant.tuple = tuple->held.content;
  grant.loan = lend(lift(*tuple));
  return grant;
}

void TupleStore::note_gone(const Tuple& tuple) {
  if (tuple.held.kept != 0) gone_.push_back(tuple.held.kept);
}

void TupleStore::settle(Loan loan) {
  assert(loan < loans_.size() && loans_[loan]);
  note_gone(*loans_[loan]);
  --loans_[loan]->shape->used;
  loans_[loan].reset();
  free_loans_.push_back(loan);
}

void TupleStore::give_back(Loan loan, Time now, std::vector<Grant>& grants) {
  assert(loan < loans_.size() && loans_[loan]);
  std::unique_ptr<Tuple> tuple = std::move(loans_[loan]);
  free_loans_.push_back(loan);
  --tuple->shape->used;
  if (tuple->until <= now) {
    note_gone(*tuple);
    return static_cast<void>(++expired_);
  }
  offer(std::move(tuple), grants, false);
}

const TupleFields& TupleStore::fields_of(Loan loan) const { return *loans_.at(loan)->held.fields; }

Age TupleStore::wait(HeldFields pattern, Wish wish, Time until, std::uint32_t whose, Age age) {
  if (age == 0 || age >= next_age_ || waiters_.contains(age)) age = next_age_++;
  Waiter waiter;
  waiter.shape = &shape_of(*pattern.fields);
  waiter.place.position = first_given(*pattern.fields);
  if (waiter.place.position != nowhere) {
    waiter.place.hash = hash_of((*pattern.fields)[waiter.place.position]);
  }
  waiter.pattern = std::move(pattern);
  waiter.wish = wish;
  waiter.until = until;
  waiter.whose = whose;
  waiter.end = until != Time::max() ? wait_ends_.emplace(until, age) : wait_ends_.end();
  const Place place = waiter.place;
  Shape& shape = *waiter.shape;
  ++shape.waiting[place.position];
  ++shape.waiting_anywhere;
  ++shape.used;
  shape.waiters[place.position][place.hash][wish == Wish::take ? 0 : 1].insert(age);
  waiters_.emplace(age, std::move(waiter));
  return age;
}

std::optional<std::uint32_t> TupleStore::forget(Age age) {
  const auto found = waiters_.find(age);
  if (found == waiters_.end()) return std::nullopt;
  Waiter& waiter = found->second;
  const Place place = waiter.place;
  Shape& shape = *waiter.shape;
  const auto there = shape.waiters[place.position].find(place.hash);
  there->second[waiter.wish == Wish::take ? 0 : 1].erase(age);
  if (there->second[0].empty() && there->second[1].empty()) {
    shape.waiters[place.position].erase(there);
  }
  --shape.waiting[place.position];
  --shape.waiting_anywhere;
  --shape.used;
  if (waiter.until != Time::max()) wait_ends_.erase(waiter.end);
  const std::uint32_t whose = waiter.whose;
  waiters_.erase(found);
  return whose;
}

bool TupleStore::renew(Age age, Time until) {
  const auto found = waiters_.find(age);
  if (found == waiters_.end() || found->second.wish != Wish::notice) return false;
  Waiter& waiter = found->second;
  if (waiter.until != Time::max()) wait_ends_.erase(waiter.end);
  waiter.until = until;
  if (until != Time::max()) waiter.end = wait_ends_.emplace(until, age);
  return true;
}

std::vector<TupleStore::Expired> TupleStore::advance(Time now) {
  while (!ends_.empty() && ends_.begin()->first <= now) {
    note_gone(*lift(*ends_.begin()->second));
    ++expired_;
  }
  std::vector<Expired> told;
  while (!wait_ends_.empty() && wait_ends_.begin()->first <= now) {
    const Age age = wait_ends_.begin()->second;
    const Wish wish = waiters_.at(age).wish;
    told.push_back({age, wish, *forget(age)});
  }
  return told;
}

Time TupleStore::next_end() const noexcept {
  const Time tuple = ends_.empty() ? Time::max() : ends_.begin()->first;
  const Time waiter = wait_ends_.empty() ? Time::max() : wait_ends_.begin()->first;
  return std::min(tuple, waiter);
}

}  // namespace coracle::detail
