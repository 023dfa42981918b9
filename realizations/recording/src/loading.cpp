// Reads a recording back. Nothing in the file is believed before it was checked: the kind of the
// file, its seal, SQLite's own check, the digest of each table, and every value.
#include "database.hpp"
#include "format.hpp"
#include "world_notes.hpp"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace coracle::recording {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw Error(Errc::bad_encoding, "'" + file + "' cannot be replayed: " + why);
}

[[noreturn]] void damaged(const std::string& file, const std::string& where) {
  refuse(file, "it is damaged (" + where + "); take another copy of it");
}

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (const char byte : bytes.substr(0, 4)) {
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return number;
}

// The header of an SQLite file: its kind at 68, its version at 60.
void check_kind(const std::string& file, std::string_view head) {
  constexpr std::string_view magic("SQLite format 3\0", 16);
  if (head.size() < 100 || !head.starts_with(magic) ||
      big_endian(head.substr(68)) != format::application) {
    refuse(file, "it is no recording; give a file that --record or a Recorder made");
  }
  const std::uint32_t version = big_endian(head.substr(60));
  if (version != format::version) {
    refuse(file, "it is a recording of version " + std::to_string(version) + ", and this is " +
                     std::to_string(format::version) + "; use the program that made it");
  }
}

// The number of pages is at 28; it is valid if the change counter (24) equals the counter that was
// stored with the version (92).
void check_size(const std::string& file, std::string_view head, std::uint64_t bytes) {
  const std::uint64_t all = big_endian(head.substr(28)) * format::page_bytes;
  if (big_endian(head.substr(24)) != big_endian(head.substr(92)) || bytes >= all) return;
  refuse(file, "it is cut off: of its " + std::to_string(all) + " bytes, " + std::to_string(bytes) +
                   " are there; take another copy of it");
}

std::string head_of(const std::string& file) {
  std::string head(100, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

// Returns whether the file has its seal. A file that does not match its seal is damaged.
bool check_seal(const std::string& path, const std::string& file) {
  std::ifstream in(path, std::ios::binary);
  std::string block(format::page_bytes, '\0');
  format::Digest digest;
  std::string seal;
  const auto size = static_cast<std::streamsize>(block.size());
  for (int page = 0; in.read(block.data(), size); ++page) {
    if (page == 1) {
      const std::size_t mark = block.find(format::seal_mark);
      const std::size_t place = mark + format::seal_mark.size();
      if (mark == std::string::npos || place + format::no_seal.size() > block.size()) {
        damaged(file, "it has no place for a seal");
      }
      seal = block.substr(place, format::no_seal.size());
      block.replace(place, format::no_seal.size(), format::no_seal);
    }
    digest.add(block);
  }
  if (in.gcount() != 0 || seal.empty()) damaged(file, "it ends within a page");
  if (seal == format::no_seal) return false;
  if (seal != format::hex(digest.value())) damaged(file, "its seal is broken");
  return true;
}

// A copy of a file that its program left half-written, with the journal that undoes the
// half-written part.
class Copy {
 public:
  explicit Copy(const std::string& file) {
    std::string name = (fs::temp_directory_path() / "coracle-recording-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw Error(Errc::disk_failed, "cannot make the folder '" + name + "': " +
                                         std::strerror(errno) + "; make room for a copy there");
    }
    folder_ = name;
    fs::copy_file(file, path());
    fs::copy_file(file + "-journal", path() + "-journal");
    Database(path(), Database::Mode::roll_back).run("SELECT count(*) FROM sqlite_master");
  }
  ~Copy() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Copy(const Copy&) = delete;
  std::string path() const { return folder_ + "/copy"; }

 private:
  std::string folder_;
};

// Reads columns and adds them to a digest.
class Reading {
 public:
  Reading(Statement& statement, format::Digest& digest, const std::string& file)
      : statement_(statement), digest_(digest), file_(file) {}

  template <class Number>
  void number(Number& value) {
    const auto wide = static_cast<std::uint64_t>(statement_.number());
    digest_.add_number(wide);
    value = static_cast<Number>(wide);
    if (value != wide) damaged(file_, "a number is too large");
  }
  void time(Time& value) {
    std::uint64_t count = 0;
    number(count);
    value = Time(Duration(static_cast<std::int64_t>(count)));
  }
  void text(std::string& value) {
    value = statement_.text();
    digest_.add_text(value);
  }
  void bytes(std::string& value) { text(value); }
  void name(Name& value) {
    std::string letters;
    text(letters);
    if (letters.empty()) return;
    auto parsed = Name::parse(letters);
    if (!parsed) damaged(file_, "a name is not valid");
    value = std::move(parsed).value();
  }
  void what(Happening& value) {
    std::string word;
    text(word);
    for (unsigned number = 0; number <= static_cast<unsigned>(Happening::computed); ++number) {
      value = static_cast<Happening>(number);
      if (word == to_string(value)) return;
    }
    damaged(file_, "an event has an unknown kind");
  }
  void headers(std::vector<std::pair<std::string, std::string>>& values) {
    std::string packed;
    text(packed);
    if (!format::unpack(packed, values)) damaged(file_, "a message's headers cannot be read");
  }
  void flags(std::initializer_list<bool*> values) {
    std::uint64_t bits = 0;
    number(bits);
    for (bool* const value : values) {
      *value = (bits & 1) != 0;
      bits >>= 1;
    }
  }

 private:
  Statement& statement_;
  format::Digest& digest_;
  const std::string& file_;
};

}  // namespace

