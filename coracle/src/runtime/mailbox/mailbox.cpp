// The queue of one mailbox.
#include "mailbox.hpp"

namespace coracle::detail {

namespace {

MessageRecord* take_from(Queue& queue, const Match& match) {
  Envelope found = queue.take(match);
  return Access::release(found);
}

}  // namespace

// Most mailboxes are a short list, kept in the mailbox itself. A list that grew long and is read by
// sender or conversation becomes a queue with an index, until it is empty.
MessageRecord* Mailbox::take(const Match& match) {
  if (queue) return take_from(*queue, match);
  if (waiting.empty()) return nullptr;
  if (match.is_any()) return waiting.take_first();
  const bool directed = match.sender() || match.conversation() != 0;
  std::size_t seen = 0;
  for (MessageRecord* record = waiting.first; record != nullptr; record = record->next) {
    if (fits(&match, record)) {
      waiting.remove(record);
      return record;
    }
    if (directed && ++seen == looked_through) {
      queue = mail_queue();
      while (!waiting.empty()) queue->put(Envelope(waiting.take_first()));
      return take_from(*queue, match);
    }
  }
  return nullptr;
}

std::size_t Mailbox::count(const Match& match) const {
  if (queue) return queue->count(match);
  std::size_t fitting = 0;
  each_waiting([&](MessageRecord& record) { fitting += fits(&match, &record) ? 1 : 0; });
  return fitting;
}

}  // namespace coracle::detail
