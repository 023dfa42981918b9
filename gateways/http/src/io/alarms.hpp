// The deadlines of many objects of one loop. An object whose deadline moves to a later time costs
// nothing until the earlier one has passed.
#pragma once

#include "coracle/clock.hpp"

#include <map>
#include <vector>

namespace coracle::http {

class Alarms;

// An object with a deadline; in the alarms of its loop while it has one.
class Alarm {
 public:
  Alarm() = default;
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  // The deadline at this moment; Time::max() if there is none.
  virtual Time deadline() const = 0;
  // The deadline has passed. May destroy this object.
  virtual void on_time(Time now) = 0;

 protected:
  virtual ~Alarm();

 private:
  friend class Alarms;
  Alarms* alarms_ = nullptr;
  std::multimap<Time, Alarm*>::iterator place_;
};

class Alarms {
 public:
  using Place = std::multimap<Time, Alarm*>::iterator;

  // Takes note of an object's deadline.
  void set(Alarm& alarm) {
    const Time when = alarm.deadline();
    if (alarm.alarms_ != nullptr) {
      if (when >= alarm.place_->first) return;
      remove(alarm);
    }
    if (when == Time::max()) return;
    alarm.place_ = all_.emplace(when, &alarm);
    alarm.alarms_ = this;
  }
  void remove(Alarm& alarm) {
    if (alarm.alarms_ == nullptr) return;
    all_.erase(alarm.place_);
    alarm.alarms_ = nullptr;
  }
  // The time at which ring() has something to do.
  Time next() const { return all_.empty() ? Time::max() : all_.begin()->first; }
  // Calls on_time() of those whose deadlines have passed.
  void ring(Time now) {
    while (!all_.empty() && all_.begin()->first <= now) {
      Alarm& alarm = *all_.begin()->second;
      remove(alarm);
      if (alarm.deadline() > now) set(alarm);
      else alarm.on_time(now);
    }
  }

 private:
  std::multimap<Time, Alarm*> all_;
};

inline Alarm::~Alarm() {
  if (alarms_ != nullptr) alarms_->remove(*this);
}

}  // namespace coracle::http
