// A society with agents for clients to ask, and requests of clients.
#pragma once

#include "coracle/mcp/gateway.hpp"
#include "server/outlet.hpp"
#include "server/state.hpp"

#include "coracle/coracle.hpp"
#include "coracle/rpc.hpp"
#include "coracle/tests/support/in_memory.hpp"
#include "coracle/web/talk.hpp"

#include <boost/test/unit_test.hpp>

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

namespace coracle::mcp::test {

using web::Json;

// Answers as it is told: "fail", "refuse", "silence", "progress", "question", else the same text.
class Clerk : public Agent {
  Task<> run() override {
    co_await describe(Properties().set("description", "Answers everything").set("size", 3));
    for (;;) {
      const Message message = co_await receive();
      Task<> answering = answer(message);
      co_await answering;
    }
  }

  Task<> answer(const Message& message) {
    const std::string text(message.text());
    if (text == "fail") throw Error(Errc::bad_options, "the clerk is ill");
    if (text == "refuse") {
      co_await refuse(message, "closed today");
    } else if (text == "silence") {
      co_return;
    } else if (text == "progress") {
      for (int i = 1; i <= 2; ++i)
        co_await web::report_progress(*this, message, "step " + std::to_string(i), i, 2);
      co_await reply(message, "worked");
    } else if (text == "question") {
      const auto answer = co_await web::put_question(*this, message, "How many?");
      const std::string said = answer ? "you said " + std::string(answer->text()) : "no answer";
      co_await reply(message, said);
    } else if (text == "who") {
      const std::string caller(message.header(caller_header).value_or("nobody"));
      co_await reply(message, caller + " " + std::to_string(message.trace().span));
    } else {
      co_await reply(message, message.content());
    }
  }
};

// Waits for ever.
class Waiter : public Agent {
  Task<> run() override { (void)co_await ask("lab/nobody", "hello"); }
};

struct Place {
  static constexpr std::string_view field_names[] = {"x", "y"};
  int x = 0, y = 0;
};

template <class Side>
struct Planner {
  rpc::Function<Side, "plan", std::vector<Place>(Place, Place)> plan;
  rpc::Function<Side, "forget", void()> forget;
  rpc::Function<Side, "steps", rpc::Stream<int>(int)> steps;
};

class Office : public Agent {
  std::vector<Place> plan(Place from, Place to) {
    if (to.x < 0) throw Error(Errc::bad_options, "there is no way");
    return {from, to};
  }
  void forget() {}

  Task<> run() override {
    rpc::Service<Planner, Office> service(
        *this, *this, {.plan = &Office::plan, .forget = &Office::forget, .steps = {}});
    co_await service.run();
  }
};

inline Json parsed(std::string_view text) { return web::parse_json(text).value(); }

// A text of JSON by a path such as "result/content/0/text"; "?" if there is none.
inline std::string at(const Json& whole, std::string_view path) {
  const Json* value = &whole;
  while (!path.empty()) {
    const std::string part(path.substr(0, path.find('/')));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    if (const auto* const items = value->if_array()) {
      const auto index = static_cast<std::size_t>(std::stoul(part));
      value = index < items->size() ? &(*items)[index] : nullptr;
    } else {
      value = value->find(part);
    }
    if (value == nullptr) return "?";
  }
  return value->if_text() != nullptr ? *value->if_text() : web::to_text(*value);
}

inline const char* const stated_meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}},)"
    R"("progressToken":"p1",)"
    R"("traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00000000000000ff-01"})";

// The text of a request.
inline std::string request(int id, const std::string& method, const std::string& params = {}) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
         R"(","params":{)" + params + (params.empty() ? "" : ",") + stated_meta + "}}";
}

inline std::string use(int id, const std::string& tool, const std::string& arguments,
                       const std::string& more = {}) {
  return request(id, "tools/call", R"("name":")" + tool + R"(","arguments":)" + arguments + more);
}

// The text of a request whose client can take tasks.
inline std::string with_tasks(std::string text) {
  const std::size_t place = text.find(R"({"elicitation")");
  text.insert(place + 1, R"("extensions":{"io.modelcontextprotocol/tasks":{}},)");
  return text;
}

// A client without a connection.
class Client : public Outlet {
 public:
  void notify(const std::string& message) override { add(notes_, message); }
  void respond(std::string message, int status) override {
    status_ = status;
    add(responses_, std::move(message));
  }
  void keep_open() override {}
  bool is_wanted() const override { return wanted_; }

  // The response, when it has come.
  Json response() {
    std::unique_lock lock(mutex_);
    BOOST_REQUIRE(
        changed_.wait_for(lock, std::chrono::seconds(20), [this] { return !responses_.empty(); }));
    Json first = parsed(responses_.front());
    responses_.erase(responses_.begin());
    return first;
  }
  // That many notifications, when they have come.
  std::vector<Json> notes(std::size_t count) {
    std::unique_lock lock(mutex_);
    BOOST_REQUIRE(
        changed_.wait_for(lock, std::chrono::seconds(20), [&] { return notes_.size() >= count; }));
    std::vector<Json> all;
    for (const std::string& each : notes_) all.push_back(parsed(each));
    return all;
  }
  std::size_t responses() const {
    const std::lock_guard lock(mutex_);
    return responses_.size();
  }
  int status() const noexcept { return status_; }
  void leave() noexcept { wanted_ = false; }

 private:
  void add(std::vector<std::string>& to, std::string message) {
    {
      const std::lock_guard lock(mutex_);
      to.push_back(std::move(message));
    }
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> notes_, responses_;
  std::atomic<int> status_ = 0;
  std::atomic<bool> wanted_ = true;
};

// A society with a gateway, and a client that sends texts.
struct Society {
  explicit Society(GatewayOptions options = {.exposed = {"lab/**"}})
      : node(coracle::test::in_memory()) {
    node.create<Clerk>("lab/clerk");
    node.create<Clerk>("lab/other");
    node.create<Clerk>("boss");
    node.create<Office>("lab/office");
    gateway.emplace(node, std::move(options));
    helper.emplace(node, "helper");
  }

  // Sends a request; the client gets the response.
  void send(const std::string& text, const std::shared_ptr<Client>& to,
            const void* channel = nullptr, const std::string& caller = "ann") {
    gateway->state().port().act<bool>([&](Agent& me) -> Task<bool> {
      Incoming incoming = read_message(text, false);
      BOOST_REQUIRE(std::holds_alternative<Request>(incoming));
      me.spawn(
          gateway->state().serve(me, std::get<Request>(std::move(incoming)), caller, to, channel));
      co_return true;
    });
  }
  // Lets the society work until that is so.
  void until(const std::function<bool()>& is_so) {
    for (int i = 0; i < 10'000 && !is_so(); ++i) {
      helper->act<bool>([](Agent& me) -> Task<bool> {
        co_await me.pause(std::chrono::milliseconds(1));
        co_return true;
      });
    }
    BOOST_REQUIRE(is_so());
  }
  Json ask(const std::string& text, const std::string& caller = "ann") {
    send(text, client, nullptr, caller);
    return client->response();
  }

  Node node;
  std::optional<Gateway> gateway;
  std::optional<Port> helper;
  std::shared_ptr<Client> client = std::make_shared<Client>();
};

}  // namespace coracle::mcp::test
