// Small programs around the lock-free parts, for the explorer. Each takes the parts as template
// arguments, so that mutations_test can run them with broken ones.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "explore_sync.hpp"
#include "runtime/worker/inbox.hpp"
#include "runtime/worker/parking.hpp"
#include "runtime/worker/ring.hpp"

namespace coracle::testing {

struct alignas(64) Letter {
  std::size_t number = 0;
};

template <class Sync>
struct Note {
  typename Sync::template Cell<Note*> inbox_next;
  std::size_t sender = 0;
  std::size_t number = 0;
};

using ExploredRing = detail::Ring<Letter, ExploreSync>;
using ExploredParking = detail::Parking<ExploreSync>;

// A producer that fills a ring in batches and waits for room; a consumer that waits for letters.
template <class Ring = ExploredRing>
class RingModel {
 public:
  struct Size {
    std::size_t capacity, letters, batch, most_at_once;
  };
  explicit RingModel(Size size) : size_(size), ring_(size.capacity) {}

  std::vector<Script> threads() {
    return {{"producer", [this] { produce(); }}, {"consumer", [this] { consume(); }}};
  }
  void check() { require(ring_.empty(), "something is left in the ring"); }

 private:
  void produce() {
    for (std::size_t i = 0; i < size_.letters; ++i) {
      while (!ring_.try_push({i})) {
        publish();
        if (ring_.wait_for_room()) room_.acquire();
      }
      if (ring_.unpublished() == size_.batch) publish();
    }
    publish();
  }
  void publish() {
    if (ring_.publish()) letters_.release();
  }

  void consume() {
    while (next_ < size_.letters) {
      const auto count = ring_.consume(
          [this](Letter& letter) { require(letter.number == next_++, "lost, doubled, reordered"); },
          size_.most_at_once);
      require(count <= size_.most_at_once, "more than asked for");
      if (ring_.take_room_request()) room_.release();
      if (count == 0) letters_.acquire();
    }
  }

  Size size_;
  Ring ring_;
  ExploreSemaphore letters_;
  ExploreSemaphore room_;
  std::size_t next_ = 0;
};

// One worker with a ring from each of several producers; the worker sleeps when all rings are
// empty.
template <class Ring = ExploredRing, class Parking = ExploredParking>
class ParkedRings {
 public:
  // `letters`: the number of letters that each producer sends.
  explicit ParkedRings(std::vector<std::size_t> letters, bool rechecks = true)
      : letters_(std::move(letters)), rechecks_(rechecks), next_(letters_.size()) {
    for (std::size_t i = 0; i < letters_.size(); ++i) rings_.emplace_back(4U);
  }

  std::vector<Script> threads() {
    std::vector<Script> scripts{{"worker", [this] { work(); }}};
    for (std::size_t i = 0; i < rings_.size(); ++i) {
      scripts.push_back({"producer " + std::to_string(i), [this, i] { produce(i); }});
    }
    return scripts;
  }
  void check() { require(wakes_ <= sleeps_, "more than one wake for one sleep"); }

 private:
  void produce(std::size_t self) {
    for (std::size_t i = 0; i < letters_[self]; ++i) {
      require(rings_[self].try_push({i}), "no room");
      if (rings_[self].publish() && parking_.claim_wake()) {
        ++wakes_;
        wake_.release();
      }
    }
  }

  void work() {
    while (next_ != letters_) {
      if (take() != 0) continue;
      ++sleeps_;
      parking_.park([this] { return rechecks_ && any_ready(); }, [this] { wake_.acquire(); });
    }
  }
  std::size_t take() {
    std::size_t count = 0;
    for (std::size_t i = 0; i < rings_.size(); ++i) {
      count += rings_[i].consume(
          [&](Letter& letter) { require(letter.number == next_[i]++, "lost or reordered"); }, 4);
    }
    return count;
  }
  bool any_ready() const {
    for (const auto& ring : rings_) {
      if (!ring.empty()) return true;
    }
    return false;
  }

