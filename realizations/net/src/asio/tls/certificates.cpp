#include "certificates.hpp"

#include "coracle/errors.hpp"

#include <boost/asio/ip/address.hpp>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

namespace coracle::net {

namespace {

template <class T, void (*release)(T*)>
struct Release {
  void operator()(T* each) const { release(each); }
};
using Key = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Release<X509, X509_free>>;
using RevocationList = std::unique_ptr<X509_CRL, Release<X509_CRL, X509_CRL_free>>;
using Serial = std::unique_ptr<ASN1_INTEGER, Release<ASN1_INTEGER, ASN1_INTEGER_free>>;
using Moment = std::unique_ptr<ASN1_TIME, Release<ASN1_TIME, ASN1_TIME_free>>;
struct FreeText {
  void operator()(char* text) const { OPENSSL_free(text); }
};
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

constexpr int days_of_an_authority = 3650;

[[noreturn]] void refuse(const std::string& why) {
  ERR_clear_error();
  throw Error(Errc::bad_options, why);
}

void check(bool good, const char* what) {
  if (!good) refuse(std::string("OpenSSL cannot ") + what + "; look at how it is set up");
}

void extend(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  check(extension != nullptr, "set the purpose of the certificate");
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

// The certificate is valid from an hour ago, because clocks differ.
Certificate begin(const std::string& name, EVP_PKEY* key, int days) {
  Certificate made(X509_new());
  X509_set_version(made.get(), 2);
  std::uint64_t serial = 0;
  check(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1,
        "make random numbers");
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(made.get()), serial >> 1);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -3600);
  X509_time_adj_ex(X509_getm_notAfter(made.get()), days, 0, nullptr);
  X509_set_pubkey(made.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  return made;
}

// Only this user may read the file.
template <class Write>
void to_file(const std::string& path, Write write) {
  const mode_t before = ::umask(0077);
  const File file(std::fopen(path.c_str(), "wx"));
  ::umask(before);
  if (!file)
    refuse("the file \"" + path + "\" cannot be made, or exists already; choose another folder");
  if (write(file.get()) != 1 || std::fflush(file.get()) != 0)
    refuse("the file \"" + path + "\" cannot be written; check the free space and its permissions");
}

int put(std::FILE* file, X509* certificate) { return PEM_write_X509(file, certificate); }
int put(std::FILE* file, X509_CRL* list) { return PEM_write_X509_CRL(file, list); }
int put(std::FILE* file, EVP_PKEY* key) {
  return PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
}

// Replaces the file, if there is one; a reader sees either the old content or the whole new one.
template <class T>
void write_anew(const std::string& path, T* what) {
  const std::string fresh = path + ".new";
  std::error_code ignored;
  std::filesystem::remove(fresh, ignored);
  to_file(fresh, [what](std::FILE* file) { return put(file, what); });
  if (std::rename(fresh.c_str(), path.c_str()) != 0)
    refuse("the file \"" + path + "\" cannot be written; check the free space and its permissions");
}

RevocationList read_list(const std::string& path) {
  const File file(std::fopen(path.c_str(), "r"));
  if (!file) return RevocationList(X509_CRL_new());
  RevocationList list(PEM_read_X509_CRL(file.get(), nullptr, nullptr, nullptr));
  if (!list) refuse("the file \"" + path + "\" is no list of revoked certificates; remove it");
  return list;
}

void copy_anew(const std::string& list, const std::string& to) {
  write_anew(to, read_list(list).get());
}

std::string uri_of(const std::string& society, const std::string& node) {
  return "URI:coracle://" + society + "/" + node;
}

// The file has one line for each certificate: its serial number and its node. So a certificate that
// has been renewed can still be revoked.
std::string log_of(const std::string& folder) { return folder + "/issued.txt"; }

void add_issued(const std::string& folder, const std::string& node, X509* certificate) {
  const std::unique_ptr<BIGNUM, Release<BIGNUM, BN_free>> number(
      ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nullptr));
  const std::unique_ptr<char, FreeText> digits(BN_bn2hex(number.get()));
  std::ofstream log(log_of(folder), std::ios::app);
  log << digits.get() << ' ' << node << '\n';
  if (!log.flush())
    refuse("the file \"" + log_of(folder) +
           "\" cannot be written; check the free space and its permissions");
}

std::vector<Serial> issued_to(const std::string& folder, const std::string& node) {
  std::vector<Serial> serials;
  std::ifstream log(log_of(folder));
  for (std::string digits, name; log >> digits >> name;) {
    BIGNUM* number = nullptr;
    if (name != node || BN_hex2bn(&number, digits.c_str()) == 0) continue;
    serials.emplace_back(BN_to_ASN1_INTEGER(number, nullptr));
    BN_free(number);
  }
  // A certificate that was issued before issued.txt existed.
  const File own(std::fopen((folder + "/" + node + "/node.pem").c_str(), "r"));
  const Certificate shown(own ? PEM_read_X509(own.get(), nullptr, nullptr, nullptr) : nullptr);
  if (shown) serials.emplace_back(ASN1_INTEGER_dup(X509_get0_serialNumber(shown.get())));
  return serials;
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    refuse("the folder \"" + path + "\" cannot be made (" + error.message() +
           "); choose another, or check who owns the folders above it");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all, error);
}

