#include "spool.hpp"

#include <coracle/directory_filter.hpp>
#include <coracle/support/core_frames.hpp>
#include <coracle/support/directory_fields.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>
#include <system_error>
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
using detail::FrameReader, detail::FrameWriter;
namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

template <class Result>
Result check(Result result, const std::string& what) {
  if (result < 0)
    throw Error(Errc::disk_failed, what + ": " + std::system_category().message(errno));
  return result;
}

// The result of a task that never waits, as those of a directory in memory.
template <class T>
T result_of(Task<T> task) {
  task.await_suspend(std::noop_coroutine());
  return task.await_resume();
}

std::string_view view(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The fields of a change.
void put(FrameWriter& out, std::uint64_t number) { out.number(number); }
void put(FrameWriter& out, const std::string& text) { out.text(text); }
void put(FrameWriter& out, const Name& name) { out.text(name.view()); }
void put(FrameWriter& out, const auto& record) { detail::write(out, record); }

using Given = std::variant<Result<void>, Result<Incarnation>, Result<LeaseId>>;

// The time of the change that is being made: so all nodes agree on which leases have expired.
struct FileClock : Clock {
  Time now() const override { return present; }
  std::atomic<Time> present{};
};

// The file `names` holds all changes, one behind the other. Each node reads it from the beginning
// and makes the same changes in a directory of its own.
class Names final : FileClock, public DirectoryFilter {
 public:
  explicit Names(const fs::path& file)
      : DirectoryFilter(local_directory(*this)),
        file_(check(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600), file)) {}
  ~Names() override { ::close(file_); }

  // Makes the changes that other nodes have written.
  Task<> catch_up() override {
    const std::lock_guard lock(mutex_);
    make_new();
    co_return;
  }
  Task<Result<LeaseId>> open_lease(std::string identity, Duration term) override {
    co_return change<LeaseId>(opened, identity, static_cast<std::uint64_t>(term.count()));
  }
  Task<Result<void>> renew(LeaseId lease) override { co_return change<void>(renewed, lease); }
  Task<Result<void>> close_lease(LeaseId lease, EndReason reason) override {
    co_return change<void>(closed, lease, static_cast<std::uint64_t>(reason));
  }
  Task<Result<Incarnation>> claim(Claim of) override {
    co_return change<Incarnation>(claimed, of.name, of.lease, of.properties, of.mailbox,
                                  of.earlier);
  }
  std::optional<Result<Incarnation>> try_claim(Claim&) override { return std::nullopt; }
  Task<Result<Incarnation>> take_over(Claim of) override {
    co_return change<Incarnation>(taken, of.name, of.lease, of.properties, of.mailbox, of.earlier);
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
  Result<T> change(Kind kind, const Fields&... fields) {
    const std::lock_guard lock(mutex_);
    check(::flock(file_, LOCK_EX), "cannot lock the names");
    Bytes body, record;
    FrameWriter out(body);
    put(out, static_cast<std::uint64_t>(steady_clock().now().time_since_epoch().count()));
    put(out, std::uint64_t{kind});
    (put(out, fields), ...);
    FrameWriter(record).text(view(body));
    make_new();
    const ssize_t written = ::write(file_, record.data(), record.size());
    Given given = make_new();
    ::flock(file_, LOCK_UN);
    check(written == static_cast<ssize_t>(record.size()) ? 0 : -1, "cannot write to the names");
    return std::get<Result<T>>(std::move(given));
  }

  // Makes the changes that are new in the file; returns the result of the last one.
  Given make_new() {
    Bytes bytes(static_cast<std::size_t>(check(::lseek(file_, 0, SEEK_END), "names") - read_));
    const ssize_t size = ::pread(file_, bytes.data(), bytes.size(), read_);
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

  Given make(FrameReader& in) {
    present = Time(Duration(static_cast<std::int64_t>(in.number())));
    const std::uint64_t kind = in.number();
    if (kind == opened) {
      const std::string identity(in.text());
      const Duration term(static_cast<std::int64_t>(in.number()));
      return result_of(next().open_lease(identity, term));
    }
    if (kind == renewed) return result_of(next().renew(in.number()));
    if (kind == closed) {
      const LeaseId lease = in.number();
      return result_of(next().close_lease(lease, static_cast<EndReason>(in.number())));
    }
    const Name name = detail::read_name(in);
    if (kind == joined) return result_of(next().join(name, detail::read_name(in)));
    if (kind == parted) return result_of(next().leave_group(name, detail::read_name(in)));
    if (kind == claimed || kind == taken) {
      Claim claim(name, in.number());
      claim.properties = detail::read_properties(in);
      claim.mailbox = detail::read_mailbox_options(in);
      claim.earlier = detail::read_life(in);
      return result_of(kind == claimed ? next().claim(claim) : next().take_over(claim));
    }
    const Incarnation life = detail::read_life(in);
    if (kind == left) return result_of(next().leave(name, life, detail::read_ending(in)));
    return result_of(next().describe(name, life, detail::read_properties(in)));
  }

  std::mutex mutex_;  // guards what follows
  const int file_;
  off_t read_ = 0;
};

// Each node has a folder, named by its lease. A frame to it is a file there: its number among those
// of its sender to this node, its sender's lease. The node's first worker waits for such files and
// for changes of the names.
class Letters final : public LocalTransport, public Reactor, DirectoryWatcher {
 public:
  explicit Letters(const fs::path& folder)
      : names(std::make_shared<Names>(folder / "names")), folder_(folder) {
    ::inotify_add_watch(changes_, (folder / "names").c_str(), IN_MODIFY);
  }
  ~Letters() override { ::close(changes_), ::close(wake_); }

  const std::shared_ptr<Names> names;

  // --- Transport ---
  bool connects_nodes() const noexcept override { return true; }
  void attach(FrameReceiver& receiver, LeaseId self) override {
    if (watch_ == 0) watch_ = result_of(names->watch(Name(), *this));
    const std::lock_guard lock(mutex_);
    fs::remove_all(own());
    receiver_ = &receiver, self_ = self;
    fs::create_directory(own());
    ::inotify_add_watch(changes_, own().c_str(), IN_MOVED_TO);
  }
  void detach() noexcept override {
    result_of(names->unwatch(std::exchange(watch_, 0)));
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
    FrameWriter(first).text(view(frame));
    const fs::path draft = folder_ / (".draft-" + std::to_string(self_));
    std::ofstream file(draft, std::ios::binary);
    file << view(first) << view(content.bytes());
    file.close();
    if (!file)
      throw Error(Errc::disk_full, "a message cannot be written; make room in " + place.string());
    std::error_code gone;  // the peer's folder may be
    const std::uint64_t number = ++sent_[{self_, to}];
    fs::rename(draft, place / (std::to_string(number) + '.' + std::to_string(self_)), gone);
    return true;
  }
  bool all_acknowledged() override {
    const auto is_mine = [mine = '.' + std::to_string(self_)](const fs::directory_entry& each) {
      return each.path().extension() == mine;
    };
    const fs::recursive_directory_iterator all(folder_);
    return std::none_of(begin(all), end(all), is_mine);
  }
  // A node that sends nonsense loses its lease.
  void refuse(LeaseId peer, std::string_view) override {
    (void)result_of(names->close_lease(peer, EndReason::unreachable));
  }

  // --- Reactor ---
  // Changes of the names come before the frames that were sent after them, and the end of a lease
  // behind the last frame of its node.
  bool poll() override {
    char events[4096];
    (void)!::read(wake_, events, sizeof(std::uint64_t));
    if (::read(changes_, events, sizeof events) <= 0) return false;
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
    pollfd both[] = {{changes_, POLLIN, 0}, {wake_, POLLIN, 0}};
    const auto most = std::chrono::ceil<std::chrono::milliseconds>(longest).count();
    (void)::poll(both, 2, static_cast<int>(std::min<std::int64_t>(most, 60'000)));
    poll();
  }
  void wake() override { ::eventfd_write(wake_, 1); }

 private:
  fs::path own() const { return folder_ / std::to_string(self_); }

  // Those of one sender in the order of their numbers. A list of files that come meanwhile may lack
  // one that is older than the last it shows; what is behind the gap waits for the next list.
  void read_letters() {
    std::error_code none;  // there may be no folder, before the beginning and at the end
    std::multimap<std::uint64_t, fs::path> letters;
    for (const auto& each : fs::directory_iterator(own(), none))
      letters.emplace(std::stoull(each.path().filename()), each.path());
    result_of(names->catch_up());
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
  const int changes_ = check(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC), "inotify");
  const int wake_ = check(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "eventfd");
  std::uint64_t watch_ = 0;
  FrameReceiver* receiver_ = nullptr;
  std::map<LeaseId, std::uint64_t> taken_;
  std::mutex mutex_;  // guards what follows
  LeaseId self_ = 0;
  std::map<std::pair<LeaseId, LeaseId>, std::uint64_t> sent_;  // from whom, to whom
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
