// One part replaced: the same hospital, first with the library's queue, then with our own.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <algorithm>
#include <iostream>
#include <list>

using namespace coracle;

// Takes the most urgent message first, by its header `urgency` (0 to 9); of equals the oldest.
class UrgentFirst final : public Queue {
 public:
  void put(Envelope message) override {
    auto is_less = [&](const Envelope& other) { return urgency(other) < urgency(message); };
    const auto place = std::find_if(list_.begin(), list_.end(), is_less);
    insert(place, std::move(message));
  }
  void put_back(Envelope message) override {
    auto no_more = [&](const Envelope& other) { return urgency(other) <= urgency(message); };
    const auto place = std::find_if(list_.begin(), list_.end(), no_more);
    insert(place, std::move(message));
  }
  Envelope take(const Match& match) override {
    auto found = std::find_if(list_.begin(), list_.end(),
                              [&](const Envelope& message) { return match.fits(message); });
    if (found == list_.end()) return Envelope();
    Envelope taken = std::move(*found);
    bytes_ -= taken.content().size();
    list_.erase(found);
    return taken;
  }
  std::size_t count(const Match& match) const override {
    return static_cast<std::size_t>(std::count_if(
        list_.begin(), list_.end(), [&](const Envelope& message) { return match.fits(message); }));
  }
  void each(const std::function<void(const Envelope&)>& show) const override {
    for (const Envelope& message : list_) show(message);
  }
  std::size_t size() const noexcept override { return list_.size(); }
  std::size_t bytes() const noexcept override { return bytes_; }

 private:
  static char urgency(const Envelope& message) {
    return message.header("urgency").value_or("0").front();
  }
  void insert(std::list<Envelope>::iterator place, Envelope message) {
    bytes_ += message.content().size();
    list_.insert(place, std::move(message));
  }

  std::list<Envelope> list_;
  std::size_t bytes_ = 0;
};

class Nurse : public Agent {
 public:
  Task<> run() override {
    co_await send(Post("doctor", "Karl, a cough").header("urgency", "2"));
    co_await send(Post("doctor", "Mia, a broken arm").header("urgency", "7"));
    co_await send(Post("doctor", "Otto, for a certificate"));
    co_await send(Post("doctor", "Eve, a snake bite").header("urgency", "9"));
  }
};

class Doctor : public Agent {
 public:
  Task<> run() override {
    while (std::optional<Message> patient = try_receive()) {
      std::cout << "  the doctor sees " << patient->text() << '\n';
    }
    co_return;
  }
};

void a_morning(Realization realization) {
  Node node(std::move(realization));
  node.create<Nurse>("nurse");
  node.wait();
  node.create<Doctor>("doctor");
  node.wait();
}

int main() {
  std::cout << "First come, first served:\n";
  a_morning(open());

  std::cout << "With a queue of our own:\n";
  Realization realization = open();
  realization.queue = [](const Name&) { return std::make_unique<UrgentFirst>(); };
  a_morning(std::move(realization));
}
