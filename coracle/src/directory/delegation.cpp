#include "delegation.hpp"

#include <utility>

namespace coracle::detail {

namespace {

// Lets a task run on its own and destroys it at its end.
class Alone final : public RootTask {
 public:
  void on_root_done(std::coroutine_handle<> frame, std::exception_ptr) noexcept override {
    frame.destroy();
  }

  static void run(Task<> task) {
    static Alone alone;
    const auto frame = task.release();
    frame.promise().set_root(alone);
    frame.resume();
  }
};

Task<> end_watch(std::shared_ptr<Directory> child, std::unique_ptr<Forwarder>, std::uint64_t id) {
  co_await child->unwatch(id);
}

}  // namespace

LeaseId Delegation::match_of(LeaseId lease) const {
  const auto found = there.find(lease);
  return found == there.end() ? 0 : found->second;
}

LeaseId Delegation::forget(LeaseId lease) {
  const LeaseId match = match_of(lease);
  there.erase(lease);
  here.erase(match);
  return match;
}

Entry Delegation::translated(Entry entry) const {
  const auto found = here.find(entry.lease);
  entry.lease = found == here.end() ? 0 : found->second;
  return entry;
}

Delegations::Pointer Delegations::route(const Name& name) const {
  if (by_prefix_.empty()) return nullptr;
  for (auto prefix = parent_of(name.view()); !prefix.empty(); prefix = parent_of(prefix)) {
    const auto found = by_prefix_.find(prefix);
    if (found != by_prefix_.end()) return found->second;
  }
  return nullptr;
}

Delegations::Pointer Delegations::any_within(const Name& prefix) const {
  for (const auto& [top, delegation] : by_prefix_)
    if (top.within(prefix)) return delegation;
  return nullptr;
}

std::vector<Delegations::Pointer> Delegations::touching(const Name& prefix) const {
  std::vector<Pointer> found;
  for (const auto& [top, delegation] : by_prefix_)
    if (top.within(prefix) || prefix.within(top)) found.push_back(delegation);
  return found;
}

void Delegations::add(Pointer delegation) {
  const Name prefix = delegation->prefix;
  by_prefix_.emplace(prefix, std::move(delegation));
}

void Delegations::forget(LeaseId lease) {
  for (const auto& [top, delegation] : by_prefix_) delegation->forget(lease);
}

void Forwarder::on_change(const DirectoryEvent& event) noexcept {
  // `parent` may be the last reference; nothing of the forwarder is used after the call.
  if (const auto parent = parent_.lock()) parent->forward(prefix_, event);
}

ForwarderWatch::~ForwarderWatch() {
  if (child_ != nullptr) Alone::run(end_watch(std::move(child_), std::move(forwarder_), id_));
}

}  // namespace coracle::detail
