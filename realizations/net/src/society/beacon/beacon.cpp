#include "beacon.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/bytes.hpp"

#include <algorithm>

namespace coracle::society {

using Bytes = std::vector<std::byte>;
using ByteSpan = std::span<const std::byte>;

namespace {

using Mac = net::SocietyKey::Derived;

constexpr std::string_view magic = "CRCB";
constexpr std::uint8_t version = 1;
enum Kind : std::uint8_t { seek = 1, here = 2 };
constexpr std::size_t most_bytes = beacon_size - Mac().size();
constexpr std::uint64_t most_endpoints = 16;

Mac mac_of(const BeaconKey& key, ByteSpan bytes) {
  return net::keyed_hash(key, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
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

Bytes seal_beacon(const BeaconKey& key, Bytes bytes) {
  const Mac mac = mac_of(key, bytes);
  bytes.insert(bytes.end(), mac.begin(), mac.end());
  return bytes;
}

Bytes write_beacon(const BeaconKey& key, const Seek& question) {
  Bytes bytes = begin(seek, question.nonce);
  detail::FrameWriter out(bytes);
  out.number(question.started);
  out.number(question.salt);
  bytes.resize(most_bytes);
  return seal_beacon(key, std::move(bytes));
}

Bytes write_beacon(const BeaconKey& key, const Here& answer) {
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
  return seal_beacon(key, std::move(bytes));
}

std::optional<std::variant<Seek, Here>> read_beacon(const BeaconKey& key, ByteSpan datagram) {
  if (datagram.size() > beacon_size || datagram.size() <= Mac().size()) return std::nullopt;
  const ByteSpan bytes = datagram.first(datagram.size() - Mac().size());
  const auto letters = std::as_bytes(std::span(magic));
  const std::size_t head = magic.size() + 2 + BeaconNonce().size();
  if (bytes.size() < head || !std::equal(letters.begin(), letters.end(), bytes.begin()))
    return std::nullopt;
  Mac mac;
  std::copy_n(datagram.last(mac.size()).begin(), mac.size(), mac.begin());
  if (!net::is_same(mac, mac_of(key, bytes))) return std::nullopt;
  detail::FrameReader in(bytes.subspan(magic.size()));
  if (in.byte() != version) return std::nullopt;
  const std::uint8_t kind = in.byte();
  BeaconNonce nonce;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(head - nonce.size()), nonce.size(),
              nonce.begin());
  in = detail::FrameReader(bytes.subspan(head));
  if (kind == seek && datagram.size() == beacon_size) {
    Seek asked{nonce};
    asked.started = in.number();
    asked.salt = in.number();
    if (!in.ok()) return std::nullopt;
    return asked;
  }
  if (kind != here) return std::nullopt;
  Here found{nonce, 0, 0, {}};
  found.started = in.number();
  found.salt = in.number();
  for (std::uint64_t left = in.number_up_to(most_endpoints); left > 0 && in.ok(); --left)
    found.endpoints.emplace_back(in.text());
  if (!in.ok() || !in.at_end()) return std::nullopt;
  return found;
}

bool is_older(const Here& directory, const Seek& asker) {
  const bool is_node = asker.started == 0 && asker.salt == 0;
  return is_node ||
         std::pair(directory.started, directory.salt) < std::pair(asker.started, asker.salt);
}

BeaconKey beacon_key(const net::SocietyKey& key, std::string_view society) {
  return key.derive("coracle beacon", society);
}

namespace {

std::vector<BeaconKey> beacon_keys(const std::vector<net::SocietyKey>& keys,
                                   std::string_view society) {
  std::vector<BeaconKey> derived;
  for (const net::SocietyKey& key : keys) derived.push_back(beacon_key(key, society));
  return derived;
}

}  // namespace

BeaconKeys::BeaconKeys(net::KeySource source, Time now)
    : source_(std::move(source)),
      keys_(beacon_keys(source_.read().value(), source_.society())),
      read_(now) {}

const std::vector<BeaconKey>& BeaconKeys::at(Time now) {
  if (source_.file().empty() || now - read_ < pause) return keys_;
  read_ = now;
  if (const auto read = source_.read()) keys_ = beacon_keys(*read, source_.society());
  return keys_;
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

std::optional<net::Endpoint> Findings::add(const DirectoryReport& report,
                                           const std::optional<net::Endpoint>& own, Time now) {
  const Here& found = report.directory;
  std::optional<net::Endpoint> best;
  for (const std::string& text : found.endpoints) {
    const auto place = net::Endpoint::parse(text);
    if (!place) continue;
    if (own && *place == *own) {
      best = *place;
      break;
    }
    if (place->scheme == net::Endpoint::Scheme::unix_socket) continue;
    if (!best || (place->host == report.from && best->host != report.from)) best = *place;
  }
  const std::pair key(found.started, found.salt);
  if (!best || (found_.size() >= most && !found_.contains(key))) return std::nullopt;
  found_[key] = {*best, now};
  return best;
}

std::optional<net::Endpoint> Findings::add_reported(const DirectoryReport& report, Time now) {
  (void)places(now);
  const auto known = found_.find(std::pair(report.directory.started, report.directory.salt));
  if (known != found_.end()) return known->second.place;
  return add(report, std::nullopt, now);
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
