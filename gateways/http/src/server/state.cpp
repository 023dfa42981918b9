#include "server/state.hpp"

#include "coracle/support/log.hpp"
#include "coracle/support/loopback.hpp"
#include "coracle/support/quote.hpp"
#include "stream/socket_channel.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <utility>

namespace coracle::http {

namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

// The pause before accepting again when the system has no descriptors left.
constexpr Duration accept_pause = std::chrono::milliseconds(100);

// One address, or in IPv6 one network.
std::string key_of(const boost::asio::ip::address& address) {
  if (address.is_v4()) {
    const auto bytes = address.to_v4().to_bytes();
    return {bytes.begin(), bytes.end()};
  }
  const auto v6 = address.to_v6();
  if (v6.is_v4_mapped()) return key_of(make_address_v4(boost::asio::ip::v4_mapped, v6));
  const auto bytes = v6.to_bytes();
  return {bytes.begin(), bytes.begin() + 8};
}

std::string text_of(const tcp::endpoint& endpoint) {
  const std::string host = endpoint.address().to_string();
  const std::string port = std::to_string(endpoint.port());
  return endpoint.address().is_v6() ? '[' + host + "]:" + port : host + ':' + port;
}

SessionSettings settings_of(const ServerOptions& options, Routes routes) {
  const ServerLimits& limits = options.limits;
  return {limits,
          {limits.header_bytes, limits.header_fields, limits.target_bytes, limits.body_bytes},
          std::move(routes),
          options.sites,
          Url()};
}

}  // namespace

ServerState::ServerState(std::shared_ptr<LoopState> loop, ServerOptions options, Routes routes)
    : loop_(std::move(loop)),
      options_(std::move(options)),
      settings_(settings_of(options_, std::move(routes))),
      budget_(options_.limits.buffered_bytes),
      acceptor_(loop_->context()),
      pause_(loop_->context()) {
  if (options_.tls) tls_ = server_context(*options_.tls);
}

ServerState::~ServerState() = default;

// --- listening ---

tcp::endpoint ServerState::find_endpoint() {
  const auto wanted = parse_authority(options_.endpoint);
  const bool any_port = !wanted && options_.endpoint.ends_with(":0");
  const auto read = any_port
                        ? parse_authority(options_.endpoint.substr(0, options_.endpoint.size() - 2))
                        : wanted;
  if (!read) throw read.error();
  const auto port = any_port ? std::uint16_t{0} : read->port.value_or(options_.tls ? 443 : 80);
  settings_.own.is_secure = options_.tls.has_value();
  settings_.own.host = read->host;
  error_code error;
  const auto address = boost::asio::ip::make_address(read->host, error);
  if (!error) return {address, port};
  tcp::resolver resolver(loop_->context());
  const auto found = resolver.resolve(read->host, std::to_string(port), error);
  if (error || found.empty())
    throw Error(Errc::cannot_listen, "cannot listen at " + detail::quoted(options_.endpoint) +
                                         ": the host has no address (" + error.message() +
                                         "); give an address of this host");
  return found.begin()->endpoint();
}

void ServerState::listen() {
  const tcp::endpoint at = find_endpoint();
  if (!detail::is_loopback(at.address().to_string()) && !options_.tls && !options_.insecure)
    throw Error(Errc::not_permitted,
                "a server at " + detail::quoted(options_.endpoint) +
                    " can be reached from other hosts, where others can read and change what is "
                    "sent; give it a certificate, listen at 127.0.0.1, or set insecure");
  error_code error;
  acceptor_.open(at.protocol(), error);
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(at, error);
  if (!error) acceptor_.listen(boost::asio::socket_base::max_listen_connections, error);
  if (error)
    throw Error(Errc::cannot_listen,
                "cannot listen at " + detail::quoted(options_.endpoint) + " (" + error.message() +
                    "); choose another endpoint, or end the process that has it");
  settings_.own.port = acceptor_.local_endpoint().port();
  accept();
}

void ServerState::accept() {
  acceptor_.async_accept([self = shared_from_this()](const error_code& error, tcp::socket socket) {
    if (self->is_over_) return;
    if (error && error != boost::asio::error::connection_aborted)
      return self->pause(error.message());
    if (!error) self->admit(std::move(socket));
    self->accept();
  });
}