// Returns whether `name` may stand between the slashes of a URI without escaping.
bool is_plain(const std::string& name) {
  constexpr std::string_view others = "-_.";
  const auto is_good = [&](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
           (each >= '0' && each <= '9') || others.find(each) != others.npos;
  };
  for (const char each : name) {
    if (!is_good(each)) return false;
  }
  return !name.empty() && name.size() <= 64 && name.front() != '.';
}

std::string name_of(const std::string& host) {
  boost::system::error_code error;
  boost::asio::ip::make_address(host, error);
  if (!error) return "IP:" + host;
  if (!is_plain(host))
    refuse("'" + host +
           "' is no name or address of a host; give one such as db.lab.org or 10.0.0.7");
  return "DNS:" + host;
}

}  // namespace

struct Authority::Keys {
  Key key;
  Certificate certificate;

  void load(const std::string& folder) {
    const File own(std::fopen((folder + "/authority.key").c_str(), "r"));
    const File shown(std::fopen((folder + "/authority.pem").c_str(), "r"));
    if (own) key.reset(PEM_read_PrivateKey(own.get(), nullptr, nullptr, nullptr));
    if (shown) certificate.reset(PEM_read_X509(shown.get(), nullptr, nullptr, nullptr));
    if (!key || !certificate || X509_check_private_key(certificate.get(), key.get()) != 1)
      refuse("the authority in \"" + folder +
             "\" cannot be used: authority.pem and authority.key have to belong together");
  }

  void make(const std::string& folder, const std::string& society) {
    key.reset(EVP_EC_gen("P-256"));
    check(key != nullptr, "make a key");
    certificate = begin("authority of " + society, key.get(), days_of_an_authority);
    X509* const own = certificate.get();
    X509_set_issuer_name(own, X509_get_subject_name(own));
    extend(own, own, NID_basic_constraints, "critical,CA:TRUE");
    extend(own, own, NID_key_usage, "critical,keyCertSign,cRLSign");
    check(X509_sign(own, key.get(), EVP_sha256()) > 0, "sign");
    write_anew(folder + "/authority.key", key.get());
    write_anew(folder + "/authority.pem", own);
  }
};

Authority::Authority(std::string folder, const std::string& society)
    : folder_(std::move(folder)), society_(society), keys_(std::make_unique<Keys>()) {
  if (!is_plain(society))
    refuse("'" + society +
           "' is no name for a society with certificates; use letters, digits, '-', '_' and '.'");
  make_folder(folder_);
  if (std::filesystem::exists(folder_ + "/authority.pem")) keys_->load(folder_);
  else keys_->make(folder_, society_);
}

