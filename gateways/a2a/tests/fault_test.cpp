#include "coracle/a2a/fault.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::a2a {
namespace {

BOOST_AUTO_TEST_SUITE(fault)

BOOST_AUTO_TEST_CASE(an_error_is_the_same_in_both_bindings_and_back) {
  for (int i = 0; i <= static_cast<int>(FaultKind::exhausted); ++i) {
    const Fault sent(static_cast<FaultKind>(i), "no luck", {{"taskId", "7"}});
    const Fault by_rpc = fault_in(rpc_error_of(sent));
    BOOST_TEST((by_rpc.kind() == sent.kind()));
    BOOST_TEST(by_rpc.sentence() == "no luck");
    const Fault by_http = fault_in(http_status_of(sent.kind()), web::to_text(http_error_of(sent)));
    BOOST_TEST((by_http.kind() == sent.kind()));
    BOOST_TEST(by_http.sentence() == "no luck");
  }
}

BOOST_AUTO_TEST_CASE(codes_are_those_of_the_specification) {
  const Fault none(FaultKind::task_not_found, "none");
  BOOST_TEST(rpc_error_of(none).code == -32001);
  BOOST_TEST(http_status_of(FaultKind::task_not_found) == 404);
  BOOST_TEST(web::to_text(http_error_of(none)) ==
             R"({"error":{"code":404,"status":"NOT_FOUND","message":"none","details":)"
             R"([{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND",)"
             R"("domain":"a2a-protocol.org"}]}})");
  BOOST_TEST(rpc_error_of(Fault(FaultKind::version_not_supported, "x")).code == -32009);
  const web::RpcError field = rpc_error_of(Fault::at("message.parts", "is missing"));
  BOOST_TEST(field.code == -32602);
  BOOST_TEST(web::to_text(field.data).find("fieldViolations") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(errors_of_other_servers_are_read_as_far_as_they_are_known) {
  BOOST_TEST((fault_in(502, "<html>").kind() == FaultKind::internal_error));
  BOOST_TEST((fault_in(401, "").kind() == FaultKind::unauthenticated));
  BOOST_TEST((fault_in(400, "[]").kind() == FaultKind::invalid_request));
  BOOST_TEST((fault_in(web::RpcError{-32001, "", {}}).kind() == FaultKind::task_not_found));
  BOOST_TEST((fault_in(web::RpcError{5, "x", web::Json("y")}).kind() == FaultKind::internal_error));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
