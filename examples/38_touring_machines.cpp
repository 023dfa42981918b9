// The TouringMachines of the paper's Figure 4: a ControlFramework decides in every cycle which of
// three layers has control of a car. Planning is itself two steps, from Focus to Planner.
#include "touring_machines/road.hpp"

#include <coracle/coracle.hpp>
#include <coracle/dispel/architecture.hpp>
#include <coracle/dispel/filter.hpp>
#include <coracle/dispel/master.hpp>
#include <coracle/dispel/pipeline.hpp>
#include <coracle/dispel/sink.hpp>
#include <coracle/dispel/slave.hpp>
#include <coracle/dispel/source.hpp>
#include <coracle/on.hpp>
#include <coracle/realizations/open.hpp>

#include <iomanip>
#include <iostream>

using namespace coracle;
using touring::Command;
using touring::Focused;
using touring::Scene;

// All three layers are slaves that make a command from a scene; they leave when the drive is over.
class Layer : public dispel::Slave<Scene, Command> {
 public:
  Layer() : Slave(dispel::Orphan::leaves) {}
};

class Reactive : public Layer {
 protected:
  Command work(const Scene& scene) override { return touring::react(scene); }
};

class Modeling : public Layer {
 protected:
  Command work(const Scene& scene) override { return touring::model(scene); }
};

// Puts each scene into a pipeline, at whose end there is a plan. The stream lasts as long as this
// slave serves.
class Planning : public Layer, public dispel::Source<Scene> {
 public:
  Task<> run() override { return work_as_stage(); }

 protected:
  Task<> produce(std::uint64_t) override { return work_as_slave(); }
  Task<Command> consider(const Scene& scene) override {
    co_await put(scene);
    co_return co_await on([](const Command& plan) { return plan; }).receive(*this);
  }
};

class Focus : public dispel::Filter<Scene, Focused> {
 protected:
  void process(const Scene& scene) override { put(touring::focus(scene)); }
};

class Planner : public dispel::Sink<Focused> {
 protected:
  Task<> consider(const Focused& focused) override {
    const Content plan = Content::of(touring::plan(focused));
    co_await send("car/planning", plan);
  }
};

class ControlFramework : public dispel::Master<Scene, Command> {
 public:
  using Master::Master;

  Task<> run() override {
    static const Name layers[] = {"car/reactive", "car/modeling", "car/planning"};
    touring::Road road = touring::town();
    std::string time_line;
    while (!road.is_done()) {
      const Name& layer = layers[static_cast<int>(touring::choose(road.scene()))];
      const Command said = co_await command(layer, road.scene());
      std::cout << std::setw(2) << road.scene().cycle << "  " << layer.view().substr(4) << ": "
                << said.why << '\n';
      time_line += static_cast<char>(layer.view()[4] - 'a' + 'A');
      const std::string hit = road.drive(said);
      if (!hit.empty()) throw std::runtime_error("it ran into the " + hit);
    }
    std::cout << time_line << "\n\n";
    for (const std::string& lane : road.picture(time_line)) std::cout << lane << '\n';
    const dispel::Architecture car = co_await dispel::describe(*this, "car");
    std::cout << '\n' << car.to_text();
  }
};

int main() {
  Node node(open());
  dispel::Pipeline planning("car");
  planning.add<Planning>("planning").add<Focus>("focus").add<Planner>("planner");
  planning.connect("planning", "focus").connect("focus", "planner");
  node.create<dispel::PipelineKeeper>("keeper", planning);
  node.create<Reactive>("car/reactive");
  node.create<Modeling>("car/modeling");
  const std::vector<Name> layers = {"car/reactive", "car/modeling", "car/planning"};
  node.create<ControlFramework>("car/control-framework", layers);
  node.wait();
}
