#include "coracle/a2a/foreign_agent.hpp"

#include "client/foreign_card.hpp"
#include "client/foreign_impl.hpp"
#include "coracle/a2a/card_signature.hpp"
#include "coracle/a2a/model_json.hpp"
#include "coracle/errors.hpp"
#include "coracle/support/log.hpp"
#include "coracle/support/loopback.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace coracle::a2a {

namespace {

constexpr Duration card_within = std::chrono::seconds(10), first_wait = std::chrono::seconds(1);
// The connections for cards, and for tasks that are canceled.
constexpr std::size_t further_connections = 16;

// Fails if a proof would go to that server in plain text beyond this host.
void check_way(const ForeignOptions& options, const http::Url& url) {
  if (options.token.empty() && options.api_key.empty()) return;
  if (url.is_secure || coracle::detail::is_this_host(url.host)) return;
  throw Error(Errc::bad_options, "a proof for " + coracle::detail::quoted(url.origin(), 200) +
                                     " could be read by others on its way; use https, or leave "
                                     "the proof out");
}

ForeignOptions checked_foreign(ForeignOptions options) {
  const http::Url url = card_url_of(options.address);
  for (const std::string* each : {&options.token, &options.api_key})
    if (!std::all_of(each->begin(), each->end(), [](char c) { return c > ' ' && c <= '~'; }))
      throw Error(Errc::bad_options,
                  "a proof for a foreign agent has to be visible ASCII; correct it");
  check_way(options, url);
  for (std::string& each : options.origins) {
    const http::Url origin = http::Url::parse(each).value();
    check_way(options, origin);
    each = origin.origin();
  }
  options.origins.insert(options.origins.begin(), url.origin());
  return options;
}

std::string hex_of(std::uint64_t number) {
  std::array<char, 20> text;
  const int size =
      std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return std::string(text.data(), static_cast<std::size_t>(size));
}

}  // namespace

http::ClientOptions foreign_client_options(const ForeignOptions& options) {
  http::ClientOptions client;
  client.limits.connections_per_server = options.requests + further_connections;
  client.limits.connections = client.limits.connections_per_server;
  return client;
}

ForeignAgent::ForeignAgent(http::Client& client, ForeignOptions options, Random& random)
    : impl_(std::make_unique<Impl>(*this, client, checked_foreign(std::move(options)),
                                   hex_of(random.next()))) {}

ForeignAgent::~ForeignAgent() = default;

coracle::Task<> ForeignAgent::run() { return impl_->run(); }

coracle::Task<> ForeignAgent::Impl::run() {
  me_.spawn(follow_card());
  for (;;) {
    coracle::Message message = co_await me_.receive();
    const std::string asker = message.source().name().str();
    if (!has_room(asker)) {
      const Error full(Errc::refused, "the foreign agent has too many requests; ask again later");
      coracle::Task<> ending = end(std::move(message), full);
      co_await ending;
      continue;
    }
    ++under_way_;
    ++askers_[asker];
    me_.spawn(serve(std::move(message)));
  }
}

bool ForeignAgent::Impl::has_room(const std::string& asker) const {
  const auto own = askers_.find(asker);
  return under_way_ < options_.requests &&
         (own == askers_.end() ? 0 : own->second) < options_.requests_per_asker;
}

void ForeignAgent::Impl::leave(const std::string& asker) {
  --under_way_;
  const auto own = askers_.find(asker);
  if (--own->second == 0) askers_.erase(own);
}

// Reads the card again and again, so that the directory has what it says now.
coracle::Task<> ForeignAgent::Impl::follow_card() {
  Duration pause = first_wait;  // after a failure
  for (;;) {
    Duration wait = options_.card_time;
    try {
      coracle::Task<> learning = learn();
      co_await learning;
      pause = first_wait;
    } catch (const Error& error) {
      if (ends_agent(error)) throw;
      // Somebody may have put another server at its address.
      const bool is_strange = error.errc() == Errc::not_permitted;
      coracle::detail::log(
          is_strange ? LogLevel::warning : LogLevel::debug, coracle::detail::LogPart::gateway,
          "the card of '" + me_.name().str() + "' cannot be used: " + error.sentence());
      if (remote_ == nullptr) {
        wait = std::min(pause, options_.card_time);
        pause = std::min(pause * 2, options_.card_time);
      }
    }
    co_await me_.pause(wait);
  }
}

// Reads the card. With trusted keys, nothing is sent to its server any more once its card is not
// one that they have signed: somebody may have put another server at its address.
coracle::Task<> ForeignAgent::Impl::learn() {
  std::optional<Error> problem;
  try {
    coracle::Task<AgentCard> reading = read_card();
    const AgentCard card = co_await reading;
    ForeignPlace place = place_in(card, options_.origins);
    coracle::Task<> describing = describe(properties_in(card));
    co_await describing;
    if (remote_ == nullptr || remote_->place() != place)
      remote_ = std::make_shared<const Remote>(client_, std::move(place), proofs(),
                                               options_.bytes_per_task);
  } catch (const Error& error) {
    if (ends_agent(error)) throw;
    problem = error;
  }
  if (!problem) co_return;
  if (options_.trusted) {
    remote_ = nullptr;
    coracle::Task<> describing = describe({});
    co_await describing;
  }
  throw Error(*problem);
}

// Nothing is done with an errand while its agent has no card.
coracle::Task<> ForeignAgent::Impl::need_card() {
  if (remote_ != nullptr) co_return;
  coracle::Task<> learning = learn();
  co_await learning;
}

coracle::Task<> ForeignAgent::Impl::describe(Properties properties) {
  if (properties == properties_) co_return;
  coracle::Task<> describing = me_.describe(properties);
  co_await describing;
  properties_ = std::move(properties);
}

// With trusted keys, a server gets the proofs only once its card is known.
coracle::Task<AgentCard> ForeignAgent::Impl::read_card() {
  http::Request request;
  request.url = card_url_of(options_.address);
  request.headers.add("Accept", "application/json");
  request.headers.add("A2A-Version", "1.0");
  if (!options_.trusted) proofs().add_to(request);
  http::RequestOptions within;
  within.deadline = card_within;
  coracle::Task<http::Response> fetching = client_.fetch(std::move(request), within);
  const http::Response response = co_await fetching;
  if (response.status != 200)
    throw Error(Errc::unreachable, "its card cannot be read: the server answers with the status " +
                                       std::to_string(response.status) + "; check the address");
  const Json json = web::parse_json(response.body).value();
  AgentCard card = read<AgentCard>(web::JsonReader(json));
  if (options_.trusted && !is_signed(card, options_.trusted))
    throw Error(Errc::not_permitted,
                "its card has no signature by a key that is trusted; check the address, or trust "
                "the key of its server");
  co_return card;
}

Content ForeignAgent::Impl::params_of(const ExtensionRequest& wanted) const {
  const Value* const value = properties_.find("extension/" + wanted.uri);
  const std::string* const text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  if (text == nullptr)
    throw Fault(FaultKind::unsupported_operation,
                "the card of the foreign agent does not have the extension " +
                    coracle::detail::quoted(wanted.uri, 200));
  return Content::bytes(std::as_bytes(std::span(text->data(), text->size())), "application/json");
}

}  // namespace coracle::a2a
