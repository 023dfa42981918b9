// Nodes that start, send a batch of messages to two names, hand over and end; with a judgement of
// the messages that are read.
#pragma once

#include "central_lab.hpp"

#include <functional>
#include <istream>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace coracle::test {

inline constexpr const char* readers[] = {"bob", "bess"};

// A message is "SENDER BATCH NUMBER"; the numbers of a batch increase, and alternate between both
// readers.
struct Id {
  std::string sender;
  int batch = 0, number = 0;
  auto operator<=>(const Id&) const = default;
  std::string text() const {
    return sender + " " + std::to_string(batch) + " " + std::to_string(number);
  }
};
std::istream& operator>>(std::istream& in, Id& id);

// The messages that were read so far, and the first fault.
class Reading {
 public:
  void on(const std::string& reader, const Message& message);
  void on(const std::string& reader, const Id& id, bool is_redelivered);
  // Returns whether a message of these for `reader` has not been read.
  bool lacks(const std::set<Id>& ids, const std::string& reader) const;
  // The number of different messages, and the number that came a second time.
  std::size_t count() const { return seen_.size(); }
  std::size_t again() const { return again_; }
  const std::vector<std::string>& wrong() const { return wrong_; }

 private:
  std::set<Id> seen_;
  std::map<std::tuple<std::string, std::string, int>, int> last_;
  std::size_t again_ = 0;
  std::vector<std::string> wrong_;
};

// The messages in a file.
std::set<Id> stored_in(const std::string& file);

class StoredBatches : public CentralLab {
 public:
  StoredBatches() : CentralLab(true) {}

  std::string file(const std::string& name) const { return folder_ / name; }
  // Nodes of that name send, one after another, until say_enough(). They write the stored messages
  // into the file of that name, and then call `on_stored`.
  void send_until_enough(const std::string& name, int first_batch,
                         const std::function<void()>& on_stored) const;
  // One node stays and sends to the first reader, which is present most of the time: for an absent
  // reader, there would soon be no room. The node sends everything to the server's message store,
  // and always has some messages under way. It, too, goes on until say_enough().
  void store_until_enough(const std::string& name) const;
  void say_enough() const;
  // Serves, for a test with so many kills.
  void serve_longer(std::size_t kills);
  // `reader` reads the messages that are left of these.
  void read_rest(const std::string& reader, const std::set<Id>& stored, Reading& reading) const;

 private:
  void send_batch(const std::string& name, int batch, std::ostream& stored) const;
};

}  // namespace coracle::test
