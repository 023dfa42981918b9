#include "coracle/view/viewer.hpp"

#include "coracle/coracle.hpp"
#include "coracle/http/client.hpp"
#include "coracle/realizations/local.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::view {

namespace {

using namespace std::chrono_literals;

// The cookie that the viewer gives for its address.
std::string cookie_of(http::Client& client, Viewer& viewer) {
  http::Request request;
  request.url = http::Url::parse(viewer.address()).value();
  const http::Response response = client.fetch_and_wait(request);
  const std::string cookie(response.headers.find("Set-Cookie").value_or(""));
  return cookie.substr(0, cookie.find(';'));
}

// The frames of the feed until one of them has all of these texts.
Task<std::string> frame_with(http::WebSocket& feed, std::vector<std::string> texts) {
  for (;;) {
    Task<std::optional<http::SocketMessage>> receiving = feed.receive();
    const std::optional<http::SocketMessage> frame = co_await receiving;
    if (!frame) co_return std::string();
    bool has_all = true;
    for (const std::string& each : texts) has_all &= frame->data.find(each) != std::string::npos;
    if (has_all) co_return frame->data;
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(viewer)

BOOST_AUTO_TEST_CASE(a_program_shows_its_society_and_a_panel_of_its_own) {
  http::Loop loop;
  loop.start();
  Node node(local::realization());
  Viewer viewer(loop, node, {});
  viewer.add_panel("stock", PanelView::table, [] { return R"([{"good": "flour", "kg": 3}])"; });
  Port ann(node, "ann"), bob(node, "bob");
  http::Client client(loop);
  const std::string cookie = cookie_of(client, viewer);
  const std::string page = viewer.url();
  const std::string seen = ann.act<std::string>([&](Agent& me) -> Task<std::string> {
    http::Url url = http::Url::parse(page).value();
    url.path = "/feed";
    http::SocketOptions options;
    options.protocols = {"coracle.view.1"};
    Task<http::WebSocket> connecting = client.connect(url, options, {{"Cookie", cookie}});
    http::WebSocket feed = co_await connecting;
    Task<std::string> hello = frame_with(feed, {R"("is":"hello")", R"("overhear":true)"});
    co_await hello;
    co_await me.send("bob", "hello");
    Task<std::string> message = frame_with(feed, {R"("from":"ann")", R"("text":"hello")"});
    co_await message;
    Task<std::string> panel = frame_with(feed, {R"("is":"panels")", R"("good":"flour")"});
    co_return co_await panel;
  });
  BOOST_TEST(seen.find(R"("kg":3)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_second_panel_of_a_name_is_refused) {
  http::Loop loop;
  loop.start();
  Viewer viewer(loop, {}, "there is no society yet");
  const auto data = [] { return std::string("1"); };
  viewer.add_panel("stock", PanelView::text, data);
  BOOST_CHECK_THROW(viewer.add_panel("stock", PanelView::text, data), Error);
  BOOST_CHECK_THROW(viewer.add_panel("other", PanelView::script, data), Error);
  viewer.add_script_panel("other", "onmessage = () => {};", data);
}

BOOST_AUTO_TEST_CASE(beyond_this_host_a_view_needs_a_login) {
  http::Loop loop;
  loop.start();
  ViewerOptions options;
  options.server.endpoint = "0.0.0.0:0";
  BOOST_CHECK_EXCEPTION(Viewer(loop, options, "none"), Error,
                        [](const Error& failure) { return failure.errc() == Errc::not_permitted; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::view
