// Two platforms, of which one has the agent that does what a test says.
#pragma once

#include "net.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace coracle::fipa::test {

class Two {
 public:
  explicit Two(acl::Representation form) : net_(world_, {"here", "there"}) {
    const auto options = [&](const char* platform) {
      GatewayOptions made;
      made.platform = platform;
      made.exposed = {"lab/**"};
      made.form = form;
      return made;
    };
    here_.emplace(net_, options("here"));
    there_.emplace(net_, options("there"));
  }

  // Runs the body as lab/ann of the one platform, with these agents at the other.
  using Body = std::function<Task<>(Agent& me, Two& two)>;
  void run(const Body& body) {
    bool is_over = false;
    start(here(), "lab/ann", [&](Agent& me) -> Task<> {
      try {
        co_await body(me, *this);
      } catch (const Error& error) {
        problem_ = error.what();
      }
      is_over = true;
    });
    bool came = true;
    while (came && !is_over) {
      for (auto& [where, name, agent] : std::exchange(coming_, {}))
        where->node().adopt(name, std::move(agent));
      came = world_.run_until([&] { return is_over || !coming_.empty(); }, Deadline(600s));
    }
    BOOST_TEST(came);
    BOOST_TEST(problem_ == "");
  }
  // Makes an agent, between two steps of the world.
  void start(SocietyUnderTest& where, const std::string& name,
             std::function<Task<>(Agent& me)> body) {
    start(where, name, std::make_unique<Acting>(std::move(body)));
  }
  void start(SocietyUnderTest& where, const std::string& name, std::unique_ptr<Agent> agent) {
    coming_.emplace_back(&where, name, std::move(agent));
  }
  SocietyUnderTest& here() { return *here_; }
  SocietyUnderTest& there() { return *there_; }
  Net& net() { return net_; }

  // The name of an agent at the other platform.
  static Name there_is(const std::string& agent) {
    return foreign_name({.name = agent + "@there"});
  }
  // Gives these agents of the other platform their names here.
  Task<> introduce_all(Agent& me, std::string agents) {
    std::istringstream all(agents);
    for (std::string each; all >> each;) (void)co_await introduce(me, there().id_of(each));
  }

 private:
  class Acting : public Agent {
   public:
    explicit Acting(std::function<Task<>(Agent& me)> body) : body_(std::move(body)) {}
    Task<> run() override { return body_(*this); }

   private:
    std::function<Task<>(Agent& me)> body_;
  };

  sim::World world_{sim::Options{.seed = sim::seed_from_environment(1), .nodes = 2}};
  Net net_;
  std::optional<SocietyUnderTest> here_, there_;
  std::vector<std::tuple<SocietyUnderTest*, std::string, std::unique_ptr<Agent>>> coming_;
  std::string problem_;
};

}  // namespace coracle::fipa::test
