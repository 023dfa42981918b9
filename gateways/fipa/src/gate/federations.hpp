// The requests of a gateway to other facilitators, which it wants to join or to leave, that have no
// answer yet.
#pragma once

#include "coracle/acl/message.hpp"
#include "coracle/fipa/detail/entries.hpp"
#include "coracle/message.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace coracle::fipa {

class Federations {
 public:
  // The program has asked for it by that message; `request` goes to the facilitator `parent`.
  void add(const acl::Message& request, Message asked, const std::string& parent) {
    if (waiting_.size() >= most) waiting_.erase(waiting_.begin());
    waiting_.emplace(request.reply_with, Waiting{std::move(asked), lower(parent)});
  }
  // The program's message, if that is the answer to it: of the facilitator, or of our management
  // system `ams`, which says that the facilitator was not reached.
  std::optional<Message> take(const acl::Message& answer, const std::string& ams) {
    const auto found = waiting_.find(answer.in_reply_to);
    if (found == waiting_.end() || answer.performative == acl::Performative::agree)
      return std::nullopt;
    const std::string sender = lower(answer.sender.name);
    if (sender != found->second.parent && sender != lower(ams)) return std::nullopt;
    Message asked = std::move(found->second.asked);
    waiting_.erase(found);
    return asked;
  }

 private:
  static constexpr std::size_t most = 100;
  struct Waiting {
    Message asked;
    std::string parent;
  };
  std::map<std::string, Waiting> waiting_;  // by the identifiers of the requests
};

}  // namespace coracle::fipa
