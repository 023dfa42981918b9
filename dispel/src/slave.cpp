#include "coracle/dispel/slave.hpp"

#include "coracle/endings.hpp"

namespace coracle::dispel {

namespace {

bool is_mine(const MessageView& message) {
  const Content content = message.content();
  if (const auto* changed = content.try_as<detail::Changed>()) return !changed->master;
  return content.type().starts_with(detail::for_slaves) &&
         content.type() != detail::Hire::content_type;
}

}  // namespace

Task<> SlaveAgent::watch_master(Name master, std::uint64_t contract) {
  try {
    co_await watch(master);
  } catch (const Error& error) {
    if (error.errc() != Errc::no_such_agent) throw;
  }
  if (contract_ != contract) co_return;  // the slave serves under another contract now
  contract_ = 0;
  master_ = Name();
  on_master_gone(master);
  if (orphan_ != Orphan::leaves) co_return;
  leaves_ = true;
  const Content changed = Content::of(detail::Changed{false});
  co_await send(self(), changed);
}

Task<> SlaveAgent::on_hire(const Message& message, const detail::Hire& hire) {
  const Name who = message.source().name();
  std::string why;
  if (contract_ != 0 && master_ != who) {
    why = "'" + name().str() + "' serves '" + master_.str() + "' and cannot serve '" + who.str() +
          "', too";
  } else if (has_left_) {
    why = "'" + name().str() + "' serves nobody any more, since its master is gone";
  } else if (hire.takes != takes() || hire.gives != gives()) {
    why = "'" + name().str() + "' makes " + std::string(gives()) + " of " + std::string(takes()) +
          ", and '" + who.str() + "' wants " + hire.gives + " of " + hire.takes;
  }
  if (!why.empty()) {
    if (message.is_request()) co_await refuse(message, why);
    co_return;
  }
  master_ = who;
  contract_ = hire.contract;
  leaves_ = false;
  spawn(watch_master(who, hire.contract));
  const Incarnation life = life_of(*this);
  const Content hired = Content::of(detail::Hired{life.epoch, life.counter});
  co_await reply(message, hired);
}

Task<> SlaveAgent::work_on(const Message& message) {
  const Content tasks = message.content();
  const Address master = message.source();
  std::size_t count = 0;
  const std::uint64_t contract = contract_of(tasks, count);
  if (contract == 0 || contract != contract_) {
    const Content unknown = Content::of(detail::UnknownContract{contract});
    (void)co_await send_result(master, unknown);
    co_return;
  }
  for (std::size_t index = 0; index < count; ++index) {
    if (!slow_) do_one(tasks, index);
    if (slow_) co_await do_one_slowly(tasks, index);
    else co_await yield();  // the master may be gone
    if (contract_ == contract) continue;
    (void)take_results(tasks);
    co_return;
  }
  Content results = take_results(tasks);
  (void)co_await send_result(master, std::move(results));
}

// Replies to masters while the slave works.
Task<> SlaveAgent::answer_masters() {
  const Match hires = of_type(std::string(detail::Hire::content_type));
  for (;;) {
    Message message = co_await receive(hires);
    // If a task kills this slave meanwhile, its successor must not be hired for the same tasks.
    message.acknowledge();
    const Content content = message.content();
    if (const auto* hire = content.try_as<detail::Hire>()) co_await on_hire(message, *hire);
  }
}

Task<> SlaveAgent::work_as_slave() {
  co_await play("slave");
  spawn(answer_masters());
  const Match mine = that(is_mine);
  while (!leaves_) {
    const Message message = co_await receive(mine);
    const Content content = message.content();
    if (content.try_as<detail::Changed>() == nullptr) co_await work_on(message);
  }
  has_left_ = true;
}

}  // namespace coracle::dispel
