#include "parts.hpp"

#include <algorithm>

namespace coracle::detail {
// The library's own; the only way to make a copy of an envelope, which nobody else may want.
Parcel* clone_parcel(const Parcel& parcel);
}  // namespace coracle::detail

namespace coracle::contract {

Envelope copy_of(const Envelope& envelope) {
  return Envelope(detail::clone_parcel(*envelope.parcel()));
}

Verdict OvertakingTransport::try_carry(Envelope& envelope) {
  if (!late_ && comes_late(envelope)) {
    late_ = std::move(envelope);
    return Verdict::carried;
  }
  const bool overtakes = late_ && late_.source() == envelope.source();
  const Verdict verdict = next_->try_carry(envelope);
  if (overtakes && verdict == Verdict::carried) {
    Envelope late = std::move(late_);
    next_->try_carry(late);
  }
  return verdict;
}

Directory& DirectoryFilter::next() {
  ++asked_;
  return *next_;
}

Task<Result<LeaseId>> DirectoryFilter::open_lease(std::string identity, Duration term) {
  return next().open_lease(std::move(identity), term);
}

Task<Result<void>> DirectoryFilter::renew(LeaseId lease) { return next().renew(lease); }

Task<Result<void>> DirectoryFilter::close_lease(LeaseId lease, EndReason reason) {
  return next().close_lease(lease, reason);
}

Task<Result<Incarnation>> DirectoryFilter::claim(Claim claim) {
  return next().claim(std::move(claim));
}

Task<Result<Incarnation>> DirectoryFilter::take_over(Claim claim) {
  return next().take_over(std::move(claim));
}

Task<Result<void>> DirectoryFilter::leave(Name name, Incarnation incarnation, Ending ending) {
  return next().leave(std::move(name), incarnation, std::move(ending));
}

Task<Result<void>> DirectoryFilter::describe(Name name, Incarnation incarnation,
                                             Properties properties) {
  return next().describe(std::move(name), incarnation, std::move(properties));
}

Task<std::optional<Entry>> DirectoryFilter::look_up(Name name) {
  return next().look_up(std::move(name));
}

std::optional<std::optional<Entry>> DirectoryFilter::try_look_up(const Name& name) {
  return next().try_look_up(name);
}

Task<std::vector<LeaseId>> DirectoryFilter::leases() { return next().leases(); }

Task<std::vector<Entry>> DirectoryFilter::search(Query query) {
  return next().search(std::move(query));
}

Task<Result<void>> DirectoryFilter::join(Name group, Name member) {
  return next().join(std::move(group), std::move(member));
}

Task<Result<void>> DirectoryFilter::leave_group(Name group, Name member) {
  return next().leave_group(std::move(group), std::move(member));
}

Task<std::shared_ptr<const std::vector<Name>>> DirectoryFilter::members(Name group) {
  return next().members(std::move(group));
}

Task<std::uint64_t> DirectoryFilter::watch(Name prefix, DirectoryWatcher& watcher) {
  return next().watch(std::move(prefix), watcher);
}

Task<void> DirectoryFilter::unwatch(std::uint64_t watch) { return next().unwatch(watch); }

Task<Result<void>> DirectoryFilter::delegate(Name prefix, std::shared_ptr<Directory> child) {
  return next().delegate(std::move(prefix), std::move(child));
}

// Several workers call at once, and what they send must be delivered on their own threads; so each
// call brings its envelope through a place of its own.
Verdict OwnTransport::try_carry(Envelope& envelope) {
  std::deque<Envelope> under_way;
  under_way.push_back(std::move(envelope));
  const Verdict verdict = inbound_->deliver(under_way.front());
  if (verdict == Verdict::carried) ++carried_;
  else envelope = std::move(under_way.front());
  return verdict;
}

void OwnTransport::await_credit(Envelope& envelope, CreditWaiter& waiter) {
  ++waited_;
  inbound_->await_room(envelope, waiter);
}

void OwnQueue::put(Envelope envelope) {
  bytes_ += envelope.content().size();
  messages_.push_back(std::move(envelope));
}

void OwnQueue::put_back(Envelope envelope) {
  bytes_ += envelope.content().size();
  messages_.push_front(std::move(envelope));
}

Envelope OwnQueue::take(const Match& match) {
  const auto found = std::find_if(messages_.begin(), messages_.end(),
                                  [&](const Envelope& envelope) { return match.fits(envelope); });
  if (found == messages_.end()) return {};
  Envelope taken = std::move(*found);
  messages_.erase(found);
  bytes_ -= taken.content().size();
  return taken;
}

std::size_t OwnQueue::count(const Match& match) const {
  return static_cast<std::size_t>(
      std::count_if(messages_.begin(), messages_.end(),
                    [&](const Envelope& envelope) { return match.fits(envelope); }));
}

void OwnQueue::each(const std::function<void(const Envelope&)>& show) const {
  for (const Envelope& envelope : messages_) show(envelope);
}

}  // namespace coracle::contract
