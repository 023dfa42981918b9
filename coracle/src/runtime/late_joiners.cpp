#include "runtime/late_joiners.hpp"
#include "runtime/errors_said.hpp"
#include "runtime/fast_path.hpp"
#include "runtime/node_core.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>
#include <limits>

namespace coracle::detail {

namespace {

constexpr std::size_t bytes_besides = 256;  // what a kept message takes besides what it says

std::size_t bytes_kept(const Parcel& parcel) noexcept {
  std::size_t bytes = bytes_besides + bytes_of(parcel);
  for (const auto& [key, value] : parcel.extras->headers) bytes += key.size() + value.size();
  return bytes;
}

// How many messages the mailbox takes now; all, where its policy drops what is too much.
std::size_t room_at(const NodeCore& node, const Party& target) noexcept {
  const bool is_held = target.is_held();
  const bool is_bounded =
      !is_held || target.policy() == Overflow::wait || target.policy() == Overflow::fail;
  if (!is_bounded) return std::numeric_limits<std::size_t>::max();
  if ((target.mode_now() & bytes_full) != 0) return 0;
  const std::uint32_t limit =
      is_held ? target.limit.load(std::memory_order_relaxed) : node.options().absent_limit;
  return limit - std::min(limit, target.occupied());
}

// How many bytes it takes, as far as this worker knows.
std::size_t bytes_at(const Worker& home, const Party& target) noexcept {
  if (target.home.load(std::memory_order_relaxed) != &home)
    return std::numeric_limits<std::size_t>::max();
  const std::size_t limit = home.bytes_limit(target);
  return limit - std::min(limit, target.bytes);
}

// How many of the last there is room for: the older ones are left out.
std::size_t fitting(const KeptLast& kept, std::size_t most, std::size_t bytes) {
  most = std::min(most, kept.size());
  std::size_t count = 0;
  while (count < most && bytes != 0) {
    ++count;
    bytes -= std::min(bytes, bytes_of(kept[kept.size() - count]));
  }
  return count;
}

// What a member that joins is being given.
struct Gift {
  ~Gift() {
    for (; next < parcels.size(); ++next) free_parcel(parcels[next]);
    done();
  }

