#include "queue.hpp"

#include "caught.hpp"

#include <rapidcheck.h>

#include <sstream>

namespace coracle::conformance {

namespace {

using test::expect;
using test::expect_equal;

// The texts of the messages in a queue, oldest first.
std::string shown(const Queue& queue) {
  std::string texts;
  queue.each([&](const Envelope& envelope) {
    if (!texts.empty()) texts += ' ';
    texts += envelope.text();
  });
  return texts;
}

const std::vector<Wish> five = {{0, 1, "a"}, {1, 1, "b"}, {0, 2, "c"}, {1, 0, "dd"}, {0, 1, "e"}};

using Filled = std::function<void(Queue&, std::vector<Envelope>&)>;

// Runs `use` with a queue that holds the five messages.
std::function<void()> with_five(QueueFactory factory, Filled use) {
  return [factory, use] {
    with_envelopes(five, [&](std::vector<Envelope>& envelopes) {
      const auto queue = factory(Name("sink"));
      for (Envelope& envelope : envelopes) queue->put(std::move(envelope));
      envelopes.clear();
      use(*queue, envelopes);
      while (Envelope rest = queue->take(Match())) envelopes.push_back(std::move(rest));
    });
  };
}

void takes_the_oldest(Queue& queue, std::vector<Envelope>& taken) {
  for (const char* text : {"a", "b", "c", "dd", "e"}) {
    taken.push_back(queue.take(Match()));
    expect(static_cast<bool>(taken.back()), "there is one");
    expect_equal(taken.back().text(), text, "the oldest");
  }
  expect(!queue.take(Match()), "nothing is left");
}

void takes_what_is_asked_for(Queue& queue, std::vector<Envelope>& taken) {
  taken.push_back(queue.take(from("s1")));
  expect_equal(taken.back().text(), "b", "the oldest of s1");
  taken.push_back(queue.take(in_conversation(2)));
  expect_equal(taken.back().text(), "c", "the one of conversation 2");
  taken.push_back(queue.take(from("s0") && in_conversation(1)));
  expect_equal(taken.back().text(), "a", "the oldest of s0 in conversation 1");
  expect(!queue.take(from("s2")), "nothing of s2");
  expect_equal(shown(queue), "dd e", "the rest in its order");
}

void put_back_goes_before_all(Queue& queue, std::vector<Envelope>&) {
  Envelope first = queue.take(Match());
  Envelope second = queue.take(Match());
  queue.put_back(std::move(second));
  queue.put_back(std::move(first));
  expect_equal(shown(queue), "a b c dd e", "as before");
  Envelope middle = queue.take(in_conversation(2));
  queue.put_back(std::move(middle));
  expect_equal(shown(queue), "c a b dd e", "what came back is first");
}

void counts_what_fits(Queue& queue, std::vector<Envelope>& taken) {
  expect_equal(queue.size(), 5u, "messages");
  expect_equal(queue.bytes(), 6u, "bytes");
  expect_equal(queue.count(Match()), 5u, "any");
  expect_equal(queue.count(from("s0")), 3u, "of s0");
  expect_equal(queue.count(in_conversation(1)), 3u, "of conversation 1");
  expect_equal(queue.count(!in_conversation(1) && from("s1")), 1u, "of s1 in another");
  taken.push_back(queue.take(from("s1") && !in_conversation(1)));
  expect_equal(queue.size(), 4u, "messages");
  expect_equal(queue.bytes(), 4u, "bytes");
  expect_equal(queue.count(from("s1")), 1u, "of s1");
}

// The simplest possible queue: the numbers of the messages that it holds.
struct Naive {
  std::deque<std::size_t> held;
  const std::vector<Wish>& wishes;

  bool fits(std::size_t message, unsigned kind, unsigned argument) const {
    const Wish& wish = wishes[message];
    if (kind == 1) return wish.sender % 4 == argument % 4;
    if (kind == 2) return wish.conversation == argument % 3 + 1;
    if (kind == 3) return wish.sender % 4 == argument % 4 && wish.conversation == argument % 3 + 1;
    if (kind == 4) return message % 2 == argument % 2;
    return true;
  }
};

Match match_of(unsigned kind, unsigned argument) {
  const Match sender = from(Name("s" + std::to_string(argument % 4)));
  if (kind == 1) return sender;
  if (kind == 2) return in_conversation(argument % 3 + 1);
  if (kind == 3) return sender && in_conversation(argument % 3 + 1);
  if (kind == 4)
    return that([argument](const MessageView& message) {
      return std::stoul(std::string(message.text())) % 2 == argument % 2;
    });
  return {};
}

struct Move {
  unsigned what = 0, kind = 0, argument = 0;
};

std::ostream& operator<<(std::ostream& out, const Move& move) {
  static constexpr const char* names[] = {"put", "put", "put", "take", "take", "put_back", "count"};
  return out << names[move.what % 7] << '(' << move.kind << ',' << move.argument << ')';
}

// One run of both queues, side by side.
class Race {
 public:
  Race(Queue& queue, std::vector<Envelope>& envelopes, const std::vector<Wish>& wishes)
      : queue_(queue), waiting_(envelopes), naive_{{}, wishes} {}

