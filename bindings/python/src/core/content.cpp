#include "content.hpp"

#include <cstring>
#include <memory>

namespace coracle::py {

namespace {

struct FreeWriter {
  void operator()(coracle_writer* writer) const { coracle_writer_free(writer); }
};
struct FreeReader {
  void operator()(coracle_reader* reader) const { coracle_reader_free(reader); }
};
using Writer = std::unique_ptr<coracle_writer, FreeWriter>;
using Reader = std::unique_ptr<coracle_reader, FreeReader>;

nb::object text_from(const char* text, std::size_t size) {
  PyObject* const made = PyUnicode_DecodeUTF8(text, Py_ssize_t(size), "strict");
  if (made != nullptr) return nb::steal(made);
  PyErr_Clear();
  raise(CORACLE_BAD_ENCODING, "a text of the content is not UTF-8; the content is damaged");
}

[[noreturn]] void fail_type(const char* format, nb::handle value) {
  PyErr_Format(PyExc_TypeError, format, Py_TYPE(value.ptr())->tp_name);
  throw nb::python_error();
}

bool is_dataclass(nb::handle value) {
  return PyObject_HasAttrString(reinterpret_cast<PyObject*>(Py_TYPE(value.ptr())),
                                "__dataclass_fields__");
}

// The library refuses arrays and maps that are nested too deeply, so that these functions end.
void write(coracle_writer* writer, nb::handle value);

void write_integer(coracle_writer* writer, nb::handle value) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (number == -1 && PyErr_Occurred()) throw nb::python_error();
  if (overflow == 0) return check(coracle_write_integer(writer, number));
  const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(value.ptr()) : 0;
  if (overflow < 0 || PyErr_Occurred()) {
    PyErr_Clear();
    raise(CORACLE_BAD_ARGUMENT, "an integer of a content must fit in 64 bits; send it as a str");
  }
  check(coracle_write_unsigned(writer, large));
}

void write_text(coracle_writer* writer, nb::handle text) {
  Py_ssize_t size = 0;
  const char* const utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (utf8 == nullptr) throw nb::python_error();
  check(coracle_write_text(writer, utf8, std::size_t(size)));
}

void write_dict(coracle_writer* writer, nb::handle dict) {
  const std::size_t count = std::size_t(PyDict_Size(dict.ptr()));
  check(coracle_write_map(writer, count));
  Py_ssize_t place = 0;
  PyObject *key = nullptr, *value = nullptr;
  while (PyDict_Next(dict.ptr(), &place, &key, &value)) {
    const nb::object one = nb::borrow(key), other = nb::borrow(value);
    if (!PyUnicode_Check(key) && !PyLong_Check(key) && !PyBytes_Check(key))
      fail_type("a key of a content must be a str, an int or bytes, not %s", one);
    write(writer, one);
    write(writer, other);
  }
  check(coracle_write_end(writer));
}

void write_sequence(coracle_writer* writer, nb::handle sequence) {
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence.ptr());
  check(coracle_write_array(writer, std::size_t(count)));
  for (Py_ssize_t each = 0; each < count && each < PySequence_Fast_GET_SIZE(sequence.ptr()); ++each)
    write(writer, nb::borrow(PySequence_Fast_GET_ITEM(sequence.ptr(), each)));
  check(coracle_write_end(writer));
}

void write_dataclass(coracle_writer* writer, nb::handle value) {
  const nb::dict fields = nb::borrow<nb::dict>(value.attr("__dataclass_fields__"));
  nb::dict present;
  for (auto [name, field] : fields) {
    if (nb::hasattr(value, name)) present[name] = nb::getattr(value, name);
  }
  write_dict(writer, present);
}

void write(coracle_writer* writer, nb::handle value) {
  PyObject* const of = value.ptr();
  if (value.is_none()) return check(coracle_write_null(writer));
  if (PyBool_Check(of)) return check(coracle_write_boolean(writer, of == Py_True));
  if (PyLong_Check(of)) return write_integer(writer, value);
  if (PyFloat_Check(of)) return check(coracle_write_number(writer, PyFloat_AS_DOUBLE(of)));
  if (PyUnicode_Check(of)) return write_text(writer, value);
  if (PyBytes_Check(of))
    return check(coracle_write_bytes(writer, PyBytes_AS_STRING(of), PyBytes_GET_SIZE(of)));
  if (PyByteArray_Check(of))
    return check(coracle_write_bytes(writer, PyByteArray_AS_STRING(of), PyByteArray_GET_SIZE(of)));
  if (PyDict_Check(of)) return write_dict(writer, value);
  if (PyList_Check(of) || PyTuple_Check(of)) return write_sequence(writer, value);
  if (is_dataclass(value)) return write_dataclass(writer, value);
  fail_type(
      "a content cannot hold a value of type %s; use None, bool, int, float, str, bytes, list, "
      "dict or a dataclass",
      value);
}

nb::object read(coracle_reader* reader);

nb::object read_array(coracle_reader* reader) {
  std::size_t count = 0;
  check(coracle_read_array(reader, &count));
  nb::list items;  // a stranger's count reserves no memory
  for (std::size_t each = 0; each < count; ++each) items.append(read(reader));
  check(coracle_read_end(reader));
  return items;
}

