// A question of the library to a role of Python, which answers when it can.
#pragma once

#include "errors.hpp"

namespace coracle::py {

class Role;

class Question {
 public:
  // Gives a value of Python as the answer; throws, and leaves the question open, if it cannot.
  using Answer = void (*)(coracle_question* question, const Role& role, nb::handle value);

  Question(coracle_question* handle, Answer answer, nb::object role)
      : handle_(handle), answer_(answer), role_(std::move(role)) {}
  ~Question() { free(); }
  // The agent of its role asks it, and so can end with its answer.
  void note_asked();
  Question(const Question&) = delete;
  static Question& of(nb::handle self) { return *nb::inst_ptr<Question>(self); }
  static int traverse(PyObject* self, visitproc visit, void* arg);
  static int clear(PyObject* self);

  // Whether somebody still waits for the answer.
  bool is_open() const;
  coracle_question* handle() const { return handle_; }
  const Role& role() const;
  void put(nb::handle item);
  void answer(nb::handle value);
  void refuse(nb::handle reason);
  void fail(nb::handle text);
  void free() { coracle_question_free(take()); }

 private:
  // Takes the handle away; nothing more is done with it.
  coracle_question* take();

  coracle_question* handle_;
  const Answer answer_;
  nb::object role_;
  bool is_noted_ = false;
};

// The answers that several roles give.
void give_value(coracle_question* question, const Role& role, nb::handle value);
void give_done(coracle_question* question, const Role& role, nb::handle value);
// No item, one, or those of an iterator.
void give_items(coracle_question* question, const Role& role, nb::handle value);
void give_reason(coracle_question* question, const Role& role, nb::handle value);
void put_item(coracle_question* question, const Role& role, nb::handle item);
void put_items(coracle_question* question, const Role& role, nb::handle items);

void define_question(nb::module_& module);
void define_layers(nb::class_<Question>& question);

}  // namespace coracle::py
