#include "message/frames.hpp"

#include "coracle/support/quote.hpp"
#include "message/text.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace coracle::http {

namespace {

// Returns whether one side may send that code.
bool is_sent_code(unsigned code) noexcept {
  return (code >= 1000 && code <= 1014 && (code < 1004 || code > 1006)) ||
         (code >= 3000 && code <= 4999);
}

std::string base64(const unsigned char* bytes, std::size_t size) {
  std::string text((size + 2) / 3 * 4 + 1, '\0');  // it writes a zero behind the text
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes, static_cast<int>(size));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

void apply_mask(char* bytes, std::size_t size, const std::array<unsigned char, 4>& mask,
                std::size_t at) noexcept {
  std::array<unsigned char, 8> turned{};
  for (std::size_t i = 0; i < turned.size(); ++i) turned[i] = mask[(at + i) % 4];
  std::uint64_t eight = 0;
  std::memcpy(&eight, turned.data(), sizeof eight);
  std::size_t done = 0;
  for (; done + 8 <= size; done += 8) {
    std::uint64_t block = 0;
    std::memcpy(&block, bytes + done, sizeof block);
    block ^= eight;
    std::memcpy(bytes + done, &block, sizeof block);
  }
  for (; done < size; ++done)
    bytes[done] = static_cast<char>(static_cast<unsigned char>(bytes[done]) ^ turned[done % 8]);
}

}  // namespace

std::size_t FrameReader::head_size() const noexcept {
  if (head_bytes_ < 2) return 2;
  const unsigned length = head_[1] & 0x7fU;
  return 2U + (length == 126 ? 2U : length == 127 ? 8U : 0U) + ((head_[1] & 0x80U) != 0 ? 4U : 0U);
}

std::size_t FrameReader::read(std::string_view bytes, const std::function<bool(Incoming)>& take) {
  std::size_t used = 0;
  while (!fault_ && used < bytes.size()) {
    const std::string_view rest = bytes.substr(used);
    used += is_in_payload_ ? read_payload(rest) : read_head(rest);
    if (!fault_ && is_in_payload_ && left_ == 0 && !end_frame(take)) break;
  }
  return used;
}

std::size_t FrameReader::read_head(std::string_view bytes) {
  const std::size_t wanted = head_size() - head_bytes_;
  const std::size_t some = std::min(wanted, bytes.size());
  std::memcpy(head_.data() + head_bytes_, bytes.data(), some);
  head_bytes_ += some;
  if (head_bytes_ == head_size()) begin_frame();
  return some;
}

// The rules that a frame can break by its head, with limits before memory.
void FrameReader::begin_frame() {
  const unsigned length = head_[1] & 0x7fU;
  const bool is_masked = (head_[1] & 0x80U) != 0;
  is_final_ = (head_[0] & 0x80U) != 0;
  opcode_ = static_cast<Opcode>(head_[0] & 0x0fU);
  std::size_t at = 2;
  left_ = length;
  if (length >= 126) {
    left_ = 0;
    for (unsigned i = length == 126 ? 2 : 8; i > 0; --i) left_ = left_ << 8 | head_[at++];
  }
  if (is_masked) std::copy_n(head_.begin() + static_cast<std::ptrdiff_t>(at), 4, mask_.begin());
  mask_at_ = 0;
  head_bytes_ = 0;
  is_in_payload_ = true;

  const unsigned code = head_[0] & 0x0fU;
  if ((head_[0] & 0x70U) != 0) return fail(CloseCode::protocol_error, "a reserved bit is set");
  if (code > 10 || (code > 2 && code < 8))
    return fail(CloseCode::protocol_error, "a frame has an unknown opcode");
  if (is_masked != expects_mask_)
    return fail(CloseCode::protocol_error,
                expects_mask_ ? "a frame has no mask" : "a frame has a mask");
  if ((length == 126 && left_ < 126) || (length == 127 && (left_ <= 0xffff || left_ >> 63 != 0)))
    return fail(CloseCode::protocol_error, "a length is not in its shortest form");
  if (is_control()) {
    if (!is_final_ || left_ > 125)
      fail(CloseCode::protocol_error, "a control frame is cut or too long");
    return;
  }
  if ((opcode_ == Opcode::more) != kind_.has_value())
    return fail(CloseCode::protocol_error, "the parts of a message are in disorder");
  if (left_ > longest_ - message_.size())
    return fail(CloseCode::too_large, "a message is too large");
  if (!kind_) kind_ = opcode_;
}

