// The recorded bytes of version 1: they are accepted, and produced again.
// Format: docs/wire.md
#include "realizations/net/src/handshake.hpp"
#include "support/side.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <map>
#include <sstream>

namespace coracle::net::test {
namespace {

using Bytes = std::vector<std::byte>;

// Reads the vectors of a file: lines "name: hex"; "#" begins a comment, and a line that begins with
// a space continues the last one.
std::map<std::string, Bytes> golden(const std::string& file) {
  std::ifstream in(std::string(CORACLE_NET_TESTS) + "/golden/" + file);
  BOOST_REQUIRE_MESSAGE(in.good(), file << " cannot be read");
  std::map<std::string, Bytes> result;
  std::string line, name;
  while (std::getline(in, line)) {
    line = line.substr(0, line.find('#'));
    std::istringstream words(line);
    if (!line.empty() && line[0] != ' ') {
      std::getline(words, name, ':');
      result[name];
    }
    for (std::string pair; words >> pair;)
      result[name].push_back(static_cast<std::byte>(std::stoi(pair, nullptr, 16)));
  }
  return result;
}

std::string hex(ByteSpan bytes) {
  std::string result;
  for (const std::byte each : bytes) {
    char two[4];
    std::snprintf(two, sizeof two, "%02x ", static_cast<unsigned>(each));
    result += two;
  }
  return result;
}

Bytes joined(ByteSpans parts) {
  Bytes result;
  for (const auto part : parts) result.insert(result.end(), part.begin(), part.end());
  return result;
}

void check_equal(const Bytes& made, const Bytes& recorded, const std::string& name) {
  BOOST_TEST(made == recorded, name << " is\n" << hex(made) << "\nand was\n" << hex(recorded));
}

// Notes all events, a line each.
class Notes final : public SessionEvents {
 public:
  void on_arrived(const Arrived& it) override {
    text << "arrived " << it.seq << ' ' << view(it.header) << '|' << view(it.content) << '\n';
  }
  void on_credit() override { text << "credit\n"; }
  void on_open(Opening how) override { text << "open " << static_cast<int>(how) << '\n'; }
  void on_lost(const Closing&) override { text << "lost\n"; }
  void on_restarted() override { text << "restarted\n"; }
  void on_suspected() override { text << "suspected\n"; }
  void on_trusted() override { text << "trusted\n"; }
  void on_gone(const Closing&) override { text << "gone\n"; }
  std::ostringstream text;