Authority::~Authority() = default;

std::string Authority::issue(const std::string& node, const std::vector<std::string>& hosts,
                             int days) {
  const std::string place = folder_ + "/" + node;
  if (is_plain(node) && std::filesystem::exists(place))
    refuse("there is \"" + place + "\" already; --renew makes another certificate in its place");
  return write_node(node, hosts, days);
}

std::string Authority::renew(const std::string& node, const std::vector<std::string>& hosts,
                             int days) {
  return write_node(node, hosts, days);
}

std::string Authority::write_node(const std::string& node, const std::vector<std::string>& hosts,
                                  int days) {
  if (!is_plain(node))
    refuse("'" + node + "' is no name for a node; use letters, digits, '-', '_' and '.'");
  std::string names = uri_of(society_, node);
  for (const std::string& host : hosts) names += "," + name_of(host);
  const Key key(EVP_EC_gen("P-256"));
  check(key != nullptr, "make a key");
  const Certificate made = begin(node, key.get(), days);
  X509* const authority = keys_->certificate.get();
  X509_set_issuer_name(made.get(), X509_get_subject_name(authority));
  extend(made.get(), authority, NID_subject_alt_name, names);
  extend(made.get(), authority, NID_ext_key_usage, "serverAuth,clientAuth");
  check(X509_sign(made.get(), keys_->key.get(), EVP_sha256()) > 0, "sign");

  std::string place = folder_ + "/" + node;
  make_folder(place);
  write_anew(place + "/node.key", key.get());
  write_anew(place + "/node.pem", made.get());
  write_anew(place + "/authority.pem", authority);
  const std::string list = folder_ + "/crl.pem";
  if (std::filesystem::exists(list)) copy_anew(list, place + "/crl.pem");
  add_issued(folder_, node, made.get());
  return place;
}

std::string Authority::revoke(const std::string& node) {
  if (!is_plain(node))
    refuse("'" + node + "' is no name for a node; use letters, digits, '-', '_' and '.'");
  const auto serials = issued_to(folder_, node);
  if (serials.empty())
    refuse("no certificate was issued to '" + node + "' by the authority in \"" + folder_ +
           "\"; look at the name, or at the folder");
  const std::string list = folder_ + "/crl.pem";
  const RevocationList revoked = read_list(list);
  X509_CRL_set_version(revoked.get(), 1);
  X509_CRL_set_issuer_name(revoked.get(), X509_get_subject_name(keys_->certificate.get()));
  const Moment from(X509_gmtime_adj(nullptr, -3600)), now(X509_gmtime_adj(nullptr, 0));
  X509_CRL_set1_lastUpdate(revoked.get(), from.get());
  X509_CRL_set1_nextUpdate(revoked.get(), X509_get0_notAfter(keys_->certificate.get()));
  for (const Serial& serial : serials) {
    X509_REVOKED* known = nullptr;
    if (X509_CRL_get0_by_serial(revoked.get(), &known, serial.get()) != 0) continue;
    X509_REVOKED* const entry = X509_REVOKED_new();
    X509_REVOKED_set_serialNumber(entry, serial.get());
    X509_REVOKED_set_revocationDate(entry, now.get());
    check(X509_CRL_add0_revoked(revoked.get(), entry) == 1, "revoke");
  }
  X509_CRL_sort(revoked.get());
  check(X509_CRL_sign(revoked.get(), keys_->key.get(), EVP_sha256()) > 0, "sign");
  write_anew(list, revoked.get());
  for (const auto& each : std::filesystem::directory_iterator(folder_)) {
    if (std::filesystem::exists(each.path() / "node.pem"))
      copy_anew(list, (each.path() / "crl.pem").string());
  }
  return list;
}

}  // namespace coracle::net
