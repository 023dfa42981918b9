#include "pipeline/outlet.hpp"

#include <algorithm>

namespace coracle::dispel::detail {

void Outlet::attach(const Attach& said, Incarnation mine) {
  const Incarnation incarnation{said.epoch, said.counter};
  if (incarnation < incarnation_) return;
  const bool is_known = said.life == life_ && incarnation == incarnation_ && mine == mine_;
  incarnation_ = incarnation;
  mine_ = mine;
  if (!is_known) {
    life_ = said.life;
    sent_ = 0;
    std::fill(marked_.begin(), marked_.end(), 0);
    if (said.window != 0) window_ = said.window;
    if (said.window_bytes != 0) window_bytes_ = said.window_bytes;
  }
  ack(said.done, said.end);
}

void Outlet::ack(const std::vector<Label>& done, bool end) {
  const std::size_t lanes = std::min(done.size(), acked_.size());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    acked_[lane] = std::max(acked_[lane], done[lane]);
  }
  if (end) close();
  else drop_done();
}

void Outlet::close() {
  ended_ = true;
  kept_.clear();
  sent_ = items_ = bytes_ = 0;
}

bool Outlet::is_done(const Kept& one) const noexcept {
  if (one.runs.empty()) return false;  // the end, which only an acknowledged end finishes
  for (const Run& run : one.runs) {
    if (run.label + Label{run.labels - 1} * run.step >= acked_[run.lane]) return false;
  }
  return true;
}

void Outlet::drop_done() {
  while (!kept_.empty() && is_done(kept_.front())) {
    items_ -= kept_.front().items;
    bytes_ -= kept_.front().batch.size();
    kept_.pop_front();
    if (sent_ > 0) --sent_;
  }
}

void Outlet::push(Content batch, const std::vector<Run>& runs, const std::vector<Label>& since,
                  const std::vector<Label>& next) {
  if (ended_) return;
  pushed_ = next;
  Kept kept;
  for (const Run& run : runs) kept.items += std::uint64_t{run.labels} * run.each;
  kept.batch = std::move(batch);
  kept.runs = runs;
  kept.since = since;
  items_ += kept.items;
  bytes_ += kept.batch.size();
  kept_.push_back(std::move(kept));
  drop_done();  // the consumer may have acknowledged it to an earlier life of this stage
}

void Outlet::push_end(Content end) {
  if (ended_) return;
  bytes_ += end.size();
  kept_.push_back({std::move(end), {}, {}, 0});
}

bool Outlet::wants_marks(const std::vector<Label>& next) const noexcept {
  return is_attached() && !ended_ && sent_ == kept_.size() && next != marked_;
}

std::optional<Content> Outlet::next_to_send() {
  if (!is_attached() || sent_ == kept_.size()) return std::nullopt;
  Content batch = kept_[sent_++].batch;
  if (sent_ == kept_.size() && !pushed_.empty()) marked_ = pushed_;
  return batch;
}

void Outlet::limit(std::vector<Label>& done) const {
  if (ended_) return;
  std::vector<bool> seen(done.size());
  for (std::size_t index = 0; index < kept_.size(); ++index) {
    if (index == looked_at) {
      // It is not known whether lanes without a run so far have one further on.
      for (std::size_t lane = 0; lane < done.size(); ++lane) {
        if (!seen[lane]) done[lane] = std::min(done[lane], acked_[lane]);
      }
      return;
    }
    const Kept& kept = kept_[index];
    // Not the labels in the batch: a label is the last one of items that were taken together.
    for (const Run& run : kept.runs) {
      done[run.lane] = std::min(done[run.lane], std::max(kept.since[run.lane], acked_[run.lane]));
      seen[run.lane] = true;
    }
  }
}

}  // namespace coracle::dispel::detail
