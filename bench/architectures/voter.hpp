// A peer of the councils whose decisions are measured, on any host.
#pragma once

#include <coracle/caf/peer.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace coracle::bench {

// The peers end with the decision of this question.
inline constexpr const char* last_question = "shall we go home?";

// Offers one of three alternatives and votes for it.
class Voter : public caf::Peer {
 public:
  // The peer adds its messages to `sent`, if that is not null.
  explicit Voter(std::uint32_t number, std::atomic<std::uint64_t>* sent = nullptr)
      : wish_(number % 3), sent_(sent) {}

 protected:
  std::vector<std::string> propose(const caf::Call&) override {
    count();
    return {wishes[wish_]};
  }
  caf::Ballot vote(const caf::Agenda& agenda) override {
    count();
    return caf::choose(agenda.find(wishes[wish_]));
  }
  void on_decision(const caf::Decision& decision) override {
    if (decision.subject == last_question) retire();
  }

 private:
  static constexpr const char* wishes[] = {"left", "right", "wait"};

  void count() {
    if (sent_ != nullptr) *sent_ += 1;
  }

  std::uint32_t wish_;
  std::atomic<std::uint64_t>* sent_;
};

}  // namespace coracle::bench
