// What a durable store must be like after a restart: everything that happened up to some moment,
// and nothing that happened later; not before anything that was said to be on the disk.
#pragma once

#include "store/durable_store.hpp"

#include <functional>
#include <map>
#include <string>

namespace coracle::store::test {

// Everything that is stored, in words: one entry for each message, registration and member.
using Picture = std::map<std::string, std::string>;

// What the store shows; checks that its queues are in order. Throws std::logic_error.
Picture picture_of(DurableStore& store, Time now);

class StoreModel {
 public:
  using Change = std::function<void(Picture&)>;

  // Something was done, and the store gave this number.
  void add(Sequence number, Change change);
  // The store says that this much is on the disk.
  void on_durable(Sequence durable) { durable_ = std::max(durable_, durable); }
  // What would be there now if nothing was lost.
  Picture now() const;

  // Whether a restart may find `found`; a sentence if not.
  std::string judge(const Picture& found) const;
  // The same; and what comes then begins with what was found.
  std::string restart(const Picture& found);

  static Change stored(MessageId id, std::string queue, std::string content, unsigned deliveries);
  static Change finished(std::vector<MessageId> ids);
  static Change delivered(MessageId id);
  static Change put(std::string name, std::string value);
  static Change gone(std::string name);

 private:
  struct Step {
    Sequence number = 0;
    Change change;
  };
  Picture begin_;
  std::vector<Step> steps_;
  Sequence durable_ = 0;
};

}  // namespace coracle::store::test
