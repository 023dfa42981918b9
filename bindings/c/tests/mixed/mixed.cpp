// One society in two languages: roles in C++ and in C work with each other, each by its own copy of
// the library.
#include "c_side.h"

#include "coracle/caf/bidder.hpp"
#include "coracle/caf/client.hpp"
#include "coracle/caf/council.hpp"
#include "coracle/caf/peer.hpp"
#include "coracle/dispel/client.hpp"
#include "coracle/dispel/filter.hpp"
#include "coracle/dispel/master.hpp"
#include "coracle/dispel/pipeline.hpp"
#include "coracle/dispel/server.hpp"
#include "coracle/dispel/sink.hpp"
#include "coracle/dispel/source.hpp"
#include "coracle/node.hpp"
#include "coracle/port.hpp"
#include "coracle/realizations/open.hpp"
#include "coracle/rpc.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <future>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace coracle;

namespace {

using Numbers = std::vector<std::int64_t>;
using Strings = std::vector<std::string>;

template <class Side>
struct Sums {
  rpc::Function<Side, "add", std::int64_t(std::int64_t, std::int64_t)> add;
};

class Service : public Agent {
 public:
  Task<> run() override { return service_.run(); }
  std::int64_t add(std::int64_t one, std::int64_t other) { return one + other; }

 private:
  rpc::Service<Sums, Service> service_{*this, *this, {.add = &Service::add}};
};

class Halver : public dispel::Server<std::int64_t, std::int64_t> {
 public:
  Halver() : Server(dispel::ServerOptions{.service = "halves in C++"}) {}

 protected:
  std::int64_t answer(const std::int64_t& number) override { return number / 2; }
};

class Bidder : public caf::Bidder {
 protected:
  std::optional<caf::Bid> bid_for(const Name&, const caf::Contract& contract) override {
    return caf::Bid::of(contract, 5);
  }
  Task<caf::Fulfilment> fulfil(caf::Engagement) override {
    co_return caf::Fulfilment{true, "done in C++"};
  }
};

// Lets a role act once, and gives its result to another thread.
template <class T>
class Told {
 public:
  explicit Told(std::promise<T>& told) : promise_(told) {}

 protected:
  std::promise<T>& promise_;
};

class Asker : public dispel::Client, private Told<std::int64_t> {
 public:
  using Told::Told;
  Task<> run() override {
    dispel::CallOptions how;
    how.lane = 1;
    const std::int64_t half = co_await call<std::int64_t>("c/halver", std::int64_t{-84}, how);
    promise_.set_value(half);
  }
};

class Boss : public dispel::Master<std::int64_t, std::int64_t>, private Told<Numbers> {
 public:
  explicit Boss(std::promise<Numbers>& told) : Master({Name("c/slave")}), Told(told) {}
  Task<> run() override {
    Numbers tasks = {1, 2, 3, 300};
    Numbers results = co_await divide(std::move(tasks));
    promise_.set_value(std::move(results));
  }
};

class Announcer : public caf::Client, private Told<caf::Settlement> {
 public:
  using Told::Told;

 protected:
  Task<> act() override {
    caf::Contract what;
    what.items = {"up", "down"};
    caf::Invitation whom;
    whom.bidders = {Name("c/bidder")};
    caf::Settlement settlement = co_await contract(what, whom);
    promise_.set_value(std::move(settlement));
    retire();
  }
};

class Words : public dispel::Source<std::string> {
 protected:
  Task<> produce(std::uint64_t first) override {
    for (std::uint64_t word = first; word < 1000; ++word) co_await put(std::to_string(word));
  }
};

class Twice : public dispel::Filter<std::string, std::string> {};  // C makes it

class Collect : public dispel::Sink<std::string>, private Told<Strings> {
 public:
  using Told::Told;

 protected:
  void consume(const std::string& word) override { words_.push_back(word); }
  void on_end(const std::string&) override { promise_.set_value(std::move(words_)); }

 private:
  Strings words_;
};

int wrong = 0;

void check(bool is_so, const char* what) {
  if (is_so) return;
  std::cerr << "not true: " << what << '\n';
  ++wrong;
}
#define CHECK_SO(condition) check(condition, #condition)

// Starts an agent of type T, and returns what it tells.
template <class T, class Value>
Value told_by(Node& node, const char* name) {
  std::promise<Value> told;
  node.adopt(name, std::make_unique<T>(told));
  return told.get_future().get();
}

void act(Node& node) {
  CHECK_SO((told_by<Asker, std::int64_t>(node, "cpp/asker") == -42));
  CHECK_SO((told_by<Boss, Numbers>(node, "cpp/boss") == Numbers{1, 4, 9, 90000}));
  const auto settlement = told_by<Announcer, caf::Settlement>(node, "cpp/announcer");
  CHECK_SO(settlement.ended == caf::Ended::fulfilled && settlement.parts.size() == 1);
  CHECK_SO(settlement.parts.at(0).result == "done in C");

  Port port(node, "cpp/port");
  const std::int64_t sum = port.act<std::int64_t>([](Agent& me) -> Task<std::int64_t> {
    rpc::Stub<Sums> far(me, "c/service");
    co_return co_await far.add(40, 2);
  });
  CHECK_SO(sum == 42);
}

void run_pipeline(Node& node) {
  std::promise<Strings> told;
  const dispel::Pipeline::Kinds kinds = {
      {"Words", [] { return std::make_unique<Words>(); }},
      {"Twice", [] { return std::make_unique<Twice>(); }},
      {"Collect", [&told] { return std::make_unique<Collect>(told); }}};
  const char* const text =
      "words: Words; twice: Twice; collect: Collect; words -> twice -> collect";
  auto keeper =
      std::make_unique<dispel::PipelineKeeper>(dispel::Pipeline::from_text("p", text, kinds));
  keeper->only({"words", "collect"});
  node.adopt("cpp/keeper", std::move(keeper));
  const Strings words = told.get_future().get();
  CHECK_SO(words.size() == 2000);
  for (std::size_t number = 0; number < words.size(); ++number)
    CHECK_SO(words[number] == std::to_string(number / 2));
}

}  // namespace

int main() {
  const std::string society = "distributed:society=mixed" + std::to_string(::getpid());
  Node node(open(society));
  node.create<Service>("cpp/service");
  node.create<Halver>("cpp/halver");
  node.create<Bidder>("cpp/bidder");
  const std::vector<caf::Member> members = {{"c/peer", 1, {}}};
  node.adopt("cpp/council", std::make_unique<caf::Council>(caf::Charter(), members));
  start_c_side(society.c_str());
  act(node);
  run_pipeline(node);
  act_from_c();
  stop_c_side();
  node.stop(std::chrono::seconds(10));
  return wrong == 0 ? 0 : 1;
}
