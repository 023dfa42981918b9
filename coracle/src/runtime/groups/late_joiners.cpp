#include "late_joiners.hpp"
#include "coracle/support/error_texts.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"
#include "runtime/sending/fast_path.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>

namespace coracle::detail {

namespace {

constexpr std::size_t bytes_besides = 256;  // of a kept message, besides its content

std::size_t bytes_kept(const MessageRecord& record) noexcept {
  std::size_t bytes = bytes_besides + bytes_of(record);
  for (const auto& [key, value] : record.fields->headers) bytes += key.size() + value.size();
  return bytes;
}

}  // namespace

void KeptLast::limit(std::size_t messages, std::size_t bytes) {
  messages_ = messages;
  bytes_limit_ = bytes;
  while (kept_.size() > messages_ || bytes_ > bytes_limit_) forget_oldest();
}

void KeptLast::keep(std::unique_ptr<MessageRecord, FreeRecord> record) {
  const std::size_t bytes = bytes_kept(*record);
  kept_.push_back(std::move(record));
  bytes_ += bytes;
  while (kept_.size() > messages_ || bytes_ > bytes_limit_) forget_oldest();
}

void KeptLast::forget_oldest() {
  bytes_ -= bytes_kept(*kept_.front());
  kept_.pop_front();
}

std::shared_ptr<Giving> KeptLast::begin_giving() {
  std::shared_ptr<Giving> giving = giving_.lock();
  if (!giving) giving_ = giving = std::make_shared<Giving>();
  return giving;
}

void LateJoiners::keeps(const Name& group, Mailbox& sender) {
  const std::lock_guard lock(mutex_);
  groups_[group].senders.insert(&sender);
}

void LateJoiners::keeps_no_more(const Name& group, Mailbox& sender) {
  const std::lock_guard lock(mutex_);
  const auto joined = groups_.find(group);
  if (joined == groups_.end()) return;
  joined->second.senders.erase(&sender);
  drop_unused(joined);
}

bool LateJoiners::is_kept(const Name& group) {
  const std::lock_guard lock(mutex_);
  const auto joined = groups_.find(group);
  return joined != groups_.end() && !joined->second.senders.empty();
}

void LateJoiners::drop(Groups::iterator group, std::map<Asker, Expected>::iterator one) {
  uncount(one->first.lease);
  group->second.expected.erase(one);
  drop_unused(group);
}

void LateJoiners::drop_unused(Groups::iterator group) {
  if (group->second.senders.empty() && group->second.expected.empty()) groups_.erase(group);
}

void LateJoiners::uncount(LeaseId lease) {
  const auto of = expected_of_.find(lease);
  if (of != expected_of_.end() && --of->second == 0) expected_of_.erase(of);
}

// If too many agents of one node are expected, drops the one that has been expected longest: it has
// never announced that it joined.
void LateJoiners::make_room_for(LeaseId lease) {
  if (expected_of_[lease] < most_of_one_node) return;
  auto of = groups_.end();
  auto oldest = std::map<Asker, Expected>::iterator();
  for (auto group = groups_.begin(); group != groups_.end(); ++group) {
    auto& expected = group->second.expected;
    for (auto one = expected.lower_bound({lease, Name()});
         one != expected.end() && one->first.lease == lease; ++one) {
      if (of != groups_.end() && oldest->second.since < one->second.since) continue;
      of = group;
      oldest = one;
    }
  }
  if (of != groups_.end()) drop(of, oldest);
}

LateJoiners::Expected* LateJoiners::expected(const Name& group, const Asker& asker) {
  const auto joined = groups_.find(group);
  if (joined == groups_.end()) return nullptr;
  const auto one = joined->second.expected.find(asker);
  return one != joined->second.expected.end() ? &one->second : nullptr;
}

void LateJoiners::expect(const Name& group, const Asker& asker, std::size_t count, bool is_proven,
                         Time until) {
  const std::lock_guard lock(mutex_);
  if (asker.lease != 0 && expected(group, asker) == nullptr) {
    make_room_for(asker.lease);
    ++expected_of_[asker.lease];
  }
  groups_[group].expected[asker] = Expected{count, ++asked_, is_proven, until, {}};
}

void LateJoiners::prove(const Name& group, const Asker& asker) {
  const std::lock_guard lock(mutex_);
  if (Expected* const one = expected(group, asker)) one->is_proven = true;
}

bool LateJoiners::is_expected(const Name& group, const Asker& asker, Time now) {
  const std::lock_guard lock(mutex_);
  const Expected* const one = expected(group, asker);
  return one != nullptr && now < one->until;
}

// The members are scanned once, for any number of expected agents.
std::vector<LateJoiners::Owed> LateJoiners::owed(const Name& group, Mailbox& sender,
                                                 const std::vector<Name>& members, Time now) {
  std::vector<Owed> all;
  const std::lock_guard lock(mutex_);
  const auto joined = groups_.find(group);
  if (joined == groups_.end()) return all;
  auto& expected = joined->second.expected;
  std::unordered_set<Name> wanted, there;
  for (auto next = expected.begin(); next != expected.end();) {
    const auto here = next++;
    const auto& [asker, one] = *here;
    if (now >= one.until) uncount(asker.lease), expected.erase(here);
    else if (one.is_proven && !one.done.contains(&sender)) wanted.insert(asker.member);
  }
  if (wanted.empty()) return all;
  for (const Name& member : members)
    if (wanted.contains(member)) there.insert(member);
  for (auto& [asker, one] : expected) {
    const bool is_there = one.is_proven && there.contains(asker.member);
    if (is_there && one.done.insert(&sender).second) all.push_back({asker.member, one.count});
  }
  return all;
}

std::vector<Mailbox*> LateJoiners::owing(const Name& group, const Asker& asker) {
  const std::lock_guard lock(mutex_);
  const Expected* const one = expected(group, asker);
  if (one == nullptr || !one->is_proven) return {};
  const auto& senders = groups_.at(group).senders;
  return {senders.begin(), senders.end()};
}

std::size_t LateJoiners::owed_by(const Name& group, const Asker& asker, Mailbox& sender) {
  const std::lock_guard lock(mutex_);
  Expected* const one = expected(group, asker);
  const bool owes = one != nullptr && one->is_proven && one->done.insert(&sender).second;
  return owes ? one->count : 0;
}

void LateJoiners::forget(const Name& group, const Asker& asker) {
  const std::lock_guard lock(mutex_);
  const auto joined = groups_.find(group);
  if (joined == groups_.end()) return;
  const auto one = joined->second.expected.find(asker);
  if (one != joined->second.expected.end()) drop(joined, one);
}

bool LateJoiners::begin_judging(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  std::size_t& judged = judged_of_[lease];
  if (judged >= most_of_one_node) return false;
  ++judged;
  return true;
}

void LateJoiners::end_judging(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  const auto judged = judged_of_.find(lease);
  if (judged != judged_of_.end() && --judged->second == 0) judged_of_.erase(judged);
}

void LateJoiners::forget(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  if (expected_of_.erase(lease) == 0) return;
  for (auto group = groups_.begin(); group != groups_.end();) {
    const auto here = group++;
    std::erase_if(here->second.expected,
                  [lease](const auto& one) { return one.first.lease == lease; });
    drop_unused(here);
  }
}

void keep_nothing(NodeCore& node, Mailbox& mailbox) noexcept {
  if (!mailbox.extension || !mailbox.extension->kept_last) return;
  for (const auto& [group, kept] : mailbox.extension->kept_last->of)
    node.late_joiners().keeps_no_more(group, mailbox);
  mailbox.extension->kept_last.reset();
}

void check_last(Last last) {
  if (last.messages <= Last::most) return;
  throw Error(Errc::bad_options, "join() was asked for the last " + std::to_string(last.messages) +
                                     " messages of each sender; ask for at most " +
                                     std::to_string(Last::most));
}

std::uint64_t LateJoiners::line_up(std::function<void()> may_ask) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = ++in_line_;
  const auto& last = line_.emplace(number, std::move(may_ask)).first->second;
  if (line_.size() <= most_of_one_node) last();
  return number;
}

