// The state of a client, which its files share.
#pragma once

#include "common/attendance.hpp"

#include "coracle/caf/client.hpp"
#include "coracle/detail/access.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::caf {

class Client::Impl final : public Contractor::Part {
 public:
  struct OpenContract {
    OpenContract(Tender&& begun, std::vector<Address> where)
        : tender(std::move(begun)), bidders(std::move(where)) {}

    // Returns the number of a bidder.
    std::optional<std::uint32_t> find(Address who) {
      if (bidders.size() <= 32) {
        const auto found = std::find(bidders.begin(), bidders.end(), who);
        if (found == bidders.end()) return std::nullopt;
        return static_cast<std::uint32_t>(found - bidders.begin());
      }
      if (numbers.empty()) {
        for (std::uint32_t i = 0; i < bidders.size(); ++i)
          numbers[coracle::detail::Access::mailbox(bidders[i])] = i;
      }
      const auto found = numbers.find(coracle::detail::Access::mailbox(who));
      if (found == numbers.end()) return std::nullopt;
      return found->second;
    }

    Tender tender;
    std::vector<Address> bidders;
    std::vector<Name> awardees;  // each name once
    std::unordered_map<const void*, std::uint32_t> numbers;
    Conversation waiter = 0;
    bool is_closed = false;
  };

  Impl(Client& self, Random& random)
      : self_(self),
        random_(random),
        attendance_(self, [this](const Ending& ending) { on_gone(ending.name, &ending); }) {}

  // --- Part ---
  bool take(Message& message, const Content& content, Task<>& rest) override;
  Kind kind_of(std::string_view type) const noexcept override {
    const bool is_ours =
        is_type_of<Bid, Decline, Acceptance, Report, Withdrawal, Released, Registration>(type);
    return is_ours ? Kind::urgent : Kind::foreign;
  }
  Time due() const noexcept override { return due_; }
  Task<> on_time() override;

  Task<std::shared_ptr<OpenContract>> begin(Contract what, const Invitation& whom, Procedure how);
  Task<> advance(std::shared_ptr<OpenContract> one);
  // Handles a change of the contract that was made outside the loop.
  void touch(const std::shared_ptr<OpenContract>& one) {
    touched_.push_back(one);
    due_ = Time::min();
    self_.hurry();
  }
  ContractId number() {
    if (next_ == 0) next_ = (random_.next() >> 33) << 32;
    return ++next_;
  }
  std::shared_ptr<OpenContract> find(ContractId id) const {
    const auto found = cases_.find(id);
    return found == cases_.end() ? nullptr : found->second;
  }

 private:
  template <class Said>
  Task<> hear(const Message& message, const Said& said, AwardNumber award, std::string_view what);
  Task<> refuse_with(const Message& message, std::shared_ptr<OpenContract> one,
                     Objection objection);
  Task<> on_registration(const Message& message, const Registration& said);
  Task<std::vector<Name>> invited(const Invitation& whom);
  Task<> close(OpenContract& one);
  void decide(OpenContract& one);
  void attend(OpenContract& one, std::uint32_t bidder);
  void attend_no_more(OpenContract& one);
  Task<> look_for(Name who);
  void on_gone(const Name& who, const Ending* ending);

  Client& self_;
  Random& random_;
  ContractId next_ = 0;
  std::size_t room_ = 0;  // the size of its mailbox
  Time due_ = Time::max();
  std::unordered_map<ContractId, std::shared_ptr<OpenContract>> cases_;
  std::vector<ContractId> open_;
  std::deque<ContractId> closed_;
  std::vector<std::shared_ptr<OpenContract>> touched_;
  std::vector<std::pair<Name, Properties>> registered_;
  std::vector<Name> last_invited_;  // with addresses in last_found_
  std::vector<Address> last_found_;
  Attendance attendance_;
  std::unordered_map<Name, std::uint32_t> awardees_;  // with the number of open contracts of each
  std::deque<Name> former_;                           // former awardees that are still watched
};

}  // namespace coracle::caf
