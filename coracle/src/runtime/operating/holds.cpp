#include "holds.hpp"

#include "coracle/support/log.hpp"
#include "coracle/support/mutations.hpp"
#include "patterns/pattern_parts.hpp"
#include "runtime/groups/seen_by_patterns.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/remote/homes.hpp"
#include "runtime/sending/delivery.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

bool is_held_back(const MessageRecord& record) noexcept {
  return record.fields != nullptr && record.fields->held != 0;
}

// Replies go to their requester; copies, gaps and dead letters are beside the conversation.
bool may_be_held_back(const Mailbox& target, const MessageRecord& record) noexcept {
  constexpr std::uint16_t never = reply_flag | redelivered_flag;
  const bool is_never = (record.flags & never) != 0 && !mutated(Mutation::again_is_held);
  return is_counted(record) && !is_never && target.is_present();
}

bool selects(const Pattern& pattern, const Name& agent) {
  return pattern.parts() == nullptr || pattern.parts()->target_matches(agent.view());
}

HeldMessage shown_of(const Mailbox& target, const MessageRecord& record) {
  HeldMessage shown;
  shown.kind = kind_of(record.flags);
  shown.conversation = record.conversation;
  if (record.source != nullptr) shown.source = record.source->name;
  shown.target = target.name;
  const std::string_view text = text_of(record);
  shown.size = text.size();
  shown.text = text.substr(0, StepLimits::text);
  return shown;
}

// Hands a message of the mailbox to a reader that waits for it; otherwise it stays.
bool serve_readers(Worker& home, Mailbox& mailbox, MessageRecord* record) {
  const Link& readers = mailbox.readers;
  for (const Link* link = readers.next; link != &readers; link = link->next) {
    if (!fits(static_cast<const Reader*>(link)->match(), record)) continue;
    const MessageRecord* const wanted = record;
    MessageRecord* const taken = mailbox.take(
        that([wanted](const MessageView& each) { return Access::record(each) == wanted; }));
    home.mailboxes.left(mailbox, *taken);
    return hand_to_reader(home, mailbox, taken);
  }
  return false;
}

// The message is no longer held: it is as if it had come now, or, if it keeps its place, before.
void let_message_go(Worker& home, Mailbox& mailbox, std::uint32_t number, bool to_end) {
  MessageRecord* found = nullptr;
  mailbox.each_waiting([&](MessageRecord& record) {
    if (is_held_back(record) && record.fields->held == number) found = &record;
  });
  if (found == nullptr) return;
  found->fields->held = 0;
  home.touches_all();
  if (!mutated(Mutation::released_unnoticed) && serve_readers(home, mailbox, found)) return;
  if (!to_end && !mutated(Mutation::released_behind)) return;
  MessageRecord* const taken = mailbox.take(
      that([found](const MessageView& each) { return Access::record(each) == found; }));
  home.mailboxes.store(mailbox, taken);
}

}  // namespace

const Match& not_held() {
  static const Match match =
      that([](const MessageView& message) { return !is_held_back(*Access::record(message)); });
  return match;
}

// --- requests ---

std::uint64_t Holds::next_number() {
  const std::lock_guard lock(mutex_);
  return ++own_;
}

std::vector<Mailbox*> Holds::selected_by(const Pattern& pattern) {
  std::vector<Mailbox*> found;
  node_.mailboxes().each([&](Mailbox& mailbox) {
    const bool is_there = mailbox.is_present() && mailbox.name != Node::dead_letters();
    if (is_there && found.size() <= Hold::most_agents && selects(pattern, mailbox.name))
      found.push_back(&mailbox);
  });
  return found;
}

bool Holds::has_too_many(LeaseId by) const {
  if (mutated(Mutation::holds_uncounted)) return false;
  const auto own = std::count_if(holds_.begin(), holds_.end(),
                                 [by](const auto& each) { return each.first.by == by; });
  return static_cast<std::size_t>(own) >= most_of_node || holds_.size() >= most;
}

