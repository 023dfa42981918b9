// What tuple spaces, those who use them and those who evaluate for them say to each other.
#pragma once

#include "coracle/tuple.hpp"
#include "coracle/typed.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::detail {

enum class TupleAct : std::uint8_t { out, in, rd, inp, rdp, eval, notify, renew, end_notify };

// A request to a space. A tuple that is stored, found or told of is the request that brought it.
struct TupleRequest {
  static constexpr std::string_view content_type = "coracle-tuple/1";

  TupleAct act = TupleAct::out;
  // In nanoseconds: how long a tuple or a notification stays, how long an `in` waits; below zero:
  // for ever.
  std::int64_t span = -1;
  // Of an `in` that asks again: its place among those who wait. Of a notification: its number.
  std::uint64_t ticket = 0;
  // An `eval` has its function's name first, then the arguments.
  TupleFields fields;
};

enum class TupleVerdict : std::uint8_t { done, none, ask_again, failed };

// A space's answer, unless that is a tuple.
struct TupleAnswer {
  static constexpr std::string_view content_type = "coracle-tuple-answer/1";

  TupleVerdict verdict = TupleVerdict::done;
  std::uint64_t ticket = 0;
  // Of a failure: its Errc, and the sentence.
  std::int32_t errc = 0;
  std::string text;
};

// A tuple that somebody asked to be told of.
struct TupleNotice {
  static constexpr std::string_view content_type = "coracle-tuple-notice/1";

  std::uint64_t missed = 0;  // before this one
  TupleFields fields;
};

// An evaluator offers its functions; again and again, so that a space that begins anew knows.
struct EvalOffer {
  static constexpr std::string_view content_type = "coracle-eval-offer/1";

  std::uint64_t life = 0;
  std::uint32_t at_once = 1;
  std::vector<std::string> functions;
};

// A space has something evaluated.
struct EvalJob {
  static constexpr std::string_view content_type = "coracle-eval-job/1";

  std::uint64_t life = 0;
  std::uint64_t job = 0;
  std::string function;
  TupleFields arguments;
};

// The tuple that came of it, or why there is none.
struct EvalDone {
  static constexpr std::string_view content_type = "coracle-eval-done/1";

  std::uint64_t life = 0;
  std::uint64_t job = 0;
  TupleFields tuple;
  std::string failure;
};

}  // namespace coracle::detail
