#include "support/session_model.hpp"

#include "support/side.hpp"

#include <algorithm>
#include <cstring>

namespace coracle::net::test {

namespace {

constexpr std::size_t tag_bytes = 24;

std::string tag(std::uint64_t flow, Lane lane, std::uint64_t index) {
  const std::uint64_t words[] = {flow, static_cast<std::uint64_t>(lane), index};
  std::string result(tag_bytes, '\0');
  std::memcpy(result.data(), words, tag_bytes);
  return result;
}

std::string name(Lane lane, std::uint64_t index) {
  return "message " + std::to_string(index) + " of the " + to_string(lane) + " lane";
}

}  // namespace

Record* Flow::find(Lane lane, Seq seq) {
  auto& records = sent[lane];
  const auto found = std::lower_bound(records.begin(), records.end(), seq,
                                      [](const Record& each, Seq s) { return each.seq < s; });
  return found == records.end() || found->seq != seq ? nullptr : &*found;
}

Flow& Ledger::begin(unsigned from) {
  Flow& flow = flows.emplace_back();
  flow.id = flows.size();
  flow.from = from;
  return flow;
}

void ModelUser::send_one() {
  const auto lane = static_cast<Lane>(between(random_, 0, 9) < 7    ? 1
                                      : between(random_, 0, 1) == 0 ? 0
                                                                    : 2);
  const std::size_t most = lane == Lane::large ? habits_.large : habits_.small;
  const std::size_t size = between(random_, 0, most);
  if (!session_->can_send(lane, size + tag_bytes)) {
    wants_[lane] = true;
    promise(size + tag_bytes > session_->most(lane) || session_->send(lane, {}, Content()) == 0,
            "send() and can_send() disagree");
    return;
  }
  if (lane == Lane::control && chance(random_, 70)) return send_growing();
  auto& records = flow_->sent[lane];
  const std::string text = pattern(size, static_cast<unsigned>(records.size()));
  const std::string header = tag(flow_->id, lane, records.size());
  const Seq seq = session_->send(lane, bytes_of(header), Content::bytes(bytes_of(text)));
  promise(seq > 0, "can_send() promised what send() did not keep");
  promise(records.empty() || seq > records.back().seq, "the numbers of a lane do not grow");
  records.push_back({seq, size});
}

// Extends the last message of the control lane, or sends one that may grow later.
void ModelUser::send_growing() {
  auto& records = flow_->sent[Lane::control];
  const std::size_t more = between(random_, 1, 40);
  std::byte* room = session_->grow(growing_, more, habits_.small);
  if (room == nullptr) {
    const std::string header = tag(flow_->id, Lane::control, records.size());
    room = session_->send_growing(growing_, bytes_of(header), more);
    promise(room != nullptr, "can_send() promised what send_growing() did not keep");
    promise(records.empty() || growing_.seq > records.back().seq, "the numbers do not grow");
    records.push_back({growing_.seq, 0});
  }
  Record& record = records.back();
  promise(record.seq == growing_.seq && !record.arrived, "a message grows behind its end");
  const std::string text = pattern(record.size + more, static_cast<unsigned>(records.size() - 1));
  std::memcpy(room, text.data() + record.size, more);
  record.size += more;
}

void ModelUser::settle_one(std::size_t which, bool end) {
  Held& held = held_[which];
  const bool current = held.life == session_->life();
  static constexpr Settlement ends[] = {Settlement::consumed, Settlement::consumed,
                                        Settlement::consumed, Settlement::refused,
                                        Settlement::dropped,  Settlement::expired};
  Settlement settlement = Settlement::delivered;
  if (end) settlement = ends[between(random_, 0, std::size(ends) - 1)];
  if (!end && held.delivered) return;
  held.delivered = true;
  const bool detailed = settlement == Settlement::refused;
  if (current)
    held.flow->sent[held.lane][held.index].said |= 1u << static_cast<unsigned>(settlement);
  session_->settle(held.life, held.lane, held.seq, settlement, detailed ? "no room" : "");
  if (!end) return;
  if (!held.released) session_->release(held.life, held.lane, held.bytes);
  held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));
}

void ModelUser::act(unsigned most) {
  for (unsigned i = static_cast<unsigned>(between(random_, 0, most)); i > 0; --i) send_one();
  if (chance(random_, 5)) session_->ping();
  if (chance(random_, habits_.hoard)) return;
  for (std::size_t i = between(random_, 0, 2 * std::size_t{most}); i > 0 && !held_.empty(); --i)
    settle_one(chance(random_, 70) ? 0 : between(random_, 0, held_.size() - 1),
               !chance(random_, 20));
}

