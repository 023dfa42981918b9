#include "coracle/http/server.hpp"

#include "server/state.hpp"

#include <exception>
#include <utility>

namespace coracle::http {

Server::Server(Loop& loop, ServerOptions options, Routes routes)
    : state_(std::make_shared<ServerState>(loop.state(), std::move(options), std::move(routes))) {
  std::exception_ptr error;
  state_->loop().call([&] {
    try {
      state_->listen();
    } catch (...) {
      error = std::current_exception();
    }
  });
  if (error) std::rethrow_exception(error);
}

Server::~Server() {
  state_->loop().call([this] { state_->close_all(); });
}

const Url& Server::url() const noexcept { return state_->url(); }

ServerCounts Server::counts() const {
  ServerCounts counts;
  state_->loop().call([&] { counts = state_->counts_now(); });
  return counts;
}

void Server::read_keys_again() {
  if (!state_->options().tls) return;
  TlsContext context = server_context(*state_->options().tls);
  state_->loop().call([&] { state_->set_tls(std::move(context)); });
}

std::size_t Server::stop(Deadline deadline) {
  if (state_->loop().is_here())
    throw Error(Errc::wrong_thread,
                "a handler cannot wait until its server has stopped; stop it from another thread");
  state_->loop().call([this] { state_->begin_stop(); });
  state_->loop().wait_until([this] { return state_->is_empty(); }, deadline);
  std::size_t open = 0;
  state_->loop().call([&] { open = state_->close_all(); });
  return open;
}

}  // namespace coracle::http
