// Sends that need more than a target and a content: several targets, groups, receipts.
#include "runtime/errors_said.hpp"
#include "runtime/node_core.hpp"
#include "runtime/receipt_state.hpp"

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
  std::unordered_set<Name> seen;
  std::erase_if(names, [&](const Name& name) { return !seen.insert(name).second; });
  co_return names;
}

// Whoever has room gets it at once; then those are waited for that have none.
Task<> Agent::send_to_all(const Post& post, std::shared_ptr<detail::ReceiptState> receipt) {
  const std::vector<Name> names = co_await targets_of(post);
  Worker& worker = here(*this);
  const Time until = post.patience_.at(now());
  std::optional<Error> first_error;
  const auto failed = [&](Errc errc, const Name& target) {
    if (!first_error) first_error = detail::said(errc, "send to", target);
  };
  std::vector<Parcel*> waiting;
  if (receipt) {
    for (const Name& name : names) receipt->targets.push_back({name, Stage::accepted, {}});
  }
  for (std::uint32_t index = 0; index < names.size(); ++index) {
    Parcel* parcel = pack(post, names[index]);
    if (receipt) {
      detail::extras_of(*parcel).receipt = receipt;
      parcel->extras->receipt_index = index;
    }
    Errc error{};
    const detail::Sent sent = worker.try_send(*this, parcel, error);
    if (sent == detail::Sent::wait) waiting.push_back(parcel);
    if (sent != detail::Sent::failed) continue;
    worker.refuse(*this, parcel);
    failed(error, names[index]);
  }
  for (Parcel*& parcel : waiting) {
    const Name target = parcel->target->name;
    detail::Sending::AsResult sending(*this, std::exchange(parcel, nullptr));
    sending.patience(Deadline(until));
    const Result<void> result = co_await sending;
    if (!result) failed(result.error().errc(), target);
  }
  if (first_error && !receipt) throw *first_error;
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
