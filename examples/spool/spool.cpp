#include "spool.hpp"

#include <coracle/directory_filter.hpp>
#include <coracle/support/descriptor.hpp>
#include <coracle/support/directory_fields.hpp>
#include <coracle/support/manual_clock.hpp>
#include <coracle/support/run_now.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace spool {

namespace {

using namespace coracle;
using detail::Descriptor, detail::FrameReader, detail::FrameWriter, detail::run_now, detail::write;
namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

// The result of a call of the system, which must not have failed.
auto check(auto result, const std::string& what) {
  if (result < 0) throw Error(Errc::disk_failed, what + ": " + std::strerror(errno));
  return result;
}

// The fields of a change that are no records.
void write(FrameWriter& out, std::uint64_t number) { out.number(number); }
void write(FrameWriter& out, const std::string& text) { out.text(text); }

using Given = std::variant<Result<void>, Result<Incarnation>, Result<LeaseId>>;

// The file `names` holds all changes, one behind the other. Each node reads it from the beginning
// and makes the same changes in a directory of its own.
class Names final : detail::ManualClock, public DirectoryFilter {
 public:
  explicit Names(const fs::path& file)
      : DirectoryFilter(local_directory(*this)),
        file_(check(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600), file)) {}

  // Makes the changes that other nodes have written.
  Task<> catch_up() override {
    const std::lock_guard lock(mutex_);
    make_new();
    co_return;
  }
  Task<Result<LeaseId>> open_lease(std::string identity, Duration term) override {
    co_return change<LeaseId>(opened, term.count(), identity);
  }
  Task<Result<void>> renew(LeaseId lease) override { co_return change<void>(renewed, lease); }
  Task<Result<void>> close_lease(LeaseId lease, EndReason reason) override {
    co_return change<void>(closed, lease, static_cast<std::uint64_t>(reason));
  }
  Task<Result<Incarnation>> claim(Claim of) override { co_return change<Incarnation>(claimed, of); }
  std::optional<Result<Incarnation>> try_claim(Claim&) override { return std::nullopt; }
  Task<Result<Incarnation>> take_over(Claim of) override {
    co_return change<Incarnation>(taken, of);
  }
  Task<Result<void>> leave(Name name, Incarnation incarnation, Ending ending) override {
    co_return change<void>(left, name, incarnation, ending);
  }
  Task<Result<void>> describe(Name name, Incarnation incarnation, Properties values) override {
    co_return change<void>(told, name, incarnation, values);
  }
  Task<Result<void>> join(Name to, Name who) override { co_return change<void>(joined, to, who); }
  Task<Result<void>> leave_group(Name group, Name who) override {
    co_return change<void>(parted, group, who);
  }

 private:
  enum Kind : std::uint64_t { opened, renewed, closed, claimed, taken, left, told, joined, parted };

  // Writes a change behind those of all nodes, and makes it.
  template <class T, class... Fields>
  Result<T> change(const Fields&... fields) {
    const std::lock_guard lock(mutex_);
    check(::flock(file_.get(), LOCK_EX), "cannot lock the names");
    Bytes body, record;
    FrameWriter out(body);
    write(out, steady_clock().now().time_since_epoch().count());
    (write(out, fields), ...);
    FrameWriter(record).text(detail::as_text(body));
    make_new();
    const ssize_t written = ::write(file_.get(), record.data(), record.size());
    Given given = make_new();
    ::flock(file_.get(), LOCK_UN);
    check(written == static_cast<ssize_t>(record.size()) ? 0 : -1, "cannot write to the names");
    return std::get<Result<T>>(std::move(given));
  }

  // Makes the changes that are new in the file; returns the result of the last one.
  Given make_new() {
    Bytes bytes(check(::lseek(file_.get(), 0, SEEK_END), "cannot read the names") - read_);
    const ssize_t size = ::pread(file_.get(), bytes.data(), bytes.size(), read_);
    FrameReader in({bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))});
    Given last;
    while (!in.at_end()) {
      const std::size_t before = in.left();
      FrameReader record(std::as_bytes(std::span(in.text())));
      if (!in.ok()) break;  // the rest is being written
      read_ += static_cast<off_t>(before - in.left());
      last = make(record);
    }
    return last;
  }

  // The time is that of the change: so all nodes agree on which leases have expired.
  Given make(FrameReader& in) {
    set(Time(Duration(in.number())));
    const std::uint64_t kind = in.number();
    if (kind == claimed) return run_now(next().claim(detail::read_claim(in)));
    if (kind == taken) return run_now(next().take_over(detail::read_claim(in)));
    if (kind <= closed) {
      const std::uint64_t value = in.number();
      if (kind == renewed) return run_now(next().renew(value));
      if (kind == closed) return run_now(next().close_lease(value, EndReason(in.number())));
      return run_now(next().open_lease(std::string(in.text()), Duration(value)));
    }
    const Name name = detail::read_name(in);
    if (kind == joined) return run_now(next().join(name, detail::read_name(in)));
    if (kind == parted) return run_now(next().leave_group(name, detail::read_name(in)));
    const Incarnation life = detail::read_life(in);
    if (kind == left) return run_now(next().leave(name, life, detail::read_ending(in)));
    return run_now(next().describe(name, life, detail::read_properties(in)));
  }

  std::mutex mutex_;  // guards what follows
  const Descriptor file_;
  off_t read_ = 0;
};

