#include "coracle/fipa/http_mtp.hpp"

#include "coracle/clock.hpp"
#include "coracle/errors.hpp"
#include "coracle/http/agent.hpp"

#include <optional>
#include <utility>

namespace coracle::fipa {

namespace {

constexpr std::string_view path = "/acc";

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

// Letters to one platform go by one connection, so that they keep their order.
http::ClientOptions in_order(http::ClientOptions options) {
  options.limits.connections_per_server = 1;
  return options;
}

class HttpMtp final : public Mtp {
 public:
  HttpMtp(http::Loop& loop, HttpMtpOptions options)
      : loop_(loop), options_(std::move(options)), client_(loop, in_order(options_.client)) {}
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
    Task<http::Response> fetching = client_.fetch(std::move(request), how);
    const http::Response response = co_await fetching;
    if (response.status != 200)
      throw Error(Errc::refused, "the platform at " + address + " has answered with the status " +
                                     std::to_string(response.status));
  }

 private:
  Task<http::Response> answer(Agent& me, http::Request request,
                              std::shared_ptr<const Receiver> receive) {
    std::optional<http::Response> response;
    try {
      const auto type = request.headers.find("Content-Type");
      if (!type) throw Error(Errc::wrong_type, "the request has no Content-Type");
      Letter letter = letter_in(*type, request.body, options_.limits);
      Task<> receiving = (*receive)(me, std::move(letter));
      co_await receiving;
      response = http::Response();  // without a body, as JADE's client needs it
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped) throw;
      response = http::Response::plain(status_for(error), error.sentence());
    }
    co_return std::move(*response);
  }

  http::Loop& loop_;
  const HttpMtpOptions options_;
  http::Client client_;
  std::optional<http::Server> server_;
  std::string address_;
};

}  // namespace

std::shared_ptr<Mtp> http_mtp(http::Loop& loop, HttpMtpOptions options) {
  return std::make_shared<HttpMtp>(loop, std::move(options));
}

}  // namespace coracle::fipa
