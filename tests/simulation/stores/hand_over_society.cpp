#include "hand_over_society.hpp"

#include <string>

namespace coracle::test {

namespace {

constexpr int batch_size = 5;

}  // namespace

HandOverSociety::HandOverSociety(std::uint64_t seed, BackendFault fault)
    : StoreSociety({seed, fault, {}, false, batch_size, 20ms}), seed_(seed) {}

void HandOverSociety::write(int batch, const std::vector<unsigned>& doomed) {
  std::vector<Receipt> receipts;
  bool done = false;
  start(writer, "ann", [&](Agent& me) -> Task<> {
    for (int number = 0; number < batch_size; ++number) {
      const std::string text = std::to_string(batch * batch_size + number);
      Post post(Name("bob"), Content(text));
      receipts.push_back(co_await me.track(std::move(post)));
    }
    done = true;
  });
  until([&done] { return done; });
  doom(doomed);
  (void)at(writer).stop(0s);
  for (std::size_t number = 0; number < receipts.size(); ++number) {
    if (receipts[number].first().stage == Stage::stored)
      note_stored(batch * batch_size + static_cast<int>(number));
  }
  recover();
}

void HandOverSociety::read(int most, Duration patience, const std::vector<unsigned>& doomed) {
  bool done = false;
  start(reader, "bob", [&](Agent& me) -> Task<> {
    Task<> hearing = hear(me, most, patience);
    co_await hearing;
    done = true;
  });
  doom(doomed);
  until([&done] { return done; });
  recover();
  check_ledger(store);
}

void HandOverSociety::recover() {
  begin_to_recover();
  if (is_doomed(store)) {
    crash(store);
    restart(store);
  }
  crash(writer);
  restart(writer);
  forget_doomed();
}

void HandOverSociety::play() {
  const auto doomed = [](bool is_store, bool is_server) {
    std::vector<unsigned> hosts;
    if (is_store) hosts.push_back(store);
    if (is_server) hosts.push_back(server);
    return hosts;
  };
  for (int batch = 0; batch < 4; ++batch) {
    write(batch, doomed(seed_ % 3 == 0, seed_ % 7 == 1));
    read(batch_size / 2, 1s, doomed(seed_ % 3 != 1, seed_ % 5 == 2));
  }
  read(1000, 60s);
}

}  // namespace coracle::test
