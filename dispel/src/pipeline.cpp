#include "coracle/dispel/pipeline.hpp"

#include <algorithm>
#include <mutex>

namespace coracle::dispel {

namespace {

constexpr std::uint32_t most_lanes = 1024;
constexpr std::uint32_t most_replicas = 1024;

[[noreturn]] void refuse(const std::string& why, Errc errc = Errc::bad_options) {
  throw Error(errc, "this pipeline cannot be built: " + why);
}

}  // namespace

struct Pipeline::Part {
  std::string name;
  Factory factory;  // guarded by State::mutex
  std::string takes;
  std::string gives;
  std::uint32_t replicas = 1;
  Order order = Order::kept;
  bool one_supplier = false;
  std::vector<Part*> suppliers;
  std::vector<Part*> consumers;

  bool in_order() const noexcept { return replicas > 1 && order == Order::kept; }
};

struct Pipeline::State {
  Name name;
  Flow flow;
  std::mutex mutex;  // guards the factories, which replace() changes
  std::vector<std::unique_ptr<Part>> parts;
};

Pipeline::Pipeline(Name name, Flow flow) : state_(std::make_shared<State>()) {
  if (flow.window == 0 || flow.batch == 0 || flow.window_bytes == 0) {
    refuse(
        "its window or its batches have no room; give at least 1 as window, batch and "
        "window_bytes");
  }
  state_->name = std::move(name);
  state_->flow = flow;
}

const Name& Pipeline::name() const noexcept { return state_->name; }

std::vector<std::string> Pipeline::parts() const {
  std::vector<std::string> names;
  for (const auto& each : state_->parts) names.push_back(each->name);
  return names;
}

Pipeline::Part& Pipeline::part(std::string_view name) const {
  for (const auto& each : state_->parts) {
    if (each->name == name) return *each;
  }
  refuse("there is no part '" + std::string(name) + "'; add it first");
}

Pipeline& Pipeline::add_kind(std::string part, Factory factory) {
  for (const auto& each : state_->parts) {
    if (each->name == part) refuse("there are two parts '" + part + "'; name one differently");
  }
  const Name checked(state_->name.str() + "/" + part);
  const auto sample = factory();
  auto made = std::make_unique<Part>();
  made->name = std::move(part);
  made->factory = std::move(factory);
  made->takes = sample->takes();
  made->gives = sample->gives();
  state_->parts.push_back(std::move(made));
  return *this;
}

Pipeline& Pipeline::replicate(std::string_view name, std::uint32_t count, Order order) {
  Part& one = part(name);
  if (one.takes.empty())
    refuse("'" + one.name + "' is a source, and there is one of it; replicate a part behind it");
  if (count == 0 || count > most_replicas) {
    refuse("'" + one.name + "' is to be there " + std::to_string(count) + " times; take 1 to " +
           std::to_string(most_replicas));
  }
  one.replicas = count;
  one.order = order;
  return *this;
}

Pipeline& Pipeline::one_supplier(std::string_view name) {
  Part& one = part(name);
  one.one_supplier = true;
  if (one.suppliers.size() > 1) {
    refuse("'" + one.name + "' takes items from one supplier, and has '" + one.suppliers[0]->name +
           "' and '" + one.suppliers[1]->name + "'; connect one of them");
  }
  return *this;
}

bool Pipeline::reaches(const Part& from, const Part& to, std::string& path) const {
  if (&from == &to) return path = from.name, true;
  for (const Part* next : from.consumers) {
    if (!reaches(*next, to, path)) continue;
    path = from.name + " -> " + path;
    return true;
  }
  return false;
}

Pipeline& Pipeline::connect(std::string_view supplier, std::string_view consumer) {
  Part& from = part(supplier);
  Part& to = part(consumer);
  const std::string both = "'" + from.name + "' cannot supply '" + to.name + "': ";
  if (from.gives.empty())
    refuse(both + "'" + from.name + "' is a sink, which gives nothing; name the supplier first");
  if (to.takes.empty())
    refuse(both + "'" + to.name + "' is a source, which takes nothing; name the supplier first");
  if (from.gives != to.takes) {
    refuse(both + "one gives " + from.gives + ", the other takes " + to.takes +
               "; put a filter between them",
           Errc::wrong_type);
  }
  if (std::find(from.consumers.begin(), from.consumers.end(), &to) != from.consumers.end()) {
    refuse(both + "it does already; connect the two once");
  }
  if (to.one_supplier && !to.suppliers.empty()) {
    refuse(both + "'" + to.suppliers.front()->name +
           "' does, and it takes only one supplier; connect one of the two");
  }
  std::string path;
  if (reaches(to, from, path)) {
    refuse(both + "that would close the circle " + path + " -> " + to.name +
           "; leave one of its connections out");
  }
  from.consumers.push_back(&to);
  to.suppliers.push_back(&from);
  return *this;
}

std::vector<const Pipeline::Part*> Pipeline::in_order() const {
  std::vector<const Part*> sorted;
  const auto is_in = [&](const Part* one) {
    return std::find(sorted.begin(), sorted.end(), one) != sorted.end();
  };
  while (sorted.size() < state_->parts.size()) {
    for (const auto& each : state_->parts) {
      if (is_in(each.get())) continue;
      if (std::all_of(each->suppliers.begin(), each->suppliers.end(), is_in)) {
        sorted.push_back(each.get());
      }
    }
  }
  return sorted;
}

std::vector<Name> Pipeline::names_of(const Part& one) const {
  const std::string base = state_->name.str() + "/" + one.name;
  if (one.replicas == 1) return {Name(base)};
  std::vector<Name> names;
  for (std::uint32_t i = 0; i < one.replicas; ++i)
    names.emplace_back(base + "/" + std::to_string(i));
  return names;
}

Wiring Pipeline::wiring_of(const Part& one, std::map<std::string, std::uint32_t>& lanes) const {
  Wiring wiring;
  wiring.flow = state_->flow;
  wiring.keepers = Name(state_->name.str() + "/keepers");
  std::uint64_t count = 0;
  std::uint32_t groups = 0;
  for (const Part* supplier : one.suppliers) {
    const std::uint32_t own = lanes.at(supplier->name);
    const std::uint32_t group = supplier->in_order() ? ++groups : 0;
    for (const Name& name : names_of(*supplier)) {
      wiring.suppliers.push_back({name, own, static_cast<std::uint32_t>(count), group});
      if (group == 0) count += own;
    }
    if (group != 0) count += own;
  }
  if (count > most_lanes) {
    refuse("there are more than " + std::to_string(most_lanes) + " ways from the sources to '" +
           one.name + "'; keep the order of replicas before it, or have fewer of them");
  }
  wiring.lanes = static_cast<std::uint32_t>(std::max<std::uint64_t>(count, 1));
  wiring.marks = one.in_order();
  for (const Part* consumer : one.consumers) {
    for (const Name& name : names_of(*consumer)) wiring.consumers.push_back(name);
    if (consumer->replicas == 1) continue;
    wiring.dealt = true;
    wiring.marks = wiring.marks || consumer->in_order();
    if (one.consumers.size() > 1) {
      refuse("'" + one.name + "' deals its items to the replicas of '" + consumer->name +
             "', and cannot also supply '" +
             (one.consumers[0] == consumer ? one.consumers[1] : one.consumers[0])->name +
             "'; put a filter between them");
    }
  }
  lanes[one.name] = wiring.lanes;
  return wiring;
}

std::vector<Pipeline::Planned> Pipeline::plan() const {
  if (state_->parts.empty()) refuse("it has no parts; add some");
  std::vector<Planned> all;
  std::map<std::string, std::uint32_t> lanes;
  for (const Part* each : in_order()) {
    if (!each->takes.empty() && each->suppliers.empty()) {
      refuse("nothing supplies '" + each->name + "', which takes " + each->takes +
             "; connect a part that gives it");
    }
    if (!each->gives.empty() && each->consumers.empty()) {
      refuse("nothing takes what '" + each->name + "' gives: " + each->gives +
             "; connect a part that takes it");
    }
    const Wiring wiring = wiring_of(*each, lanes);
    for (const Name& name : names_of(*each)) all.push_back({each->name, name, wiring});
  }
  return all;
}

std::unique_ptr<PipelineAgent> Pipeline::make(const Planned& one) const {
  Factory factory;
  {
    const std::scoped_lock lock(state_->mutex);
    factory = part(one.part).factory;
  }
  auto stage = factory();
  stage->connect(one.wiring);
  return stage;
}

Task<> Pipeline::replace(Agent& self, std::string name, Factory factory) {
  const Pipeline me = *this;  // the caller may destroy its copy meanwhile
  Part& one = me.part(name);
  const auto sample = factory();
  if (sample->takes() != one.takes || sample->gives() != one.gives) {
    refuse("the replacement of '" + one.name + "' takes " + std::string(sample->takes()) +
               " and gives " + std::string(sample->gives()) + " instead of " + one.takes + " and " +
               one.gives + "; give one that takes and gives the same",
           Errc::wrong_type);
  }
  {
    const std::scoped_lock lock(me.state_->mutex);
    one.factory = std::move(factory);
  }
  for (const Planned& each : me.plan()) {
    if (each.part != name) continue;
    AgentSpec spec(each.name);
    spec.take_over();
    co_await self.adopt(std::move(spec), me.make(each));
  }
}

}  // namespace coracle::dispel
