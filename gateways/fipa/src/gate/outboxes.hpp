// The messages that are to become letters. Those to the same address are sent in their order: the
// tasks that send them may begin in any.
#pragma once

#include "coracle/acl/message.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace coracle::fipa {

struct LetterToSend {
  acl::Message message;
  std::vector<acl::AgentId> receivers;
  std::vector<std::string> addresses;  // the first is that of the outbox
};

class Outboxes {
 public:
  Outboxes(std::size_t most, std::size_t most_to_one) noexcept
      : most_(most), most_to_one_(most_to_one) {}

  // Returns whether there is room for one more letter to that address.
  bool has_room(const std::string& address) const {
    if (letters_ >= most_) return false;
    const auto box = boxes_.find(address);
    return box == boxes_.end() || box->second.letters < most_to_one_;
  }
  void put(LetterToSend letter) {
    Box& box = boxes_[letter.addresses.front()];
    ++letters_;
    ++box.letters;
    box.waiting.push_back(std::move(letter));
  }
  // The oldest that waits; it has its room until done(). There is one for each put().
  LetterToSend take(const std::string& address) {
    Box& box = boxes_.at(address);
    LetterToSend first = std::move(box.waiting.front());
    box.waiting.pop_front();
    return first;
  }
  void done(const std::string& address) {
    --letters_;
    const auto box = boxes_.find(address);
    if (--box->second.letters == 0) boxes_.erase(box);
  }

 private:
  struct Box {
    std::deque<LetterToSend> waiting;
    std::size_t letters = 0;  // also those that are being sent
  };

  const std::size_t most_, most_to_one_;
  std::size_t letters_ = 0;
  std::map<std::string, Box> boxes_;
};

}  // namespace coracle::fipa
