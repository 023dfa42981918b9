#include "question.hpp"

#include "content.hpp"
#include "role.hpp"

namespace coracle::py {

int Question::traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(of(self).role_.ptr());
  return 0;
}

int Question::clear(PyObject* self) {
  of(self).free();
  const nb::object role = std::move(of(self).role_);
  return 0;
}

const Role& Question::role() const { return Role::of(role_); }

bool Question::is_open() const {
  bool is_so = false;
  if (handle_ != nullptr) coracle_error_free(coracle_question_is_open(handle_, &is_so));
  return is_so;
}

void Question::note_asked() {
  is_noted_ = true;
  Role::of(role_).open_questions_.push_back(this);
}

coracle_question* Question::take() {
  if (std::exchange(is_noted_, false)) std::erase(Role::of(role_).open_questions_, this);
  return std::exchange(handle_, nullptr);
}

void Question::put(nb::handle item) { put_item(handle_, role(), item); }

void Question::answer(nb::handle value) {
  answer_(handle_, role(), value);
  (void)take();
}

void Question::refuse(nb::handle reason) {
  const char* const text = text_of(reason, "reason");
  coracle_error_free(coracle_question_refuse(take(), text));
}

void Question::fail(nb::handle text) {
  const char* const why = text_of(text, "text");
  Role::of(role_).has_failed_ = true;
  coracle_error_free(coracle_question_fail(take(), why));
}

void give_value(coracle_question* question, const Role& role, nb::handle value) {
  const Encoded encoded(role.given(value, "the answer"));
  check(coracle_answer(question, encoded.data, encoded.size));
}

void give_done(coracle_question* question, const Role&, nb::handle) {
  check(coracle_answer_done(question));
}

void put_item(coracle_question* question, const Role& role, nb::handle item) {
  const Encoded encoded(role.given(item, "the item"));
  check(coracle_question_put(question, encoded.data, encoded.size));
}

void put_items(coracle_question* question, const Role& role, nb::handle items) {
  if (items.is_none()) return;
  if (!PyIter_Check(items.ptr())) return put_item(question, role, items);
  for (nb::handle each : nb::iter(items)) put_item(question, role, each);
}

void give_items(coracle_question* question, const Role& role, nb::handle value) {
  put_items(question, role, value);
  check(coracle_answer_done(question));
}

void give_reason(coracle_question* question, const Role&, nb::handle value) {
  check(coracle_answer_text(question, text_of(value, "the reason")));
}

void define_question(nb::module_& module) {
  static PyType_Slot slots[] = {{Py_tp_traverse, (void*)Question::traverse},
                                {Py_tp_clear, (void*)Question::clear},
                                {0, nullptr}};
  nb::class_<Question> question(module, "Question", nb::is_final(), nb::type_slots(slots),
                                "A question of the library to a role, which answers once.");
  question.def_prop_ro("is_open", &Question::is_open, "Whether somebody waits for the answer.")
      .def("put", &Question::put, nb::arg("item").none(), "Puts an item into the answer.")
      .def("answer", &Question::answer, nb::arg("value").none(), "Answers.")
      .def("refuse", &Question::refuse, "There is no answer, for that reason.")
      .def("fail", &Question::fail, "The role has failed at it.")
      .def("free", &Question::free, "Drops it; without an answer, that is a failure.");
  define_layers(question);
}

}  // namespace coracle::py