// Each node has a folder, named by its lease. A frame to it is a file there: its number among those
// of its sender to this node, its sender's lease. The node's first worker waits for such files and
// for changes of the names.
class Letters final : public LocalTransport, public Reactor, DirectoryWatcher {
 public:
  explicit Letters(const fs::path& folder)
      : names(std::make_shared<Names>(folder / "names")), folder_(folder) {
    ::inotify_add_watch(changes_.get(), (folder / "names").c_str(), IN_MODIFY);
  }

  const std::shared_ptr<Names> names;

  // --- Transport ---
  bool connects_nodes() const noexcept override { return true; }
  void attach(FrameReceiver& receiver, LeaseId self) override {
    if (watch_ == 0) watch_ = run_now(names->watch(Name(), *this));
    const std::lock_guard lock(mutex_);
    receiver_ = &receiver, self_ = self;
    sent_.clear();
    fs::create_directory(own());
    ::inotify_add_watch(changes_.get(), own().c_str(), IN_MOVED_TO);
  }
  void detach() noexcept override {
    run_now(names->unwatch(std::exchange(watch_, 0)));
    std::error_code ignored;
    fs::remove_all(own(), ignored);
    receiver_ = nullptr;
  }
  bool send(LeaseId self, LeaseId to, std::span<const std::byte> frame, const Content& content,
            const Apart*) override {
    const std::lock_guard lock(mutex_);
    const fs::path place = folder_ / std::to_string(to);
    if (self != self_ || !fs::exists(place)) return true;
    Bytes first;
    FrameWriter(first).text(detail::as_text(frame));
    const fs::path draft = folder_ / (".draft-" + std::to_string(self_));
    std::ofstream file(draft, std::ios::binary);
    file << detail::as_text(first) << content.text();
    file.close();
    if (!file)
      throw Error(Errc::disk_full, "a message cannot be written; make room in " + place.string());
    std::error_code gone;  // the peer's folder may be
    fs::rename(draft, place / (std::to_string(++sent_[to]) + '.' + std::to_string(self_)), gone);
    return true;
  }
  bool all_acknowledged() override {
    for (const auto& each : fs::recursive_directory_iterator(folder_))
      if (each.path().extension() == '.' + std::to_string(self_)) return false;
    return true;
  }
  // A node that sends nonsense loses its lease.
  void refuse(LeaseId peer, std::string_view) override {
    (void)run_now(names->close_lease(peer, EndReason::unreachable));
  }

  // --- Reactor ---
  // Changes of the names come before the frames that were sent after them, and the end of a lease
  // behind the last frame of its node.
  bool poll() override {
    char events[4096];
    (void)!::read(wake_.get(), events, sizeof(std::uint64_t));
    if (::read(changes_.get(), events, sizeof events) <= 0) return false;
    read_letters();
    for (const LeaseId lease : take_ended()) {
      read_letters();
      std::error_code ignored;
      fs::remove_all(folder_ / std::to_string(lease), ignored);
      if (receiver_ != nullptr && lease != self_) receiver_->on_gone(lease);
    }
    return true;
  }
  void wait(Duration longest) override {
    pollfd both[] = {{changes_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    const auto most = std::chrono::ceil<std::chrono::milliseconds>(longest).count();
    (void)::poll(both, 2, static_cast<int>(std::min<std::int64_t>(most, 60'000)));
    poll();
  }
  void wake() override { ::eventfd_write(wake_.get(), 1); }

 private:
  fs::path own() const { return folder_ / std::to_string(self_); }

  // Those of one sender in the order of their numbers. A list of files that come meanwhile may lack
  // one that is older than the last it shows; what is behind the gap waits for the next list.
  void read_letters() {
    std::error_code none;  // there may be no folder, before the beginning and at the end
    std::multimap<std::uint64_t, fs::path> letters;
    for (const auto& each : fs::directory_iterator(own(), none))
      letters.emplace(std::stoull(each.path().filename()), each.path());
    run_now(names->catch_up());
    for (const auto& [number, path] : letters) {
      const LeaseId from = std::stoull(path.extension().string().substr(1));
      if (number != taken_[from] + 1) continue;
      taken_[from] = number;
      std::ifstream file(path, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      take(from, FrameReader(std::as_bytes(std::span(text))));
      fs::remove(path);
    }
  }
  void take(LeaseId from, FrameReader in) {
    const auto frame = std::as_bytes(std::span(in.text())), content = in.rest();
    if (!in.ok() || receiver_ == nullptr) return;
    if (content.size() > receiver_->content_limit()) return receiver_->on_too_large(from, frame);
    receiver_->on_frame(from, frame, content.empty() ? Content() : Content::bytes(content));
  }
  void on_change(const DirectoryEvent& event) noexcept override {
    const std::lock_guard lock(mutex_);
    if (event.kind == DirectoryEvent::Kind::lease_ended) ended_.push_back(event.lease);
  }
  std::vector<LeaseId> take_ended() {
    const std::lock_guard lock(mutex_);
    return std::exchange(ended_, {});
  }

  const fs::path folder_;
  const Descriptor changes_{check(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC), "inotify")};
  const Descriptor wake_{check(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "eventfd")};
  std::uint64_t watch_ = 0;
  FrameReceiver* receiver_ = nullptr;
  std::map<LeaseId, std::uint64_t> taken_;
  std::mutex mutex_;  // guards what follows
  LeaseId self_ = 0;
  std::map<LeaseId, std::uint64_t> sent_;
  std::vector<LeaseId> ended_;
};

}  // namespace

Realization realization(const std::string& folder) {
  const auto letters = std::make_shared<Letters>(folder);
  Realization made;
  made.name = "spool:" + folder;
  made.transport = letters;
  made.reactor = letters;
  made.directory = letters->names;
  made.queue = mail_queues();
  return made;
}

}  // namespace spool
