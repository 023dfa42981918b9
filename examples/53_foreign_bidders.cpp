// A contract net whose bidders are agents of other systems, reached by A2A. The addresses of such
// agents are the arguments; without any, the program has two of its own behind a server of A2A.
#include <coracle/a2a/foreign_agent.hpp>
#include <coracle/a2a/foreign_bidder.hpp>
#include <coracle/a2a/server.hpp>
#include <coracle/caf/client.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <functional>
#include <future>
#include <iostream>

using namespace coracle;

// An agent as another system may have one. A model could answer instead of this code.
struct Digger : Agent {
  explicit Digger(int price) : price_(price) {}

  Task<> run() override {
    const char* card =
        R"({"name":"digger","description":"It digs.","version":"1","supportedInterfaces":[],
            "capabilities":{"extensions":[{"uri":"urn:coracle:a2a:contracts:1"}]},
            "defaultInputModes":[],"defaultOutputModes":[],"skills":[]})";
    co_await describe(Properties().set("a2a-card", card));
    for (;;) {
      const Message request = co_await receive();
      const bool is_call = request.text().find("announcement") != std::string_view::npos;
      std::string answer = "a well: done";
      if (is_call) answer = R"({"bid":{"amount":)" + std::to_string(price_) + "}}";
      co_await reply(request, answer);
    }
  }

  int price_;
};

struct Owner : caf::Client {
  Owner(std::vector<Name> bidders, std::promise<void>* end) : end_(end) {
    whom_.bidders = std::move(bidders);
  }

 protected:
  Task<> act() override {
    caf::Contract well;
    well.kind = "digging";
    well.subject = "a well";
    caf::Procedure cheapest;
    cheapest.rule = caf::Best::lowest;
    const caf::Settlement settlement = co_await contract(well, whom_, cheapest);
    for (const auto& part : settlement.parts)
      std::cout << part.bidder << " for " << part.price << ": " << part.result << '\n';
    if (settlement.parts.empty()) std::cout << "nobody does it: " << settlement.why << '\n';
    end_->set_value();
    retire();
  }

 private:
  caf::Invitation whom_;
  std::promise<void>* end_;
};

// Agents that other systems may reach, for a run without arguments.
struct Others {
  explicit Others(http::Loop& loop) : node(open("local:")) {
    node.create<Digger>("deep/ann", 9);
    node.create<Digger>("deep/bob", 7);
    a2a::ServerOptions options;
    options.exposed = {"deep/*"};
    server.emplace(node, loop, options);
  }
  Node node;
  std::optional<a2a::Server> server;
};

int main(int count, char** arguments) {
  http::Loop loop;
  loop.start();
  std::vector<std::string> addresses(arguments + 1, arguments + count);
  std::optional<Others> others;
  if (addresses.empty()) {
    others.emplace(loop);
    for (const char* name : {"/a2a/deep/ann", "/a2a/deep/bob"})
      addresses.push_back(others->server->address() + name);
  }
  http::Client client(loop);
  Node node(open("local:"));
  std::vector<Name> bidders;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    a2a::ForeignOptions options;
    options.address = addresses[i];
    node.create<a2a::ForeignAgent>("a2a/digger" + number, std::ref(client), options);
    a2a::ForeignBidderOptions bidder;
    bidder.agent = Name("a2a/digger" + number);
    node.create<a2a::ForeignBidder>("bidder" + number, bidder);
    bidders.emplace_back("bidder" + number);
  }
  std::promise<void> end;
  node.create<Owner>("owner", bidders, &end);
  end.get_future().wait();
}
