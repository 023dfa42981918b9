// The messages between tuple spaces, the agents that use them, and evaluators.
#pragma once

#include "coracle/tuple.hpp"
#include "coracle/typed.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::detail {

enum class TupleAct : std::uint8_t { out, in, rd, inp, rdp, eval, notify, renew, end_notify };

// A request to a space. A tuple that is stored, found or notified has the form of the request that
// stored it.
struct TupleRequest {
  static constexpr std::string_view content_type = "coracle-tuple/1";

  TupleAct act = TupleAct::out;
  // In nanoseconds: the time that a tuple or a notification stays, or that an `in` waits; below
  // zero: for ever.
  std::int64_t span = -1;
  // For an `in` that asks again: its position among the waiting requests. For a notification: its
  // number.
  std::uint64_t ticket = 0;
  // For an `eval`, the function's name is first, then the arguments.
  TupleFields fields;
};

enum class TupleVerdict : std::uint8_t { done, none, ask_again, failed };

// A space's reply, unless the reply is a tuple.
struct TupleAnswer {
  static constexpr std::string_view content_type = "coracle-tuple-answer/1";

  TupleVerdict verdict = TupleVerdict::done;
  std::uint64_t ticket = 0;
  // For a failure: its Errc, and its sentence.
  std::int32_t errc = 0;
  std::string text;
};

// A tuple that an agent requested to be notified of.
struct TupleNotice {
  static constexpr std::string_view content_type = "coracle-tuple-notice/1";

  std::uint64_t missed = 0;  // before this one
  TupleFields fields;
};

// An evaluator's offer of its functions; sent repeatedly, so that a space that begins anew receives
// it.
struct EvalOffer {
  static constexpr std::string_view content_type = "coracle-eval-offer/1";

  std::uint64_t life = 0;
  std::uint32_t at_once = 1;
  std::vector<std::string> functions;
};

// A space's request for an evaluation.
struct EvalJob {
  static constexpr std::string_view content_type = "coracle-eval-job/1";

  std::uint64_t life = 0;
  std::uint64_t job = 0;
  std::string function;
  TupleFields arguments;
};

// The tuple that results, or the reason why there is none.
struct EvalDone {
  static constexpr std::string_view content_type = "coracle-eval-done/1";

  std::uint64_t life = 0;
  std::uint64_t job = 0;
  TupleFields tuple;
  std::string failure;
};

}  // namespace coracle::detail
