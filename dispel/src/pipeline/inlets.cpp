#include "pipeline/inlets.hpp"

#include <algorithm>

namespace coracle::dispel::detail {

namespace {

// The number of units of `run` with labels below `bound`.
std::uint32_t units_below(const Run& run, Label bound) {
  if (run.label >= bound) return 0;
  const Label more = (bound - 1 - run.label) / run.step;
  return static_cast<std::uint32_t>(std::min<Label>(more, run.labels - 1)) + 1;
}

void pass_over(Run& run, std::size_t& first, std::uint32_t labels) {
  run.label += Label{labels} * run.step;
  run.labels -= labels;
  first += std::size_t{labels} * run.each;
}

}  // namespace

Inlets::Inlets(const Wiring& wiring) : taken_(wiring.lanes) {
  for (const Supplier& each : wiring.suppliers) {
    Line& line = lines_.emplace_back();
    line.supplier = each;
    line.next.resize(each.lanes);
  }
}

std::string Inlets::arrive(std::size_t supplier, Content batch, const Head& head,
                           std::size_t items) {
  Line& line = lines_.at(supplier);
  if (line.ended) return {};
  Arrived arrived;
  std::uint64_t announced = 0;
  for (Run run : head.runs) {
    if (run.lane >= line.supplier.lanes || run.labels == 0 || run.step == 0) {
      return "a batch names a lane that its supplier does not have";
    }
    announced += std::uint64_t{run.labels} * run.each;
    run.lane += line.supplier.first_lane;
    arrived.runs.push_back(run);
  }
  if (announced != items) return "a batch announces another number of items than it has";
  if (!head.next.empty() && head.next.size() != line.supplier.lanes) {
    return "its supplier has another number of lanes; both were built differently";
  }
  for (std::size_t lane = 0; lane < head.next.size(); ++lane) {
    line.next[lane] = std::max(line.next[lane], head.next[lane]);
  }
  waiting_ += items;
  arrived.batch = std::move(batch);
  arrived.next = head.next;
  line.queue.push_back(std::move(arrived));
  if (head.end && !head.next.empty()) cut(supplier, head.error);
  line.ended = line.ended || head.end;
  return {};
}

void Inlets::cut(std::size_t supplier, std::string error) {
  Line& line = lines_.at(supplier);
  if (line.ended) return;
  line.ended = line.cut = true;
  line.error = std::move(error);
  if (!is_cut()) {
    first_cut_ = supplier;
    return;
  }
  // Of several replicas, the one that stopped first in the stream has ended it.
  const Line& first = lines_[*first_cut_];
  const std::uint32_t group = line.supplier.ordered_group;
  if (group != 0 && group == first.supplier.ordered_group && line.next < first.next)
    first_cut_ = supplier;
}

// The end of the stream, if one of these replicas has stopped in the middle.
Label Inlets::end_of(std::uint32_t group, std::uint32_t lane) const {
  Label least = ~Label{0};
  if (group == 0 || !is_cut()) return least;
  for (const Line& line : lines_) {
    if (!line.cut || line.supplier.ordered_group != group) continue;
    least = std::min(least, line.next[lane - line.supplier.first_lane]);
  }
  return least;
}

bool Inlets::front_of(Line& line) {
  while (!line.queue.empty()) {
    Arrived& arrived = line.queue.front();
    while (arrived.run < arrived.runs.size()) {
      Run& run = arrived.runs[arrived.run];
      const std::uint32_t known = units_below(run, taken_[run.lane]);
      waiting_ -= std::uint64_t{known} * run.each;
      pass_over(run, arrived.first, known);
      if (run.labels > 0 && run.label >= end_of(line.supplier.ordered_group, run.lane)) {
        waiting_ -= std::uint64_t{run.labels} * run.each;
        pass_over(run, arrived.first, run.labels);
      }
      if (run.labels > 0) return true;
      ++arrived.run;
    }
    finish_front(line);
  }
  return false;
}

// The announcements of a batch about its lanes hold once the batch is worked on.
void Inlets::finish_front(Line& line) {
  const std::vector<Label> next = std::move(line.queue.front().next);
  line.queue.pop_front();
  if (line.supplier.ordered_group != 0) return;  // see advance_marks()
  for (std::size_t lane = 0; lane < next.size(); ++lane) {
    Label& taken = taken_[line.supplier.first_lane + lane];
    taken = std::max(taken, next[lane]);
  }
}

// No unit of that lane below the result will come from `line`.
Label Inlets::bound(const Line& line, std::uint32_t lane) const {
  for (const Arrived& arrived : line.queue) {
    for (std::size_t run = arrived.run; run < arrived.runs.size(); ++run) {
      if (arrived.runs[run].lane == lane) return arrived.runs[run].label;
    }
  }
  return line.ended && !line.cut ? ~Label{0} : line.next[lane - line.supplier.first_lane];
}

// The number of units of the front run of a line that may be worked on now.
std::uint32_t Inlets::how_many(std::size_t index, const Run& run) const {
  const std::uint32_t group = lines_[index].supplier.ordered_group;
  if (group == 0) return run.labels;
  Label until = ~Label{0};
  for (std::size_t other = 0; other < lines_.size(); ++other) {
    if (other == index || lines_[other].supplier.ordered_group != group) continue;
    until = std::min(until, bound(lines_[other], run.lane));
  }
  return units_below(run, until);
}

// For replicas whose order is kept: the progress of a lane is the least progress of the replicas.
void Inlets::advance_marks(std::size_t index) {
  const Supplier& one = lines_[index].supplier;
  for (std::uint32_t lane = one.first_lane; lane < one.first_lane + one.lanes; ++lane) {
    Label least = ~Label{0};
    for (const Line& line : lines_) {
      if (line.supplier.ordered_group == one.ordered_group)
        least = std::min(least, bound(line, lane));
    }
    if (least != ~Label{0}) taken_[lane] = std::max(taken_[lane], least);
  }
}

void Inlets::close() {
  for (std::size_t index = 0; index < lines_.size(); ++index) {
    if (lines_[index].supplier.ordered_group != 0) advance_marks(index);
  }
}

std::optional<Work> Inlets::next() {
  // Known units are skipped in all lines first, so that they hold up no other line.
  for (Line& line : lines_) front_of(line);
  for (std::size_t tried = 0; tried < lines_.size(); ++tried) {
    const std::size_t index = (turn_ + tried) % lines_.size();
    Line& line = lines_[index];
    if (line.supplier.ordered_group != 0) advance_marks(index);
    if (line.queue.empty()) continue;
    Arrived& arrived = line.queue.front();
    Run run = arrived.runs[arrived.run];
    run.labels = how_many(index, run);
    if (run.labels == 0) continue;
    present_ = index;
    return Work{&arrived.batch, arrived.first, run};
  }
  return std::nullopt;
}

void Inlets::took(std::uint32_t labels) {
  Line& line = lines_.at(present_);
  Arrived& arrived = line.queue.front();
  Run& run = arrived.runs[arrived.run];
  const Label last = run.label + Label{labels - 1} * run.step;
  taken_[run.lane] = std::max(taken_[run.lane], last + 1);
  waiting_ -= std::uint64_t{labels} * run.each;
  pass_over(run, arrived.first, labels);
  turn_ = present_ + 1;
  front_of(line);
}

// Returns whether everything is worked on that comes before the place where `cut` has stopped.
bool Inlets::is_finished(const Line& cut) const {
  const Supplier& one = cut.supplier;
  if (one.ordered_group == 0) return cut.queue.empty();
  for (std::uint32_t lane = one.first_lane; lane < one.first_lane + one.lanes; ++lane) {
    const Label end = end_of(one.ordered_group, lane);
    for (const Line& line : lines_) {
      if (line.supplier.ordered_group == one.ordered_group && bound(line, lane) < end) return false;
    }
  }
  return true;
}

bool Inlets::has_ended() const noexcept {
  const auto finished = [this](const Line& line) { return line.cut && is_finished(line); };
  if (is_cut() && std::any_of(lines_.begin(), lines_.end(), finished)) return true;
  return std::all_of(lines_.begin(), lines_.end(),
                     [](const Line& line) { return line.ended && line.queue.empty(); });
}

}  // namespace coracle::dispel::detail
