#include "tasks/push_configs.hpp"

#include "coracle/a2a/fault.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::a2a {
namespace {

PushConfig at(const char* url, const char* id = "") {
  PushConfig config;
  config.url = url;
  config.id = id;
  return config;
}

TaskLimits limits_of(std::size_t per_task, std::size_t per_caller, std::size_t all) {
  TaskLimits limits;
  limits.pushes_per_task = per_task;
  limits.pushes_per_caller = per_caller;
  limits.pushes = all;
  return limits;
}

bool is_refused(const PushConfig& config) {
  PushConfigs configs(limits_of(10, 100, 100));
  try {
    configs.set("t", "ann", config, "id", 0);
  } catch (const Fault& fault) {
    return fault.kind() == FaultKind::invalid_params;
  }
  return false;
}

BOOST_AUTO_TEST_SUITE(push_configs)

BOOST_AUTO_TEST_CASE(a_configuration_is_kept_until_it_is_removed) {
  PushConfigs configs(limits_of(10, 100, 100));
  BOOST_TEST(configs.set("t", "ann", at("https://a"), "new", 3).id == "new");
  configs.set("t", "ann", at("https://b", "own"), "unused", 3);
  BOOST_TEST(configs.get("t", "new").url == "https://a");
  BOOST_TEST(configs.get("t", "own").task_id == "t");
  BOOST_TEST(configs.list("t").size() == 2);
  configs.set("t", "ann", at("https://c", "own"), "unused", 5);
  BOOST_TEST(configs.size() == 2);
  BOOST_TEST(configs.find("t", "own")->last_event == 5);
  configs.remove("t", "own");
  configs.remove("t", "own");
  BOOST_CHECK_THROW(configs.get("t", "own"), Fault);
  BOOST_CHECK_THROW(configs.get("u", "new"), Fault);
  configs.keep_only([](const std::string& task) { return task == "t"; });
  BOOST_TEST(configs.size() == 1);
  configs.keep_only([](const std::string&) { return false; });
  BOOST_TEST(configs.size() == 0);
  BOOST_TEST(configs.list("t").empty());
}

BOOST_AUTO_TEST_CASE(there_are_limits) {
  PushConfigs configs(limits_of(2, 3, 4));
  for (const char* task : {"t", "u"}) {
    configs.set(task, "ann", at("https://a"), "1", 0);
    if (configs.size() < 3) configs.set(task, "ann", at("https://a"), "2", 0);
  }
  BOOST_CHECK_THROW(configs.set("t", "ann", at("https://a"), "3", 0), Fault);
  BOOST_CHECK_THROW(configs.set("v", "ann", at("https://a"), "1", 0), Fault);
  BOOST_CHECK_NO_THROW(configs.set("t", "ann", at("https://b"), "1", 0));
  BOOST_TEST(configs.ids("v").empty());
  // Another caller has a share of its own, within the limit of all.
  BOOST_CHECK_NO_THROW(configs.set("w", "bob", at("https://a"), "1", 0));
  BOOST_CHECK_THROW(configs.check("w", "bob", at("https://a", "2")), Fault);
  configs.remove_all("t");
  BOOST_CHECK_NO_THROW(configs.set("v", "ann", at("https://a"), "1", 0));
}

BOOST_AUTO_TEST_CASE(one_that_is_set_again_is_another_one) {
  PushConfigs configs(limits_of(2, 3, 4));
  configs.set("t", "ann", at("https://a", "1"), {}, 0);
  const std::uint64_t before = configs.find("t", "1")->serial;
  configs.find("t", "1")->is_busy = true;
  configs.set("t", "ann", at("https://a", "1"), {}, 0);
  BOOST_TEST(configs.find("t", "1")->serial != before);
  BOOST_TEST(!configs.find("t", "1")->is_busy);
}

BOOST_AUTO_TEST_CASE(clients_do_not_see_its_secrets) {
  PushConfig config = at("https://a", "1");
  config.token = "t";
  config.scheme = "Bearer";
  config.credentials = "c";
  const PushConfig shown = without_secrets(config);
  BOOST_TEST(shown.url == "https://a");
  BOOST_TEST(shown.scheme == "Bearer");
  BOOST_TEST(shown.token.empty());
  BOOST_TEST(shown.credentials.empty());
}

// Each text becomes part of a header.
BOOST_AUTO_TEST_CASE(texts_that_could_hide_another_header_are_refused) {
  PushConfig config = at("https://a");
  BOOST_TEST(!is_refused(config));
  config.token = "a\r\nb";
  BOOST_TEST(is_refused(config));
  config = at("https://a");
  config.scheme = "Bearer x";
  BOOST_TEST(is_refused(config));
  config.scheme = "Bearer";
  config.credentials = std::string("a\0b", 3);
  BOOST_TEST(is_refused(config));
  config.credentials = std::string(5000, 'x');
  BOOST_TEST(is_refused(config));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::a2a
