#include "stages.hpp"

#include "coracle/dispel/filter.hpp"
#include "coracle/dispel/sink.hpp"
#include "coracle/dispel/source.hpp"

#include <memory>
#include <string>
#include <utility>

namespace coracle::c {

namespace {

// The part that all stages have. Derived is a stage of C++.
template <class Derived>
class StageRole : public Derived, public RoleActing {
 public:
  StageRole(std::string takes, std::string gives, SharedContextPtr context)
      : context_(std::move(context)), takes_(std::move(takes)), gives_(std::move(gives)) {}

  std::string_view takes() const noexcept final { return takes_; }
  std::string_view gives() const noexcept final { return gives_; }

 protected:
  // Asks about one item, or about nothing; returns the items that were put. A refusal ends the
  // stream.
  Task<std::vector<Question::Item>> ask_about(std::shared_ptr<const void> about,
                                              Question::Takes takes, Show show) {
    std::vector<Question::Item> items;
    std::string why;
    try {
      const auto question = std::make_shared<Question>(typeid(Done), "coracle_answer_done()",
                                                       std::move(about), takes);
      Task<> asking = RoleActing::ask(question, std::move(show));
      co_await asking;
      (void)question->take();
      items = question->take_items();
    } catch (const Refused& refused) {
      why = refused.what();
    }
    if (!why.empty()) this->fail(std::move(why));
    co_return items;
  }

 private:
  Agent& agent() noexcept final { return *this; }
  void retire_role() override { this->cancel(); }
  void fail_role(const std::string& why) final { this->fail(why); }

  const SharedContextPtr context_;
  const std::string takes_, gives_;
};

const char* reason_in(const std::string& error) { return error.empty() ? nullptr : error.c_str(); }

class SourceRole final : public StageRole<dispel::Source<Cbor>> {
 public:
  SourceRole(const coracle_source& source, const std::string& gives, SharedContextPtr context)
      : StageRole({}, gives, std::move(context)), table_(source) {}

 private:
  Task<> produce(std::uint64_t first) override {
    table_.begin();
    for (std::uint64_t next = first;;) {
      const auto show = [this, next](coracle_agent* me, coracle_question* question) {
        table_->produce(me, question, next, table_->context);
      };
      Task<std::vector<Question::Item>> asking = ask_about(nullptr, Question::Takes::items, show);
      std::vector<Question::Item> items = co_await asking;
      next += items.size();
      for (Question::Item& each : items) {
        auto putting = put(std::move(each.value));
        co_await putting;
      }
      if (items.empty() || is_last_) co_return;
    }
  }
  // The items of this answer come before the end.
  void retire_role() override { is_last_ = true; }

  bool is_last_ = false;
  Functions<coracle_source> table_;
};

class FilterRole final : public StageRole<dispel::Filter<Cbor, Cbor>> {
 public:
  FilterRole(const coracle_filter& filter, const std::string& takes, const std::string& gives,
             SharedContextPtr context)
      : StageRole(takes, gives, std::move(context)), table_(filter) {}

  Task<> run() override {
    table_.begin();
    return work_as_stage();
  }

 private:
  Task<> consider(const Cbor& item) override {
    const auto about = std::make_shared<const Cbor>(item);
    const auto show = [this, about](coracle_agent* me, coracle_question* question) {
      table_->process(me, question, about->bytes.data(), about->bytes.size(), table_->context);
    };
    Task<std::vector<Question::Item>> asking = ask_about(about, Question::Takes::items, show);
    std::vector<Question::Item> items = co_await asking;
    for (Question::Item& each : items) put(std::move(each.value));
  }
  void finish(const std::string& error) override {
    if (table_->finish == nullptr) return;
    const auto last = std::make_shared<Question>(typeid(Done), "coracle_answer_done()", nullptr,
                                                 Question::Takes::items);
    last->ask_by_role(nullptr);  // the stage ends in any case
    coracle_question* const handle = new_handle(last);
    call(table_->finish, handle, reason_in(error), table_->context);
    (void)remove_handle<Question>(handle);  // unless it was answered
    for (Question::Item& each : last->take_items()) put(std::move(each.value));
  }

