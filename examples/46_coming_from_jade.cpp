// For people who come from JADE: agents and behaviours, templates, the directory, protocols,
// topics, ontologies, and a thread of one's own. The same in JADE: tests/interop/jade/Manual.java.
#include <coracle/acl/match.hpp>
#include <coracle/acl/ontology/contents.hpp>
#include <coracle/acl/participant.hpp>
#include <coracle/coracle.hpp>
#include <coracle/directory_changes.hpp>
#include <coracle/realizations/open.hpp>

#include <chrono>
#include <iostream>
#include <optional>
#include <string>

using namespace coracle;
using namespace std::chrono_literals;
using acl::Performative;

void print(const std::string& line) { std::cout << line << std::endl; }

class Seller : public Agent {
 public:
  explicit Seller(int price) : price_(price) {}

  Task<> run() override {
    co_await describe(Properties().set("service", "book-selling"));
    for (;;) {
      const Message cfp = co_await receive(acl::of_performative(Performative::cfp));
      acl::Message offer = acl::reply(cfp.as<acl::Message>(), Performative::propose);
      offer.content = std::to_string(price_);
      const Content content = Content::of(offer);
      co_await send(cfp.source(), content);
    }
  }

 private:
  int price_;
};

class Cook : public Agent {
 public:
  Task<> run() override {
    spawn(stir());
    co_await pause(5ms);
    print("the water boils");

    co_await wash();
    co_await peel();

    spawn(fry("onions"));
    spawn(fry("carrots"));
    for (int i = 0; i < 2; ++i) (void)co_await receive(from(name()));
    print("both are fried");

    State state = State::raw;
    while (state != State::done) state = co_await next(state);
    is_over_ = true;
    co_await send("main", "dinner is ready");
  }

 private:
  enum class State { raw, hot, done };

  Task<> stir() {
    while (!is_over_) {
      ++turns_;
      co_await pause(1ms);
    }
  }
  Task<> wash() { co_return print("washes"); }
  Task<> peel() { co_return print("peels"); }
  Task<> fry(std::string what) { co_await send(name(), what); }
  Task<State> next(State state) {
    print(state == State::raw ? "heats it" : "serves it");
    co_return state == State::raw ? State::hot : State::done;
  }

  bool is_over_ = false;
  int turns_ = 0;
};

// The participant of all protocols.
class Clerk : public acl::Participant {
  Task<> converse(acl::Talk& talk) override {
    if (talk.is_about(acl::request_protocol)) {
      const acl::Speech agree(Performative::agree);
      (void)co_await talk.say(agree);
      const acl::Speech done(Performative::inform, "it is done");
      (void)co_await talk.say(done);
    } else if (talk.is_about(acl::contract_net_protocol)) {
      const acl::Speech offer(Performative::propose, "12");
      (void)co_await talk.say(offer);
      const auto decision = co_await talk.next();
      if (!decision || decision->performative != Performative::accept_proposal) co_return;
      const acl::Speech sold(Performative::inform, "sold");
      (void)co_await talk.say(sold);
    } else if (talk.is_about(acl::subscribe_protocol)) {
      for (int i = 0; !talk.is_cancelling(); ++i) {
        const acl::Speech news(Performative::inform, "news " + std::to_string(i));
        if (!co_await talk.say(news)) break;
        (void)co_await talk.next(1ms);
      }
    } else {
      const acl::Speech yes(Performative::accept_proposal);
      (void)co_await talk.say(yes);
    }
  }
};

class Buyer : public Agent {
 public:
  Task<> run() override {
    DirectoryChanges changes(*this);
    co_await changes.begin();
    for (;;) {
      const std::vector<Entry> found = co_await search(where("service") == "book-selling");
      if (!found.empty()) {
        print("found " + found.front().name.str());
        break;
      }
      co_await changes.wait();
      (void)changes.take();
    }
    co_await ask_for_a_price();
    co_await begin_protocols();
    co_await send("main", "that was all");
  }

 private:
  Task<> ask_for_a_price() {
    acl::Message call;
    call.performative = Performative::cfp;
    call.conversation_id = "books";
    call.reply_with = "q1";
    const Content content = Content::of(call);
    co_await send("bob", content);

    const Match match = acl::of_conversation("books") && acl::replying_to("q1");
    const std::optional<Message> answer = co_await receive(match, 5s);
    if (answer) print("the price is " + std::string(text_of(answer->as<acl::Message>())));
    if (!co_await receive(match, 5ms)) print("no other answer");
  }

  Task<> begin_protocols() {
    acl::Message message;
    message.receivers = {{.name = "clerk"}};
    const acl::Answers answers = co_await acl::request(*this, message, 5s);
    if (answers[0]) print("the clerk: " + std::string(text_of(answers[0].message)));

    const acl::Choose cheapest = acl::choose_best(
        [](const auto& a, const auto& b) { return price_in(a.message) < price_in(b.message); });
    const acl::Answers bids = co_await acl::contract_net(*this, message, cheapest, 5s);
    if (bids[0]) print("the clerk: " + std::string(text_of(bids[0].message)));

    acl::Subscription news = co_await acl::subscribe(*this, message);
    const auto first = co_await news.next(5s);
    if (first) print("the clerk: " + std::string(text_of(*first)));
    co_await news.cancel();

    const acl::Answers reactions = co_await acl::propose(*this, message, 5s);
    if (reactions[0].outcome == acl::Outcome::accepted) print("the clerk accepts");
  }

  static int price_in(const acl::Message& message) {
    return std::stoi(std::string(text_of(message)));
  }
};

class Gardener : public Agent {
 public:
  Task<> run() override {
    co_await join(group("weather"));
    co_await send("main", "the gardener listens");
    const Match of_topic =
        that([](const MessageView& message) { return message.target() == "weather"; });
    const Message news = co_await receive(of_topic);
    print("the gardener: " + std::string(news.text()));
    co_await send("main", "the gardener is done");
  }
};

struct Book {
  static constexpr auto frame = acl::by_name("book", "title", "pages");
  std::string title;
  int pages = 0;
};

struct Sell {
  static constexpr auto frame = acl::by_order("sell", "book");
  Book book;
};

void show_contents() {
  const acl::AgentId bob{.name = "bob"};
  const std::string content = acl::request_content(bob, acl::to_term(Sell{{"Emma", 400}}));
  print(content);
  const acl::AskedAction asked = acl::read_request(content).value();
  print("the title is " + acl::from_term<Sell>(asked.act).book.title);
}

int main() {
  Node node(open());
  Port port(node, "main");
  node.create<Cook>("cook");
  print(std::string(port.receive().text()));
  node.create<Clerk>("clerk");
  node.create<Buyer>("ann");
  node.create<Seller>("bob", 10);
  print(std::string(port.receive(from("ann")).text()));

  node.create<Gardener>("gardener");
  (void)port.receive(from("gardener"));
  port.send(Post(group("weather"), "rain tomorrow"));
  (void)port.receive(from("gardener"));
  show_contents();

  acl::Message cfp;
  cfp.performative = Performative::cfp;
  port.send("bob", Content::of(cfp));
  const auto offer = port.receive(acl::of_performative(Performative::propose), 5s);
  if (offer) print("main is told " + std::string(text_of(offer->as<acl::Message>())));

  print("main is told " + port.act<std::string>([](Agent& me) -> Task<std::string> {
    acl::Message request;
    request.receivers = {{.name = "clerk"}};
    const acl::Answers answers = co_await acl::request(me, request, 5s);
    co_return std::string(text_of(answers[0].message));
  }));
}
