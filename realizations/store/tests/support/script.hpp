// A fixed course of events for a store, to be cut off anywhere.
#pragma once

#include "store_model.hpp"

#include "realizations/net/src/simulated/disk.hpp"

#include <fmt/format.h>

#include <map>

namespace coracle::store::test {

using Files = std::map<std::string, Bytes>;

// Reads every file of a disk.
inline Files files_of(Disk& disk) {
  Files files;
  const std::vector<std::string> names = disk.list("").value();
  for (const std::string& name : names) {
    const auto file = disk.open(name, Disk::Open::existing).value();
    Bytes bytes(file->size().value());
    file->read_at(0, bytes).value();
    files[name] = std::move(bytes);
  }
  return files;
}

// Writes the files to another disk.
inline void put_files(Disk& disk, const Files& files) {
  for (const auto& [name, bytes] : files) {
    const auto file = disk.open(name, Disk::Open::new_one).value();
    file->append(bytes).value();
    file->sync().value();
  }
  disk.sync_folder("").value();
}

// Stores, hands out and finishes messages; segments change and are cleaned. `model` gets every
// action. Ends early when the store fails.
inline void play_script(DurableStore& store, StoreModel& model, int rounds = 40) {
  Time now{};
  std::vector<MessageId> kept;
  MessageStore& messages = store.messages();
  for (int i = 0; i < rounds && !store.failure(); ++i) {
    now += std::chrono::milliseconds(100);
    for (int each = 0; each < 3; ++each) {
      const std::string queue = fmt::format("q{}", each);
      const std::string content(static_cast<std::size_t>(i * 37 % 500),
                                static_cast<char>('a' + each));
      Incoming message;
      message.queue = queue;
      message.content = bytes_of(content);
      if (i % 7 == 0) message.time_to_live = std::chrono::milliseconds(350);
      const auto id = messages.store(message, now);
      if (!id) continue;
      model.add(*id, StoreModel::stored(*id, queue, content, 0));
      if (i % 5 != 0) kept.push_back(*id);
    }
    if (i % 3 == 0 && messages.queue("q1") != nullptr) {
      const MessageId id = messages.queue("q1")->last->id;
      if (const auto done = messages.deliver(id)) model.add(*done, StoreModel::delivered(id));
    }
    if (i % 4 == 0) {
      const std::string name = fmt::format("n{}", i % 3);
      if (const auto done = messages.join("g", name))
        model.add(*done, StoreModel::put("member g " + name, ""));
    }
    if (i % 2 == 1) {
      if (const auto done = messages.finish(kept)) model.add(*done, StoreModel::finished(kept));
      kept.clear();
    }
    const auto ids = messages.expire(now, 100);
    if (ids && !ids->empty()) model.add(store.journal().last(), StoreModel::finished(*ids));
    store.pump(now);
    model.on_durable(store.durable());
  }
}

}  // namespace coracle::store::test
