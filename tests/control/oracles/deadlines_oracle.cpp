#include "coracle/dispel/client.hpp"
#include "coracle/dispel/server.hpp"
#include "oracles.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace coracle::dispel::test::oracles {

namespace {

using coracle::test::below;
using coracle::test::up_to;
using Number = std::int64_t;

// Later than all events here, but not so late that an addition overflows.
constexpr Time forever = Time() + std::chrono::hours(1'000);

struct Asked {
  Time when;
  Time deadline = forever;
  std::uint32_t lane = 0;
  unsigned client = 0;
  unsigned served = 0;
  Time begun;
  Time finished;
  std::optional<Errc> error;
  std::string sentence;
  bool answered = false;
  Time ended;
};

// One case: the requests of its clients, and their results.
struct Bureau {
  ServerOptions options;
  unsigned nodes = 1;
  bool at_once = false;  // it replies without waiting
  Duration late{};       // the delay of the server's start after the clients' start
  std::vector<Asked> asked;
  std::size_t open = 0;
  std::string wrong;

  // The longest travel time of a message, which is larger between two nodes.
  Duration way() const { return nodes == 1 ? Duration(50us) : Duration(5ms); }

  // Notes that the server has begun to serve a request.
  void begin(std::size_t number, Time now) {
    Asked& one = asked[number];
    ++one.served;
    one.begun = now;
    if (now >= one.deadline + (nodes == 1 ? Duration::zero() : way())) {
      wrong = "question " + std::to_string(number) + " is served " +
              std::to_string((now - one.deadline).count()) + " ns after its time";
    }
  }

  // Returns an error if a request of a higher lane had to wait for one of a lower lane.
  std::string wrong_turn() const {
    for (std::size_t number = 0; number < asked.size(); ++number) {
      for (std::size_t other = 0; other < asked.size(); ++other) {
        if (asked[number].served == 0 || !waits_for(asked[other], asked[number])) continue;
        return "question " + std::to_string(number) + " is served before " + std::to_string(other) +
               ", which has a higher lane";
      }
    }
    return {};
  }

 private:
  // Requests whose turn comes at the same moment begin in any order.
  bool waits_for(const Asked& high, const Asked& low) const {
    const Time then = low.begun;
    const bool is_there =
        high.when + way() < then && high.deadline > then + way() && high.ended >= then;
    return high.lane > low.lane && is_there && (high.served == 0 || high.begun > then + way());
  }
};

class Clerk : public Server<Number, Number> {
 public:
  Clerk(Bureau* bureau, Random* random)
      : Server(bureau->options), bureau_(bureau), random_(random) {}

 protected:
  Number answer(const Number& number) override {
    if (!bureau_->at_once) return Server::answer(number);
    bureau_->begin(static_cast<std::size_t>(number), now());
    bureau_->asked[static_cast<std::size_t>(number)].finished = now();
    return number + 1;
  }
  Task<Number> consider(const Number& number) override {
    const auto which = static_cast<std::size_t>(number);
    bureau_->begin(which, now());
    if (below(*random_, 5) > 0) co_await pause(up_to(*random_, 60ms));
    bureau_->asked[which].finished = now();
    co_return number + 1;
  }

 private:
  Bureau* bureau_;
  Random* random_;
};

class Applicant : public Client {
 public:
  Applicant(Bureau* bureau, Random* random, unsigned number)
      : bureau_(bureau), random_(random), number_(number) {}

  Task<> run() override {
    for (std::uint64_t left = 1 + below(*random_, 12); left > 0; --left) {
      ++open_;
      spawn(ask_one());
      if (below(*random_, 3) == 0) co_await pause(up_to(*random_, 100ms));
    }
    while (open_ > 0) co_await pause(1ms);
    co_await send("main", "over");
  }

 private:
  Task<> ask_one() {
    const std::size_t which = bureau_->asked.size();
    CallOptions options;
    options.attempts = 1;
    options.lane = static_cast<std::uint32_t>(below(*random_, bureau_->options.lanes));
    if (below(*random_, 2) == 0) options.within = up_to(*random_, 200ms);
    Asked one;
    one.when = now();
    one.lane = options.lane;
    one.client = number_;
    if (options.within > Duration::zero()) one.deadline = now() + options.within;
    bureau_->asked.push_back(one);
    const auto number = static_cast<Number>(which);
    Content question = Content::of(Number{number});
    if (options.lane > 0) {
      detail::Question<Number> more;
      more.lane = options.lane;
      more.what = number;
      question = Content::of(std::move(more));
    }
    const Result<Message> answer = co_await call_result("clerk", question, options);
    Asked& same = bureau_->asked[which];
    same.ended = now();
    if (answer) same.answered = answer->as<Number>() == number + 1;
    if (!answer) same.error = answer.error().errc(), same.sentence = answer.error().sentence();
    --open_;
  }

  Bureau* bureau_;
  Random* random_;
  unsigned number_;
  unsigned open_ = 0;
};

// Returns the fault in the result of one request.
std::string wrong_end(const Bureau& bureau, const Asked& one) {
  if (one.served > 1) return "it is served twice";
  if (one.answered) {
    if (one.served == 0) return "nobody has served it, and it is answered";
    // The client resumes some steps after the reply has come.
    if (one.ended <= one.deadline + bureau.way()) return {};
    return "it is answered " + std::to_string((one.ended - one.deadline).count()) +
           " ns after its time";
  }
  if (!one.error) return "it has no end";
  if (one.deadline == forever) return "it fails although it has time";
  if (*one.error != Errc::expired) return "its asker reads " + one.sentence;
  if (one.ended < one.deadline || one.ended > one.deadline + 1ms)
    return "it does not expire on time";
  if (one.served > 0 && one.finished != Time() && one.finished + bureau.way() < one.deadline) {
    return "it is served in time, and its asker does not get the answer";
  }
  return {};
}

Bureau bureau_of(Random& random) {
  Bureau bureau;
  bureau.nodes = below(random, 3) == 0 ? 2 : 1;
  bureau.at_once = below(random, 4) == 0;
  bureau.options.at_once = static_cast<std::uint32_t>(1 + below(random, 3));
  bureau.options.waiting = static_cast<std::uint32_t>(1 + below(random, 6));
  bureau.options.lanes = static_cast<std::uint32_t>(1 + below(random, 4));
  if (below(random, 2) == 0) bureau.late = up_to(random, 300ms);
  bureau.asked.reserve(1000);
  return bureau;
}

}  // namespace

std::string play_deadlines(std::uint64_t seed, Counts& counts) {
  sim::World world(world_of_case(seed, 1 + (seed % 3 == 0 ? 1 : 0)));
  Random& random = world.random();
  Bureau bureau = bureau_of(random);
  bureau.nodes = world.hosts();
  std::string thrown;
  try {
    Workplace place(coracle::test::nodes_of(world));
    place.run([&](Agent& me) -> Task<> {
      const auto clients = static_cast<unsigned>(1 + below(random, 5));
      for (unsigned i = 0; i < clients; ++i) {
        auto client = std::make_unique<Applicant>(&bureau, &random, i);
        co_await me.adopt(AgentSpec("client/" + std::to_string(i)), std::move(client));
      }
      if (bureau.late > Duration::zero()) co_await me.pause(bureau.late);
      co_await place.place(me, AgentSpec("other"), std::make_unique<Clerk>(&bureau, &random));
      co_await place.place(me, AgentSpec("clerk"), std::make_unique<Clerk>(&bureau, &random));
      for (unsigned i = 0; i < clients; ++i) co_await me.receive();
    });
  } catch (const std::exception& error) {
    thrown = error.what();
  }
  if (!thrown.empty()) return thrown;
  if (!bureau.wrong.empty()) return bureau.wrong;
  const std::string turn = bureau.wrong_turn();
  if (!turn.empty()) return turn;
  for (std::size_t number = 0; number < bureau.asked.size(); ++number) {
    const Asked& one = bureau.asked[number];
    const std::string wrong = wrong_end(bureau, one);
    if (!wrong.empty()) return "question " + std::to_string(number) + ": " + wrong;
    ++counts[one.answered ? "answered" : one.served > 0 ? "served in vain" : "expired unserved"];
  }
  return {};
}

}  // namespace coracle::dispel::test::oracles
