// The parts that a node of a simulated society gets: its links, and a directory that all nodes
// share. All of them end with the host's power.
#pragma once

#include "frame_network.hpp"

#include "coracle/directory_filter.hpp"
#include "coracle/transport.hpp"

namespace coracle::sim::detail {

class Host final : public LocalTransport, public DirectoryFilter {
 public:
  Host(Network& network, unsigned number, std::shared_ptr<Directory> directory)
      : DirectoryFilter(std::move(directory)), network_(network), number_(number) {}

  unsigned number() const noexcept { return number_; }
  LeaseId lease() const noexcept { return lease_; }
  void power_off() noexcept {
    user_ = nullptr;
    has_power_ = false;
  }
  void on_frame(LeaseId from, std::span<const std::byte> frame, const Content& content) {
    if (user_ != nullptr) user_->on_frame(from, frame, content);
  }
  void on_room(LeaseId peer) {
    if (user_ != nullptr) user_->on_room(peer);
  }

  // --- Transport ---
  bool connects_nodes() const noexcept override { return true; }
  void attach(FrameReceiver& user, LeaseId self) override;
  void detach() noexcept override { user_ = nullptr; }
  bool send(LeaseId self, LeaseId to, std::span<const std::byte> frame, const Content& content,
            const Apart*) override {
    return !has_power_ || self != lease_ || network_.send(number_, to, frame, content);
  }
  bool all_acknowledged() override { return !has_power_ || network_.all_acknowledged(number_); }
  void refuse(LeaseId peer, std::string_view reason) override;

  // --- Directory: whatever changes something fails without power ---
  Task<Result<LeaseId>> open_lease(std::string identity, Duration term) override;
  Task<Result<void>> renew(LeaseId lease) override;
  Task<Result<void>> close_lease(LeaseId lease, EndReason reason) override;
  Task<Result<Incarnation>> claim(Claim claim) override;
  std::optional<Result<Incarnation>> try_claim(Claim& claim) override;
  Task<Result<Incarnation>> take_over(Claim claim) override;
  Task<Result<void>> leave(Name name, Incarnation incarnation, Ending ending) override;
  Task<Result<void>> describe(Name name, Incarnation incarnation, Properties properties) override;
  Task<Result<void>> join(Name group, Name member) override;
  Task<Result<void>> leave_group(Name group, Name member) override;
  Task<Result<void>> delegate(Name prefix, std::shared_ptr<Directory> child) override;

 private:
  Network& network_;
  const unsigned number_;
  FrameReceiver* user_ = nullptr;
  LeaseId lease_ = 0;
  bool has_power_ = true;
};

// Drives the node of one host.
class HostDriver final : public Driver {
 public:
  HostDriver(std::shared_ptr<Core> core, unsigned host) : core_(std::move(core)), host_(host) {}

  unsigned workers() const noexcept override { return core_->workers(); }
  void drive(Driven& node) override {
    core_->drive(node, host_);
    node_ = &node;
  }
  void release(Driven& node) noexcept override { core_->release(node); }
  std::size_t choose(Choice what, std::size_t count) noexcept override {
    return core_->choose(what, count);
  }
  void note(std::string_view who, std::string_view what) noexcept override {
    core_->note(who, what);
  }
  bool run_until(const std::function<bool()>& done, Time until, std::string_view wanted) override {
    core_->driven().thaw(node_);
    return core_->run_until(done, until, wanted);
  }
  std::string how_to_repeat() const override { return core_->how_to_repeat(); }
  void offers(std::span<void* const> tasks) noexcept override { core_->offers(tasks); }
  void touches(std::string_view name) noexcept override { core_->touches(name); }
  void rests(std::string_view agent) noexcept override { core_->rests(agent); }
  void touches_all() noexcept override { core_->touches_all(); }

 private:
  const std::shared_ptr<Core> core_;
  const unsigned host_;
  Driven* node_ = nullptr;
};

}  // namespace coracle::sim::detail
