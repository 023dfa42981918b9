// The fields that docs/trust.md names are those that the readers of the code read. Each sample
// below has the fields of one frame or request in their order, and the page's words for each of
// them. Its reader must accept the whole sample, and must miss each field when the rest of it is
// cut off.
#include "limits/asker.hpp"
#include "member.hpp"

#include "realizations/distributed/src/peer.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <initializer_list>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::trust {

using namespace detail;
using society::Request;

namespace {

using Rows = std::set<std::string>;
using Words = std::initializer_list<const char*>;

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == text.npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

// "copy: target, tap" has two fields: "copy: target" and "copy: tap". An explanation in parentheses
// belongs to no field.
void add_fields(Rows& rows, std::string cell) {
  cell = trimmed(cell.substr(0, cell.find(" (")));
  std::string kind;
  if (const auto colon = cell.find(": "); colon != cell.npos) {
    kind = cell.substr(0, colon + 2);
    cell = cell.substr(colon + 2);
  }
  std::istringstream in(cell);
  for (std::string field; std::getline(in, field, ',');)
    if (!trimmed(field).empty()) rows.insert(kind + trimmed(field));
}

// The fields of each kind in the table under that heading.
std::map<unsigned, Rows> fields_of_the_page(std::string_view heading) {
  std::ifstream in(CORACLE_TRUST_PAGE);
  std::map<unsigned, Rows> fields;
  bool is_there = false;
  unsigned kind = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) is_there = line.substr(3) == heading;
    if (!is_there || !line.starts_with("| ")) continue;
    std::istringstream cells(line.substr(2));
    std::string first, name, field;
    std::getline(cells, first, '|'), std::getline(cells, name, '|'),
        std::getline(cells, field, '|');
    if (first.starts_with('`'))
      kind = static_cast<unsigned>(std::stoul(first.substr(1), nullptr, 16));
    if (kind != 0) add_fields(fields[kind], field);
  }
  return fields;
}

class Sample {
 public:
  Sample() = default;
  explicit Sample(FrameKind kind) {
    FrameWriter(bytes_).byte(static_cast<std::uint8_t>(kind)), end({});
  }
  explicit Sample(Request request) {
    FrameWriter out(bytes_);
    out.byte(static_cast<std::uint8_t>(request));
    out.number(1000);
    end({});
  }
  Sample& byte(std::uint8_t value, Words rows = {}) {
    return FrameWriter(bytes_).byte(value), end(rows);
  }
  Sample& number(std::uint64_t value, Words rows = {}) {
    return FrameWriter(bytes_).number(value), end(rows);
  }
  Sample& text(std::string_view value, Words rows = {}) {
    return FrameWriter(bytes_).text(value), end(rows);
  }
  Sample& name(std::string_view value, Words rows = {}) {
    FrameWriter(bytes_).number(passing_name);
    return text(value, rows);
  }
  template <class Value>
  Sample& value(const Value& what, Words rows = {}) {
    FrameWriter out(bytes_);
    return society::write(out, what), end(rows);
  }
  Sample& mailbox(Words rows = {}) {
    FrameWriter out(bytes_);
    return write_mailbox(out, MailboxOptions()), end(rows);
  }
  // The rest is read as a message is, whose own sample has all its fields.
  Sample& as_message(Words rows) { return is_whole_ = false, end(rows); }
  // The last fields may be left out, all together.
  Sample& or_nothing(std::ptrdiff_t fields = 1) {
    return ends_.erase(ends_.end() - 1 - fields), *this;
  }
  // The frame may end behind its kind.
  Sample& or_empty() { return ends_.erase(ends_.begin()), *this; }

  const Rows& rows() const { return rows_; }
  const Bytes& bytes() const { return bytes_; }
  bool is_whole() const { return is_whole_; }
  // The same without its last fields, each time with one more.
  std::vector<Bytes> cut() const {
    std::vector<Bytes> all;
    for (const std::size_t end : ends_)
      if (end < bytes_.size())
        all.emplace_back(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(end));
    return all;
  }

 private:
  Sample& end(Words rows) {
    ends_.push_back(bytes_.size());
    rows_.insert(rows.begin(), rows.end());
    return *this;
  }

  Bytes bytes_;
  std::vector<std::size_t> ends_;
  Rows rows_;
  bool is_whole_ = true;
};

