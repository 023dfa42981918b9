// Nodes that come, send a batch of messages to two names, hand over and go; and what is to be said
// of what is read of it.
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

// A message is "SENDER BATCH NUMBER"; the numbers of a batch go up, in turn to both readers.
struct Id {
  std::string sender;
  int batch = 0, number = 0;
  auto operator<=>(const Id&) const = default;
  std::string text() const {
    return sender + " " + std::to_string(batch) + " " + std::to_string(number);
  }
};
std::istream& operator>>(std::istream& in, Id& id);

// What was read so far, and what is wrong with it.
class Reading {
 public:
  void on(const std::string& reader, const Message& message);
  void on(const std::string& reader, const Id& id, bool is_redelivered);
  // Whether something of these that is for `reader` has not been read.
  bool lacks(const std::set<Id>& ids, const std::string& reader) const;
  // How many different ones came, and how many a second time.
  std::size_t count() const { return seen_.size(); }
  std::size_t again() const { return again_; }
  const std::vector<std::string>& wrong() const { return wrong_; }

 private:
  std::set<Id> seen_;
  std::map<std::tuple<std::string, std::string, int>, int> last_;
  std::size_t again_ = 0;
  std::vector<std::string> wrong_;
};

// The ones in a file.
std::set<Id> stored_in(const std::string& file);

class StoredBatches : public CentralLab {
 public:
  StoredBatches() : CentralLab(true) {}

  std::string file(const std::string& name) const { return folder_ / name; }
  // Nodes of that name send, one after another, until enough is said. What was stored is written
  // down in the file of that name, and told.
  void send_until_enough(const std::string& name, int first_batch,
                         const std::function<void()>& told) const;
  // One node that stays sends to the first reader, who is there most of the time: for who is not,
  // there would soon be no room. It entrusts all that to the server, and has some of it under way
  // all the time. Likewise.
  void entrust_until_enough(const std::string& name) const;
  void say_enough() const;
  // Serves, for a test with so many kills.
  void serve_longer(std::size_t kills);
  // `reader` reads what is left of these.
  void read_rest(const std::string& reader, const std::set<Id>& stored, Reading& reading) const;

 private:
  void send_batch(const std::string& name, int batch, std::ostream& stored) const;
};

}  // namespace coracle::test
