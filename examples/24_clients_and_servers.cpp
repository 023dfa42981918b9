// Two translators offer the same service. A traveller asks the one that has time; one of them
// faints, and the traveller hardly notices.
#include <coracle/coracle.hpp>
#include <coracle/dispel/client.hpp>
#include <coracle/dispel/server.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <map>

using namespace coracle;
using namespace std::chrono_literals;

class Translator : public dispel::Server<std::string, std::string> {
 public:
  explicit Translator(dispel::ServerOptions options) : Server(std::move(options)) {}

 protected:
  std::string answer(const std::string& word) override {
    static const std::map<std::string, std::string> words = {
        {"bread", "pain"}, {"wine", "vin"}, {"cheese", "fromage"}, {"good night", "bonne nuit"}};
    if (word == "good night") retire();
    if (word == "antidisestablishmentarianism") throw std::runtime_error("fainted");
    const auto found = words.find(word);
    if (found == words.end()) throw dispel::Refusal("I do not know that word");
    return found->second;
  }
};

class Traveller : public dispel::Client {
 public:
  Task<> run() override {
    const dispel::Whom anyone = dispel::Whom::service("english to french");
    std::cout << "bread is " << co_await call<std::string>(anyone, std::string("bread")) << '\n';

    // A client need not wait for a reply before it does other work or sends the next request.
    for (const char* word : {"wine", "robot", "cheese"}) {
      asked_[trigger(anyone, std::string(word))] = word;
    }
    while (open() > 0) co_await pause(1ms);
    for (const auto& [word, translation] : heard_) std::cout << word << ": " << translation << '\n';

    // A request that is too much for any server that gets it.
    dispel::CallOptions once;
    once.attempts = 1;
    const Content hard = Content::of(std::string("antidisestablishmentarianism"));
    const Result<Message> none = co_await call_result(anyone, hard, once);
    std::cout << (none ? "" : "somebody fainted\n");

    std::cout << "the other one: ";
    std::cout << co_await call<std::string>(anyone, std::string("good night")) << '\n';
  }

 protected:
  void on_answer(Ticket ticket, const Result<Message>& answer) override {
    heard_[asked_[ticket]] = answer ? std::string(answer->text()) : "nobody knows";
  }

 private:
  std::map<Ticket, std::string> asked_;
  std::map<std::string, std::string> heard_;
};

int main() {
  Node node(open());
  dispel::ServerOptions offer;
  offer.service = "english to french";
  node.create<Translator>("booth/1", offer);
  node.create<Translator>("booth/2", offer);
  node.create<Traveller>("traveller");
  node.wait();
}
