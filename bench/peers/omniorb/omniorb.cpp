// omniORB (CORBA) over TCP.
//
// Settings: the defaults (no delay, a write for each call), but never more than one thread for a
// connection, because otherwise oneway calls could overtake each other. Ping-pong is a call that
// returns its argument; flood consists of calls that return nothing (oneway). In `couples` that
// many threads call an object each, at the same time, over as many connections; in `collocated` the
// objects are in the process of the callers.
#include "common/peer.hpp"
#include "partner.hh"

#include <future>
#include <string>
#include <vector>

namespace {

class Servant final : public POA_wire::Partner {
 public:
  explicit Servant(const peer::Work& work) : intake_(work) {}

  wire::Ball* bounce(const wire::Ball& thrown) override {
    if (peer::is_farewell(thrown.get_buffer())) {
      end_.set_value(count_);
    } else {
      ++count_;
    }
    return new wire::Ball(thrown);
  }
  void take(const wire::Ball& thrown) override {
    try {
      if (!intake_.take(thrown.get_buffer(), thrown.length())) end_.set_value(intake_.taken());
    } catch (const peer::Failure&) {
      end_.set_exception(std::current_exception());
    }
  }
  // Returns when the farewell has arrived.
  std::uint64_t wait() { return end_.get_future().get(); }
  const peer::Intake& intake() const { return intake_; }

 private:
  peer::Intake intake_;
  std::uint64_t count_ = 0;
  std::promise<std::uint64_t> end_;
};

class Orb {
 public:
  explicit Orb(unsigned connections = 1) {
    const std::string most = std::to_string(connections);
    const char* options[][2] = {{"endPoint", "giop:tcp:127.0.0.1:"},
                                {"maxServerThreadPerConnection", "1"},
                                {"maxGIOPConnectionPerServer", most.c_str()},
                                {nullptr, nullptr}};
    int none = 0;
    orb_ = CORBA::ORB_init(none, nullptr, "omniORB4", options);
  }
  ~Orb() { orb_->destroy(); }
  Orb(const Orb&) = delete;
  Orb& operator=(const Orb&) = delete;

  void serve(Servant& servant, peer::Channel& channel) {
    const CORBA::Object_var object = serve(servant);
    const CORBA::String_var text = orb_->object_to_string(object);
    channel.tell(text.in());
  }
  CORBA::Object_ptr serve(Servant& servant) {
    const CORBA::Object_var root = orb_->resolve_initial_references("RootPOA");
    const PortableServer::POA_var adapter = PortableServer::POA::_narrow(root);
    const PortableServer::ObjectId_var id = adapter->activate_object(&servant);
    const PortableServer::POAManager_var manager = adapter->the_POAManager();
    manager->activate();
    return adapter->id_to_reference(id);
  }
  wire::Partner_var connected(peer::Channel& channel) {
    const CORBA::Object_var object = orb_->string_to_object(channel.hear().c_str());
    return wire::Partner::_narrow(object);
  }

