// An encrypted connection over a plain one, once both sides have proved their identity. Asio's own
// encrypted stream gives the system one record at a time; this one gives it many at once.
#include "realizations/net/src/asio/sockets.hpp"
#include "realizations/net/src/read_size.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>
#include <vector>

namespace coracle::net {

namespace {

using Bytes = std::span<const std::byte>;
using Ssl = std::unique_ptr<SSL, void (*)(SSL*)>;

// The input and output of the encryption: bytes that have come and are not yet decrypted, and bytes
// that are encrypted and not yet sent.
struct Ciphertext {
  Bytes in;
  std::vector<std::byte> out;
};

Ciphertext& ciphertext_of(BIO* bio) { return *static_cast<Ciphertext*>(BIO_get_data(bio)); }

int read_ciphertext(BIO* bio, char* into, int most) {
  BIO_clear_retry_flags(bio);
  Bytes& in = ciphertext_of(bio).in;
  if (in.empty()) {
    BIO_set_retry_read(bio);
    return -1;
  }
  const std::size_t count = std::min(in.size(), static_cast<std::size_t>(std::max(most, 0)));
  std::copy_n(in.begin(), count, reinterpret_cast<std::byte*>(into));
  in = in.subspan(count);
  return static_cast<int>(count);
}

int write_ciphertext(BIO* bio, const char* bytes, int count) {
  BIO_clear_retry_flags(bio);
  const auto* begin = reinterpret_cast<const std::byte*>(bytes);
  std::vector<std::byte>& out = ciphertext_of(bio).out;
  out.insert(out.end(), begin, begin + count);
  return count;
}

long control_ciphertext(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH; }

// Returns the kind of BIO whose data is a Ciphertext.
BIO_METHOD* ciphertext_method() {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "ciphertext");
    BIO_meth_set_read(made, read_ciphertext);
    BIO_meth_set_write(made, write_ciphertext);
    BIO_meth_set_ctrl(made, control_ciphertext);
    return made;
  }();
  return method;
}

