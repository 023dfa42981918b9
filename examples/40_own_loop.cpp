// A node without threads: the program's own loop runs its agents, beside everything else that the
// program waits for.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <poll.h>
#include <unistd.h>

#include <iostream>
#include <string>

using namespace std::chrono_literals;
using namespace coracle;

class Speller : public Agent {
 public:
  explicit Speller(bool& is_over) : is_over_(is_over) {}

  Task<> run() override {
    for (std::string word; word != "agent";) {
      Message letter = co_await receive();
      word += letter.text();
      std::cout << word << '\n';
      co_await pause(1ms);
    }
    is_over_ = true;
  }

 private:
  bool& is_over_;
};

int main() {
  int keyboard[2];
  if (::pipe(keyboard) != 0) return 1;
  (void)!::write(keyboard[1], "agent", 5);

  NodeOptions options;
  options.workers = 0;
  Node node(open(), options);
  bool is_over = false;
  node.adopt("speller", std::make_unique<Speller>(is_over));
  Port port(node, "typist");

  pollfd waits[] = {{node.descriptor(), POLLIN, 0}, {keyboard[0], POLLIN, 0}};
  for (;;) {
    const bool is_more = node.turn();
    if (is_over) break;
    ::poll(waits, 2, is_more ? 0 : -1);
    char key = 0;
    if (waits[1].revents != 0 && ::read(keyboard[0], &key, 1) == 1) {
      port.send("speller", std::string(1, key));
    }
  }
}
