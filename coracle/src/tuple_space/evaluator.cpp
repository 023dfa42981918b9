#include "coracle/evaluator.hpp"

#include "coracle/acquaintances.hpp"
#include "coracle/errors.hpp"
#include "coracle/typed.hpp"

namespace coracle {

using detail::EvalDone;
using detail::EvalJob;
using detail::EvalOffer;

namespace detail {

void fail_arguments(const TupleFields& wanted, const TupleFields& got) {
  throw Error(Errc::wrong_type, "it takes " + to_string(wanted) + ", not " + to_string(got));
}

}  // namespace detail

Evaluator::Evaluator(Name space, EvaluatorOptions options)
    : space_(std::move(space)), options_(options) {}

Evaluator::~Evaluator() = default;

Task<> Evaluator::offer_all(std::uint64_t life) {
  EvalOffer offer;
  offer.life = life;
  offer.at_once = options_.at_once;
  for (const auto& [name, evaluation] : functions_) offer.functions.push_back(name);
  const Content content = Content::of(std::move(offer));
  const Result<void> sent = co_await send_result(space_, content);
  if (sent) co_return;
  const Errc errc = sent.error().errc();
  if (errc == Errc::stopped || errc == Errc::fenced) throw sent.error();
}

Task<> Evaluator::evaluate(Address space, EvalJob job) {
  EvalDone done;
  done.life = job.life;
  done.job = job.job;
  const auto known = functions_.find(job.function);
  if (known == functions_.end()) {
    done.failure = "'" + name().str() + "' does not offer it";
  } else {
    try {
      Task<TupleFields> evaluation = known->second(*this, std::move(job.arguments));
      done.tuple = co_await evaluation;
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped || error.errc() == Errc::fenced) throw;
      done.failure = error.sentence();
    } catch (const std::exception& error) {
      done.failure = error.what();
      if (done.failure.empty()) done.failure = "it failed without an error text";
    }
  }
  const Content content = Content::of(std::move(done));
  co_await send(space, content);
}

Task<> Evaluator::work_as_evaluator() {
  const std::uint64_t life = new_conversation();
  std::vector<Name> spaces = {space_};
  Acquaintances known = co_await acquaint(spaces);
  const Address space = find(space_);
  (void)co_await known.all_here(options_.offers_again);
  const Match jobs = of_type(std::string(content_type_of<EvalJob>()));
  Time next{};
  for (;;) {
    if (now() >= next) {
      if (known.here(space)) co_await offer_all(life);
      next = now() + options_.offers_again;
    }
    std::optional<Message> message = co_await receive(jobs, Deadline(next));
    if (!message) continue;
    const Content content = message->content();
    const auto* job = content.try_as<EvalJob>();
    if (job != nullptr && job->life == life) spawn(evaluate(message->source(), *job));
  }
}

}  // namespace coracle
