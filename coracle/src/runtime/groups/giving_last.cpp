// Sends to members that join a group late the messages that were sent to it before; this happens at
// the home of each sender.
#include "coracle/transport.hpp"
#include "late_joiners.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"
#include "runtime/room/room_ticket.hpp"
#include "runtime/sending/fast_path.hpp"
#include "runtime/store/storing.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace coracle::detail {

namespace {

constexpr Duration way_patience = std::chrono::seconds(5);

// Returns how many messages the mailbox accepts now; without a limit if its policy drops the
// excess.
std::size_t room_at(const NodeCore& node, const Mailbox& target) noexcept {
  const bool is_held = target.is_held();
  const bool is_bounded =
      !is_held || target.policy() == Overflow::wait || target.policy() == Overflow::fail;
  if (!is_bounded) return std::numeric_limits<std::size_t>::max();
  if ((target.mode_now() & bytes_full) != 0) return 0;
  const std::uint32_t limit =
      is_held ? target.limit.load(std::memory_order_relaxed) : node.options().absent_limit;
  return limit - std::min(limit, target.occupied());
}

// Returns how many bytes the mailbox accepts, as far as this worker knows.
std::size_t bytes_at(const Worker& home, const Mailbox& target) noexcept {
  if (target.home.load(std::memory_order_relaxed) != &home)
    return std::numeric_limits<std::size_t>::max();
  const std::size_t limit = home.mailboxes.bytes_limit(target);
  return limit - std::min(limit, target.bytes);
}

// Returns how many of the last messages fit; the older ones are left out.
std::size_t fitting(const KeptLast& kept, std::size_t most, std::size_t bytes) {
  most = std::min(most, kept.size());
  std::size_t count = 0;
  while (count < most && bytes != 0) {
    ++count;
    bytes -= std::min(bytes, bytes_of(kept[kept.size() - count]));
  }
  return count;
}

// The messages that one sender sends to a member that joins. They do not wait for room in the
// mailbox, because its owner, who joins, does not read meanwhile. They wait for credit on their
// route, for a limited time.
class Gift final : CreditWaiter, TimerNode, public std::enable_shared_from_this<Gift> {
 public:
  Gift(Mailbox& sender, Mailbox& target) noexcept
      : TimerNode(&on_time), sender_(sender), life_(sender.incarnation), target_(target) {}
  ~Gift();

  // Takes as many of the last messages as there is room for.
  void take(Worker& home, KeptLast& kept, std::size_t most);
  // Calls `done` once, when the messages are sent or the rest will not be sent.
  void give(Worker& home, std::function<void()>& done) noexcept;

 private:
  void go_on(Worker& home) noexcept;
  bool send_next(Worker& home);
  void await(Worker& home);
  void on_credit(bool granted) noexcept override;
  static void on_time(TimerNode& timer) noexcept;
  static void drop(MessageRecord* record) noexcept;

