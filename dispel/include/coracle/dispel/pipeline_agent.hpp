// The common part of all stages of a pipeline (the paper's PipelineAgent, section 2.2). Derive from
// Source, Filter or Sink instead; Pipeline connects them. Tests:
// tests/control/pipeline_test.cpp.
#pragma once

#include "coracle/acquaintances.hpp"
#include "coracle/dispel/role.hpp"
#include "coracle/dispel/wiring.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::dispel {

namespace detail {
class PipelineStage;
struct Head;
struct Run;
struct Work;
}  // namespace detail

// A stage. It offers its output to its consumers and requests the output of its suppliers. Items
// that were given to a consumer are kept until the sinks are done with them. So a stage that begins
// again under its name is given again everything that is not done with, and its consumers skip the
// items that they have already.
class PipelineAgent : public virtual Role {
 public:
  ~PipelineAgent() override;

  // The types of the items that the stage takes and gives, by their names as content; empty for
  // none.
  virtual std::string_view takes() const noexcept = 0;
  virtual std::string_view gives() const noexcept = 0;
  // Sets the stage's place in a pipeline; call this before the stage begins.
  void connect(Wiring wiring) { wiring_ = std::move(wiring); }

  // Works until the stream has ended or no consumer wants it any more.
  Task<> run() override { return work_as_stage(); }

 protected:
  PipelineAgent();

  // The body of run(), for an agent that has other roles beside this one.
  Task<> work_as_stage();
  // Ends the stream at the present item, of which nothing goes on. Sinks receive the items before
  // it and the reason; sources are stopped.
  void fail(std::string why);
  // Ends the stream behind the present item, or where it is between two items, without an error;
  // the stage wants no more items, and sources stop.
  void cancel() noexcept { stops_ = true; }
  // Holds together the items that the stage takes from now on, and their results, until release():
  // a stage that begins again is given all of them again. Requires a single lane, and fewer items
  // than the window.
  void hold() noexcept { holds_ = true; }
  // Ends hold(), with the present item.
  void release() noexcept { holds_ = false; }

 private:
  template <class>
  friend class Source;
  template <class>
  friend class Sink;
  template <class, class>
  friend class Filter;

  struct Neighbour {
    Address address;
    bool heard = false;    // it has sent something
    bool silent = false;   // its node is silent
    bool awaited = false;  // a task awaits its return
  };

  // Works on units until that is enough for now; returns their number.
  virtual std::uint32_t work_quickly(const detail::Work& work) = 0;
  // The same for one unit, by a user's function that waits.
  virtual Task<> work_slowly(const detail::Work& work) = 0;
  // The batch's head, and the number of its items; nullptr when `content` is no batch of that type.
  virtual const detail::Head* head_of(const Content& content, std::size_t& items) const = 0;
  // Takes the output that waits to be sent to one track; returns false when there is none.
  virtual bool take_output(std::size_t track, std::vector<std::uint64_t> next,
                           std::vector<detail::Run>& runs, Content& batch) = 0;
  // The work of the stage when everything has come; the output of this work has this label.
  virtual Task<> at_end(const std::string& error, std::uint64_t label) = 0;
  // The body of a source.
  virtual Task<> produce_from(std::uint64_t first);
  virtual bool is_source() const noexcept { return false; }

  std::size_t track_of(std::uint64_t label) const noexcept {
    return tracks_ == 1 ? 0 : static_cast<std::size_t>(label % tracks_);
  }
  // The stage works on that unit of a run; the units before it are done.
  void begin_unit(std::uint32_t unit) noexcept {
    unit_ = unit;
    held_before_ = holds_;
  }
  bool has_failed() const noexcept { return !failed_.empty(); }
  // A source has put the items of a whole batch, or wants its batch to be sent.
  Task<> put_slowly(bool full);
  void produced(std::uint64_t next);

  Task<> attend();
  Task<> flush_soon();
  Task<> work_through();
  Task<> work_off();
  Task<> work_slowly_on(const detail::Work& work);
  void took(const detail::Work& work, std::uint32_t units, bool holds);
  Task<> leave_behind(std::exception_ptr error);
  Task<> pump_last();
  void stop_if_wanted();
  Task<> end_of_inputs();
  Task<> run_source();
  Task<> pump();
  void flush();
  void handle(const Message& message);
  void handle_words(const Content& content, Address who);
  std::size_t consumer_at(Address who, std::string_view whose) const;
  std::size_t supplier_at(Address who, std::string_view whose) const;
  Task<> wait_for_change();
  Task<> tell_of_change();
  Task<bool> send_one();
  Task<> begin_stage();
  static constexpr std::size_t nobody = ~std::size_t{0};
  Neighbour& neighbour(bool upstream, std::size_t index);
  static std::size_t place_of(const std::vector<Neighbour>& all, Address who,
                              std::string_view whose);
  Task<> follow(bool upstream, std::size_t index);
  void await_return(bool upstream, std::size_t index);
  Task<> announce_return(bool upstream, std::size_t index);
  Task<> say_last_words();
  void check_holding() const;
  void throw_fault() const;

  Wiring wiring_;
  std::unique_ptr<detail::PipelineStage> stage_;
  std::vector<Neighbour> suppliers_;
  std::vector<Neighbour> consumers_;
  std::optional<Acquaintances> neighbours_;
  std::uint64_t wake_ = 0;
  std::uint64_t changes_ = 0;  // the number of messages from neighbours
  std::uint32_t unit_ = 0;     // the present unit
  std::size_t tracks_ = 1;
  std::uint32_t batch_ = 256;
  bool waits_for_change_ = false;
  bool pumping_ = false;
  bool flushing_ = false;
  bool slow_ = false;
  bool attending_ = false;
  bool holds_ = false;
  bool held_before_ = false;  // the present unit
  bool stops_ = false;        // fail() or cancel() was called
  std::string failed_;
};

}  // namespace coracle::dispel
