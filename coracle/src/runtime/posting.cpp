// Sends that need more than a target and a content: several targets, groups, receipts.
#include "runtime/errors_said.hpp"
#include "runtime/late_joiners.hpp"
#include "runtime/node_core.hpp"
#include "runtime/receipt_state.hpp"
#include "runtime/several.hpp"

#include <unordered_set>

namespace coracle {

using detail::here;
using detail::Parcel;
using detail::Worker;

Parcel* Agent::pack(const Post& post, const Name& target) {
  Parcel* const parcel = pack(Target(target), post.content_, post.conversation_, 0);
  const bool plain = post.group_.empty() && post.headers_.empty() && !post.expires_.is_set() &&
                     post.reply_to_.empty() && post.trace_ == TraceContext();
  if (plain) return parcel;
  detail::Extras& extras = detail::extras_of(*parcel);
  extras.target_name = post.group_;
  extras.headers = post.headers_;
  extras.deadline = post.expires_.at(now());
  extras.trace = post.trace_;
  if (!post.reply_to_.empty()) extras.reply_to = here(*this).resolve(post.reply_to_.view());
  return parcel;
}

Task<std::vector<Name>> Agent::targets_of(const Post& post) {
  std::vector<Name> names = post.names_;
  if (!post.group_.empty()) {
    const auto members = co_await node().core().directory().members(post.group_);
    names.insert(names.end(), members->begin(), members->end());
  }
  std::unordered_set<Name, detail::SecretHash> seen;
  std::erase_if(names, [&](const Name& name) { return !seen.insert(name).second; });
  co_return names;
}

namespace detail {

namespace {

// What was not sent when its agent ended is nobody's.
struct Unsent {
  ~Unsent() {
    for (Parcel* parcel : parcels) {
      if (parcel != nullptr) free_parcel(parcel);
    }
  }
  std::vector<Parcel*> parcels;
};

}  // namespace

Task<std::vector<Result<void>>> send_parcels(Agent& agent, std::vector<Parcel*> parcels,
                                             Deadline patience) {
  Unsent unsent;
  unsent.parcels = std::move(parcels);
  std::vector<Result<void>> results(unsent.parcels.size());
  Worker& worker = here(agent);
  const Time until = patience.at(agent.now());
  HeardBy heard;  // by eavesdroppers, of all parcels
  const auto hear_once = [&](Parcel& parcel) {
    if (unsent.parcels.size() == 1 || (parcel.extras != nullptr && parcel.extras->heard)) return;
    if (!heard) heard = std::make_shared<std::vector<std::uint64_t>>();
    extras_of(parcel).heard = heard;
  };
  for (std::size_t i = 0; i < results.size(); ++i) {
    Parcel*& parcel = unsent.parcels[i];
    if (worker.anybody_hears()) hear_once(*parcel);
    Errc error{};
    const Sent sent = worker.try_send(agent, parcel, error);
    if (sent == Sent::wait) hear_once(*parcel);  // somebody may begin to listen meanwhile
    if (sent != Sent::failed) continue;
    results[i] = said(error, "send to", parcel->target->name);
    worker.refuse(agent, parcel);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (unsent.parcels[i] == nullptr) continue;
    Sending::AsResult sending(agent, std::exchange(unsent.parcels[i], nullptr));
    sending.patience(Deadline(until));
    results[i] = co_await sending;
  }
  co_return results;
}

}  // namespace detail

Task<> Agent::send_to_all(const Post& post, std::shared_ptr<detail::ReceiptState> receipt) {
  std::vector<Name> names = co_await targets_of(post);
  while (!post.group_.empty() && detail::keeps_something(*party_) && !keep_sent(post, names)) {
    Task<> giving = detail::until_given(*this, post.group_);
    co_await giving;
    Task<std::vector<Name>> again = targets_of(post);
    names = co_await again;
  }
  if (receipt) {
    for (const Name& name : names) receipt->targets.push_back({name, Stage::accepted, {}});
  }
  std::vector<Parcel*> parcels;
  for (std::uint32_t index = 0; index < names.size(); ++index) {
    parcels.push_back(pack(post, names[index]));
    if (!receipt) continue;
    detail::extras_of(*parcels.back()).receipt = receipt;
    parcels.back()->extras->receipt_index = index;
  }
  auto sending = detail::send_parcels(*this, std::move(parcels), post.patience_);
  const std::vector<Result<void>> results = co_await sending;
  if (receipt) co_return;
  for (const Result<void>& result : results) {
    if (!result) throw result.error();
  }
}

Task<> Agent::send(Post post) { co_await send_to_all(post, nullptr); }

Task<> Agent::multicast(Group to, Content content) {
  const Post post(to, std::move(content));
  co_await send_to_all(post, nullptr);
}

Task<Receipt> Agent::track(Post post) {
  auto state = std::make_shared<detail::ReceiptState>();
  state->home = &here(*this);
  co_await send_to_all(post, state);
  co_return Receipt(state);
}

}  // namespace coracle
