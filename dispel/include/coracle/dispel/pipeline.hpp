// Connects sources, filters and sinks (the paper's section 2.2), by name, in one process or in
// many, and restarts stages that crash. Tests: dispel/tests/pipeline/plan_test.cpp,
// tests/control/pipeline_test.cpp.
#pragma once

#include "coracle/dispel/pipeline_agent.hpp"
#include "coracle/supervisor.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace coracle::dispel {

// The order of the output of replicas: that of the stream, or free.
enum class Order : std::uint8_t { kept, free };

// A structure of stages; copies are the same pipeline. A mistake is refused as soon as it is made,
// with Errc::bad_options (types: Errc::wrong_type) and both ends.
class Pipeline {
 public:
  // Makes a stage.
  using Factory = std::function<std::unique_ptr<PipelineAgent>()>;
  // Kinds of stages, by the names that texts use.
  using Kinds = std::map<std::string, Factory, std::less<>>;
  // One agent of the structure.
  struct Planned {
    std::string part;
    Name name;
    Wiring wiring;
  };

  // The agents will be named `name`/part, and `name`/part/number where there are several.
  explicit Pipeline(Name name, Flow flow = {});
  // Builds a structure from a text. There is one statement on each line (or between semicolons),
  // and `#` begins a remark:  `lines: Lines`, `parse: Parse * 4 ordered`, `parse: Parse * 4
  // unordered`, `lines -> parse -> count`. Fails with Errc::bad_options and the line.
  static Pipeline from_text(Name name, std::string_view text, const Kinds& kinds, Flow flow = {});

  // Adds a part of that kind; the arguments are kept, because the part may be made several times.
  template <class Stage, class... Args>
  Pipeline& add(std::string part, Args... args) {
    return add_kind(std::move(part), [all = std::make_tuple(std::move(args)...)] {
      return std::apply([](const auto&... each) { return std::make_unique<Stage>(each...); }, all);
    });
  }
  // The same, for stages that `factory` makes.
  Pipeline& add_kind(std::string part, Factory factory);
  // Divides the work of a part among that many agents; items are dealt to them in turn.
  Pipeline& replicate(std::string_view part, std::uint32_t count, Order order = Order::kept);
  // Limits the part to one supplier.
  Pipeline& one_supplier(std::string_view part);
  // The items of `supplier` go to `consumer`; to each of its consumers, if there are several.
  Pipeline& connect(std::string_view supplier, std::string_view consumer);

  // All agents, suppliers before consumers. Fails with Errc::bad_options when an end is loose.
  std::vector<Planned> plan() const;
  // Makes one of the agents.
  std::unique_ptr<PipelineAgent> make(const Planned& one) const;
  // Replaces the kind of a part while the stream runs: no item is lost and none comes twice. The
  // types must be the same. A part in another process needs takeover=yes there.
  Task<> replace(Agent& self, std::string part, Factory factory);

  // The name of the pipeline.
  const Name& name() const noexcept;
  // The parts, in the order in which they were added.
  std::vector<std::string> parts() const;

 private:
  struct Part;
  struct State;

  Part& part(std::string_view name) const;
  bool reaches(const Part& from, const Part& to, std::string& path) const;
  std::vector<const Part*> in_order() const;
  std::vector<Name> names_of(const Part& part) const;
  Wiring wiring_of(const Part& part, std::map<std::string, std::uint32_t>& lanes) const;

  std::shared_ptr<State> state_;
};

// Makes the stages of a pipeline and restarts those that crash. It ends when all stages have ended.
// It fails with Errc::limit_reached when a stage crashes too often: then the stage's consumers
// receive its failure, and its suppliers are stopped.
class PipelineKeeper : public virtual Role {
 public:
  explicit PipelineKeeper(Pipeline pipeline, RestartLimit limit = {});
  ~PipelineKeeper() override;

  // Keeps only these parts; keepers of the same pipeline in other processes keep the others.
  PipelineKeeper& only(std::vector<std::string> parts);
  // Starts these parts here when the process that they were in is gone.
  PipelineKeeper& stand_in_for(std::vector<std::string> parts);

  Task<> run() override;
  // The number of restarts of stages.
  std::uint32_t restarts() const noexcept { return count_.restarts(); }

 protected:
  // Starts a stage; by default, beside the keeper.
  virtual Task<> place(AgentSpec spec, std::unique_ptr<Agent> stage);
  // Called when a stage has ended other than by the end of the stream.
  virtual void on_ending(const Ending& ending);

 private:
  struct Kept;

  Task<> keep(std::size_t index);
  Task<> begin(Kept& one);
  Task<> give_up(Kept& one, const std::string& why);
  Task<> speak_for_consumers(Kept& one);
  Task<> say(const Name& to, Content content);
  bool consumers_ended(const Kept& one) const;

  Pipeline pipeline_;
  RestartCount count_;
  std::vector<std::string> only_;
  std::vector<std::string> stand_in_;
  std::vector<std::unique_ptr<Kept>> kept_;
  std::string failure_;
};

}  // namespace coracle::dispel
