#include "view/post.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#ifdef CORACLE_HAS_HTTP
#include "coracle/http/client.hpp"
#endif

#include <fmt/format.h>
#include <cstddef>

#include <cstdio>

namespace coracle::command {

#ifdef CORACLE_HAS_HTTP

struct Collector::Connection {
  http::Url url;
  http::Loop loop = {};
  http::Client client = http::Client(loop);
  std::size_t taken = 0;  // parts of the traces
};

Collector::Collector(const std::string& url)
    : connection_(new Connection{http::Url::parse(url).value()}) {
  if (connection_->url.path == "/") connection_->url.path = "/v1/traces";
}

void Collector::post(std::string_view request) {
  http::Request post;
  post.method = "POST";
  post.url = connection_->url;
  post.headers.add("Content-Type", "application/x-protobuf");
  post.body = request;
  const http::Response response = connection_->client.fetch_and_wait(std::move(post));
  if (response.status < 200 || response.status > 299)
    throw Error(Errc::refused,
                fmt::format("the collector at {} answered {} {} after {} parts of the traces; look "
                            "at its log",
                            connection_->url.text(), response.status,
                            http::reason_of(response.status), connection_->taken));
  ++connection_->taken;
  // ExportTraceServiceResponse::partial_success, its only field, is there when it has something to
  // say.
  if (response.body.size() > 2)
    fmt::print(stderr, "coracle: the collector did not take all spans: {}\n",
               detail::quoted(response.body, 200));
}

#else

struct Collector::Connection {};

Collector::Collector(const std::string&) {
  throw Error(
      Errc::unsupported,
      "this build has no HTTP; build with -DCORACLE_BUILD_GATEWAYS=ON, or write a file with "
      "--output");
}

void Collector::post(std::string_view) {}

#endif

Collector::~Collector() = default;

}  // namespace coracle::command
