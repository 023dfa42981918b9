// A surveyor has a map drawn by four draughtsmen. One of them dies at work; the others do his part.
#include <coracle/coracle.hpp>
#include <coracle/dispel/master.hpp>
#include <coracle/dispel/slave.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>

using namespace coracle;

// Draws one line of the map: the number of the line is the task, the drawing is its result.
class Draughtsman : public dispel::Slave<std::int64_t, std::string> {
 public:
  explicit Draughtsman(bool sick) : Slave(dispel::Orphan::leaves), sick_(sick) {}

 protected:
  std::string work(const std::int64_t& row) override {
    if (sick_) throw std::runtime_error("I am not well");
    std::string line;
    for (int column = -39; column < 9; ++column) {
      double x = 0;
      double y = 0;
      int steps = 0;
      for (; steps < 60 && x * x + y * y < 4; ++steps) {
        const double next = x * x - y * y + column / 18.0;
        y = 2 * x * y + static_cast<double>(row) / 9.0;
        x = next;
      }
      line += " .:-=+*#%@"[steps * 9 / 60];
    }
    return line;
  }

 private:
  bool sick_;
};

class Surveyor : public dispel::Master<std::int64_t, std::string> {
 public:
  using Master::Master;

  Task<> run() override {
    std::vector<std::int64_t> rows;
    for (std::int64_t row = -10; row <= 10; ++row) rows.push_back(row);
    dispel::Division how;
    how.shares = dispel::Shares::dynamic;
    how.ordered = true;
    co_await divide(rows, how);
    std::cout << (given_again() > 0 ? "Somebody had to do another's work.\n" : "");
  }

 protected:
  void on_result(std::uint64_t, const std::string& line) override { std::cout << line << '\n'; }
};

int main() {
  Node node(open());
  std::vector<Name> names = {"hall/1", "hall/2", "hall/3", "hall/4"};
  for (const Name& each : names) node.create<Draughtsman>(each, each == names[1]);
  node.create<Surveyor>("surveyor", names);
  node.wait();
}
