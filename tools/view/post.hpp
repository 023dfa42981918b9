// Sends traces to a collector of OpenTelemetry by OTLP/HTTP.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace coracle::command {

class Collector {
 public:
  // `url` without a path means /v1/traces. Fails with Errc::bad_endpoint, and with
  // Errc::unsupported in a build without gateways.
  explicit Collector(const std::string& url);
  ~Collector();
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  // Sends one ExportTraceServiceRequest, and waits until it is taken. Fails with Errc::refused, and
  // as http::Client::fetch() does.
  void post(std::string_view request);

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace coracle::command
