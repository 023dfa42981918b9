// Sends that need more than a target and a content: several targets, groups, receipts.
#include "coracle/support/error_texts.hpp"
#include "fan_out.hpp"
#include "runtime/groups/late_joiners.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/receipts/receipt_state.hpp"

#include <unordered_set>

namespace coracle {

using detail::here;
using detail::MessageRecord;
using detail::Worker;

MessageRecord* Agent::pack(const Post& post, const Name& target) {
  MessageRecord* const record = pack(Target(target), post.content_, post.conversation_, 0);
  const bool plain = post.group_.empty() && post.headers_.empty() && !post.expires_.is_set() &&
                     post.reply_to_.empty() && post.trace_ == TraceContext();
  if (plain) return record;
  detail::OptionalFields& fields = detail::fields_of(*record);
  fields.target_name = post.group_;
  fields.headers = post.headers_;
  fields.deadline = post.expires_.at(now());
  fields.trace = post.trace_;
  if (!post.reply_to_.empty())
    fields.reply_to = here(*this).mailboxes.resolve(post.reply_to_.view());
  return record;
}

MessageRecord* Agent::pack_request(const Post& post) {
  if (!post.group_.empty() || post.names_.size() != 1 || !post.reply_to_.empty())
    throw Error(Errc::bad_options,
                "a request has one target, and its reply comes to the agent that asks; send a post "
                "to several agents, or with another address for replies, by send()");
  MessageRecord* const record = pack(post, post.names_.front());
  record->flags |= detail::request_flag;
  return record;
}

detail::Asking Agent::ask(const Post& post, Deadline deadline) {
  return detail::Asking(*this, pack_request(post), deadline);
}

detail::Asking::AsResult Agent::ask_result(const Post& post, Deadline deadline) {
  return detail::Asking::AsResult(*this, pack_request(post), deadline);
}

bool Agent::try_send(const Post& post) {
  if (!post.group_.empty() || post.names_.size() != 1) return false;
  Worker& worker = here(*this);
  MessageRecord* record = pack(post, post.names_.front());
  Errc error{};
  const detail::Sent sent = worker.outgoing.try_send(*this, record, error);
  if (sent == detail::Sent::wait) free_record(record);
  if (sent != detail::Sent::failed) return sent == detail::Sent::accepted;
  const Error why = detail::make_error(error, "send to", record->target->name);
  worker.outgoing.refuse(*this, record);
  throw why;
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

// Records that were not sent when their agent ended are freed.
struct Unsent {
  ~Unsent() {
    for (MessageRecord* record : records) {
      if (record != nullptr) free_record(record);
    }
  }
  std::vector<MessageRecord*> records;
};

}  // namespace

Task<std::vector<Result<void>>> send_records(Agent& agent, std::vector<MessageRecord*> records,
                                             Deadline patience) {
  Unsent unsent;
  unsent.records = std::move(records);
  std::vector<Result<void>> results(unsent.records.size());
  Worker& worker = here(agent);
  const Time until = patience.at(agent.now());
  OverheardBy heard;  // the taps that have a copy, over all records
  const auto hear_once = [&](MessageRecord& record) {
    if (unsent.records.size() == 1 || (record.fields != nullptr && record.fields->heard)) return;
    if (!heard) heard = std::make_shared<std::vector<MetTap>>();
    fields_of(record).heard = heard;
  };
  for (std::size_t i = 0; i < results.size(); ++i) {
    MessageRecord*& record = unsent.records[i];
    if (worker.overhearing.anybody_hears()) hear_once(*record);
    Errc error{};
    const Sent sent = worker.outgoing.try_send(agent, record, error);
    if (sent == Sent::wait) hear_once(*record);  // a tap may be added meanwhile
    if (sent != Sent::failed) continue;
    results[i] = make_error(error, "send to", record->target->name);
    worker.outgoing.refuse(agent, record);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (unsent.records[i] == nullptr) continue;
    Sending::AsResult sending(agent, std::exchange(unsent.records[i], nullptr));
    sending.patience(Deadline(until));
    results[i] = co_await sending;
  }
  co_return results;
}

}  // namespace detail

Task<> Agent::send_to_all(const Post& post, std::shared_ptr<detail::ReceiptState> receipt) {
  std::vector<Name> names = co_await targets_of(post);
  while (!post.group_.empty() && detail::keeps_something(*mailbox_) && !keep_sent(post, names)) {
    Task<> giving = detail::until_given(*this, post.group_);
    co_await giving;
    Task<std::vector<Name>> again = targets_of(post);
    names = co_await again;
  }
  if (receipt) {
    for (const Name& name : names) receipt->targets.push_back({name, Stage::accepted, {}});
  }
  std::vector<MessageRecord*> records;
  for (std::uint32_t index = 0; index < names.size(); ++index) {
    records.push_back(pack(post, names[index]));
    if (!receipt) continue;
    detail::fields_of(*records.back()).receipt = receipt;
    records.back()->fields->receipt_index = index;
  }
  auto sending = detail::send_records(*this, std::move(records), post.patience_);
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
