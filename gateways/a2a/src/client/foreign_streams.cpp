// The streams of a foreign agent's task: another one goes on where one was lost.
#include "client/foreign_impl.hpp"

#include "server/cards.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace coracle::a2a {

namespace {

// So many streams in a row without a change end the tries; then the task is looked at.
constexpr unsigned most_empty_streams = 5;
constexpr std::size_t longest_number = 20;  // digits below 2^64

bool is_lost(const Error& error) noexcept {
  return error.errc() == Errc::disconnected || error.errc() == Errc::unreachable;
}

bool is_number(std::string_view text) noexcept {
  return !text.empty() && text.size() <= longest_number &&
         text.find_first_not_of("0123456789") == text.npos;
}

// Returns whether the task at the beginning of a stream says that all changes behind the stated
// one follow.
bool has_all_changes(const StreamItem& item) {
  const auto* const task = std::get_if<Task>(&item);
  const Json* const resumed = task == nullptr ? nullptr : task->metadata.find(resume_extension);
  const Json* const lost = resumed == nullptr ? nullptr : resumed->find("lost");
  return lost != nullptr && lost->if_whole() == 0;
}

}  // namespace

// Sends a message, and reads the stream of its task. If that is lost, further ones go on.
coracle::Task<> ForeignAgent::Impl::listen(Errand& errand, SendMessageRequest message) {
  coracle::Task<> beginning = begin(errand, std::move(message));
  co_await beginning;
  unsigned empty = 0;
  while (!errand.task.rests() && !errand.task.id().empty() && empty < most_empty_streams) {
    co_await me_.pause(std::min(options_.poll_time * (1U << empty), left(errand)));
    coracle::Task<> needing = need_card();
    co_await needing;
    coracle::Task<Further> subscribing = subscribe(errand);
    const Further further = co_await subscribing;
    if (further == Further::none) co_return;
    empty = further == Further::news ? 0 : empty + 1;
  }
}

coracle::Task<> ForeignAgent::Impl::begin(Errand& errand, SendMessageRequest message) {
  const http::EventSource events = errand.remote->stream(SendCall{std::move(message), true},
                                                         errand.request.trace(), left(errand));
  coracle::Task<http::Response> answering = events.head();
  const http::Response head = co_await answering;
  errand.remote->check_stream(head);
  coracle::Task<bool> reading = read_stream(errand, events, Begins::with_news);
  (void)co_await reading;
}

// Reads a further stream of the task, if the server has one.
coracle::Task<ForeignAgent::Impl::Further> ForeignAgent::Impl::subscribe(Errand& errand) {
  const std::string after = errand.remote->place().resumes ? errand.last_event : std::string();
  try {
    const http::EventSource events = errand.remote->stream(
        SubscribeRequest{{}, errand.task.id()}, errand.request.trace(), left(errand), after);
    coracle::Task<http::Response> answering = events.head();
    const http::Response head = co_await answering;
    if (!Remote::is_stream(head)) co_return Further::none;
    const bool resumes =
        !after.empty() && head.headers.has_token("A2A-Extensions", resume_extension);
    coracle::Task<bool> reading =
        read_stream(errand, events, resumes ? Begins::where_lost : Begins::with_task);
    const bool has_news = co_await reading;
    co_return has_news ? Further::news : Further::empty;
  } catch (const Error& error) {
    if (!is_lost(error)) throw;
  }
  co_return Further::empty;
}

// Reads a stream until it ends, is lost, or the task waits for its client. Returns whether it had a
// change.
coracle::Task<bool> ForeignAgent::Impl::read_stream(Errand& errand, http::EventSource events,
                                                    Begins begins) {
  bool has_news = false;
  try {
    while (!errand.task.rests()) {
      coracle::Task<std::optional<http::Event>> reading = events.next(left(errand));
      std::optional<http::Event> event = co_await reading;
      if (!event) break;
      if (event->data.empty()) continue;
      StreamItem item = errand.remote->item_in(event->data);
      const Begins what = std::exchange(begins, Begins::with_news);
      if (what == Begins::where_lost) {
        if (has_all_changes(item)) continue;
        errand.last_event.clear();  // the next stream begins with the task as it is
        co_return false;
      }
      has_news = has_news || what == Begins::with_news;
      // The task at the beginning of a further stream contains what was counted before.
      const std::size_t bytes = what == Begins::with_task ? 0 : event->data.size();
      ForeignTask::News news = errand.task.take(std::move(item), bytes);
      if (is_number(event->id)) errand.last_event = std::move(event->id);
      coracle::Task<> telling = tell(errand, std::move(news));
      co_await telling;
    }
  } catch (const Error& error) {
    if (!is_lost(error) || errand.task.id().empty()) throw;
  }
  co_return has_news;
}

}  // namespace coracle::a2a
