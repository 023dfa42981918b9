// Two societies are platforms of FIPA for each other. Ann, of the one, asks the directory of the
// other for a translator, and then the translator itself.
#include <coracle/coracle.hpp>
#include <coracle/acl/ontology/contents.hpp>
#include <coracle/fipa/gateway.hpp>
#include <coracle/fipa/http_mtp.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>

using namespace coracle;
namespace fm = acl::management;

struct Translator : Agent {
  Task<> run() override {
    co_await describe(Properties().set("service", "english to french"));
    const Message asked = co_await receive();
    acl::Message answer = acl::reply(asked.as<acl::Message>(), acl::Performative::inform);
    answer.content = "pain";
    co_await send(asked.source(), Content::of(std::move(answer)));
  }
};

acl::Message request(const acl::AgentId& whom, std::string content) {
  acl::Message message;
  message.performative = acl::Performative::request;
  message.receivers = {whom};
  message.content = std::move(content);
  message.reply_with = "r";
  return message;
}

// The translator that a directory facilitator finds.
acl::AgentId find_translator(Port& ann, const acl::AgentId& df) {
  fm::ServiceDescription service;
  service.type = "english to french";
  fm::DfAgentDescription wanted;
  wanted.services = {service};
  const fm::Search search{wanted, {}};
  acl::Message question = request(df, acl::request_content(df, acl::to_term(search)));
  question.ontology = fm::ontology;
  ann.send("fipa", Content::of(question));
  const Message answer = ann.receive();
  const auto found = acl::read_result(acl::text_of(answer.as<acl::Message>())).value();
  return *acl::from_term<std::vector<fm::DfAgentDescription>>(found).at(0).name;
}

int main() {
  http::Loop loop;
  loop.start();
  Node oslo(open("local:")), paris(open("local:"));
  fipa::Gateway there(paris, {.platform = "paris", .exposed = {"desk/**"}});
  there.plug(fipa::http_mtp(loop));
  fipa::Gateway here(oslo, {.platform = "oslo", .exposed = {"lab/**"}});
  here.plug(fipa::http_mtp(loop));
  paris.create<Translator>("desk/translator");

  Port ann(oslo, "lab/ann");
  const acl::AgentId translator = find_translator(ann, there.id_of("df"));
  std::cout << "found " << translator.name << "\n";
  const Name name = here.introduce(translator);
  std::cout << "in this society it is called " << name.str() << "\n";
  const Message answer = ann.ask(name, Content::of(request(translator, "bread")));
  std::cout << "bread is " << acl::text_of(answer.as<acl::Message>()) << "\n";
}
