// Contents, ontologies and interaction protocols of FIPA.
#include "coracle/acl/initiator.hpp"
#include "coracle/acl/ontology/contents.hpp"
#include "coracle/acl/ontology/management.hpp"
#include "table.hpp"

#include <limits>

namespace coracle::test {

namespace {

using namespace acl;

struct Pair {
  static constexpr auto frame = by_order("pair", "first", "second");
  std::optional<int> first;
  std::optional<int> second;
};

Rows of_contents() {
  return {
      {"a content that is not closed", Errc::bad_encoding,
       by([] { sl::content_from("((f (g a)"); }),
       "cannot read a content in FIPA-SL: at byte 1, the parenthesis is not closed; its sender has "
       "to correct it"},
      {"a word that needs quotation marks", Errc::bad_encoding, by([] { sl::term_from("12abc"); }),
       "cannot read a term in FIPA-SL: at byte 0, \"12abc\" is no word, number or date; a word "
       "that "
       "begins with a digit or '-' needs quotation marks; its sender has to correct it"},
      {"an operator with another argument", Errc::bad_options, by([] { sl::compound("not", {7}); }),
       "an expression of SL with the symbol \"not\" cannot be made: the operator 'not' needs a "
       "formula; give other arguments"},
      {"a number that SL does not have", Errc::bad_options,
       by([] { (void)sl::Term(std::numeric_limits<double>::infinity()); }),
       "a number cannot be a term of SL: it is infinite, or no number, or needs more than 63 bits; "
       "give it as a text"},
      {"a date that cannot be written", Errc::bad_options, by([] {
         DateTime date;
         date.month = 100;
         sl::Term term(date);
       }),
       "the date '<...>' cannot be a term of SL: a field has more digits than its place, or the "
       "zone is no letter; correct the date"},
      {"a variable without a name", Errc::bad_options, by([] { sl::Term(sl::Variable{}); }),
       "a variable of SL has no name; give it one"},
      {"a slot without a name", Errc::bad_options, by([] {
         sl::frame("f", {{"", 1}});
       }),
       "the frame \"f\" has a slot without a name; give each slot a name"},
      {"a request that is none", Errc::bad_encoding,
       [] { return error_in(read_request("(done)")); },
       "a content of SL cannot be read: it is no action of an agent; its sender has to correct it"},
      {"a content that is no SL", Errc::bad_encoding, [] { return error_in(read_request("hi")); },
       "a content of SL cannot be read: at byte 0, content begins with '('; its sender has to "
       "correct it"},
  };
}

Rows of_ontologies() {
  return {
      {"a slot that is missing", Errc::bad_encoding,
       by([] { from_term<management::Property>(sl::term_from("(property :value 1)")); }),
       "a term of SL cannot be read: \"property.name\" is missing; its sender has to correct it"},
      {"an argument behind an absent one", Errc::bad_options, by([] {
         to_term(Pair{{}, 2});
       }),
       "the frame 'pair' cannot be written: its arguments go by their order, and 'second' is given "
       "but 'first' is not; give both"},
  };
}

Rows of_protocols() {
  return {
      {"a conversation with nobody", Errc::bad_options,
       [] {
         return error_of_agent([](Agent& me) -> Task<> {
           const acl::Message message;
           (void)co_await request(me, message);
         });
       },
       "a conversation of 'fipa-request' cannot begin: it has no receivers; name at least one"},
      {"a proxy that is none", Errc::bad_encoding, [] { return error_in(read_proxy("(p)")); },
       "the content of a proxy message cannot be read: it is not a description, an action and a "
       "condition; its sender has to correct it"},
  };
}

}  // namespace

Rows rows_of_fipa() { return joined({of_contents(), of_ontologies(), of_protocols()}); }

}  // namespace coracle::test
