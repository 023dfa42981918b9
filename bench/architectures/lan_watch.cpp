#include "architectures/lan_watch.hpp"

#include <coracle/typed.hpp>

#include <fmt/format.h>

#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

namespace coracle::bench {

namespace {

using namespace std::chrono_literals;

// A run has to end within 30 seconds of a fault: a round begins every `interval` and takes at most
// `call_limit`. A connection that is not made is given up after five seconds, and tried again.
constexpr Duration interval = 5s;
constexpr Duration probe_limit = 8s;
constexpr Duration call_limit = 12s;
// The time that a worker waits for a call; before the first call, other workers may still be
// missing.
constexpr Duration silence_limit = 20s;
constexpr Duration joining_limit = 3min;
// The guard of a worker that has ended knows better than the overseer why there is no answer.
constexpr Duration for_guards = 500ms;
// The last messages go out meanwhile.
constexpr Duration for_last_words = 300ms;

// A round, as it is sent to a worker that is asked for its part.
struct Call {
  static constexpr std::string_view content_type = "coracle/bench/call/v1";

  std::vector<std::string> workers;
  std::uint32_t which = 0;  // the number of the worker that is called
};

struct Report {
  static constexpr std::string_view content_type = "coracle/bench/report/v1";

  std::vector<std::uint32_t> silent;  // the numbers of the workers that did not answer
  std::uint64_t moves = 0;            // messages that agents of this worker have sent
};

}  // namespace

std::string sentry_name(const std::string& worker) { return worker + "/sentry"; }

struct Sentry::Round {
  explicit Round(Message message) : request(std::move(message)) {}

  Message request;
  Call call;
  std::vector<std::uint32_t> silent;
  std::size_t left = 0;
};

Task<> Sentry::play() {
  Duration limit = joining_limit;
  Time called = now();
  for (;;) {
    std::optional<Message> message = co_await receive(Deadline(called + limit));
    if (!message) {
      end_run(fmt::format("the host that measures, at {}, has been silent for {} s", coordinator_,
                          limit / 1s));
    }
    if (message->conversation() == farewell) {
      const std::string why(message->content().text());
      if (!why.empty()) end_run(why);
      co_return;
    }
    if (message->content().type() == Call::content_type) {
      called = now();
      limit = silence_limit;
      begin_round(std::move(*message));
    } else {
      also(answer(std::move(*message)));
    }
  }
}

void Sentry::begin_round(Message request) {
  const auto round = std::make_shared<Round>(std::move(request));
  round->call = round->request.content().as<Call>();
  const auto count = static_cast<std::uint32_t>(round->call.workers.size());
  round->left = count - 1;
  if (round->left == 0) also(report(round));
  for (std::uint32_t which = 0; which < count; ++which) {
    if (which != round->call.which) also(try_one(round, which));
  }
}

Task<> Sentry::answer(Message probe) {
  sent_ += 1;
  co_await reply(probe, Content());
}

Task<> Sentry::try_one(std::shared_ptr<Round> round, std::uint32_t which) {
  const std::string other = sentry_name(round->call.workers[which]);
  sent_ += 1;
  const Result<Message> answer = co_await ask_result(other, Content(), probe_limit);
  if (!answer) round->silent.push_back(which);
  if (--round->left == 0) co_await report(round);
}

Task<> Sentry::report(std::shared_ptr<Round> round) {
  sent_ += 1;
  Report said{std::move(round->silent), moves_};
  Content content = Content::of(std::move(said));
  co_await reply(round->request, std::move(content));
}

Task<> Officer::break_off(std::string why) {
  co_await tell_all(Content(why));
  end_run(why);
}

Task<> Officer::tell_all(Content why) {
  for (const Station& each : watch_.workers) also(tell(Name(sentry_name(each.name)), why));
  co_await pause(for_last_words);
}

Task<> Officer::tell(Name sentry, Content why) {
  const Result<void> sent = co_await send_result(sentry, std::move(why), farewell);
  static_cast<void>(sent);  // its target may be the worker that is gone
}

Task<> Guard::play() {
  std::string ended = "has ended";
  try {
    const Ending ending = co_await watch(Name(worker_.name));
    ended = to_string(ending.reason);
  } catch (const Error& error) {
    if (watch_.is_closing) co_return;                // this node ends first
    if (error.errc() != Errc::no_such_agent) throw;  // otherwise the target ended before that
  }
  if (!watch_.is_closing) {
    co_await break_off(fmt::format("{} is gone: {}", worker_.to_string(), ended));
  }
}

struct Overseer::Round {
  explicit Round(const std::vector<Station>& workers) : roll_call(workers) {}

  RollCall roll_call;
  Call call;
  std::uint64_t moves = 0;
};

Task<> Overseer::play() {
  begin_round();
  for (;;) {
    const std::optional<Message> end = co_await receive(Deadline(interval));
    if (end && !end->content().text().empty()) {
      co_await tell_all(end->content());
      co_return;
    }
    if (end) break;
    if (!is_calling_) begin_round();
  }
  while (is_calling_) co_await pause(10ms);
  for (const Station& each : watch_.workers) {
    watch_.calls += 2;
    co_await send(each.name, Content(), farewell);
    const std::string sentry = sentry_name(each.name);
    co_await send(sentry, Content(), farewell);
  }
}

void Overseer::begin_round() {
  is_calling_ = true;
  const auto round = std::make_shared<Round>(watch_.workers);
  for (const Station& each : watch_.workers) round->call.workers.push_back(each.name);
  for (std::uint32_t which = 0; which < watch_.workers.size(); ++which) {
    also(call(round, which));
  }
}

Task<> Overseer::call(std::shared_ptr<Round> round, std::uint32_t which) {
  round->call.which = which;
  Content content = Content::of(round->call);
  const std::string sentry = sentry_name(watch_.workers[which].name);
  watch_.calls += 1;
  const Result<Message> answer = co_await ask_result(sentry, std::move(content), call_limit);
  if (answer) {
    const Content said = answer->content();
    const Report& report = said.as<Report>();
    round->roll_call.reported(which, report.silent);
    round->moves += report.moves;
  } else {
    round->roll_call.missed(which);
  }
  if (round->roll_call.is_over()) co_await end_round(round);
}

Task<> Overseer::end_round(std::shared_ptr<Round> round) {
  std::string why = round->roll_call.failure();
  const Duration longest(watch_.longest_silence_ns.load());
  if (longest == Duration()) still_.forget();
  else if (still_.lasts(round->moves + watch_.sent + watch_.beside, now(), longest) && why.empty())
    why = fmt::format("no agent has sent a message for {} s", longest / 1s);
  if (!why.empty()) {
    co_await pause(for_guards);
    co_await break_off(std::move(why));
  }
  is_calling_ = false;
  if (!std::exchange(has_reached_all_, true)) watch_.reached.count_down();
}

Patience::Patience(Duration limit, std::function<std::string()> sentence)
    : thread_([this, limit, sentence = std::move(sentence)] {
        std::unique_lock lock(mutex_);
        if (!over_.wait_for(lock, limit, [this] { return is_over_; })) end_run(sentence());
      }) {}

Patience::~Patience() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_one();
  thread_.join();
}

}  // namespace coracle::bench
