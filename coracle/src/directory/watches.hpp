// The watches of a directory, and the notification of watchers.
#pragma once

#include "coracle/directory.hpp"
#include "coracle/support/secret_hash.hpp"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

// Hashes names by their text. The order in such a table is the same in every process.
struct ByText {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return hash_of(text); }
  std::size_t operator()(const Name& name) const noexcept { return hash_of(name.view()); }
};

// `path` without its last segment; empty when it has one only.
inline std::string_view parent_of(std::string_view path) noexcept {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

// All calls require the lock of the directory; tell() releases the lock while it calls a watcher.
// Watches are stored by prefix, so that a change costs one look-up for each segment of its name,
// however many watches there are.
class Watches {
 public:
  // Returns whether `name` is watched; if not, no event need be made.
  bool wanted(const Name& name) const;
  std::size_t size() const noexcept { return by_id_.size(); }

  std::uint64_t add(Name prefix, DirectoryWatcher& watcher);
  // Waits for a call of the watcher that is in progress on another thread.
  void remove(std::uint64_t id, std::unique_lock<std::mutex>& lock);

  // Queues an event for the watchers of its name.
  void publish(DirectoryEvent event);
  // Notifies the watchers of the queued events, in order. If another call is doing that already,
  // the other call also delivers these events.
  void tell(std::unique_lock<std::mutex>& lock) noexcept;

 private:
  struct Watch {
    Name prefix;
    DirectoryWatcher* watcher;  // null once removed
  };
  struct Delivery {
    std::shared_ptr<Watch> watch;
    std::shared_ptr<const DirectoryEvent> event;
  };

  std::unordered_map<Name, std::vector<std::shared_ptr<Watch>>, SecretHash, SameText> by_prefix_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Watch>> by_id_;
  std::uint64_t last_id_ = 0;
  std::deque<Delivery> noted_;  // grows with the changes made while watchers are notified
  bool telling_ = false;
  std::thread::id teller_;
  const Watch* called_ = nullptr;
  std::condition_variable call_ended_;
};

}  // namespace coracle::detail
