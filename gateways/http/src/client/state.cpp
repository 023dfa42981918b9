#include "client/state.hpp"

#include "coracle/support/quote.hpp"
#include "message/text.hpp"
#include "message/writing.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace coracle::http {

namespace {

ReadLimits reading_of(const ClientLimits& limits, bool is_stream) {
  return {limits.header_bytes, limits.header_fields, limits.header_bytes,
          is_stream ? std::numeric_limits<std::size_t>::max() : limits.body_bytes};
}

bool has_files(const ClientTls& tls) noexcept {
  return !tls.authorities.empty() || !tls.certificate.empty() || !tls.key.empty();
}

}  // namespace

// --- calls ---

void Call::on_time(Time) {
  client.give_up(*this,
                 Error(Errc::expired,
                       to_url.origin() + " has not responded in time; try again, or wait longer"));
}

void Call::fail(const Error& error) {
  if (std::exchange(is_over, true)) return;
  client.loop().alarms().remove(*this);
  receiver.fail(error);
}

ClientState::ClientState(std::shared_ptr<LoopState> loop, ClientOptions options)
    : loop_(std::move(loop)),
      options_(std::move(options)),
      reading_(reading_of(options_.limits, false)),
      reading_stream_(reading_of(options_.limits, true)),
      tls_(has_files(options_.tls) ? client_context(options_.tls) : nullptr) {}

// The certificates that the system trusts are read when a server is reached by https; that takes
// milliseconds.
TlsContext ClientState::tls_for(const Url& url) {
  if (url.is_secure && !tls_) tls_ = client_context(options_.tls);
  return tls_;
}

std::shared_ptr<Call> ClientState::make_call(Request request, const RequestOptions& options,
                                             Call::Receiver receiver) {
  if (!is_token(request.method))
    throw Error(Errc::bad_options, detail::quoted(request.method) +
                                       " is no method of a request; give one such as GET or POST");
  const std::string target = request.url.target();
  if (auto again = Url::parse(request.url.text()); !again) throw again.error();
  auto call = std::make_shared<Call>(*this, request.url, std::move(receiver));
  HeadWriter writer(call->head);
  writer.request(request.method, target);
  if (!request.headers.find("Host")) writer.field("Host", request.url.authority());
  const bool is_upgrade = request.headers.has_token("Connection", "upgrade");
  for (std::size_t i = 0; i < request.headers.size(); ++i) {
    const auto [name, value] = request.headers[i];
    if (!is_framing(name) || (same_word(name, "Connection") && is_upgrade))
      writer.field(name, value);
  }
  const bool has_body =
      request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
  if (has_body || !request.body.empty()) writer.length(request.body.size());
  writer.end();
  call->body = std::move(request.body);
  call->expected.is_head = request.method == "HEAD";
  call->expected.headers_end_response = options.headers_end_response;
  call->until = options.deadline.at(loop_->now());
  call->may_repeat = options.may_repeat.value_or(is_idempotent(request.method));
  call->may_follow = options.may_follow;
  return call;
}

void ClientState::begin(const std::shared_ptr<Call>& call) {
  if (is_over_) return call->fail(Error(Errc::stopped, "the client has ended; make another one"));
  call->expected.id = next_id_++;
  const std::string key = call->to_url.origin();
  Server& server = servers_[key];
  server.url = call->to_url;
  if (server.waiting.size() >= limits().waiting)
    return call->fail(Error(Errc::limit_reached, "too many requests wait for " + key +
                                                     "; send fewer at once, or raise "
                                                     "the limit of the client"));
  server.waiting.push_back(call);
  loop_->alarms().set(*call);
  dispatch(key);
}

void ClientState::begin_alone(const std::shared_ptr<Call>& call) {
  if (is_over_) return call->fail(Error(Errc::stopped, "the client has ended; make another one"));
  call->expected.id = next_id_++;
  if (connections_ >= limits().connections && !make_room())
    return call->fail(Error(Errc::limit_reached,
                            "the client has too many connections; close some, or raise the limit"));
  ++connections_;
  loop_->alarms().set(*call);
  calls_alone_.emplace(call.get(), call);
  const auto number = std::make_shared<Connecting*>(nullptr);
  auto attempt = Connecting::begin(
      *loop_, call->to_url, tls_for(call->to_url), options_.permits,
      std::min(call->until, loop_->now() + limits().connect_time),
      [self = shared_from_this(), call, number](Result<std::unique_ptr<Wire>> wire) {
        std::erase_if(self->attempts_alone_,
                      [&](const auto& each) { return each.get() == *number; });
        self->calls_alone_.erase(call.get());
        if (!wire || call->is_over) {
          --self->connections_;
          if (!wire) call->fail(wire.error());
          return;
        }
        const auto made = std::make_shared<ClientConnection>(self, *std::move(wire), "");
        self->alone_.push_back(made);
        made->send(call);
      });
  *number = attempt.get();
  attempts_alone_.push_back(std::move(attempt));
}

void ClientState::give_up(Call& call, const Error& error) {
  const auto self = shared_from_this();
  const auto kept = call.shared_from_this();
  const std::string key = call.to_url.origin();
  if (const auto server = servers_.find(key); server != servers_.end())
    std::erase(server->second.waiting, kept);
  calls_alone_.erase(&call);
  if (const auto at = call.at.lock()) at->forget(call);
  call.fail(error);
  clean(key);
}

