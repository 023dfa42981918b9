#include "gateways/callers.hpp"

#ifdef CORACLE_HAS_JOSE
#include "coracle/jose/tokens.hpp"
#endif

#include <utility>

namespace coracle::command {

namespace {

#ifdef CORACLE_HAS_JOSE
jose::TokenOptions token_options(const CallerSettings& settings) {
  jose::TokenOptions options;
  options.rules.issuer = settings.issuer;
  options.rules.audience = settings.audience;
  const bool is_url = settings.keys.starts_with("https://") || settings.keys.starts_with("http://");
  (is_url ? options.key_url : options.key_file) = settings.keys;
  return options;
}
#endif

}  // namespace

web::CallerOptions caller_options(const CallerSettings& settings,
                                  [[maybe_unused]] http::Loop& loop) {
  web::CallerOptions options;
  if (!settings.file.empty()) options = web::Callers::from_file(settings.file);
#ifdef CORACLE_HAS_JOSE
  if (!settings.issuer.empty()) options.judge = jose::token_judge(loop, token_options(settings));
#endif
  return options;
}

std::optional<http::ServerTls> server_tls(const std::string& certificate, const std::string& key,
                                          const CallerSettings& settings) {
  if (certificate.empty()) return std::nullopt;
  http::ServerTls tls{certificate, key};
  tls.authorities = settings.authorities;
  tls.certificate_is_optional = true;  // other proofs may do
  return tls;
}

}  // namespace coracle::command
