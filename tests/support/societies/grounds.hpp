// The societies on which everything above the core is tested, and cases that run on each of them.
#pragma once

#include "coracle/realization.hpp"
#include "support/suites.hpp"
#include "test_society.hpp"

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::sim {
class World;
}

namespace coracle::test {

// The parts of a society, and the objects that must live as long as it does.
struct Setting {
  std::vector<Realization> nodes;
  std::shared_ptr<void> around;
};

// All nodes of a simulated society.
Setting nodes_of(sim::World& world);

// One kind of society.
struct Ground {
  std::string name;
  std::function<Setting()> open;
  unsigned workers = 1;
};

// All grounds. A realization is added here, in one line.
const std::vector<Ground>& grounds();

// A society for one test; its agents live on all of its nodes in turn.
class Place {
 public:
  explicit Place(const Ground& ground) : Place(ground.open(), ground.workers) {}
  explicit Place(Setting setting, unsigned workers = 1);
  virtual ~Place() = default;

  // Runs `body` as the agent "main", then stops the society.
  StopReport run(Body body);
  // Places an agent on the next of the nodes.
  Task<Address> place(Agent& me, AgentSpec spec, std::unique_ptr<Agent> agent);
  // Returns whether time advances only with events.
  bool in_virtual_time() const noexcept { return virtual_; }

 private:
  std::shared_ptr<void> around_;
  bool virtual_;
  std::optional<Society> society_;
};

// A sentence about a `Where`, which is a Place, and its proof.
template <class Where>
struct CaseAt {
  std::string sentence;
  void (*prove)(Where& place);
};

// A case of a function that has the name of its sentence.
#define GROUND_CASE(name) \
  ::coracle::test::CaseAt { #name, name }
template <class Where>
CaseAt(const char*, void (*)(Where&)) -> CaseAt<Where>;

// Registers `cases` for each ground as test cases of `suite`.
template <class Where>
bool on_every_ground(const std::string& suite, std::initializer_list<CaseAt<Where>> cases) {
  for (const Ground& ground : grounds()) {
    std::vector<Proof> proofs;
    for (const CaseAt<Where>& each : cases) {
      proofs.push_back({each.sentence, [ground, prove = each.prove] {
                          Where place(ground);
                          prove(place);
                        }});
    }
    register_suite(suite, ground.name, std::move(proofs));
  }
  return true;
}

}  // namespace coracle::test
