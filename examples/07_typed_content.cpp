// Typed content: a plain struct is sent as it is. The type only needs a name.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <string>
#include <vector>

using namespace coracle;

struct Echo {
  double angle = 0;
  double metres = 0;
};

struct Scan {
  static constexpr std::string_view content_type = "scan/v1";
  std::string place;
  std::vector<Echo> echoes;
};

class Sonar : public Agent {
 public:
  Task<> run() override {
    Scan scan;
    scan.place = "kitchen";
    scan.echoes = {{-45, 1.5}, {0, 0.4}, {45, 3.2}};
    co_await send("map", Content::of(scan));
    co_await send("map", "battery low");
    scan.place = "garden";
    scan.echoes = {{0, 12.0}};
    co_await send("map", Content::of(scan));
  }
};

class Map : public Agent {
 public:
  Task<> run() override {
    for (int i = 0; i < 3; ++i) {
      Message message = co_await receive();
      const Content content = message.content();
      // try_as() returns nullptr when the content has another type; as() would throw.
      if (const Scan* scan = content.try_as<Scan>()) draw(*scan);
      else std::cout << "not a scan: " << message.text() << '\n';
    }
  }

 private:
  void draw(const Scan& scan) {
    std::cout << scan.place << ":\n";
    for (const Echo& echo : scan.echoes) {
      std::cout << "  " << std::string(static_cast<std::size_t>(echo.metres * 4), '-') << "|  "
                << echo.metres << " m at " << echo.angle << " degrees\n";
    }
  }
};

int main() {
  Node node(open());
  node.create<Map>("map");
  node.create<Sonar>("sonar");
  node.wait();
}
