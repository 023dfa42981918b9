#include "coracle/caf/deputy.hpp"

namespace coracle::caf {

Task<> Deputy::run() {
  for (;;) {
    const Message message = co_await receive();
    const Content content = message.content();
    if (const Announced* known = content.try_as<Announced>()) {
      const auto found = decisions_.find(known->id);
      if (found != decisions_.end()) found->second.announced = true;
    }
    const Progress* progress = content.try_as<Progress>();
    if (progress == nullptr) continue;
    keep(*progress);
    co_await reply(message, Content());
    if (!watching_) spawn(watch_council());
    watching_ = true;
  }
}

void Deputy::keep(const Progress& progress) {
  decisions_[progress.record.id] = progress;
  std::size_t closed = 0;
  for (const auto& [id, each] : decisions_) closed += each.phase == Phase::closed ? 1 : 0;
  for (auto it = decisions_.begin(); closed > kept && it != decisions_.end();) {
    if (it->second.phase != Phase::closed) {
      ++it;
      continue;
    }
    it = decisions_.erase(it);
    --closed;
  }
}

Task<> Deputy::watch_council() {
  for (;;) {
    EndReason reason = EndReason::crashed;
    try {
      const Ending ending = co_await watch(council_);
      reason = ending.reason;
    } catch (const Error& error) {
      // The council ended after its last message to this deputy, before the deputy could watch it.
      if (error.errc() != Errc::no_such_agent) throw;
    }
    if (reason == EndReason::stopped) co_return;
    if (reason == EndReason::fenced) continue;  // another agent took over its name
    std::unique_ptr<Council> successor = successor_();
    std::vector<Progress> left;
    for (const auto& [id, each] : decisions_) left.push_back(each);
    successor->go_on_with(std::move(left));
    bool taken = false;
    try {
      co_await adopt(council_, std::move(successor));
    } catch (const Error& error) {
      if (error.errc() != Errc::name_taken) throw;
      taken = true;  // a supervisor was faster
    }
    if (!taken) ++takeovers_;
  }
}

}  // namespace coracle::caf
