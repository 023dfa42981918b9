// A base for directories that leave the work to another one: derive from it and override what is to
// differ. Recorders, the simulator, tests and the bench do so.
#pragma once

#include "coracle/directory.hpp"

#include <memory>
#include <utility>

namespace coracle {

// Passes every request on to the directory that it was given.
class DirectoryFilter : public Directory {
 public:
  explicit DirectoryFilter(std::shared_ptr<Directory> next) : next_(std::move(next)) {}

  Task<Result<LeaseId>> open_lease(std::string identity, Duration term) override {
    return next().open_lease(std::move(identity), term);
  }
  Task<Result<void>> renew(LeaseId lease) override { return next().renew(lease); }
  Task<Result<void>> close_lease(LeaseId lease, EndReason reason) override {
    return next().close_lease(lease, reason);
  }
  Task<Result<Incarnation>> claim(Claim claim) override { return next().claim(std::move(claim)); }
  std::optional<Result<Incarnation>> try_claim(Claim& claim) override {
    return next().try_claim(claim);
  }
  Task<Result<Incarnation>> take_over(Claim claim) override {
    return next().take_over(std::move(claim));
  }
  Task<Result<void>> leave(Name name, Incarnation incarnation, Ending ending) override {
    return next().leave(std::move(name), incarnation, std::move(ending));
  }
  Task<Result<void>> describe(Name name, Incarnation incarnation, Properties properties) override {
    return next().describe(std::move(name), incarnation, std::move(properties));
  }
  Task<std::optional<Entry>> look_up(Name name) override { return next().look_up(std::move(name)); }
  std::optional<std::optional<Entry>> try_look_up(const Name& name) override {
    return next().try_look_up(name);
  }
  Task<std::vector<Entry>> search(Query query) override { return next().search(std::move(query)); }
  Task<std::vector<LeaseId>> leases() override { return next().leases(); }
  bool may_speak_as(LeaseId lease, const Name& source) override {
    return next().may_speak_as(lease, source);
  }
  Task<bool> find_speaker(LeaseId lease, Name source) override {
    return next().find_speaker(lease, std::move(source));
  }
  Task<Result<void>> may_overhear(LeaseId lease, Name eavesdropper) override {
    return next().may_overhear(lease, std::move(eavesdropper));
  }
  Task<Result<void>> may_look(LeaseId lease, Name name) override {
    return next().may_look(lease, std::move(name));
  }
  Task<Result<void>> may_operate(LeaseId lease, Name name) override {
    return next().may_operate(lease, std::move(name));
  }
  Task<> catch_up() override { return next().catch_up(); }
  bool is_message_store(LeaseId lease) override { return next().is_message_store(lease); }
  void has_backend(LeaseId lease) override { next().has_backend(lease); }
  Task<Result<void>> join(Name group, Name member) override {
    return next().join(std::move(group), std::move(member));
  }
  Task<Result<void>> leave_group(Name group, Name member) override {
    return next().leave_group(std::move(group), std::move(member));
  }
  Task<std::shared_ptr<const std::vector<Name>>> members(Name group) override {
    return next().members(std::move(group));
  }
  Task<std::uint64_t> watch(Name prefix, DirectoryWatcher& watcher) override {
    return next().watch(std::move(prefix), watcher);
  }
  Task<void> unwatch(std::uint64_t watch) override { return next().unwatch(watch); }
  Task<Result<void>> delegate(Name prefix, std::shared_ptr<Directory> child) override {
    return next().delegate(std::move(prefix), std::move(child));
  }

 protected:
  // The directory that does the work.
  Directory& next() { return *next_; }

 private:
  std::shared_ptr<Directory> next_;
};

}  // namespace coracle