void ClientState::on_lost(const std::shared_ptr<Call>& call, bool may_repeat, const Error& why) {
  if (call->is_over) return;
  if (!may_repeat || !call->may_repeat || call->is_repeated || is_over_) return call->fail(why);
  call->is_repeated = true;
  call->at.reset();
  const std::string key = call->to_url.origin();
  Server& server = servers_[key];
  server.url = call->to_url;
  // Behind those that were lost before it, in front of those that were never sent.
  const auto place =
      std::find_if(server.waiting.begin(), server.waiting.end(),
                   [](const std::shared_ptr<Call>& each) { return !each->is_repeated; });
  server.waiting.insert(place, call);
  dispatch(key);
}

// --- connections ---

void ClientState::dispatch(const std::string& key) {
  const auto place = servers_.find(key);
  if (place == servers_.end()) return;
  Server& server = place->second;
  while (!server.waiting.empty()) {
    const auto call = server.waiting.front();
    if (const auto connection = choose(server, *call)) {
      server.waiting.pop_front();
      connection->send(call);
    } else if (may_connect(server)) {
      connect(key);
    } else {
      break;
    }
  }
}

std::shared_ptr<ClientConnection> ClientState::choose(Server& server, const Call& call) const {
  std::shared_ptr<ClientConnection> best;
  for (const auto& each : server.connections) {
    if (!each->is_open() || (call.is_repeated && !each->is_fresh())) continue;
    if (!best || each->outstanding() < best->outstanding()) best = each;
  }
  if (!best || best->outstanding() == 0) return best;
  const bool is_full =
      server.connections.size() + server.attempts.size() >= limits().connections_per_server;
  const bool may_follow = call.may_follow && best->outstanding() < limits().pipelined;
  return is_full && may_follow ? best : nullptr;
}

bool ClientState::may_connect(Server& server) {
  const std::size_t coming = server.attempts.size() * std::max<std::size_t>(limits().pipelined, 1);
  if (coming >= server.waiting.size()) return false;
  // A call that needs a fresh connection displaces one that is kept.
  const bool is_full =
      server.connections.size() + server.attempts.size() >= limits().connections_per_server;
  if (is_full) {
    if (!server.waiting.front()->is_repeated) return false;
    const auto idle = std::find_if(server.connections.begin(), server.connections.end(),
                                   [](const auto& each) { return each->outstanding() == 0; });
    if (idle == server.connections.end()) return false;
    const auto kept = *idle;
    kept->close();
  }
  return connections_ < limits().connections || make_room();
}

// Closes the connection that has been idle for longest.
bool ClientState::make_room() {
  std::shared_ptr<ClientConnection> oldest;
  for (const auto& [key, server] : servers_) {
    for (const auto& each : server.connections) {
      if (each->outstanding() == 0 && (!oldest || each->idle_since() < oldest->idle_since()))
        oldest = each;
    }
  }
  if (!oldest) return false;
  oldest->close();
  return true;
}

void ClientState::connect(const std::string& key) {
  Server& server = servers_[key];
  ++connections_;
  const auto which = std::make_shared<Connecting*>(nullptr);
  auto attempt = Connecting::begin(
      *loop_, server.url, tls_for(server.url), options_.permits,
      loop_->now() + limits().connect_time,
      [self = shared_from_this(), key, which](Result<std::unique_ptr<Wire>> wire) {
        Server& to = self->servers_[key];
        std::erase_if(to.attempts, [&](const auto& each) { return each.get() == *which; });
        if (wire) {
          to.connections.push_back(std::make_shared<ClientConnection>(self, *std::move(wire), key));
          to.connections.back()->work();
        } else {
          --self->connections_;
          if (to.connections.empty() && to.attempts.empty()) {
            for (const auto& each : std::exchange(to.waiting, {})) each->fail(wire.error());
          }
        }
        self->dispatch(key);
        self->clean(key);
      });
  *which = attempt.get();
  server.attempts.push_back(std::move(attempt));
}

void ClientState::on_free(const std::string& key) { dispatch(key); }

void ClientState::on_gone(const std::shared_ptr<ClientConnection>& connection) {
  --connections_;
  const std::string key = connection->key();
  if (key.empty()) {
    std::erase(alone_, connection);
  } else if (const auto server = servers_.find(key); server != servers_.end()) {
    std::erase(server->second.connections, connection);
  }
  if (is_over_) return;
  // There may be room for a connection to another server.
  loop_->post([self = shared_from_this()] {
    std::vector<std::string> waiting;
    for (const auto& [name, server] : self->servers_) waiting.push_back(name);
    for (const std::string& each : waiting) self->dispatch(each), self->clean(each);
  });
}

void ClientState::clean(const std::string& key) {
  const auto place = servers_.find(key);
  if (place == servers_.end()) return;
  const Server& server = place->second;
  if (server.waiting.empty() && server.connections.empty() && server.attempts.empty())
    servers_.erase(place);
}

void ClientState::stop() {
  is_over_ = true;
  const auto servers = std::exchange(servers_, {});
  const auto alone = std::exchange(alone_, {});
  const auto calls = std::exchange(calls_alone_, {});
  for (const auto& each : std::exchange(attempts_alone_, {})) each->stop();
  const Error error(Errc::stopped, "the client has ended before there was a response");
  const auto end = [&error](const std::shared_ptr<ClientConnection>& connection) {
    connection->fail_calls(error);
    connection->close();
  };
  for (const auto& [key, server] : servers) {
    for (const auto& each : server.attempts) each->stop();
    for (const auto& each : server.waiting) each->fail(error);
    for (const auto& each : server.connections) end(each);
  }
  for (const auto& each : alone) end(each);
  for (const auto& [raw, socket] : std::exchange(sockets_, {})) socket->close();
  for (const auto& [raw, call] : calls) call->fail(error);
}

}  // namespace coracle::http
