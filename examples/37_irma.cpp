// IRMA, after Bratman, Israel and Pollack. Means to what is intended, and opportunities for other
// things, pass a filter that makes the agent continue its present intention, unless an option is
// worth so much that it overrides the filter. The agent weighs the options that are left. All of
// this is a pipeline under a master.
#include "irma/tileworld.hpp"

#include <coracle/coracle.hpp>
#include <coracle/dispel/architecture.hpp>
#include <coracle/dispel/filter.hpp>
#include <coracle/dispel/master.hpp>
#include <coracle/dispel/pipeline.hpp>
#include <coracle/dispel/sink.hpp>
#include <coracle/dispel/slave.hpp>
#include <coracle/dispel/source.hpp>
#include <coracle/realizations/open.hpp>

#include <iomanip>
#include <iostream>

using namespace coracle;
using irma::Beliefs;
using irma::Decision;
using irma::Thoughts;

// A slave that derives options from the beliefs, and puts its thoughts into the pipeline. Its
// result is the number of thoughts. The stream lasts as long as this slave serves.
class Thinker : public dispel::Slave<Beliefs, std::int64_t>, public dispel::Source<Thoughts> {
 public:
  Thinker() : Slave(dispel::Orphan::leaves) {}
  Task<> run() override { return work_as_stage(); }

 protected:
  virtual Thoughts think(const Beliefs& beliefs) const = 0;

  Task<> produce(std::uint64_t) override { return work_as_slave(); }
  Task<std::int64_t> consider(const Beliefs& beliefs) override {
    const Thoughts thoughts = think(beliefs);
    co_await put(thoughts);
    co_return static_cast<std::int64_t>(thoughts.options.size());
  }
};

class MeansEndReasoner : public Thinker {
  Thoughts think(const Beliefs& beliefs) const override { return irma::find_means(beliefs); }
};

class OpportunityAnalyser : public Thinker {
  Thoughts think(const Beliefs& beliefs) const override {
    return irma::find_opportunities(beliefs);
  }
};

class CompatibilityFilter : public dispel::Filter<Thoughts, Thoughts> {
 protected:
  void process(const Thoughts& thoughts) override { put(irma::filter(thoughts)); }
};

// Decides when the thoughts of both slaves in this cycle have come, and sends the decision to the
// master.
class Deliberation : public dispel::Sink<Thoughts> {
 protected:
  Task<> consider(const Thoughts& thoughts) override {
    // The means are weighed first, whichever thoughts come first.
    all_.insert(thoughts.by.starts_with("means") ? all_.begin() : all_.end(), thoughts);
    if (all_.size() < 2) co_return;
    const Content decision = Content::of(irma::deliberate(all_));
    all_.clear();
    co_await send("irma", decision);
  }

 private:
  std::vector<Thoughts> all_;
};

class Irma : public dispel::Master<Beliefs, std::int64_t> {
 public:
  using Master::Master;

  Task<> run() override {
    irma::Tileworld world = irma::yard();
    for (const std::string& row : world.picture()) std::cout << row << '\n';
    while (!world.is_over()) {
      co_await command("irma/means-end-reasoner", world.beliefs());
      co_await command("irma/opportunity-analyser", world.beliefs());
      const Message message = co_await receive(from("irma/deliberation"));
      const auto& decision = message.as<Decision>();
      for (const std::string& line : decision.record) tell(world, line);
      const std::string event = world.act(decision.intention);
      if (!event.empty()) tell(world, event);
    }
    for (const std::string& row : world.picture()) std::cout << row << '\n';
    const dispel::Architecture drawing = co_await dispel::describe(*this, "irma");
    std::cout << drawing.to_text();
  }

 private:
  static void tell(const irma::Tileworld& world, const std::string& what) {
    std::cout << std::setw(2) << world.beliefs().cycle << "  " << what << '\n';
  }
};

int main() {
  Node node(open());
  dispel::Pipeline mind("irma");
  mind.add<MeansEndReasoner>("means-end-reasoner").add<OpportunityAnalyser>("opportunity-analyser");
  mind.add<CompatibilityFilter>("filter").add<Deliberation>("deliberation");
  mind.connect("means-end-reasoner", "filter").connect("opportunity-analyser", "filter");
  mind.connect("filter", "deliberation");
  node.create<dispel::PipelineKeeper>("keeper", mind);
  const std::vector<Name> slaves = {"irma/means-end-reasoner", "irma/opportunity-analyser"};
  node.create<Irma>("irma", slaves);
  node.wait();
}
