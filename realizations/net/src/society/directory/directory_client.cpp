#include "directory_client.hpp"

#include "coracle/support/error_texts.hpp"
#include "realizations/net/src/society/home/connectivity.hpp"

#include <exception>
#include <utility>

namespace coracle::society {

namespace {

Result<void> done(const Answer& answer) {
  if (answer.error) return *answer.error;
  return {};
}

Result<Incarnation> life(const Answer& answer) {
  if (answer.error) return *answer.error;
  return life_of_number(answer.value);
}

}  // namespace

DirectoryClient::DirectoryClient(NodeConnectivity& connectivity, NodeEvents& events,
                                 std::vector<std::string> own_endpoints)
    : connectivity_(connectivity),
      own_endpoints_(std::move(own_endpoints)),
      channel_(connectivity.flush_queue()),
      requests_(connectivity, channel_),
      replica_(connectivity, events, channel_),
      attachment_(connectivity, events, channel_, requests_, replica_) {}

template <class Write>
Task<Answer> DirectoryClient::ask(Request request, Write write) {
  if (!detail::is_on_worker())
    throw Error(Errc::wrong_thread,
                "a change of the directory was requested from outside its node; request it in an "
                "agent of that node");
  const auto call = std::make_shared<DirectoryCall>(request);
  FrameWriter out(call->arguments);
  write(out, *call);
  return requests_.answer_to(call);
}

Task<Result<LeaseId>> DirectoryClient::open_lease(std::string identity, Duration term) {
  const Answer answer = co_await ask(Request::open_lease, [&](FrameWriter& out, DirectoryCall&) {
    out.text(identity);
    out.number(static_cast<std::uint64_t>(term.count()));
    NodeInfo info;
    info.endpoints = own_endpoints_;
    write(out, info);
    if (connectivity_.lets_take_over()) out.byte(1);
  });
  if (answer.error) co_return *answer.error;
  co_return answer.value;
}

// The service may not know a lease that has ended here.
Task<Result<void>> DirectoryClient::renew(LeaseId lease) {
  if (replica_.lock()->has_ended(lease)) co_return coracle::detail::lease_ended(lease);
  const Answer answer =
      co_await ask(Request::renew, [&](FrameWriter& out, DirectoryCall&) { out.number(lease); });
  co_return done(answer);
}

// The node ends, so it reports what it has refused since its last report.
Task<Result<void>> DirectoryClient::close_lease(LeaseId lease, EndReason reason) {
  connectivity_.run([this] { replica_.report_refusals(); });
  const Answer answer = co_await ask(Request::close_lease, [&](FrameWriter& out, DirectoryCall&) {
    out.number(lease);
    out.byte(static_cast<std::uint8_t>(reason));
  });
  co_return done(answer);
}

Task<Result<Incarnation>> DirectoryClient::hold(Request how, Claim claim) {
  const Answer answer = co_await ask(how, [&](FrameWriter& out, DirectoryCall& call) {
    call.name = claim.name;
    write(out, claim);
  });
  co_return life(answer);
}

Task<Result<Incarnation>> DirectoryClient::claim(Claim claim) {
  return hold(Request::claim, std::move(claim));
}

Task<Result<Incarnation>> DirectoryClient::take_over(Claim claim) {
  return hold(Request::take_over, std::move(claim));
}

Task<Result<void>> DirectoryClient::leave(Name name, Incarnation incarnation, Ending ending) {
  const Answer answer = co_await ask(Request::leave, [&](FrameWriter& out, DirectoryCall&) {
    out.text(name.view());
    write(out, incarnation);
    write(out, ending);
  });
  co_return done(answer);
}

Task<Result<void>> DirectoryClient::describe(Name name, Incarnation incarnation,
                                             Properties properties) {
  const Answer answer = co_await ask(Request::describe, [&](FrameWriter& out, DirectoryCall&) {
    out.text(name.view());
    write(out, incarnation);
    write(out, properties);
  });
  co_return done(answer);
}

// News of an unknown name may be on its way, behind the message that mentions the name. If the
// service does not answer, the replica decides.
Task<std::optional<Entry>> DirectoryClient::look_up(Name name) {
  const auto known = try_look_up(name);
  if (*known || !detail::is_on_worker()) co_return *known;
  Task<> catching_up = catch_up();
  co_await catching_up;
  co_return *try_look_up(name);
}

Task<> DirectoryClient::catch_up() {
  Task<Answer> asking = ask(Request::catch_up, [](FrameWriter&, DirectoryCall&) {});
  (void)co_await asking;
}

// The service may not know the lease or the name either: then the replica decides.
Task<bool> DirectoryClient::find_speaker(LeaseId lease, Name source) {
  Task<Answer> asking = ask(Request::may_speak, [&](FrameWriter& out, DirectoryCall&) {
    out.number(lease);
    out.text(source.view());
  });
  const Answer answer = co_await asking;
  const SharedReplica::Access known = replica_.lock();
  if (!answer.error && answer.value != 0) known->note_speaker(lease, source);
  co_return known->may_speak_as(lease, source);
}

Task<Result<void>> DirectoryClient::may(Request what, LeaseId lease, Name name) {
  if (!replica_.has_policy()) co_return Result<void>();
  Task<Answer> asking = ask(what, [&](FrameWriter& out, DirectoryCall&) {
    out.number(lease);
    out.text(name.view());
  });
  const Answer answer = co_await asking;
  co_return done(answer);
}

Task<Result<void>> DirectoryClient::may_overhear(LeaseId lease, Name eavesdropper) {
  return may(Request::may_overhear, lease, std::move(eavesdropper));
}

Task<Result<void>> DirectoryClient::may_look(LeaseId lease, Name name) {
  return may(Request::may_look, lease, std::move(name));
}

// Without a policy, the service refuses it.
Task<Result<void>> DirectoryClient::may_operate(LeaseId lease, Name name) {
  Task<Answer> asking = ask(Request::may_operate, [&](FrameWriter& out, DirectoryCall&) {
    out.number(lease);
    out.text(name.view());
  });
  const Answer answer = co_await asking;
  co_return done(answer);
}

bool DirectoryClient::may_speak_as(LeaseId lease, const Name& source) {
  return replica_.lock()->may_speak_as(lease, source);
}

bool DirectoryClient::is_message_store(LeaseId lease) {
  return replica_.lock()->is_message_store(lease);
}

std::optional<std::optional<Entry>> DirectoryClient::try_look_up(const Name& name) {
  return replica_.lock()->look_up(name);
}

Task<std::vector<Entry>> DirectoryClient::search(Query query) {
  co_return replica_.lock()->search(query);
}

Task<std::vector<LeaseId>> DirectoryClient::leases() { co_return replica_.lock()->leases(); }

Task<Result<void>> DirectoryClient::belong(Request how, Name group, Name member) {
  const Answer answer = co_await ask(how, [&](FrameWriter& out, DirectoryCall&) {
    out.text(group.view());
    out.text(member.view());
  });
  co_return done(answer);
}

Task<Result<void>> DirectoryClient::join(Name group, Name member) {
  return belong(Request::join, std::move(group), std::move(member));
}

Task<Result<void>> DirectoryClient::leave_group(Name group, Name member) {
  return belong(Request::leave_group, std::move(group), std::move(member));
}

Task<std::shared_ptr<const std::vector<Name>>> DirectoryClient::members(Name group) {
  co_return replica_.lock()->members(group);
}

// If the service does not answer, it announces what it knows as soon as it does.
Task<Answer> DirectoryClient::follow_all(Name prefix) {
  if (replica_.lock()->follows(prefix)) co_return Answer();
  Task<Answer> asking = ask(Request::follow_all, [&](FrameWriter& out, DirectoryCall& call) {
    out.text(prefix.view());
    call.on_answer = [this, prefix](const Answer& answer) {
      if (!answer.error) replica_.lock()->follow(prefix);
    };
  });
  co_return co_await asking;
}

// The names and groups within the prefix are known when it returns.
Task<std::uint64_t> DirectoryClient::watch(Name prefix, DirectoryWatcher& watcher) {
  const std::uint64_t number = replica_.lock()->watches().add(prefix, watcher);
  std::exception_ptr failure;
  try {
    Task<Answer> following = follow_all(prefix);
    const Answer answer = co_await following;
    if (answer.error && answer.error->errc() == Errc::limit_reached) throw Error(*answer.error);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) {
    Task<> ending = unwatch(number);
    co_await ending;
    std::rethrow_exception(failure);
  }
  co_return number;
}

Task<void> DirectoryClient::unwatch(std::uint64_t watch) {
  SharedReplica::Access known = replica_.lock();
  known->watches().remove(watch, known.lock);
  co_return;
}

Task<Result<void>> DirectoryClient::delegate(Name prefix, std::shared_ptr<Directory>) {
  co_return Error(Errc::unsupported,
                  "'" + prefix.str() +
                      "' cannot be delegated: the society's directory is a service of its own; "
                      "delegate in a local directory");
}

}  // namespace coracle::society
