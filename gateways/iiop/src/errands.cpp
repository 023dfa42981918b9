#include "errands.hpp"

#include <utility>

namespace coracle::fipa {

Errands::Errands(std::size_t threads, std::size_t waiting,
                 std::function<void(const std::function<void()>&)> around)
    : most_threads_(threads), most_waiting_(waiting), around_(std::move(around)) {}

Errands::~Errands() { stop(); }

void Errands::add(const std::string& partner, std::shared_ptr<Errand> errand) {
  const std::lock_guard lock(mutex_);
  if (is_over_) throw Error(Errc::stopped, "the transport has ended; plug it in again");
  if (waiting_ >= most_waiting_)
    throw Error(Errc::limit_reached,
                "too many letters wait to be sent by IIOP; send them again later");
  // A ready partner is served by an idle thread, or by one more.
  if (idle_ <= ready_.size() && threads_.size() < most_threads_) begin_thread();
  Partner& place = partners_[partner];
  place.line.push_back(std::move(errand));
  ++waiting_;
  if (place.is_served || place.line.size() > 1) return;
  ready_.push_back(partner);
  work_.notify_one();
}

void Errands::begin_thread() try {
  threads_.emplace_back([this] { around_([this] { work(); }); });
} catch (const std::system_error&) {
  if (threads_.empty())
    throw Error(Errc::limit_reached, "the system gives no thread for sending letters by IIOP");
}

void Errands::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    work_.wait(lock, [this] { return is_over_ || !ready_.empty(); });
    --idle_;
    if (is_over_) return;
    serve(lock);
  }
}

// Does the first errand of the partner that has waited for longest.
void Errands::serve(std::unique_lock<std::mutex>& lock) {
  const std::string name = std::move(ready_.front());
  ready_.pop_front();
  Partner& partner = partners_[name];  // stays while it is served
  const std::shared_ptr<Errand> errand = std::move(partner.line.front());
  partner.line.pop_front();
  --waiting_;
  partner.is_served = true;
  lock.unlock();
  const std::unique_ptr<Error> gone = errand->run();
  lock.lock();
  partner.is_served = false;
  if (gone) {
    Line line = std::exchange(partner.line, {});
    partners_.erase(name);
    return fail_all(std::move(line), *gone, lock);
  }
  if (partner.line.empty()) partners_.erase(name);
  else ready_.push_back(name);
}

void Errands::fail_all(Line line, const Error& error, std::unique_lock<std::mutex>& lock) {
  waiting_ -= line.size();
  lock.unlock();
  for (const auto& each : line) each->fail(error);
  lock.lock();
}

void Errands::stop() noexcept {
  std::unique_lock lock(mutex_);
  is_over_ = true;
  work_.notify_all();
  std::vector<std::thread> threads = std::exchange(threads_, {});
  lock.unlock();
  for (std::thread& each : threads) each.join();
  lock.lock();
  const Error over(Errc::stopped, "the transport has ended; plug it in again");
  while (!partners_.empty()) {
    Line line = std::move(partners_.begin()->second.line);
    partners_.erase(partners_.begin());
    fail_all(std::move(line), over, lock);
  }
  ready_.clear();
}

}  // namespace coracle::fipa
