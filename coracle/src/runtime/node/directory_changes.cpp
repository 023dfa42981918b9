#include "coracle/directory_changes.hpp"

#include "coracle/support/secret_hash.hpp"
#include "coracle/support/signal.hpp"
#include "node_core.hpp"
#include "runtime/worker/worker.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <utility>

namespace coracle {

namespace detail {

// The directory calls it on any thread; the agent uses it on its worker.
struct DirectoryChangesState final : DirectoryWatcher {
  DirectoryChangesState(Worker& worker, std::size_t most) : home(worker), limit(most) {}

  void on_change(const DirectoryEvent& event) noexcept override;
  bool has_some() const noexcept { return all || !names.empty(); }

  Worker& home;
  const std::size_t limit;
  std::uint64_t watch = 0;
  std::mutex mutex;  // guards the members below
  std::unordered_set<Name, SecretHash> names;
  bool all = false;
  std::optional<Signal> waiting;
};

void DirectoryChangesState::on_change(const DirectoryEvent& event) noexcept {
  using Kind = DirectoryEvent::Kind;
  if (event.kind != Kind::arrived && event.kind != Kind::changed && event.kind != Kind::ended)
    return;
  std::optional<Signal> waking;
  {
    const std::lock_guard lock(mutex);
    if (!all) names.insert(event.name);
    if (names.size() > limit) {
      names.clear();
      all = true;
    }
    waking = std::exchange(waiting, std::nullopt);
  }
  if (waking) waking->set();
}

namespace {

// The directory calls the watcher until this has returned.
Task<> end(Directory& directory, std::shared_ptr<DirectoryChangesState> state) {
  co_await directory.unwatch(state->watch);
}

}  // namespace

}  // namespace detail

// Waits end on the worker on which the object is made, so its agent stays there.
DirectoryChanges::DirectoryChanges(Agent& agent, std::size_t limit)
    : state_(std::make_shared<detail::DirectoryChangesState>(detail::here(agent), limit)) {
  detail::Access::mailbox(agent)->set_mode(detail::pinned);
}

DirectoryChanges::~DirectoryChanges() {
  if (state_->watch == 0) return;
  detail::run_detached(state_->home, detail::end(state_->home.node().directory(), state_));
}

Task<> DirectoryChanges::begin(Name prefix) {
  const auto state = state_;
  state->watch = co_await state->home.node().directory().watch(std::move(prefix), *state);
}

DirectoryChanges::Changed DirectoryChanges::take() {
  Changed changed;
  {
    const std::lock_guard lock(state_->mutex);
    changed.all = std::exchange(state_->all, false);
    changed.names.assign(state_->names.begin(), state_->names.end());
    state_->names.clear();
  }
  std::sort(changed.names.begin(), changed.names.end());
  return changed;
}

Task<> DirectoryChanges::wait() {
  const auto state = state_;
  std::optional<detail::Signal> waiting;
  {
    const std::lock_guard lock(state->mutex);
    if (state->has_some()) co_return;
    if (!state->waiting) state->waiting.emplace();
    waiting = state->waiting;
  }
  auto arrival = waiting->wait();
  co_await arrival;
}

}  // namespace coracle
