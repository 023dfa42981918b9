// Dedicated implementations of both ways of the paper: a socket between two processes, and a
// clearinghouse between two sockets. They do nothing else.
#include "floor/floors.hpp"
#include "floor/stream.hpp"
#include "harness/figures/usage.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/shared.hpp"
#include "harness/run/failures.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include <sys/socket.h>

namespace coracle::bench {

namespace {

constexpr std::size_t bytes_at_once = 64 * 1024;

struct Account {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  double write = 0;  // processor time in total, in ns
  double read = 0;
};

void write_frames(int socket, std::size_t bytes, double interval, Account& account) {
  const std::size_t at_once = std::max(bytes_at_once / bytes, std::size_t{1});
  const std::vector<char> frames(at_once * bytes, '\0');  // all for target 0
  const Usage before = usage_of_process();
  const Time end = clock_now() + seconds(interval);
  while (clock_now() < end) {
    if (!write_all(socket, frames)) fail_floor("send");
    account.sent += at_once;
  }
  shutdown(socket, SHUT_WR);
  account.write = (usage_of_process() - before).both();
}

// A receiver takes each frame out of the bytes that arrived, as a mailbox would.
void read_frames(int socket, std::size_t bytes, Account& account) {
  std::vector<char> some(bytes_at_once);
  std::vector<char> frame(bytes);
  const Usage before = usage_of_process();
  std::size_t filled = 0;
  for (;;) {
    const ssize_t more = recv(socket, some.data(), some.size(), 0);
    if (more < 0) fail_floor("recv");
    if (more == 0) break;
    for (std::size_t at = 0; at < static_cast<std::size_t>(more);) {
      const std::size_t part = std::min(bytes - filled, static_cast<std::size_t>(more) - at);
      std::memcpy(frame.data() + filled, some.data() + at, part);
      filled += part;
      at += part;
      if (filled == bytes) filled = 0, ++account.received;
    }
  }
  account.read = (usage_of_process() - before).both();
}

// Each frame begins with the number of its target; here there is one target.
void pass_frames_on(int from, int to, std::size_t bytes) {
  const std::vector<int> targets = {to};
  std::vector<char> some(std::max(bytes_at_once / bytes, std::size_t{1}) * bytes);
  std::vector<std::vector<char>> out(targets.size());
  std::size_t filled = 0;
  for (;;) {
    const ssize_t more = recv(from, some.data() + filled, some.size() - filled, 0);
    if (more < 0) fail_floor("recv");
    if (more == 0) break;
    filled += static_cast<std::size_t>(more);
    std::size_t done = 0;
    for (; done + bytes <= filled; done += bytes) {
      const auto target = static_cast<unsigned char>(some[done]);
      out.at(target).insert(out[target].end(), some.data() + done, some.data() + done + bytes);
    }
    std::memmove(some.data(), some.data() + done, filled - done);
    filled -= done;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (!out[i].empty() && !write_all(targets[i], out[i])) fail_floor("send");
      out[i].clear();
    }
  }
  shutdown(to, SHUT_WR);
}

}  // namespace

SplitCost floor_split(Socket kind, std::size_t bytes, bool is_central, double interval) {
  Shared<Account> account;
  Ends in = connected(kind);
  std::optional<Ends> out;
  if (is_central) out.emplace(connected(kind));
  const int last = is_central ? out->second.number() : in.second.number();
  Partner writer([&] { write_frames(in.first.number(), bytes, interval, *account); });
  Partner reader([&] { read_frames(last, bytes, *account); });
  const Usage before = usage_of_process();
  if (is_central) pass_frames_on(in.second.number(), out->first.number(), bytes);
  const double passed_on = (usage_of_process() - before).both();
  writer.wait();
  reader.wait();
  if (account->sent == 0 || account->sent != account->received) {
    throw NotDone("the floor lost frames");
  }
  const auto frames = static_cast<double>(account->sent);
  return {account->write / frames, is_central ? passed_on / frames : 0, account->read / frames,
          account->sent};
}

}  // namespace coracle::bench
