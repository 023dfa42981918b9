#include "server/exchange.hpp"

#include "message/frames.hpp"
#include "message/text.hpp"
#include "server/connection.hpp"

#include <algorithm>
#include <utility>

namespace coracle::http {

namespace {

constexpr std::size_t most_protocols = 32;

std::vector<std::string> elements_of(const Headers& headers, std::string_view name) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (!same_word(headers[i].name, name)) continue;
    for (std::string_view list = headers[i].value; !list.empty() && all.size() < most_protocols;) {
      const std::string_view one = list.substr(0, list.find(','));
      list.remove_prefix(std::min(one.size() + 1, list.size()));
      all.emplace_back(trimmed(one));
    }
  }
  return all;
}

}  // namespace

Exchange::Exchange(std::shared_ptr<LoopState> loop, std::weak_ptr<ServerConnection> connection,
                   std::uint64_t number, std::shared_ptr<const std::atomic<bool>> has_left,
                   const Request& request)
    : loop_(std::move(loop)),
      connection_(std::move(connection)),
      number_(number),
      has_left_(std::move(has_left)) {
  const Headers& headers = request.headers;
  if (!headers.has_token("Upgrade", "websocket") || !headers.has_token("Connection", "upgrade"))
    return;
  upgrade_ = std::make_unique<Upgrade>(
      Upgrade{std::string(headers.find("Sec-WebSocket-Key").value_or("")),
              std::string(headers.find("Sec-WebSocket-Version").value_or("")),
              elements_of(headers, "Sec-WebSocket-Protocol")});
}

Exchange::~Exchange() {
  if (!is_done_.load()) send(Response::plain(500, "the handler gave no response"));
}

template <class What>
void Exchange::at_connection(What what) {
  if (loop_->is_here()) {
    if (const auto connection = connection_.lock()) what(*connection);
    return;
  }
  loop_->post([connection = connection_, what = std::move(what)]() mutable {
    if (const auto there = connection.lock()) what(*there);
  });
}

bool Exchange::send(Response response) {
  if (!claim()) return false;
  at_connection([number = number_, response = std::move(response)](ServerConnection& at) mutable {
    at.respond(number, std::move(response));
  });
  return true;
}

EventStream Exchange::stream(StreamOptions options, Headers headers) {
  if (!claim()) return {};
  Response head;
  head.headers = std::move(headers);
  if (!head.headers.find("Content-Type")) head.headers.add("Content-Type", options.type);
  if (!head.headers.find("Cache-Control")) head.headers.add("Cache-Control", "no-store");
  auto queue = std::make_shared<StreamQueue>(options, loop_, connection_);
  at_connection([number = number_, head = std::move(head), queue](ServerConnection& at) {
    at.begin_stream(number, head, queue);
  });
  if (!is_wanted()) queue->end();
  return EventStream(std::move(queue));
}

// Returns the error for a request that asks for no WebSocket, or wrongly.
std::optional<Response> Exchange::objection(const std::string& accepted) const {
  if (upgrade_ && upgrade_->version == "13" && !accepted.empty()) return std::nullopt;
  if (upgrade_ && upgrade_->version == "13") return Response::plain(400, "there is no usable key");
  Response response = Response::plain(426, "use a WebSocket of version 13");
  response.headers.add("Upgrade", "websocket");
  response.headers.add("Sec-WebSocket-Version", "13");
  return response;
}

std::string Exchange::choose_protocol(const SocketOptions& options) const {
  for (const std::string& ours : options.protocols) {
    const auto& offered = upgrade_->protocols;
    if (std::find(offered.begin(), offered.end(), ours) != offered.end()) return ours;
  }
  return {};
}

WebSocket Exchange::accept(SocketOptions options, Headers headers) {
  const std::string accepted = upgrade_ ? accept_of(upgrade_->key).value_or("") : "";
  if (auto error = objection(accepted)) {
    send(*std::move(error));
    return {};
  }
  if (!claim()) return {};
  Response head;
  head.headers = std::move(headers);
  head.headers.set("Sec-WebSocket-Accept", accepted);
  const std::string protocol = choose_protocol(options);
  if (!protocol.empty()) head.headers.set("Sec-WebSocket-Protocol", protocol);
  auto queue = std::make_shared<SocketQueue>(std::move(options), loop_);
  queue->set_protocol(protocol);
  at_connection([number = number_, head = std::move(head), queue](ServerConnection& at) {
    at.begin_socket(number, head, queue);
  });
  if (!is_wanted()) queue->end({CloseCode::lost, {}});
  return WebSocket(std::move(queue));
}

// --- Responder ---

bool Responder::send(Response response) const {
  return exchange_ && exchange_->send(std::move(response));
}

EventStream Responder::stream(StreamOptions options, Headers headers) const {
  return exchange_ ? exchange_->stream(std::move(options), std::move(headers)) : EventStream();
}

WebSocket Responder::accept(SocketOptions options, Headers headers) const {
  return exchange_ ? exchange_->accept(std::move(options), std::move(headers)) : WebSocket();
}

bool Responder::is_wanted() const noexcept { return exchange_ && exchange_->is_wanted(); }

}  // namespace coracle::http
