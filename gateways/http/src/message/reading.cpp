#include "message/reading.hpp"

#include "message/text.hpp"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace coracle::http {

namespace {

namespace beast = boost::beast;

constexpr std::size_t most_blank_lines = 8;       // before a request
constexpr std::size_t longest_chunk_line = 1024;  // with its extensions
constexpr std::size_t longest_rest = 64 * 1024;   // behind a response that its headers ended
constexpr std::size_t first_reserve = 64 * 1024;  // of a body whose length is stated

Fault fault_of(const beast::error_code& error, bool is_request) {
  namespace http = beast::http;
  const auto is = [&error](http::error which) { return error == which; };
  if (is(http::error::body_limit)) return {413, "the body is too large"};
  if (is(http::error::bad_version) && is_request) return {505, "the version is not HTTP/1.1"};
  if (is(http::error::bad_transfer_encoding) || is(http::error::bad_content_length) ||
      is(http::error::multiple_content_length))
    return {400, "the length of the body is stated twice, or wrongly"};
  return {400, error.message()};
}

}  // namespace

// --- the end of a head ---

std::size_t HeadScanner::scan(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size() && !is_done_ && !fault_) {
    const std::string_view rest = bytes.substr(used);
    if (line_ == 0 && has_begun_ && is_blank(rest.front())) {
      fault_ = Fault{400, "a header is continued on another line"};
      break;
    }
    if (line_ == 0 && !has_begun_ && !is_token_character(rest.front()) && rest.front() != '\r' &&
        rest.front() != '\n') {  // TLS, for example
      fault_ = Fault{400, "the first line is none of HTTP"};
      break;
    }
    const auto end = rest.find('\n');
    const std::size_t some = std::min(end, rest.size());
    if (some != 0) last_ = rest[some - 1];
    line_ += some;
    used += some;
    size_ += some;
    const std::size_t room = has_begun_ ? limits_->header_bytes : limits_->target_bytes;
    if (size_ > room || size_ > limits_->header_bytes) {
      fault_ = has_begun_ || limits_->header_bytes < limits_->target_bytes
                   ? Fault{431, "the headers are too large"}
                   : Fault{414, "the first line is too long"};
      break;
    }
    if (end == rest.npos) break;
    ++used;
    ++size_;
    end_line();
  }
  return used;
}

void HeadScanner::end_line() {
  if (last_ != '\r') {
    fault_ = Fault{400, "a line does not end with CR LF"};
    return;
  }
  const bool is_empty = line_ == 1;
  line_ = 0;
  last_ = 0;
  if (!is_empty) {
    has_begun_ = true;
  } else if (has_begun_) {
    is_done_ = true;
  } else if (skips_blank_lines_ && ++blank_lines_ <= most_blank_lines) {
    skipped_ += 2;
    size_ = 0;
  } else {
    fault_ = Fault{400, "there is no first line"};
  }
}

// --- Beast ---

// Gives what Beast finds to the reader.
template <bool is_request>
class MessageReader::ParserOf final : public beast::http::basic_parser<is_request> {
 public:
  ParserOf(MessageReader& owner, const ReadLimits& limits) : owner_(owner) {
    // The head has been measured already.
    this->header_limit(std::numeric_limits<std::uint32_t>::max());
    this->body_limit(limits.body_bytes);
  }

 private:
  using Error = beast::error_code;
  using Text = beast::string_view;

  static std::string_view view(Text text) noexcept { return {text.data(), text.size()}; }

  void on_request_impl(beast::http::verb, Text method, Text target, int version, Error&) override {
    owner_.head_.method = view(method);
    owner_.head_.target = view(target);
    owner_.head_.version = version;
  }
  void on_response_impl(int status, Text, int version, Error&) override {
    owner_.head_.status = status;
    owner_.head_.version = version;
  }
  void on_field_impl(beast::http::field, Text name, Text value, Error& error) override {
    if (this->is_header_done()) {  // nobody needs trailers, and they could replace headers
      error = beast::http::error::bad_field;
      return;
    }
    owner_.add_field(view(name), view(value));
  }
  void on_header_impl(Error&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, Error&) override {}
  std::size_t on_body_impl(Text body, Error&) override {
    owner_.body_ += view(body);
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t, Text, Error&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, Text body, Error&) override {
    owner_.body_ += view(body);
    return body.size();
  }
  void on_finish_impl(Error&) override {}

