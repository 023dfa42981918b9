#include "tape.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace coracle::recording {

namespace {

constexpr std::size_t line_bytes = 200;  // the approximate size of a line without its texts
constexpr std::size_t choice_bytes = 4;
constexpr std::size_t write_from = 256 << 10;  // bytes
constexpr auto a_moment = std::chrono::milliseconds(20);

void warn(const std::string& line) noexcept try {
  const auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  spdlog::logger logger("coracle", sink);
  logger.set_pattern("%Y-%m-%d %H:%M:%S.%e %n %l: %v");
  logger.warn("{}", line);
} catch (...) {
  // A line that cannot be written must not end its caller.
}

// The file must be new: a recording never overwrites another file.
void make_file(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor >= 0) {
    ::close(descriptor);
    return;
  }
  const int code = errno;
  const std::string begin = "cannot make the recording '" + file + "': ";
  if (code == EEXIST) {
    throw Error(Errc::file_exists, begin + "it is there already; take another name, or remove it");
  }
  if (code == ENOENT) throw Error(Errc::no_such_file, begin + "there is no such folder; make it");
  if (code == ENOSPC) throw Error(Errc::disk_full, begin + "the disk is full; make room");
  throw Error(Errc::disk_failed,
              begin + std::strerror(code) + "; look at the disk and the folder's permissions");
}

// Writes columns and adds them to a digest.
class Writing {
 public:
  Writing(Statement& statement, format::Digest& digest) : statement_(statement), digest_(digest) {}

  void number(std::uint64_t value) {
    statement_.bind(static_cast<std::int64_t>(value));
    digest_.add_number(value);
  }
  void time(Time value) { number(static_cast<std::uint64_t>(value.time_since_epoch().count())); }
  void text(std::string_view value) {
    statement_.bind(value);
    digest_.add_text(value);
  }
  void bytes(std::string_view value) {
    statement_.bind_bytes(value);
    digest_.add_text(value);
  }
  void name(const Name& value) { text(value.view()); }
  void what(Happening value) { text(to_string(value)); }
  void headers(const std::vector<std::pair<std::string, std::string>>& values) {
    headers_ = format::pack(values);
    bytes(headers_);
  }
  void flags(std::initializer_list<bool*> values) {
    std::uint64_t bits = 0, bit = 1;
    for (const bool* value : values) {
      if (*value) bits |= bit;
      bit <<= 1;
    }
    number(bits);
  }

 private:
  Statement& statement_;
  format::Digest& digest_;
  std::string headers_;
};

}  // namespace

Tape::Tape(const std::string& file, RecorderOptions options)
    : file_(file),
      options_(std::move(options)),
      enough_(options_.at_once ? 1 : std::min(write_from, options_.buffer_bytes)) {
  if (options_.file_bytes < 16 * format::page_bytes) {
    throw Error(Errc::bad_options, "RecorderOptions::file_bytes is " +
                                       std::to_string(options_.file_bytes) +
                                       "; give at least 65536");
  }
  make_file(file);
  try {
    database_ = std::make_unique<Database>(file, Database::Mode::write);
    database_->run(fmt::format("PRAGMA page_size={}; PRAGMA application_id={};"
                               "PRAGMA user_version={}; PRAGMA max_page_count={};"
                               "PRAGMA synchronous=OFF; BEGIN; {}"
                               "INSERT INTO seal VALUES('{}{}');",
                               format::page_bytes, format::application, format::version,
                               options_.file_bytes / format::page_bytes, format::schema,
                               format::seal_mark, format::no_seal)
                       .c_str());
    write_notes(options_.notes);
    write_accounts();
    database_->run("COMMIT");
  } catch (...) {
    database_.reset();
    ::unlink(file.c_str());
    throw;
  }
  thread_ = std::thread([this] { work(); });
}

Tape::~Tape() { close(); }

void Tape::note(const std::map<std::string, std::string>& notes) noexcept {
  const std::lock_guard lock(mutex_);
  batch_.notes.insert(notes.begin(), notes.end());
  added(line_bytes);
}

unsigned Tape::next_node() noexcept {
  const std::lock_guard lock(mutex_);
  return nodes_++;
}

void Tape::wait_for_room(std::unique_lock<std::mutex>& lock) noexcept {
  room_.wait(lock, [this] { return batch_.bytes < options_.buffer_bytes || closed_ || failure_; });
}

void Tape::wait_until_written(std::unique_lock<std::mutex>& lock) noexcept {
  if (!options_.at_once) return;
  room_.wait(lock, [this] { return (batch_.bytes == 0 && !is_writing_) || closed_ || failure_; });
}

void Tape::added(std::size_t bytes) noexcept {
  const bool was_nothing = batch_.bytes == 0;
  const bool was_little = batch_.bytes < enough_;
  batch_.bytes += bytes;
  if (was_nothing || (was_little && batch_.bytes >= enough_)) something_.notify_one();
}

