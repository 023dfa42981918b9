// A travel office: one agent calls a planner like a function, calls three hotels at once, and reads
// a timetable item by item.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>
#include <coracle/rpc.hpp>

#include <iostream>
#include <stdexcept>

using namespace coracle;
using namespace std::chrono_literals;

struct Route {
  std::string from;
  std::string to;
};

// The interfaces: plain lists of functions.
template <class Side>
struct Planner {
  rpc::Function<Side, "plan", std::vector<std::string>(Route)> plan;
  rpc::Function<Side, "departures", rpc::Stream<std::string>(std::string)> departures;
  rpc::Function<Side, "close", void()> close;
};

template <class Side>
struct Hotel {
  rpc::Function<Side, "price", std::optional<int>(int)> price;
  rpc::Function<Side, "close", void()> close;
};

// Any object can serve an interface; here the agent itself does.
class Office : public Agent {
 public:
  std::vector<std::string> plan(const Route& route) {
    if (route.to == "Atlantis") throw std::runtime_error("no ship goes to Atlantis");
    return {route.from, "Lyon", route.to};
  }
  rpc::Stream<std::string> departures(std::string station) {
    for (const char* time : {"8:15", "9:40", "11:05"}) {
      co_await pause(1ms);  // a stream may wait between two values
      co_yield station + " " + time;
    }
  }
  void close() { service_.retire(); }
  Task<> run() override { co_await service_.run(); }

 private:
  rpc::Service<Planner, Office> service_{
      *this,
      *this,
      {.plan = &Office::plan, .departures = &Office::departures, .close = &Office::close}};
};

class Reception : public Agent {
 public:
  explicit Reception(std::optional<int> price) : price_(price) {}
  // The function may wait, and may look at the properties of the call.
  Task<std::optional<int>> price(const rpc::Incoming& call, int nights) {
    co_await pause(1ms);
    if (call.expired() || !price_) co_return std::nullopt;
    co_return price_.value() * nights;
  }
  void close() { service_.retire(); }
  Task<> run() override { co_await service_.run(); }

 private:
  std::optional<int> price_;
  rpc::Service<Hotel, Reception> service_{
      *this, *this, {.price = &Reception::price, .close = &Reception::close}};
};

class Traveller : public Agent {
 public:
  Task<> run() override {
    rpc::Stub<Planner> planner(*this, "planner");
    const Route route{"Paris", "Nice"};
    std::cout << "the way:";
    for (const std::string& stop : co_await planner.plan(route)) std::cout << ' ' << stop;
    std::cout << '\n';

    const Route nowhere{"Paris", "Atlantis"};
    const auto none = co_await planner.plan.by(10s).result(nowhere);
    std::cout << none.error().what() << '\n';

    rpc::Stream<std::string> departures = planner.departures("Lyon");
    while (const auto departure = co_await departures.next()) std::cout << *departure << '\n';

    const std::vector<Name> names = {"hotel/full", "hotel/sun", "hotel/moon"};
    rpc::Stubs<Hotel> hotels(*this, names, {.within = 10s});
    const auto first = co_await hotels.price(rpc::Collect::first_non_empty(), 3);
    std::cout << "somebody has a room: " << std::boolalpha << first.enough << '\n';
    const auto offers = co_await hotels.price(rpc::Collect::all(), 3);
    int best = 1000;
    for (const auto& [who, price] : offers.all) best = std::min(best, price->value_or(best));
    std::cout << offers.all.size() << " answers, the best is " << best << '\n';

    co_await hotels.close.tell();
    co_await planner.close();
  }
};

int main() {
  Node node(open());
  node.create<Office>("planner");
  node.create<Reception>("hotel/full", std::optional<int>());
  node.create<Reception>("hotel/sun", std::optional<int>(80));
  node.create<Reception>("hotel/moon", std::optional<int>(70));
  node.create<Traveller>("traveller");
  node.wait();
}
