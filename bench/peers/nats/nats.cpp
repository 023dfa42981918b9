// NATS core: both processes are clients of a server that the first of them starts on loopback.
//
// Settings: the defaults of server and client (no delay, the client's writer batches waiting
// messages), with two exceptions: in ping-pong each message is written at once, and there is no
// limit of what waits for a subscriber, because beyond the limit the client throws messages away.
//
// `stored` is JetStream with file storage: 6,400 messages at most are published and not yet
// acknowledged. The server acknowledges a message that it has given to the system, which syncs it
// every two minutes (sync_interval, as it is by default). The partner reads all messages, without
// acknowledging.
#include "common/peer.hpp"

#include <nats/nats.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

namespace {

constexpr const char* towards = "towards";  // the subjects
constexpr const char* back = "back";
constexpr std::int64_t patience_ms = 60'000;

void require_ok(natsStatus status, const char* what) {
  if (status != NATS_OK) throw peer::Failure(std::string(what) + ": " + natsStatus_GetText(status));
}

class Client {
 public:
  // Tries again until the server answers.
  Client(const std::string& url, bool at_once) {
    natsOptions* options = nullptr;
    require_ok(natsOptions_Create(&options), "natsOptions_Create");
    natsOptions_SetURL(options, url.c_str());
    natsOptions_SetSendAsap(options, at_once);
    natsStatus status = NATS_NO_SERVER;
    for (int i = 0; i < 500 && status == NATS_NO_SERVER; ++i) {
      status = natsConnection_Connect(&connection_, options);
      if (status == NATS_NO_SERVER) nats_Sleep(10);
    }
    natsOptions_Destroy(options);
    require_ok(status, "natsConnection_Connect; is nats-server installed?");
  }
  ~Client() {
    natsSubscription_Destroy(subscription_);
    natsConnection_Destroy(connection_);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Returns when the server has the subscription.
  void listen(const char* subject) {
    require_ok(natsConnection_SubscribeSync(&subscription_, connection_, subject), "subscribe");
    require_ok(natsSubscription_SetPendingLimits(subscription_, -1, -1), "limits");
    flush();
  }
  void give(const char* subject, const std::vector<char>& ball) {
    require_ok(
        natsConnection_Publish(connection_, subject, ball.data(), static_cast<int>(ball.size())),
        "natsConnection_Publish");
  }
  void flush() { require_ok(natsConnection_Flush(connection_), "natsConnection_Flush"); }

  natsConnection* connection() { return connection_; }

  using Message = std::unique_ptr<natsMsg, void (*)(natsMsg*)>;
  Message take() {
    natsMsg* message = nullptr;
    require_ok(natsSubscription_NextMsg(&message, subscription_, patience_ms), "NextMsg");
    return Message(message, natsMsg_Destroy);
  }

 private:
  natsConnection* connection_ = nullptr;
  natsSubscription* subscription_ = nullptr;
};

std::size_t size_of(const Client::Message& message) {
  return static_cast<std::size_t>(natsMsg_GetDataLength(message.get()));
}

// The server, and its address.
struct Server {
  int port = peer::free_port();
  peer::Helper program{{"nats-server", "-a", "127.0.0.1", "-p", std::to_string(port)}};
  std::string url = "nats://127.0.0.1:" + std::to_string(port);
};

peer::Result ping(peer::Rounds& rounds, const peer::Work& work, peer::Channel& channel) {
  Server server;
  Client client(server.url, true);
  client.listen(back);
  channel.tell(server.url);
  channel.hear();  // it listens
  std::vector<char> ball(work.size, 'x');
  bool goes_on = true;
  while (goes_on) {
    rounds.stamp(ball.data());
    client.give(towards, ball);
    const Client::Message pong = client.take();
    goes_on = rounds.take(natsMsg_GetData(pong.get()), size_of(pong));
  }
  peer::set_number(ball.data(), peer::farewell);
  client.give(towards, ball);
  client.take();  // the farewell comes back too, so that the server is still there
  return rounds.result();
}

void pong(const peer::Work&, peer::Channel& channel) {
  Client client(channel.hear(), true);
  client.listen(towards);
  channel.tell("ready");
  std::vector<char> ball;
  std::uint64_t count = 0;
  for (;; ++count) {
    const Client::Message message = client.take();
    const char* const data = natsMsg_GetData(message.get());
    ball.assign(data, data + size_of(message));
    client.give(back, ball);
    if (peer::is_farewell(ball.data())) break;
  }
  channel.finish(count);
}

peer::Result drink(const peer::Work& work, peer::Channel& channel) {
  Server server;
  Client client(server.url, false);
  client.listen(towards);
  channel.tell(server.url);
  peer::Intake intake(work);
  bool goes_on = true;
  while (goes_on) {
    const Client::Message message = client.take();
    goes_on = intake.take(natsMsg_GetData(message.get()), size_of(message));
  }
  const std::string partner_is_flushed = channel.hear();
  return intake.result();
}

void pour(const peer::Work& work, peer::Channel& channel) {
  Client client(channel.hear(), false);
  std::vector<char> message(work.size, 'x');
  peer::Source source(work);
  bool goes_on = true;
  while (goes_on) {
    goes_on = source.fill(message.data());
    client.give(towards, message);
  }
  client.flush();
  channel.tell("flushed");
  channel.finish(source.sent());
}

// ── JetStream ───────────────────────────────────────────────────────────────────────────────────

constexpr std::int64_t most_unacknowledged = 6400;

struct Folder {
  Folder() {
    char name[] = "/tmp/peer-nats-XXXXXX";
    peer::require(mkdtemp(name) != nullptr, "mkdtemp");
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path;
};

struct StoringServer {
  Folder folder;
  int port = peer::free_port();
  peer::Helper program{
      {"nats-server", "-a", "127.0.0.1", "-p", std::to_string(port), "-js", "-sd", folder.path}};
  std::string url = "nats://127.0.0.1:" + std::to_string(port);
};

void on_unstored(jsCtx*, jsPubAckErr*, void* count) { ++*static_cast<std::uint64_t*>(count); }

class Stream {
 public:
  explicit Stream(natsConnection* connection) {
    jsOptions options;
    jsOptions_Init(&options);
    options.PublishAsync.MaxPending = most_unacknowledged;
    options.PublishAsync.ErrHandler = on_unstored;
    options.PublishAsync.ErrHandlerClosure = &unstored_;
    require_ok(natsConnection_JetStream(&context_, connection, &options), "JetStream");
  }
  ~Stream() { jsCtx_Destroy(context_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Stored in files of the server.
  void make() {
    jsStreamConfig config;
    jsStreamConfig_Init(&config);
    const char* subjects[] = {towards};
    config.Name = "stored";
    config.Subjects = subjects;
    config.SubjectsLen = 1;
    config.Storage = js_FileStorage;
    require_ok(js_AddStream(nullptr, context_, &config, nullptr, nullptr), "js_AddStream");
  }
  natsSubscription* read() {
    jsSubOptions options;
    jsSubOptions_Init(&options);
    options.Config.AckPolicy = js_AckNone;
    natsSubscription* subscription = nullptr;
    require_ok(js_SubscribeSync(&subscription, context_, towards, nullptr, &options, nullptr),
               "js_SubscribeSync");
    return subscription;
  }
  void store(const std::vector<char>& message) {
    require_ok(js_PublishAsync(context_, towards, message.data(), static_cast<int>(message.size()),
                               nullptr),
               "js_PublishAsync");
  }
  // Returns when all messages are acknowledged.
  void await_all() {
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.MaxWait = patience_ms;
    require_ok(js_PublishAsyncComplete(context_, &options), "js_PublishAsyncComplete");
    if (unstored_ > 0) throw peer::Failure(std::to_string(unstored_) + " were not stored");
  }

 private:
  jsCtx* context_ = nullptr;
  std::uint64_t unstored_ = 0;
};

peer::Result store(const peer::Work& work, peer::Channel& channel, std::uint64_t& count) {
  StoringServer server;
  peer::Source source(work);
  Client client(server.url, false);
  Stream stream(client.connection());
  stream.make();
  channel.tell(server.url);
  channel.hear();  // the partner reads
  std::vector<char> message(work.size, 'x');
  std::vector<double> marks;
  bool goes_on = true;
  while (goes_on) {
    goes_on = source.fill(message.data());
    stream.store(message);
    if (source.sent() % peer::Intake::batch == 0)
      marks.push_back(peer::nanoseconds(peer::Clock::now().time_since_epoch()));
  }
  stream.await_all();
  count = source.sent();
  channel.hear();  // the partner has read all messages
  return peer::result_of_marks(marks, peer::Intake::batch, work);
}

void collect(const peer::Work&, peer::Channel& channel) {
  Client client(channel.hear(), false);
  Stream stream(client.connection());
  natsSubscription* subscription = stream.read();
  channel.tell("ready");
  std::uint64_t count = 0;
  for (;; ++count) {
    natsMsg* message = nullptr;
    require_ok(natsSubscription_NextMsg(&message, subscription, patience_ms), "NextMsg");
    const bool was_last = peer::is_farewell(natsMsg_GetData(message));
    natsMsg_Destroy(message);
    if (was_last) break;
  }
  natsSubscription_Destroy(subscription);
  channel.tell("read");
  channel.finish(count);
}

std::string version() {
  std::string server;
  if (std::FILE* const output = popen("nats-server --version", "r")) {
    char line[128] = "";
    if (std::fgets(line, sizeof(line), output) != nullptr) server = line;
    pclose(output);
  }
  server.erase(server.find_last_not_of('\n') + 1);
  return server.substr(server.rfind('v') + 1) + " with client " + nats_GetVersion();
}

}  // namespace

int main(int argc, char** argv) {
  return peer::run(argc, argv,
                   {"nats", version, ping, pong, drink, pour, {{"stored", {store, collect}}}});
}
