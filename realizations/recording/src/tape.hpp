// The file of a recording, and the thread that writes it.
#pragma once

#include "coracle/recording/recorder.hpp"
#include "database.hpp"
#include "format.hpp"
#include "sink.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace coracle::recording {

class Tape final : public Sink {
 public:
  Tape(const std::string& file, RecorderOptions options);
  ~Tape() override;

  MessageId say(Said said) noexcept override;
  void happen(Happened happened) noexcept override;
  void choose(Chosen chosen) noexcept;
  // The first note under a key stays.
  void note(const std::map<std::string, std::string>& notes) noexcept;
  unsigned next_node() noexcept;

  // Returns the error, if there was one.
  std::optional<Error> close() noexcept;
  std::string failure() const;

 private:
  // The data that waits to be written.
  struct Batch {
    std::vector<Said> said;
    std::vector<Happened> happened;
    std::string choices;
    std::map<std::string, std::string> notes;
    std::size_t bytes = 0;
  };

  void wait_for_room(std::unique_lock<std::mutex>& lock) noexcept;
  void wait_until_written(std::unique_lock<std::mutex>& lock) noexcept;
  void added(std::size_t bytes) noexcept;
  void work() noexcept;
  void write(Batch& batch);
  void write_notes(const std::map<std::string, std::string>& notes);
  void write_accounts();
  void seal();
  void failed(const Error& error) noexcept;

  const std::string file_;
  const RecorderOptions options_;
  const std::size_t enough_;            // bytes; a smaller amount waits a moment for more
  std::unique_ptr<Database> database_;  // used by the writing thread only, once that exists
  format::Account messages_, events_, choices_, notes_;
  std::map<std::string, std::string> noted_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable something_;
  std::condition_variable room_;
  Batch batch_;
  MessageId last_message_ = 0;
  unsigned nodes_ = 0;
  bool is_writing_ = false;
  bool closing_ = false;
  bool closed_ = false;
  std::optional<Error> failure_;

  std::thread thread_;
};

}  // namespace coracle::recording
