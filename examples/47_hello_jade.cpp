// A society and a platform of JADE greet each other: 47_hello_jade PLATFORM ADDRESS. Without
// arguments, another society takes JADE's place.
#include <coracle/acl/ontology/contents.hpp>
#include <coracle/coracle.hpp>
#include <coracle/fipa/gateway.hpp>
#include <coracle/fipa/http_mtp.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <memory>
#include <vector>

using namespace coracle;
namespace fm = acl::management;

struct Greeter : Agent {
  Task<> run() override {
    co_await describe(Properties().set("service", "greeting"));
    const Message asked = co_await receive();
    acl::Message answer = acl::reply(asked.as<acl::Message>(), acl::Performative::inform);
    answer.content = "hello from paris";
    const Content content = Content::of(answer);
    co_await send(asked.source(), content);
  }
};

// A society with an agent that greets.
struct Paris {
  explicit Paris(http::Loop& loop) : node(open("local:")), gateway(node, {"paris", {"hal"}}) {
    gateway.plug(fipa::http_mtp(loop));
    node.create<Greeter>("hal");
  }
  Node node;
  fipa::Gateway gateway;
};

acl::Message ask(Port& ann, const acl::AgentId& whom, std::string content,
                 std::string_view ontology = "") {
  acl::Message message;
  message.performative = acl::Performative::request;
  message.receivers = {whom};
  message.content = std::move(content);
  message.language = "fipa-sl0";
  message.ontology = ontology;
  message.reply_with = "r";
  ann.send("fipa", Content::of(message));
  return ann.receive().as<acl::Message>();
}

// The agent with that service, by the platform's directory facilitator.
acl::AgentId find(Port& ann, const acl::AgentId& df, const std::string& type) {
  fm::ServiceDescription service;
  service.type = type;
  fm::DfAgentDescription wanted;
  wanted.services = {service};
  const std::string search = acl::request_content(df, acl::to_term(fm::Search{wanted, {}}));
  const auto found = acl::read_result(text_of(ask(ann, df, search, fm::ontology))).value();
  return *acl::from_term<std::vector<fm::DfAgentDescription>>(found).at(0).name;
}

int main(int count, char** words) {
  http::Loop loop;
  loop.start();
  std::unique_ptr<Paris> paris;
  acl::AgentId df;
  if (count == 3) {
    df = {.name = std::string("df@") + words[1], .addresses = {words[2]}};
  } else {
    paris = std::make_unique<Paris>(loop);
    df = paris->gateway.id_of("df");
  }
  Node oslo(open("local:"));
  fipa::Gateway gateway(oslo, {.platform = "oslo", .exposed = {"ann"}});
  gateway.plug(fipa::http_mtp(loop));
  Port ann(oslo, "ann");
  const acl::AgentId greeter = find(ann, df, "greeting");
  std::cout << df.name << " has found " << greeter.name << "\n";
  std::cout << greeter.name << " says: " << text_of(ask(ann, greeter, "hello from oslo")) << "\n";
}
