// One stage of a pipeline as a state machine: what its neighbours say goes in; what to work on, and
// what to tell them, comes out. It sends nothing and knows no items; PipelineAgent drives it.
// Contract: dispel/tests/stage_test.cpp.
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

// Something to be sent.
struct Outgoing {
  bool upstream = false;   // to a supplier, else to a consumer
  std::size_t index = 0;   // which one
  std::uint64_t life = 0;  // of the consumer, for what belongs to that life alone
  Content content;
};

class Stage {
 public:
  // `life` is of this stage alone, and `incarnation` of its name; the types are those of its items,
  // empty where it has none.
  Stage(Wiring wiring, std::string takes, std::string gives, std::uint64_t life,
        Incarnation incarnation = {});

  // Offers itself to its consumers; it has started when all of them have answered.
  void begin();
  void on_offer(std::size_t supplier, const Offer& said);
  void on_attach(std::size_t consumer, const Attach& said);
  void on_ack(std::size_t consumer, const Ack& said);
  void on_cancel(std::size_t consumer);
  void on_failed(std::size_t supplier, const std::string& text);
  // A batch, or marks (without items), given to this life of ours.
  void on_batch(std::size_t supplier, Content batch, const Head& head, std::size_t items);

  bool has_started() const noexcept { return started_; }
  // Whether more may be put out now.
  bool has_room() const noexcept;
  // What is to be worked on; nothing while there is no room for what may come of it.
  std::optional<Work> next();
  // So many units of it were worked on. While the stage holds, nothing of it counts as done.
  void took(std::uint32_t labels, bool holds);
  // A source has put out everything below that label.
  void produced(Label next) { taken_by_source_ = next; }
  // Whether all suppliers have ended and everything is worked on.
  bool inputs_ended() const noexcept { return started_ && !end_pushed_ && inlets_.has_ended(); }
  // That is so, and it holds nothing any more.
  void close() {
    holding_ = false;
    inlets_.close();
    released_ = inlets_.taken();
  }
  // The label of what is put out at the end, in lane 0.
  Label closing_label() const;
  // What was put out then has been pushed.
  void closed();

  // What was worked on so far has been pushed, if something came of it.
  void settle() { settled_ = processed(); }
  // A batch for one consumer of those that items are dealt to, or for all of them.
  void push(std::size_t track, const Content& batch, const std::vector<Run>& runs);
  // The next unit of that lane has that label, and nothing will come of it. While the stage holds,
  // nothing is said of what it holds.
  void reached(std::uint32_t lane, Label label);
  // Where it stops in the middle of that lane, if it does.
  void stops_at(std::uint32_t lane, Label label) { stops_at_ = {lane, label}; }
  // Nothing more will be put out; `error` says why if it ends badly.
  void push_end(std::string error) { push_end(std::move(error), inlets_.is_cut()); }
  // Ends here, in the middle of the stream: consumers are told, and why, and suppliers to stop.
  void stop(const std::string& why);

  // What is to be sent next. Called after everything that was to be done at this moment is done.
  std::optional<Outgoing> next_to_send();
  // A batch could not be sent to that life of a consumer.
  void unsend(std::size_t consumer, std::uint64_t life, bool is_there) noexcept {
    outlets_[consumer].unsend(life, is_there);
  }
  // Nothing is left to do; what it had to say is said.
  bool is_over() const noexcept { return over_ && out_.empty(); }
  // How far a source has to go back: the first item that somebody may still need.
  Label begin_at() const noexcept { return began_at_.empty() ? 0 : began_at_.front(); }
  // Of its suppliers, the first that ended with one.
  std::string error() const { return inlets_.error(); }
  // What was wrong with what a neighbour said; a stage that has one cannot go on.
  const std::string& fault() const noexcept { return fault_; }
  std::size_t tracks() const noexcept { return wiring_.dealt ? outlets_.size() : 1; }
  const Wiring& wiring() const noexcept { return wiring_; }
  std::uint64_t life() const noexcept { return life_; }
  // What every batch says of the lanes.
  std::vector<Label> processed() const;
  // How much it keeps and how much waits, in items.
  std::uint64_t kept() const noexcept;
  std::uint64_t waiting() const noexcept { return inlets_.waiting(); }
  // How many units it holds.
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
  std::vector<Label> released_;  // lanes, but for what the stage holds
  std::vector<Label> settled_;   // the same, when nothing waited to be pushed
  std::vector<Label> began_at_;
  std::optional<std::pair<std::uint32_t, Label>> stops_at_;
  std::vector<Label> told_;  // what suppliers know to be done
  std::optional<Label> taken_by_source_;
  std::uint64_t held_ = 0;
  bool holding_ = false;
  bool started_ = false;
  bool end_pushed_ = false;
  bool cancelled_ = false;
  bool over_ = false;
  std::string fault_;
};

}  // namespace coracle::dispel::detail
