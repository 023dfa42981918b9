#include "server/viewer_state.hpp"

#include "coracle/support/calendar.hpp"

#include "coracle/coracle.hpp"
#include "server/assets.hpp"

#include <fmt/format.h>

#include <utility>

namespace coracle::view {

using http::Request;
using http::Responder;
using http::Response;

namespace {

using namespace std::chrono_literals;

constexpr std::string_view protocol = "coracle.view.1";

std::string host_of(const std::string& endpoint) {
  const auto authority = http::parse_authority(endpoint);
  return authority ? authority->host : std::string();
}

bool is_this_host(const std::string& host) {
  return host.empty() || host == "localhost" || host == "::1" || host.starts_with("127.");
}

http::ServerOptions server_options(const ViewerOptions& options) {
  http::ServerOptions server = options.server;
  const std::string host = host_of(server.endpoint);
  http::Sites sites;
  sites.hosts.insert(sites.hosts.end(), options.hosts.begin(), options.hosts.end());
  if (!host.empty()) sites.hosts.push_back(host);
  server.sites = std::move(sites);
  server.limits.body_bytes = 64 * 1024;
  const bool proves_clients = server.tls && !server.tls->authorities.empty();
  if (!is_this_host(host) && options.login.empty() && !proves_clients && !server.insecure)
    throw Error(Errc::not_permitted,
                "the view at " + server.endpoint +
                    " can be reached from other hosts, and has no login; give it the society's "
                    "key, or authorities of clients' certificates, listen at 127.0.0.1, or set "
                    "insecure");
  return server;
}

DoorOptions door_options(const ViewerOptions& options, Random& random) {
  DoorOptions door;
  door.login = options.login;
  door.certified = options.server.tls && !options.server.tls->authorities.empty();
  door.secure = options.server.tls.has_value();
  // Cookies of one host are the same at each port, so each viewer has its own.
  door.cookie = fmt::format("coracle-view-{:08x}", random.next() & 0xffff'ffff);
  return door;
}

std::string_view type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  if (name.ends_with(".txt")) return "text/plain; charset=utf-8";
  return "application/octet-stream";
}

void respond(const Responder& responder, Response response) {
  protect(response);
  responder.send(std::move(response));
}

json::value shown(const std::string& objection) {
  if (objection.empty()) return true;
  return json::value(utf8(objection));
}

}  // namespace

ViewerState::ViewerState(http::Loop& loop, ViewerOptions options, std::string why)
    : options_(std::move(options)),
      feed_(options_),
      watching_(feed_, options_, [this] { say_hello(); }),
      door_(std::make_unique<Door>(machine_random(), door_options(options_, machine_random()))),
      why_(std::move(why)) {
  server_ = std::make_unique<http::Server>(loop, server_options(options_), routes());
}

ViewerState::~ViewerState() {
  server_.reset();  // first, so that nothing new comes to the agent
  port_.reset();
}

http::Routes ViewerState::routes() {
  http::Routes routes;
  add_pages(routes);
  add_panels(routes);
  routes.on("GET", "/feed",
            [this](Request request, const Responder& to) { connect(std::move(request), to); });
  routes.on("GET", "/metrics", [this](Request request, const Responder& to) {
    if (!door_->is_inside(request)) return respond(to, Response::plain(403));
    http::Handler handler;
    {
      const std::lock_guard lock(mutex_);
      handler = to_metrics_;
    }
    if (handler) handler(std::move(request), to);
    else respond(to, Response::plain(503, "the society is not there yet"));
  });
  return routes;
}

void ViewerState::add_pages(http::Routes& routes) {
  for (const Asset& each : assets()) {
    const auto page = [this, each](const Request& request, const Responder& to) {
      if (auto other = door_->receive(request)) return respond(to, *std::move(other));
      respond(to, Response::with(std::string(each.text), type_of(each.name)));
    };
    routes.on("GET", "/" + std::string(each.name), page);
    if (each.name == "index.html") routes.on("GET", "/", page);
  }
  routes.on("POST", "/login", [this](const Request& request, const Responder& to) {
    respond(to, door_->log_in(request, steady_clock().now()));
  });
}

// The frame of a script has no origin, so its requests have no cookie: the address is the secret.
void ViewerState::add_panels(http::Routes& routes) {
  const auto script_of = [this](std::string_view id) -> const Panel* {
    for (const Panel& each : feed_.panels)
      if (each.view == PanelView::script && is_same_secret(each.id, id)) return &each;
    return nullptr;
  };
  routes.on("GET", "/panel/{id}", [script_of](const Request& request, const Responder& to) {
    std::string id(request.parameter("id"));
    const bool is_script = id.ends_with(".js");
    if (is_script) id.resize(id.size() - 3);
    const Panel* const panel = script_of(id);
    if (panel == nullptr) return respond(to, Response::plain(404));
    Response response =
        is_script ? Response::with(panel->script, "text/javascript; charset=utf-8")
                  : Response::with(fmt::format("<!doctype html><html lang=\"en\"><meta "
                                               "charset=\"utf-8\"><body><script src=\"/panel/{}.js"
                                               "\"></script></body></html>\n",
                                               id),
                                   "text/html; charset=utf-8");
    // Without an origin of its own, the frame has to name the server.
    response.headers.add(
        "Content-Security-Policy",
        fmt::format("sandbox allow-scripts; default-src 'none'; script-src {}; style-src "
                    "'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
                    "frame-ancestors 'self'",
                    request.url.origin()));
    protect(response);
    if (is_script) response.headers.set("Cross-Origin-Resource-Policy", "cross-origin");
    to.send(std::move(response));
  });
}

http::WebSocket ViewerState::accept(const Responder& responder) {
  http::SocketOptions options;
  options.message_bytes = 64 * 1024;
  options.received = 16;
  options.queue = 512;
  options.queue_bytes = std::size_t{16} << 20;
  options.protocols = {std::string(protocol)};
  return responder.accept(std::move(options));
}

void ViewerState::connect(Request request, const Responder& responder) {
  if (!door_->is_inside(request))
    return respond(responder, Response::plain(403, "this browser was not let in"));
  http::Handler handler;
  {
    const std::lock_guard lock(mutex_);
    handler = to_agent_;
    if (!handler) {
      std::erase_if(waiting_, [](const auto& each) { return !each.second.is_open(); });
      if (waiting_.size() >= most_browsers) return respond(responder, Response::plain(503));
      const http::WebSocket socket = accept(responder);
      socket.send_text(json::serialize(hello(steady_clock().now())));
      waiting_[request.peer] = socket;
      return;
    }
  }
  handler(std::move(request), responder);
}

Rights ViewerState::rights_without_society() const { return {why_, why_, why_, why_, false}; }

// Before the society is there, the thread of the server calls this; then the agent does.
json::object ViewerState::hello(Time now) const {
  const bool has_begun = has_begun_;
  const bool is_recording = has_begun && player_ != nullptr;
  const Rights rights = has_begun ? feed_.rights : rights_without_society();
  json::object hello{{"is", "hello"}, {"version", 1}};
  hello["source"] = is_recording ? "recording" : "live";
  if (!options_.society.empty()) hello["society"] = utf8(options_.society);
  if (!options_.realization.empty()) hello["realization"] = utf8(options_.realization);
  if (has_begun) hello["me"] = me_;
  hello["epoch"] = has_begun ? epoch_ : detail::calendar_now().time_since_epoch().count();
  hello["now"] = is_recording ? player_->at() : has_begun ? feed_.times.seconds(now) : 0.0;
  hello["rights"] = json::object{{"overhear", shown(rights.overhear)},
                                 {"inspect", shown(rights.inspect)},
                                 {"send", shown(rights.send)},
                                 {"operate", shown(rights.operate)}};
  hello["held"] = options_.messages;
  if (is_recording) hello["length"] = player_->length();
  if (is_recording) hello["replay"] = shown(replays_->objection());
  return hello;
}

void ViewerState::say_hello() {
  if (!feed_.browsers.empty()) feed_.send_to_all(hello(steady_clock().now()));
}

void ViewerState::wait_for(std::string why) {
  const std::lock_guard lock(mutex_);
  if (has_begun_ || why == why_) return;
  why_ = std::move(why);
  for (const auto& [peer, socket] : waiting_)
    socket.send_text(json::serialize(hello(steady_clock().now())));
}

namespace {

AgentSpec spec_of(const std::string& name) {
  AgentSpec spec(name);
  spec.mailbox(MailboxOptions().messages(64).overflow(Overflow::drop_oldest)).pinned();
  return spec;
}

// A port under that name, or under the first of coracle/view-1, -2, … that is free.
std::unique_ptr<Port> port_of(Node& node, const std::string& name) {
  if (!name.empty()) return std::make_unique<Port>(node, spec_of(name));
  constexpr int most = 1000;
  for (int i = 1;; ++i) {
    try {
      return std::make_unique<Port>(node, spec_of(fmt::format("coracle/view-{}", i)));
    } catch (const Error& failure) {
      if (failure.errc() != Errc::name_taken || i == most) throw;
    }
  }
}

}  // namespace

void ViewerState::begin(Node& node, std::string no_agent, const formats::Story* story) {
  port_ = port_of(node, story != nullptr || !no_agent.empty() ? std::string() : options_.name);
  me_ = port_->self().name().str();
  feed_.times.begin = steady_clock().now();
  epoch_ = detail::calendar_now().time_since_epoch().count();
  if (story != nullptr) {
    player_ = std::make_unique<Player>(feed_, *story);
    const std::string past = "a recording shows the past; nobody there can be asked";
    feed_.rights.inspect = feed_.rights.operate = feed_.rights.send = past;
  } else if (!no_agent.empty()) {
    watching_.have_no_agent(no_agent);
    feed_.rights.is_member = false;
    feed_.rights.inspect = feed_.rights.operate = feed_.rights.send = no_agent;
  }
  replays_ = std::make_unique<Replays>(options_, feed_.times, story);
  requests_ = std::make_unique<Requests>(feed_, player_.get(), *replays_, [this] { say_hello(); });
  std::unique_lock lock(mutex_);
  has_begun_ = true;
  to_agent_ = http::handled_by(*port_, [this](Agent& me, Request request, Responder responder) {
    return serve(me, std::move(request), std::move(responder));
  });
  to_metrics_ = http::handled_by(*port_, [this](Agent&, const Request&) { return metrics(); });
  std::vector<Request> waited;
  for (const auto& [peer, socket] : waiting_) waited.emplace_back().peer = peer;
  const http::Handler to_agent = to_agent_;
  lock.unlock();
  for (Request& each : waited) to_agent(std::move(each), Responder());
}

// The WebSocket of a browser that has waited for the society, or of one that comes now.
http::WebSocket ViewerState::socket_of(const Request& request, const Responder& responder) {
  {
    const std::lock_guard lock(mutex_);
    if (auto waited = waiting_.extract(request.peer)) return waited.mapped();
  }
  return accept(responder);
}

void ViewerState::add_panel(Panel panel) {
  constexpr std::size_t most_panels = 50;
  for (const Panel& each : feed_.panels)
    if (each.name == panel.name)
      throw Error(Errc::bad_options, "the view has a panel '" + panel.name + "' already");
  if (feed_.panels.size() == most_panels)
    throw Error(Errc::bad_options, "a view has at most " + std::to_string(most_panels) + " panels");
  for (int i = 0; i < 2; ++i) panel.id += fmt::format("{:016x}", machine_random().next());
  feed_.panels.push_back(std::move(panel));
}

namespace {

// A browser is in the list while its task lives, however that ends.
class Listed {
 public:
  Listed(std::list<Browser*>& list, Browser& browser, std::atomic<std::size_t>& count)
      : list_(list), browser_(browser), count_(count) {
    list_.push_back(&browser_);
    count_ = list_.size();
  }
  Listed(const Listed&) = delete;
  ~Listed() {
    list_.remove(&browser_);
    count_ = list_.size();
  }