  const std::vector<std::size_t> letters_;
  const bool rechecks_;
  std::deque<Ring> rings_;
  Parking parking_;
  ExploreSemaphore wake_;
  std::vector<std::size_t> next_;
  std::size_t sleeps_ = 0;
  std::size_t wakes_ = 0;
};

// Two workers, as in a node: the sender sleeps in its own parking when the ring is full.
// `asks_early` makes the mistake of which wait_for_room() warns.
template <class Ring = ExploredRing, class Parking = ExploredParking>
class ParkedSender {
 public:
  ParkedSender(std::size_t capacity, std::size_t letters, bool asks_early = false)
      : letters_(letters), asks_early_(asks_early), ring_(capacity) {}

  std::vector<Script> threads() {
    return {{"sender", [this] { send(); }}, {"receiver", [this] { receive(); }}};
  }
  void check() {}

 private:
  void send() {
    for (std::size_t i = 0; i < letters_; ++i) {
      while (!ring_.try_push({i})) {
        publish();
        if (asks_early_ && !ring_.wait_for_room()) continue;
        sender_.park([this] { return asks_early_ ? ring_.has_room() : !ring_.wait_for_room(); },
                     [this] { wake_sender_.acquire(); });
      }
    }
    publish();
  }
  void publish() {
    if (ring_.publish() && receiver_.claim_wake()) wake_receiver_.release();
  }

  void receive() {
    while (next_ < letters_) {
      const auto count = ring_.consume(
          [this](Letter& letter) { require(letter.number == next_++, "lost or reordered"); }, 4);
      if (ring_.take_room_request() && sender_.claim_wake()) wake_sender_.release();
      if (count != 0) continue;
      receiver_.park([this] { return !ring_.empty(); }, [this] { wake_receiver_.acquire(); });
    }
  }

  const std::size_t letters_;
  const bool asks_early_;
  Ring ring_;
  Parking sender_;
  Parking receiver_;
  ExploreSemaphore wake_sender_;
  ExploreSemaphore wake_receiver_;
  std::size_t next_ = 0;
};

// Threads from outside and a worker that sleeps when its inbox is empty.
template <class Sync = ExploreSync, class Parking = ExploredParking>
class ParkedInbox {
 public:
  static constexpr std::size_t most = 3;

  // `notes`: the number of notes that each sender posts.
  explicit ParkedInbox(std::vector<std::size_t> notes)
      : notes_(std::move(notes)), next_(notes_.size()) {}

  std::vector<Script> threads() {
    std::vector<Script> scripts{{"worker", [this] { work(); }}};
    for (std::size_t i = 0; i < notes_.size(); ++i) {
      scripts.push_back({"sender " + std::to_string(i), [this, i] { send(i); }});
    }
    return scripts;
  }
  void check() {
    require(inbox_.empty(), "something is left in the inbox");
    require(wakes_ <= sleeps_, "more than one wake for one sleep");
  }

 private:
  void send(std::size_t self) {
    for (std::size_t i = 0; i < notes_[self]; ++i) {
      auto& note = store_[self][i];
      note.sender = self;
      note.number = i;
      if (inbox_.push(note) && parking_.claim_wake()) {
        ++wakes_;
        wake_.release();
      }
    }
  }

  void work() {
    while (next_ != notes_) {
      Note<Sync>* note = inbox_.take();
      if (note == nullptr) {
        ++sleeps_;
        parking_.park([this] { return !inbox_.empty(); }, [this] { wake_.acquire(); });
      }
      for (; note != nullptr; note = note->inbox_next) {
        require(note->number == next_[note->sender]++, "lost, doubled or reordered");
      }
    }
  }

  const std::vector<std::size_t> notes_;
  std::array<std::array<Note<Sync>, most>, most> store_;
  detail::Inbox<Note<Sync>, Sync> inbox_;
  Parking parking_;
  ExploreSemaphore wake_;
  std::vector<std::size_t> next_;
  std::size_t sleeps_ = 0;
  std::size_t wakes_ = 0;
};

}  // namespace coracle::testing
