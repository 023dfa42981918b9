// Pipelines of stages in C, and of stages that other processes make.
#include "base/convert.hpp"
#include "base/objects.hpp"
#include "stages.hpp"

#include <string>
#include <vector>

using namespace coracle;
using namespace coracle::c;

namespace {

dispel::Pipeline pipeline_of(const coracle_pipeline& given, const SharedContextPtr& context) {
  require_array(given.kinds, given.kind_count, "coracle_pipeline: `kinds` is NULL");
  dispel::Pipeline::Kinds kinds;
  for (std::size_t number = 0; number < given.kind_count; ++number) {
    const coracle_part& stage = given.kinds[number];
    const std::string kind = text_of(stage.kind, "coracle_part: `kind`");
    if (!kinds.emplace(kind, factory_of(stage, context)).second)
      fail_argument("coracle_pipeline: two of `kinds` have the same name");
  }
  dispel::Flow flow;
  if (given.window != 0) flow.window = given.window;
  if (given.batch != 0) flow.batch = given.batch;
  return dispel::Pipeline::from_text(Name(text_of(given.name, "coracle_pipeline: `name`")),
                                     text_of(given.text, "coracle_pipeline: `text`"), kinds, flow);
}

}  // namespace

coracle_error* coracle_pipeline_start(coracle_node* node, const coracle_agent_options* options,
                                      const coracle_pipeline* given) {
  return guarded([&] {
    if (given == nullptr) fail_argument("coracle_pipeline_start: the pipeline is NULL");
    const coracle_pipeline pipeline = options_of(given, "coracle_pipeline");
    RestartLimit limit;
    if (pipeline.restarts != 0) limit.times = pipeline.restarts;
    const auto context = std::make_shared<SharedContext>(pipeline.end, pipeline.context);
    auto keeper = std::make_unique<dispel::PipelineKeeper>(pipeline_of(pipeline, context), limit);
    keeper->only(texts_of(pipeline.only, "coracle_pipeline: `only`"));
    keeper->stand_in_for(texts_of(pipeline.stand_in_for, "coracle_pipeline: `stand_in_for`"));
    object_of<NodeObject>(node)->node->adopt(spec_of(options), std::move(keeper));
    context->begin();
  });
}
