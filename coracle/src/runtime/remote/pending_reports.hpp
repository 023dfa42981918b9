// The delivery reports of one worker that are sent at the end of its turn.
#pragma once

#include "delivery_reports.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <cstdint>
#include <vector>

namespace coracle::detail {

class Remote;

class PendingReports {
 public:
  bool empty() const noexcept { return reports_.empty(); }
  // Adds a report of a message that came from another node.
  void add(const MessageRecord& record, std::uint8_t said);
  // Returns false when the report changes an earlier one instead.
  bool add(const MessageRecord& record, ReportKind what);
  void send(Remote& remote);

 private:
  std::vector<DeliveryReport> reports_;
};

// Notes a report of a message that came from another node, for the end of the turn.
void report(Worker& home, const MessageRecord& record, ReportKind what);
void report(Worker& home, const MessageRecord& record, Outcome outcome, DropReason reason);

}  // namespace coracle::detail
