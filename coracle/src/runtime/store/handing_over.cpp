// The messages that wait for absent names when their node stops: the society's message store, if
// there is one, takes them over.
#include "coracle/support/mutations.hpp"
#include "runtime/elsewhere/outbound.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/receipts/receipt_state.hpp"
#include "runtime/remote/homes.hpp"
#include "runtime/sending/fast_path.hpp"
#include "runtime/stopping/stopping.hpp"
#include "storing.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

constexpr Duration store_patience = std::chrono::seconds(5);
constexpr std::size_t largest_handed = std::size_t{16} << 20;  // of contents, in bytes

// Returns whether the message means something without the agent that sent it, which has ended, and
// is small enough for a message store.
bool outlives_sender(const MessageRecord& record) noexcept {
  if (record.content != nullptr && record.content->size > largest_handed) return false;
  return is_counted(record) && (record.flags & (request_flag | reply_flag | foreign_flag)) == 0;
}

// Takes the messages that may be handed over out of the mailboxes of one worker.
void take_waiting(NodeCore& node, Worker& at, std::vector<HandedOver>& all) {
  const Match wanted =
      that([](const MessageView& message) { return outlives_sender(*Access::record(message)); });
  node.each_mailbox([&](Mailbox& mailbox) {
    if (mailbox.home.load() != &at || mailbox.name == Node::dead_letters()) return;
    while (MessageRecord* const record = mailbox.take(wanted)) {
      count_out(mailbox, *record);
      all.push_back({&mailbox, record});
    }
  });
}

// Messages that were not taken over go back to where they were.
void settle_handed(Worker& at, std::vector<HandedOver>& all) {
  for (auto each = all.rbegin(); each != all.rend(); ++each) {
    if (each->mailbox->home.load() != &at) continue;
    if (each->kept) {
      tell_receipt(*each->record, *each->kept);
      ++at.flow.counters.passed_on;
      free_record(each->record);
    } else {
      at.mailboxes.count_in(*each->mailbox, *each->record);
      at.mailboxes.store_first(*each->mailbox, each->record);
    }
  }
}

// Messages that other nodes have belong to those nodes from now on.
void give_up_under_way(Worker& home, Mailbox& mailbox) noexcept {
  if (mailbox.home.load() != &home) return;
  RemoteSide* const side = mailbox.extension ? mailbox.extension->remote.get() : nullptr;
  if (side == nullptr) return;
  side->under_way.each_backwards([&](UnderWay& message) {
    free_place(home, mailbox, message);
    MessageRecord* const record = std::exchange(message.record, nullptr);
    if (message.came_back) {  // this node has the message
      home.mailboxes.count_in(mailbox, *record);
      home.mailboxes.store_first(mailbox, record);
    } else {
      ++home.flow.counters.passed_on;
      free_record(record);
    }
  });
  side->under_way.clear();
  side->open = 0;
}

}  // namespace

// No agent runs any more, and no message comes for an agent of this node. What waits here stays,
// even if the holder of its name becomes known now: it might not arrive any more.
void Stopping::give_up_what_is_elsewhere() {
  node_.remote()->keep_back();
  for (const auto& worker : node_.workers()) {
    node_.calls().run_blocking(*worker, [this, &worker]() -> Task<> {
      node_.each_mailbox([&](Mailbox& mailbox) { give_up_under_way(*worker, mailbox); });
      co_return;
    });
  }
}

void Stopping::hand_over() {
  if (node_.backend() != nullptr || !node_.remote()->store().promise()) return;
  std::vector<HandedOver> all;
  for (const auto& worker : node_.workers()) {
    node_.calls().run_blocking(*worker, [&]() -> Task<> {
      take_waiting(node_, *worker, all);
      co_return;
    });
  }
  if (all.empty()) return;
  node_.calls().run_blocking(node_.worker(0), [&]() -> Task<> {
    return node_.remote()->store().hand_over(all, Deadline(store_patience));
  });
  for (const HandedOver& each : all) {
    if (each.why) left_because_.emplace(each.mailbox, *each.why);
    if (!each.kept) continue;
    auto& left = report_.undelivered;
    const auto known = std::find_if(left.begin(), left.end(), [&each](const auto& one) {
      return one.name == each.mailbox->name && one.kept == each.kept;
    });
    if (known != left.end()) ++known->messages;
    else left.push_back({each.mailbox->name, 1, each.kept});
  }
  for (const auto& worker : node_.workers()) {
    node_.calls().run_blocking(*worker, [&]() -> Task<> {
      settle_handed(*worker, all);
      co_return;
    });
  }
}

}  // namespace coracle::detail