  std::shared_ptr<const bool> under_way;  // nothing else goes to the group before it
  std::function<void()> done;
  Party* target = nullptr;
  Time until;
  std::vector<Parcel*> parcels;
  std::size_t next = 0;
};

// Gives what there is room for. It does not wait for the mailbox, since its owner, who joins, does
// not read meanwhile; it waits for its way there, for a while.
void go_on(Worker& home, Party& sender, const std::shared_ptr<Gift>& gift) {
  home.touches_all();
  for (; gift->next < gift->parcels.size(); ++gift->next) {
    if (sender.agent == nullptr) return;
    Parcel*& parcel = gift->parcels[gift->next];
    Errc error{};
    const Sent sent = home.try_send(*sender.agent, parcel, error);
    if (sent == Sent::wait) {
      if (room_at(home.node(), *gift->target) == 0 || home.now() >= gift->until) return;
      return home.post(command([&sender, gift](Worker&) {
        at_home(sender, [gift](Worker& at, Party& there) { go_on(at, there, gift); });
      }));
    }
    if (sent == Sent::accepted) continue;
    owes_again(*parcel);
    free_parcel(parcel);
  }
}

constexpr Duration way_patience = std::chrono::seconds(5);

std::shared_ptr<Gift> gift_of(Worker& home, KeptLast& kept, Party& target, std::size_t most) {
  auto gift = std::make_shared<Gift>();
  gift->under_way = kept.begin_giving();
  gift->target = &target;
  gift->until = home.now() + way_patience;
  most = std::min(most, room_at(home.node(), target));
  for (std::size_t left = fitting(kept, most, bytes_at(home, target)); left != 0; --left) {
    const Parcel& original = kept[kept.size() - left];
    if (original.extras->deadline <= home.now()) continue;
    Parcel* const parcel = clone_parcel(original);
    parcel->target = &target;
    gift->parcels.push_back(parcel);
  }
  return gift;
}

}  // namespace

void KeptLast::limit(std::size_t messages, std::size_t bytes) {
  messages_ = messages;
  bytes_limit_ = bytes;
  while (kept_.size() > messages_ || bytes_ > bytes_limit_) forget_oldest();
}

void KeptLast::keep(std::unique_ptr<Parcel, FreeParcel> parcel) {
  bytes_ += bytes_kept(*parcel);
  kept_.push_back(std::move(parcel));
  while (kept_.size() > messages_ || bytes_ > bytes_limit_) forget_oldest();
}

void KeptLast::forget_oldest() {
  bytes_ -= bytes_kept(*kept_.front());
  kept_.pop_front();
}

void LateJoiners::keeps(const Name& group, Party& sender) {
  const std::lock_guard lock(mutex_);
  groups_[group].senders.insert(&sender);
}

void LateJoiners::keeps_no_more(const Name& group, Party& sender) {
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
  const auto of = expected_of_.find(one->first.lease);
  if (of != expected_of_.end() && --of->second == 0) expected_of_.erase(of);
  group->second.expected.erase(one);
  drop_unused(group);
}

void LateJoiners::drop_unused(Groups::iterator group) {
  if (group->second.senders.empty() && group->second.expected.empty()) groups_.erase(group);
}

// The one goes that has waited longest: it has never said that it joined.
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

void LateJoiners::expect(const Name& group, const Asker& asker, std::size_t count, bool is_proven) {
  const std::lock_guard lock(mutex_);
  if (expected(group, asker) == nullptr) {
    make_room_for(asker.lease);
    ++expected_of_[asker.lease];
  }
  groups_[group].expected[asker] = Expected{count, ++asked_, is_proven, {}};
}

void LateJoiners::prove(const Name& group, const Asker& asker) {
  const std::lock_guard lock(mutex_);
  if (Expected* const one = expected(group, asker)) one->is_proven = true;
}

std::vector<LateJoiners::Owed> LateJoiners::owed(const Name& group, Party& sender,
                                                 const std::vector<Name>& members) {
  std::vector<Owed> all;
  const std::lock_guard lock(mutex_);
  const auto joined = groups_.find(group);
  if (joined == groups_.end()) return all;
  for (auto& [asker, one] : joined->second.expected) {
    const bool is_there =
        one.is_proven && std::find(members.begin(), members.end(), asker.member) != members.end();
    if (is_there && one.done.insert(&sender).second) all.push_back({asker.member, one.count});
  }
  return all;
}

std::vector<Party*> LateJoiners::owing(const Name& group, const Asker& asker) {
  const std::lock_guard lock(mutex_);
  const Expected* const one = expected(group, asker);
  if (one == nullptr || !one->is_proven) return {};
  const auto& senders = groups_.at(group).senders;
  return {senders.begin(), senders.end()};
}

std::size_t LateJoiners::owed_by(const Name& group, const Asker& asker, Party& sender) {
  const std::lock_guard lock(mutex_);
  Expected* const one = expected(group, asker);
  const bool owes = one != nullptr && one->is_proven && one->done.insert(&sender).second;
  return owes ? one->count : 0;
}

void LateJoiners::has_joined(const Name& group, const Asker& asker) {
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

void give_last(Worker& home, Party& sender, const Name& group, const LateJoiners::Owed& to,
               std::function<void()> done) try {
  Extension* const ext = sender.extension.get();
  if (ext == nullptr || !ext->kept_last || sender.agent == nullptr || to.member == sender.name)
    return done();
  const auto kept = ext->kept_last->of.find(group);
  if (kept == ext->kept_last->of.end()) return done();
  Party& target = *home.resolve(to.member.view());
  const std::shared_ptr<Gift> gift = gift_of(home, kept->second, target, to.count);
  gift->done = std::move(done);
  go_on(home, sender, gift);
} catch (const std::exception&) {  // there is no memory, or no room for another name
  if (done) done();
}

void have_given(NodeCore& node, const Name& group, const LateJoiners::Asker& asker,
                const std::function<void()>& done) {
  const std::vector<Party*> senders = node.late_joiners().owing(group, asker);
  const std::function<void()> all_done = [&node, group, asker, done] {
    node.late_joiners().has_joined(group, asker);
    done();
  };
  if (senders.empty()) return all_done();
  const auto left = std::make_shared<std::atomic<std::size_t>>(senders.size());
  const std::function<void()> one_done = [left, all_done] {
    if (left->fetch_sub(1) == 1) all_done();
  };
  for (Party* const sender : senders) {
    at_home(*sender, [group, asker, one_done](Worker& home, Party& there) {
      const std::size_t count = home.node().late_joiners().owed_by(group, asker, there);
      if (count == 0) return one_done();
      const LateJoiners::Owed to{asker.member, count};
      give_last(home, there, group, to, one_done);
    });
  }
}

void keep_nothing(NodeCore& node, Party& party) noexcept {
  if (!party.extension || !party.extension->kept_last) return;
  for (const auto& [group, kept] : party.extension->kept_last->of)
    node.late_joiners().keeps_no_more(group, party);
  party.extension->kept_last.reset();
}

void check_last(Last last) {
  if (last.messages <= Last::most) return;
  throw Error(Errc::bad_options, "join() was asked for the last " + std::to_string(last.messages) +
                                     " messages of each sender; ask for at most " +
                                     std::to_string(Last::most));
}

Task<> expect_last(Agent& agent, Name group, std::size_t count) {
  NodeCore& node = agent.node().core();
  const LateJoiners::Asker asker{0, agent.name()};
  node.late_joiners().expect(group, asker, count, true);
  if (node.remote() == nullptr) co_return;
  Task<> telling =
      node.remote()->ask_for_last(here(agent), before_joining, group, agent.name(), count);
  co_await telling;
}

Task<> receive_last(Agent& agent, Name group, std::size_t count, bool has_joined) {
  NodeCore& node = agent.node().core();
  const LateJoiners::Asker asker{0, agent.name()};
  if (has_joined) {
    const Signal given(here(agent));
    const std::function<void()> set = [given] { given.set(); };
    have_given(node, group, asker, set);
    (void)co_await given.wait();
  } else {
    node.late_joiners().has_joined(group, asker);
  }
  if (node.remote() == nullptr) co_return;
  Task<> asking = node.remote()->ask_for_last(here(agent), when_joined, group, agent.name(), count);
  co_await asking;
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
  if (party_->agent != this) throw detail::said(Errc::fenced, "keep messages to", group.name());
  detail::LateJoiners& late = worker.node().late_joiners();
  auto& kept = party_->ext().kept_last;
  if (messages == 0) {
    if (!kept || kept->of.erase(group.name()) == 0) return;
    late.keeps_no_more(group.name(), *party_);
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
  late.keeps(group.name(), *party_);
}

// Whoever is a member by now gets what was sent before it joined before this message; it is kept
// for those that are not. False while somebody is being given something: then the members are to
// be looked up again.
bool Agent::keep_sent(const Post& post, const std::vector<Name>& members) {
  if (party_->agent != this) return true;
  const auto kept = party_->extension->kept_last->of.find(post.group_);
  if (kept == party_->extension->kept_last->of.end()) return true;
  detail::Worker& worker = here(*this);
  for (const auto& owed : worker.node().late_joiners().owed(post.group_, *party_, members))
    give_last(worker, *party_, post.group_, owed, [] {});
  if (kept->second.is_giving()) return false;
  std::unique_ptr<detail::Parcel, detail::FreeParcel> parcel(pack(post, name()));
  parcel->extras->is_earlier = true;
  kept->second.keep(std::move(parcel));
  return true;
}

}  // namespace coracle
