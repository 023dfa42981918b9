// What all stages of a pipeline have in common (the paper's PipelineAgent, section 2.2). Derive
// from Source, Filter or Sink instead; Pipeline connects them. Contract:
// tests/control/pipeline_test.cpp.
#pragma once

#include "coracle/dispel/role.hpp"
#include "coracle/dispel/wiring.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::dispel {

namespace detail {
class Stage;
struct Head;
struct Run;
struct Work;
}  // namespace detail

// A stage. It offers what it makes to its consumers and asks its suppliers for what they have. What
// was given to a consumer is kept until the sinks are done with it; so a stage that begins again
// under its name is given everything again that is not done with, and its consumers pass over what
// they know already.
class PipelineAgent : public virtual Role {
 public:
  ~PipelineAgent() override;

  // The types of the items that it takes and gives, by their names as content; empty for none.
  virtual std::string_view takes() const noexcept = 0;
  virtual std::string_view gives() const noexcept = 0;
  // Places it; before it begins.
  void connect(Wiring wiring) { wiring_ = std::move(wiring); }

  // Works until the stream has ended or nobody wants it any more.
  Task<> run() override { return work_as_stage(); }

 protected:
  PipelineAgent();

  // What run() does, for an agent that has other roles beside this one.
  Task<> work_as_stage();
  // Ends the stream at the present item, of which nothing goes on: sinks have what comes before it
  // and are told why, sources are told to stop.
  void fail(std::string why);
  // Wants no more items: the stream ends behind the present one, or where it is between two,
  // without an error, and sources stop.
  void cancel() noexcept { stops_ = true; }
  // What it takes from now on and what it makes of it belongs together until release(): if it is
  // begun again, it is given all of that again. Requires a single lane, and less than the window.
  void hold() noexcept { holds_ = true; }
  // Ends that, with the present item.
  void release() noexcept { holds_ = false; }

 private:
  template <class>
  friend class Source;
  template <class>
  friend class Sink;
  template <class, class>
  friend class Filter;

  // Works on units until that is enough for now; gives how many.
  virtual std::uint32_t work(const detail::Work& work) = 0;
  // The same for one unit, by a user's function that waits for others.
  virtual Task<> work_slowly(const detail::Work& work) = 0;
  // The batch's head, and how many items it has; nullptr when it is none of that type.
  virtual const detail::Head* head_of(const Content& content, std::size_t& items) const = 0;
  // What waits to be sent to one track; false when nothing does.
  virtual bool take_output(std::size_t track, std::vector<std::uint64_t> next,
                           std::vector<detail::Run>& runs, Content& batch) = 0;
  // What the stage does when everything has come; what it puts out then has this label.
  virtual Task<> at_end(const std::string& error, std::uint64_t label) = 0;
  // The body of a source.
  virtual Task<> produce_from(std::uint64_t first);
  virtual bool is_source() const noexcept { return false; }

  std::size_t track_of(std::uint64_t label) const noexcept {
    return tracks_ == 1 ? 0 : static_cast<std::size_t>(label % tracks_);
  }
  // A stage works on that unit of a run; for those before it, nothing is left to do.
  void begin_unit(std::uint32_t unit) noexcept {
    unit_ = unit;
    held_before_ = holds_;
  }
  bool has_failed() const noexcept { return !failed_.empty(); }
  // A source has put out what makes a batch, or wants it to leave.
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
  void begin_stage();
  void check_holding() const;
  void throw_fault() const;

  Wiring wiring_;
  std::unique_ptr<detail::Stage> stage_;
  std::vector<Address> suppliers_;
  std::vector<Address> consumers_;
  std::uint64_t wake_ = 0;
  std::uint64_t changes_ = 0;  // what neighbours have said, counted
  std::uint32_t unit_ = 0;     // the present one
  std::size_t tracks_ = 1;
  std::uint32_t batch_ = 256;
  bool waits_for_change_ = false;
  bool pumping_ = false;
  bool flushing_ = false;
  bool slow_ = false;
  bool attending_ = false;
  bool holds_ = false;
  bool held_before_ = false;  // the present unit
  bool stops_ = false;        // it has failed, or wants no more
  std::string failed_;
};

}  // namespace coracle::dispel