nb::object read_map(coracle_reader* reader) {
  std::size_t count = 0;
  check(coracle_read_map(reader, &count));
  nb::dict items;
  for (std::size_t each = 0; each < count; ++each) {
    const nb::object key = read(reader);
    if (PyList_Check(key.ptr()) || PyDict_Check(key.ptr()))
      raise(CORACLE_BAD_ENCODING, "a key of a map is an array or a map; the content is damaged");
    if (items.contains(key))
      raise(CORACLE_BAD_ENCODING, "a map has a key twice; the content is damaged");
    items[key] = read(reader);
  }
  check(coracle_read_end(reader));
  return items;
}

nb::object read_integer(coracle_reader* reader) {
  uint64_t large = 0;
  coracle_error* const error = coracle_read_unsigned(reader, &large);
  if (error == nullptr) return nb::int_(large);
  coracle_error_free(error);  // it is negative
  int64_t number = 0;
  check(coracle_read_integer(reader, &number));
  return nb::int_(number);
}

nb::object read(coracle_reader* reader) {
  coracle_shape shape = CORACLE_SHAPE_NULL;
  check(coracle_read_shape(reader, &shape));
  bool truth = false;
  double number = 0;
  const char* text = nullptr;
  const void* bytes = nullptr;
  std::size_t size = 0;
  switch (shape) {
    case CORACLE_SHAPE_NULL:
      return check(coracle_read_null(reader)), nb::none();
    case CORACLE_SHAPE_BOOLEAN:
      return check(coracle_read_boolean(reader, &truth)), nb::bool_(truth);
    case CORACLE_SHAPE_INTEGER:
      return read_integer(reader);
    case CORACLE_SHAPE_NUMBER:
      return check(coracle_read_number(reader, &number)), nb::float_(number);
    case CORACLE_SHAPE_TEXT:
      return check(coracle_read_text(reader, &text, &size)), text_from(text, size);
    case CORACLE_SHAPE_BYTES:
      return check(coracle_read_bytes(reader, &bytes, &size)), nb::bytes(bytes, size);
    case CORACLE_SHAPE_ARRAY:
      return read_array(reader);
    case CORACLE_SHAPE_MAP:
      return read_map(reader);
    default:
      raise(CORACLE_BAD_ENCODING, "the content ends too early; it is damaged");
  }
}

coracle_writer* open_writer() {
  coracle_writer* writer = nullptr;
  check(coracle_writer_open(&writer));
  return writer;
}

}  // namespace

Content::Content(nb::handle value, nb::handle type) {
  type_ = text_of(type, "type");
  if (PyUnicode_Check(value.ptr())) {
    Py_ssize_t size = 0;
    data_ = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (data_ == nullptr) throw nb::python_error();
    size_ = std::size_t(size);
  } else if (PyObject_CheckBuffer(value.ptr())) {
    if (PyObject_GetBuffer(value.ptr(), &buffer_, PyBUF_SIMPLE) != 0) throw nb::python_error();
    data_ = buffer_.buf;
    size_ = std::size_t(buffer_.len);
    if (type_ == nullptr) type_ = "application/octet-stream";
  } else {
    const Writer writer(open_writer());
    write(writer.get(), value);
    check(coracle_writer_bytes(writer.get(), &data_, &size_));
    if (type_ == nullptr && is_dataclass(value)) {
      type_name_ = nb::getattr(value, "content_type", nb::none());
      type_ = text_of(type_name_, "content_type");
    }
    if (type_ == nullptr) type_ = value_type;
    writer_ = const_cast<Writer&>(writer).release();
  }
}

Content::~Content() {
  if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
  coracle_writer_free(writer_);
}

void Content::put_in(coracle_post& post) const {
  post.content = data_;
  post.content_size = size_;
  post.type = type_;
}

Encoded::Encoded(nb::handle value) {
  Writer writer(open_writer());
  write(writer.get(), value);
  check(coracle_writer_bytes(writer.get(), &data, &size));
  writer_ = writer.release();
}

nb::bytes to_cbor(nb::handle value) {
  const Encoded encoded(value);
  return nb::bytes(encoded.data, encoded.size);
}

nb::object fit(nb::handle type, nb::object value, const char* what) {
  if (!type || type.is_none() || type.ptr() == reinterpret_cast<PyObject*>(Py_TYPE(value.ptr())))
    return value;
  return nb::module_::import_("coracle._typed").attr("build")(type, value, what);
}

nb::object from_cbor(const void* data, std::size_t size) {
  coracle_reader* opened = nullptr;
  check(coracle_reader_open(data, size, &opened));
  const Reader reader(opened);
  nb::object value = read(reader.get());
  check(coracle_read_finish(reader.get()));
  return value;
}

void define_content(nb::module_& module) {
  module.def(
      "to_cbor", &to_cbor, nb::arg("value").none(),
      "The CBOR bytes of a value: None, bool, int, float, str, bytes, list, dict, dataclass.");
  module.def(
      "from_cbor", [](nb::bytes data) { return from_cbor(data.data(), data.size()); },
      nb::arg("data"), "The value of CBOR bytes, which may come from a stranger.");
}

}  // namespace coracle::py
