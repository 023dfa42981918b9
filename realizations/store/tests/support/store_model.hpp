// The permitted states of a durable store after a restart: everything that happened up to some
// moment, and nothing that happened later; the moment is not before anything that was reported to
// be on the disk.
#pragma once

#include "store/durable_store.hpp"

#include <functional>
#include <map>
#include <string>

namespace coracle::store::test {

// Everything that is stored, as text: one entry for each message, registration and member.
using Picture = std::map<std::string, std::string>;

// The present picture of a store; checks that its queues are in order. Throws std::logic_error.
Picture picture_of(DurableStore& store, Time now);

class StoreModel {
 public:
  using Change = std::function<void(Picture&)>;

  // An action was taken, and the store returned this number.
  void add(Sequence number, Change change);
  // The store reports that everything up to this number is on the disk.
  void on_durable(Sequence durable) { durable_ = std::max(durable_, durable); }
  // The picture that there would be now if nothing was lost.
  Picture now() const;

  // Returns a sentence if a restart may not find `found`; otherwise nothing.
  std::string judge(const Picture& found) const;
  // The same; later changes start from `found`.
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
