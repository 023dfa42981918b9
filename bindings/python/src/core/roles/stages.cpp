// Pipelines, whose stages the library makes when it wants them.
#include "role.hpp"

#include <unordered_map>

namespace coracle::py {

namespace {

// A kind of stage.
struct Kind : Link {
  void clear() override { stages.clear(); }
  nb::object name;
  std::unordered_map<coracle_agent*, nb::object> stages;
};

// A pipeline, with the kinds that the library knows until the pipeline has ended.
struct Made : Link {
  ~Made() override { forget_kinds(); }
  void clear() override { forget_kinds(); }
  void forget_kinds() {
    for (const auto& each : kinds) {
      if (each->role != nullptr) each->node->forget(*each);
    }
  }
  std::vector<std::unique_ptr<Kind>> kinds;
};

// The stage of that agent, a new one where it has just begun.
Role* stage_of(void* context, coracle_agent* agent) {
  Kind& kind = *static_cast<Kind*>(context);
  if (kind.role == nullptr) return nullptr;
  nb::object& stage = kind.stages[agent];
  if (!stage) {
    Called::guarded([&] { stage = kind.role->self.attr("_make")(kind.name); });
    if (!stage) kind.stages.erase(agent);
  }
  return stage ? &Role::of(stage) : nullptr;
}

void on_produce(coracle_agent* self, coracle_question* question, std::uint64_t number,
                void* context) {
  Called called(context, self, &stage_of);
  called.ask(question, &give_items, "_produce", [&] { return nb::make_tuple(number); });
}

void on_process(coracle_agent* self, coracle_question* question, const void* item, size_t size,
                void* context) {
  Called called(context, self, &stage_of);
  called.ask(question, &give_items, "process",
             [&] { return nb::make_tuple(called.role()->taken(item, size, "the item")); });
}

void on_consume(coracle_agent* self, coracle_question* question, const void* item, size_t size,
                void* context) {
  Called called(context, self, &stage_of);
  called.ask(question, &give_done, "consume",
             [&] { return nb::make_tuple(called.role()->taken(item, size, "the item")); });
}

nb::object reason_of(const char* error) {
  return error == nullptr ? nb::none() : nb::object(str_of(error));
}

// The stage has done its work; it is told so, and it is not needed any more.
void forget(void* context, coracle_agent* agent) {
  static_cast<Kind*>(context)->stages.erase(agent);
}

void on_finish(coracle_agent* self, coracle_question* question, const char* error, void* context) {
  Called called(context, self, &stage_of);
  Role* const role = called.role();
  if (role == nullptr || !role->has("finish")) return forget(context, self);
  Called::guarded([&] {
    try {
      put_items(question, *role, role->self.attr("finish")(reason_of(error)));
    } catch (nb::python_error& failed) {
      role->self.attr("_on_error")(nb::none(), failed.value());
    }
  });
  forget(context, self);
}

void on_end_of_stream(coracle_agent* self, const char* error, void* context) {
  Called called(context, self, &stage_of);
  called.tell("on_end", [&] { return nb::make_tuple(reason_of(error)); });
  forget(context, self);
}

// A stage has ended; those that wait for something that no longer matters end, too.
void on_stage_end(void* context) {
  const nb::gil_scoped_acquire held;
  auto& stages = static_cast<Kind*>(context)->stages;
  std::vector<nb::object> there;
  for (const auto& [agent, stage] : stages) there.push_back(stage);
  std::erase_if(stages, [](const auto& each) { return Role::of(each.second).has_failed(); });
  for (const nb::object& stage : there) Called::guarded([&] { Role::of(stage).on_end(); });
}

// The tables of a pipeline's kinds.
class Kinds {
 public:
  Kinds(Node& node, nb::handle pipeline) : node_(node), pipeline_(pipeline) {}
  Kinds(const Kinds&) = delete;

  // (name, role, takes, gives) as Python describes a kind.
  void add(const nb::tuple& described) {
    coracle_part part{};
    part.kind = text_of(described[0], "the name of a kind");
    const std::string_view role = text_of(described[1], "the role");
    const char* const takes = text_of(described[2], "takes");
    const char* const gives = text_of(described[3], "gives");
    if (role.empty()) {
      part.takes = takes;
      part.gives = gives;
    } else if (role == "source") {
      part.source = &sources_.emplace_back(coracle_source{
          sizeof(coracle_source), gives, &on_produce, &on_stage_end, kind(described)});
    } else if (role == "filter") {
      part.filter =
          &filters_.emplace_back(coracle_filter{sizeof(coracle_filter), takes, gives, &on_process,
                                                &on_finish, &on_stage_end, kind(described)});
    } else {
      part.sink =
          &sinks_.emplace_back(coracle_sink{sizeof(coracle_sink), takes, &on_consume,
                                            &on_end_of_stream, &on_stage_end, kind(described)});
    }
    parts.push_back(part);
  }
  std::vector<coracle_part> parts;
  std::unique_ptr<Made> made = std::make_unique<Made>();

 private:
  void* kind(const nb::tuple& described) {
    Kind& added = *made->kinds.emplace_back(std::make_unique<Kind>());
    added.name = described[0];
    node_.keep(added, Role::of(pipeline_));
    return &added;
  }

  Node& node_;
  const nb::handle pipeline_;
  std::deque<coracle_source> sources_;
  std::deque<coracle_filter> filters_;
  std::deque<coracle_sink> sinks_;
};

void start_pipeline(Node& node, nb::handle self) {
  Record role(self);
  Kinds kinds(node, self);
  for (const nb::handle each : role.items("_parts")) kinds.add(nb::cast<nb::tuple>(each));
  coracle_pipeline pipeline{};
  pipeline.size = sizeof pipeline;
  pipeline.name = role.text("pipeline");
  pipeline.text = role.text("text");
  pipeline.kinds = kinds.parts.data();
  pipeline.kind_count = kinds.parts.size();
  pipeline.only = role.texts("only");
  pipeline.stand_in_for = role.texts("stand_in_for");
  pipeline.window = role.number<std::uint32_t>("window");
  pipeline.batch = role.number<std::uint32_t>("batch");
  pipeline.restarts = role.number<std::uint32_t>("restarts");
  pipeline.end = &end_link;
  pipeline.context = kinds.made.get();
  Role::of(self).start(node, std::move(kinds.made),
                       [&](coracle_node* on, const coracle_agent_options* options, coracle_role**) {
                         return coracle_pipeline_start(on, options, &pipeline);
                       });
}

}  // namespace

void define_pipelines(nb::module_& module) { module.def("start_pipeline", &start_pipeline); }

}  // namespace coracle::py
