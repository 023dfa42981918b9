#include "refusal_reports.hpp"

#include <utility>

namespace coracle::society {

RefusalReports::RefusalReports(net::Alarms& alarms, const Clock& clock, ServiceChannel& channel,
                               Gate& gate)
    : clock_(clock), channel_(channel), gate_(gate), alarm_(alarms.make([this] {
        is_waiting_ = false;
        report();
      })) {}

void RefusalReports::report_soon() {
  if (is_waiting_) return;
  if (clock_.now() >= next_) return report();
  is_waiting_ = true;
  alarm_->set(next_);
}

void RefusalReports::report() {
  if (!gate_.has_refused()) return;
  next_ = clock_.now() + pause;
  if (channel_.is_attached) {
    Bytes fields;
    FrameWriter out(fields);
    write(out, gate_.take_refusals());
    channel_.send_request(Request::report_refusals, 0, fields);
  }
  if (gate_.has_refused()) report_soon();  // what is left, or could not be sent
}

}  // namespace coracle::society
