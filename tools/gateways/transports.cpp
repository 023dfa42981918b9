#include "gateways/transports.hpp"

#include "coracle/errors.hpp"
#include "coracle/fipa/http_mtp.hpp"
#ifdef CORACLE_HAS_IIOP
#include "coracle/fipa/iiop_mtp.hpp"
#endif

#include <string_view>
#include <utility>

namespace coracle::command {

namespace {

constexpr std::string_view iiop = "iiop://", http_scheme = "http://";

std::string without(std::string_view scheme, std::string text) {
  return text.starts_with(scheme) ? text.substr(scheme.size()) : std::move(text);
}

std::shared_ptr<fipa::Mtp> by_iiop([[maybe_unused]] const std::string& endpoint,
                                   [[maybe_unused]] const TransportSettings& settings) {
#ifdef CORACLE_HAS_IIOP
  using Form = fipa::IiopMtpOptions::Form;
  fipa::IiopMtpOptions options;
  options.endpoint = endpoint;
  options.insecure = settings.insecure;
  options.form = settings.corbaloc ? Form::corbaloc : Form::ior;
  options.advertised = without(iiop, settings.address);
  options.partners = settings.partners;
  return fipa::iiop_mtp(std::move(options));
#else
  throw Error(Errc::unsupported,
              "this command was built without IIOP; build it with -DCORACLE_BUILD_IIOP=ON");
#endif
}

}  // namespace

std::shared_ptr<fipa::Mtp> transport_at(http::Loop& loop, const std::string& listen,
                                        const TransportSettings& settings) {
  if (listen.starts_with(iiop)) return by_iiop(without(iiop, listen), settings);
  fipa::HttpMtpOptions options;
  options.server.endpoint = without(http_scheme, listen);
  options.server.insecure = settings.insecure;
  if (!settings.certificate.empty())
    options.server.tls = http::ServerTls{settings.certificate, settings.key};
  options.advertised = settings.address;
  return fipa::http_mtp(loop, std::move(options));
}

std::shared_ptr<fipa::Mtp> transport_to(http::Loop& loop, const std::string& address) {
  auto by_http = fipa::http_mtp(loop);
  if (by_http->serves(address)) return by_http;
  auto other = by_iiop("127.0.0.1:0", {});
  return other->serves(address) ? other : by_http;
}

}  // namespace coracle::command
