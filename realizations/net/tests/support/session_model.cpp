#include "support/session_model.hpp"

#include "support/side.hpp"

#include <cstring>

namespace coracle::net::test {

namespace {

constexpr std::size_t tag_bytes = 16;

std::string tag(std::uint64_t flow, std::uint64_t index) {
  const std::uint64_t words[] = {flow, index};
  std::string result(tag_bytes, '\0');
  std::memcpy(result.data(), words, tag_bytes);
  return result;
}

std::string name(std::uint64_t index) { return "message " + std::to_string(index); }

}  // namespace

Flow& Ledger::begin(unsigned from) {
  Flow& flow = flows.emplace_back();
  flow.id = flows.size();
  flow.from = from;
  return flow;
}

void ModelUser::send_one() {
  if (chance(random_, 30)) return send_growing();
  auto& records = flow_->sent;
  const std::size_t most = chance(random_, 95) ? habits_.small : habits_.large;
  const std::size_t size = between(random_, 0, most);
  const std::string text = pattern(size, static_cast<unsigned>(records.size()));
  const std::string header = tag(flow_->id, records.size());
  const Seq seq = session_->send(bytes_of(header), Content::bytes(bytes_of(text)));
  wants_ |= seq == 0;
  if (seq == 0) return;
  promise(records.empty() || seq > records.back().seq, "the numbers do not grow");
  records.push_back({seq, size});
}

// Extends the last message, or sends one that may grow later.
void ModelUser::send_growing() {
  auto& records = flow_->sent;
  const std::size_t more = between(random_, 1, 40);
  std::byte* room = session_->grow(growing_, more, habits_.small);
  if (room == nullptr) {
    const std::string header = tag(flow_->id, records.size());
    room = session_->send_growing(growing_, bytes_of(header), more);
    if (room == nullptr) {
      promise(session_->send({}, Content()) == 0, "send() and send_growing() disagree");
      wants_ = true;
      return;
    }
    promise(records.empty() || growing_.seq > records.back().seq, "the numbers do not grow");
    records.push_back({growing_.seq, 0});
  }
  Record& record = records.back();
  promise(record.seq == growing_.seq && !record.arrived, "a message grows behind its end");
  const std::string text = pattern(record.size + more, static_cast<unsigned>(records.size() - 1));
  std::memcpy(room, text.data() + record.size, more);
  record.size += more;
}

void ModelUser::release_one(std::size_t which) {
  session_->release(held_[which]);
  held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));
}

void ModelUser::act(unsigned most) {
  for (unsigned i = static_cast<unsigned>(between(random_, 0, most)); i > 0; --i) send_one();
  if (chance(random_, 5)) session_->hurry();
  if (chance(random_, habits_.hoard)) return;
  for (std::size_t i = between(random_, 0, 2 * std::size_t{most}); i > 0 && !held_.empty(); --i)
    release_one(chance(random_, 70) ? 0 : between(random_, 0, held_.size() - 1));
}

void ModelUser::finish() {
  while (!held_.empty()) release_one(0);
}

void ModelUser::on_arrived(const Arrived& message) {
  promise(is_open_, "a message arrives while the session is not open");
  promise(message.header.size() == tag_bytes, "a header is not what was sent");
  std::uint64_t words[2];
  std::memcpy(words, message.header.data(), tag_bytes);
  promise(words[0] >= 1 && words[0] <= ledger_.flows.size(), "a message that nobody sent");
  Flow& flow = ledger_.flows[words[0] - 1];
  promise(flow.from != index_, "a message comes back to its sender");
  promise(incoming_ == nullptr || incoming_->id <= flow.id, "a message of a life that is over");
  incoming_ = &flow;
  const std::string what = name(words[1]);
  promise(words[1] < flow.sent.size(), what + " was not sent");
  Record& record = flow.sent[words[1]];
  promise(!record.arrived, what + " arrived twice");
  promise(words[1] == flow.arrived,
          what + " arrived when " + std::to_string(flow.arrived) + " was next");
  promise(record.seq == message.seq, what + " has another number than its sender was told");
  const std::string text = pattern(record.size, static_cast<unsigned>(words[1]));
  promise(message.content.size() == text.size() &&
              (text.empty() || std::memcmp(message.content.data(), text.data(), text.size()) == 0),
          what + " has another content than was sent");
  record.arrived = true;
  ++flow.arrived;
  ++ledger_.arrivals;
  if (chance(random_, 50)) return session_->release(message.bytes());
  held_.push_back(message.bytes());
}

void ModelUser::on_credit() {
  promise(wants_, "credit is told to whom did not wait for it");
  wants_ = false;
}

void ModelUser::on_open(Opening how) {
  promise(!is_open_, "the session opens twice");
  promise(how != Opening::first || opened == 0 || gone > 0, "the peer is new a second time");
  is_open_ = true;
  ++opened;
}

void ModelUser::on_lost(const Closing&) {
  promise(is_open_, "a session is lost that was not open");
  is_open_ = false;
  ++lost;
}

void ModelUser::end_life() {
  held_.clear();
  flow_ = &ledger_.begin(index_);
}

void ModelUser::on_restarted() {
  promise(!is_open_, "the peer is another one while the session is open");
  ++restarted;
  end_life();
}

void ModelUser::on_suspected() {
  promise(!is_suspected_, "a peer is suspected twice");
  is_suspected_ = true;
  ++suspected;
}

void ModelUser::on_trusted() {
  promise(is_suspected_, "a peer is trusted that was not suspected");
  is_suspected_ = false;
}

void ModelUser::on_gone(const Closing&) {
  promise(!is_open_, "the peer is given up while the session is open");
  is_suspected_ = false;
  ++gone;
  end_life();
}

}  // namespace coracle::net::test
