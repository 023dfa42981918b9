#include "runtime/worker/inbox.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <iostream>
#include <thread>
#include <vector>

#include "models.hpp"
#include "real_threads.hpp"

namespace coracle::testing {
namespace {

struct PlainNote {
  PlainNote* inbox_next = nullptr;
  std::size_t sender = 0;
  std::size_t number = 0;
};

// Two threads post to one consumer, which waits only if a push has returned that it must be woken.
class TwoSenders {
 public:
  TwoSenders(std::size_t first, std::size_t second) : notes_{first, second} {}

  std::vector<Script> threads() {
    return {{"sender 0", [this] { send(0); }},
            {"sender 1", [this] { send(1); }},
            {"consumer", [this] { consume(); }}};
  }
  void check() { require(inbox_.empty(), "something is left in the inbox"); }

 private:
  using ModelNote = Note<ExploreSync>;

  void send(std::size_t self) {
    for (std::size_t i = 0; i < notes_[self]; ++i) {
      store_[self][i].sender = self;
      store_[self][i].number = i;
      if (inbox_.push(store_[self][i])) posted_.release();
    }
  }
  void consume() {
    while (next_[0] + next_[1] < notes_[0] + notes_[1]) {
      ModelNote* note = inbox_.take();
      if (note == nullptr) posted_.acquire();
      for (; note != nullptr; note = note->inbox_next) {
        require(note->number == next_[note->sender]++, "lost, doubled or reordered");
      }
    }
  }

  const std::size_t notes_[2];
  ModelNote store_[2][2];
  detail::Inbox<ModelNote, ExploreSync> inbox_;
  ExploreSemaphore posted_;
  std::size_t next_[2] = {0, 0};
};

void proves(const char* what, const Report& report) {
  std::cout << "inbox: " << what << ": " << report << '\n';
  BOOST_TEST(report.ok(), report);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inbox)

BOOST_AUTO_TEST_CASE(what_was_pushed_is_taken_at_once_and_oldest_first) {
  detail::Inbox<PlainNote> inbox;
  PlainNote notes[3];
  BOOST_TEST(inbox.take() == nullptr);
  BOOST_TEST(inbox.push(notes[0]));
  BOOST_TEST(!inbox.push(notes[1]));
  BOOST_TEST(!inbox.push(notes[2]));
  BOOST_TEST(!inbox.empty());

  const PlainNote* note = inbox.take();
  for (const auto& expected : notes) {
    BOOST_TEST_REQUIRE(note == &expected);
    note = note->inbox_next;
  }
  BOOST_TEST(note == nullptr);
  BOOST_TEST(inbox.empty());
  BOOST_TEST(inbox.push(notes[0]));
}

BOOST_AUTO_TEST_CASE(every_interleaving_of_two_senders_keeps_each_ones_order_and_all_notes) {
  proves("2 senders, 1 note each", explore<TwoSenders>(1U, 1U));
  proves("2 senders, 2 notes and 1", explore<TwoSenders>(2U, 1U));
  if (sanitized) return;  // the sanitizers have seen it all by now
  proves("2 senders, 2 notes each", explore<TwoSenders>(2U, 2U));
}

BOOST_AUTO_TEST_CASE(two_real_senders_reach_a_consumer_that_sleeps) {
  detail::Inbox<PlainNote> inbox;
  detail::Parking<> parking;
  Waiter waiter;
  std::vector<PlainNote> notes[2];
  std::vector<std::thread> senders;
  for (std::size_t self = 0; self < 2; ++self) {
    notes[self].resize(stress_size);
    senders.emplace_back([&, self] {
      for (std::size_t i = 0; i < stress_size; ++i) {
        notes[self][i].sender = self;
        notes[self][i].number = i;
        if (inbox.push(notes[self][i]) && parking.claim_wake()) waiter.wake();
      }
    });
  }
  std::size_t next[2] = {0, 0};
  std::size_t disorder = 0;
  while (next[0] + next[1] < 2 * stress_size) {
    const PlainNote* note = inbox.take();
    if (note == nullptr) {
      parking.park([&] { return !inbox.empty(); }, [&] { waiter.wait(); });
    }
    for (; note != nullptr; note = note->inbox_next) {
      if (note->number != next[note->sender]++) ++disorder;
    }
  }
  for (auto& sender : senders) sender.join();
  BOOST_TEST(disorder == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::testing
