#include "stored_batches.hpp"

#include "campaign.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace coracle::test {

using namespace std::chrono_literals;

namespace {

constexpr int batch_size = 12;
constexpr std::size_t window = 16;  // unfinished sends of a node that stays

}  // namespace

std::istream& operator>>(std::istream& in, Id& id) {
  return in >> id.sender >> id.batch >> id.number;
}

void Reading::on(const std::string& reader, const Message& message) {
  std::istringstream text{std::string(message.text())};
  Id id;
  text >> id;
  on(reader, id, message.redelivered());
}

void Reading::on(const std::string& reader, const Id& id, bool is_redelivered) {
  if (!seen_.insert(id).second) {
    ++again_;
    if (!is_redelivered) wrong_.push_back("twice, unmarked: " + id.text());
    return;
  }
  int& last = last_[{reader, id.sender, id.batch}];
  if (id.number < last) {
    wrong_.push_back("out of order: " + id.text() + (is_redelivered ? ", marked," : "") +
                     " after " + std::to_string(last));
  }
  last = id.number;
}

bool Reading::lacks(const std::set<Id>& ids, const std::string& reader) const {
  return std::any_of(ids.begin(), ids.end(), [&](const Id& id) {
    return readers[id.number % 2] == reader && !seen_.contains(id);
  });
}

std::set<Id> stored_in(const std::string& file) {
  std::ifstream in(file);
  std::set<Id> ids;
  for (Id id; in >> id;) ids.insert(id);
  return ids;
}

void StoredBatches::send_until_enough(const std::string& name, int first_batch,
                                      const std::function<void()>& on_stored) const {
  std::ofstream stored(file(name), std::ios::app);
  for (int batch = first_batch; !std::filesystem::exists(file("enough")); ++batch) {
    try {
      send_batch(name, batch, stored);
      on_stored();
    } catch (const Error& error) {
      if (error.errc() == Errc::name_taken) {  // by one that was killed a moment ago
        let_pass(20ms);
      } else if (error.errc() != Errc::unreachable && error.errc() != Errc::expired) {
        throw;
      }
    }
  }
}

void StoredBatches::store_until_enough(const std::string& name) const {
  std::ofstream stored(file(name));
  central::Options settings = options();
  settings.durable = true;
  Node node(central::realization(settings));
  node.adopt(AgentSpec(name), std::make_unique<Doer>([&](Agent& me) -> Task<> {
               std::deque<std::pair<Id, Receipt>> waiting;
               for (int number = 0; !std::filesystem::exists(file("enough")); number += 2) {
                 const Id id{name, 0, number};
                 Post post(Name{readers[0]}, Content(id.text()));
                 waiting.emplace_back(id, co_await me.track(std::move(post)));
                 if (waiting.size() < window) continue;
                 if (co_await waiting.front().second.reached(Stage::stored))
                   stored << waiting.front().first.text() + "\n" << std::flush;
                 waiting.pop_front();
               }
             }));
  node.wait();
  (void)node.stop(0s);
}

void StoredBatches::say_enough() const { std::ofstream(file("enough")).close(); }

void StoredBatches::serve_longer(std::size_t kills) {
  watch(90s + 8s * static_cast<int>(kills));
  begin();
}

void StoredBatches::send_batch(const std::string& name, int batch, std::ostream& stored) const {
  std::vector<Receipt> receipts;
  Node node(this->node());
  node.adopt(AgentSpec(name), std::make_unique<Doer>([&](Agent& me) -> Task<> {
               for (int number = 0; number < batch_size; ++number) {
                 const std::string text = Id{name, batch, number}.text();
                 Post post(Name{readers[number % 2]}, Content(text));
                 receipts.push_back(co_await me.track(std::move(post)));
               }
             }));
  node.wait();
  (void)node.stop(0s);
  for (int number = 0; number < static_cast<int>(receipts.size()); ++number) {
    if (receipts[static_cast<std::size_t>(number)].first().stage == Stage::stored)
      stored << Id{name, batch, number}.text() + "\n" << std::flush;
  }
}

void StoredBatches::read_rest(const std::string& reader, const std::set<Id>& stored,
                              Reading& reading) const {
  Node node(this->node());
  node.adopt(AgentSpec(reader), std::make_unique<Doer>([&](Agent& me) -> Task<> {
               bool is_more = reading.lacks(stored, reader);
               while (is_more) {
                 const auto message = co_await me.receive(Deadline(30s));
                 if (message) reading.on(reader, *message);
                 is_more = message && reading.lacks(stored, reader);
               }
             }));
  node.wait();
  BOOST_TEST(!reading.lacks(stored, reader), "something that was stored is lost");
}

}  // namespace coracle::test
