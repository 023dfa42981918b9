#include "measured_society.hpp"

#include "failures.hpp"

#include <chrono>
#include <coracle/realizations/open.hpp>

#include <fmt/format.h>

#include <utility>

namespace coracle::bench {

namespace {

NodeOptions with(const Options& options, NodeOptions settings) {
  settings.workers = options.workers;
  settings.first_processor = options.pin ? 0 : -1;
  return settings;
}

// The text that opens the next society.
std::string next_realization(const Options& options) {
  if (options.record.empty()) return options.realization;
  std::string text = options.realization;
  if (!text.ends_with(':')) text += ',';
  text += "record=" + options.record;
  if (++*options.recorded > 1) text += fmt::format(".{}", *options.recorded);
  return text;
}

void check(const Ledger& ledger, const Account& account) {
  const auto refuse = [&](const char* what) {
    throw NotDone(
        fmt::format("{}; expected {} sent, {} received and {} dropped; the ledger says: {}", what,
                    account.sent, account.received, account.dropped, ledger.to_string()));
  };
  if (!ledger.balanced()) refuse("the ledger does not balance");
  if (ledger.in_flight + ledger.in_hand + ledger.queued != 0) refuse("messages were left behind");
  if (ledger.sent != account.sent) refuse("another number of messages was sent");
  if (ledger.dropped_total() != account.dropped) refuse("another number of messages was dropped");
  if (ledger.received != account.received) refuse("another number of messages came");
  const std::uint64_t ended = ledger.consumed + ledger.passed_on;
  if (ended != account.sent + account.received - account.dropped) refuse("messages were lost");
}

}  // namespace

Society::Society(const Options& options, NodeOptions settings)
    : node_(open(next_realization(options)), with(options, std::move(settings))) {}

Society::Society(const Options& options, NodeOptions settings,
                 const std::function<Realization(Realization)>& change)
    : node_(change(open(next_realization(options))), with(options, std::move(settings))) {}

void Society::stop(const Account& account) {
  const StopReport report = node_.stop(std::chrono::minutes(2));
  check(report.ledger, account);
  if (!report.clean()) throw NotDone("the node did not stop cleanly: " + report.to_string());
}

AgentSpec placed(const std::string& name, unsigned worker) {
  AgentSpec spec(name);
  spec.on_worker(worker).pinned();
  return spec;
}

std::string realization_name(const std::string& text) {
  const bool is_bare = !text.empty() && text.find(':') == std::string::npos;
  const std::string full = is_bare ? text + ':' : text;
  try {
    const std::string name = open(full).name;
    return full.empty() ? name : full;
  } catch (const Error& error) {
    throw BadRequest(error.sentence());
  }
}

}  // namespace coracle::bench
