#include "echo.hpp"
#include "floor/floors.hpp"
#include "harness/figures/timing.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/host.hpp"
#include "harness/machines/shared.hpp"
#include "harness/run/failures.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <string>

#include <sched.h>
#include <unistd.h>

namespace coracle::bench {

namespace {

// Of both processes.
struct Meeting {
  std::atomic<bool> is_open{false};
  std::array<char, 1024> reference{};
};

class EchoServant final : public POA_bench::Echo {
  ::bench::Bytes* bounce(const ::bench::Bytes& thrown) override {
    return new ::bench::Bytes(thrown);
  }
};

// omniORB with its defaults, but on this host only.
CORBA::ORB_var broker() {
  const char* settings[][2] = {{"endPoint", "giop:tcp:127.0.0.1:"}, {nullptr, nullptr}};
  int none = 0;
  return CORBA::ORB_init(none, nullptr, "omniORB4", settings);
}

// Until the other process ends this one.
void answer(Meeting& meeting, int processor) {
  bind_to_processor(processor);
  const CORBA::ORB_var orb = broker();
  const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var adapter = PortableServer::POA::_narrow(root);
  const PortableServer::ObjectId_var id = adapter->activate_object(new EchoServant);
  const PortableServer::POAManager_var manager = adapter->the_POAManager();
  manager->activate();
  const CORBA::Object_var object = adapter->id_to_reference(id);
  const CORBA::String_var text = orb->object_to_string(object);
  std::strncpy(meeting.reference.data(), text.in(), meeting.reference.size() - 1);
  meeting.is_open = true;
  for (;;) pause();
}

Run call(const Meeting& meeting, std::size_t bytes, double interval) {
  const CORBA::ORB_var orb = broker();
  Run run;
  {
    const CORBA::Object_var object = orb->string_to_object(meeting.reference.data());
    const ::bench::Echo_var echo = ::bench::Echo::_narrow(object);
    ::bench::Bytes_var ball = new ::bench::Bytes;
    ball->length(static_cast<CORBA::ULong>(bytes));
    std::memset(ball->get_buffer(), 'x', bytes);
    for (int i = 0; i < 1000; ++i) ball = echo->bounce(ball.in());
    constexpr int batch = 100;
    const Time start = clock_now();
    Time present = start;
    while (present - start < seconds(interval)) {
      for (int i = 0; i < batch; ++i) ball = echo->bounce(ball.in());
      const Time after = clock_now();
      run.samples.push_back(nanoseconds(after - present) / batch);
      run.n += batch;
      present = after;
    }
    run.value = nanoseconds(present - start) / static_cast<double>(run.n);
    if (ball->length() != bytes) throw NotDone("an answer of omniORB is wrong");
  }
  orb->destroy();
  return run;
}

}  // namespace

Run floor_corba_call(std::size_t bytes, double interval, int processor) {
  Shared<Meeting> meeting;
  const Partner partner([&] { answer(*meeting, processor); });
  while (!meeting->is_open) sched_yield();
  try {
    return call(*meeting, bytes, interval);
  } catch (const CORBA::Exception& exception) {
    throw NotDone(std::string("omniORB has failed with CORBA::") + exception._name());
  }
}

}  // namespace coracle::bench