// Accepting fails for as long as there are no descriptors; trying again at once would only waste
// CPU time.
void ServerState::pause(const std::string& why) {
  note_refusal("a client", why + "; raise the limit of open files");
  pause_.expires_after(accept_pause);
  pause_.async_wait([self = shared_from_this()](const error_code&) {
    if (!self->is_over_) self->accept();
  });
}

void ServerState::admit(tcp::socket socket) {
  error_code error;
  const tcp::endpoint from = socket.remote_endpoint(error);
  if (error) return;
  const std::string peer = text_of(from);
  auto& entry = peers_[key_of(from.address())];
  if (!entry) entry = std::make_shared<PeerShare>(options_.limits.buffered_bytes_per_peer);
  const auto share = entry;
  if (!make_room(*share)) {
    note_refusal(peer, "there are too many connections");
    return turn_away(socket);
  }
  ++counts_.accepted;
  ++share->connections;
  const std::uint64_t id = next_id_++;
  auto made = std::make_shared<ServerConnection>(
      shared_from_this(), id, std::make_unique<Wire>(std::move(socket)), share, peer);
  channels_.emplace(id, made);
  made->work();
}

// Makes room for one more connection of an address: the one that has been idle for longest gives
// way. Returns whether there is room.
bool ServerState::make_room(PeerShare& share) {
  const bool is_own = share.connections >= options_.limits.connections_per_peer;
  if (!is_own && channels_.size() < options_.limits.connections) return true;
  std::shared_ptr<ServerConnection> oldest;
  for (const auto& [id, channel] : channels_) {
    auto each = std::dynamic_pointer_cast<ServerConnection>(channel);
    if (!each || !each->is_idle() || (is_own && !each->is_of(share))) continue;
    if (!oldest || each->idle_since() < oldest->idle_since()) oldest = std::move(each);
  }
  if (!oldest) return false;
  oldest->close();
  return true;
}

void ServerState::turn_away(tcp::socket& socket) const {
  if (options_.tls) return;
  constexpr std::string_view sorry =
      "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(boost::asio::buffer(sorry), ignored);
}

// --- connections ---

void ServerState::remove(std::uint64_t id, PeerShare& share) {
  if (channels_.erase(id) == 0) return;
  if (--share.connections != 0) return;
  std::erase_if(peers_, [&](const auto& each) { return each.second.get() == &share; });
}

void ServerState::replace(std::uint64_t id, std::shared_ptr<Channel> channel) {
  const auto place = channels_.find(id);
  if (place != channels_.end()) place->second = std::move(channel);
}

void ServerState::begin_stop() {
  is_over_ = true;
  error_code ignored;
  acceptor_.close(ignored);
  pause_.cancel();
  const auto channels = channels_;
  for (const auto& [id, channel] : channels) {
    if (const auto each = std::dynamic_pointer_cast<ServerConnection>(channel)) each->finish();
    else if (const auto socket = std::dynamic_pointer_cast<SocketChannel>(channel))
      socket->close_with({CloseCode::going_away, "the server stops"});
  }
}

std::size_t ServerState::close_all() {
  is_over_ = true;
  error_code ignored;
  acceptor_.close(ignored);
  pause_.cancel();
  loop_->alarms().remove(*this);
  std::size_t open = 0;
  const auto channels = std::exchange(channels_, {});
  for (const auto& [id, channel] : channels) {
    if (const auto each = std::dynamic_pointer_cast<ServerConnection>(channel))
      open += each->open_requests();
    channel->close();
  }
  return open;
}

// --- the log ---

ServerCounts ServerState::counts_now() const {
  ServerCounts counts = counts_;
  counts.connections = channels_.size();
  counts.buffered_bytes = budget_.used();
  return counts;
}

void ServerState::note_refusal(const std::string& who, const std::string& reason) {
  ++counts_.refused;
  log(reason, who + " was refused: " + reason);
}

void ServerState::note_failure(const std::string& what) {
  log("a handler has failed: " + what, "a handler has failed: " + what);
}

void ServerState::log(const std::string& reason, const std::string& line) {
  if (log_.note(reason, loop_->now()))
    detail::log_warning(url().origin() + ": " + line, detail::LogPart::gateway);
  loop_->alarms().set(*this);
}

void ServerState::on_time(Time now) {
  while (const auto line = log_.sum_up(now))
    detail::log_warning(url().origin() + ": " + *line, detail::LogPart::gateway);
  loop_->alarms().set(*this);
}

}  // namespace coracle::http
