#include "realizations/net/src/asio/alarms.hpp"

#include "realizations/net/src/asio/sockets.hpp"

#include <utility>

namespace coracle::net {

namespace {

struct Bell {
  Bell(boost::asio::io_context& context, std::function<void()> action)
      : timer(context), ring(std::move(action)) {}

  Timer timer;
  std::function<void()> ring;
  std::uint64_t setting = 0;
};

class AsioAlarm final : public Alarm {
 public:
  AsioAlarm(boost::asio::io_context& context, std::function<void()> ring)
      : bell_(std::make_shared<Bell>(context, std::move(ring))) {}
  ~AsioAlarm() override { set(Time::max()); }

  void set(Time when) override {
    const std::uint64_t setting = ++bell_->setting;
    bell_->timer.cancel();
    if (when == Time::max()) return;
    bell_->timer.expires_at(when);
    bell_->timer.async_wait([bell = bell_, setting](const error_code& error) {
      if (!error && bell->setting == setting) bell->ring();
    });
  }

 private:
  std::shared_ptr<Bell> bell_;
};

class AsioAlarms final : public Alarms {
 public:
  explicit AsioAlarms(boost::asio::io_context& context) : context_(context) {}
  std::unique_ptr<Alarm> make(std::function<void()> ring) override {
    return std::make_unique<AsioAlarm>(context_, std::move(ring));
  }

 private:
  boost::asio::io_context& context_;
};

}  // namespace

std::unique_ptr<Alarms> asio_alarms(boost::asio::io_context& context) {
  return std::make_unique<AsioAlarms>(context);
}

}  // namespace coracle::net
