#include "coracle/dispel/master.hpp"

#include "coracle/directory.hpp"
#include "coracle/endings.hpp"
#include "coracle/node.hpp"
#include "labour/work_board.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace coracle::dispel {

namespace {

// The time for which a division in fixed shares waits for slaves that are not there yet, and the
// pause before a master asks a slave again.
constexpr Duration grace = std::chrono::seconds(1);
constexpr Duration before_next = std::chrono::milliseconds(100);

// The number of times that a slave may report another incarnation than the directory. News of an
// incarnation may be slower than the slave; a slave that lies would report it for ever.
constexpr int most_contradictions = 100;

bool is_mine(const MessageView& message) {
  const Content content = message.content();
  if (const auto* changed = content.try_as<detail::Changed>()) return changed->master;
  return content.type().starts_with(detail::for_masters);
}

const Match& mine() {
  static const Match match = that(is_mine);
  return match;
}

}  // namespace

struct MasterAgent::Labour {
  struct Slave {
    Address address;
    std::uint64_t contract = 0;
    Incarnation life;   // in which it was hired
    Incarnation ended;  // the latest incarnation that is known to be over
    bool hired = false;
    bool refused = false;
    // By incarnation that did not know its contract any more: the only task that it had. If that
    // incarnation has died, the task is charged with the death.
    std::map<Incarnation, std::uint64_t> alone;
  };
  std::optional<detail::WorkBoard> board;
  std::vector<Slave> slaves;
  std::optional<std::uint32_t> only;  // of all slaves, the one that gets tasks
  std::string refusal;

  bool may_have(std::uint32_t slave) const noexcept { return !only || *only == slave; }
  // A slave serves no more, and it is not known yet whether it has died.
  void lose(std::uint32_t number) {
    Slave& slave = slaves[number];
    slave.hired = false;
    if (!board) return;
    const std::optional<std::uint64_t> task = board->lost(number);
    if (task) slave.alone[slave.life] = *task;
  }
  // An incarnation of a slave is over. Returns whether it is the one that serves.
  bool end(std::uint32_t number, const Ending& ending) {
    Slave& slave = slaves[number];
    slave.ended = std::max(slave.ended, ending.incarnation);
    const bool died = ending.reason != EndReason::stopped && ending.reason != EndReason::fenced;
    const auto known = slave.alone.find(ending.incarnation);
    if (board && died && known != slave.alone.end()) board->charge(known->second);
    slave.alone.erase(slave.alone.begin(), slave.alone.upper_bound(ending.incarnation));
    if (!slave.hired || slave.ended < slave.life) return false;
    slave.hired = false;
    if (board && died) board->died(number);
    if (board && !died) board->left(number);
    return true;
  }
};

MasterAgent::MasterAgent(std::vector<Name> slaves)
    : slaves_(std::move(slaves)), labour_(std::make_unique<Labour>()) {}

MasterAgent::~MasterAgent() = default;

void MasterAgent::on_progress(std::uint64_t, std::uint64_t) {}
void MasterAgent::on_refusal(const Name&, const std::string&) {}

Task<> MasterAgent::change() {
  const Content changed = Content::of(detail::Changed{true});
  co_await send(self(), changed);
}

// Hires a slave and returns whether it serves; waits for a slave that is not there. The slave's
// reply contains its incarnation, which must be the same as in the directory.
Task<bool> MasterAgent::hire(std::uint32_t number) {
  Labour::Slave& slave = labour_->slaves[number];
  const std::string who = "'" + slaves_[number].str() + "'";
  std::string why =
      "the directory has no entry of " + who + " with the incarnation that it reported";
  for (int contradictions = 0; contradictions < most_contradictions;) {
    detail::Hire hire;
    hire.contract = slave.contract = new_conversation();
    hire.takes = task_type();
    hire.gives = result_type();
    const Content wish = Content::of(std::move(hire));
    const Result<Message> answer = co_await ask_result(slaves_[number], wish);
    if (answer) {
      const Content content = answer->content();
      const auto* hired = content.try_as<detail::Hired>();
      if (hired == nullptr) {
        why = who + " does not answer a master as a slave does";
        break;
      }
      const Incarnation said{hired->epoch, hired->counter};
      const std::optional<Entry> entry = co_await node().directory().look_up(slaves_[number]);
      if (entry && entry->incarnation == said && slave.ended < said) {
        serves(number, said);
        co_await change();
        co_return true;
      }
      ++contradictions;
    } else {
      const Error& error = answer.error();
      if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw error;
      if (error.errc() == Errc::refused) {
        why = error.sentence();
        break;
      }
    }
    co_await pause(before_next);
  }
  slave.refused = true;
  labour_->refusal = why;
  on_refusal(slaves_[number], why);
  co_await change();
  co_return false;
}

void MasterAgent::serves(std::uint32_t number, Incarnation life) {
  Labour::Slave& slave = labour_->slaves[number];
  slave.life = life;
  slave.hired = true;
  slave.alone.erase(life);  // it has not died of that task
  if (labour_->board) labour_->board->ready(number);
}

// Hires a slave, and each later holder of its name when the slave ends. A refusal holds for one
// incarnation of the name.
Task<> MasterAgent::keep(std::uint32_t number) {
  Endings endings(*this);
  co_await endings.add(slaves_[number]);
  (void)co_await hire(number);
  for (;;) {
    const Ending ending = co_await endings.next();
    const bool is_free = labour_->end(number, ending);
    co_await change();
    if (!is_free && !std::exchange(labour_->slaves[number].refused, false)) continue;
    (void)co_await hire(number);
  }
}

