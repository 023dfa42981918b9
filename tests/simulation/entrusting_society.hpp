// A sender that entrusts what it sends to a custodian with a disk, while that, the clearinghouse
// and its reader lose their power again and again. What it was told is stored is given, in order,
// and not twice without a mark.
#pragma once

#include "custodian_society.hpp"

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace coracle::test::entrusting {

inline constexpr int life_size = 1000;  // numbers of one life of ann
inline constexpr int batch_size = 12;
inline constexpr std::size_t window = 4;  // sends that she does not await

// Under some seeds there is hardly any room for what nobody has read yet.
inline NodeOptions narrow(std::uint64_t seed) {
  NodeOptions options;
  if (seed % 2 == 0 && seed % 3 != 0) options.absent_limit = 3;
  return options;
}

class EntrustingSociety final : public CustodianSociety {
 public:
  explicit EntrustingSociety(std::uint64_t seed, Slip slip = Slip::nothing)
      : CustodianSociety({seed, slip, narrow(seed), true, life_size, 30ms}) {}
  // Before what its agents write down is gone.
  ~EntrustingSociety() {
    for (const unsigned host : {writer, reader, keeper}) crash(host);
  }

  // Ann sends a batch to bob and awaits that each is stored, while these hosts lose their power and
  // come back.
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
  // The same, while the custodian's disk fails, and its program is killed some time later: it has
  // turned down what may be there all the same.
  void write_while_disk_fails() {
    bool is_done = false;
    begin_writing(is_done);
    const Time sick = world().now() + up_to(world().random(), 10ms);
    until([&] { return world().now() >= sick; });
    world().fail_next_sync(keeper);
    const Time end = world().now() + up_to(world().random(), 2s);
    until([&] { return world().now() >= end; });
    crash(keeper, sim::CrashDisk::keep);
    restart(keeper);
    until([&] { return is_done; });
  }
  // Bob reads what comes, from now on.
  void read() {
    start(reader, "bob", [this](Agent& me) -> Task<> {
      bool is_there = true;
      while (is_there) {
        const Message message = co_await me.receive();
        on(message);
      }
    });
  }
  // All that was stored has been read, or will not be.
  void settle() {
    const Time end = world().now() + 100s;
    until([&] { return is_complete() || world().now() >= end; });
    for (const unsigned host : {writer, reader, keeper}) check_ledger(host);
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

  // They begin again, the clearinghouse first.
  void recover() {
    begin_to_recover();
    for (const unsigned host : {keeper, writer, reader}) {
      if (!is_doomed(host)) continue;
      crash(host);
      restart(host);
      if (host != reader) continue;
      until([&] { return is_free("bob"); });  // the directory has taken his last node for dead
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

// What happens under a seed, to the end.
inline void play(EntrustingSociety& society, std::uint64_t seed) {
  for (std::uint64_t batch = 0; batch < 3; ++batch) {
    const std::uint64_t dice = seed / 3 + batch * 7;
    std::vector<unsigned> doomed;
    if (dice % 2 == 0) doomed.push_back(EntrustingSociety::keeper);
    if (dice % 5 == 1) doomed.push_back(EntrustingSociety::server);
    if (dice % 7 == 2) doomed.push_back(EntrustingSociety::writer);
    if (dice % 3 == 1 && batch > 0) doomed.push_back(EntrustingSociety::reader);
    if (batch == 0 && seed % 3 != 0) society.read();
    if (batch == 1 && seed % 3 == 0) society.read();
    society.write(doomed);
  }
  society.settle();
}

}  // namespace coracle::test::entrusting
