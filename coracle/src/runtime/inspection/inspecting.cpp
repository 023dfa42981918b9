#include "inspecting.hpp"

#include "inspection/inspection_parts.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/sending/dispatch.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace coracle::detail {

namespace {

using Limits = InspectionLimits;

Name name_of(const Mailbox* mailbox) { return mailbox != nullptr ? mailbox->name : Name(); }

// Collects the waits of one agent.
class WaitsOf {
 public:
  WaitsOf(Worker& home, Mailbox& mailbox, Inspection& found)
      : home_(home), mailbox_(mailbox), found_(found), present_(home.now()) {}

  void collect() {
    add_reads();
    add_requests();
    add_sends();
    for (Link* at = home_.scheduler.pauses().next; at != &home_.scheduler.pauses(); at = at->next) {
      const auto& pausing = *static_cast<Pausing*>(at);
      if (is_own(pausing.agent())) add({.what = WaitFor::pause}, at, pausing.times());
    }
    Link& computing = home_.scheduler.computations();
    for (Link* at = computing.next; at != &computing; at = at->next) {
      if (is_own(static_cast<ComputationBase*>(at)->agent()))
        add({.what = WaitFor::computation}, at, {});
    }
  }

 private:
  bool is_own(const Agent& agent) const noexcept { return &agent == mailbox_.agent; }

  void add(Wait wait, const void* address, const WaitTimes& times) {
    if (found_.waits.size() >= Limits::waits) return;
    if (times.begun != Time::max()) {
      wait.since = std::max(present_ - times.begun, Duration::zero());
    } else {
      const Time first =
          home_.seen_waits.first(address, mailbox_.sent, mailbox_.consumed, present_);
      if (first != present_) wait.since = present_ - first, wait.is_at_least = true;
    }
    if (times.ends != Time::max()) wait.left = std::max(times.ends - present_, Duration::zero());
    found_.waits.push_back(std::move(wait));
  }

  void add_reads() {
    for (Link* at = mailbox_.readers.next; at != &mailbox_.readers; at = at->next) {
      const auto& reader = *static_cast<Reader*>(at);
      Wait wait;
      if (const Match* const match = reader.match()) {
        wait.whom = match->sender() ? match->sender().name() : Name();
        wait.conversation = match->conversation();
        wait.tests_content = match->looks_inside();
      }
      add(std::move(wait), at,
          reader.has_deadline ? static_cast<const ReceivingUntil&>(reader).times() : WaitTimes{});
    }
  }

  void add_requests() {
    home_.requests.each([this](std::uint64_t tag, const Asking& asking) {
      if (asking.asker() != &mailbox_) return;
      ++found_.requests;
      WaitTimes times = asking.times();
      if (const auto begun = home_.requests.begun(tag)) times.begun = *begun;
      add({.what = asking.accepted() ? WaitFor::reply : WaitFor::room,
           .whom = name_of(asking.asked()),
           .conversation = tag},
          &asking, times);
    });
  }

  // Plain messages that wait for room; requests are added already.
  void add_sends() {
    for (Link* at = home_.dispatches.next; at != &home_.dispatches; at = at->next) {
      const auto& dispatch = *static_cast<Dispatch*>(at);
      if (dispatch.is_request() || dispatch.sender() != &mailbox_) continue;
      add({.what = WaitFor::room, .whom = name_of(dispatch.target())}, at, dispatch.times());
    }
  }

  Worker& home_;
  Mailbox& mailbox_;
  Inspection& found_;
  const Time present_;
};

void add_messages(const Mailbox& mailbox, Inspection& found) {
  mailbox.each_waiting([&](const MessageRecord& record) {
    if (!is_counted(record) || found.waiting++ >= Limits::messages) return;
    WaitingMessage& shown = found.messages.emplace_back();
    shown.kind = kind_of(record.flags);
    shown.is_again = (record.flags & redelivered_flag) != 0;
    shown.conversation = record.conversation;
    if (record.source != nullptr) shown.source = record.source->name.str();
    if (record.content == nullptr || record.content->is_typed()) return;
    const std::string_view text(reinterpret_cast<const char*>(record.content->inline_bytes()),
                                record.content->size);
    shown.size = text.size();
    shown.text = text.substr(0, Limits::message_text);
  });
}

std::string state_of(NodeCore& node, const Agent& agent) {
  const auto show = node.inspection_notes().state_of(agent);
  if (!show) return {};
  std::string state;
  try {
    state = (*show)();
  } catch (const std::exception& error) {
    state = std::string("its function for show_state() failed: ") + error.what();
  } catch (...) {
    state = "its function for show_state() failed";
  }
  if (state.size() > Limits::state) state.resize(Limits::state);
  return state;
}

void add_numbers(Worker& home, const Mailbox& mailbox, Inspection& found) {
  found.sent = mailbox.sent;
  found.consumed = mailbox.consumed;
  for (const MessageRecord* held = mailbox.in_hand; held != nullptr; held = held->next)
    ++found.in_hand;
  found.queued = mailbox.queued.load(std::memory_order_relaxed);
  found.queued_bytes = mailbox.bytes;
  const bool is_own = (mailbox.mode_now() & own_mailbox) != 0;
  found.mailbox = is_own ? mailbox.extension->mailbox : home.node().options().mailbox;
}

void add_rare(const Mailbox& mailbox, Inspection& found) {
  if (!mailbox.extension) return;
  const Extension& ext = *mailbox.extension;
  found.tasks = ext.spawned;
  for (std::size_t index = 0; index < std::min(ext.groups.size(), Limits::groups); ++index)
    found.groups.push_back(ext.groups[index]);
  for (const TapState& tap : ext.taps) {
    if (!tap.is_closed && found.taps.size() < Limits::taps)
      found.taps.push_back({tap.id, tap.limit, tap.queued, tap.missed.copies()});
  }
}

}  // namespace

Inspection look_at(Worker& home, Mailbox& mailbox) {
  Inspection found;
  add_messages(mailbox, found);
  if (mailbox.agent == nullptr) return found;
  const Time present = home.now();
  found.life = mailbox.incarnation;
  if (const auto born = home.lives.before(mailbox.incarnation.counter)) found.age = present - *born;
  if (home.node().has_threads()) {
    const Duration tick = TurnLength::present();
    home.scheduler.run_times().look(tick);
    found.running = home.scheduler.run_times().of(&mailbox, tick);
  }
  add_numbers(home, mailbox, found);
  add_rare(mailbox, found);
  WaitsOf(home, mailbox, found).collect();
  found.activity = found.waits.empty() ? Activity::runs : Activity::waits;
  const auto supervised = home.node().inspection_notes().supervisor_of(mailbox.name);
  found.supervisor = supervised.supervisor;
  found.restarts = supervised.restarts;
  home.failures.each(mailbox, [&](Time at, const std::string& text) {
    if (found.errors.size() < Limits::errors) found.errors.push_back({present - at, text});
  });
  found.state = state_of(home.node(), *mailbox.agent);
  return found;
}

}  // namespace coracle::detail
