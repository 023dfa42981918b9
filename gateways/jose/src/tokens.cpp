#include "coracle/jose/tokens.hpp"

#include "coracle/errors.hpp"
#include "coracle/http/client.hpp"
#include "coracle/support/calendar.hpp"
#include "coracle/support/log.hpp"
#include "coracle/support/loopback.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/web/json_reader.hpp"
#include "key_times.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace coracle::jose {

namespace {

constexpr Duration log_pause = std::chrono::minutes(1);

// The keys of an issuer, and what is known of reading them.
struct Keys {
  Keys(KeySet first, const TokenOptions& options, Time now)
      : set(std::make_shared<const KeySet>(std::move(first))),
        times(options.key_time, options.last_key_time, options.pause, now) {}

  std::mutex mutex;  // guards the rest
  std::shared_ptr<const KeySet> set;
  KeyTimes times;
  std::map<std::string_view, Time> logged;  // by the faults, of which there are few
};

http::Url url_of(const std::string& text) {
  http::Url url = http::Url::parse(text).value();
  if (url.is_secure || coracle::detail::is_this_host(url.host)) return url;
  throw Error(Errc::bad_options, "keys from " + coracle::detail::quoted(text, 200) +
                                     " could be changed by others on their way; use https");
}

http::Request request_for(http::Url url) {
  http::Request request;
  request.url = std::move(url);
  request.headers.add("Accept", "application/json, application/jwk-set+json");
  return request;
}

const std::string& body_of(const http::Response& response, const http::Url& url) {
  if (response.status == 200) return response.body;
  throw Error(Errc::refused, coracle::detail::quoted(url.text(), 200) +
                                 " answers with the status " + std::to_string(response.status) +
                                 " instead of keys; correct the URL");
}

KeySet keys_of(const http::Response& response, const http::Url& url) {
  KeySet set = KeySet::parse(body_of(response, url)).value();
  if (set.size() != 0) return set;
  throw Error(Errc::bad_encoding, coracle::detail::quoted(url.text(), 200) +
                                      " has no public key that can be used; correct the URL");
}

// Finds the URL of the keys as OpenID Connect Discovery 1.0 says, section 4.
http::Url discover(http::Client& client, const std::string& issuer) {
  std::string text = issuer;
  while (text.ends_with('/')) text.pop_back();
  const http::Url url = url_of(text + "/.well-known/openid-configuration");
  const http::Response response = client.fetch_and_wait(request_for(url));
  const web::Json whole = web::parse_json(body_of(response, url)).value();
  const web::JsonReader reader(whole);
  if (reader.at("issuer").text() != issuer)
    throw Error(Errc::bad_options, coracle::detail::quoted(url.text(), 200) +
                                       " is the configuration of another issuer, " +
                                       coracle::detail::quoted(reader.at("issuer").text(), 200) +
                                       "; name that one if it is right");
  return url_of(reader.at("jwks_uri").text());
}

http::ClientOptions client_options(const TokenOptions& options) {
  http::ClientOptions made;
  made.tls = options.tls;
  made.limits.body_bytes = KeySet::max_text;
  made.limits.connections = 2;
  return made;
}

class Judging {
 public:
  Judging(http::Loop& loop, TokenOptions options, TokenTimes times)
      : options_(std::move(options)), times_(std::move(times)) {
    check_rules(options_.rules);
    if (!options_.key_file.empty() && !options_.key_url.empty())
      throw Error(Errc::bad_options,
                  "the keys of tokens are in a file or at a URL, not both; leave one out");
    if (!times_.calendar) times_.calendar = coracle::detail::calendar_now;
    KeySet first;
    if (options_.key_file.empty()) {
      client_ = std::make_unique<http::Client>(loop, client_options(options_));
      url_ = options_.key_url.empty() ? discover(*client_, options_.rules.issuer)
                                      : url_of(options_.key_url);
      first = keys_of(client_->fetch_and_wait(request_for(url_)), url_);
    } else {
      first = KeySet::from_file(options_.key_file);
    }
    keys_ = std::make_shared<Keys>(std::move(first), options_, times_.clock->now());
  }

  std::optional<std::string> judge(std::string_view token) const {
    const Time now = times_.clock->now();
    if (begin(now, false)) read_again(now);
    TokenVerdict verdict = judged(token, now);
    if (verdict.has_unknown_key && begin(now, true)) {
      read_again(now);
      verdict = judged(token, now);  // a file has been read by now
    }
    if (verdict.fault != nullptr) note(verdict.fault, now);
    return std::move(verdict.caller);
  }

 private:
  TokenVerdict judged(std::string_view token, Time now) const {
    const auto keys = set(now);
    if (keys) return judge_token(token, *keys, options_.rules, times_.calendar());
    return {std::nullopt, "the keys of its issuer are old, and are being read again", false};
  }
  // nullptr: they are too old.
  std::shared_ptr<const KeySet> set(Time now) const {
    const std::lock_guard lock(keys_->mutex);
    return keys_->times.may_use(now) ? keys_->set : nullptr;
  }
  bool begin(Time now, bool has_unknown_key) const {
    const std::lock_guard lock(keys_->mutex);
    return keys_->times.begin(now, has_unknown_key);
  }

  static void take(Keys& keys, Result<KeySet> read, Time now) {
    {
      const std::lock_guard lock(keys.mutex);
      keys.times.end(now, read.has_value());
      if (read) keys.set = std::make_shared<const KeySet>(*std::move(read));
    }
    if (!read)
      coracle::detail::log_warning(
          "the keys of tokens cannot be read again, and those before are used only until they are "
          "too old: " +
              read.error().sentence(),
          coracle::detail::LogPart::gateway);
  }

  template <class Read>
  static Result<KeySet> attempt(const Read& read) {
    try {
      return read();
    } catch (const Error& error) {
      return error;
    }
  }

  void read_again(Time now) const {
    if (client_ == nullptr)
      return take(*keys_, attempt([&] { return KeySet::from_file(options_.key_file); }), now);
    // The keys may be gone when the response comes.
    client_->send(request_for(url_), {},
                  [url = url_, clock = times_.clock,
                   weak = std::weak_ptr(keys_)](const Result<http::Response>& response) {
                    const auto keys = weak.lock();
                    if (!keys) return;
                    take(*keys, attempt([&] { return keys_of(response.value(), url); }),
                         clock->now());
                  });
  }

  // Strangers could fill the log: each fault is a warning once a minute.
  void note(const char* fault, Time now) const {
    const LogLevel level = is_due(fault, now) ? LogLevel::warning : LogLevel::debug;
    coracle::detail::log(level, coracle::detail::LogPart::gateway,
                         std::string("a token was refused: ") + fault);
  }
  bool is_due(const char* fault, Time now) const {
    const std::lock_guard lock(keys_->mutex);
    const auto [place, is_new] = keys_->logged.try_emplace(fault, now);
    if (!is_new && now - place->second < log_pause) return false;
    place->second = now;
    return true;
  }

  TokenOptions options_;
  TokenTimes times_;
  std::shared_ptr<Keys> keys_;
  http::Url url_ = {};
  std::unique_ptr<http::Client> client_;  // nullptr: the keys are in a file
};

}  // namespace

TokenJudge token_judge(http::Loop& loop, TokenOptions options, TokenTimes times) {
  auto judging = std::make_shared<const Judging>(loop, std::move(options), std::move(times));
  return [judging](std::string_view token) { return judging->judge(token); };
}

}  // namespace coracle::jose
