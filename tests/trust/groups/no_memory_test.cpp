// When memory is missing while a member is sent a group's last messages, it receives fewer of them.
#include "coracle/detail/access.hpp"
#include "member.hpp"
#include "runtime/node/node_core.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <functional>
#include <new>
#include <utility>

namespace {

// The number of allocations of this thread that succeed before one fails; negative: all succeed.
thread_local int left_until_failure = -1;

}  // namespace

// If it were inlined, the compiler would warn of a release by free().
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  if (left_until_failure >= 0 && left_until_failure-- == 0) return nullptr;
  return std::malloc(bytes != 0 ? bytes : 1);
}

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (void* const memory = ::operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}

[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace coracle::trust {

using namespace detail;

BOOST_AUTO_TEST_SUITE(no_memory)

BOOST_AUTO_TEST_CASE(whatever_allocation_fails_who_waits_for_last_messages_is_told_once) {
  Lab lab;
  lab.start("late", [](Agent& me) -> Task<> {
    for (;;) co_await me.receive();
  });
  int failures = 0;
  bool has_ended = false;
  lab.start("ann", [&](Agent& me) -> Task<> {
    me.keep_last(group("choir"), 5);
    for (int i = 1; i <= 5; ++i) co_await me.multicast(group("choir"), std::to_string(i));
    const LateJoiners::Owed to{Name("late"), 5};
    const Name choir("choir");
    for (int allowed = 0; !has_ended && allowed < 1000; ++allowed) {
      int calls = 0;
      std::function<void()> done = [&calls] { ++calls; };
      Worker& home = here(me);
      left_until_failure = allowed;
      give_last(home, *detail::Access::mailbox(me), choir, to, std::move(done));
      has_ended = std::exchange(left_until_failure, -1) >= 0;
      failures += has_ended ? 0 : 1;
      BOOST_TEST(calls == 1);
    }
  });
  lab.run(1s);
  BOOST_TEST(has_ended);
  BOOST_TEST(failures > 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
