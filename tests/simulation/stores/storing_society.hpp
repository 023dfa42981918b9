// A sender that sends to a message store with a disk, while the store, the clearinghouse and the
// reader lose their power again and again. Messages that were reported as stored are delivered in
// order, and not twice without the redelivered mark.
#pragma once

#include "store_society.hpp"

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace coracle::test::storing {

inline constexpr int life_size = 1000;  // the count of numbers of one incarnation of ann
inline constexpr int batch_size = 12;
inline constexpr std::size_t window = 4;  // sends without a wait for their result

// Under some seeds, the store has hardly any room for unread messages.
inline NodeOptions narrow(std::uint64_t seed) {
  NodeOptions options;
  if (seed % 2 == 0 && seed % 3 != 0) options.absent_limit = 3;
  return options;
}

class StoringSociety final : public StoreSociety {
 public:
  explicit StoringSociety(std::uint64_t seed, BackendFault fault = BackendFault::nothing)
      : StoreSociety({seed, fault, narrow(seed), true, life_size, 30ms}) {}
  // The nodes end before the data that their agents write is destroyed.
  ~StoringSociety() {
    for (const unsigned host : {writer, reader, store}) crash(host);
  }

  // Ann sends a batch to bob and waits until each message is stored, while these hosts lose their
  // power and come back.
  void write(const std::vector<unsigned>& doomed) {
    bool is_done = false;
    begin_writing(is_done);
    doom(doomed);
    doomed_writer_ = is_doomed(writer);
    const Time end = world().now() + up_to(world().random(), 4s);
    until([&] { return world().now() >= end; });
    recover();
    until([&] { return is_done || doomed_writer_; });
    if (doomed_writer_) next_life();
  }
  // The same, while the message store's disk fails, and its program is killed some time later: it
  // has refused messages that may be on the disk all the same.
  void write_while_disk_fails() {
    bool is_done = false;
    begin_writing(is_done);
    const Time sick = world().now() + up_to(world().random(), 10ms);
    until([&] { return world().now() >= sick; });
    world().fail_next_sync(store);
    const Time end = world().now() + up_to(world().random(), 2s);
    until([&] { return world().now() >= end; });
    restart_store();
    until([&] { return is_done; });
  }
  // The message store's program is killed and starts again.
  void restart_store() {
    crash(store, sim::CrashDisk::keep);
    restart(store);
  }
  // From now on, bob reads all his messages.
  void read() {
    start(reader, "bob", [this](Agent& me) -> Task<> {
      bool is_there = true;
      while (is_there) {
        const Message message = co_await me.receive();
        on(message);
      }
    });
  }
  // All stored messages have been read, or will not be read.
  void settle() {
    const Time end = world().now() + 100s;
    until([&] { return (is_complete() && kept() == 0) || world().now() >= end; });
    if (kept() != 0 || kept_bytes() != 0)
      note_wrong("the store still counts " + std::to_string(kept()) + " messages of " +
                 std::to_string(kept_bytes()) + " bytes");
    for (const unsigned host : {writer, reader, store}) check_ledger(host);
  }

 private:
  void begin_writing(bool& is_done) {
    start(writer, "ann", [this, &is_done](Agent& me) -> Task<> {
      std::deque<std::pair<int, Receipt>> waiting;
      for (int sent = 0; sent < batch_size || !waiting.empty(); ++sent) {
        if (sent < batch_size) {
          const int number = life_ * life_size + next_++;
          Post post(Name("bob"), Content(std::to_string(number)));
          post.patience(Deadline(1000s));
          waiting.emplace_back(number, co_await me.track(std::move(post)));
        }
        if (sent < batch_size && waiting.size() < window) continue;
        if (co_await waiting.front().second.reached(Stage::stored))
          note_stored(waiting.front().first);
        waiting.pop_front();
      }
      is_done = true;
    });
  }

  // The hosts start again, the clearinghouse first.
  void recover() {
    begin_to_recover();
    for (const unsigned host : {store, writer, reader}) {
      if (!is_doomed(host)) continue;
      crash(host);
      restart(host);
      if (host != reader) continue;
      until([&] { return is_free("bob"); });  // the directory has declared his last node dead
      read();
    }
    forget_doomed();
  }
  bool is_free(const Name& name) {
    const auto known = at(reader).directory().try_look_up(name);
    return known && !*known;
  }
  void next_life() {
    doomed_writer_ = false;
    ++life_;
    next_ = 0;
  }

  bool doomed_writer_ = false;
  int life_ = 0, next_ = 0;
};

// Plays the events of a seed to the end.
inline void play(StoringSociety& society, std::uint64_t seed) {
  for (std::uint64_t batch = 0; batch < 3; ++batch) {
    const std::uint64_t dice = seed / 3 + batch * 7;
    std::vector<unsigned> doomed;
    if (dice % 2 == 0) doomed.push_back(StoringSociety::store);
    if (dice % 5 == 1) doomed.push_back(StoringSociety::server);
    if (dice % 7 == 2) doomed.push_back(StoringSociety::writer);
    if (dice % 3 == 1 && batch > 0) doomed.push_back(StoringSociety::reader);
    if (batch == 0 && seed % 3 != 0) society.read();
    if (batch == 1 && seed % 3 == 0) society.read();
    society.write(doomed);
  }
  society.settle();
}

}  // namespace coracle::test::storing