  Mailbox& sender_;
  const Incarnation life_;  // a later holder of the sender's name sends none of these
  Mailbox& target_;
  Time until_;
  std::vector<MessageRecord*> records_;
  std::size_t next_ = 0;
  std::shared_ptr<Giving> under_way_;  // nothing else goes to the group before these
  std::shared_ptr<Gift> waiting_;      // this object, while it waits for credit
  std::function<void()> done_;
};

Gift::~Gift() {
  for (; next_ < records_.size(); ++next_) drop(records_[next_]);
  if (!done_) return;
  if (Worker* const here = Worker::current()) here->publish();  // the sent messages come first
  done_();
}

void Gift::drop(MessageRecord* record) noexcept {
  if ((record->flags & claimed_flag) != 0) unclaim_place(*record->target);
  free_record(record);
}

void Gift::take(Worker& home, KeptLast& kept, std::size_t most) {
  under_way_ = kept.begin_giving();
  until_ = home.now() + way_patience;
  most = std::min(most, room_at(home.node(), target_));
  std::size_t left = fitting(kept, most, bytes_at(home, target_));
  records_.reserve(left);
  for (; left != 0; --left) {
    const MessageRecord& original = kept[kept.size() - left];
    if (original.fields->deadline <= home.now()) continue;
    records_.push_back(clone_record(original));
    records_.back()->target = &target_;
  }
}

void Gift::give(Worker& home, std::function<void()>& done) noexcept {
  std::swap(done_, done);
  go_on(home);
}

void Gift::go_on(Worker& home) noexcept try {
  home.touches_all();
  while (next_ < records_.size() && sender_.agent != nullptr && sender_.incarnation == life_) {
    if (!send_next(home)) return await(home);
  }
} catch (const std::exception&) {
  // There is no memory: the rest is not sent.
}

// Returns false when it has to wait.
bool Gift::send_next(Worker& home) {
  MessageRecord*& record = records_[next_];
  Errc error{};
  const Sent sent = home.outgoing.try_send(*sender_.agent, record, error);
  if (sent == Sent::wait) return false;
  if (sent == Sent::failed) {
    owes_again(*record);
    drop(record);
  }
  ++next_;
  return true;
}

// A slot that was free is reserved for the message at the target's home, where the route ends.
void Gift::await(Worker& home) {
  if (room_at(home.node(), target_) == 0 || home.now() >= until_ || home.ended()) return;
  arm(home, until_);
  waiting_ = shared_from_this();
  Envelope envelope(records_[next_]);
  try {
    home.node().transport().await_credit(envelope, *this);
  } catch (...) {
    (void)Access::release(envelope);
    disarm();
    waiting_.reset();
    throw;
  }
  (void)Access::release(envelope);
}

// The sender may have another home by now.
void Gift::on_credit(bool granted) noexcept {
  const std::shared_ptr<Gift> self = std::exchange(waiting_, nullptr);
  if (place != idle) disarm();
  if (!granted) return;
  at_home(sender_, [self](Worker& home, Mailbox&) { self->go_on(home); });
}

void Gift::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<Gift&>(timer);
  const std::shared_ptr<Gift> last = std::exchange(self.waiting_, nullptr);
  self.owner->node().transport().forget(self);
}

}  // namespace

void give_last(Worker& home, Mailbox& sender, const Name& group, const LateJoiners::Owed& to,
               std::function<void()> done) try {
  Extension* const ext = sender.extension.get();
  if (ext == nullptr || !ext->kept_last || sender.agent == nullptr || to.member == sender.name)
    return done();
  const auto kept = ext->kept_last->of.find(group);
  if (kept == ext->kept_last->of.end()) return done();
  Mailbox& target = *home.mailboxes.resolve(to.member.view());
  const auto gift = std::make_shared<Gift>(sender, target);
  gift->take(home, kept->second, to.count);
  gift->give(home, done);
} catch (const std::exception&) {  // there is no memory, or no room for another name
  done();
}

void have_given(NodeCore& node, const Name& group, const LateJoiners::Asker& asker,
                const std::function<void()>& done) {
  const std::vector<Mailbox*> senders = node.late_joiners().owing(group, asker);
  const std::function<void()> all_done = [&node, group, asker, done] {
    node.late_joiners().forget(group, asker);
    done();
  };
  if (senders.empty()) return all_done();
  const auto left = std::make_shared<std::atomic<std::size_t>>(senders.size());
  const std::function<void()> one_done = [left, all_done] {
    if (left->fetch_sub(1) == 1) all_done();
  };
  for (Mailbox* const sender : senders) {
    at_home(*sender, [group, asker, one_done](Worker& home, Mailbox& there) {
      const std::size_t count = home.node().late_joiners().owed_by(group, asker, there);
      if (count == 0) return one_done();
      const LateJoiners::Owed to{asker.member, count};
      give_last(home, there, group, to, one_done);
    });
  }
}

}  // namespace coracle::detail
