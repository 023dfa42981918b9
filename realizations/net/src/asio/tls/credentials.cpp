#include "credentials.hpp"

#include "realizations/net/src/asio/sockets.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <sys/stat.h>

#include <ctime>
#include <utility>

namespace coracle::net {

namespace {

constexpr const char* keys_differ =
    "the two sides do not have the same society key, or are not of the same society; look at "
    "CORACLE_KEY and CORACLE_SOCIETY, or key=... and society=..., on both sides";
constexpr const char* no_tls =
    "it does not speak TLS; start it with the society's key or a certificate, or check which "
    "program listens there";

constexpr std::int64_t day = 86'400;

std::string days_text(std::int64_t days) {
  return std::to_string(days) + (days == 1 ? " day" : " days");
}

}  // namespace

Credentials::Credentials(const AsioOptions& options) : log_(options.log) {
  if (options.tls) files_ = *options.tls;
  else keys_ = options.keys;
  states_ = look();
  read();
  look_at_clock();
}

// Logs a line a month before the certificate expires, and another when it has expired.
void Credentials::look_at_clock() {
  constexpr std::int64_t soon = 30 * day;
  if (ends_ == 0) return;
  const std::int64_t left = ends_ - std::time(nullptr);
  const int worth = left <= 0 ? 2 : left <= soon ? 1 : 0;
  if (worth <= warned_) return;
  warned_ = worth;
  if (!log_) return;
  log_("the certificate \"" + files_.certificate +
       (worth == 2 ? "\" has expired: no new connection is possible"
                   : "\" expires in " + days_text(left / day) + ", on " + date_text(ends_)) +
       "; make another one: coracle keys FOLDER NODE --renew");
}

std::optional<std::uint64_t> Credentials::days_left() const {
  if (ends_ == 0) return std::nullopt;
  const std::int64_t left = ends_ - std::time(nullptr);
  return left > 0 ? static_cast<std::uint64_t>(left / day) : 0;
}

std::vector<Credentials::FileState> Credentials::look() const {
  std::vector<FileState> states;
  const auto add = [&states](const std::string& file) {
    struct stat status {};
    if (file.empty()) return;
    if (::stat(file.c_str(), &status) != 0) return states.emplace_back(), void();
    states.push_back({status.st_ino, static_cast<std::uint64_t>(status.st_size),
                      status.st_mtim.tv_sec, status.st_mtim.tv_nsec});
  };
  if (keys_) add(keys_->file());
  else
    for (const auto* each :
         {&files_.certificate, &files_.key, &files_.authorities, &files_.revoked})
      add(*each);
  return states;
}

void Credentials::read() {
  context_.emplace(keys_ ? keyed_context(keys_->read().value(), keys_->society())
                         : certified_context(files_));
  ends_ = keys_ ? 0 : certificate_end(context_->native_handle());
  warned_ = 0;
  has_list_ = !keys_ && !files_.revoked.empty() && states_.back() != FileState();
}

Result<bool> Credentials::refresh() {
  std::vector<FileState> now = look();
  if (now == states_) {
    look_at_clock();
    return unusable_ ? Result<bool>(*unusable_) : false;
  }
  const bool lost_list = has_list_ && now.back() == FileState();
  states_ = std::move(now);
  auto before = std::move(context_);
  try {
    if (lost_list)
      throw Error(Errc::bad_options,
                  "the file \"" + files_.revoked + "\" is not there any more; put it back");
    read();
    unusable_.reset();
    look_at_clock();
    return true;
  } catch (const Error& error) {
    context_ = std::move(before);
    unusable_ = error;
    if (log_) log_("keys and certificates stay as they were: " + error.sentence());
    return error;
  }
}

std::optional<std::string> Credentials::prove(SSL* ssl, Peer& peer) const {
  // The current credentials may have been read during the handshake.
  const bool is_new =
      SSL_get_SSL_CTX(ssl) == const_cast<Credentials*>(this)->context_->native_handle();
  if (keys_ || !is_new) {
    if (auto why = objection(ssl)) return why;
  }
  peer.proof = keys_ ? Peer::Proof::key : Peer::Proof::certificate;
  if (!keys_) peer.names = certificate_names(ssl);
  return std::nullopt;
}

std::optional<std::string> Credentials::objection(SSL* ssl) const {
  SSL_CTX* const now = const_cast<Credentials*>(this)->context_->native_handle();
  if (!keys_) return certificate_objection(ssl, now);
  if (has_key_of(ssl, now)) return std::nullopt;
  return "its key is no longer a key of the society";
}

std::string Credentials::failure(TlsStream& stream, const error_code& error) const {
  const long verdict = SSL_get_verify_result(stream.native_handle());
  if (is_no_tls(error)) return no_tls;
  if (keys_ && (verdict != X509_V_OK || is_refusal(error) || is_without_key(error)))
    return keys_differ;
  return verdict != X509_V_OK ? X509_verify_cert_error_string(verdict) : error.message();
}

Result<bool> read_keys_again(const SharedPtr& shared) {
  if (!shared->credentials || !shared->credentials->has_files()) return false;
  const Result<bool> changed = shared->credentials->refresh();
  if (!changed || !*changed) return changed;
  // A connection that ends may end others.
  const std::vector<Guarded*> all(shared->guarded.begin(), shared->guarded.end());
  for (Guarded* const each : all) {
    if (shared->guarded.contains(each)) each->judge();
  }
  return true;
}

void keep_fresh(const SharedPtr& shared) {
  if (!shared->credentials || !shared->credentials->has_files()) return;
  if (!shared->look_again) shared->look_again.emplace(shared->context);
  shared->look_again->expires_after(shared->options.look_again);
  shared->look_again->async_wait([weak = std::weak_ptr(shared)](const error_code& error) {
    const SharedPtr there = weak.lock();
    if (error || !there) return;
    keep_fresh(there);
    (void)read_keys_again(there);
  });
}

}  // namespace coracle::net