Sample message_sample() {
  Sample all(message_frame);
  all.name("nobody/ever", {"target", "gap: eavesdropper", "dead letter: target"}).number(1);
  all.number(first_life, {"incarnation"});
  all.byte(has_source | has_fields | has_reply_to | has_asking_life,
           {"sent earlier", "notice: stage or outcome", "copy: kind", "gap: reason"});
  all.name("eve", {"source", "dead letter: source"}).name("eve", {"reply to"});
  all.number(0, {"flags", "reply"}).number(1, {"copy: sequence"}).number(7, {"conversation"});
  all.byte(text_content, {"notice: receiver"});
  all.text("", {"copy: target"}).number(0).number(0).number(0).number(0).number(0).number(0);
  all.number(0, {"gap: count"}).number(0, {"copy: tap", "gap: tap"}).number(0, {"slot"});
  all.number(1)
      .text("eve", {"redirected by"})
      .number(1, {"incarnation that sends the request", "copy: incarnation of the source"});
  return all;
}

std::map<unsigned, Sample> frames() {
  std::map<unsigned, Sample> all;
  const auto sample = [&all](FrameKind kind) -> Sample& { return all[kind] = Sample(kind); };
  all[message_frame] = message_sample();
  sample(reports_frame).or_empty().name("x", {"name"}).byte(0).number(1, {"serials"}).number(1);
  sample(closed_frame).name("x", {"name"}).number(1, {"incarnation"}).byte(0).text("");
  sample(greeting_frame).number(1).byte(0, {"store state"}).or_nothing();
  Sample& tap = sample(tap_frame).number(1).number(1, {"id"}).text("eve", {"eavesdropper"});
  tap.number(1, {"incarnation"}).mailbox({"mailbox"});
  tap.text("").text("").text("").text("").text("").text("").number(0);
  tap.number(50, {"rate"}).byte(1, {"outcomes"}).or_nothing(2);
  sample(no_tap_frame).number(1, {"id"});
  sample(answer_frame).number(1, {"token"}).byte(0, {"store state"}).or_nothing();
  sample(probe_frame).name("x", {"origin"}).number(1, {"token"}).name("x", {"where it is"});
  all[probe_frame].number(0).text("");
  sample(slot_request_frame).name("x", {"target"}).number(1, {"number"}).number(1);
  all[slot_request_frame].byte(has_source).name("eve", {"source"}).as_message({});
  sample(slot_withdrawal_frame).name("x", {"name"}).number(1, {"number"});
  sample(slot_answer_frame).name("x", {"name"}).number(1, {"number"}).byte(0);
  sample(mailbox_frame).name("x", {"name"}).mailbox();
  sample(store_state_frame).byte(0, {"store state"});
  sample(hand_over_frame).number(1).number(1).name("x", {"target"}).as_message({"source"});
  sample(taken_over_frame).number(1, {"number"}).byte(0);
  sample(refused_request_frame).number(1, {"token"});
  sample(denied_frame).number(1, {"token"});
  sample(look_frame).number(1).text("x", {"name"});
  sample(inspection_frame).number(1, {"token"}).number(0).number(0).byte(0, {"agent"}).or_nothing();
  sample(act_frame).number(1).byte(0, {"act"}).text("x", {"name"});
  sample(acted_frame).number(1, {"token"}).byte(0);
  sample(step_frame).number(1).number(1, {"hold"}).byte(1, {"ask"});
  sample(stepped_frame).number(1, {"token"}).byte(0).number(0).number(0).number(0).number(0);
  all[stepped_frame].number(0).number(0);
  sample(store_message_frame).name("x", {"target"}).number(1).number(1).as_message({"source"});
  Sample& last = sample(last_frame).number(1).byte(1, {"does not join", "how often"});
  last.text("choir").text("eve", {"member"}).number(1, {"count"});
  return all;
}

