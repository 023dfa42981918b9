// The part of SQLite that recordings need. Every failure is an Error with Errc::disk_full or
// Errc::disk_failed, or with Errc::bad_encoding when a file is read.
#pragma once

#include "coracle/errors.hpp"

#include <cstdint>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace coracle::recording {

class Database {
 public:
  enum class Mode : std::uint8_t {
    write,      // the file exists and grows
    read,       // the file is not changed, whatever is wrong with it
    roll_back,  // a half-written change is undone first
  };

  Database(const std::string& file, Mode mode);
  ~Database() { close(); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const char* sql);
  // Does not report what could not be done.
  void close() noexcept;
  [[noreturn]] void fail(std::string_view doing) const;

 private:
  friend class Statement;
  const std::string file_;
  const Mode mode_;
  sqlite3* handle_ = nullptr;
};

// A prepared statement. Parameters and columns are used in their order.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(std::int64_t number);
  void bind(std::string_view text);
  void bind_bytes(std::string_view bytes);
  // Returns whether there is a row.
  bool step();
  // Prepares the statement for the next row to write.
  void done();
  std::int64_t number();
  std::string text();

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int next_ = 0;
};

}  // namespace coracle::recording
