// The bit-efficient form of messages, fipa.acl.rep.bitefficient.std (FIPA00069), about half as long
// as the string form. It has room for any text, except that names, addresses, protocols and texts
// of contents have no zero byte. Tests: acl/tests/codecs/bit_efficient_codec_test.cpp.
#pragma once

#include "coracle/acl/limits.hpp"
#include "coracle/acl/message.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace coracle::acl {

class CodeTable;  // private to the library

// The bit-efficient form without code tables, in the order of JADE. Values are written without
// quotes, because JADE would take the quotes for a part of the value.
//
// Fails with Errc::bad_encoding for the messages for which write_string() fails, apart from the
// names of user parameters, and for a zero byte where there is no room for one.
std::string write_bit_efficient(const Message& message);
// Appends that form to `out`. If it fails, `out` is as it was.
void write_bit_efficient_into(std::string& out, const Message& message);

// Reads that form. As JADE means it, the text of a content or of a user parameter is taken as it
// is, and other values lose the quotes around them. Fails with Errc::bad_encoding, whose text gives
// the byte and the reason, and with Errc::too_large.
Message read_bit_efficient(std::string_view bytes, const Limits& limits = {});

// Writes the messages of one direction of a link, with a code table: a text that was sent before
// has one or two bytes. The other side reads all of them, in this order, with a table of the same
// size. As with JADE, contents are in the table, too.
class BitEfficientWriter {
 public:
  // A table with places for 2^`bits` texts, from 8 to 16 bits; else fails with Errc::bad_options.
  explicit BitEfficientWriter(unsigned bits, const Limits& limits = {});
  ~BitEfficientWriter();
  BitEfficientWriter(const BitEfficientWriter&) = delete;
  BitEfficientWriter& operator=(const BitEfficientWriter&) = delete;

  // Appends a message. Its texts enter the table, unless Limits::table_bytes would be exceeded, or
  // `learns` is false: then the message only uses the table. Fails as write_bit_efficient_into();
  // then both the table and `out` are as they were.
  void write_into(std::string& out, const Message& message, bool learns = true);

 private:
  std::unique_ptr<CodeTable> table_;
  Limits limits_;
};

// Reads the messages of one direction of such a link.
class BitEfficientReader {
 public:
  // The same number of bits as the writer has.
  explicit BitEfficientReader(unsigned bits, const Limits& limits = {});
  ~BitEfficientReader();
  BitEfficientReader(const BitEfficientReader&) = delete;
  BitEfficientReader& operator=(const BitEfficientReader&) = delete;

  // Reads the next message. Fails as read_bit_efficient(). After a failure, the tables of both
  // sides may differ: further messages that use the table fail with Errc::bad_encoding.
  Message read(std::string_view bytes);

 private:
  std::unique_ptr<CodeTable> table_;
  Limits limits_;
  bool is_lost_ = false;
};

}  // namespace coracle::acl
