// A council of three agents of other systems, reached by A2A, and of one agent of C++: each ranks
// the alternatives. The addresses of the others are the arguments; without any, the program has
// three of its own behind a server of A2A.
#include <coracle/a2a/foreign_agent.hpp>
#include <coracle/a2a/foreign_peer.hpp>
#include <coracle/a2a/server.hpp>
#include <coracle/caf/council.hpp>
#include <coracle/caf/peer.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <functional>
#include <iostream>

using namespace coracle;

// An agent as another system may have one. A model could answer instead of this code.
struct Eater : Agent {
  explicit Eater(std::string ranking) : ranking_(std::move(ranking)) {}

  Task<> run() override {
    const char* card =
        R"({"name":"eater","description":"It likes food.","version":"1","supportedInterfaces":[],
            "capabilities":{"extensions":[{"uri":"urn:coracle:a2a:councils:1"}]},
            "defaultInputModes":[],"defaultOutputModes":[],"skills":[]})";
    co_await describe(Properties().set("a2a-card", card));
    for (;;) {
      const Message request = co_await receive();
      const std::string ballot = R"({"ranking":)" + ranking_ + "}";
      co_await reply(request, ballot);
    }
  }

  std::string ranking_;
};

struct Cook : caf::Peer {
 protected:
  caf::Ballot vote(const caf::Agenda& agenda) override {
    return caf::rank({agenda.find("rice"), agenda.find("soup"), agenda.find("bread")});
  }
};

// Agents that other systems may reach, for a run without arguments.
struct Others {
  explicit Others(http::Loop& loop) : node(open("local:")) {
    node.create<Eater>("table/ann", R"(["soup","rice","bread"])");
    node.create<Eater>("table/bob", R"(["rice","soup","bread"])");
    node.create<Eater>("table/cy", R"(["soup","bread","rice"])");
    a2a::ServerOptions options;
    options.exposed = {"table/*"};
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
    for (const char* name : {"/a2a/table/ann", "/a2a/table/bob", "/a2a/table/cy"})
      addresses.push_back(others->server->address() + name);
  }
  http::Client client(loop);
  Node node(open("local:"));
  node.create<Cook>("cook");
  std::vector<caf::Member> members = {{"cook", 1, ""}};
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    a2a::ForeignOptions options;
    options.address = addresses[i];
    node.create<a2a::ForeignAgent>("a2a/eater" + number, std::ref(client), options);
    node.create<a2a::ForeignPeer>("peer" + number, Name("a2a/eater" + number));
    members.push_back({"peer" + number, 1, ""});
  }
  caf::Charter charter;
  charter.rule = caf::borda();
  node.create<caf::Council>("council", charter, members);
  caf::Motion lunch;
  lunch.subject = "lunch";
  lunch.alternatives = {"bread", "rice", "soup"};
  const auto decision = Port(node, "asker").act<caf::Decision>([&](Agent& me) {
    return caf::decide(me, "council", lunch);
  });
  std::cout << "for lunch there is " << (decision.decided ? decision.winner : decision.why) << '\n';
}
