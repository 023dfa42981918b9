#include "beacon.hpp"

#include "coracle/errors.hpp"
#include "runtime/frames.hpp"

#include <openssl/crypto.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <string_view>

namespace coracle::society {

using Bytes = std::vector<std::byte>;
using ByteSpan = std::span<const std::byte>;

namespace {

using Mac = std::array<std::byte, 32>;

constexpr std::string_view magic = "CRCB";
constexpr std::uint8_t version = 1;
enum Kind : std::uint8_t { seek = 1, here = 2 };
constexpr std::size_t most_bytes = beacon_size - Mac().size();
constexpr std::uint64_t most_endpoints = 16;

Mac mac_of(const Secret& secret, ByteSpan bytes) {
  constexpr std::string_view what = "coracle beacon";
  Bytes all;
  for (const std::string_view part : {what, std::string_view(secret.society)}) {
    const auto text = std::as_bytes(std::span(part));
    all.insert(all.end(), text.begin(), text.end());
    all.push_back(std::byte{0});
  }
  all.insert(all.end(), bytes.begin(), bytes.end());
  Mac mac;
  unsigned size = 0;
  const auto* made = HMAC(EVP_sha256(), secret.key.data(), static_cast<int>(secret.key.size()),
                          reinterpret_cast<const unsigned char*>(all.data()), all.size(),
                          reinterpret_cast<unsigned char*>(mac.data()), &size);
  if (made == nullptr || size != mac.size())
    throw Error(Errc::unsupported, "the system's OpenSSL has no HMAC with SHA-256; install it");
  return mac;
}

Bytes begin(Kind kind, const BeaconNonce& nonce) {
  Bytes bytes;
  detail::FrameWriter out(bytes);
  for (const char letter : magic) out.byte(static_cast<std::uint8_t>(letter));
  out.byte(version);
  out.byte(kind);
  bytes.insert(bytes.end(), nonce.begin(), nonce.end());
  return bytes;
}

}  // namespace

Bytes seal_beacon(const Secret& secret, Bytes bytes) {
  const Mac mac = mac_of(secret, bytes);
  bytes.insert(bytes.end(), mac.begin(), mac.end());
  return bytes;
}

Bytes write_beacon(const Secret& secret, const Seek& question) {
  Bytes bytes = begin(seek, question.nonce);
  bytes.resize(most_bytes);
  return seal_beacon(secret, std::move(bytes));
}

Bytes write_beacon(const Secret& secret, const Here& answer) {
  Bytes bytes = begin(here, answer.nonce);
  detail::FrameWriter out(bytes);
  out.number(answer.started);
  out.number(answer.salt);
  Bytes places;
  detail::FrameWriter list(places);
  std::size_t count = 0;
  for (const std::string& place : answer.endpoints) {
    if (count == most_endpoints || bytes.size() + places.size() + place.size() + 3 > most_bytes)
      continue;
    list.text(place);
    ++count;
  }
  out.number(count);
  bytes.insert(bytes.end(), places.begin(), places.end());
  return seal_beacon(secret, std::move(bytes));
}

std::optional<std::variant<Seek, Here>> read_beacon(const Secret& secret, ByteSpan datagram) {
  if (datagram.size() > beacon_size || datagram.size() <= Mac().size()) return std::nullopt;
  const ByteSpan bytes = datagram.first(datagram.size() - Mac().size());
  const auto letters = std::as_bytes(std::span(magic));
  const std::size_t head = magic.size() + 2 + BeaconNonce().size();
  if (bytes.size() < head || !std::equal(letters.begin(), letters.end(), bytes.begin()))
    return std::nullopt;
  const Mac mac = mac_of(secret, bytes);
  if (::CRYPTO_memcmp(mac.data(), datagram.last(mac.size()).data(), mac.size()) != 0)
    return std::nullopt;
  detail::FrameReader in(bytes.subspan(magic.size()));
  if (in.byte() != version) return std::nullopt;
  const std::uint8_t kind = in.byte();
  BeaconNonce nonce;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(head - nonce.size()), nonce.size(),
              nonce.begin());
  if (kind == seek && datagram.size() == beacon_size) return Seek{nonce};
  if (kind != here) return std::nullopt;
  Here found{nonce, 0, 0, {}};
  in = detail::FrameReader(bytes.subspan(head));
  found.started = in.number();
  found.salt = in.number();
  for (std::uint64_t left = in.number_up_to(most_endpoints); left > 0 && in.ok(); --left)
    found.endpoints.emplace_back(in.text());
  if (!in.ok() || !in.at_end()) return std::nullopt;
  return found;
}

bool Answering::may_answer(const BeaconNonce& nonce, Time now) {
  if (known_.contains(nonce)) return false;
  const auto more = static_cast<std::size_t>((now - counted_) / pause);
  if (left_ + more >= most_at_once) {
    left_ = most_at_once;
    counted_ = now;
  } else {
    left_ += more;
    counted_ += static_cast<Duration::rep>(more) * pause;
  }
  if (left_ == 0) return false;
  --left_;
  known_.insert(nonce);
  order_.push_back(nonce);
  if (order_.size() <= most_nonces) return true;
  known_.erase(order_.front());
  order_.pop_front();
  return true;
}

void Findings::add(const Here& found, const std::string& from,
                   const std::optional<net::Endpoint>& own, Time now) {
  std::optional<net::Endpoint> best;
  for (const std::string& text : found.endpoints) {
    const auto place = net::Endpoint::parse(text);
    if (!place) continue;
    if (own && *place == *own) {
      best = *place;
      break;
    }
    if (place->scheme == net::Endpoint::Scheme::unix_socket) continue;
    if (!best || (place->host == from && best->host != from)) best = *place;
  }
  const std::pair key(found.started, found.salt);
  if (!best || (found_.size() >= most && !found_.contains(key))) return;
  found_[key] = {*best, now};
}

std::vector<net::Endpoint> Findings::places(Time now) {
  std::erase_if(found_, [now](const auto& each) { return now - each.second.heard > lasting; });
  std::vector<net::Endpoint> places;
  for (const auto& [key, found] : found_) {
    if (std::find(places.begin(), places.end(), found.place) == places.end())
      places.push_back(found.place);
  }
  return places;
}

}  // namespace coracle::society
