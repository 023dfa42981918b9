// What a node keeps for others: messages for names that nobody holds, which nodes hand over when
// they stop, and all that is sent by nodes that entrust it. The node that is given one
// (Realization::custody) is its society's custodian, and has one worker. Realizations:
// memory_custody() here, and the one on a journal in realizations/store. Contract:
// realizations/central/tests/custody_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/content.hpp"
#include "coracle/name.hpp"
#include "coracle/outcome.hpp"
#include "coracle/result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace coracle {

// Every call, and every call back, is on the node's worker, unless it says otherwise.
class Custody {
 public:
  // A message that an earlier run has kept, and not finished.
  struct Kept {
    // Its number, as keep() gave it.
    std::uint64_t id = 0;
    // What keep() was given.
    std::vector<std::byte> head;
    Content content;
    // Whether somebody may have got it already.
    bool handed_out = false;
    // How long it has been kept; time when nobody kept it does not count.
    Duration age{};
  };
  // What a service whose custodian has a folder found there when it began.
  struct Found {
    // Messages that an earlier run had stored, and the names for which they wait.
    std::size_t messages = 0;
    std::size_t names = 0;
    // There was nothing: the folder is new.
    bool fresh = true;
    // The earlier run ended in order.
    bool ended_in_order = true;
    // What is not as it was: a sentence for each.
    std::vector<std::string> faults;
  };
  // Is told the number of a message that is as safe as promised, or why it is not. With
  // Errc::disk_failed and Errc::stopped it may be there all the same, and be given after a restart;
  // with any other error it is not there.
  using Settled = std::function<void(Result<std::uint64_t>)>;

  virtual ~Custody() = default;

  // What whoever hands over is promised: Stage::accepted, or Stage::stored.
  virtual Stage promise() const noexcept = 0;
  // How many bytes it may keep.
  virtual std::size_t limit() const noexcept = 0;
  // The first call: says what is there, for each name the oldest first. Afterwards `wake`, called
  // from any thread, asks for a call of work().
  virtual std::vector<Kept> begin(std::function<void()> wake, Time now) = 0;
  // Keeps a message for `name`; `handed_out` if somebody may get it before a restart would know.
  virtual void keep(const Name& name, std::span<const std::byte> head, const Content& content,
                    bool handed_out, Time now, Settled settled) = 0;
  // Somebody is about to get what is kept for `name`: calls `then` when a restart would know that.
  virtual void open(const Name& name, Time now, std::function<void()> then) = 0;
  // A message has ended, and need not be kept.
  virtual void finish(std::uint64_t id, Time now) = 0;
  // Does what is to be done; returns when to call it again even if nobody asks for that.
  virtual Time work(Time now) = 0;
  // The last call: who still waits for a promise gets none.
  virtual void end(Time now) = 0;
};

// Keeps at most `limit` bytes, as long as its node lives.
std::shared_ptr<Custody> memory_custody(std::size_t limit);

}  // namespace coracle