std::size_t FrameReader::read_payload(std::string_view bytes) {
  std::string& into = is_control() ? control_ : message_;
  const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  const std::size_t before = into.size();
  into.append(bytes.substr(0, some));
  if (expects_mask_) apply_mask(into.data() + before, some, mask_, mask_at_);
  mask_at_ = (mask_at_ + some) % 4;
  left_ -= some;
  return some;
}

bool FrameReader::end_frame(const std::function<bool(Incoming)>& take) {
  is_in_payload_ = false;
  if (is_control()) return take({opcode_, std::exchange(control_, {})});
  if (!is_final_) return true;
  const Opcode kind = *std::exchange(kind_, std::nullopt);
  std::string whole = std::exchange(message_, {});
  if (kind == Opcode::text && !is_utf8(whole))
    return fail(CloseCode::bad_text, "a text is not UTF-8"), false;
  return take({kind, std::move(whole)});
}

std::string write_frame(Opcode opcode, std::string_view payload,
                        std::optional<std::uint32_t> mask) {
  std::string frame;
  frame.reserve(payload.size() + 14);
  frame += static_cast<char>(0x80U | static_cast<unsigned>(opcode));
  const unsigned masked = mask ? 0x80U : 0U;
  const std::size_t size = payload.size();
  const unsigned longer = size < 126 ? 0 : size <= 0xffff ? 2 : 8;
  frame += static_cast<char>(masked | (longer == 0 ? size : longer == 2 ? 126U : 127U));
  for (unsigned i = longer; i > 0; --i) frame += static_cast<char>(size >> (8 * (i - 1)) & 0xff);
  std::array<unsigned char, 4> bytes{};
  if (mask) {
    std::memcpy(bytes.data(), &*mask, sizeof *mask);
    frame.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  const std::size_t begin = frame.size();
  frame += payload;
  if (mask) apply_mask(frame.data() + begin, size, bytes, 0);
  return frame;
}

std::string closing_payload(const Closing& closing) {
  constexpr std::size_t most = 123;
  const auto code = static_cast<unsigned>(closing.code);
  if (!is_sent_code(code)) return {};
  std::string payload = {static_cast<char>(code >> 8), static_cast<char>(code & 0xff)};
  std::size_t length = std::min(closing.reason.size(), most);
  // A character is not cut.
  while (length < closing.reason.size() && length > 0 && (closing.reason[length] & 0xc0) == 0x80)
    --length;
  return payload.append(closing.reason, 0, length);
}

std::optional<Closing> closing_in(std::string_view payload) {
  if (payload.empty()) return Closing{CloseCode::none};
  if (payload.size() < 2) return std::nullopt;
  const unsigned code =
      static_cast<unsigned char>(payload[0]) << 8 | static_cast<unsigned char>(payload[1]);
  if (!is_sent_code(code) || !is_utf8(payload.substr(2))) return std::nullopt;
  return Closing{static_cast<CloseCode>(code), std::string(payload.substr(2))};
}

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const std::size_t bytes = detail::utf8_at(text, at).bytes;
    if (bytes == 0) return false;
    at += bytes;
  }
  return true;
}

std::optional<std::string> accept_of(std::string_view key) {
  // 16 bytes in base64.
  const auto is_base64 = [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '/'; };
  if (key.size() != 24 || !key.ends_with("==") ||
      !std::all_of(key.begin(), key.end() - 2, is_base64))
    return std::nullopt;
  const std::string text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return base64(digest.data(), digest.size());
}

std::string websocket_key(std::uint64_t high, std::uint64_t low) {
  std::array<unsigned char, 16> bytes{};
  std::memcpy(bytes.data(), &high, sizeof high);
  std::memcpy(bytes.data() + 8, &low, sizeof low);
  return base64(bytes.data(), bytes.size());
}

}  // namespace coracle::http
