#include "coracle/jose/signer.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"
#include "keys.hpp"

#include <openssl/err.h>

#include <memory>

namespace coracle::jose {

namespace {

class PrivateKey {
 public:
  PrivateKey(JoseKey key, std::string algorithm, std::string id)
      : key_(std::move(key)), algorithm_(std::move(algorithm)), id_(std::move(id)) {}

  web::Signature sign(std::string_view text) const {
    const JoseHeader header(cjose_header_new(nullptr));
    const bool is_filled = header && set(*header, "alg", algorithm_) && set(*header, "kid", id_) &&
                           set(*header, "typ", "JOSE");
    const char* compact = nullptr;
    JoseText made;
    if (is_filled)
      made.reset(cjose_jws_sign(key_.get(), header.get(),
                                reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                nullptr));
    const bool is_signed = made && cjose_jws_export(made.get(), &compact, nullptr);
    ERR_clear_error();
    if (!is_signed)
      throw Error(Errc::unsupported,
                  "OpenSSL here cannot sign by " + algorithm_ + "; install its default provider");
    const std::string_view whole = compact;
    const std::size_t first = whole.find('.'), last = whole.rfind('.');
    return {std::string(whole.substr(0, first)), std::string(whole.substr(last + 1))};
  }

 private:
  static bool set(cjose_header_t& header, const char* name, const std::string& value) {
    return cjose_header_set(&header, name, value.c_str(), nullptr);
  }

  const JoseKey key_;
  const std::string algorithm_, id_;
};

}  // namespace

web::Signer signer_from_file(const std::string& path) {
  const std::string text = read_key_file(path, true);
  const auto parts = parts_in_pem(text, true);
  JoseKey key = parts ? make_key(*parts) : nullptr;
  if (!key)
    throw Error(Errc::bad_options,
                "the file " + detail::quoted(path, 200) +
                    " has no private key that can sign; make one by openssl ecparam -name "
                    "prime256v1 -genkey -noout");
  auto shared =
      std::make_shared<const PrivateKey>(std::move(key), own_algorithm(*parts), thumbprint(*parts));
  return [shared](std::string_view signed_text) { return shared->sign(signed_text); };
}

}  // namespace coracle::jose
