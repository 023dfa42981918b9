#include "pending_reports.hpp"

#include "runtime/node/node_core.hpp"

namespace coracle::detail {

void PendingReports::send(Remote& remote) { remote.reports().send(reports_); }

void PendingReports::add(const MessageRecord& record, std::uint8_t said) {
  const OptionalFields& fields = *record.fields;
  reports_.push_back({fields.origin, fields.sent_to, fields.serial, said});
}

bool PendingReports::add(const MessageRecord& record, ReportKind what) {
  const OptionalFields& fields = *record.fields;
  // A report that a message was taken is left out when the same turn reports that it was consumed,
  // so that messages that are read one after the other are one run.
  if (what == ReportKind::consumed && !fields.tracked && !reports_.empty()) {
    DeliveryReport& last = reports_.back();
    const bool is_same = last.serial == fields.serial && last.target == fields.sent_to &&
                         last.origin == fields.origin;
    if (is_same && last.report == static_cast<std::uint8_t>(ReportKind::taken)) {
      last.report = static_cast<std::uint8_t>(ReportKind::consumed);
      if (reports_.size() == 1 || !reports_[reports_.size() - 2].is_before(last)) return false;
      reports_.pop_back();
      ++reports_.back().count;
      return false;
    }
  }
  DeliveryReport& next = reports_.emplace_back();  // filled in place: most messages have one
  next.origin = fields.origin;
  next.target = fields.sent_to;
  next.serial = fields.serial;
  next.report = static_cast<std::uint8_t>(what);
  return true;
}

void report(Worker& home, const MessageRecord& record, ReportKind what) {
  if (home.reports.add(record, what)) home.scheduler.length().queued(0);
}

void report(Worker& home, const MessageRecord& record, Outcome outcome, DropReason reason) {
  auto said = static_cast<std::uint8_t>(report_of(outcome));
  if ((record.flags & forbidden_flag) != 0) said = forbidden_report;
  else if ((record.flags & oversize_flag) != 0) said = too_large_report;
  else if ((record.flags & unanswered_flag) != 0) said = unanswered_report;
  if (outcome == Outcome::dropped) {
    said = static_cast<std::uint8_t>(static_cast<unsigned>(ReportKind::dropped) +
                                     static_cast<unsigned>(reason));
  }
  home.reports.add(record, said);
}

}  // namespace coracle::detail