Task<StepReply> Holds::begin(Worker& at, HoldKey key, Pattern pattern, HoldOptions options) {
  StepReply reply;
  std::vector<Mailbox*> agents = selected_by(pattern);
  {
    const std::lock_guard lock(mutex_);
    if (const auto there = holds_.find(key); there != holds_.end())
      co_return state_of_hold(there->second);
    if (has_too_many(key.by) || agents.size() > Hold::most_agents ||
        at.node().stopping().has_begun()) {
      reply.how = Stepped::too_many;
      co_return reply;
    }
    One one;
    one.pattern = std::make_shared<const Pattern>(std::move(pattern));
    one.options.messages = std::min(options.messages, StepLimits::messages);
    one.options.bytes = std::min(options.bytes, StepLimits::bytes);
    holds_.emplace(key, std::move(one));
    any_ = true;
  }
  for (Mailbox* const mailbox : agents) {
    Task<> judging = judge(key, *mailbox);
    co_await judging;
  }
  reply = look(key);
  if (reply.held.agents != 0)
    log_warning("an operator at the node with lease " + std::to_string(key.by) +
                " holds messages of " + std::to_string(reply.held.agents) + " agents here");
  if (reply.how != Stepped::done || reply.held.agents != 0 || reply.held.refused == 0)
    co_return reply;
  (void)end(key);
  reply.how = Stepped::not_permitted;
  co_return reply;
}

// The directory decides for each agent, and notes who acts on which.
Task<> Holds::judge(HoldKey key, Mailbox& mailbox) {
  Task<bool> asking = may_operate(node_, key.by, mailbox.name);
  const bool may = co_await asking;
  {
    const std::lock_guard lock(mutex_);
    const auto there = holds_.find(key);
    if (there == holds_.end()) co_return;
    if (!may && !mutated(Mutation::held_unasked)) {
      ++there->second.refused;
      co_return;
    }
    there->second.agents.insert(&mailbox);
  }
  at_home(mailbox, [this, key](Worker&, Mailbox& there) {
    const std::lock_guard lock(mutex_);
    const auto hold = holds_.find(key);
    if (hold != holds_.end() && hold->second.agents.contains(&there)) there.set_mode(steps);
  });
}

Task<> Holds::judge_late(HoldKey key, Mailbox& mailbox) {
  try {
    Task<> judging = judge(key, mailbox);
    co_await judging;
  } catch (const Error&) {
    // The node stops.
  }
}

StepReply Holds::state_of_hold(const One& one) {
  StepReply reply;
  reply.held.count = one.held.size();
  reply.held.let_go = one.let_go;
  reply.held.agents = one.agents.size();
  reply.held.refused = one.refused;
  for (const auto& [number, held] : one.held) {
    if (reply.held.oldest.size() == StepLimits::shown) break;
    reply.held.oldest.push_back(held.shown);
  }
  return reply;
}

StepReply Holds::look(HoldKey key) {
  const std::lock_guard lock(mutex_);
  const auto there = holds_.find(key);
  if (there != holds_.end()) return state_of_hold(there->second);
  StepReply reply;
  reply.how = Stepped::unknown;
  return reply;
}

std::map<std::uint32_t, Holds::Held>::iterator Holds::strike(
    One& one, std::map<std::uint32_t, Held>::iterator which, std::vector<ToRelease>& released) {
  one.bytes -= which->second.shown.size;
  released.push_back({which->second.mailbox, which->first});
  return one.held.erase(which);
}

StepReply Holds::release(HoldKey key, const std::vector<std::uint32_t>& numbers, bool to_end) {
  std::vector<ToRelease> released;
  StepReply reply;
  {
    const std::lock_guard lock(mutex_);
    const auto there = holds_.find(key);
    if (there == holds_.end()) return reply.how = Stepped::unknown, reply;
    One& one = there->second;
    for (const std::uint32_t number : numbers) {
      const auto held = one.held.find(number);
      if (held != one.held.end()) strike(one, held, released);
    }
    for (auto held = one.held.begin(); numbers.empty() && held != one.held.end();)
      held = strike(one, held, released);
    reply = state_of_hold(one);
  }
  reply.released = released.size();
  release_each(released, to_end);
  return reply;
}

void Holds::release_each(const std::vector<ToRelease>& released, bool to_end) {
  for (const ToRelease& each : released) {
    at_home(*each.mailbox, [number = each.number, to_end](Worker& home, Mailbox& there) {
      let_message_go(home, there, number, to_end);
    });
  }
}

void Holds::let_all_go(One& one, std::vector<ToRelease>& released,
                       std::vector<Mailbox*>& left_alone) {
  for (auto held = one.held.begin(); held != one.held.end();) held = strike(one, held, released);
  left_alone.assign(one.agents.begin(), one.agents.end());
  one.agents.clear();
}

