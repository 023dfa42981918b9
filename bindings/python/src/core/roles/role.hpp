// A role: an agent whose functions the library calls, or by which the program acts.
#pragma once

#include "content.hpp"
#include "hub.hpp"
#include "node.hpp"
#include "operation.hpp"
#include "question.hpp"
#include "record.hpp"

#include <deque>
#include <memory>

namespace coracle::py {

// The context of a role's functions. It outlives the role's object where the library still has it.
struct Link {
  virtual ~Link() = default;
  // The node is closed: nothing of Python is needed any more.
  virtual void clear() {}

  struct Part {
    Link* link;
    nb::object name;
  };
  Role* role = nullptr;
  Node* node = nullptr;
  std::deque<Part> parts;  // the functions of a service
};

class Role {
 public:
  Role(nb::object name, nb::object options);
  ~Role() { close(); }
  Role(const Role&) = delete;
  static Role& of(nb::handle self) { return *nb::inst_ptr<Role>(self); }
  static int traverse(PyObject* self, visitproc visit, void* arg);
  static int clear(PyObject* self);

  const nb::object& name() const { return name_; }
  // The hub of the asyncio loop, and the types of what comes and what goes; None is any.
  void prepare(nb::object hub, nb::object takes, nb::object gives);
  // Starts it by `start(node, options, &acting)`; waits for the society, so it is called on a
  // thread of its own. The library has `link` until the agent ends.
  template <class Start>
  void start(Node& node, std::unique_ptr<Link> link, Start start);
  // Begins an operation of a role by which the program acts.
  template <class Call>
  nb::object begin(Gives gives, nb::handle type, Call call) {
    nb::object made = make<Operation>(gives, nb::borrow(self));
    Operation::of(made).type = nb::borrow(type);
    hub().require_here();
    if (acting_ == nullptr) raise(CORACLE_BAD_HANDLE, "this role was not started, or has ended");
    return hub().begin(std::move(made), [&](const coracle_begin* at) { return call(acting_, at); });
  }
  // Ends such a role, after the operations that have begun.
  void close() { coracle_role_free(std::exchange(acting_, nullptr)); }

  // Whether the program has written that function.
  bool has(const char* function) const;
  // The value of bytes that have come, and a value that shall go; WrongType where it does not fit.
  nb::object taken(const void* data, std::size_t size, const char* what) const;
  nb::object given(nb::handle value, const char* what) const;
  // Calls a function of the program. The question may be None.
  void call(nb::handle function, nb::handle arguments, nb::handle question);
  // One of its questions has failed, so its agent ends.
  bool has_failed() const { return has_failed_; }
  // Ends the role in order, or as one that has failed: in a call of the library behind that call,
  // in order also behind the answer to a question that is open, and otherwise in the next call.
  void end(nb::object failure);
  // The agent has ended.
  void on_end();
  Hub& hub() const;
  bool is_here() const;

  nb::handle self;  // of Python; not owned

 private:
  friend class Called;
  friend class Question;
  nb::object call_in_context(nb::handle function, nb::handle arguments);

  nb::object name_, options_, hub_owner_, takes_, gives_, context_, failure_;
  bool was_started_ = false, wants_end_ = false, has_failed_ = false;
  coracle_role* acting_ = nullptr;
  coracle_agent* current_ = nullptr;  // in a call of the library
  std::vector<Question*> open_questions_;
};

// A call of a function by the library, as long as this object exists.
class Called {
 public:
  // Finds the role when the interpreter's lock is held.
  using Find = Role* (*)(void* context, coracle_agent* agent);
  Called(void* context, coracle_agent* agent, Find find = &role_of_link);
  ~Called();
  Called(const Called&) = delete;

  // The program shall answer. Arguments that cannot be read refuse the question.
  template <class Arguments>
  void ask(coracle_question* question, Question::Answer answer, const char* function,
           Arguments arguments) {
    if (role_ == nullptr) return coracle_question_free(question);
    guarded([&] {
      const nb::object asked = make<Question>(question, answer, nb::borrow(role_->self));
      Question::of(asked).note_asked();
      nb::object given;
      try {
        given = arguments();
      } catch (nb::python_error& error) {
        return Question::of(asked).refuse(nb::str(error.value()));
      }
      role_->call(nb::str(function), given, asked);
    });
  }
  // The program is told something.
  template <class Arguments>
  void tell(const char* function, Arguments arguments) {
    if (role_ == nullptr || !role_->has(function)) return;
    guarded([&] { role_->call(nb::str(function), arguments(), nb::none()); });
  }
  // Nothing unwinds into the library.
  template <class What>
  static void guarded(What what) noexcept {
    try {
      what();
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("coracle");
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
      PyErr_WriteUnraisable(nullptr);
    }
  }
  Role* role() const { return role_; }

 private:
  static Role* role_of_link(void* link, coracle_agent*) { return static_cast<Link*>(link)->role; }

  const nb::gil_scoped_acquire held_;
  Role* const role_;
  nb::object owner_;
  bool is_current_ = false;
};

// `end` of a table of functions.
void end_link(void* link);

template <class Start>
void Role::start(Node& node, std::unique_ptr<Link> link, Start start) {
  if (was_started_) raise(CORACLE_BAD_ARGUMENT, "this role has been started before");
  was_started_ = true;
  hub();
  const AgentOptions options(name_, options_);
  coracle_node* const on = node.handle_of_loop();
  if (link) node.keep(*link, *this);
  coracle_error* error = nullptr;
  {
    const nb::gil_scoped_release others_run;
    error = start(on, &options.given, &acting_);
  }
  if (error != nullptr) {
    if (link) node.forget(*link);
    raise(exception_of(error));
  }
  (void)link.release();
}

// Starts a role whose functions are those of `table`: sets the fields that all tables have, and
// calls `start`, which also gives a handle if the program acts by the role.
template <class Table, class... Acting>
void start_with(Node& node, nb::handle self, Table& table,
                coracle_error* (*start)(coracle_node*, const coracle_agent_options*, const Table*,
                                        Acting...),
                std::unique_ptr<Link> link = std::make_unique<Link>()) {
  table.size = sizeof table;
  table.end = &end_link;
  table.context = link.get();
  Role::of(self).start(
      node, std::move(link),
      [&](coracle_node* on, const coracle_agent_options* options, coracle_role** acting) {
        if constexpr (sizeof...(Acting) == 0) return start(on, options, &table);
        else return start(on, options, &table, acting);
      });
}

void define_role(nb::module_& module);
// The functions that start each kind of role, and let it act.
void define_services(nb::module_& module);
void define_evaluators(nb::module_& module);
void define_serving(nb::module_& module);
void define_subsumption(nb::module_& module);
void define_pipelines(nb::module_& module);
void define_councils(nb::module_& module);
void define_contracts(nb::module_& module);
void define_plans(nb::module_& module);

}  // namespace coracle::py
