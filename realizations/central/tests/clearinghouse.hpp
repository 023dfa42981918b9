// A society of one clearinghouse, for tests.
#pragma once

#include "coracle/coracle.hpp"
#include "coracle/realizations/central.hpp"
#include "tests/support/societies/doer.hpp"
#include "tests/support/temporary_folder.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::central {

using namespace std::chrono_literals;
using coracle::test::Doer;
using coracle::test::TemporaryFolder;
using Texts = std::vector<std::string>;

// A society of one server, which may be followed by others, and nodes that come and go.
struct Clearinghouse {
  explicit Clearinghouse(const std::string& data = {}) {
    options.listen = {"unix://" + (folder / "server")};
    options.data = data.empty() ? "" : folder / data;
    options.log = [](const std::string&) {};
  }

  void begin() {
    server.reset();
    server.emplace(options);
  }
  Realization node() const {
    Options joining;
    joining.takeover = true;
    joining.server = options.listen.front();
    joining.durable = durable;
    return realization(joining);
  }
  // Runs an agent that does `what` on a node of its own; then both end.
  StopReport as(const std::string& name, Doer::What what, NodeOptions settings = {}) const {
    Node node(this->node(), std::move(settings));
    node.adopt(AgentSpec(name), std::make_unique<Doer>(std::move(what)));
    node.wait();
    return node.stop(5s);
  }
  StopReport send(const std::string& to, const Texts& texts, NodeOptions settings = {}) const {
    return as(
        "ann",
        [&](Agent& me) -> Task<> {
          for (const std::string& text : texts) co_await me.send(Name(to), text);
        },
        std::move(settings));
  }
  // Reads until "end"; a redelivered message has a mark.
  Texts read(const std::string& name) const {
    Texts texts;
    as(name, [&texts](Agent& me) -> Task<> {
      bool is_over = false;
      while (!is_over) {
        const Message message = co_await me.receive();
        is_over = message.text() == "end";
        const std::string from(message.source().name().view());
        texts.push_back((message.redelivered() ? "!" : "") + from + ": " +
                        std::string(message.text()));
      }
    });
    return texts;
  }

  TemporaryFolder folder;
  bool durable = false;  // the nodes' messages go to the server's disk first
  ServerOptions options;
  std::optional<Server> server;
};

}  // namespace coracle::central
