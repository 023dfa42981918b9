// gRPC over HTTP/2 without encryption, with its synchronous interface.
//
// Settings: the defaults (no delay; a write for each message, because batching must be requested).
// Ping-pong uses one bidirectional stream, which is faster than a call for each message; flood uses
// one stream from client to server.
#include "common/peer.hpp"
#include "peer.grpc.pb.h"

#include <grpcpp/grpcpp.h>

#include <future>
#include <memory>

namespace {

void require(const grpc::Status& status) {
  if (!status.ok()) throw peer::Failure("grpc: " + status.error_message());
}

// The server's side of both scenarios.
class Partner final : public wire::Partner::Service {
 public:
  explicit Partner(const peer::Work& work) : intake_(work) {}

  grpc::Status Bounce(grpc::ServerContext*,
                      grpc::ServerReaderWriter<wire::Ball, wire::Ball>* stream) override {
    wire::Ball ball;
    std::uint64_t count = 0;
    while (stream->Read(&ball) && stream->Write(ball)) ++count;
    end_.set_value(count);
    return grpc::Status::OK;
  }
  grpc::Status Take(grpc::ServerContext*, grpc::ServerReader<wire::Ball>* stream,
                    wire::Count* count) override {
    try {
      wire::Ball ball;
      bool goes_on = true;
      while (goes_on && stream->Read(&ball)) {
        goes_on = intake_.take(ball.content().data(), ball.content().size());
      }
      if (goes_on) throw peer::Failure("the stream ended before the farewell");
      count->set_messages(intake_.taken());
      end_.set_value(intake_.taken());
    } catch (...) {
      end_.set_exception(std::current_exception());
    }
    return grpc::Status::OK;
  }
  // Returns when one of the streams has ended.
  std::uint64_t wait() { return end_.get_future().get(); }
  const peer::Intake& intake() const { return intake_; }

 private:
  peer::Intake intake_;
  std::promise<std::uint64_t> end_;
};

std::unique_ptr<grpc::Server> serve(Partner& partner, peer::Channel& channel) {
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&partner);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server || port == 0) throw peer::Failure("grpc: no port of loopback can be used");
  channel.tell("127.0.0.1:" + std::to_string(port));
  return server;
}

std::unique_ptr<wire::Partner::Stub> connected(peer::Channel& channel) {
  return wire::Partner::NewStub(
      grpc::CreateChannel(channel.hear(), grpc::InsecureChannelCredentials()));
}

peer::Result ping(peer::Rounds& rounds, const peer::Work& work, peer::Channel& channel) {
  const auto partner = connected(channel);
  grpc::ClientContext context;
  const auto stream = partner->Bounce(&context);
  wire::Ball ball;
  ball.set_content(std::string(work.size, 'x'));
  do {
    rounds.stamp(ball.mutable_content()->data());
    if (!stream->Write(ball) || !stream->Read(&ball)) throw peer::Failure("grpc: a call broke");
  } while (rounds.take(ball.content().data(), ball.content().size()));
  stream->WritesDone();
  require(stream->Finish());
  return rounds.result();
}

void pong(const peer::Work& work, peer::Channel& channel) {
  Partner partner(work);
  const auto server = serve(partner, channel);
  channel.finish(partner.wait());
}

peer::Result drink(const peer::Work& work, peer::Channel& channel) {
  Partner partner(work);
  const auto server = serve(partner, channel);
  partner.wait();
  const std::string partner_has_ended = channel.hear();
  return partner.intake().result();
}

void pour(const peer::Work& work, peer::Channel& channel) {
  const auto partner = connected(channel);
  grpc::ClientContext context;
  wire::Count count;
  const auto stream = partner->Take(&context, &count);
  wire::Ball ball;
  ball.set_content(std::string(work.size, 'x'));
  peer::Source source(work);
  bool goes_on = true;
  while (goes_on) {
    goes_on = source.fill(ball.mutable_content()->data());
    if (!stream->Write(ball)) throw peer::Failure("grpc: the stream broke");
  }
  stream->WritesDone();
  require(stream->Finish());
  channel.tell("ended");
  channel.finish(count.messages());
}

}  // namespace

int main(int argc, char** argv) {
  return peer::run(argc, argv, {"grpc", grpc::Version, ping, pong, drink, pour});
}
