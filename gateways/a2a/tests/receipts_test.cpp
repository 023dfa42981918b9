// Receipts: docs/a2a-receipts.md.
#include "coracle/a2a/receipts.hpp"

#include "coracle/a2a/model_json.hpp"
#include "coracle/web/digest.hpp"
#include "coracle/web/json_rpc.hpp"
#include "support/place.hpp"
#include "tasks/ledger.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <utility>
#include <vector>

namespace coracle::a2a {
namespace {

using namespace test;

TaskReceipt receipt_of(const std::string& task) {
  TaskReceipt receipt;
  receipt.agent = "lab/helper";
  receipt.task_id = task;
  receipt.message_id = "m";
  receipt.state = TaskState::completed;
  receipt.result = web::sha256_of("");
  receipt.ended = Timestamp(std::chrono::milliseconds(1));
  return receipt;
}

// The metadata of a task that was wanted with a receipt.
Json metadata_of(Place& place, const std::string& text, const std::string& token = {}) {
  const std::string body = web::write_rpc({"SendMessage", place.message(text), Json(7)});
  const http::Response response =
      place.fetch("POST", "/a2a/lab/helper", body, token, true,
                  {{"A2A-Extensions", std::string(receipts_extension)}});
  BOOST_TEST(response.headers.find("A2A-Extensions").value_or("") == receipts_extension);
  return task_in(web::parse_json(response.body).value()).metadata;
}

TaskReceipt receipt_from(const Json& metadata) {
  const Json* const receipt = metadata.find(receipts_extension);
  BOOST_REQUIRE(receipt != nullptr);
  return receipt_in(*receipt);
}

BOOST_AUTO_TEST_SUITE(receipts)

BOOST_AUTO_TEST_CASE(a_digest_is_that_of_the_page) {
  TaskReceipt receipt = receipt_of("t");
  receipt.entry = 1;
  BOOST_TEST(digest_of(receipt) ==
             web::sha256_of("\n1\nlab/helper\nt\nm\nTASK_STATE_COMPLETED\n" + receipt.result +
                            "\n1970-01-01T00:00:00.000Z\n\n1970-01-01T00:00:00.001Z"));
  Task task{"t"};
  task.artifacts.push_back({"a"});
  task.artifacts[0].parts = {{std::string("hello")}, {Json(7)}, {Raw{"x"}}};
  BOOST_TEST(result_digest_of(task) == web::sha256_of("5:hello1:x"));
}

BOOST_AUTO_TEST_CASE(receipts_of_one_caller_follow_each_other) {
  Ledger ledger(2);
  std::vector<TaskReceipt> anns, bobs;
  for (const char* task : {"t", "u", "v"}) {
    anns.push_back(receipt_of(task));
    BOOST_TEST(ledger.enter("ann", anns.back()));
    bobs.push_back(receipt_of(task));
    BOOST_TEST(ledger.enter("bob", bobs.back()));
  }
  BOOST_TEST(!a2a::fault_of(anns));
  BOOST_TEST(!a2a::fault_of(bobs));
  BOOST_TEST(!a2a::fault_of({anns[1], anns[2]}, anns[0].digest));
  TaskReceipt of_other = receipt_of("t");
  BOOST_TEST(!ledger.enter("cy", of_other));
}

BOOST_AUTO_TEST_CASE(a_change_or_a_gap_is_found) {
  Ledger ledger(1);
  std::vector<TaskReceipt> all;
  for (const char* task : {"t", "u", "v"}) {
    all.push_back(receipt_of(task));
    ledger.enter("ann", all.back());
  }
  BOOST_TEST(a2a::fault_of({all[0], all[2]}).has_value());
  BOOST_TEST(a2a::fault_of({all[1]}, all[1].digest).has_value());
  std::vector<TaskReceipt> changed = all;
  changed[1].state = TaskState::failed;
  BOOST_TEST(a2a::fault_of(changed).value() == "entry 2 was changed");
  changed[1].digest = digest_of(changed[1]);
  BOOST_TEST(a2a::fault_of(changed).value() == "entry 3 does not follow the one before it");
}

// A line feed in a field would shift the fields behind it, without another digest.
BOOST_AUTO_TEST_CASE(a_receipt_whose_fields_were_shifted_is_found) {
  TaskReceipt real = receipt_of("t");
  real.message_id = "u\nm";
  Ledger(1).enter("ann", real);
  TaskReceipt shifted = real;
  shifted.task_id = "t\nu";
  shifted.message_id = "m";
  BOOST_TEST(digest_of(shifted) == real.digest);
  BOOST_TEST(a2a::fault_of({shifted}).has_value());
  BOOST_TEST(a2a::fault_of({real}).has_value());
}

BOOST_AUTO_TEST_CASE(a_receipt_that_is_no_entry_of_a_ledger_is_found) {
  TaskReceipt first = receipt_of("t");
  Ledger(1).enter("ann", first);
  const auto is_found = [&](auto change) {
    TaskReceipt changed = first;
    change(changed);
    changed.digest = digest_of(changed);
    return a2a::fault_of({changed}).has_value();
  };
  BOOST_TEST(!is_found([](TaskReceipt&) {}));
  BOOST_TEST(is_found([&](TaskReceipt& one) { one.previous = first.digest; }));
  BOOST_TEST(is_found([](TaskReceipt& one) { one.entry = 2; }));
  BOOST_TEST(is_found([](TaskReceipt& one) { one.entry = 0; }));
  BOOST_TEST(is_found([](TaskReceipt& one) { one.result = "7"; }));
  BOOST_TEST(is_found([](TaskReceipt& one) { one.result[0] = 'E'; }));
  BOOST_TEST(is_found([](TaskReceipt& one) { one.agent += '\n'; }));
}

BOOST_AUTO_TEST_CASE(a_receipt_is_read_as_it_was_written) {
  TaskReceipt receipt = receipt_of("t");
  Ledger(1).enter("ann", receipt);
  BOOST_TEST((receipt_in(to_json(receipt)) == receipt));
  receipt.accepted = Timestamp(std::chrono::milliseconds(7));
  BOOST_TEST((receipt_in(to_json(receipt)) == receipt));
  for (const char* wrong : {"null", "{}", R"({"entry":0})", R"({"entry":1,"agent":7})"})
    BOOST_CHECK_THROW(receipt_in(web::parse_json(wrong).value()), web::JsonError);
}

BOOST_AUTO_TEST_CASE(a_client_gets_a_receipt_for_each_end) {
  Place place(with_callers());
  std::vector<TaskReceipt> all;
  for (const char* text : {"hello", "refuse", "pieces"})
    all.push_back(receipt_from(metadata_of(place, text, eves_token)));
  BOOST_TEST(!a2a::fault_of(all));
  BOOST_TEST(all[0].entry == 1);
  BOOST_TEST(all[0].message_id == "m1");
  BOOST_TEST(all[0].result == web::sha256_of("14:you said hello"));
  BOOST_TEST(all[0].accepted.has_value());
  BOOST_TEST((all[1].state == TaskState::rejected));
  BOOST_TEST(receipt_from(metadata_of(place, "hello", mals_token)).entry == 1);
}

BOOST_AUTO_TEST_CASE(a_message_that_continues_a_task_has_no_receipt_of_its_own) {
  Place place;
  const std::string id = task_in(place.send("ask")).id;
  const Json params = place.message("red", Json().set("taskId", id));
  const http::Response response =
      place.fetch("POST", "/a2a/lab/helper", web::write_rpc({"SendMessage", params, Json(7)}), {},
                  true, {{"A2A-Extensions", std::string(receipts_extension)}});
  BOOST_TEST(!response.headers.find("A2A-Extensions").has_value());
  BOOST_TEST(task_in(web::parse_json(response.body).value()).metadata.is_null());
}

// Its mailbox is full.
class Full : public Agent {
 public:
  explicit Full(std::promise<void>& full) : full_(&full) {}

 private:
  coracle::Task<> run() override {
    set_mailbox(MailboxOptions().messages(1));
    co_await send(name(), "full");
    full_->set_value();
    (void)co_await receive(of_type("nothing"));
  }

  std::promise<void>* full_;
};

BOOST_AUTO_TEST_CASE(a_task_for_which_the_agent_has_no_room_was_not_accepted) {
  ServerOptions options;
  options.task_time = std::chrono::milliseconds(20);
  Place place(std::move(options));
  std::promise<void> full;
  place.node.create<Full>("lab/full", std::ref(full));
  full.get_future().wait();
  const std::string body = web::write_rpc({"SendMessage", place.message("x"), Json(7)});
  const http::Response response =
      place.fetch("POST", "/a2a/lab/full", body, {}, true,
                  {{"A2A-Extensions", std::string(receipts_extension)}});
  const Task task = task_in(web::parse_json(response.body).value());
  BOOST_TEST((task.status.state == TaskState::failed));
  BOOST_TEST(!receipt_from(task.metadata).accepted.has_value());
}

BOOST_AUTO_TEST_CASE(without_the_header_there_is_no_receipt) {
  Place place;
  BOOST_TEST(task_in(place.send("hello")).metadata.is_null());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
