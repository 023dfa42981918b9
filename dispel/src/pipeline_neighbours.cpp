// A stage and its neighbours: the stages at the other ends, and their returns.
#include "coracle/dispel/pipeline_agent.hpp"
#include "pipeline/stage.hpp"

#include <algorithm>
#include <utility>

namespace coracle::dispel {

namespace {

// The pauses between two looks whether a neighbour is back: from the least, each twice as long.
constexpr Duration least_look = std::chrono::milliseconds(10);
constexpr Duration longest_look = std::chrono::seconds(1);

}  // namespace

std::size_t PipelineAgent::place_of(const std::vector<Neighbour>& all, Address who,
                                    std::string_view whose) {
  const auto found = std::ranges::find_if(all, [&](const Neighbour& each) {
    return whose.empty() ? each.address == who : each.address.name().view() == whose;
  });
  return found != all.end() ? static_cast<std::size_t>(found - all.begin()) : nobody;
}

PipelineAgent::Neighbour& PipelineAgent::neighbour(bool upstream, std::size_t index) {
  return (upstream ? suppliers_ : consumers_)[index];
}

std::size_t PipelineAgent::consumer_at(Address who, std::string_view whose) const {
  return place_of(consumers_, who, whose);
}

std::size_t PipelineAgent::supplier_at(Address who, std::string_view whose) const {
  return place_of(suppliers_, who, whose);
}

// Awaits the return of a neighbour whose node has fallen silent: it may not begin anew.
Task<> PipelineAgent::follow(bool upstream, std::size_t index) {
  Neighbour& who = neighbour(upstream, index);
  for (;;) {
    const Ending ending = co_await neighbours_->ending(who.address);
    who.silent = ending.reason == EndReason::unreachable || ending.reason == EndReason::expired;
    if (who.silent) await_return(upstream, index);
  }
}

void PipelineAgent::await_return(bool upstream, std::size_t index) {
  if (!std::exchange(neighbour(upstream, index).awaited, true))
    spawn(announce_return(upstream, index));
}

Task<> PipelineAgent::announce_return(bool upstream, std::size_t index) {
  Neighbour& who = neighbour(upstream, index);
  Duration look = least_look;
  do {
    co_await pause(look);
    look = std::min(2 * look, longest_look);
  } while (!neighbours_->here(who.address));
  who.awaited = who.silent = false;
  const Content content = Content::of(detail::Returned{upstream, index});
  co_await send(self(), content);
}

}  // namespace coracle::dispel