void LateJoiners::step_out(std::uint64_t number) noexcept {
  const std::lock_guard lock(mutex_);
  line_.erase(number);
  if (line_.size() >= most_of_one_node) std::next(line_.begin(), most_of_one_node - 1)->second();
}

LateJoin::LateJoin(Agent& agent, Name group, std::size_t count)
    : agent_(agent),
      node_(agent.node().core()),
      group_(std::move(group)),
      asker_{0, agent.name()},
      count_(count) {}

// The other nodes receive this after the earlier requests.
LateJoin::~LateJoin() {
  if (is_expected_) node_.late_joiners().forget(group_, asker_);
  if (in_line_ != 0) node_.late_joiners().step_out(in_line_);
  Worker* const here = Worker::current();
  if (!has_asked_ || here == nullptr || node_.stopping().ended()) return;
  try {
    run_detached(*here, node_.remote()->last_requests().cancel(group_, asker_.member));
  } catch (const std::exception&) {
    // There is no memory. The other nodes then expect the agent until its node is gone.
  }
}

Task<> LateJoin::begin() {
  node_.late_joiners().expect(group_, asker_, count_, true);
  is_expected_ = true;
  if (node_.remote() == nullptr) co_return;
  const Signal turn;
  const std::function<void()> set = [turn] { turn.set(); };
  in_line_ = node_.late_joiners().line_up(set);
  (void)co_await turn.wait();
  has_asked_ = true;
  Task<> telling = node_.remote()->last_requests().send(here(agent_), before_joining, group_,
                                                        asker_.member, count_);
  co_await telling;
}

