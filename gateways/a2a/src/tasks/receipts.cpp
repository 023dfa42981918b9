#include "coracle/a2a/receipts.hpp"

#include "coracle/a2a/model_json.hpp"
#include "coracle/web/digest.hpp"

#include <limits>

namespace coracle::a2a {

namespace {

struct BytesOf {
  std::optional<std::string_view> operator()(const std::string& text) const { return text; }
  std::optional<std::string_view> operator()(const Raw& raw) const { return raw.bytes; }
  std::optional<std::string_view> operator()(const FileUrl& file) const { return file.url; }
  std::optional<std::string_view> operator()(const Json&) const { return std::nullopt; }
};

Timestamp time_in(const web::JsonReader& in) {
  const auto time = timestamp_in(in.text());
  if (!time) in.fail("has to be a time");
  return *time;
}

bool is_digest(std::string_view text) noexcept {
  constexpr std::size_t digits = 64;
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

// Returns whether the receipt can be an entry of a ledger. A line feed in a text would let other
// fields have the same digest.
bool is_entry(const TaskReceipt& receipt) noexcept {
  for (const std::string* const each : {&receipt.agent, &receipt.task_id, &receipt.message_id})
    if (each->find('\n') != each->npos) return false;
  const bool is_first = receipt.entry == 1;
  return receipt.entry != 0 && is_digest(receipt.result) && is_digest(receipt.digest) &&
         (is_first ? receipt.previous.empty() : is_digest(receipt.previous));
}

}  // namespace

std::string result_digest_of(const Task& task) {
  std::string all;
  for (const Artifact& artifact : task.artifacts) {
    for (const Part& part : artifact.parts) {
      const auto bytes = std::visit(BytesOf(), part.content);
      if (bytes) all.append(std::to_string(bytes->size())).append(":").append(*bytes);
    }
  }
  return web::sha256_of(all);
}

std::string digest_of(const TaskReceipt& receipt) {
  std::string text = receipt.previous + "\n" + std::to_string(receipt.entry);
  for (const std::string& each :
       {receipt.agent, receipt.task_id, receipt.message_id, std::string(to_string(receipt.state)),
        receipt.result, to_text(receipt.received),
        receipt.accepted ? to_text(*receipt.accepted) : std::string(), to_text(receipt.ended)})
    text.append("\n").append(each);
  return web::sha256_of(text);
}

Json to_json(const TaskReceipt& receipt) {
  Json json;
  json.set("entry", receipt.entry).set("agent", receipt.agent).set("taskId", receipt.task_id);
  json.set("messageId", receipt.message_id).set("state", to_string(receipt.state));
  json.set("result", receipt.result).set("received", to_text(receipt.received));
  if (receipt.accepted) json.set("accepted", to_text(*receipt.accepted));
  json.set("ended", to_text(receipt.ended)).set("previous", receipt.previous);
  return json.set("digest", receipt.digest);
}

TaskReceipt receipt_in(const Json& json) {
  const web::JsonReader in(json);
  TaskReceipt receipt;
  receipt.entry =
      static_cast<std::uint64_t>(in.at("entry").whole(1, std::numeric_limits<std::int64_t>::max()));
  receipt.agent = in.at("agent").text();
  receipt.task_id = in.at("taskId").text();
  receipt.message_id = in.at("messageId").text();
  const auto state = task_state_in(in.at("state").text());
  if (!state) in.at("state").fail("has to be a state of a task");
  receipt.state = *state;
  receipt.result = in.at("result").text();
  receipt.received = time_in(in.at("received"));
  if (const auto accepted = in.find("accepted")) receipt.accepted = time_in(*accepted);
  receipt.ended = time_in(in.at("ended"));
  receipt.previous = in.at("previous").text();
  receipt.digest = in.at("digest").text();
  return receipt;
}

std::optional<std::string> fault_of(const std::vector<TaskReceipt>& receipts,
                                    std::string_view before) {
  for (std::size_t i = 0; i < receipts.size(); ++i) {
    const TaskReceipt& one = receipts[i];
    const std::string place = "entry " + std::to_string(one.entry);
    if (!is_entry(one)) return place + " is no entry of a ledger";
    if (one.digest != digest_of(one)) return place + " was changed";
    const std::string_view wanted = i == 0 ? before : std::string_view(receipts[i - 1].digest);
    if ((i != 0 || !before.empty()) && one.previous != wanted)
      return place + " does not follow the one before it";
    if (i != 0 && one.entry != receipts[i - 1].entry + 1) return place + " has a wrong number";
  }
  return std::nullopt;
}

}  // namespace coracle::a2a