std::map<unsigned, Sample> requests(LeaseId lease) {
  std::map<unsigned, Sample> all;
  const auto sample = [&all](Request request) -> Sample& {
    return all[static_cast<unsigned>(request)] = Sample(request);
  };
  sample(Request::attach).number(0, {"seen", "once"});
  sample(Request::open_lease).text("me", {"identity"}).number(1'000'000'000, {"term"});
  all[2].value(society::NodeInfo()).byte(0, {"lets others take over"}).or_nothing();
  sample(Request::renew).number(lease, {"lease"});
  sample(Request::close_lease).number(lease, {"lease"}).number(0);
  for (const Request request : {Request::claim, Request::take_over}) {
    Sample& one = sample(request).text("a", {"name"}).number(lease, {"lease"}).value(Properties());
    one.value(MailboxOptions());
    if (request == Request::claim) one.value(Incarnation(), {"earlier"});
    else one.value(Incarnation());
  }
  const Words name = {"name"}, life = {"incarnation"};
  sample(Request::leave).text("a", name).value(Incarnation(), life).value(Ending());
  sample(Request::describe).text("a", name).value(Incarnation(), life).value(Properties());
  for (const Request request : {Request::join, Request::leave_group})
    sample(request).text("choir").text("a", {"member"});
  sample(Request::seen).number(0, {"count"});
  for (const Request request : {Request::census, Request::catch_up, Request::moved})
    sample(request);
  for (const Request request : {Request::may_speak, Request::may_overhear, Request::may_look})
    sample(request).number(lease, {"lease"}).text("a", {"name"});
  sample(Request::audit).number(0);
  sample(Request::report_refusals).number(1, {"count"}).number(1);
  all[19].text("host1", {"node"}).text("", {"certificate"}).text("send", {"right"});
  all[19].text("a", {"from"}).text("b", {"to"}).number(1, {"counts"});
  sample(Request::may_operate).number(lease, {"lease"}).text("a", {"name"});
  sample(Request::follow_all).text("a", {"prefix"});
  sample(Request::all_followed);
  return all;
}

void compare(const std::map<unsigned, Sample>& samples, std::string_view heading) {
  const auto page = fields_of_the_page(heading);
  BOOST_TEST(page.size() == samples.size());
  for (const auto& [kind, sample] : samples) {
    BOOST_TEST_REQUIRE(page.contains(kind), "no kind " << kind);
    BOOST_TEST(page.at(kind) == sample.rows(), boost::test_tools::per_element());
  }
}

bool node_refuses(const Bytes& frame) {
  Lab lab;
  const LeaseId eve = lab.join();
  lab.claim(eve, "eve");
  lab.send(eve, frame, {});
  // A tap whose pattern is cut off is denied.
  const bool is_tap = frame.front() == std::byte{tap_frame};
  return lab.is_refused(eve) || (is_tap && lab.count(eve, denied_frame) != 0);
}

bool directory_refuses(const Bytes& frame) {
  ServiceLab lab;
  Asker eve(lab, 1);
  const auto request = static_cast<Request>(frame.front());
  if (request == Request::attach || request == Request::all_followed) eve.ask(Request::moved);
  if (request == Request::all_followed) eve.ask(Request::attach, std::uint64_t{0});
  eve.send(frame);
  lab.run();
  return !eve.ended().empty();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fields)

BOOST_AUTO_TEST_CASE(the_page_has_each_field_of_a_frame_that_names_somebody) {
  const auto all = frames();
  compare(all, "Frames of the core");
  for (const auto& [kind, sample] : all) {
    if (!sample.is_whole()) continue;
    BOOST_TEST(!node_refuses(sample.bytes()), "the whole frame " << kind);
    for (const Bytes& cut : sample.cut())
      BOOST_TEST(node_refuses(cut), "frame " << kind << " of " << cut.size() << " bytes");
  }
}

BOOST_AUTO_TEST_CASE(the_page_has_each_field_of_a_request_that_names_somebody) {
  ServiceLab lab;
  const LeaseId first = Asker(lab, 1).lease();  // each lab gives it out first
  const auto all = requests(first);
  compare(all, "Requests to a directory");
  for (const auto& [kind, sample] : all) {
    BOOST_TEST(!directory_refuses(sample.bytes()), "the whole request " << kind);
    for (const Bytes& cut : sample.cut())
      BOOST_TEST(directory_refuses(cut), "request " << kind << " of " << cut.size() << " bytes");
  }
}

BOOST_AUTO_TEST_CASE(the_page_has_what_goes_between_two_nodes_besides) {
  const std::map<unsigned, Rows> besides = {
      {distributed::leases_frame, {"of the sender", "of the receiver"}},
      {std::to_integer<unsigned>(society::batch_mark), {}}};
  BOOST_TEST(
      (fields_of_the_page("Further frames between nodes of a Distributed society") == besides));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