StepReply Holds::end(HoldKey key) {
  std::vector<ToRelease> released;
  std::vector<Mailbox*> left_alone;
  StepReply reply;
  {
    const std::lock_guard lock(mutex_);
    const auto there = holds_.find(key);
    if (there == holds_.end()) return reply.how = Stepped::unknown, reply;
    let_all_go(there->second, released, left_alone);
    holds_.erase(there);
    any_ = !holds_.empty();
  }
  log_warning("the node with lease " + std::to_string(key.by) + " has ended its hold: " +
              std::to_string(released.size()) + " held messages are released");
  reply.released = released.size();
  release_each(released, false);
  for (Mailbox* const mailbox : left_alone) leave_alone(*mailbox);
  return reply;
}

void Holds::end_all_of(LeaseId by) {
  if (mutated(Mutation::hold_outlives_node)) return;
  std::vector<HoldKey> ending;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, one] : holds_) {
      if (key.by == by) ending.push_back(key);
    }
  }
  for (const HoldKey& key : ending) (void)end(key);
}

void Holds::end_all() {
  if (mutated(Mutation::hold_outlives_stop)) return;
  std::vector<HoldKey> ending;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, one] : holds_) ending.push_back(key);
  }
  for (const HoldKey& key : ending) (void)end(key);
}

void Holds::leave_alone(Mailbox& mailbox) {
  at_home(mailbox, [this](Worker&, Mailbox& there) {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, one] : holds_) {
      if (one.agents.contains(&there)) return;
    }
    there.clear_mode(steps);
  });
}

// --- at the home of a mailbox ---

Holds::One* Holds::hold_that_wants(const Mailbox& target, const MessageRecord& record) {
  if (!may_be_held_back(target, record)) return nullptr;
  const std::string_view source =
      record.source != nullptr ? record.source->name.view() : std::string_view();
  for (auto& [key, one] : holds_) {
    if (one.agents.contains(&target) &&
        one.pattern->matches(source, target.name.view(), text_of(record), RecordHeaders(record)))
      return &one;
  }
  return nullptr;
}

bool Holds::wants(const Mailbox& target, const MessageRecord& record) {
  const std::lock_guard lock(mutex_);
  return hold_that_wants(target, record) != nullptr;
}

bool Holds::is_beyond_limits(const One& one) noexcept {
  if (mutated(Mutation::held_uncounted)) return false;
  return one.held.size() > one.options.messages || one.bytes > one.options.bytes;
}

void Holds::keep(Worker& home, Mailbox& target, MessageRecord& record) {
  std::vector<ToRelease> released;
  bool is_held = false;
  {
    const std::lock_guard lock(mutex_);
    if (One* const one = hold_that_wants(target, record)) {
      is_held = true;
      if (++numbers_ == 0) ++numbers_;
      HeldMessage shown = shown_of(target, record);
      shown.number = numbers_;
      fields_of(record).held = numbers_;
      one->bytes += shown.size;
      one->held.emplace(numbers_, Held{&target, std::move(shown)});
      while (is_beyond_limits(*one)) {
        ++one->let_go;
        strike(*one, one->held.begin(), released);
      }
    }
  }
  release_each(released, false);
  if (!is_held && may_be_held_back(target, record)) serve_readers(home, target, &record);
}

void Holds::left(OptionalFields& fields) noexcept {
  if (mutated(Mutation::left_is_held)) return;
  const std::uint32_t number = std::exchange(fields.held, 0);
  const std::lock_guard lock(mutex_);
  for (auto& [key, one] : holds_) {
    const auto held = one.held.find(number);
    if (held == one.held.end()) continue;
    one.bytes -= held->second.shown.size;
    one.held.erase(held);
    return;
  }
}

void Holds::join(Worker& home, Mailbox& mailbox) {
  if (!any_.load() || mailbox.name == Node::dead_letters()) return;
  std::vector<HoldKey> wanted;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, one] : holds_) {
      if (!selects(*one.pattern, mailbox.name)) continue;
      if (one.agents.size() < Hold::most_agents) wanted.push_back(key);
    }
  }
  for (const HoldKey& key : wanted) run_detached(home, judge_late(key, mailbox));
}

// The next holder of the name may be on another node, or may not be operated.
void Holds::leave(Worker& home, Mailbox& mailbox) {
  if ((mailbox.mode_now() & steps) == 0 || mutated(Mutation::ended_is_held)) return;
  std::vector<ToRelease> released;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [key, one] : holds_) {
      if (one.agents.erase(&mailbox) == 0) continue;
      for (auto held = one.held.begin(); held != one.held.end();)
        held = held->second.mailbox == &mailbox ? strike(one, held, released) : std::next(held);
    }
  }
  for (const ToRelease& each : released) let_message_go(home, mailbox, each.number, false);
  mailbox.clear_mode(steps);
}

}  // namespace coracle::detail
