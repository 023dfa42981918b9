// Feeds any bytes to the readers of the live view: as a request of a page, and as the content of a
// message of each type that the view recognizes. There must be no crash; what the view makes of
// them is UTF-8 and bounded.
#include "decisions/decisions.hpp"
#include "model/choice.hpp"
#include "server/json.hpp"

#include "coracle/errors.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace coracle;
using namespace coracle::view;

constexpr std::array types = {"coracle/caf/call/v1",
                              "coracle/caf/proposals/v1",
                              "coracle/caf/agenda/v1",
                              "coracle/caf/vote/v1",
                              "coracle/caf/decision/v1",
                              "coracle/caf/contract/v1",
                              "coracle/caf/bid/v1",
                              "coracle/caf/decline/v1",
                              "coracle/caf/award/v1",
                              "coracle/caf/acceptance/v1",
                              "coracle/caf/lease/v1",
                              "coracle/caf/withdrawal/v1",
                              "coracle/caf/report/v1",
                              "coracle/caf/rejection/v1",
                              "coracle/caf/termination/v1",
                              "coracle/caf/released/v1",
                              "coracle/caf/settled/v1",
                              "coracle/caf/auction-call/v1",
                              "coracle/caf/curve-bid/v2",
                              "coracle/caf/clearing/v2",
                              "coracle/caf/trades/v1",
                              "coracle/caf/market-result/v1",
                              "coracle/caf/plan-draft/v1",
                              "coracle/caf/plan-critique/v1",
                              "coracle/caf/plan-offer/v1",
                              "coracle/caf/plan-answer/v1",
                              "coracle/caf/plan-outcome/v1",
                              "coracle/caf/plan-progress/v1",
                              "coracle/dispel/stage/batch/v1",
                              "coracle/dispel/stage/ack/v1",
                              "coracle/dispel/stage/marks/v1",
                              "text/plain",
                              "application/octet-stream"};

void check_request(std::string_view text) {
  const auto request = object_in(text);
  if (!request) return;
  try {
    const view::Choice choice = choice_in(*request);
    if (choice.names.size() > view::Choice::most_patterns || !(choice.rate >= 0)) std::abort();
  } catch (const Error& error) {
    if (error.errc() != Errc::bad_options) std::abort();
  }
}

void check_content(const char* type, std::string_view bytes, Decisions& decisions) {
  Seen seen;
  seen.n = 1;
  seen.from = Name("ann"), seen.to = Name("bob");
  seen.type = type;
  seen.content = bytes;
  decisions.see(seen);
  const std::string whole = json::serialize(whole_message(seen, Times{}));
  if (utf8(whole) != whole || !object_in(whole)) std::abort();
  if (preview(seen).size() > 800) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 16 * 1024) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  check_request(bytes);
  Decisions decisions(10, 2);
  check_content(types[data[0] % types.size()], bytes, decisions);
  for (const DecisionRecord& each : decisions.records()) {
    const std::string more = json::serialize(each.more);
    if (utf8(more) != more || more.size() > 400'000) std::abort();
  }
  return 0;
}
