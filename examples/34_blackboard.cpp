// A blackboard on which volunteers decipher a telegram. One of them faints at work.
#include <coracle/coracle.hpp>
#include <coracle/evaluator.hpp>
#include <coracle/realizations/open.hpp>
#include <coracle/tuple_space.hpp>

#include <iostream>
#include <sstream>

using namespace coracle;
using namespace std::chrono_literals;

// Morse code, in the order of the alphabet.
const char* const alphabet[] = {".-",   "-...", "-.-.", "-..",  ".",    "..-.", "--.",
                                "....", "..",   ".---", "-.-",  ".-..", "--",   "-.",
                                "---",  ".--.", "--.-", ".-.",  "...",  "-",    "..-",
                                "...-", ".--",  "-..-", "-.--", "--.."};

// The result is a tuple, and appears on the blackboard.
std::tuple<std::string, int, std::string> decipher(int place, std::string signs) {
  std::string word;
  std::istringstream letters(signs);
  for (std::string letter; letters >> letter;) {
    for (std::size_t i = 0; i < std::size(alphabet); ++i) {
      if (letter == alphabet[i]) word += static_cast<char>('A' + i);
    }
  }
  return {"word", place, word};
}

// Begins an evaluation, and never ends it.
class Pale : public Evaluator {
 public:
  Pale() : Evaluator("blackboard") {
    offer("decipher", [](Agent& agent, int, std::string) -> Task<> {
      co_await agent.send("office", "Oh dear.");
      co_await agent.receive(from("office"));
      co_await agent.send("pale", "faint");
      co_await agent.receive(from("nobody"));
    });
  }
  Task<> run() override {
    spawn(faint());
    co_await work_as_evaluator();
  }

 private:
  Task<> faint() {
    co_await receive(from("pale"));
    throw std::runtime_error("it was all too much");
  }
};

// The work of the office.
Task<int> read_telegram(Agent& office) {
  Space board(office, "blackboard");
  auto appeared = co_await board.notify(Lease{1h}, "word", any<int>, any<std::string>);
  const char* const telegram[] = {"... .... .. .--.", "... .- ..-. .", "... . -. -..",
                                  "-- --- .-. .", "- . .-"};
  int words = 0;
  for (const char* signs : telegram) co_await board.eval("decipher", words++, signs);
  const Message sigh = co_await office.receive(from("pale"));
  std::cout << "pale says: " << sigh.text() << '\n';
  co_await office.send("pale", "Are you well?");

  for (const char* name : {"ann", "bob"}) {
    auto clerk = std::make_unique<Evaluator>("blackboard");
    clerk->offer("decipher", decipher);
    co_await office.adopt(name, std::move(clerk));
  }
  std::cout << "the telegram:";
  for (int place = 0; place < words; ++place) {
    const auto [what, where, word] = co_await board.in("word", place, any<std::string>);
    std::cout << ' ' << word;
  }
  const auto more = co_await board.in(Deadline(5ms), "word", any<int>, any<std::string>);
  std::cout << (more ? "\none word came twice\n" : "\nno word came twice\n");
  int count = 0;
  while (co_await appeared.next(0ms)) ++count;
  co_return count;
}

int main() {
  Node node(open());
  node.create<TupleSpace>("blackboard");
  node.create<Pale>("pale");
  Port office(node, "office");
  const int words = office.act<int>(read_telegram);
  std::cout << "words that appeared: " << words << '\n';
}
