// The forms of messages and envelopes of FIPA.
#include "coracle/acl/bit_efficient_codec.hpp"
#include "coracle/acl/envelope_codec.hpp"
#include "coracle/acl/string_codec.hpp"
#include "coracle/acl/xml_codec.hpp"
#include "table.hpp"

namespace coracle::test {

namespace {

using namespace acl;

Rows of_reading() {
  return {
      {"a text that is no message", Errc::bad_encoding, by([] { read_string("hello"); }),
       "cannot read the string form of a message: at byte 0, there is no '('"},
      {"a performative that is not there", Errc::bad_encoding, by([] { read_string("(shout)"); }),
       "cannot read the string form of a message: at byte 1, there is no performative \"shout\""},
      {"bytes that are no message", Errc::bad_encoding, by([] { read_bit_efficient("(inform)"); }),
       "cannot read the bit-efficient form of a message: at byte 0, 0x28 is no beginning of a "
       "message; it must be 0xfa, 0xfb or 0xfc"},
      {"XML with a document type", Errc::bad_encoding, by([] { read_xml("<!DOCTYPE a><a/>"); }),
       "cannot read the XML form of a message: at byte <n>, there is a document type, which is not "
       "allowed, because it can define entities"},
      {"an envelope that is no XML", Errc::bad_encoding,
       by([] { read_envelope_xml("<envelope>"); }),
       "cannot read the XML form of an envelope: at byte 10, it is no XML that can be read (no "
       "element found)"},
      {"an envelope that is cut off", Errc::bad_encoding, by([] { read_envelope_bits("\xfe"); }),
       "cannot read the bit-efficient form of an envelope: at byte 1, the input is cut off"},
      {"a message that is too large", Errc::too_large,
       by([] { read_string("(inform)", {.bytes = 7}); }),
       "cannot read the string form of a message: it has more than 7 bytes; raise the limit, or "
       "ask "
       "the sender for less"},
      {"a message after a refused one", Errc::bad_encoding, by([] {
         BitEfficientReader reader(8);
         (void)error_from([&] { reader.read("\xfb"); });
         reader.read("\xfb");
       }),
       "cannot read the bit-efficient form of a message: at byte 0, the code table cannot be used, "
       "because an earlier message was refused; begin again on both sides"},
  };
}

Rows of_writing() {
  return {
      {"a receiver without a name", Errc::bad_encoding,
       by([] { write_string({.receivers = {{}}}); }),
       "cannot write the string form of a message: an agent has no name; give it one"},
      {"a parameter that is no word", Errc::bad_encoding, by([] {
         write_string({.user = {{"a b", ""}}});
       }),
       "cannot write the string form of a message: the user parameter \"a b\" is not one word of "
       "ASCII; give it another name"},
      {"a control character in XML", Errc::bad_encoding, by([] { write_xml({.content = "\x01"}); }),
       "cannot write the XML form of a message: the text \"\\x01\" has bytes that XML cannot have; "
       "send them as bytes"},
      {"an envelope without a date", Errc::bad_encoding, by([] { write_envelope_bits({}); }),
       "cannot write the bit-efficient form of an envelope: the envelope has no date, which this "
       "form needs; give it one"},
      {"a code table that is too small", Errc::bad_options,
       by([] { BitEfficientWriter writer(7); }),
       "a code table cannot have 2^7 places; give a number from 8 to 16"},
  };
}

}  // namespace

Rows rows_of_acl() { return joined({of_reading(), of_writing()}); }

}  // namespace coracle::test