// Hires a slave again that has forgotten its master.
Task<> MasterAgent::hire_again(std::uint32_t number) {
  co_await pause(before_next);
  (void)co_await hire(number);
}

// A slave to which tasks could not be sent is ready again a little later, if it still serves.
Task<> MasterAgent::try_again(std::uint32_t number) {
  const std::uint64_t contract = labour_->slaves[number].contract;
  co_await pause(before_next);
  const Labour::Slave& slave = labour_->slaves[number];
  if (!slave.hired || slave.contract != contract || !labour_->board) co_return;
  labour_->board->ready(number);
  co_await change();
}

void MasterAgent::handle(const Message& message) {
  const Content content = message.content();
  const auto* unknown = content.try_as<detail::UnknownContract>();
  if (unknown == nullptr) return take_results(content);
  // The slave has begun anew, and the news of its end has not come yet; or it has forgotten this
  // master.
  for (std::uint32_t number = 0; number < slaves_.size(); ++number) {
    const Labour::Slave& slave = labour_->slaves[number];
    if (slave.contract != unknown->contract || slave.address != message.source() || !slave.hired) {
      continue;
    }
    labour_->lose(number);
    spawn(hire_again(number));
  }
}

bool MasterAgent::knows(std::uint64_t chunk) const {
  return labour_->board && labour_->board->knows(chunk);
}

// Throws if no slave can get tasks because all have refused.
void MasterAgent::check_slaves() const {
  bool hopeful = false;
  for (std::uint32_t number = 0; number < slaves_.size(); ++number) {
    hopeful = hopeful || (labour_->may_have(number) && !labour_->slaves[number].refused);
  }
  if (!hopeful) {
    throw Error(Errc::refused, "nobody serves '" + name().str() + "': " + labour_->refusal);
  }
  if (const auto task = labour_->board->hopeless()) {
    throw Error(Errc::limit_reached, "too many slaves of '" + name().str() + "' died over task " +
                                         std::to_string(*task) + "; look at their last errors");
  }
}

bool MasterAgent::is_first(std::uint64_t task) {
  return labour_->board && labour_->board->done(task);
}

void MasterAgent::finish(std::uint64_t chunk) {
  if (labour_->board) labour_->board->finished(chunk);
}

Task<> MasterAgent::give_out() {
  bool something = true;
  while (something) {
    something = false;
    for (std::uint32_t number = 0; number < slaves_.size(); ++number) {
      if (!labour_->may_have(number)) continue;
      const std::optional<detail::Chunk> chunk = labour_->board->give(number);
      if (!chunk) continue;
      something = true;
      const Labour::Slave& slave = labour_->slaves[number];
      Content tasks = chunk_of(slave.contract, chunk->id, chunk->first, chunk->count);
      const Result<void> sent = co_await send_result(slave.address, std::move(tasks));
      if (sent) continue;
      const Errc errc = sent.error().errc();
      if (errc != Errc::absent_full && errc != Errc::mailbox_full) throw sent.error();
      labour_->board->not_sent(*chunk);
      spawn(try_again(number));
    }
  }
}

// Fixed shares are for the slaves that are there.
Task<> MasterAgent::hire_first() {
  const Time until = now() + grace;
  const auto answered = [](const Labour::Slave& each) { return each.hired || each.refused; };
  while (!std::all_of(labour_->slaves.begin(), labour_->slaves.end(), answered)) {
    const std::optional<Message> message = co_await receive(mine(), Deadline(until));
    if (message) handle(*message);
    else if (labour_->board->ready_count() > 0) break;
    else co_await pause(before_next);
  }
  labour_->board->share_out();
}

std::uint32_t MasterAgent::slave_called(const Name& slave) const {
  const auto found = std::find(slaves_.begin(), slaves_.end(), slave);
  if (found != slaves_.end()) return static_cast<std::uint32_t>(found - slaves_.begin());
  throw Error(Errc::bad_options, "'" + slave.str() + "' is no slave of '" + name().str() +
                                     "'; name it where the master is made");
}

Task<> MasterAgent::divide_all(std::uint64_t tasks, Division how,
                               std::optional<std::uint32_t> only) {
  const auto count = static_cast<std::uint32_t>(slaves_.size());
  labour_->only = only;
  labour_->board.emplace(tasks, count, how, new_conversation());
  if (labour_->slaves.empty()) {
    co_await play("master", slaves_);
    labour_->slaves.resize(count);
    for (std::uint32_t number = 0; number < count; ++number) {
      labour_->slaves[number].address = find(slaves_[number]);
      spawn(keep(number));
    }
  }
  for (std::uint32_t number = 0; number < count; ++number) {
    labour_->slaves[number].alone.clear();
    if (labour_->slaves[number].hired) labour_->board->ready(number);
  }
  if (how.shares == Shares::fixed) co_await hire_first();
  std::uint64_t told = 0;
  while (!labour_->board->all_done()) {
    check_slaves();
    co_await give_out();
    const Message message = co_await receive(mine());
    handle(message);
    while (const std::optional<Message> more = try_receive(mine())) handle(*more);
    tell_in_order(labour_->board->done_in_order());
    const std::uint64_t done = labour_->board->done_count();
    if (done != told) on_progress(told = done, tasks);
  }
  given_again_ += labour_->board->given_again();
  labour_->board.reset();
}

}  // namespace coracle::dispel
