// Reports to the directory what this node has refused by the society's policy: the first refusal at
// once, and from then on at most one report in each second.
// Everything is on the thread of the links.
#pragma once

#include "gate.hpp"
#include "realizations/net/src/society/directory/service_channel.hpp"

#include <chrono>
#include <memory>

namespace coracle::society {

class RefusalReports {
 public:
  // The references outlive this object.
  RefusalReports(net::Alarms& alarms, const Clock& clock, ServiceChannel& channel, Gate& gate);

  // The gate has refused something.
  void report_soon();
  // Sends a report, if there is something to report and a directory to send it to.
  void report();

 private:
  static constexpr Duration pause = std::chrono::seconds(1);

  const Clock& clock_;
  ServiceChannel& channel_;
  Gate& gate_;
  const std::unique_ptr<net::Alarm> alarm_;
  Time next_{};              // the earliest time of the next report
  bool is_waiting_ = false;  // for the alarm
};

}  // namespace coracle::society
