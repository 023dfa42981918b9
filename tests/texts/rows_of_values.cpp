// The reports of values when they are made or read.
#include "coracle/codec.hpp"
#include "coracle/coracle.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/realizations/open.hpp"
#include "coracle/tests/support/run_now.hpp"
#include "coracle/typed.hpp"
#include "table.hpp"

namespace coracle::test {

namespace {

struct Offer {
  static constexpr std::string_view content_type = "offer/v1";
  std::string bidder;
  std::vector<std::uint8_t> prices;
};

// ["ann", [1, 300]]
Content wrong_offer() {
  constexpr unsigned char wrong[] = {0x82, 0x63, 'a', 'n', 'n', 0x82, 0x01, 0x19, 0x01, 0x2c};
  return Content::bytes(std::as_bytes(std::span(wrong)), "offer/v1");
}

std::optional<Error> reading(const Content& content) {
  return error_of_agent([content](Agent& me) -> Task<> {
    co_await me.send("main", content);
    const Message message = co_await me.receive();
    (void)message.as<Offer>();
  });
}

std::function<std::optional<Error>()> node_with(void (*set)(NodeOptions&)) {
  return [set] {
    return error_from([set] {
      NodeOptions options;
      set(options);
      Node node(local::realization(), options);
    });
  };
}

std::function<std::optional<Error>()> opening(const char* text) {
  return by([text] { (void)open(text); });
}

Rows of_names_and_patterns() {
  return {
      {"a name without a character", Errc::bad_name, by([] { (void)Name(""); }),
       "\"\" is not a name: it is empty; give at least one character"},
      {"a name that turns the terminal red", Errc::bad_name, by([] { (void)Name("\x1b[31m"); }),
       "\"\\x1b[31m\" is not a name: it holds a control character; use visible characters only"},
      {"a regular expression with a brace too much", Errc::bad_pattern,
       by([] { (void)where("size").matches("("); }),
       "the regular expression \"(\" cannot be compiled (missing ): (); correct it, see the syntax "
       "of RE2"},
  };
}

Rows of_content() {
  return {
      {"a message whose second field is not what it should be", Errc::bad_encoding,
       [] { return reading(wrong_offer()); },
       "cannot read a message from 'main': cannot decode \"offer/v1\": an integer does not fit its "
       "type, at [1][1] (fields and items count from 0); build sender and receiver with the same "
       "definition of the type"},
      {"a message of another type", Errc::wrong_type, [] { return reading("hello"); },
       "cannot read a message from 'main': the content is of type \"text/plain\", not of type "
       "\"offer/v1\"; look at type() first, or use try_as"},
      {"content without a message", Errc::bad_encoding, by([] { (void)wrong_offer().as<Offer>(); }),
       "cannot decode \"offer/v1\": an integer does not fit its type, at [1][1] (fields and items "
       "count from 0); build sender and receiver with the same definition of the type"},
      {"no content", Errc::wrong_type, by([] { (void)Content().as<Offer>(); }),
       "there is no content, but it should be of type \"offer/v1\"; look at type() first, or use "
       "try_as"},
      {"a value that is nested too deep", Errc::bad_encoding, by([] {
         std::vector<std::byte> out;
         const auto encoder = cbor_encoder(out);
         for (std::size_t i = 0; i <= max_codec_depth; ++i) encoder->begin_array(1);
       }),
       "cannot encode: arrays and maps are nested deeper than 32; make the value flatter"},
      {"a type's name that is too long", Errc::bad_options,
       by([] { (void)Content::bytes({}, std::string(128, 't')); }),
       "a content type's name has 1 to 127 bytes, not 128; shorten it"},
  };
}

Rows of_options() {
  return {
      {"a node without threads to compute", Errc::bad_options,
       node_with([](NodeOptions& options) { options.compute_threads = 0; }),
       "NodeOptions::compute_threads is 0; give at least 1"},
      {"a node whose mailboxes take nothing", Errc::bad_options,
       node_with([](NodeOptions& options) { options.mailbox.messages(0); }),
       "NodeOptions::mailbox holds 0 messages; give it at least 1"},
      {"a node that takes no content", Errc::bad_options,
       node_with([](NodeOptions& options) { options.content_limit = 0; }),
       "NodeOptions::content_limit is 0; give 1 to 1073741824"},
      {"a node that does not wait for its server", Errc::bad_options,
       node_with([](NodeOptions& options) { options.connect_time = Duration::zero(); }),
       "NodeOptions::connect_time is not above 0; give it at least 1ms"},
      {"a node whose mailboxes redirect to nobody", Errc::bad_options,
       node_with([](NodeOptions& options) { options.mailbox.overflow(Overflow::redirect); }),
       "NodeOptions::mailbox redirects to no name; give one by redirect_to()"},
      {"a realization that does not exist", Errc::bad_realization, opening("nowhere:"),
       "cannot open 'nowhere:...': there is no realization 'nowhere:'; there are: local:, "
       "central:, distributed:, sim:"},
      {"a setting that does not exist", Errc::bad_realization, opening("local:walls=4"),
       "cannot open 'local:...': local: does not know the setting 'walls'; it knows names=N, "
       "watches=N, spin=TIME, content_limit=SIZE, connect_time=TIME, record=FILE and "
       "record_marked=FILE"},
      {"a setting that a replay does not know", Errc::bad_realization,
       opening("sim:replay=run.db,seed=4"),
       "cannot open 'sim:...': sim:replay: does not know the setting 'seed'; it knows replay=FILE, "
       "drop=N, delay=N:MILLISECONDS, change=N:FILE, spin=TIME, content_limit=SIZE, "
       "connect_time=TIME, record=FILE and record_marked=FILE"},
      {"a replay that records marked agents only", Errc::bad_realization,
       opening("sim:replay=run.db,record_marked=marked.db"),
       "cannot open 'sim:...': a replay records all messages, so record_marked=FILE cannot be "
       "beside replay=FILE; write record=FILE"},
      {"a delay of a replay without a time", Errc::bad_realization,
       opening("sim:replay=run.db,delay=17"),
       "cannot open 'sim:...': delay needs the number of a message and milliseconds, as in 17:5, "
       "not '17'"},
      {"a replay that changes a message to nothing", Errc::bad_realization,
       opening("sim:replay=run.db,change=17:/no/such/file"),
       "cannot open 'sim:...': change needs a file that can be read and has at most 16 MiB"},
      {"a time to connect that is no time", Errc::bad_realization, opening("local:connect_time=5"),
       "cannot open 'local:...': connect_time is a time from 1ms to 86400s, such as 500ms or 5s, "
       "not '5'"},
      {"a second node in one local society", Errc::bad_realization, by([] {
         const Realization one = local::realization();
         Node first(one);
         Node second(one);
       }),
       "a local realization serves one node; open another one for the second node"},
  };
}

// The error of a directory for a name under a lease that is closed, or under none.
std::optional<Error> claiming_under(bool is_closed) {
  const auto directory = local_directory(steady_clock());
  LeaseId lease = 0;
  if (is_closed) {
    lease = run_now(directory->open_lease("lab", std::chrono::seconds(1))).value();
    (void)run_now(directory->close_lease(lease, EndReason::stopped));
  }
  return error_in(run_now(directory->claim(Claim("ann", lease))));
}

Rows of_leases() {
  return {
      {"a name under a lease that has ended", Errc::expired, [] { return claiming_under(true); },
       "lease <n> has ended: its node was not heard from in time, or has left; a node that goes on "
       "registers its names again under a new lease by itself, so try again in a moment"},
      {"a name under no lease", Errc::expired, [] { return claiming_under(false); },
       "lease 0 is no lease; call open_lease() first and give its result"},
  };
}

}  // namespace

Rows rows_of_values() {
  return joined({of_names_and_patterns(), of_content(), of_options(), of_leases()});
}

}  // namespace coracle::test
