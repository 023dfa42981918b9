// The promises of sessions, and users that check them: a reference model for random runs.
#pragma once

#include "realizations/net/src/session.hpp"
#include "realizations/net/src/seeded_random.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace coracle::net::test {

// A promise that was broken.
class Violation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws a Violation with the text `what` unless `kept`.
inline void promise(bool kept, const std::string& what) {
  if (!kept) throw Violation(what);
}

// One message, and its state.
struct Record {
  Seq seq = 0;
  std::size_t size = 0;
  bool arrived = false;
};

// Everything that one user sent to one incarnation of its peer.
struct Flow {
  std::uint64_t id = 0;
  unsigned from = 0;
  std::vector<Record> sent;
  std::size_t arrived = 0;
};

// Everything that was sent by anybody.
struct Ledger {
  Flow& begin(unsigned from);
  std::uint64_t arrivals = 0;
  std::deque<Flow> flows;
};

// A user that sends and releases at random, and throws a Violation as soon as something is wrong.
// `index` distinguishes the nodes.
class ModelUser final : public SessionEvents {
 public:
  struct Habits {
    std::size_t small = 200, large = 40'000;  // sizes go up to these
    unsigned hoard = 20;                      // percent of the turns in which nothing is released
  };

  ModelUser(Ledger& ledger, unsigned index, Random& random, Habits habits)
      : ledger_(ledger), random_(random), habits_(habits), index_(index) {
    flow_ = &ledger_.begin(index);
  }
  void bind(Session& session) { session_ = &session; }

  // Sends up to `most` messages, releases some of those that are here.
  void act(unsigned most);
  // Releases everything that is here.
  void finish();
  // Returns whether all messages of this incarnation have arrived.
  bool is_done() const { return flow_->arrived == flow_->sent.size(); }
  std::size_t held() const { return held_.size(); }

  void on_arrived(const Arrived& message) override;
  void on_credit() override;
  void on_open(Opening how) override;
  void on_lost(const Closing& why) override;
  void on_restarted() override;
  void on_suspected() override;
  void on_trusted() override;
  void on_gone(const Closing& why) override;

  unsigned opened = 0, lost = 0, restarted = 0, gone = 0, suspected = 0;

 private:
  void send_one();
  void send_growing();
  void release_one(std::size_t which);
  void end_life();

  Ledger& ledger_;
  Random& random_;
  Habits habits_;
  unsigned index_;
  Session* session_ = nullptr;
  Flow* flow_ = nullptr;           // the flow of this user's messages
  Flow* incoming_ = nullptr;       // the flow of the peer's messages
  std::vector<std::size_t> held_;  // the sizes of messages that are not released
  bool wants_ = false;             // send() has failed for want of credit
  Session::Growing growing_;
  bool is_open_ = false, is_suspected_ = false;
};

}  // namespace coracle::net::test
