// The parts of a directory that are delegated to other directories.
#pragma once

#include "book.hpp"

#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

// Names strictly below `prefix` belong to `child`. The parent's lock guards the members that
// change.
struct Delegation {
  Delegation(Name top, std::shared_ptr<Directory> directory)
      : prefix(std::move(top)), child(std::move(directory)) {}

  const Name prefix;
  const std::shared_ptr<Directory> child;
  // Leases of the parent and their matches with the child, both ways.
  std::unordered_map<LeaseId, LeaseId> there;
  std::unordered_map<LeaseId, LeaseId> here;

  // The match of the parent's `lease`, or 0.
  LeaseId match_of(LeaseId lease) const;
  // Forgets the match of the parent's `lease`; returns it, or 0.
  LeaseId forget(LeaseId lease);
  // `entry` for the parent's callers: its lease becomes the matching lease of the parent, or 0 if
  // there is none.
  Entry translated(Entry entry) const;
};

// All delegations of a directory; none lies within another. All calls require the directory's lock.
class Delegations {
 public:
  using Pointer = std::shared_ptr<Delegation>;

  // The delegation whose prefix `name` is strictly below, or null.
  Pointer route(const Name& name) const;
  // A delegation at `prefix` or below it, or null.
  Pointer any_within(const Name& prefix) const;
  // The delegations that may hold names within `prefix`.
  std::vector<Pointer> touching(const Name& prefix) const;
  // All delegations.
  std::vector<Pointer> all() const { return touching({}); }
  void add(Pointer delegation);
  // Drops the matches of a lease that ended; the child's leases expire by themselves.
  void forget(LeaseId lease);

 private:
  std::unordered_map<Name, Pointer, ByText, SameText> by_prefix_;
};

// Passes a child's events on to its parent, and stops when the parent is gone.
class Forwarder final : public DirectoryWatcher {
 public:
  // The object that receives the child's events; it may be gone already.
  class Parent {
   public:
    virtual void forward(const Name& prefix, const DirectoryEvent& event) noexcept = 0;

   protected:
    ~Parent() = default;
  };

  Forwarder(std::weak_ptr<Parent> parent, Name prefix)
      : parent_(std::move(parent)), prefix_(std::move(prefix)) {}

  void on_change(const DirectoryEvent& event) noexcept override;

 private:
  const std::weak_ptr<Parent> parent_;
  const Name prefix_;
};

// A forwarder's watch with the child. The watch ends when this object is destroyed, without
// waiting: the forwarder lives until the child has confirmed the end.
class ForwarderWatch {
 public:
  ForwarderWatch(std::shared_ptr<Directory> child, std::unique_ptr<Forwarder> forwarder,
                 std::uint64_t id)
      : child_(std::move(child)), forwarder_(std::move(forwarder)), id_(id) {}
  ForwarderWatch(ForwarderWatch&&) = default;
  ForwarderWatch& operator=(ForwarderWatch&&) = delete;
  ~ForwarderWatch();

 private:
  std::shared_ptr<Directory> child_;
  std::unique_ptr<Forwarder> forwarder_;
  std::uint64_t id_;
};

}  // namespace coracle::detail
