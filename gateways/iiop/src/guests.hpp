// The connections from other hosts, as omniORB reports them: each has a thread while it lasts.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace coracle::fipa {

class Guests {
 public:
  Guests(std::size_t most, std::size_t most_of_host) : most_(most), most_of_host_(most_of_host) {}

  // Returns why there is no room for one more connection of that host; nullptr if it has been let
  // in, and is to leave().
  const char* enter(const std::string& host) {
    const std::lock_guard lock(mutex_);
    if (count_ >= most_) return "there are too many connections";
    std::size_t& of_host = of_host_[host];
    if (of_host >= most_of_host_) return "its host has too many connections";
    ++of_host;
    ++count_;
    return nullptr;
  }
  void leave(const std::string& host) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = of_host_.find(host);
    if (found == of_host_.end()) return;
    --count_;
    if (--found->second == 0) of_host_.erase(found);
  }

 private:
  const std::size_t most_, most_of_host_;
  std::mutex mutex_;  // guards the members below
  std::size_t count_ = 0;
  std::map<std::string, std::size_t> of_host_;
};

// The address in "giop:tcp:127.0.0.1:4711", and the host in it.
inline std::string_view peer_in(std::string_view address) {
  constexpr std::string_view transport = "giop:tcp:";
  if (address.starts_with(transport)) address.remove_prefix(transport.size());
  return address;
}
inline std::string host_in(std::string_view address) {
  address = peer_in(address);
  return std::string(address.substr(0, address.rfind(':')));
}

}  // namespace coracle::fipa
