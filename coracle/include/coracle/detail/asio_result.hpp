// The parts of <coracle/asio.hpp>: results for which completion handlers wait, and the end of these
// results with their execution context. Only that header includes this one.
#pragma once

#include "coracle/detail/outside.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution/context_as.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/system/system_error.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

namespace coracle::detail {

// The operations that have begun for the handlers of one execution context, which may be destroyed
// before they end.
class Unfinished final : public boost::asio::execution_context::service {
 public:
  class Operation {
   public:
    // Is called when the operation's context is about to be destroyed.
    virtual void abandon() noexcept = 0;

   protected:
    ~Operation() = default;
  };

  static inline boost::asio::execution_context::id id;
  explicit Unfinished(boost::asio::execution_context& owner)
      : boost::asio::execution_context::service(owner) {}

  void add(const std::shared_ptr<Operation>& operation) {
    const std::lock_guard lock(mutex_);
    operations_.emplace(operation.get(), operation);
  }
  // `operation` has ended, and posts its handler; the context stays until end_post().
  void begin_post(Operation* operation) {
    const std::lock_guard lock(mutex_);
    operations_.erase(operation);
    ++posting_;
  }
  void end_post() {
    const std::lock_guard lock(mutex_);
    if (--posting_ == 0) all_posted_.notify_all();
  }
  // Runs a function that would block on a thread of its own; the thread has ended before the
  // context is gone.
  template <class Function>
  void run(Function function) {
    std::list<Helper> over;
    const std::lock_guard lock(mutex_);
    for (auto each = helpers_.begin(); each != helpers_.end();) {
      const auto next = std::next(each);
      if (each->is_done) over.splice(over.end(), helpers_, each);
      each = next;
    }
    for (Helper& each : over) each.thread.join();
    Helper& helper = helpers_.emplace_back();
    helper.thread = std::thread([function = std::move(function), &helper]() mutable {
      std::move(function)();
      helper.is_done = true;
    });
  }

 private:
  struct Helper {
    std::thread thread;
    std::atomic<bool> is_done{false};
  };

  void shutdown() override {
    std::map<Operation*, std::weak_ptr<Operation>> operations;
    std::list<Helper> helpers;
    {
      const std::lock_guard lock(mutex_);
      operations.swap(operations_);
      helpers.swap(helpers_);
    }
    for (const auto& [which, operation] : operations) {
      if (const auto still_there = operation.lock()) still_there->abandon();
    }
    for (Helper& helper : helpers) helper.thread.join();
    std::unique_lock lock(mutex_);
    all_posted_.wait(lock, [this] { return posting_ == 0; });
  }

  std::mutex mutex_;  // guards the members below
  std::condition_variable all_posted_;
  std::size_t posting_ = 0;
  std::map<Operation*, std::weak_ptr<Operation>> operations_;
  std::list<Helper> helpers_;
};

// The context of an executor, or that of the system's threads if the executor has none.
template <class Executor>
boost::asio::execution_context& context_of(const Executor& executor) {
  using Context = boost::asio::execution::context_as_t<boost::asio::execution_context&>;
  if constexpr (boost::asio::can_query<Executor, Context>::value) {
    return boost::asio::query(executor, Context());
  } else {
    return boost::asio::query(boost::asio::system_executor(), boost::asio::execution::context);
  }
}

template <class T>
struct CompletionOf {
  using Signature = void(std::exception_ptr, T);
  static constexpr bool gives_message =
      std::is_same_v<T, Message> || std::is_same_v<T, std::optional<Message>>;
};
template <>
struct CompletionOf<void> {
  using Signature = void(std::exception_ptr);
  static constexpr bool gives_message = false;
};

inline std::exception_ptr aborted() {
  const boost::system::error_code code = boost::asio::error::operation_aborted;
  return std::make_exception_ptr(boost::system::system_error(code));
}

// The result for which a handler waits: the handler is called once, or destroyed with its context.
template <class T, class Handler>
class AsioResult : public Undertaking, public Unfinished::Operation {
  using Associated = boost::asio::associated_executor_t<Handler, boost::asio::system_executor>;
  using Executor = std::decay_t<decltype(boost::asio::prefer(
      std::declval<Associated>(), boost::asio::execution::outstanding_work.tracked))>;
  static Associated executor_of(const Handler& handler) noexcept {
    return boost::asio::get_associated_executor(handler, boost::asio::system_executor());
  }

 public:
  explicit AsioResult(Handler handler)
      : Undertaking(CompletionOf<T>::gives_message),
        executor_(boost::asio::prefer(executor_of(handler),
                                      boost::asio::execution::outstanding_work.tracked)),
        unfinished_(&boost::asio::use_service<Unfinished>(context_of(executor_of(handler)))),
        handler_(std::move(handler)) {}

