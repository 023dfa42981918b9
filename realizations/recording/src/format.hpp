// The file: an SQLite database with its own application id and version, and a table for each kind
// of line. Beside it there is an account of the lines (their number, and a digest), which is
// written with them, and a seal: the digest of the whole file, set when the file is closed. A
// flipped bit anywhere breaks the account or the seal.
#pragma once

#include "coracle/recording/recording.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace coracle::recording::format {

inline constexpr std::uint32_t application = 0x43527265;  // "CRre"
inline constexpr std::uint32_t version = 1;
inline constexpr std::uint64_t page_bytes = 4096;
inline constexpr std::string_view seal_mark = "coracle-seal:";
inline constexpr std::string_view no_seal = "0000000000000000";

// The seal's row is the only one of the first table, so it is on the second page.
inline constexpr const char* schema =
    "CREATE TABLE seal(value TEXT NOT NULL);"
    "CREATE TABLE account(name TEXT PRIMARY KEY, rows INTEGER NOT NULL, digest INTEGER NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE notes(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE messages(id INTEGER PRIMARY KEY, at INTEGER, node INTEGER, worker INTEGER,"
    " source TEXT, epoch INTEGER, life INTEGER, target TEXT, addressed TEXT,"
    " conversation INTEGER, flags INTEGER, type TEXT, content BLOB, headers BLOB, reply_to TEXT,"
    " deadline INTEGER, trace_high INTEGER, trace_low INTEGER, span INTEGER);"
    "CREATE TABLE events(id INTEGER PRIMARY KEY, at INTEGER, node INTEGER, worker INTEGER,"
    " what TEXT, message INTEGER, agent TEXT, epoch INTEGER, life INTEGER, detail INTEGER,"
    " text TEXT);"
    "CREATE TABLE choices(id INTEGER PRIMARY KEY, list BLOB NOT NULL);";

inline constexpr const char* insert_message =
    "INSERT INTO messages VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
inline constexpr const char* insert_event = "INSERT INTO events VALUES(?,?,?,?,?,?,?,?,?,?,?)";

// FNV-1a of 64 bits: each step can be undone, so every single change changes the digest.
class Digest {
 public:
  void add(std::string_view bytes) noexcept {
    for (const char byte : bytes) step(static_cast<unsigned char>(byte));
  }
  void add_text(std::string_view bytes) noexcept {
    add_number(bytes.size());
    add(bytes);
  }
  void add_number(std::uint64_t number) noexcept {
    for (int shift = 0; shift < 64; shift += 8) step(number >> shift & 0xff);
  }
  std::uint64_t value() const noexcept { return value_; }

 private:
  void step(std::uint64_t byte) noexcept { value_ = (value_ ^ byte) * 0x100000001b3; }
  std::uint64_t value_ = 0xcbf29ce484222325;
};

// The number of rows of a table, and their digest.
struct Account {
  std::uint64_t rows = 0;
  Digest digest;
};

// Sixteen hexadecimal digits.
std::string hex(std::uint64_t number);
// Names and values, each with its length before it.
std::string pack(const std::vector<std::pair<std::string, std::string>>& headers);
// Returns false when `bytes` are not in that form.
bool unpack(std::string_view bytes, std::vector<std::pair<std::string, std::string>>& headers);
void pack(const Chosen& chosen, std::string& bytes);
bool unpack(std::string_view bytes, std::vector<Chosen>& choices);

// Passes the columns of a row, in their order, to `archive`, which writes or reads them.
template <class Archive>
void columns(Archive& archive, Said& said) {
  archive.number(said.id);
  archive.time(said.at);
  archive.number(said.node);
  archive.number(said.worker);
  archive.name(said.source);
  archive.number(said.life.epoch);
  archive.number(said.life.counter);
  archive.name(said.target);
  archive.name(said.addressed);
  archive.number(said.conversation);
  archive.flags({&said.is_request, &said.is_reply, &said.is_failure, &said.redelivered,
                 &said.is_encoded, &said.earlier});
  archive.text(said.type);
  archive.bytes(said.content);
  archive.headers(said.headers);
  archive.name(said.reply_to);
  archive.time(said.deadline);
  archive.number(said.trace.trace_high);
  archive.number(said.trace.trace_low);
  archive.number(said.trace.span);
}

template <class Archive>
void columns(Archive& archive, std::uint64_t& id, Happened& happened) {
  archive.number(id);
  archive.time(happened.at);
  archive.number(happened.node);
  archive.number(happened.worker);
  archive.what(happened.what);
  archive.number(happened.message);
  archive.name(happened.agent);
  archive.number(happened.life.epoch);
  archive.number(happened.life.counter);
  archive.number(happened.detail);
  archive.text(happened.text);
}

}  // namespace coracle::recording::format
