#include "coracle/testing/actor.hpp"

#include "coracle/errors.hpp"

namespace coracle::testing {

namespace {

// Notes that the main agent has ended, also when an unfinished frame is destroyed.
class AtEnd {
 public:
  explicit AtEnd(Proceedings* proceedings) : proceedings_(proceedings) {}
  AtEnd(const AtEnd&) = delete;
  ~AtEnd() {
    if (proceedings_ != nullptr) proceedings_->end();
  }

 private:
  Proceedings* proceedings_;
};

bool is_an_end(const Error& error) {
  return error.errc() == Errc::stopped || error.errc() == Errc::fenced;
}

}  // namespace

void Proceedings::note(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  failures_.push_back(text);
  changed_.notify_all();
}

void Proceedings::begin() {
  const std::scoped_lock lock(mutex_);
  ended_ = false;
}

void Proceedings::end() {
  const std::scoped_lock lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

bool Proceedings::wait(std::chrono::seconds limit) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, limit, [this] { return ended_ || !failures_.empty(); });
}

bool Proceedings::over() const {
  const std::scoped_lock lock(mutex_);
  return ended_ || !failures_.empty();
}

bool Proceedings::failed() const {
  const std::scoped_lock lock(mutex_);
  return !failures_.empty();
}

void Proceedings::rethrow() const {
  const std::scoped_lock lock(mutex_);
  if (!failures_.empty()) throw Failure(failures_.front());
}

Task<> Actor::run() {
  const AtEnd at_end(main_ ? &proceedings_ : nullptr);
  std::string wrong;
  try {
    co_await body_(*this);
    co_return;
  } catch (const Crash&) {
    throw;
  } catch (const Failure& failure) {
    wrong = failure.what();
  } catch (const Error& error) {
    if (main_ || !is_an_end(error)) wrong = std::string("left by an error: ") + error.what();
  } catch (const std::exception& error) {
    wrong = std::string("left by an exception: ") + error.what();
  }
  if (wrong.empty()) co_return;
  proceedings_.note(name().str() + ": " + wrong);
  throw Failure(wrong);
}

Task<Address> start(Agent& me, AgentSpec spec, Body body) {
  auto agent = std::make_unique<Actor>(std::move(body), dynamic_cast<Actor&>(me).proceedings());
  co_return co_await me.adopt(std::move(spec), std::move(agent));
}

}  // namespace coracle::testing