  Functions<coracle_filter> table_;
};

class SinkRole final : public StageRole<dispel::Sink<Cbor>> {
 public:
  SinkRole(const coracle_sink& sink, const std::string& takes, SharedContextPtr context)
      : StageRole(takes, {}, std::move(context)), table_(sink) {}

  Task<> run() override {
    table_.begin();
    return work_as_stage();
  }

 private:
  Task<> consider(const Cbor& item) override {
    const auto about = std::make_shared<const Cbor>(item);
    const auto show = [this, about](coracle_agent* me, coracle_question* question) {
      table_->consume(me, question, about->bytes.data(), about->bytes.size(), table_->context);
    };
    Task<std::vector<Question::Item>> asking = ask_about(about, Question::Takes::nothing, show);
    (void)co_await asking;
  }
  void on_end(const std::string& error) override {
    call(table_->finish, reason_in(error), table_->context);
  }

  Functions<coracle_sink> table_;
};

// Stands for a stage that another process makes.
class Elsewhere final : public dispel::PipelineAgent {
 public:
  Elsewhere(std::string takes, std::string gives)
      : takes_(std::move(takes)), gives_(std::move(gives)) {}
  std::string_view takes() const noexcept override { return takes_; }
  std::string_view gives() const noexcept override { return gives_; }
  Task<> run() override {
    throw Failure(CORACLE_BAD_ARGUMENT,
                  "a stage without functions is to be made by another process; leave its part out "
                  "of `only` and `stand_in_for`");
    co_return;
  }

 private:
  // None of these is called, because run() does not work.
  std::uint32_t work_quickly(const dispel::detail::Work&) override { return 0; }
  Task<> work_slowly(const dispel::detail::Work&) override { co_return; }
  const dispel::detail::Head* head_of(const Content&, std::size_t&) const override {
    return nullptr;
  }
  bool take_output(std::size_t, std::vector<std::uint64_t>, std::vector<dispel::detail::Run>&,
                   Content&) override {
    return false;
  }
  Task<> at_end(const std::string&, std::uint64_t) override { co_return; }

  const std::string takes_, gives_;
};

}  // namespace

dispel::Pipeline::Factory factory_of(const coracle_part& stage, const SharedContextPtr& context) {
  const int roles = (stage.source != nullptr) + (stage.filter != nullptr) + (stage.sink != nullptr);
  if (roles > 1) fail_argument("coracle_part: set one of `source`, `filter` and `sink`, or none");
  if (stage.source != nullptr) {
    const coracle_source source = options_of(stage.source, "coracle_source");
    if (source.produce == nullptr) fail_argument("coracle_source: `produce` is NULL");
    return [source, gives = std::string(text_of(source.gives, "coracle_source: `gives`")),
            context] { return std::make_unique<SourceRole>(source, gives, context); };
  }
  if (stage.filter != nullptr) {
    const coracle_filter filter = options_of(stage.filter, "coracle_filter");
    if (filter.process == nullptr) fail_argument("coracle_filter: `process` is NULL");
    return [filter, takes = std::string(text_of(filter.takes, "coracle_filter: `takes`")),
            gives = std::string(text_of(filter.gives, "coracle_filter: `gives`")),
            context] { return std::make_unique<FilterRole>(filter, takes, gives, context); };
  }
  if (stage.sink != nullptr) {
    const coracle_sink sink = options_of(stage.sink, "coracle_sink");
    if (sink.consume == nullptr) fail_argument("coracle_sink: `consume` is NULL");
    return [sink, takes = std::string(text_of(sink.takes, "coracle_sink: `takes`")), context] {
      return std::make_unique<SinkRole>(sink, takes, context);
    };
  }
  const std::string takes = stage.takes == nullptr ? "" : stage.takes;
  const std::string gives = stage.gives == nullptr ? "" : stage.gives;
  if (takes.empty() && gives.empty())
    fail_argument("coracle_part: a stage that another process makes needs `takes` or `gives`");
  return [takes, gives] { return std::make_unique<Elsewhere>(takes, gives); };
}

}  // namespace coracle::c
