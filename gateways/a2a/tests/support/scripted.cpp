#include "support/scripted.hpp"

#include "coracle/web/json_rpc.hpp"

#include <utility>

namespace coracle::a2a::test {

Scripted::Scripted(http::Loop& loop, bool streams, const std::string& binding, Answer first,
                   const std::string& endpoint)
    : answer_(std::move(first)) {
  http::Routes routes;
  const auto answer = [this](const http::Request& request, const http::Responder& to) {
    Answer chosen;
    {
      const std::lock_guard lock(mutex_);
      chosen = answer_;
    }
    chosen(request, to);
  };
  routes.on("GET", "/agent/.well-known/agent-card.json",
            [this](const http::Request& request, const http::Responder& to) {
              if (request.headers.count("Authorization") != 0) ++card_proofs_;
              to.send(http::Response::with(web::to_text(card()), "application/json"));
            });
  routes.on("POST", "/agent", answer);
  for (const char* method : {"GET", "POST", "DELETE"})
    routes.on(method, "/agent/{rest...}", answer);
  http::ServerOptions options;
  if (!endpoint.empty()) options.endpoint = endpoint;
  server_.emplace(loop, std::move(options), std::move(routes));
  Json place;
  place.set("url", address()).set("protocolBinding", binding).set("protocolVersion", "1.0");
  Json skill;
  skill.set("id", "dig").set("name", "digging").set("description", "digs");
  skill.set("tags", Json().push("dig"));
  Json made;
  made.set("name", "Digger").set("description", "It digs.").set("version", "7");
  made.set("supportedInterfaces", Json().push(std::move(place)));
  made.set("capabilities", Json().set("streaming", streams));
  made.set("defaultInputModes", Json().push("text/plain"));
  made.set("defaultOutputModes", Json().push("text/plain"));
  made.set("skills", Json().push(std::move(skill)));
  set_card(std::move(made));
}

void Scripted::set(Answer answer) {
  const std::lock_guard lock(mutex_);
  answer_ = std::move(answer);
}

void Scripted::set_card(Json card) {
  const std::lock_guard lock(mutex_);
  card_ = std::move(card);
}

Json Scripted::card() const {
  const std::lock_guard lock(mutex_);
  return card_;
}

Scripted::Answer result(const std::string& json) {
  return body(web::write_rpc_result(Json(1), json));
}

Scripted::Answer body(const std::string& text, int status, const std::string& type) {
  return [=](const http::Request&, const http::Responder& to) {
    to.send(http::Response::with(text, type, status));
  };
}

Scripted::Answer stream_of(const std::vector<std::string>& results) {
  return [=](const http::Request&, const http::Responder& to) {
    const http::EventStream stream = to.stream({.queue = results.size() + 1});
    for (const std::string& each : results)
      stream.send({web::write_rpc_result(Json(1), each), {}, {}});
    stream.close();
  };
}

}  // namespace coracle::a2a::test
