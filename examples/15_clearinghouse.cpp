// A clearinghouse and two nodes. Here all three are in one program; each may be in a program of its
// own, on another host. The server is replaced by another one that starts without any state, and no
// agent notices.
#include <coracle/coracle.hpp>
#include <coracle/realizations/central.hpp>
#include <coracle/realizations/open.hpp>

#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <string>

#include <unistd.h>

using namespace coracle;

class Weather : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      const Message town = co_await receive();
      if (town.text() == "Thank you.") co_return;
      const std::string weather = town.text() == "Oslo" ? ": snow" : ": rain";
      co_await send(town.source(), std::string(town.text()) + weather);
    }
  }
};

class Traveller : public Agent {
 public:
  explicit Traveller(std::function<void()> replace) : replace_(std::move(replace)) {}
  Task<> run() override {
    for (const std::string town : {"Oslo", "Bergen", "Tromso"}) {
      co_await send("north/weather", town);
      if (town == "Bergen") replace_();
      Message answer = co_await receive();
      // Messages that were under way are sent again, so there may be another one about the last
      // town.
      while (!answer.text().starts_with(town)) answer = co_await receive();
      std::cout << answer.text() << '\n';
    }
    co_await send("north/weather", "Thank you.");
  }

 private:
  std::function<void()> replace_;
};

int main() {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string place = folder / ("clearinghouse-" + std::to_string(getpid()));
  central::ServerOptions options;
  options.listen = {"unix://" + place};
  auto server = std::make_unique<central::Server>(options);

  Node north(open("central+unix://" + place));
  Node south(open("central+unix://" + place));
  north.create<Weather>("north/weather");
  south.create<Traveller>("south/traveller", [&] {
    server.reset();
    server = std::make_unique<central::Server>(options);
    std::cout << "(another clearinghouse)\n";
  });
  south.wait();
  north.wait();
}
