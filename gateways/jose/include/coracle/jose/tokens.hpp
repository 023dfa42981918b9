// Callers of a gateway who prove themselves by signed tokens of an issuer, such as an identity
// provider of OpenID Connect.
// Tests: gateways/jose/tests/tokens_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/http/loop.hpp"
#include "coracle/http/tls_files.hpp"
#include "coracle/jose/token.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::jose {

// The issuer and its keys.
struct TokenOptions {
  TokenRules rules = {};
  // The keys are in this file; or they are at this URL, which has https or is on this host. Without
  // both, the issuer tells the URL by its OpenID configuration.
  std::string key_file = {};
  std::string key_url = {};
  // The files of TLS for the URL.
  http::ClientTls tls = {};
  // Keys that were read longer ago than this are not used; tokens are refused until they have been
  // read again. They are read again when a token comes after half of this time, so that a gateway
  // that is in use does not refuse anybody for that.
  Duration key_time = std::chrono::minutes(10);
  // While they cannot be read again, those that were read longer ago are used up to this age.
  Duration last_key_time = std::chrono::hours(1);
  // They are read again at once if a token names a key that is unknown, but not more often than
  // this. Meanwhile its caller is refused, and has to try again.
  Duration pause = std::chrono::minutes(1);
};

// The sources of time.
struct TokenTimes {
  Clock* clock = &steady_clock();
  // The time of the calendar; nothing: the machine's.
  std::function<std::chrono::sys_time<std::chrono::milliseconds>()> calendar = nullptr;
};

// A judge for web::CallerOptions. It is used by any number of threads.
using TokenJudge = std::function<std::optional<std::string>(std::string_view token)>;

// Reads the keys, and returns a judge of tokens. `loop` and the clock outlive the judge. If the
// keys cannot be read later, those that were read last stay in use for a time, and the log tells.
// The reason of a refusal is in the log only. Fails with Errc::bad_options, Errc::no_such_file, and
// as http::Client does; with Errc::wrong_thread on the thread of the loop.
TokenJudge token_judge(http::Loop& loop, TokenOptions options, TokenTimes times = {});

}  // namespace coracle::jose
