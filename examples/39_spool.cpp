// A realization of your own: two nodes exchange messages as files in a folder. Here both are in one
// program; each may be in a program of its own on the same host.
#include "spool/spool.hpp"

#include <coracle/coracle.hpp>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <system_error>

using namespace coracle;

// An empty folder that is removed at the end.
class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "spool-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make " + path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class Pilot : public Agent {
 public:
  Task<> run() override {
    Message question = co_await receive();
    co_await reply(question, "Berth 7, and mind the tide.");
  }
};

class Ship : public Agent {
 public:
  Task<> run() override {
    Message answer = co_await ask("harbour/pilot", "Where may we moor?");
    std::cout << answer.source().name().view() << ": " << answer.text() << '\n';
  }
};

int main() {
  const Folder folder;
  Node harbour(spool::realization(folder.path()));
  Node sea(spool::realization(folder.path()));
  harbour.create<Pilot>("harbour/pilot");
  sea.create<Ship>("sea/ship");
  sea.wait();
}
