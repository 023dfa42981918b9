// Masters and slaves of DisPeL.
#include "role.hpp"

#include "coracle/dispel/master.hpp"
#include "coracle/dispel/slave.hpp"

#include <deque>
#include <string>

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

namespace {

class SlaveRole final : public dispel::Slave<Cbor, Cbor>, public RoleActing {
 public:
  explicit SlaveRole(const coracle_slave& slave)
      : Slave(slave.leaves ? dispel::Orphan::leaves : dispel::Orphan::waits),
        takes_(text_of(slave.takes, "coracle_slave: `takes`")),
        gives_(text_of(slave.gives, "coracle_slave: `gives`")),
        table_(slave) {}

  Task<> run() override {
    table_.begin();
    return work_as_slave();
  }

 private:
  Agent& agent() noexcept override { return *this; }
  void retire_role() override {}
  const char* obstacle_to_retire() const noexcept override {
    return "a slave ends with its master or its node; set `leaves`, or end as failed";
  }
  std::string_view takes() const noexcept override { return takes_; }
  std::string_view gives() const noexcept override { return gives_; }

  Task<Cbor> consider(const Cbor& task) override {
    const auto about = std::make_shared<const Cbor>(task);
    const auto show = [this, about](coracle_agent* me, coracle_question* question) {
      table_->work(me, question, about->bytes.data(), about->bytes.size(), table_->context);
    };
    return ask_for<Cbor>("coracle_answer()", about, show);
  }

  const std::string takes_, gives_;
  Functions<coracle_slave> table_;
};

std::vector<Name> names_of(const coracle_texts& texts, const char* what) {
  std::vector<Name> names;
  for (const std::string& each : texts_of(texts, what)) names.emplace_back(each);
  return names;
}

// The parts of a division.
struct Work {
  std::vector<Cbor> tasks;
  dispel::Division how;
  std::string only;
};

class MasterRole final : public dispel::Master<Cbor, Cbor>, public RoleActing {
 public:
  explicit MasterRole(const coracle_master& master)
      : Master(names_of(master.slaves, "coracle_master: `slaves`")),
        task_type_(text_of(master.task_type, "coracle_master: `task_type`")),
        result_type_(text_of(master.result_type, "coracle_master: `result_type`")),
        table_(master) {}

  Task<> run() override {
    table_.begin();
    return jobs_.serve(*this);
  }
  const JobsPtr& jobs() const noexcept { return jobs_.shared(); }

  Task<std::shared_ptr<ResultObject>> do_work(Work work) {
    while (is_busy_) {  // one division after the other
      const detail::Signal turn;
      turns_.push_back(turn);
      detail::SignalWait mine = turn.wait();
      co_await mine;
    }
    const Busy busy(*this);
    std::vector<Cbor> results;
    if (work.only.empty()) {
      Task<std::vector<Cbor>> dividing = divide(std::move(work.tasks), work.how);
      results = co_await dividing;
    } else {
      const Name slave(work.only);
      Task<Cbor> commanding = command(slave, std::move(work.tasks.front()));
      results.push_back(co_await commanding);
    }
    co_return std::make_shared<ResultObject>(std::move(results));
  }

 private:
  // A division is under way as long as this object exists.
  struct Busy {
    explicit Busy(MasterRole& of) noexcept : master(of) { master.is_busy_ = true; }
    Busy(const Busy&) = delete;
    ~Busy() {
      master.is_busy_ = false;
      if (master.turns_.empty()) return;
      master.turns_.front().set();
      master.turns_.pop_front();
    }
    MasterRole& master;
  };

  Agent& agent() noexcept override { return *this; }
  void retire_role() override { jobs_.shared()->close(); }
  std::string_view task_type() const noexcept override { return task_type_; }
  std::string_view result_type() const noexcept override { return result_type_; }

  void on_result(std::uint64_t task, const Cbor& result) override {
    RoleActing::call(table_->result, task, static_cast<const void*>(result.bytes.data()),
                     result.bytes.size(), table_->context);
  }
  void on_progress(std::uint64_t done, std::uint64_t all) override {
    RoleActing::call(table_->progress, done, all, table_->context);
  }
  void on_refusal(const Name& slave, const std::string& why) override {
    RoleActing::call(table_->refusal, slave.str().c_str(), why.c_str(), table_->context);
  }

  const std::string task_type_, result_type_;
  Functions<coracle_master> table_;
  bool is_busy_ = false;
  std::deque<detail::Signal> turns_;
  OwnJobs jobs_;
};

dispel::Shares shares_of(const coracle_division& division) {
  switch (number_of(division.shares)) {
    case CORACLE_GUIDED:
      return dispel::Shares::guided;
    case CORACLE_FIXED:
      return dispel::Shares::fixed;
    case CORACLE_DYNAMIC:
      return dispel::Shares::dynamic;
  }
  fail_argument("coracle_division: `shares` is none of coracle_shares");
}

Work work_of(const coracle_division& division) {
  Work work;
  require_array(division.tasks, division.task_count, "coracle_division: `tasks` is NULL");
  for (std::size_t number = 0; number < division.task_count; ++number) {
    const coracle_value& task = division.tasks[number];
    work.tasks.push_back(cbor_of(task.value, task.size, "a task"));
  }
  if (division.slave != nullptr) {
    work.only = division.slave;
    if (work.only.empty() || work.tasks.size() != 1)
      fail_argument("coracle_division: `slave` is one name, and gets one task");
  }
  work.how.shares = shares_of(division);
  work.how.ordered = division.ordered;
  if (division.chunk != 0) work.how.chunk = division.chunk;
  if (division.most != 0) work.how.most = division.most;
  if (division.ahead != 0) work.how.ahead = division.ahead;
  if (division.attempts != 0) work.how.attempts = division.attempts;
  return work;
}

}  // namespace

}  // namespace coracle::c

coracle_error* coracle_slave_start(coracle_node* node, const coracle_agent_options* options,
                                   const coracle_slave* given) {
  return guarded([&] {
    if (given == nullptr) fail_argument("coracle_slave_start: the slave is NULL");
    const coracle_slave slave = options_of(given, "coracle_slave");
    if (slave.work == nullptr) fail_argument("coracle_slave: `work` is NULL");
    object_of<NodeObject>(node)->node->adopt(spec_of(options), std::make_unique<SlaveRole>(slave));
  });
}

coracle_error* coracle_master_start(coracle_node* node, const coracle_agent_options* options,
                                    const coracle_master* given, coracle_role** out) {
  return guarded([&] {
    if (given == nullptr || out == nullptr)
      fail_argument("coracle_master_start: the master or `out` is NULL");
    const coracle_master master = options_of(given, "coracle_master");
    *out = start_role(node, options, std::make_unique<MasterRole>(master));
  });
}

coracle_error* coracle_master_divide(coracle_role* master, const coracle_division* given,
                                     coracle_result** out, const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    if (given == nullptr) fail_argument("coracle_master_divide: the division is NULL");
    const auto divide = [work = work_of(options_of(given, "coracle_division"))](MasterRole& me) {
      return me.do_work(work);
    };
    act<MasterRole>(master, out, begin, divide);
  });
}
