// Agents that wait for each other in a cycle. Inside a worker, a walk along the waits finds a cycle
// at once. Between workers, a probe travels along the waits, behind all messages that could end a
// wait, so that it finds only true cycles.
#include "waiting_cycles.hpp"

#include "probe.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/sending/dispatch.hpp"
#include "runtime/sending/fast_path.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

constexpr int longest_circle = 256;
constexpr Duration probe_pause = std::chrono::milliseconds(100);
constexpr unsigned most_probes = 20;

}  // namespace

void Probe::run(Worker& worker) { worker.cycles.follow(this); }

void Probe::begin_at(Mailbox& mailbox, const Mailbox& next) {
  origin = mailbox.name;
  Extension& ext = *mailbox.extension;
  if (ext.wait_token == 0) ext.wait_token = mailbox.home.load()->node().numbers().token();
  token = ext.wait_token;
  path = "'" + mailbox.name.str() + "' waits for '" + next.name.str() + "'";
}

WaitingCycles::WaitingCycles(Worker& worker) noexcept
    : is_alone(worker.node().options().workers == 1 &&
               !worker.node().transport().connects_nodes() && !worker.node().is_driven()),
      worker_(worker),
      probe_again_(*this) {}

// Returns whether `whom` waits for `mailbox`, as far as is known here.
[[gnu::noinline]] bool WaitingCycles::would_close(const Mailbox& mailbox,
                                                  const Mailbox* whom) noexcept {
  int hops = 0;
  for (const Mailbox* at = whom; at != nullptr && ++hops < longest_circle; at = next_of(*at)) {
    worker_.touches(*at);
    if (at == &mailbox) return true;
    if (at->home.load(std::memory_order_relaxed) != &worker_) break;
  }
  return false;
}

[[gnu::noinline]] bool WaitingCycles::begin_at_length(Mailbox& mailbox, Mailbox* whom,
                                                      Sending& what) noexcept {
  Extension& ext = mailbox.ext();
  if (ext.spawned != 0) return true;  // its other tasks may continue
  if (whom != nullptr && would_close(mailbox, whom)) return false;
  note_wait(ext, whom, what);
  const bool is_seen = worker_.node().worker_count() == 1 && worker_.node().remote() == nullptr;
  if (!is_seen) blocked_.push_back(&mailbox);
  return true;
}

[[gnu::noinline]] void WaitingCycles::forget(Mailbox& mailbox) noexcept {
  if (!blocked_.empty()) std::erase(blocked_, &mailbox);
  if (probe_again_.waits.empty()) return;
  std::erase_if(probe_again_.waits, [&](const auto& wait) { return wait.first == &mailbox; });
}

// A probe that meets an agent that is just about to wait ends there, and the probe of that wait may
// do so elsewhere at the same time. Between nodes there is time for that, so their waits are probed
// again.
void WaitingCycles::probe_later(Mailbox& mailbox) {
  auto& waits = probe_again_.waits;
  const auto known = std::find_if(waits.begin(), waits.end(),
                                  [&](const auto& wait) { return wait.first == &mailbox; });
  if (known == waits.end()) {
    waits.emplace_back(&mailbox, 1);
  } else if (++known->second > most_probes) {
    waits.erase(known);
    return;
  }
  if (probe_again_.place == TimerNode::idle) probe_again_.arm(worker_, worker_.now() + probe_pause);
}

void WaitingCycles::ProbeAgain::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<ProbeAgain&>(timer);
  for (const auto& [mailbox, times] : self.waits) self.cycles.blocked_.push_back(mailbox);
}

void WaitingCycles::send_probes() {
  for (Mailbox* mailbox : std::exchange(blocked_, {})) {
    Mailbox* const next = next_of(*mailbox);
    if (next == nullptr) continue;
    auto* const probe = new Probe;
    probe->begin_at(*mailbox, *next);
    probe->at = next;
    if (worker_.node().remote() != nullptr) probe_later(*mailbox);
    follow(probe);
  }
}

void WaitingCycles::follow(Probe* probe) noexcept {
  while (++probe->hops < longest_circle) {
    Worker& home = *probe->at->home.load(std::memory_order_acquire);
    if (&home != &worker_) {
      worker_.publish();
      return home.post(*probe);
    }
    if ((probe->at->mode_now() & elsewhere) != 0) {
      worker_.node().remote()->reports().send_probe(probe->at->extension->remote->now.lease,
                                                    *probe);
      break;
    }
    if (probe->at->name == probe->origin) {
      const Extension* const ext = probe->at->extension.get();
      if (ext != nullptr && ext->wait_token == probe->token && ext->waiting_send != nullptr &&
          probe->token != 0)
        ext->waiting_send->end_circle(probe->path);
      break;
    }
    Mailbox* const next = next_of(*probe->at);
    if (next == nullptr) break;
    if (probe->at->name > probe->origin) {
      // Several probes of one cycle may be under way at once. All continue for the same one of its
      // agents, so that just this one fails.
      probe->begin_at(*probe->at, *next);
    } else {
      probe->path += ", who waits for '" + next->name.str() + "'";
    }
    probe->at = next;
  }
  delete probe;
}

std::string circle(const Mailbox& from, const Mailbox& closer) {
  std::string path = "'" + closer.name.str() + "' would wait for '" + from.name.str() + "'";
  int hops = 0;
  for (const Mailbox* at = &from; at != &closer && ++hops < longest_circle;) {
    at = next_of(*at);
    if (at == nullptr) break;
    path += ", who waits for '" + at->name.str() + "'";
  }
  return path;
}

void Sending::end_circle(const std::string& path) noexcept {
  if (record_ == nullptr) {
    if (asks_) static_cast<Asking*>(this)->finish(Errc::deadlock, path);
    return;
  }
  more().text = path;
  more().dispatch->give_up(Errc::deadlock);
}

}  // namespace coracle::detail