  MessageReader& owner_;
};

class MessageReader::Parser {
  template <class What>
  auto visit(const What& what) {
    return request_ ? what(*request_) : what(*response_);
  }

 public:
  // Begins a message.
  void begin(MessageReader& owner) {
    if (owner.kind_ == Kind::request) request_.emplace(owner, owner.limits_);
    else response_.emplace(owner, owner.limits_);
  }
  void reset() { request_.reset(), response_.reset(); }

  std::size_t put(std::string_view bytes, bool is_eager, beast::error_code& error) {
    return visit([&](auto& parser) {
      parser.eager(is_eager);
      return parser.put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
    });
  }
  bool is_done() {
    return visit([](auto& parser) { return parser.is_done(); });
  }

 private:
  std::optional<ParserOf<true>> request_;
  std::optional<ParserOf<false>> response_;
};

// --- messages ---

MessageReader::MessageReader(Kind kind, const ReadLimits& limits)
    : kind_(kind), limits_(limits), scanner_(limits, kind == Kind::request) {}

MessageReader::~MessageReader() = default;

void MessageReader::fail(int status, std::string reason) {
  state_ = State::failed;
  fault_ = Fault{status, std::move(reason)};
}

std::size_t MessageReader::read(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size()) {
    const State before = state_;
    const std::string_view rest = bytes.substr(used);
    if (before == State::head) used += skips_rest_ ? skip_rest(rest) : read_head(rest);
    else if (before == State::body) used += read_body(rest);
    else break;
    if (state_ != before) break;
  }
  return used;
}

// A head that is in `bytes` as a whole is not copied.
std::size_t MessageReader::read_head(std::string_view bytes) {
  has_begun_ = true;
  const std::size_t skipped_before = scanner_.skipped();
  const std::size_t used = scanner_.scan(bytes);
  std::string_view found = bytes.substr(0, used);
  if (const std::size_t skipped = scanner_.skipped() - skipped_before; skipped != 0) {
    // A part of these lines may have been kept: at most a CR.
    const std::size_t kept = std::min(skipped, pending_.size());
    pending_.erase(0, kept);
    found.remove_prefix(skipped - kept);
  }
  if (kind_ == Kind::response) {
    constexpr std::string_view beginning = "HTTP/1.";
    const std::string begun =
        pending_.substr(0, beginning.size()) + std::string(found.substr(0, beginning.size()));
    if (!beginning.starts_with(begun.substr(0, beginning.size())))
      return fail(400, "it is no response of HTTP/1.1"), used;
  }
  if (scanner_.fault()) {
    fail(scanner_.fault()->status, scanner_.fault()->reason);
    return used;
  }
  if (!scanner_.is_done()) {
    pending_ += found;
    if (pending_.empty()) has_begun_ = false;
    return used;
  }
  if (pending_.empty()) {
    parse_head(found);
  } else {
    pending_ += found;
    parse_head(std::exchange(pending_, {}));
  }
  return used;
}

void MessageReader::parse_head(std::string_view head) {
  if (!parser_) parser_ = std::make_unique<Parser>();
  parser_->begin(*this);
  // A line has a colon, and the first line has none that matters.
  const auto lines = static_cast<std::size_t>(std::count(head.begin(), head.end(), '\n'));
  if (lines - 2 > limits_.header_fields) return fail(431, "there are too many headers");
  beast::error_code error;
  parser_->put(head, false, error);
  if (error) {
    const Fault fault = fault_of(error, kind_ == Kind::request);
    return fail(fault.status, fault.reason);
  }
  if (auto fault = fault_of_framing()) return fail(fault->status, std::move(fault->reason));
  state_ = State::headed;
}