 private:
  std::list<Browser*>& list_;
  Browser& browser_;
  std::atomic<std::size_t>& count_;
};

}  // namespace

Task<> ViewerState::serve(Agent& me, Request request, Responder responder) {
  const http::WebSocket socket = socket_of(request, responder);
  if (!socket.is_open()) co_return;
  if (feed_.browsers.size() >= most_browsers) {
    socket.close(http::CloseCode::try_again_later, "Too many browsers look at this view.");
    co_return;
  }
  Browser browser(socket, feed_.messages, request.peer);
  browser.decisions = feed_.decisions.first();
  // Nobody looked meanwhile, so nothing was overheard.
  if (feed_.browsers.empty() && !player_ && feed_.seen() != 0)
    feed_.messages.add(Gap{me.now(), MessageView::unknown_gap, "unknown", {}});
  // Each new browser may try again what was refused to others, who see that.
  if (!player_ && feed_.rights.is_member && !feed_.rights.operate.empty()) {
    feed_.rights.operate.clear();
    say_hello();
  }
  const Listed listed(feed_.browsers, browser, browsers_);
  socket.send_text(json::serialize(hello(me.now())));
  feed_.greet(browser);
  if (player_) {
    browser.cursor.move_back(feed_.messages, 1000);
    socket.send_text(json::serialize(player_->state()));
    if (!is_playing_) me.spawn(play(me));
  } else {
    watching_.begin(me);
  }
  while (socket.is_open()) {
    Task<std::optional<http::SocketMessage>> receiving = socket.receive();
    const std::optional<http::SocketMessage> frame = co_await receiving;
    if (!frame) break;
    Task<> obeying = requests_->obey(me, browser, frame->data);
    co_await obeying;
  }
}

Task<> ViewerState::play(Agent& me) {
  constexpr Duration interval = 50ms;
  is_playing_ = true;
  Time before = me.now();
  bool is_news = false;
  for (int tick = 0; !feed_.browsers.empty(); ++tick) {
    co_await me.pause(Deadline(interval));
    const Time now = me.now();
    is_news |= player_->speed() != 0;
    player_->advance(now - std::exchange(before, now));
    feed_.send_batches(player_->now());
    if (tick % 5 != 0) continue;
    if (std::exchange(is_news, false)) feed_.send_to_all(player_->state());
    feed_.send_society();
  }
  is_playing_ = false;
}

Task<Response> ViewerState::metrics() {
  std::string text;
  formats::PrometheusText out([&](std::string_view part) { text += part; });
  write_metrics(out, feed_);
  Response response = Response::with(std::move(text), formats::PrometheusText::content_type);
  protect(response);
  co_return response;
}

}  // namespace coracle::view