class TlsConnection final : public Connection, private ConnectionEvents, private Guarded {
 public:
  // `first` followed the handshake, and is encrypted.
  TlsConnection(SharedPtr shared, Ssl ssl, std::vector<std::byte> first,
                std::unique_ptr<Connection> plain)
      : shared_(std::move(shared)),
        ssl_(std::move(ssl)),
        first_(std::move(first)),
        has_more_(!first_.empty()),
        plain_(std::move(plain)) {
    text_.in = first_;
    BIO* bio = BIO_new(ciphertext_method());
    BIO_set_data(bio, &text_);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl_.get(), bio, bio);
    shared_->guarded.insert(this);
  }
  ~TlsConnection() override {
    shared_->guarded.erase(this);
    close();
  }

  void bind(ConnectionEvents& events) override {
    events_ = &events;
    plain_->bind(*this);
  }
  const Peer& peer() const noexcept override { return plain_->peer(); }

  void read(std::span<std::byte> into) override {
    assert(events_ != nullptr && into_.empty() && !into.empty());
    into_ = into;
    if (!has_more_ && !failure_) return read_more();
    boost::asio::post(shared_->context, [self = std::weak_ptr(self_)] {
      if (const auto there = self.lock()) (*there)->decrypt();
    });
  }

  // Writes small content only, and all or nothing of it: encrypted bytes that the system does not
  // accept are sent with the next write.
  std::size_t try_write(ByteSpans parts) override {
    if (events_ == nullptr || writing_ || failure_) return 0;
    set_rest(parts);
    const std::size_t all = rest_bytes();
    if (encrypted_ > 0) return send() ? skip_encrypted() : 0;
    if (all > record) return 0;
    encrypt();
    if (send() && !failure_) return all;
    encrypted_ = all;
    return 0;
  }

  void write(ByteSpans parts) override {
    assert(events_ != nullptr && !writing_);
    writing_ = true;
    set_rest(parts);
    skip_encrypted();
    write_on();
  }

  void close() noexcept override {
    // Informs the peer that no more bytes follow, unless a write is in progress.
    if (events_ != nullptr && !writing_ && !failure_) {
      SSL_shutdown(ssl_.get());
      ERR_clear_error();
      send();
    }
    end();
    plain_->close();
  }
  void reset() noexcept override {
    end();
    plain_->reset();
  }

 private:
  static constexpr std::size_t record = SSL3_RT_MAX_PLAIN_LENGTH;
  static constexpr std::size_t at_once = 2 * record;   // encrypted before it is sent
  static constexpr std::size_t most_said = 64u << 10;  // bytes of TLS itself

  void on_read(std::size_t bytes) override {
    text_.in = Bytes(in_).first(bytes);
    wanted_ = size_.after(bytes, in_.size());
    decrypt();
  }

  // Called once all that was read is decrypted.
  void read_more() {
    if (wanted_ != in_.size()) in_ = std::vector<std::byte>(wanted_);
    plain_->read(in_);
  }

  void decrypt() {
    if (failure_) return fail();
    std::size_t count = 0;
    int verdict = SSL_ERROR_NONE;
    while (count < into_.size() && verdict == SSL_ERROR_NONE) {
      std::size_t more = 0;
      ERR_clear_error();
      const int done = SSL_read_ex(ssl_.get(), into_.data() + count, into_.size() - count, &more);
      count += more;
      if (done != 1) verdict = SSL_get_error(ssl_.get(), done);
    }
    has_more_ = verdict == SSL_ERROR_NONE;
    if (!has_more_ && verdict != SSL_ERROR_WANT_READ) failure_ = failure_by(verdict);
    if (!writing_) send();  // an alert, or a reply of the encryption itself
    if (text_.out.size() > most_said) failure_ = boost::asio::error::no_buffer_space;
    if (count == 0 && !failure_) return read_more();
    if (count == 0) return fail();
    into_ = {};
    events_->on_read(count);
  }

  static error_code failure_by(int verdict) {
    const unsigned long reason = verdict == SSL_ERROR_SSL ? ERR_get_error() : 0;
    if (reason == 0) return boost::asio::error::eof;
    return {static_cast<int>(reason), boost::asio::error::get_ssl_category()};
  }

  void set_rest(ByteSpans parts) {
    parts_.assign(parts.begin(), parts.end());
    rest_ = parts_;
  }
  std::size_t rest_bytes() const {
    std::size_t all = 0;
    for (const Bytes part : rest_) all += part.size();
    return all;
  }
  // Skips what is encrypted already, and returns how much that was.
  std::size_t skip_encrypted() {
    const std::size_t bytes = std::min(encrypted_, rest_bytes());
    take_from_rest(bytes);
    encrypted_ -= bytes;
    return bytes;
  }
  void take_from_rest(std::size_t bytes) {
    while (!rest_.empty() && bytes >= rest_.front().size()) {
      bytes -= rest_.front().size();
      rest_ = rest_.subspan(1);
    }
    if (bytes > 0) rest_.front() = rest_.front().subspan(bytes);
  }

  // Encrypts the next part of the rest.
  void encrypt() {
    std::array<std::byte, record> gathered;
    for (std::size_t total = 0; !rest_.empty() && total < at_once && !failure_;) {
      Bytes piece = rest_.front().first(std::min(rest_.front().size(), record));
      take_from_rest(piece.size());
      if (piece.size() < record && !rest_.empty()) piece = gather(piece, gathered);
      total += piece.size();
      encrypt(piece);
    }
  }
  void encrypt(Bytes piece) {
    if (piece.empty()) return;
    std::size_t written = 0;
    ERR_clear_error();
    if (SSL_write_ex(ssl_.get(), piece.data(), piece.size(), &written) != 1)
      failure_ = failure_by(SSL_ERROR_SSL);
  }
  // Returns a record of `piece` and the bytes that follow it.
  Bytes gather(Bytes piece, std::span<std::byte> into) {
    std::size_t count = 0;
    while (true) {
      std::copy(piece.begin(), piece.end(), into.begin() + static_cast<std::ptrdiff_t>(count));
      count += piece.size();
      if (rest_.empty() || count == into.size()) return into.first(count);
      piece = rest_.front().first(std::min(rest_.front().size(), into.size() - count));
      take_from_rest(piece.size());
    }
  }

  // Gives the system the encrypted bytes; returns whether it took all.
  bool send() {
    while (true) {
      if (sent_ == flying_.size()) {
        flying_.clear();
        sent_ = 0;
        flying_.swap(text_.out);
      }
      if (flying_.empty()) return true;
      const Bytes part[] = {Bytes(flying_).subspan(sent_)};
      sent_ += plain_->try_write(part);
      if (sent_ < flying_.size()) return false;
    }
  }

  void write_on() {
    while (send() && !rest_.empty() && !failure_) encrypt();
    const Bytes part[] = {Bytes(flying_).subspan(sent_)};
    plain_->write(part);  // an empty write is reported, too
  }

  void on_written() override {
    sent_ = flying_.size();
    if (failure_) return fail();
    if (!rest_.empty() || !text_.out.empty()) return write_on();
    writing_ = false;
    events_->on_written();
  }

  void judge() override {
    if (events_ == nullptr) return;
    const auto why = shared_->credentials->objection(ssl_.get());
    if (!why) return;
    plain_->reset();
    tell(Error(Errc::not_permitted, peer().address + " is refused from now on: " + *why +
                                        "; it needs a key or a certificate that is valid now"));
  }

  void fail() {
    plain_->close();
    tell(ended(peer(), *failure_));
  }
  void on_closed(const Error& why) override { tell(why); }
  void tell(const Error& why) {
    ConnectionEvents& events = *events_;
    end();
    events.on_closed(why);
  }
  void end() noexcept {
    events_ = nullptr;
    self_.reset();
  }

  const SharedPtr shared_;
  Ciphertext text_;
  const Ssl ssl_;
  const std::vector<std::byte> first_;
  bool has_more_;  // there may be something to decrypt
  const std::unique_ptr<Connection> plain_;
  std::shared_ptr<TlsConnection*> self_ = std::make_shared<TlsConnection*>(this);
  ConnectionEvents* events_ = nullptr;
  std::optional<error_code> failure_;
  std::span<std::byte> into_;  // the buffer of the current read
  std::vector<std::byte> in_ = std::vector<std::byte>(ReadSize::first);
  ReadSize size_{256u << 10};
  std::size_t wanted_ = ReadSize::first;  // the size of in_
  std::vector<Bytes> parts_;
  std::span<Bytes> rest_;      // the part of parts_ that is still to be encrypted
  std::size_t encrypted_ = 0;  // the encrypted bytes of rest_
  std::vector<std::byte> flying_;
  std::size_t sent_ = 0;  // the bytes of flying_ that are sent
  bool writing_ = false;
};

}  // namespace

std::unique_ptr<Connection> tls_connection(SharedPtr shared, TlsStream& stream, Peer peer) {
  Ssl ssl(stream.native_handle(), SSL_free);
  SSL_up_ref(ssl.get());
  SSL_clear_mode(ssl.get(), SSL_MODE_RELEASE_BUFFERS);  // Asio sets it; they are needed again soon
  // The bytes that Asio has read, and the encryption has not.
  std::vector<std::byte> first(BIO_ctrl_pending(SSL_get_rbio(ssl.get())));
  if (!first.empty()) {
    BIO_read(SSL_get_rbio(ssl.get()), first.data(), static_cast<int>(first.size()));
  }
  auto plain = plain_connection(shared, std::move(stream.next_layer()), std::move(peer));
  return std::make_unique<TlsConnection>(std::move(shared), std::move(ssl), std::move(first),
                                         std::move(plain));
}

}  // namespace coracle::net
