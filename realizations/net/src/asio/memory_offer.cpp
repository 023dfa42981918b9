#include "realizations/net/src/asio/memory_offer.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

namespace coracle::net {

namespace {

// No frame begins with the first byte of a word; the last byte is the kind of offer.
using Word = std::array<std::byte, 8>;
constexpr Word word_of(char what) {
  constexpr char name[] = {'C', 'R', 'C', 'L', 'w', 'd'};
  Word word{std::byte{0xcc}};
  for (std::size_t at = 0; at < sizeof name; ++at) word[at + 1] = static_cast<std::byte>(name[at]);
  word.back() = static_cast<std::byte>(what);
  return word;
}
constexpr Word offer = word_of('m'), nothing = word_of('-');
constexpr std::byte yes{1}, no{0};

constexpr int flags = MSG_DONTWAIT | MSG_NOSIGNAL;

// A socket message with room for one descriptor.
struct Message {
  explicit Message(Word& word) : words{word.data(), word.size()} {
    header.msg_iov = &words;
    header.msg_iovlen = 1;
    header.msg_control = room.data();
    header.msg_controllen = room.size();
  }
  Message(const Message&) = delete;

  iovec words;
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int))> room{};
  msghdr header{};
};

// Returns the descriptor that came with `header`; -1 when there is none, or more than one. In the
// latter case all are closed: the system delivers as many as there is room for, which may be more
// than one.
int only_descriptor(msghdr& header) {
  std::vector<int> all;
  for (cmsghdr* each = CMSG_FIRSTHDR(&header); each != nullptr; each = CMSG_NXTHDR(&header, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    const std::size_t before = all.size();
    all.resize(before + count);
    std::memcpy(all.data() + before, CMSG_DATA(each), count * sizeof(int));
  }
  if (all.size() == 1 && (header.msg_flags & MSG_CTRUNC) == 0) return all.front();
  for (const int each : all) ::close(each);
  return -1;
}

}  // namespace

std::optional<SharedMemory> offer_memory(Socket& socket) {
  auto made = SharedMemory::make();
  if (!made) return std::nullopt;
  Word word = offer;
  Message message(word);
  cmsghdr* const control = CMSG_FIRSTHDR(&message.header);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(control), &made->descriptor, sizeof(int));
  const ssize_t sent = ::sendmsg(socket.native_handle(), &message.header, flags);
  ::close(made->descriptor);
  if (sent != static_cast<ssize_t>(offer.size())) return std::nullopt;
  return std::move(made->memory);
}

void offer_nothing(Socket& socket) {
  (void)::send(socket.native_handle(), nothing.data(), nothing.size(), flags);
}

std::optional<bool> answer_to_offer(Socket& socket) {
  std::byte said{};
  if (::recv(socket.native_handle(), &said, 1, MSG_DONTWAIT) != 1) return std::nullopt;
  if (said != yes && said != no) return std::nullopt;
  return said == yes;
}

FirstWord hear_first_word(Socket& socket) {
  Word word;
  const int handle = socket.native_handle();
  const ssize_t bytes = ::recv(handle, word.data(), word.size(), MSG_PEEK | MSG_DONTWAIT);
  if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
    return FirstWord::not_yet;
  if (bytes != static_cast<ssize_t>(word.size())) return FirstWord::other;
  if (word == offer) return FirstWord::offer;
  if (word != nothing) return FirstWord::other;
  (void)::recv(handle, word.data(), word.size(), MSG_DONTWAIT);
  return FirstWord::nothing;
}

std::optional<SharedMemory> take_offer(Socket& socket, bool is_wanted) {
  Word word{};
  Message message(word);
  const int handle = socket.native_handle();
  const ssize_t bytes = ::recvmsg(handle, &message.header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  const bool is_offer = bytes == static_cast<ssize_t>(word.size()) && word == offer;
  const int descriptor = bytes > 0 ? only_descriptor(message.header) : -1;
  std::optional<SharedMemory> memory;
  if (descriptor >= 0) memory = SharedMemory::take(descriptor);
  if (!is_offer || !is_wanted) memory.reset();
  (void)::send(handle, memory ? &yes : &no, 1, flags);
  return memory;
}

}  // namespace coracle::net
