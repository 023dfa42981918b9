// Outcomes of overheard messages: a reporter sees who asks whom, and what becomes of it.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <chrono>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <tuple>

using namespace coracle;
using namespace std::chrono_literals;

class Bob : public Agent {
 public:
  Task<> run() override {
    Message question = co_await receive();
    co_await reply(question, "Yes, please!");
  }
};

// Carl does not look into his mailbox.
class Carl : public Agent {
 public:
  Task<> run() override { co_await pause(300ms); }
};

class Ann : public Agent {
 public:
  Task<> run() override {
    const Message answer = co_await ask("bob", "Tea?", 10s);
    Post post("carl", "Coffee?");
    post.expires(20ms);
    co_await send(std::move(post));
  }
};

class Reporter : public Agent {
 public:
  Task<> run() override {
    const Tap tap = co_await overhear(Pattern().source_is("ann"), {.rate = 1000, .outcomes = true});
    co_await create<Bob>("bob");
    co_await create<Carl>("carl");
    co_await create<Ann>("ann");

    // A message is known by its source, the life of the source, and its number there.
    using Key = std::tuple<Name, Incarnation, std::uint64_t>;
    std::map<Key, std::string> texts;
    for (int ended = 0; ended < 2;) {
      const Message message = co_await receive(overheard_by(tap));
      const Key key(message.source().name(), message.source_life(), message.sequence());
      const std::optional<Notice> notice = message.notice();
      if (message.gap() != 0) {
        std::cout << message.gap() << " missing: " << to_string(message.gap_reason()) << '\n';
      } else if (!notice) {
        texts[key] = message.text();
      } else if (notice->stage == NoticeStage::ended) {
        std::cout << texts[key] << " to " << notice->receiver.view() << ": "
                  << to_string(*notice->outcome) << '\n';
        ++ended;
      }
    }
  }
};

int main() {
  Node node(open());
  node.create<Reporter>("reporter");
  node.wait();
}
