// Ann buys a book by two protocols of FIPA: in a contract net, shops bid for her order; then she
// requests its delivery from the best one. The contents are structs, which travel as FIPA-SL.
#include <coracle/acl/initiator.hpp>
#include <coracle/acl/ontology/contents.hpp>
#include <coracle/acl/participant.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <map>

using namespace coracle;
using namespace std::chrono_literals;
using acl::Performative;

struct Book {
  static constexpr auto frame = acl::by_name("book", "title", "author");
  std::string title;
  std::optional<std::string> author;
};

struct Sell {
  static constexpr auto frame = acl::by_order("sell", "book");
  Book book;
};

struct Price {
  static constexpr auto frame = acl::by_order("price", "amount");
  double amount = 0;
};

struct Deliver {
  static constexpr auto frame = acl::by_order("deliver", "book", "place");
  Book book;
  std::string place;
};

class Shop : public acl::Participant {
 public:
  explicit Shop(std::map<std::string, double> prices) : prices_(std::move(prices)) {}

 private:
  // Runs once for each conversation that somebody begins with this shop.
  Task<> converse(acl::Talk& talk) override {
    if (talk.is_about(acl::contract_net_protocol)) co_await bid(talk);
    else if (talk.is_about(acl::request_protocol)) co_await deliver(talk);
  }

  Task<> bid(acl::Talk& talk) {
    const auto order = acl::value_of<Sell>(acl::text_of(talk.opening()));
    const auto found = order ? prices_.find(order.value().book.title) : prices_.end();
    if (found == prices_.end()) {
      acl::Speech no(Performative::refuse, "(out-of-stock)");
      (void)co_await talk.say(std::move(no));
      co_return;
    }
    acl::Speech offer(Performative::propose, acl::content_of(Price{found->second}), 5s);
    (void)co_await talk.say(std::move(offer));
    const auto decision = co_await talk.next();
    if (!decision || decision->performative != Performative::accept_proposal) co_return;
    acl::Speech sold(Performative::inform, acl::content_of(Price{found->second}));
    (void)co_await talk.say(std::move(sold));
  }

  Task<> deliver(acl::Talk& talk) {
    const auto asked = acl::read_request(acl::text_of(talk.opening()));
    if (!asked) co_return;
    acl::Speech done(Performative::inform, acl::done_content(asked.value().text));
    (void)co_await talk.say(std::move(done));
  }

  std::map<std::string, double> prices_;
};

double price_in(const acl::Answer& answer) {
  return acl::value_of<Price>(acl::text_of(answer.message)).value_or(Price{1e9}).amount;
}

struct Customer : Agent {
  Task<> run() override {
    const Book emma{"Emma", "Jane Austen"};
    acl::Message call;
    call.receivers = {{.name = "bob"}, {.name = "cy"}, {.name = "di"}};
    call.language = "fipa-sl0";
    call.content = acl::content_of(Sell{emma});
    std::cout << "the call: " << acl::text_of(call) << '\n';
    const auto cheapest = acl::choose_best(
        [](const acl::Answer& a, const acl::Answer& b) { return price_in(a) < price_in(b); });
    const acl::Answers bids = co_await acl::contract_net(*this, call, cheapest, 5s);
    acl::AgentId shop;
    for (const acl::Answer& each : bids) {
      std::cout << each.from.name << ": " << to_string(each.outcome) << ", "
                << acl::text_of(each.message) << '\n';
      if (each) shop = each.from;
    }

    acl::Message order;
    order.receivers = {shop};
    order.language = "fipa-sl0";
    order.content = acl::request_content(shop, acl::to_term(Deliver{emma, "Mill Lane 3"}));
    const acl::Answers answers = co_await acl::request(*this, order, 5s);
    std::cout << "the delivery: " << acl::text_of(answers.front().message) << '\n';
    co_await send("main", "that was all");
  }
};

int main() {
  Node node(open());
  Port port(node, "main");
  using Prices = std::map<std::string, double>;
  node.create<Shop>("bob", Prices{{"Emma", 9.5}});
  node.create<Shop>("cy", Prices{{"Emma", 7}, {"Persuasion", 8}});
  node.create<Shop>("di", Prices{{"Persuasion", 6}});
  node.create<Customer>("ann");
  (void)port.receive();
}
