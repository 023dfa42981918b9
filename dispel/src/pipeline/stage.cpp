#include "pipeline/stage.hpp"

#include <algorithm>
#include <utility>

namespace coracle::dispel::detail {

namespace {

// No item has such a label, except items that are put at the end.
constexpr Label behind_all = ~Label{0} - 1;

}  // namespace

PipelineStage::PipelineStage(Wiring wiring, std::string takes, std::string gives,
                             std::uint64_t life, Incarnation incarnation)
    : wiring_(std::move(wiring)),
      takes_(std::move(takes)),
      gives_(std::move(gives)),
      life_(life),
      incarnation_(incarnation),
      inlets_(wiring_),
      released_(wiring_.lanes),
      settled_(wiring_.lanes),
      told_(wiring_.lanes) {
  for (std::size_t i = 0; i < wiring_.consumers.size(); ++i) {
    outlets_.emplace_back(wiring_.lanes, wiring_.flow.window, wiring_.flow.window_bytes);
  }
}

void PipelineStage::begin() {
  for (std::size_t consumer = 0; consumer < outlets_.size(); ++consumer) on_return(false, consumer);
  start_if_ready();
}

void PipelineStage::start_if_ready() {
  if (started_) return;
  const auto answered = [](const Outlet& each) { return each.is_attached() || each.has_ended(); };
  if (!std::all_of(outlets_.begin(), outlets_.end(), answered)) return;
  started_ = true;
  std::vector<Label> least(wiring_.lanes, outlets_.empty() ? 0 : ~Label{0});
  for (const Outlet& each : outlets_) {
    if (each.has_ended()) continue;
    for (std::size_t lane = 0; lane < least.size(); ++lane) {
      least[lane] = std::min(least[lane], each.acked()[lane]);
    }
  }
  if (all_outlets_ended() && !outlets_.empty()) {
    for (Label& each : least) each = 0;
  }
  began_at_ = released_ = settled_ = told_ = least;
  inlets_.begin_at(least);
  if (!outlets_.empty() && all_outlets_ended()) return finish(cancelled_);
  for (std::size_t supplier = 0; supplier < wiring_.suppliers.size(); ++supplier) {
    attach_to(supplier);
  }
}

void PipelineStage::attach_to(std::size_t supplier) {
  Attach attach;
  attach.life = life_;
  attach.window = wiring_.flow.window;
  attach.window_bytes = wiring_.flow.window_bytes;
  attach.done = part_of(supplier, told_);
  attach.end = over_;
  attach.type = takes_;
  attach.epoch = incarnation_.epoch;
  attach.counter = incarnation_.counter;
  out_.push_back({true, supplier, 0, Content::of(std::move(attach))});
}

void PipelineStage::on_offer(std::size_t supplier, const Offer& said) {
  if (said.type != takes_) {
    fault_ = "'" + wiring_.suppliers[supplier].name.str() + "' gives " + said.type +
             ", and this stage takes " + takes_;
  } else if (said.lanes != wiring_.suppliers[supplier].lanes) {
    fault_ = "'" + wiring_.suppliers[supplier].name.str() +
             "' belongs to a pipeline that was built differently";
  }
  if (started_ && fault_.empty()) attach_to(supplier);
}

void PipelineStage::on_attach(std::size_t consumer, const Attach& said) {
  if (said.type != gives_) {
    fault_ = "'" + wiring_.consumers[consumer].str() + "' takes " + said.type +
             ", and this stage gives " + gives_;
    return;
  }
  outlets_[consumer].attach(said, incarnation_);
  start_if_ready();
}

void PipelineStage::on_ack(std::size_t consumer, const Ack& said) {
  Outlet& outlet = outlets_[consumer];
  if (said.life != outlet.life() && said.whose.empty()) return;  // of an earlier life
  outlet.ack(said.done, said.end);
  if (said.end && !started_) start_if_ready();
}

void PipelineStage::on_cancel(std::size_t consumer) {
  outlets_[consumer].close();
  if (all_outlets_ended() && !over_) cancelled_ = !end_pushed_;
  start_if_ready();
}

void PipelineStage::on_failed(std::size_t supplier, const std::string& text) {
  inlets_.cut(supplier, "'" + wiring_.suppliers[supplier].name.str() + "' has failed: " + text);
}

void PipelineStage::on_return(bool upstream, std::size_t index) {
  if (!upstream) {
    if (!outlets_[index].has_ended())
      out_.push_back({false, index, 0, Content::of(Offer{gives_, wiring_.lanes})});
  } else if (cancelled_ || stopped_) {
    out_.push_back({true, index, 0, Content::of(Cancel())});
  } else if (started_) {
    attach_to(index);
  }
}

void PipelineStage::on_batch(std::size_t supplier, Content batch, const Head& head,
                             std::size_t items) {
  if (!started_) return;
  const std::string wrong = inlets_.arrive(supplier, std::move(batch), head, items);
  if (!wrong.empty()) fault_ = "'" + wiring_.suppliers[supplier].name.str() + "': " + wrong;
}

bool PipelineStage::has_room() const noexcept {
  return std::all_of(outlets_.begin(), outlets_.end(),
                     [](const Outlet& each) { return each.has_room(); });
}

std::optional<Work> PipelineStage::next() {
  if (!started_ || over_ || end_pushed_ || !has_room()) return std::nullopt;
  std::optional<Work> work = inlets_.next();
  if (!work && !holding_) released_ = inlets_.taken();
  return work;
}

void PipelineStage::took(std::uint32_t labels, bool holds) {
  inlets_.took(labels);
  holding_ = holds;
  held_ = holds ? held_ + labels : 0;
  if (!holds) released_ = inlets_.taken();
}

std::vector<Label> PipelineStage::processed() const {
  std::vector<Label> lanes = released_;
  if (taken_by_source_) lanes.at(0) = std::max(lanes.at(0), *taken_by_source_);
  if (stops_at_) {
    Label& lane = lanes.at(stops_at_->first);
    lane = std::min(lane, stops_at_->second);
  }
  return lanes;
}

Label PipelineStage::closing_label() const {
  return taken_by_source_ ? *taken_by_source_ : inlets_.taken().at(0);
}

void PipelineStage::push(std::size_t track, const Content& batch, const std::vector<Run>& runs) {
  const std::vector<Label> next = processed();
  if (wiring_.dealt) return outlets_.at(track).push(batch, runs, settled_, next);
  for (Outlet& each : outlets_) each.push(batch, runs, settled_, next);
}

void PipelineStage::reached(std::uint32_t lane, Label label) {
  inlets_.reached(lane, label);
  if (!holding_) released_ = inlets_.taken();
}

// For each lane, the first label of which nothing comes any more.
std::vector<Label> PipelineStage::place_of_cut() const {
  std::vector<Label> lanes = settled_;
  const bool took_all = !wiring_.suppliers.empty() && inlets_.has_ended() && !inlets_.is_cut();
  if (took_all && !stops_at_) std::fill(lanes.begin(), lanes.end(), behind_all);
  return lanes;
}

void PipelineStage::closed() {
  if (inlets_.is_cut() && closing_label() < behind_all) released_.at(0) = closing_label() + 1;
}

void PipelineStage::push_end(std::string error, bool is_cut) {
  if (end_pushed_) return;
  end_pushed_ = true;
  settle();
  Marks marks;
  if (is_cut) marks.head.next = place_of_cut();
  marks.head.end = true;
  marks.head.error = std::move(error);
  const Content end = Content::of(std::move(marks));
  for (Outlet& each : outlets_) each.push_end(end);
}

void PipelineStage::stop(const std::string& why) {
  if (over_ || end_pushed_) return;
  for (std::size_t supplier = 0; supplier < wiring_.suppliers.size(); ++supplier) {
    out_.push_back({true, supplier, 0, Content::of(Cancel())});
  }
  stopped_ = true;
  push_end(why, true);
}

bool PipelineStage::all_outlets_ended() const noexcept {
  return std::all_of(outlets_.begin(), outlets_.end(),
                     [](const Outlet& each) { return each.has_ended(); });
}

void PipelineStage::finish(bool cancels) {
  over_ = true;
  cancelled_ = cancels;
  for (std::size_t supplier = 0; supplier < wiring_.suppliers.size(); ++supplier) {
    if (cancels) out_.push_back({true, supplier, 0, Content::of(Cancel())});
    else if (!stopped_) attach_to(supplier);  // it may have begun anew without knowing this stage
  }
}

std::vector<Label> PipelineStage::done() const {
  std::vector<Label> lanes = settled_;
  for (const Outlet& each : outlets_) each.limit(lanes);
  return lanes;
}

std::vector<Label> PipelineStage::part_of(std::size_t supplier,
                                          const std::vector<Label>& lanes) const {
  const Supplier& one = wiring_.suppliers[supplier];
  const auto first = lanes.begin() + one.first_lane;
  return {first, first + one.lanes};
}

// Sends suppliers the progress that they do not know yet.
void PipelineStage::tell_suppliers() {
  if (!started_ || over_ || wiring_.suppliers.empty()) return;
  const std::vector<Label> lanes = done();  // never lower than before
  for (std::size_t supplier = 0; supplier < wiring_.suppliers.size(); ++supplier) {
    Ack ack;
    ack.life = life_;
    ack.done = part_of(supplier, lanes);
    if (ack.done == part_of(supplier, told_)) continue;
    out_.push_back({true, supplier, 0, Content::of(std::move(ack))});
  }
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    told_[lane] = std::max(told_[lane], lanes[lane]);
  }
}

std::optional<Outgoing> PipelineStage::next_to_send() {
  if (out_.empty()) {
    for (std::size_t index = 0; index < outlets_.size(); ++index) {
      Outlet& outlet = outlets_[index];
      if (auto batch = outlet.next_to_send()) {
        return Outgoing{false, index, outlet.life(), std::move(*batch)};
      }
      if (!wiring_.marks || end_pushed_ || !outlet.wants_marks(settled_)) continue;
      outlet.marked(settled_);
      Marks marks;
      marks.head.next = settled_;
      return Outgoing{false, index, outlet.life(), Content::of(std::move(marks))};
    }
    if (started_ && !over_) {
      if (outlets_.empty() ? end_pushed_ : all_outlets_ended()) finish(cancelled_);
      else tell_suppliers();
    }
  }
  if (out_.empty()) return std::nullopt;
  Outgoing next = std::move(out_.front());
  out_.pop_front();
  return next;
}

std::uint64_t PipelineStage::kept() const noexcept {
  std::uint64_t sum = 0;
  for (const Outlet& each : outlets_) sum += each.items();
  return sum;
}

}  // namespace coracle::dispel::detail
