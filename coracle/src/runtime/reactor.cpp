#include "coracle/reactor.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace coracle::detail {

namespace {

class AsioReactor final : public Reactor {
 public:
  bool poll() override { return context_.poll() != 0; }

  void wait(Duration longest) override {
    if (longest == Duration::max()) {
      context_.run_one();
    } else {
      context_.run_one_for(longest);
    }
    context_.poll();
  }

  void wake() override {
    boost::asio::post(context_, [] {});
  }

 private:
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_ =
      boost::asio::make_work_guard(context_);
};

}  // namespace

std::shared_ptr<Reactor> asio_reactor() { return std::make_shared<AsioReactor>(); }

}  // namespace coracle::detail
