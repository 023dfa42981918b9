// The content of a message: bytes, a text, or a value as CBOR.
#pragma once

#include "errors.hpp"

namespace coracle::py {

// The content of a post; it lives until the call is over.
class Content {
 public:
  Content(nb::handle value, nb::handle type);
  ~Content();
  Content(const Content&) = delete;
  void put_in(coracle_post& post) const;

 private:
  const void* data_ = nullptr;
  std::size_t size_ = 0;
  const char* type_ = nullptr;
  nb::object type_name_;
  Py_buffer buffer_{};
  coracle_writer* writer_ = nullptr;
};

// A value as CBOR.
class Encoded {
 public:
  explicit Encoded(nb::handle value);
  ~Encoded() { coracle_writer_free(writer_); }
  Encoded(const Encoded&) = delete;
  const void* data = nullptr;
  std::size_t size = 0;

 private:
  coracle_writer* writer_ = nullptr;
};

// The value as one of that type of Python; None is any. Fails with WrongType.
nb::object fit(nb::handle type, nb::object value, const char* what);

inline constexpr const char* value_type = "application/cbor";

nb::bytes to_cbor(nb::handle value);
nb::object from_cbor(const void* data, std::size_t size);

void define_content(nb::module_& module);

}  // namespace coracle::py
