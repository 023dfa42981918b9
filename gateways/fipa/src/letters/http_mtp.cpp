#include "coracle/fipa/http_mtp.hpp"

#include "coracle/acl/envelope_codec.hpp"
#include "coracle/clock.hpp"
#include "coracle/errors.hpp"
#include "coracle/fipa/detail/host.hpp"
#include "coracle/http/agent.hpp"
#include "letters/numbered_letters.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace coracle::fipa {

namespace {

constexpr std::string_view path = "/acc";

// The partners that are known to number their letters; beyond it, all of them are asked again.
constexpr std::size_t most_partners = 10'000;

int status_for(const Error& error) noexcept {
  switch (error.errc()) {
    case Errc::wrong_type:
      return 415;
    case Errc::bad_encoding:
      return 400;
    case Errc::too_large:
      return 413;
    case Errc::not_permitted:
      return 403;
    default:
      return 503;
  }
}

http::ClientOptions client_options(const HttpMtpOptions& options) {
  http::ClientOptions client = options.client;
  client.limits.connections_per_server = 1;
  client.limits.pipelined = options.ahead;
  return client;
}

// The partners that number their letters, by their origins. Used by several threads.
class Partners {
 public:
  void note(const std::string& origin, bool numbers) {
    const std::lock_guard lock(mutex_);
    if (!numbers) {
      origins_.erase(origin);
      return;
    }
    if (origins_.size() >= most_partners) origins_.clear();
    origins_.insert(origin);
  }
  bool number(const std::string& origin) const {
    const std::lock_guard lock(mutex_);
    return origins_.contains(origin);
  }

 private:
  mutable std::mutex mutex_;  // guards origins_
  std::set<std::string> origins_;
};

class HttpMtp final : public Mtp {
 public:
  HttpMtp(http::Loop& loop, HttpMtpOptions options)
      : loop_(loop),
        options_(std::move(options)),
        client_(loop, client_options(options_)),
        envelopes_(options_.limits) {}
  ~HttpMtp() override { end(); }

  std::string_view name() const override { return "fipa.mts.mtp.http.std"; }
  std::vector<std::string> addresses() const override {
    if (!options_.advertised.empty()) return {options_.advertised};
    return address_.empty() ? std::vector<std::string>() : std::vector{address_};
  }
  bool serves(std::string_view address) const override {
    return address.starts_with("http://") || address.starts_with("https://");
  }

  void begin(Port& port, Receiver receive) override {
    http::Routes routes;
    const auto shared = std::make_shared<const Receiver>(std::move(receive));
    const auto take = [this, shared](Agent& me, http::Request request) {
      return answer(me, std::move(request), shared);
    };
    // Platforms post to whatever path the address has that they were told.
    routes.on("POST", "/{rest...}", http::handled_by(port, take));
    server_.emplace(loop_, options_.server, std::move(routes));
    http::Url url = server_->url();
    url.path = path;
    address_ = url.text();
  }
  void end() noexcept override {
    try {
      if (server_) server_->stop(std::chrono::seconds(1));
    } catch (const Error&) {
      // On the thread of the loop; the destructor closes the connections.
    }
    server_.reset();
  }

  Task<> send(std::string address, std::shared_ptr<const Letter> letter) override {
    http::Request request;
    request.method = "POST";
    request.url = http::Url::parse(address).value();
    HttpBody body = http_body_of(*letter, machine_random());
    request.headers.add("Cache-Control", "no-cache");
    request.headers.add("Mime-Version", "1.0");
    request.headers.add("Content-Type", body.content_type);
    request.body = std::move(body.body);
    http::RequestOptions how;
    how.deadline = options_.answer_within;
    how.headers_end_response = true;
    const std::string origin = request.url.origin();
    const bool numbers = options_.ahead > 1 && partners_.number(origin);
    how.may_follow = numbers;
    how.may_repeat = numbers;
    if (numbers) request.headers.add(letter_header, to_text({key_, ++count_}));
    Task<http::Response> fetching = client_.fetch(std::move(request), how);
    const http::Response response = co_await fetching;
    partners_.note(origin, response.headers.find(letters_header) == numbered);
    if (response.status != 200)
      throw Error(Errc::refused, "the platform at " + address + " has answered with the status " +
                                     std::to_string(response.status));
  }

 private:
  Task<http::Response> answer(Agent& me, http::Request request,
                              std::shared_ptr<const Receiver> receive) {
    std::optional<http::Response> response;
    const auto number = letter_number_in(request.headers.find(letter_header).value_or(""));
    const auto before = number ? letters_.begin(*number) : std::nullopt;
    if (before) co_return with_numbers(http::Response::plain(*before));
    try {
      const auto type = request.headers.find("Content-Type");
      if (!type) throw Error(Errc::wrong_type, "the request has no Content-Type");
      Letter letter = letter_in(*type, request.body, envelopes_);
      letter.host = detail::host_of_peer(request.peer);
      Task<> receiving = (*receive)(me, std::move(letter));
      co_await receiving;
      response = http::Response();  // without a body, as JADE's client needs it
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped) throw;
      response = http::Response::plain(status_for(error), error.sentence());
    }
    if (number) letters_.end(*number, response->status);
    co_return with_numbers(std::move(*response));
  }
  static http::Response with_numbers(http::Response response) {
    response.headers.add(letters_header, numbered);
    return response;
  }

  http::Loop& loop_;
  const HttpMtpOptions options_;
  http::Client client_;
  Partners partners_;
  const std::uint64_t key_ = machine_random().next();
  std::atomic<std::uint64_t> count_ = 0;
  // Used by tasks of the port's agent.
  NumberedLetters letters_;
  acl::EnvelopeXmlReader envelopes_;
  std::optional<http::Server> server_;
  std::string address_;
};

}  // namespace

std::shared_ptr<Mtp> http_mtp(http::Loop& loop, HttpMtpOptions options) {
  return std::make_shared<HttpMtp>(loop, std::move(options));
}

}  // namespace coracle::fipa
