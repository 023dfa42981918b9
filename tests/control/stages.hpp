// Stages that a test can watch and break.
#pragma once

#include "coracle/dispel/filter.hpp"
#include "coracle/dispel/pipeline.hpp"
#include "coracle/dispel/sink.hpp"
#include "coracle/dispel/source.hpp"
#include "workplace.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace coracle::dispel::test {

// The output, from any thread.
class Collected {
 public:
  void add(std::int64_t item) {
    const std::scoped_lock lock(mutex_);
    items_.push_back(item);
    taken = items_.size();
  }
  void end(const std::string& error) {
    const std::scoped_lock lock(mutex_);
    ++ends_;
    error_ = error;
  }
  std::vector<std::int64_t> items() const {
    const std::scoped_lock lock(mutex_);
    return items_;
  }
  std::string error() const {
    const std::scoped_lock lock(mutex_);
    return error_;
  }
  int ends() const {
    const std::scoped_lock lock(mutex_);
    return ends_;
  }

  std::atomic<std::int64_t> taken{0};
  std::atomic<std::int64_t> given{0};
  std::atomic<std::int64_t> most_ahead{0};
  std::atomic<int> crashes_left{0};
  std::atomic<int> instances{0};

 private:
  mutable std::mutex mutex_;  // guards the members below
  std::vector<std::int64_t> items_;
  std::string error_;
  int ends_ = 0;
};

class Numbers : public Source<std::int64_t> {
 public:
  Numbers(Collected* out, std::int64_t count, Duration each)
      : out_(out), count_(count), each_(each) {}
  Numbers(Collected* out, std::int64_t count) : Numbers(out, count, {}) {}

 protected:
  Task<> produce(std::uint64_t first) override {
    for (auto item = static_cast<std::int64_t>(first); item < count_; ++item) {
      co_await put(item);
      ++out_->given;
      const std::int64_t ahead = out_->given - out_->taken;
      if (ahead > out_->most_ahead) out_->most_ahead = ahead;
      if (each_ > Duration::zero()) co_await pause(each_);
    }
  }

 private:
  Collected* out_;
  std::int64_t count_;
  Duration each_;
};

class Add : public Filter<std::int64_t, std::int64_t> {
 public:
  explicit Add(std::int64_t what) : what_(what) {}

 protected:
  void process(const std::int64_t& item) override { put(item + what_); }

 private:
  std::int64_t what_;
};

// Crashes at every item that is divisible by 10, as often as it may.
class Fragile : public Filter<std::int64_t, std::int64_t> {
 public:
  explicit Fragile(Collected* out) : out_(out) { ++out_->instances; }

 protected:
  void process(const std::int64_t& item) override {
    if (item % 10 == 5 && out_->crashes_left > 0) {
      --out_->crashes_left;
      throw Crash("at item " + std::to_string(item));
    }
    put(std::int64_t{item});
  }

 private:
  Collected* out_;
};

class Collects : public Sink<std::int64_t> {
 public:
  explicit Collects(Collected* out) : out_(out) {}

 protected:
  void consume(const std::int64_t& item) override { out_->add(item); }
  void on_end(const std::string& error) override { out_->end(error); }

 private:
  Collected* out_;
};

// Reports to "main" when the pipeline is over, and how it ended.
class Keeper : public PipelineKeeper {
 public:
  Keeper(Pipeline pipeline, Workplace& workplace, RestartLimit limit = {})
      : PipelineKeeper(std::move(pipeline), limit), workplace_(workplace) {}

  Task<> run() override {
    std::string said = "all is well";
    try {
      co_await PipelineKeeper::run();
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped) throw;
      said = error.sentence();
    }
    co_await send("main", said);
  }

 protected:
  Task<> place(AgentSpec spec, std::unique_ptr<Agent> stage) override {
    co_await workplace_.place(*this, std::move(spec), std::move(stage));
  }

 private:
  Workplace& workplace_;
};

}  // namespace coracle::dispel::test
