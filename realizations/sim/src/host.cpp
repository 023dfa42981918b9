#include "host.hpp"

namespace coracle::sim::detail {

namespace {

Error no_power(unsigned number) {
  return Error(Errc::stopped,
               "host " + std::to_string(number) +
                   " has lost its power; make another node there by World::realization(host)");
}

// The results of a directory that cannot be reached.
template <class T>
Task<Result<T>> unreachable(unsigned number) {
  co_return no_power(number);
}

}  // namespace

void Host::attach(FrameReceiver& user, LeaseId self) {
  user_ = &user;
  if (has_power_) network_.rebound(std::exchange(lease_, self), self, *this);
}

void Host::refuse(LeaseId peer, std::string_view reason) {
  network_.refuse(number_, peer, reason);
  if (user_ != nullptr) user_->on_gone(peer);
}

Task<Result<LeaseId>> Host::open_lease(std::string identity, Duration term) {
  if (!has_power_) return unreachable<LeaseId>(number_);
  return next().open_lease(std::move(identity), term);
}

Task<Result<void>> Host::renew(LeaseId lease) {
  if (!has_power_) return unreachable<void>(number_);
  return next().renew(lease);
}

Task<Result<void>> Host::close_lease(LeaseId lease, EndReason reason) {
  if (!has_power_) return unreachable<void>(number_);
  return next().close_lease(lease, reason);
}

Task<Result<Incarnation>> Host::claim(Claim claim) {
  if (!has_power_) return unreachable<Incarnation>(number_);
  return next().claim(std::move(claim));
}

Task<Result<Incarnation>> Host::take_over(Claim claim) {
  if (!has_power_) return unreachable<Incarnation>(number_);
  return next().take_over(std::move(claim));
}

Task<Result<void>> Host::leave(Name name, Incarnation incarnation, Ending ending) {
  if (!has_power_) return unreachable<void>(number_);
  return next().leave(std::move(name), incarnation, std::move(ending));
}

Task<Result<void>> Host::describe(Name name, Incarnation incarnation, Properties properties) {
  if (!has_power_) return unreachable<void>(number_);
  return next().describe(std::move(name), incarnation, std::move(properties));
}

Task<Result<void>> Host::join(Name group, Name member) {
  if (!has_power_) return unreachable<void>(number_);
  return next().join(std::move(group), std::move(member));
}

Task<Result<void>> Host::leave_group(Name group, Name member) {
  if (!has_power_) return unreachable<void>(number_);
  return next().leave_group(std::move(group), std::move(member));
}

Task<Result<void>> Host::delegate(Name prefix, std::shared_ptr<Directory> child) {
  if (!has_power_) return unreachable<void>(number_);
  return next().delegate(std::move(prefix), std::move(child));
}

std::optional<Result<Incarnation>> Host::try_claim(Claim& claim) {
  if (!has_power_) return no_power(number_);
  return next().try_claim(claim);
}

}  // namespace coracle::sim::detail
