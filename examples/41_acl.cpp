// A customer asks a shop for prices in the agent communication language of FIPA, which agents of
// other platforms speak, too. At the end, the question as it would travel to such a platform.
#include <coracle/acl/bit_efficient_codec.hpp>
#include <coracle/acl/match.hpp>
#include <coracle/acl/string_codec.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>

using namespace coracle;

acl::Message question(const std::string& goods) {
  acl::Message message;
  message.performative = acl::Performative::query_ref;
  message.sender = {.name = "ann@lab.example", .addresses = {"http://lab.example:7778/acc"}};
  message.receivers = {{.name = "shop@market.example"}};
  message.content = "((iota ?x (price \"" + goods + "\" ?x)))";
  message.language = "fipa-sl";
  message.protocol = "fipa-query";
  message.conversation_id = "prices of today";
  message.reply_with = "about-" + goods;
  return message;
}

struct Shop : Agent {
  Task<> run() override {
    for (int asked = 0; asked < 2; ++asked) {
      const Message received = co_await receive(acl::of_protocol("fipa-query"));
      const auto& asks = received.as<acl::Message>();
      const bool is_known = acl::text_of(asks).find("cod") != std::string_view::npos;
      acl::Message answer =
          acl::reply(asks, is_known ? acl::Performative::inform : acl::Performative::refuse);
      answer.sender = {.name = "shop@market.example"};
      answer.content = is_known ? "((= (iota ?x (price \"cod\" ?x)) 7))" : "(out-of-stock)";
      co_await send(received.source(), Content::of(std::move(answer)));
    }
  }
};

struct Customer : Agent {
  Task<> run() override {
    for (const std::string goods : {"cod", "squid"}) {
      co_await send("shop", Content::of(question(goods)));
      const Message received = co_await receive(acl::replying_to("about-" + goods));
      const auto& answer = received.as<acl::Message>();
      std::cout << answer.sender.name << ": " << acl::to_text(answer.performative) << ' '
                << acl::text_of(answer) << '\n';
    }
  }
};

int main() {
  Node node(open());
  node.create<Shop>("shop");
  node.create<Customer>("ann");
  node.wait();

  const std::string written = acl::write_string(question("cod"));
  const std::string bits = acl::write_bit_efficient(question("cod"));
  if (acl::read_string(written) != question("cod")) return 1;
  std::cout << written << "\nThe bit-efficient form has " << 100 * bits.size() / written.size()
            << " % of these bytes.\n";
}