class Loader {
 public:
  Loader(const std::string& path, const std::string& file, bool sealed)
      : database_(path, Database::Mode::read), file_(file) {
    recording_.complete_ = sealed;
  }

  Recording load() {
    check_schema();
    check_integrity();
    read_notes();
    read_messages();
    read_events();
    read_choices();
    const auto& notes = recording_.notes_;
    recording_.world_ = world_of(notes);
    if (const auto name = notes.find("realization"); name != notes.end()) {
      recording_.realization_ = name->second;
    }
    return std::move(recording_);
  }

 private:
  // Permits no table but our own: a view with the name of one could be anything.
  void check_schema() {
    const std::string_view schema = format::schema;
    Statement rows(database_, "SELECT type, sql FROM sqlite_master ORDER BY rowid");
    std::size_t tables = 0;
    while (rows.step()) {
      const std::string type = rows.text();
      const std::string sql = rows.text() + ';';
      if (type != "table" || schema.find(sql) == std::string_view::npos) {
        damaged(file_, "it has tables that no recording has");
      }
      ++tables;
    }
    const auto wanted = std::count(schema.begin(), schema.end(), ';');
    if (static_cast<std::ptrdiff_t>(tables) != wanted) damaged(file_, "it lacks a table");
  }

  void check_integrity() {
    Statement check(database_, "PRAGMA integrity_check(1)");
    if (!check.step() || check.text() != "ok") damaged(file_, "SQLite finds its pages in disorder");
  }

  void check_account(const char* table, const format::Account& found) {
    Statement wanted(database_, "SELECT rows, digest FROM account WHERE name = ?");
    wanted.bind(std::string_view(table));
    if (!wanted.step()) damaged(file_, std::string("no account of its ") + table);
    const auto rows = static_cast<std::uint64_t>(wanted.number());
    const auto digest = static_cast<std::uint64_t>(wanted.number());
    if (rows != found.rows || digest != found.digest.value()) {
      damaged(file_, std::string("its ") + table + " are not what was written");
    }
  }

  void read_notes() {
    format::Account found;
    Statement rows(database_, "SELECT * FROM notes ORDER BY key");
    while (rows.step()) {
      Reading row(rows, found.digest, file_);
      std::string key, value;
      row.text(key);
      row.text(value);
      recording_.notes_.emplace(key, value);
      ++found.rows;
    }
    check_account("notes", found);
  }

  void read_messages() {
    format::Account found;
    Statement rows(database_, "SELECT * FROM messages ORDER BY id");
    while (rows.step()) {
      Reading row(rows, found.digest, file_);
      Said& said = recording_.messages_.emplace_back();
      format::columns(row, said);
      if (said.id != ++found.rows) damaged(file_, "a message is missing");
    }
    check_account("messages", found);
  }

  void read_events() {
    format::Account found;
    Statement rows(database_, "SELECT * FROM events ORDER BY id");
    while (rows.step()) {
      Reading row(rows, found.digest, file_);
      std::uint64_t id = 0;
      Happened& happened = recording_.events_.emplace_back();
      format::columns(row, id, happened);
      const bool about_one = happened.message <= recording_.messages_.size();
      if (id != ++found.rows || !about_one) damaged(file_, "an event is missing");
    }
    check_account("events", found);
  }

  void read_choices() {
    format::Account found;
    Statement rows(database_, "SELECT * FROM choices ORDER BY id");
    while (rows.step()) {
      Reading row(rows, found.digest, file_);
      std::uint64_t id = 0;
      std::string list;
      row.number(id);
      row.bytes(list);
      ++found.rows;
      if (!format::unpack(list, recording_.choices_)) damaged(file_, "its choices");
    }
    check_account("choices", found);
  }

  Database database_;
  const std::string& file_;
  Recording recording_;
};

Recording Recording::load(const std::string& file, std::uint64_t bytes_limit) {
  std::error_code error;
  const auto bytes = fs::file_size(file, error);
  if (error) {
    throw Error(Errc::no_such_file, "cannot read the recording '" + file + "': " + error.message() +
                                        "; look at the name");
  }
  if (bytes > bytes_limit) {
    throw Error(Errc::too_large, "the recording '" + file + "' has " + std::to_string(bytes) +
                                     " bytes, and the limit is " + std::to_string(bytes_limit) +
                                     "; record less, or less long");
  }
  const std::string head = head_of(file);
  check_kind(file, head);
  if (fs::exists(file + "-journal", error)) {
    const Copy copy(file);
    return Loader(copy.path(), file, check_seal(copy.path(), file)).load();
  }
  check_size(file, head, bytes);
  return Loader(file, file, check_seal(file, file)).load();
}

std::string Recording::cut_off() const {
  if (complete_) return "";
  const std::string last = messages_.empty() ? "before any message"
                                             : "after message " + std::to_string(messages_.size());
  return "the recording ends in the middle, " + last +
         ": its program was killed or still runs, or its disk was full or failed, so what happened "
         "later, and what became of the last messages, is not in it";
}

const Said& Recording::message(MessageId id) const {
  if (id != 0 && id <= messages_.size()) return messages_[id - 1];
  throw Error(Errc::bad_options, "the recording has no message " + std::to_string(id) +
                                     "; it has " + std::to_string(messages_.size()) +
                                     ", numbered from 1");
}

}  // namespace coracle::recording