void ModelUser::finish() {
  while (!held_.empty()) settle_one(0, true);
}

bool ModelUser::is_done() const {
  for (const Lane lane : all_lanes) {
    for (const Record& each : flow_->sent[lane]) {
      if (!each.arrived) return false;
      if (lane != Lane::control && each.told < 4) return false;
    }
  }
  return true;
}

void ModelUser::on_arrived(const Arrived& message) {
  promise(is_open_, "a message arrives while the session is not open");
  promise(message.header.size() == tag_bytes, "a header is not what was sent");
  std::uint64_t words[3];
  std::memcpy(words, message.header.data(), tag_bytes);
  promise(words[0] >= 1 && words[0] <= ledger_.flows.size(), "a message that nobody sent");
  Flow& flow = ledger_.flows[words[0] - 1];
  promise(flow.from != index_, "a message comes back to its sender");
  promise(incoming_ == nullptr || incoming_->id <= flow.id, "a message of a life that is over");
  incoming_ = &flow;
  promise(words[1] == static_cast<std::uint64_t>(message.lane), "a message changed its lane");
  const std::string what = name(message.lane, words[2]);
  promise(words[2] < flow.sent[message.lane].size(), what + " was not sent");
  Record& record = flow.sent[message.lane][words[2]];
  promise(!record.arrived, what + " arrived twice");
  promise(words[2] == flow.arrived[message.lane],
          what + " arrived when " + std::to_string(flow.arrived[message.lane]) + " was next");
  promise(record.seq == message.seq, what + " has another number than its sender was told");
  const std::string text = pattern(record.size, static_cast<unsigned>(words[2]));
  promise(message.content.size() == text.size() &&
              (text.empty() ||
               std::memcmp(message.content.data(), text.data(), text.size()) == 0),
          what + " has another content than was sent");
  record.arrived = true;
  ++flow.arrived[message.lane];
  ++ledger_.arrivals;
  const bool at_once = chance(random_, 50) || message.lane == Lane::control;
  if (at_once) session_->release(session_->life(), message.lane, message.bytes());
  if (message.lane == Lane::control) return;
  held_.push_back({session_->life(), message.lane, message.seq, message.bytes(), &flow, words[2],
                   at_once, false});
}

void ModelUser::on_settled(const Settled& settled) {
  promise(is_open_, "settlements arrive while the session is not open");
  promise(settled.lane != Lane::control, "a control message is settled");
  const unsigned bit = 1u << static_cast<unsigned>(settled.settlement);
  for (Seq seq = settled.first; seq <= settled.last; ++seq) {
    Record* record = flow_->find(settled.lane, seq);
    promise(record != nullptr, "what was not sent is settled");
    const std::string what = std::string("message ") + std::to_string(seq) + " of the " +
                             to_string(settled.lane) + " lane is " + to_string(settled.settlement);
    promise((record->said & bit) != 0, what + ", which nobody said");
    promise((record->told & bit) == 0, what + " for the second time");
    promise(record->told < 4, what + " after its end");
    record->told |= bit;
    ++ledger_.settlements;
  }
  promise(settled.detail == (settled.settlement == Settlement::refused ? "no room" : ""),
          "the detail of a settlement is not what was said");
}

void ModelUser::on_credit(Lane lane) {
  promise(wants_[lane], "credit is told to whom did not wait for it");
  promise(session_->can_send(lane, 0), "there is no credit when it is told");
  wants_[lane] = false;
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

void ModelUser::end_life(const Unsettled& unsettled) {
  for (const Lane lane : {Lane::normal, Lane::large}) {
    std::vector<SeqRange> expected;
    for (const Record& each : flow_->sent[lane]) {
      promise(each.seq < unsettled.unsent[lane] || !each.arrived,
              "a message arrived that is said not to have been sent");
      if (each.told >= 4) continue;
      if (!expected.empty() && expected.back().last + 1 == each.seq) {
        expected.back().last = each.seq;
      } else {
        expected.push_back({each.seq, each.seq});
      }
    }
    promise(expected == unsettled.ranges[lane], std::string("the list of what is unknown on the ") +
                                                    to_string(lane) + " lane is wrong");
  }
  flow_ = &ledger_.begin(index_);
}

void ModelUser::on_restarted(const Unsettled& unsettled) {
  promise(!is_open_, "the peer is another one while the session is open");
  ++restarted;
  end_life(unsettled);
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

void ModelUser::on_gone(const Closing&, const Unsettled& unsettled) {
  promise(!is_open_, "the peer is given up while the session is open");
  is_suspected_ = false;
  ++gone;
  end_life(unsettled);
}

}  // namespace coracle::net::test
