// One stage of a pipeline as a state machine: messages of neighbours go in; the work to do, and the
// messages to send, come out. It sends nothing itself and has no items; PipelineAgent drives it.
// Contract: dispel/tests/pipeline/stage_test.cpp.
#pragma once

#include "coracle/dispel/wiring.hpp"
#include "pipeline/inlets.hpp"
#include "pipeline/outlet.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::dispel::detail {

// A message to be sent.
struct Outgoing {
  bool upstream = false;   // to a supplier, else to a consumer
  std::size_t index = 0;   // the supplier's or consumer's number
  std::uint64_t life = 0;  // of the consumer, for content that belongs to that life alone
  Content content;
};

class PipelineStage {
 public:
  // `life` identifies this run of the stage, and `incarnation` is that of its name. The types are
  // those of its items, empty where it has none.
  PipelineStage(Wiring wiring, std::string takes, std::string gives, std::uint64_t life,
                Incarnation incarnation = {});

  // Offers its output to its consumers; it has started when all of them have replied.
  void begin();
  void on_offer(std::size_t supplier, const Offer& said);
  void on_attach(std::size_t consumer, const Attach& said);
  void on_ack(std::size_t consumer, const Ack& said);
  void on_cancel(std::size_t consumer);
  void on_failed(std::size_t supplier, const std::string& text);
  // A neighbour that was taken for dead, or was not there, is back: what was on its way to it, or
  // from it, may be lost.
  void on_return(bool upstream, std::size_t index);
  // The incarnation of this stage's name, which changes when its node was taken for dead.
  void set_incarnation(Incarnation incarnation) noexcept { incarnation_ = incarnation; }
  // A batch, or marks (without items), for this life of the stage.
  void on_batch(std::size_t supplier, Content batch, const Head& head, std::size_t items);

  bool has_started() const noexcept { return started_; }
  // Returns whether more may be put out now.
  bool has_room() const noexcept;
  // The next work; nothing while there is no room for its results.
  std::optional<Work> next();
  // So many units of the work are finished. While the stage holds, none of them counts as done.
  void took(std::uint32_t labels, bool holds);
  // A source has put out everything below that label.
  void produced(Label next) { taken_by_source_ = next; }
  // Returns whether all suppliers have ended and everything is worked on.
  bool inputs_ended() const noexcept { return started_ && !end_pushed_ && inlets_.has_ended(); }
  // Call this when inputs_ended(): the stage holds nothing any more.
  void close() {
    holding_ = false;
    inlets_.close();
    released_ = inlets_.taken();
  }
  // The label of the output at the end, in lane 0.
  Label closing_label() const;
  // The output at the end has been pushed.
  void closed();

  // The output of everything that was worked on so far has been pushed, if there was any.
  void settle() { settled_ = processed(); }
  // Pushes a batch to the consumer of that track, if items are dealt, or to all consumers.
  void push(std::size_t track, const Content& batch, const std::vector<Run>& runs);
  // Nothing more will come of the units of that lane below that label. While the stage holds, this
  // progress is not announced.
  void reached(std::uint32_t lane, Label label);
  // The stage stops in the middle of that lane, at that label.
  void stops_at(std::uint32_t lane, Label label) { stops_at_ = {lane, label}; }
  // Nothing more will be put out; `error` is the reason if the stream ends badly.
  void push_end(std::string error) { push_end(std::move(error), inlets_.is_cut()); }
  // Ends the stream here, in its middle: consumers receive the reason, and suppliers are stopped.
  void stop(const std::string& why);

  // The next message to send. Call this after everything that was to be done at this moment is
  // done.
  std::optional<Outgoing> next_to_send();
  // A batch could not be sent to that life of a consumer.
  void unsend(std::size_t consumer, std::uint64_t life, bool is_there) noexcept {
    outlets_[consumer].unsend(life, is_there);
  }
  // Returns whether nothing is left to do and everything has been sent.
  bool is_over() const noexcept { return over_ && out_.empty(); }
  // The first item that a consumer may still need; a source goes back to it.
  Label begin_at() const noexcept { return began_at_.empty() ? 0 : began_at_.front(); }
  // The error of the supplier that ended first with one.
  std::string error() const { return inlets_.error(); }
  // The fault in a neighbour's message; a stage that has one cannot go on.
  const std::string& fault() const noexcept { return fault_; }
  std::size_t tracks() const noexcept { return wiring_.dealt ? outlets_.size() : 1; }
  const Wiring& wiring() const noexcept { return wiring_; }
  std::uint64_t life() const noexcept { return life_; }
  // The progress of the lanes, which every batch announces.
  std::vector<Label> processed() const;
  // The numbers of items that are kept and that wait.
  std::uint64_t kept() const noexcept;
  std::uint64_t waiting() const noexcept { return inlets_.waiting(); }
  // The number of units that the stage holds.
  std::uint64_t held() const noexcept { return held_; }

 private:
  void start_if_ready();
  void tell_suppliers();
  void attach_to(std::size_t supplier);
  std::vector<Label> done() const;
  std::vector<Label> part_of(std::size_t supplier, const std::vector<Label>& lanes) const;
  void finish(bool cancels);
  void push_end(std::string error, bool is_cut);
  std::vector<Label> place_of_cut() const;
  bool all_outlets_ended() const noexcept;

  Wiring wiring_;
  std::string takes_;
  std::string gives_;
  std::uint64_t life_;
  Incarnation incarnation_;
  Inlets inlets_;
  std::vector<Outlet> outlets_;
  std::deque<Outgoing> out_;
  std::vector<Label> released_;  // progress of the lanes, without what the stage holds
  std::vector<Label> settled_;   // the same, when nothing waited to be pushed
  std::vector<Label> began_at_;
  std::optional<std::pair<std::uint32_t, Label>> stops_at_;
  std::vector<Label> told_;  // the progress that suppliers know
  std::optional<Label> taken_by_source_;
  std::uint64_t held_ = 0;
  bool holding_ = false;
  bool started_ = false;
  bool end_pushed_ = false;
  bool cancelled_ = false;
  bool stopped_ = false;  // suppliers have been sent that nothing more is wanted
  bool over_ = false;
  std::string fault_;
};

}  // namespace coracle::dispel::detail
