// An object request broker without endpoints, whose streams know their character sets.
#pragma once

#include <omniORB4/CORBA.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::fipa::test {

class Broker {
 public:
  Broker() {
    const char* settings[][2] = {{"nativeCharCodeSet", "UTF-8"}, {nullptr, nullptr}};
    int none = 0;
    orb_ = CORBA::ORB_init(none, nullptr, "omniORB4", settings);
  }
  ~Broker() { orb_->destroy(); }
  Broker(const Broker&) = delete;
  Broker& operator=(const Broker&) = delete;

 private:
  CORBA::ORB_var orb_;
};

inline std::string bytes_of(const cdrMemoryStream& stream) {
  return {static_cast<const char*>(stream.bufPtr()), stream.bufSize()};
}

// A stream that reads bytes in this host's order.
class Input : private std::vector<std::uint64_t>, public cdrMemoryStream {
 public:
  explicit Input(std::string_view bytes)
      : std::vector<std::uint64_t>(bytes.size() / 8 + 1),
        cdrMemoryStream(copied(*this, bytes), bytes.size()) {}

 private:
  static void* copied(std::vector<std::uint64_t>& room, std::string_view bytes) {
    bytes.copy(reinterpret_cast<char*>(room.data()), bytes.size());
    return room.data();
  }
};

}  // namespace coracle::fipa::test
