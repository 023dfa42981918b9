#include "database.hpp"

#include <sqlite3.h>

namespace coracle::recording {

namespace {

// A file's name in a URI, where some characters have a meaning.
std::string uri_of(const std::string& file, const char* parameters) {
  constexpr char digits[] = "0123456789abcdef";
  std::string uri = "file:";
  for (const char letter : file) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '%' || letter == '?' || letter == '#' || byte < ' ') {
      uri += '%';
      uri += digits[byte >> 4];
      uri += digits[byte & 15];
    } else {
      uri += letter;
    }
  }
  return uri + parameters;
}

}  // namespace

Database::Database(const std::string& file, Mode mode) : file_(file), mode_(mode) {
  const bool read = mode == Mode::read;
  const int flags =
      (read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  const std::string uri = uri_of(file, read ? "?immutable=1" : "");
  if (sqlite3_open_v2(uri.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    try {
      fail("open");
    } catch (...) {
      close();
      throw;
    }
  }
}

void Database::close() noexcept {
  sqlite3_close(handle_);
  handle_ = nullptr;
}

void Database::run(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("use");
}

void Database::fail(std::string_view doing) const {
  const int code = sqlite3_errcode(handle_);
  const std::string why = sqlite3_errmsg(handle_);
  const std::string begin = "cannot " + std::string(doing) + " the recording '" + file_ + "': ";
  if (mode_ != Mode::write) {
    throw Error(Errc::bad_encoding, begin + why + "; it is damaged, take another copy of it");
  }
  if (code == SQLITE_FULL) {
    throw Error(Errc::disk_full, begin + why + "; make room, or allow it a larger file");
  }
  throw Error(Errc::disk_failed, begin + why + "; look at the disk and the file's permissions");
}

Statement::Statement(Database& database, const char* sql) : database_(database) {
  if (sqlite3_prepare_v2(database.handle_, sql, -1, &statement_, nullptr) != SQLITE_OK) {
    database.fail("use");
  }
}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::bind(std::int64_t number) {
  if (sqlite3_bind_int64(statement_, ++next_, number) != SQLITE_OK) database_.fail("write");
}

void Statement::bind(std::string_view text) {
  const char* const data = text.data() != nullptr ? text.data() : "";
  if (sqlite3_bind_text64(statement_, ++next_, data, text.size(), SQLITE_STATIC, SQLITE_UTF8) !=
      SQLITE_OK) {
    database_.fail("write");
  }
}

void Statement::bind_bytes(std::string_view bytes) {
  const char* const data = bytes.data() != nullptr ? bytes.data() : "";
  if (sqlite3_bind_blob64(statement_, ++next_, data, bytes.size(), SQLITE_STATIC) != SQLITE_OK) {
    database_.fail("write");
  }
}

bool Statement::step() {
  next_ = 0;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail("use");
  return false;
}

void Statement::done() {
  step();
  sqlite3_reset(statement_);
}

std::int64_t Statement::number() { return sqlite3_column_int64(statement_, next_++); }

std::string Statement::text() {
  const int column = next_++;
  const void* const data = sqlite3_column_blob(statement_, column);
  const int bytes = sqlite3_column_bytes(statement_, column);
  return data == nullptr
             ? std::string()
             : std::string(static_cast<const char*>(data), static_cast<std::size_t>(bytes));
}

}  // namespace coracle::recording
