#include "coracle/http/agent.hpp"

#include "coracle/detail/outside.hpp"
#include "coracle/support/log.hpp"

#include <exception>
#include <memory>
#include <utility>

namespace coracle::http {

namespace {

int status_of(Errc errc) noexcept {
  switch (errc) {
    case Errc::expired:
      return 504;
    case Errc::not_permitted:
      return 403;
    case Errc::too_large:
      return 413;
    case Errc::stopped:
    case Errc::cancelled:
    case Errc::mailbox_full:
    case Errc::absent_full:
    case Errc::limit_reached:
    case Errc::no_credit:
      return 503;
    case Errc::refused:
    case Errc::undeliverable:
    case Errc::no_such_agent:
    case Errc::peer_down:
    case Errc::agent_failed:
    case Errc::unanswered:
      return 502;
    default:
      return 500;
  }
}

// One request in the hands of an agent.
class Handling final : public detail::Undertaking {
 public:
  using Body = std::function<Task<>(Agent&, Request, Responder)>;

  Handling(std::shared_ptr<const Body> body, Request request, Responder responder)
      : Undertaking(false),
        body_(std::move(body)),
        request_(std::move(request)),
        responder_(std::move(responder)) {}

 private:
  Task<> run(Agent* agent) override {
    Task<> task = (*body_)(*agent, std::move(request_), responder_);
    co_await task;
  }

  void on_end(std::exception_ptr failure) noexcept override try {
    const Responder responder = std::exchange(responder_, Responder());
    if (!failure) return;
    try {
      std::rethrow_exception(failure);
    } catch (const Error& error) {
      if (responder.send(Response::plain(status_of(error.errc())))) log(error.what());
    } catch (const std::exception& error) {
      if (responder.send(Response::plain(500))) log(error.what());
    }
  } catch (...) {
    // There is no memory; the responder's end is a response.
  }

  static void log(const std::string& what) {
    detail::log_debug(detail::LogPart::gateway, [&] { return "a handler has failed: " + what; });
  }

  const std::shared_ptr<const Body> body_;
  Request request_;
  Responder responder_;
};

Task<> respond_with(Task<Response> task, Responder responder) {
  Response response = co_await task;
  responder.send(std::move(response));
}

}  // namespace

Handler handled_by(Port& port, std::function<Task<>(Agent&, Request, Responder)> body) {
  auto shared = std::make_shared<const Handling::Body>(std::move(body));
  return [&port, shared = std::move(shared)](Request request, Responder responder) {
    detail::FromOutside::begin(
        port, std::make_shared<Handling>(shared, std::move(request), std::move(responder)));
  };
}

Handler handled_by(Port& port, std::function<Task<Response>(Agent&, Request)> body) {
  return handled_by(port,
                    [body = std::move(body)](Agent& me, Request request, Responder responder) {
                      return respond_with(body(me, std::move(request)), std::move(responder));
                    });
}

}  // namespace coracle::http