 private:
  CORBA::ORB_var orb_;
};

// CORBA's exceptions do not derive from those of the standard library.
template <class Part>
auto told(const Part& part) {
  try {
    return part();
  } catch (const CORBA::Exception& exception) {
    throw peer::Failure(std::string("CORBA::") + exception._name());
  }
}

wire::Ball ball_of(std::size_t size) {
  wire::Ball ball;
  ball.length(static_cast<CORBA::ULong>(size));
  std::fill_n(ball.get_buffer(), size, static_cast<CORBA::Octet>('x'));
  return ball;
}

void play(peer::Rounds& rounds, const peer::Work& work, wire::Partner_ptr partner) {
  wire::Ball_var ball = new wire::Ball(ball_of(work.size));
  do {
    rounds.stamp(ball->get_buffer());
    ball = partner->bounce(ball.in());
  } while (rounds.take(ball->get_buffer(), ball->length()));
  peer::set_number(ball->get_buffer(), peer::farewell);
  ball = partner->bounce(ball.in());
}

peer::Result ping(peer::Rounds& rounds, const peer::Work& work, peer::Channel& channel) {
  Orb orb;
  return told([&] {
    const wire::Partner_var partner = orb.connected(channel);
    play(rounds, work, partner);
    return rounds.result();
  });
}

void pong(const peer::Work& work, peer::Channel& channel) {
  Orb orb;
  told([&] {
    auto* const servant = new Servant(work);  // the adapter counts its users
    orb.serve(*servant, channel);
    channel.finish(servant->wait());
    servant->_remove_ref();
  });
}

peer::Result drink(const peer::Work& work, peer::Channel& channel) {
  Orb orb;
  return told([&] {
    auto* const servant = new Servant(work);
    orb.serve(*servant, channel);
    servant->wait();
    const peer::Result result = servant->intake().result();
    servant->_remove_ref();
    return result;
  });
}

void pour(const peer::Work& work, peer::Channel& channel) {
  Orb orb;
  told([&] {
    const wire::Partner_var partner = orb.connected(channel);
    wire::Ball ball = ball_of(work.size);
    peer::Source source(work);
    bool goes_on = true;
    while (goes_on) {
      goes_on = source.fill(ball.get_buffer());
      partner->take(ball);
    }
    channel.finish(source.sent());
  });
}

// ── couples ─────────────────────────────────────────────────────────────────────────────────────

// A thread for each caller. The value is the mean of theirs.
peer::Result play_all(const peer::Work& work, const std::vector<wire::Partner_var>& partners,
                      std::uint64_t& count) {
  std::vector<std::future<peer::Rounds>> players;
  for (const wire::Partner_var& partner : partners) {
    players.push_back(std::async(std::launch::async, [&work, &partner] {
      return told([&] {
        peer::Rounds rounds(work);
        play(rounds, work, partner);
        return rounds;
      });
    }));
  }
  std::vector<double> values;
  peer::Result all;
  for (auto& player : players) {
    const peer::Rounds rounds = player.get();
    const peer::Result result = rounds.result();
    count += rounds.played();
    values.push_back(result.value);
    all.value += result.value / static_cast<double>(partners.size());
    all.n += result.n;
  }
  all.p50 = peer::percentile(values, 50);
  all.p99 = peer::percentile(values, 99);
  return all;
}

peer::Result call_couples(const peer::Work& work, peer::Channel& channel, std::uint64_t& count) {
  Orb orb(work.pairs);
  return told([&] {
    std::vector<wire::Partner_var> partners;
    for (unsigned i = 0; i < work.pairs; ++i) {
      channel.tell("next");
      partners.push_back(orb.connected(channel));
    }
    return play_all(work, partners, count);
  });
}

void answer_couples(const peer::Work& work, peer::Channel& channel) {
  Orb orb(work.pairs);
  told([&] {
    std::vector<Servant*> servants;
    for (unsigned i = 0; i < work.pairs; ++i) {
      channel.hear();
      servants.push_back(new Servant(work));
      orb.serve(*servants.back(), channel);
    }
    std::uint64_t count = 0;
    for (Servant* const each : servants) count += each->wait();
    channel.finish(count);
    for (Servant* const each : servants) each->_remove_ref();
  });
}

peer::Result call_collocated(const peer::Work& work, peer::Channel&, std::uint64_t& count) {
  Orb orb;
  return told([&] {
    std::vector<Servant*> servants;
    std::vector<wire::Partner_var> partners;
    for (unsigned i = 0; i < work.pairs; ++i) {
      servants.push_back(new Servant(work));
      const CORBA::Object_var object = orb.serve(*servants.back());
      partners.push_back(wire::Partner::_narrow(object));
    }
    const peer::Result result = play_all(work, partners, count);
    std::uint64_t answered = 0;
    for (Servant* const each : servants) answered += each->wait();
    if (answered != count) throw peer::Failure("a call was not answered");
    for (Servant* const each : servants) each->_remove_ref();
    count = 0;  // of the partner's
    return result;
  });
}

void be_idle(const peer::Work&, peer::Channel& channel) { channel.finish(0); }

std::string version() { return omniORB::versionString(); }

}  // namespace

int main(int argc, char** argv) {
  return peer::run(
      argc, argv,
      {"omniorb",
       version,
       ping,
       pong,
       drink,
       pour,
       {{"couples", {call_couples, answer_couples}}, {"collocated", {call_collocated, be_idle}}}});
}