  void make(const Move& move) {
    if (move.what % 7 < 3) put();
    else if (move.what % 7 < 5) take(move);
    else if (move.what % 7 == 5) put_back();
    expect_equal(queue_.size(), naive_.held.size(), "size");
    const Match match = match_of(move.kind, move.argument);
    std::size_t fitting = 0;
    for (const std::size_t message : naive_.held)
      fitting += naive_.fits(message, move.kind, move.argument);
    expect_equal(queue_.count(match), fitting, "count");
  }

 private:
  void put() {
    if (next_ == waiting_.size()) return;
    queue_.put(std::move(waiting_[next_]));
    naive_.held.push_back(next_++);
  }

  void take(const Move& move) {
    Envelope taken = queue_.take(match_of(move.kind, move.argument));
    auto right = naive_.held.begin();
    while (right != naive_.held.end() && !naive_.fits(*right, move.kind, move.argument)) ++right;
    if (right == naive_.held.end()) return expect(!taken, "nothing fits");
    expect(static_cast<bool>(taken), "something fits");
    expect_equal(taken.text(), std::to_string(*right), "what was taken");
    out_.push_back({*right, std::move(taken)});
    naive_.held.erase(right);
  }

  void put_back() {
    if (out_.empty()) return;
    queue_.put_back(std::move(out_.back().second));
    naive_.held.push_front(out_.back().first);
    out_.pop_back();
  }

  Queue& queue_;
  std::vector<Envelope>& waiting_;
  Naive naive_;
  std::size_t next_ = 0;
  std::vector<std::pair<std::size_t, Envelope>> out_;
};

void race(const QueueFactory& factory, const std::vector<Move>& moves,
          const std::vector<Wish>& wishes) {
  with_envelopes(wishes, [&](std::vector<Envelope>& envelopes) {
    const auto queue = factory(Name("sink"));
    Race both(*queue, envelopes, wishes);
    for (const Move& move : moves) both.make(move);
  });
}

// Long enough for an index to be made and to be dropped again.
void agrees_with_the_simplest_queue(const QueueFactory& factory) {
  auto params = rc::detail::configuration().testParams;
  if (std::getenv("RC_PARAMS") == nullptr) params.maxSuccess = 30 / (test::slowness == 1 ? 1 : 3);
  const auto below = [](unsigned end) { return rc::gen::inRange(0u, end); };
  const auto move = rc::gen::build<Move>(rc::gen::set(&Move::what, below(7)),
                                         rc::gen::set(&Move::kind, below(5)),
                                         rc::gen::set(&Move::argument, below(12)));
  const auto property = [&] {
    const auto moves = *rc::gen::scale(6.0, rc::gen::container<std::vector<Move>>(move));
    std::vector<Wish> wishes;
    for (unsigned i = 0; i < moves.size(); ++i)
      wishes.push_back({i * 7 % 5, i * 5 % 3 + 1, std::to_string(i)});
    race(factory, moves, wishes);
  };
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = "a queue agrees with the simplest queue";
  const auto result = rc::detail::checkTestable(property, metadata, params);
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  test::fail(text.str() + "\nrepeat it with RC_PARAMS=seed=" + std::to_string(params.seed));
}

}  // namespace

std::vector<Proof> queue_proofs(QueueFactory factory) {
  return {
      {"a_take_gives_the_oldest_message", with_five(factory, takes_the_oldest)},
      {"a_directed_take_leaves_the_rest_in_its_place", with_five(factory, takes_what_is_asked_for)},
      {"what_is_put_back_goes_before_all_others", with_five(factory, put_back_goes_before_all)},
      {"counts_sizes_and_bytes_are_exact", with_five(factory, counts_what_fits)},
      {"a_queue_agrees_with_the_simplest_queue_there_is",
       [factory] { agrees_with_the_simplest_queue(factory); }},
  };
}

}  // namespace coracle::conformance
