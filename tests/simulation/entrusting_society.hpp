// A sender that entrusts what it sends to a custodian with a disk, while that, the clearinghouse
// and its reader lose their power again and again. What it was told is stored is given, in order,
// and not twice without a mark.
#pragma once

#include "linked_hosts.hpp"
#include "slipping_custody.hpp"
#include "store/journal_custody.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace coracle::test::entrusting {

inline constexpr unsigned writer = 0, reader = 1, keeper = 2, server = 3;
inline constexpr int life_size = 1000;  // numbers of one life of ann
inline constexpr int batch_size = 12;
inline constexpr std::size_t window = 4;  // sends that she does not await

inline sim::Options settings_of(std::uint64_t seed) {
  sim::Options options;
  options.seed = sim::seed_from_environment(seed);
  options.nodes = 4;
  return options;
}

// However often a message is given back, it is given again. Under some seeds there is hardly any
// room for what nobody has read yet.
inline NodeOptions patient(std::uint64_t seed) {
  NodeOptions options;
  options.redelivery_limit = 1000;
  if (seed % 2 == 0 && seed % 3 != 0) options.absent_limit = 3;
  return options;
}

class EntrustingSociety final : public Nodes {
 public:
  explicit EntrustingSociety(std::uint64_t seed, Slip slip = Slip::nothing)
      : EntrustingSociety(seed, slip, std::make_shared<std::unique_ptr<LinkedDirectory>>()) {}
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
    const Time end = world().now() + up_to(world().random(), 4s);
    until([&] { return world().now() >= end; });
    recover();
    until([&] { return is_done || doomed_writer_; });
    if (doomed_writer_) next_life();
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
    for (const unsigned host : {writer, reader, keeper}) {
      const Ledger ledger = at(host).ledger();
      if (!ledger.balanced()) wrong_ += ledger.to_string() + "; ";
    }
  }

  std::size_t stored() const { return stored_.size(); }
  std::size_t again() const { return again_; }
  // What is not as it was promised.
  std::string wrong() const {
    std::string text = wrong_;
    for (const int number : stored_) {
      if (!seen_.contains(number)) text += "lost: " + std::to_string(number) + "; ";
    }
    return text;
  }

 private:
  using Service = std::shared_ptr<std::unique_ptr<LinkedDirectory>>;

  EntrustingSociety(std::uint64_t seed, Slip slip, const Service& service)
      : Nodes(
            settings_of(seed), 3,
            [service, slip](sim::World& world, unsigned host) {
              return parts(*service, world, host, slip);
            },
            patient(seed)),
        service_(service) {}

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
          stored_.insert(waiting.front().first);
        waiting.pop_front();
      }
      is_done = true;
    });
  }

  void doom(const std::vector<unsigned>& hosts) {
    for (const unsigned host : hosts) {
      doomed_.insert(host);
      const Time when = world().now() + up_to(world().random(), 30ms);
      world().at(when, [this, host, round = round_] {
        if (round == round_) world().crash(host);
      });
    }
    doomed_writer_ = doomed_.contains(writer);
  }
  // They begin again, the clearinghouse first.
  void recover() {
    ++round_;
    if (doomed_.contains(server)) {
      world().crash(server);
      service_->reset();
      *service_ = std::make_unique<LinkedDirectory>(world(), server, Linked::central);
    }
    for (const unsigned host : {keeper, writer, reader}) {
      if (!doomed_.contains(host)) continue;
      crash(host);
      restart(host);
      if (host == reader) read();
    }
    doomed_.clear();
  }
  void next_life() {
    doomed_writer_ = false;
    ++life_;
    next_ = 0;
  }

  static Realization parts(std::unique_ptr<LinkedDirectory>& service, sim::World& world,
                           unsigned host, Slip slip) {
    if (!service) service = std::make_unique<LinkedDirectory>(world, server, Linked::central);
    Realization made = linked_node(world, host, {server}, Linked::central);
    made.entrusts = host == writer;
    if (host != keeper) return made;
    store::JournalCustody::Settings settings;
    settings.own_thread = false;
    settings.store.journal.segment_bytes = 64u << 10;
    settings.store.journal.reserve_bytes = 16u << 10;
    settings.log = [](const std::string&) {};
    made.custody = std::make_shared<Slipping>(
        std::make_shared<store::JournalCustody>(world.disk(host), world.random(),
                                                std::move(settings), world.now()),
        slip);
    return made;
  }

  void on(const Message& message) {
    const int number = std::stoi(std::string(message.text()));
    if (!seen_.insert(number).second) {
      ++again_;
      if (!message.redelivered()) wrong_ += "twice, unmarked: " + std::to_string(number) + "; ";
      return;
    }
    int& last = last_[number / life_size];
    if (number < last) wrong_ += "out of order: " + std::to_string(number) + "; ";
    last = number;
  }
  bool is_complete() const {
    return std::includes(seen_.begin(), seen_.end(), stored_.begin(), stored_.end());
  }

  const Service service_;
  std::set<unsigned> doomed_;
  bool doomed_writer_ = false;
  int round_ = 0, life_ = 0, next_ = 0;
  std::set<int> stored_, seen_;
  std::map<int, int> last_;
  std::size_t again_ = 0;
  std::string wrong_;
};

// What happens under a seed, to the end.
inline void play(EntrustingSociety& society, std::uint64_t seed) {
  for (std::uint64_t batch = 0; batch < 3; ++batch) {
    const std::uint64_t dice = seed / 3 + batch * 7;
    std::vector<unsigned> doomed;
    if (dice % 2 == 0) doomed.push_back(keeper);
    if (dice % 5 == 1) doomed.push_back(server);
    if (dice % 7 == 2) doomed.push_back(writer);
    if (dice % 3 == 1 && batch > 0) doomed.push_back(reader);
    if (batch == 0 && seed % 3 != 0) society.read();
    if (batch == 1 && seed % 3 == 0) society.read();
    society.write(doomed);
  }
  society.settle();
}

}  // namespace coracle::test::entrusting