Task<> LateJoin::finish(bool has_joined) {
  if (has_joined) {
    const Signal given;
    const std::function<void()> set = [given] { given.set(); };
    have_given(node_, group_, asker_, set);
    (void)co_await given.wait();
  } else {
    node_.late_joiners().forget(group_, asker_);
  }
  is_expected_ = false;
  if (node_.remote() == nullptr) co_return;
  Task<> asking = node_.remote()->last_requests().send(
      here(agent_), has_joined ? when_joined : not_joining, group_, asker_.member, count_);
  co_await asking;
  has_asked_ = false;
}

namespace {

std::shared_ptr<Giving> giving_of(const Mailbox& sender, const Name& group) {
  if (!keeps_something(sender)) return nullptr;
  const KeptByGroup& kept = *sender.extension->kept_last;
  const auto found = kept.of.find(group);
  return found != kept.of.end() ? found->second.giving() : nullptr;
}

}  // namespace

Task<> until_given(Agent& agent, Name group) {
  const Signal over;
  {
    const std::shared_ptr<Giving> giving = giving_of(*Access::mailbox(agent), group);
    if (giving == nullptr) co_return;
    giving->then.emplace_back([over] { over.set(); });
  }
  (void)co_await over.wait();
}

}  // namespace coracle::detail

namespace coracle {

namespace {

constexpr std::size_t most_groups_kept = 1024;

void check_what_is_kept(std::size_t messages, std::size_t bytes) {
  if (messages > Last::most || (messages != 0 && bytes == 0)) {
    throw Error(Errc::bad_options, "keep_last() was given " + std::to_string(messages) +
                                       " messages and " + std::to_string(bytes) +
                                       " bytes; give at most " + std::to_string(Last::most) +
                                       " messages, and at least 1 byte");
  }
}

}  // namespace

void Agent::keep_last(const Group& group, std::size_t messages, std::size_t bytes) {
  check_what_is_kept(messages, bytes);
  detail::Worker& worker = here(*this);
  if (mailbox_->agent != this)
    throw detail::make_error(Errc::fenced, "keep messages to", group.name());
  detail::LateJoiners& late = worker.node().late_joiners();
  auto& kept = mailbox_->ext().kept_last;
  if (messages == 0) {
    if (!kept || kept->of.erase(group.name()) == 0) return;
    late.keeps_no_more(group.name(), *mailbox_);
    if (kept->of.empty()) kept.reset();
    return;
  }
  if (!kept) kept = std::make_unique<detail::KeptByGroup>();
  if (kept->of.size() >= most_groups_kept && !kept->of.contains(group.name())) {
    throw Error(Errc::limit_reached, "'" + name().str() + "' keeps messages to " +
                                         std::to_string(most_groups_kept) +
                                         " groups already; end that for one of them first, by "
                                         "keep_last(group, 0)");
  }
  kept->of[group.name()].limit(messages, bytes);
  late.keeps(group.name(), *mailbox_);
}

// Every present member first gets the messages from before it joined, then this message; this
// message is kept for agents that are not members yet. Returns false while a member is being sent
// kept messages: then the caller must look up the members again.
bool Agent::keep_sent(const Post& post, const std::vector<Name>& members) {
  if (mailbox_->agent != this) return true;
  const auto kept = mailbox_->extension->kept_last->of.find(post.group_);
  if (kept == mailbox_->extension->kept_last->of.end()) return true;
  detail::Worker& worker = here(*this);
  for (const auto& owed :
       worker.node().late_joiners().owed(post.group_, *mailbox_, members, worker.now()))
    give_last(worker, *mailbox_, post.group_, owed, [] {});
  if (kept->second.giving()) return false;
  std::unique_ptr<detail::MessageRecord, detail::FreeRecord> record(pack(post, name()));
  record->fields->is_earlier = true;
  kept->second.keep(std::move(record));
  return true;
}

}  // namespace coracle