MessageId Tape::say(Said said) noexcept {
  std::unique_lock lock(mutex_);
  wait_for_room(lock);
  said.id = ++last_message_;
  if (closed_ || failure_) return said.id;
  const std::size_t bytes = line_bytes + said.content.size();
  batch_.said.push_back(std::move(said));
  added(bytes);
  const MessageId id = last_message_;
  wait_until_written(lock);
  return id;
}

void Tape::happen(Happened happened) noexcept {
  std::unique_lock lock(mutex_);
  wait_for_room(lock);
  if (closed_ || failure_) return;
  const std::size_t bytes = line_bytes + happened.text.size();
  batch_.happened.push_back(std::move(happened));
  added(bytes);
  wait_until_written(lock);
}

void Tape::choose(Chosen chosen) noexcept {
  std::unique_lock lock(mutex_);
  wait_for_room(lock);
  if (closed_ || failure_) return;
  format::pack(chosen, batch_.choices);
  added(choice_bytes);
}

void Tape::work() noexcept {
  std::unique_lock lock(mutex_);
  for (;;) {
    something_.wait(lock, [this] { return closing_ || batch_.bytes != 0; });
    something_.wait_for(lock, a_moment, [this] { return closing_ || batch_.bytes >= enough_; });
    Batch batch = std::exchange(batch_, {});
    const bool last = closing_;
    is_writing_ = true;
    room_.notify_all();
    lock.unlock();
    try {
      write(batch);
      if (last) seal();
    } catch (const Error& error) {
      failed(error);
      return;
    }
    lock.lock();
    is_writing_ = false;
    if (options_.at_once) room_.notify_all();
    if (last) return;
  }
}

void Tape::write(Batch& batch) {
  database_->run("BEGIN");
  write_notes(batch.notes);
  Statement message(*database_, format::insert_message);
  for (Said& said : batch.said) {
    Writing row(message, messages_.digest);
    format::columns(row, said);
    message.done();
    ++messages_.rows;
  }
  Statement event(*database_, format::insert_event);
  for (Happened& happened : batch.happened) {
    Writing row(event, events_.digest);
    format::columns(row, ++events_.rows, happened);
    event.done();
  }
  if (!batch.choices.empty()) {
    Statement choices(*database_, "INSERT INTO choices VALUES(?,?)");
    Writing row(choices, choices_.digest);
    row.number(++choices_.rows);
    row.bytes(batch.choices);
    choices.done();
  }
  write_accounts();
  database_->run("COMMIT");
}

void Tape::write_notes(const std::map<std::string, std::string>& notes) {
  noted_.insert(notes.begin(), notes.end());
  notes_ = {};
  Statement insert(*database_, "INSERT OR REPLACE INTO notes VALUES(?,?)");
  for (const auto& [key, value] : noted_) {
    Writing row(insert, notes_.digest);
    row.text(key);
    row.text(value);
    insert.done();
    ++notes_.rows;
  }
}

void Tape::write_accounts() {
  Statement insert(*database_, "INSERT OR REPLACE INTO account VALUES(?,?,?)");
  const std::pair<const char*, const format::Account*> all[] = {
      {"messages", &messages_}, {"events", &events_}, {"choices", &choices_}, {"notes", &notes_}};
  for (const auto& [name, account] : all) {
    insert.bind(std::string_view(name));
    insert.bind(static_cast<std::int64_t>(account->rows));
    insert.bind(static_cast<std::int64_t>(account->digest.value()));
    insert.done();
  }
}

// The digest of the file, computed with an empty seal, replaces the empty seal.
void Tape::seal() {
  database_.reset();
  std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
  std::string block(format::page_bytes, '\0');
  format::Digest digest;
  std::streamoff place = -1;
  for (std::streamoff page = 0; file.read(block.data(), static_cast<long>(block.size())); ++page) {
    digest.add(block);
    if (page != 1) continue;
    const std::size_t found = block.find(format::seal_mark);
    if (found != std::string::npos) {
      place = static_cast<std::streamoff>(format::page_bytes + found + format::seal_mark.size());
    }
  }
  file.clear();
  file.seekp(place);
  file << format::hex(digest.value()) << std::flush;
  if (place >= 0 && file) return;
  throw Error(Errc::disk_failed,
              "cannot seal the recording '" + file_ + "'; look at the disk and the file");
}

void Tape::failed(const Error& error) noexcept {
  database_.reset();
  {
    const std::lock_guard lock(mutex_);
    failure_ = error;
    batch_ = {};
    room_.notify_all();
  }
  warn(error.sentence() + "; the society goes on, and its recording stays incomplete");
}

std::optional<Error> Tape::close() noexcept {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    something_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
  const std::lock_guard lock(mutex_);
  closed_ = true;
  room_.notify_all();
  return failure_;
}

std::string Tape::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_ ? failure_->sentence() : std::string();
}

}  // namespace coracle::recording
