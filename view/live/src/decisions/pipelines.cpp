#include "decisions/contents.hpp"
#include "decisions/decisions.hpp"

#include "coracle/codec.hpp"

#include <algorithm>
#include <utility>

namespace coracle::view {

namespace {

// The part of a batch that is the same for items of all types.
struct BatchHead {
  std::uint64_t units = 0, items = 0;
  bool end = false;
  std::string error;
};

BatchHead head_in(const std::string& bytes) {
  BatchHead head;
  const auto in = cbor_decoder(std::as_bytes(std::span(bytes)));
  in->begin_array();  // the batch
  in->begin_array();  // its head
  in->begin_array();  // its runs
  while (in->peek() != Shape::end) {
    in->begin_array();
    in->skip();  // the lane
    const std::uint64_t each = std::min<std::uint64_t>(in->unsigned_integer(), 1'000'000);
    in->skip();  // the label
    const std::uint64_t labels = std::min<std::uint64_t>(in->unsigned_integer(), 1'000'000);
    head.units += labels;
    head.items += labels * each;
    in->end_array();
  }
  in->end_array();
  if (in->peek() != Shape::end) in->skip();  // the labels that are next
  if (in->peek() == Shape::boolean) head.end = in->boolean();
  if (in->peek() == Shape::text) head.error = std::string(in->text());
  return head;
}

// The sum of the labels below which a consumer is done.
std::pair<std::uint64_t, bool> done_in(const std::string& bytes) {
  std::pair<std::uint64_t, bool> done;
  const auto in = cbor_decoder(std::as_bytes(std::span(bytes)));
  in->begin_array();
  in->skip();  // the conversation's life
  in->begin_array();
  while (in->peek() != Shape::end)
    done.first += std::min<std::uint64_t>(in->unsigned_integer(), std::uint64_t{1} << 48);
  in->end_array();
  if (in->peek() == Shape::boolean) done.second = in->boolean();
  return done;
}

}  // namespace

// Of each connection between two stages, the fill is the number of units that the supplier has
// sent and the consumer is not done with.
void Decisions::pipeline(const Seen& message, std::string_view type) try {
  const bool is_batch = type == "batch/v1" || type == "marks/v1";
  if (!is_batch && type != "ack/v1" && type != "failed/v1") return;
  const bool is_suppliers = type != "ack/v1";
  const Name& supplier = is_suppliers ? message.from : message.to;
  const Name& consumer = is_suppliers ? message.to : message.from;
  const std::string id = supplier.str() + " > " + consumer.str();
  Pipe& pipe = state_of(pipes_, id);
  json::object more{{"from", supplier.view()}, {"to", consumer.view()}};
  std::string_view what = "failed";
  if (is_batch) {
    const BatchHead head = head_in(message.content);
    pipe.sent += head.units, ++pipe.batches;
    what = head.end ? "end" : "batch";
    more["items"] = head.items;
    if (!head.error.empty()) more["why"] = shown(head.error);
  } else if (!is_suppliers) {
    const auto [done, is_end] = done_in(message.content);
    pipe.done = std::max(pipe.done, done);
    what = is_end ? "done" : "acknowledged";
  }
  more["sent"] = pipe.sent;
  more["fill"] = pipe.sent - std::min(pipe.sent, pipe.done);
  record(message, "pipeline", id, what, std::move(more));
} catch (const Error&) {
  return;  // a stranger has sent it
}

}  // namespace coracle::view