// The forms of a body that two programs could understand differently; Beast accepts some of them.
std::optional<Fault> MessageReader::fault_of_framing() const {
  auto& headers = head_.headers;
  auto& head = const_cast<Head&>(head_);
  const auto length = headers.find("Content-Length");
  const auto coding = headers.find("Transfer-Encoding");
  if (headers.count("Content-Length") > 1 || headers.count("Transfer-Encoding") > 1 ||
      (length && coding))
    return Fault{400, "the length of the body is stated twice"};
  if (coding) {
    if (head_.version < 11) return Fault{400, "HTTP/1.0 has no chunks"};
    if (!same_word(*coding, "chunked"))
      return Fault{501, "only chunks are known, and no other coding"};
    head.is_chunked = true;
    head.length.reset();
  } else if (length) {
    head.length = number_in<std::uint64_t>(*length);
    if (!head.length) return Fault{400, "the length of the body is no number"};
  } else {
    head.length = 0;
    if (kind_ == Kind::response && !headers_end_response_) head.length.reset();
  }
  head.keeps_alive = headers.has_token("Connection", "close")
                         ? false
                         : head_.version >= 11 || headers.has_token("Connection", "keep-alive");
  return std::nullopt;
}

void MessageReader::go_on() {
  if (head_.length > limits_.body_bytes) return fail(413, "the body is too large");
  if (parser_->is_done() || head_.length == 0U) {
    skips_rest_ = kind_ == Kind::response && headers_end_response_ && !head_.is_chunked &&
                  !head_.headers.find("Content-Length");
    state_ = State::done;
    return;
  }
  if (head_.length) body_.reserve(std::min<std::size_t>(*head_.length, first_reserve));
  ends_with_connection_ = !head_.length && !head_.is_chunked;
  state_ = State::body;
}

void MessageReader::skip_body() {
  head_.length = 0;
  state_ = State::done;
}

std::size_t MessageReader::read_body(std::string_view bytes) {
  if (ends_with_connection_) {
    if (bytes.size() > limits_.body_bytes - body_.size())
      return fail(413, "the body is too large"), 0;
    body_ += bytes;
    return bytes.size();
  }
  beast::error_code error;
  const std::size_t kept = pending_.size();
  std::size_t used = 0;
  if (kept == 0) {
    used = parser_->put(bytes, true, error);
    if (error == beast::http::error::need_more) {
      pending_ = bytes.substr(used);
      used = bytes.size();
    }
  } else {
    pending_ += bytes.substr(0, longest_chunk_line);
    const std::size_t taken = parser_->put(pending_, true, error);
    used = taken == 0 ? pending_.size() - kept : std::max(taken, kept) - kept;
    if (taken != 0) pending_.clear();
  }
  if (error && error != beast::http::error::need_more) {
    const Fault fault = fault_of(error, kind_ == Kind::request);
    fail(fault.status, fault.reason);
  } else if (pending_.size() > longest_chunk_line) {
    fail(400, "the line before a chunk is too long");
  } else if (parser_->is_done()) {
    state_ = State::done;
  }
  return used;
}

// The bytes behind a response that its headers ended, up to the next line that begins a response.
std::size_t MessageReader::skip_rest(std::string_view bytes) {
  constexpr std::string_view beginning = "HTTP/1.";
  std::size_t used = 0;
  while (used < bytes.size()) {
    const char next = bytes[used++];
    if (next == '\n') pending_.clear();
    else if (pending_.size() < beginning.size()) pending_ += next;
    if (pending_ == beginning) {
      skips_rest_ = false;
      rest_ = 0;
      const std::string line = std::exchange(pending_, {});
      read_head(line);
      return used;
    }
    if (++rest_ > longest_rest) return fail(400, "too much follows a response"), used;
  }
  return used;
}

void MessageReader::end() {
  if (state_ == State::body && ends_with_connection_) state_ = State::done;
  else if (state_ != State::done && state_ != State::failed)
    fail(400, "the connection ended too early");
}

void MessageReader::next() {
  head_ = {};
  body_ = {};
  pending_.clear();
  has_begun_ = false;
  ends_with_connection_ = false;
  scanner_ = HeadScanner(limits_, kind_ == Kind::request);
  if (parser_) parser_->reset();
  state_ = State::head;
}

}  // namespace coracle::http