 private:
  static std::string_view view(ByteSpan bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

Identity who(std::string node, Epoch epoch) {
  Identity result;
  result.society = "lab";
  result.node = std::move(node);
  result.epoch = epoch;
  result.anybody = true;
  return result;
}

constexpr Epoch ann_epoch{0x1122334455667788, 3}, bob_epoch{0x99aabbccddeeff00, 0};

// Ann dials bob: each step's bytes, by name.
struct Talk {
  Talk() : ann_self(who("ann", ann_epoch)), bob_self(who("bob", bob_epoch)) {}

  std::map<std::string, Bytes> greet() {
    std::map<std::string, Bytes> said;
    const SessionOptions options;
    auto ann = Handshake::dial(ann_self, nobody, "bob", 5, options.largest);
    auto bob = Handshake::accept(bob_self, nobody, options.largest);
    said["ann greets"] = ann.take();
    bob.received(said["ann greets"]);
    bob.answer(300);
    said["bob answers"] = bob.take();
    ann.received(said["bob answers"]);
    // The session follows, and takes these bytes.
    const std::byte resume[] = {static_cast<std::byte>(FrameType::resume)};
    BOOST_TEST(bob.received(resume) == 0u);
    BOOST_REQUIRE(ann.done().has_value());
    BOOST_REQUIRE(bob.done().has_value());
    to_bob = *ann.done();
    to_ann = *bob.done();
    return said;
  }

  // Returns the bytes that ann sends in a session with bob, whose bytes are `from_bob`.
  std::map<std::string, Bytes> speak(std::map<std::string, Bytes>& from_bob, Notes& notes) {
    std::map<std::string, Bytes> said;
    const Time now{std::chrono::seconds(7)};
    Session ann(SessionOptions(), ann_epoch, 5, notes, now);
    const auto take = [&](const char* name) {
      said[name] = joined(ann.take(now));
      if (ann.is_writing()) ann.written(now);
    };
    const auto receive = [&](const char* name) {
      const Bytes& bytes = from_bob[name];
      BOOST_TEST(ann.received(bytes, now) == bytes.size());
      BOOST_TEST(!ann.closing().has_value(), (ann.closing() ? ann.closing()->sentence : ""));
    };
    ann.attach(Session::Side::dialled, to_bob, now);
    take("ann resumes");
    receive("bob resumes");
    take("ann starts");
    ann.send(bytes_of("to: carl"), Content("hello, carl"));
    ann.send(bytes_of("to: dora"), Content(""));
    take("ann sends");
    ann.send(bytes_of("to: carl"), Content(pattern(70'000)));
    said["ann sends much"] = joined(ann.take(now));
    said["ann sends much"].resize(40);  // the beginning is enough
    ann.written(now);
    receive("bob sends");
    ann.release(23, 3);
    take("ann acknowledges");
    receive("bob acknowledges");
    BOOST_TEST(!ann.has_unacknowledged());
    BOOST_TEST(ann.heartbeats().round_trip().has_value());
    ann.close(Reason::leaving, "the node stops");
    take("ann leaves");
    return said;
  }

  Identity ann_self, bob_self;
  Peer nobody;
  Greeting to_bob, to_ann;
};

BOOST_AUTO_TEST_SUITE(wire)

BOOST_AUTO_TEST_CASE(version_1_greets_as_it_was_recorded) {
  const auto recorded = golden("version1.txt");
  Talk talk;
  for (const auto& [name, bytes] : talk.greet()) check_equal(bytes, recorded.at(name), name);
  BOOST_TEST(talk.to_bob.node == "bob");
  BOOST_TEST(talk.to_bob.number == 300u);
  BOOST_TEST((talk.to_ann.epoch == ann_epoch));
  BOOST_TEST(talk.to_ann.society == "lab");
  BOOST_TEST(talk.to_ann.largest == 262'144u);
}

BOOST_AUTO_TEST_CASE(version_1_speaks_as_it_was_recorded_and_understands_it) {
  auto recorded = golden("version1.txt");
  Talk talk;
  talk.greet();
  Notes notes;
  for (const auto& [name, bytes] : talk.speak(recorded, notes))
    check_equal(bytes, recorded[name], name);
  BOOST_TEST(notes.text.str() ==
             "open 0\n"
             "arrived 1 from: carl|hello\n"
             "arrived 2 |\n"
             "arrived 3 gone|dora\n");
}

BOOST_AUTO_TEST_CASE(unknown_fields_of_a_greeting_are_passed_over) {
  Bytes hello = golden("version1.txt").at("ann greets");
  for (const int each : {9, 2, 0, 120, 121}) hello.push_back(static_cast<std::byte>(each));
  write_frame_header(hello.data(), FrameType::hello, hello.size() - frame_header_bytes);
  std::string fault;
  const auto read = read_hello(ByteSpan(hello).subspan(frame_header_bytes), fault);
  BOOST_REQUIRE_MESSAGE(read.has_value(), fault);
  BOOST_TEST(read->greeting.node == "ann");
}

// Names reach logs and terminals.
BOOST_AUTO_TEST_CASE(names_of_nodes_and_societies_are_what_people_can_see) {
  const Bytes greeting = golden("version1.txt").at("ann greets");
  std::string fault;
  const auto known = read_hello(ByteSpan(greeting).subspan(frame_header_bytes), fault);
  BOOST_REQUIRE(known.has_value());
  const auto is_understood = [&](std::string Greeting::*which, const std::string& name) {
    Hello hello = *known;
    hello.greeting.*which = name;
    Bytes bytes;
    append_hello(bytes, hello);
    return read_hello(ByteSpan(bytes).subspan(frame_header_bytes), fault).has_value();
  };
  for (const auto which : {&Greeting::node, &Greeting::society}) {
    for (const char* name : {"ann", "host.lan/7@[::1]:4410", "Zürich/плот"})
      BOOST_TEST(is_understood(which, name), name);
    for (const char* name : {"", "a b", "a\n", "a\x1b[31m", "a\u009b31m", "a\u202eb", "a\u200bb",
                             "a\u200d", "a\u2028", "a\x80", "a\xff"})
      BOOST_TEST(!is_understood(which, name), name);
  }
}

BOOST_AUTO_TEST_CASE(every_prefix_and_every_flipped_bit_of_a_greeting_is_read_or_refused) {
  const Bytes hello = golden("version1.txt").at("ann greets");
  const auto body = ByteSpan(hello).subspan(frame_header_bytes);
  std::string fault;
  for (std::size_t length = 0; length < body.size(); ++length)
    BOOST_TEST(!read_hello(body.first(length), fault).has_value());
  for (std::size_t bit = 0; bit < 8 * body.size(); ++bit) {
    Bytes flipped(body.begin(), body.end());
    flipped[bit / 8] ^= std::byte{1} << (bit % 8);
    if (const auto read = read_hello(flipped, fault)) {
      Bytes again;
      append_hello(again, *read);
      std::string ignored;
      BOOST_TEST(read_hello(ByteSpan(again).subspan(frame_header_bytes), ignored).has_value());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