  // Call it before the operation begins: the operation can then be cancelled, and abandoned.
  // `as_cancelled` is called when it is cancelled.
  template <class Cancel>
  void prepare(Cancel as_cancelled) {
    const auto self = std::static_pointer_cast<AsioResult>(shared_from_this());
    unfinished_->add(self);
    auto slot = boost::asio::get_associated_cancellation_slot(*handler_);
    if (!slot.is_connected()) return;
    slot.assign([weak = std::weak_ptr<AsioResult>(self),
                 as_cancelled](boost::asio::cancellation_type type) {
      if (type == boost::asio::cancellation_type::none) return;
      if (const auto there = weak.lock()) as_cancelled(*there);
    });
  }
  void prepare() {
    prepare([](AsioResult& self) { self.call_off(); });
  }
  // The same, for an operation that cannot be cancelled.
  void prepare_uncancelled() {
    prepare([](AsioResult&) {});
  }

  // Sets the result, before the operation ends.
  template <class Given>
  void put(Given&& value) {
    const std::lock_guard lock(own_mutex_);
    if constexpr (std::is_same_v<T, std::optional<Message>>) {
      if (value) held()->put(*std::move(value));
      else is_empty_ = true;
    } else if constexpr (CompletionOf<T>::gives_message) {
      held()->put(std::forward<Given>(value));
    } else {
      value_.emplace(std::forward<Given>(value));
    }
  }
  // Discards the result, which nobody wants.
  void drop() {
    [[maybe_unused]] const auto dropped = [this] {
      const std::lock_guard lock(own_mutex_);
      return std::exchange(value_, std::nullopt);
    }();
    if (held()) held()->give_back();
  }
  Unfinished* unfinished() noexcept { return unfinished_; }

  void abandon() noexcept override {
    call_off();
    std::unique_lock lock(own_mutex_);
    unfinished_ = nullptr;
    const auto executor = std::exchange(executor_, std::nullopt);
    const auto handler = std::exchange(handler_, std::nullopt);
    lock.unlock();
    drop();
  }

 protected:
  void on_end(std::exception_ptr error) noexcept override {
    const auto self = std::static_pointer_cast<AsioResult>(shared_from_this());
    std::unique_lock lock(own_mutex_);
    error_ = error && is_called_off() ? aborted() : std::move(error);
    if (!handler_) {
      lock.unlock();
      return drop();
    }
    Unfinished& context = *unfinished_;
    context.begin_post(this);
    auto executor = std::exchange(executor_, std::nullopt);
    lock.unlock();
    boost::asio::post(*executor, Completion(self));
    executor.reset();  // its work ends here
    context.end_post();
  }

 private:
  using Value = std::conditional_t<std::is_void_v<T>, char, T>;

  // The handler that is posted. The handler's context may be destroyed before the handler is
  // called.
  class Completion {
   public:
    explicit Completion(std::shared_ptr<AsioResult> result) : result_(std::move(result)) {}
    Completion(Completion&&) noexcept = default;
    ~Completion() {
      if (result_) result_->abandon();
    }
    void operator()() { std::exchange(result_, nullptr)->complete(); }

   private:
    std::shared_ptr<AsioResult> result_;
  };

  void complete() {
    std::unique_lock lock(own_mutex_);
    auto handler = *std::exchange(handler_, std::nullopt);
    auto error = std::exchange(error_, nullptr);
    [[maybe_unused]] std::optional<Value> value;
    if (!error) value.swap(value_);  // with an error, the thread that gave the value drops it
    lock.unlock();
    auto slot = boost::asio::get_associated_cancellation_slot(handler);
    if (slot.is_connected()) slot.clear();
    if constexpr (std::is_void_v<T>) {
      std::move(handler)(std::move(error));
    } else if constexpr (CompletionOf<T>::gives_message) {
      Message message = held()->take();
      if (!error && !message && !is_empty_)
        error = std::make_exception_ptr(
            Error(Errc::stopped,
                  "the message went back to its mailbox, since the node stopped "
                  "before the handler was called"));
      T result;
      if (message) result = std::move(message);
      std::move(handler)(std::move(error), std::move(result));
    } else {
      T result = !error && value ? *std::move(value) : T();
      std::move(handler)(std::move(error), std::move(result));
    }
  }

  std::mutex own_mutex_;  // guards the members below
  std::optional<Executor> executor_;
  Unfinished* unfinished_;
  std::optional<Handler> handler_;
  std::optional<Value> value_;
  std::exception_ptr error_;
  bool is_empty_ = false;  // there is no message, and that is no error
};

}  // namespace coracle::detail
