// A network whose first connection breaks at a chosen byte.
#pragma once

#include "realizations/net/src/byte_network.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace coracle::net::test {

// Breaks the first dialled connection when `most` bytes have been written to it, or read from it.
// Later connections are left alone.
class BreakingNetwork final : public Network {
 public:
  enum class Way : std::uint8_t { writing, reading };

  BreakingNetwork(Network& inner, Way way, std::size_t most)
      : inner_(inner), way_(way), most_(most) {}

  Result<std::unique_ptr<Listener>> listen(const Endpoint& at, ListenEvents& events) override {
    return inner_.listen(at, events);
  }
  std::unique_ptr<Attempt> connect(std::span<const Endpoint> endpoints, Deadline deadline,
                                   ConnectEvents& events) override {
    if (used_) return inner_.connect(endpoints, deadline, events);
    used_ = true;
    auto attempt = std::make_unique<Breaking>(*this, events);
    attempt->inner = inner_.connect(endpoints, deadline, *attempt);
    return attempt;
  }
  bool broke = false;

 private:
  struct Fragile final : public Connection, public ConnectionEvents {
    Fragile(BreakingNetwork& network, std::unique_ptr<Connection> taken)
        : home(network), inner(std::move(taken)), left(network.most_) {}

    void bind(ConnectionEvents& user) override {
      events = &user;
      inner->bind(*this);
    }
    void read(std::span<std::byte> into) override {
      if (home.way_ == Way::reading) into = into.first(std::min(into.size(), left + 1));
      inner->read(into);
    }
    void write(net::ByteSpans parts) override {
      std::vector<std::span<const std::byte>> some(parts.begin(), parts.end());
      if (home.way_ == Way::writing) {
        for (auto& part : some) {
          cut |= part.size() > left;
          part = part.first(std::min(part.size(), left));
          left -= part.size();
        }
      }
      inner->write(some);
    }
    void close() noexcept override { inner->close(); }
    void reset() noexcept override { inner->reset(); }
    const Peer& peer() const noexcept override { return inner->peer(); }

    void on_read(std::size_t bytes) override {
      if (home.way_ == Way::reading) {
        if (bytes > left) return fail();
        left -= bytes;
      }
      events->on_read(bytes);
    }
    void on_written() override {
      if (cut) return fail();
      events->on_written();
    }
    void on_closed(const Error& why) override { events->on_closed(why); }
    void fail() {
      home.broke = true;
      way_out() ? inner->close() : inner->reset();
      events->on_closed(Error(Errc::disconnected, "it broke; connect again"));
    }
    // Every second time in order, so that all written bytes arrive.
    bool way_out() const { return home.most_ % 2 == 0; }

    BreakingNetwork& home;
    std::unique_ptr<Connection> inner;
    ConnectionEvents* events = nullptr;
    std::size_t left;
    bool cut = false;
  };
  struct Breaking final : public Attempt, public ConnectEvents {
    Breaking(BreakingNetwork& network, ConnectEvents& user) : home(network), events(user) {}
    void on_connect(Result<std::unique_ptr<Connection>> outcome) override {
      if (!outcome) return events.on_connect(std::move(outcome));
      std::unique_ptr<Connection> made =
          std::make_unique<Fragile>(home, std::move(outcome).value());
      events.on_connect(std::move(made));
    }
    BreakingNetwork& home;
    ConnectEvents& events;
    std::unique_ptr<Attempt> inner;
  };

  Network& inner_;
  Way way_;
  std::size_t most_;
  bool used_ = false;
};

}  // namespace coracle::net::test
