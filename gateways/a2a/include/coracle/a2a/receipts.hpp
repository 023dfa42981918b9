// Receipts of tasks, which a third party can check: docs/a2a-receipts.md.
// Tests: gateways/a2a/tests/receipts_test.cpp
#pragma once

#include "coracle/a2a/model.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::a2a {

// The URI of the extension, under which a receipt is in the metadata of a task.
inline constexpr std::string_view receipts_extension = "urn:coracle:a2a:receipts:1";

// A receipt: an entry in the ledger of one caller.
struct TaskReceipt {
  std::uint64_t entry = 0;  // from 1 on
  std::string agent = {};
  std::string task_id = {};
  std::string message_id = {};  // of the message that has begun the task
  TaskState state = TaskState::unspecified;
  std::string result = {};  // the digest of the result
  Timestamp received{};
  std::optional<Timestamp> accepted = {};  // by the society, for the agent
  Timestamp ended{};
  std::string previous = {};  // the digest of the entry before; empty for the first one
  std::string digest = {};

  friend bool operator==(const TaskReceipt&, const TaskReceipt&) = default;
};

// The digest of the artifacts of a task.
std::string result_digest_of(const Task& task);
// The digest that a receipt has to have.
std::string digest_of(const TaskReceipt& receipt);

Json to_json(const TaskReceipt& receipt);
// Reads a receipt. Fails with web::JsonError.
TaskReceipt receipt_in(const Json& json);

// Returns the reason why these are not entries of one ledger that follow each other, in this order;
// nothing if they are. With `before`, the first one follows the entry with that digest. The digests
// have no key: somebody who has changed a receipt can make new ones from there on. So the last
// digest has to come from the server, and with it all receipts before it are proved.
std::optional<std::string> fault_of(const std::vector<TaskReceipt>& receipts,
                                    std::string_view before = {});

}  // namespace coracle::a2a
