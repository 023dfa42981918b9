// coracle why: the reason why an agent waits.
#include "commands.hpp"
#include "errand.hpp"
#include "inspected.hpp"

#include "coracle/why_waits.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <string>
#include <string_view>

namespace coracle::command {

namespace {

namespace json = boost::json;

double in_seconds(Duration span) { return std::chrono::duration<double>(span).count(); }

json::object object_of(const WhyStep& step) {
  json::object object{{"name", step.name.view()}, {"node", step.node}};
  if (step.wait) {
    object["what"] = to_string(step.wait->what);
    if (!step.wait->whom.empty()) object["for"] = step.wait->whom.view();
    if (step.wait->conversation != 0) object["conversation"] = step.wait->conversation;
    if (step.wait->since) object["since"] = in_seconds(*step.wait->since);
    if (step.wait->is_at_least) object["at_least"] = true;
    if (step.wait->left) object["left"] = in_seconds(*step.wait->left);
  }
  if (step.other_waits != 0) object["other_waits"] = step.other_waits;
  if (step.queued != 0) object["queued"] = step.queued;
  if (step.is_full) object["full"] = true;
  if (step.is_unread) object["unread"] = true;
  object["sentence"] = step.sentence;
  return object;
}

}  // namespace

// The node itself looks: no agent is needed, and so no name.
int run_why(const WhySettings& settings) {
  Node node(open_to_inspect(settings.place));
  const WhyWaits why = why_waits(
      Name(settings.name), [&node](const Name& name) { return inspect_permitted(node, name); });
  if (!settings.place.json) {
    for (const WhyStep& step : why.chain) print_line(step.sentence);
    if (why.end == WhyEnd::circle)
      print_line(fmt::format("a circle of {} agents{}", why.chain.size() - why.circle_begins,
                             why.is_deadlock ? ": a deadlock" : ", some with other tasks"));
    return done;
  }
  json::array chain;
  for (const WhyStep& step : why.chain) chain.push_back(object_of(step));
  print_json(json::serialize(json::object{{"chain", std::move(chain)},
                                          {"circle", why.end == WhyEnd::circle},
                                          {"deadlock", why.is_deadlock},
                                          {"end", to_string(why.end)},
                                          {"sentence", why.sentence}}));
  return done;
}

}  // namespace coracle::command
