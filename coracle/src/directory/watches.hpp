// Who is told of which changes, and the telling.
#pragma once

#include "coracle/directory.hpp"
#include "secret_hash.hpp"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

// Finds names by their text, in an order that is the same in every process.
struct ByText {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return hash_of(text); }
  std::size_t operator()(const Name& name) const noexcept { return hash_of(name.view()); }
};

// Finds names by their text.
struct SameText {
  using is_transparent = void;
  bool operator()(const Name& a, const Name& b) const noexcept { return a == b; }
  bool operator()(std::string_view a, const Name& b) const noexcept { return a == b.view(); }
  bool operator()(const Name& a, std::string_view b) const noexcept { return a.view() == b; }
};

// `path` without its last segment; empty when it has one only.
inline std::string_view parent_of(std::string_view path) noexcept {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

// All calls need the lock of the directory; tell() releases it while a watcher is called.
// Watches are kept by their prefix, so that a change asks once for each segment of its name,
// however many watches there are.
class Watches {
 public:
  // Whether anybody watches `name`; if not, no event need be made of it.
  bool wanted(const Name& name) const;
  std::size_t size() const noexcept { return by_id_.size(); }

  std::uint64_t add(Name prefix, DirectoryWatcher& watcher);
  // Waits for a call of the watcher that is under way on another thread.
  void remove(std::uint64_t id, std::unique_lock<std::mutex>& lock);

  // Notes an event for whoever watches it.
  void publish(DirectoryEvent event);
  // Tells the watchers of the events that were noted, in order, unless that is under way already:
  // then whoever is at it goes on with these.
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
  std::deque<Delivery> noted_;  // as long as the changes made while watchers are being told
  bool telling_ = false;
  std::thread::id teller_;
  const Watch* called_ = nullptr;
  std::condition_variable call_ended_;
};

}  // namespace coracle::detail
