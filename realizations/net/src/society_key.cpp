#include "realizations/net/src/society_key.hpp"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <utility>

namespace coracle::net {

namespace {

constexpr std::size_t check_bytes = 5;
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz234567";  // see RFC 4648
constexpr std::size_t all_bytes = SocietyKey::secret_bytes + check_bytes;
constexpr std::size_t all_letters = all_bytes * 8 / 5;

using All = std::array<std::byte, all_bytes>;

template <std::size_t size>
auto* octets(std::array<std::byte, size>& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}
template <std::size_t size>
const auto* octets(const std::array<std::byte, size>& bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

[[noreturn]] void no_openssl(const char* what) {
  throw Error(Errc::unsupported,
              std::string("the system's OpenSSL has no ") + what + "; look at how it is set up");
}

// Fills in the checksum behind the secret.
void add_checksum(All& all) {
  std::string covered(SocietyKey::prefix);
  covered.append(reinterpret_cast<const char*>(all.data()), SocietyKey::secret_bytes);
  std::array<std::byte, SHA256_DIGEST_LENGTH> hash;
  SHA256(reinterpret_cast<const unsigned char*>(covered.data()), covered.size(), octets(hash));
  std::copy_n(hash.begin(), check_bytes, all.begin() + SocietyKey::secret_bytes);
}

std::string to_letters(const All& all) {
  std::string text;
  unsigned bits = 0, count = 0;
  for (const std::byte each : all) {
    bits = bits << 8 | std::to_integer<unsigned>(each);
    for (count += 8; count >= 5; count -= 5) text += letters[bits >> (count - 5) & 31];
  }
  return text;
}

bool from_letters(std::string_view text, All& all) {
  unsigned bits = 0, count = 0;
  std::size_t next = 0;
  for (const char each : text) {
    const std::size_t value = letters.find(each);
    if (value == letters.npos) return false;
    bits = bits << 5 | static_cast<unsigned>(value);
    count += 5;
    if (count < 8) continue;
    count -= 8;
    all[next++] = static_cast<std::byte>(bits >> count & 255);
  }
  return next == all.size();
}

Error unusable(std::string_view why) {
  return Error(Errc::bad_options, "the society's key cannot be used: " + std::string(why));
}

Error no_key(std::string_view why) {
  return unusable(std::string(why) + "; " + std::string(how_to_make_a_key));
}

std::string_view trimmed(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

SocietyKey SocietyKey::make() {
  SocietyKey made;
  if (RAND_bytes(octets(made.secret_), static_cast<int>(made.secret_.size())) != 1)
    no_openssl("randomness");
  return made;
}

Result<SocietyKey> SocietyKey::parse(std::string_view text) {
  if (!text.starts_with(prefix))
    return no_key(
        "it is neither a key that was made at random (a key that a person thinks up can be "
        "guessed) nor the path of a file, which has a slash");
  text.remove_prefix(prefix.size());
  All all{}, right{};
  if (text.size() != all_letters || !from_letters(text, all))
    return no_key("behind \"" + std::string(prefix) + "\" there have to be " +
                  std::to_string(all_letters) + " letters and digits");
  std::copy_n(all.begin(), secret_bytes, right.begin());
  add_checksum(right);
  if (right != all) return no_key("there is a mistake in its letters: copy it again");
  SocietyKey key;
  std::copy_n(all.begin(), secret_bytes, key.secret_.begin());
  return key;
}

std::string SocietyKey::text() const {
  All all{};
  std::copy(secret_.begin(), secret_.end(), all.begin());
  add_checksum(all);
  return std::string(prefix) + to_letters(all);
}

SocietyKey::Derived SocietyKey::derive(std::string_view use, std::string_view society) const {
  std::string info(use);
  info += '\0';
  info += society;
  const std::unique_ptr<EVP_KDF, void (*)(EVP_KDF*)> kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr),
                                                         EVP_KDF_free);
  const std::unique_ptr<EVP_KDF_CTX, void (*)(EVP_KDF_CTX*)> context(EVP_KDF_CTX_new(kdf.get()),
                                                                     EVP_KDF_CTX_free);
  char digest[] = "SHA256", salt[] = "coracle society key";
  SocietyKey copy = *this;
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, salt, sizeof salt - 1),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, copy.secret_.data(),
                                        copy.secret_.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info.data(), info.size()),
      OSSL_PARAM_construct_end()};
  Derived derived;
  if (!context || EVP_KDF_derive(context.get(), octets(derived), derived.size(), parameters) != 1)
    no_openssl("HKDF with SHA-256");
  return derived;
}

SocietyKey::Derived keyed_hash(const SocietyKey::Derived& key, std::string_view bytes) {
  SocietyKey::Derived hash;
  unsigned size = 0;
  const auto* made =
      HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), octets(hash), &size);
  if (made == nullptr || size != hash.size()) no_openssl("HMAC with SHA-256");
  return hash;
}

bool is_same(const SocietyKey::Derived& one, const SocietyKey::Derived& other) {
  return CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

void refuse_open_file(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return;  // reading it will report the reason
  if ((status.st_mode & 077) == 0) return;
  throw Error(Errc::not_permitted, "other users may read the key \"" + file +
                                       "\"; make it private (chmod 600) and, if they may have "
                                       "read it already, replace it");
}

KeySource::KeySource(std::string text, std::string society)
    : text_(std::move(text)), society_(std::move(society)) {
  if (text_.find('/') != text_.npos) file_ = text_;
}

Result<std::vector<SocietyKey>> KeySource::read() const {
  std::string all = text_;
  if (!file_.empty()) {
    try {
      refuse_open_file(file_);
    } catch (const Error& error) {
      return error;
    }
    std::ifstream in(file_);
    all.assign(most_bytes + 1, '\0');
    in.read(all.data(), static_cast<std::streamsize>(all.size()));
    all.resize(static_cast<std::size_t>(in.gcount()));
    if (!in.is_open() || in.bad())
      return unusable("the file \"" + file_ + "\" cannot be read; check its path and its owner");
    if (all.size() > most_bytes)
      return unusable("the file \"" + file_ + "\" has more than " + std::to_string(most_bytes) +
                      " bytes; give one with a key on each line");
  }
  std::vector<SocietyKey> keys;
  const char between = file_.empty() ? ',' : '\n';
  for (std::string_view rest = all; !rest.empty();) {
    const std::string_view line = trimmed(rest.substr(0, rest.find(between)));
    rest.remove_prefix(std::min(rest.find(between), rest.size() - 1) + 1);
    if (line.empty()) continue;
    auto key = SocietyKey::parse(line);
    if (!key) return key.error();
    if (keys.size() == most_keys)
      return unusable("there are more than " + std::to_string(most_keys) +
                      " keys; leave old ones out");
    keys.push_back(*key);
  }
  if (keys.empty()) return no_key("there is none");
  return keys;
}

}  // namespace coracle::net
