// A contract net in three processes: a customer orders boats, one after the other, and two builders
// bid for each. The more boats builders have built, the more they ask for. With a number, as many
// boats are ordered: `boatyard 100`.
#include <coracle/caf/bidder.hpp>
#include <coracle/caf/client.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>

#include <spawn.h>
#include <sys/wait.h>
#include <csignal>

using namespace coracle;
using namespace std::chrono_literals;

class Builder : public caf::Bidder {
 public:
  explicit Builder(caf::Amount price) : price_(price) {}

 protected:
  std::optional<caf::Bid> bid_for(const Name&, const caf::Contract& contract) override {
    return caf::Bid::of(contract, price_);
  }
  Task<caf::Fulfilment> fulfil(caf::Engagement work) override {
    price_ += 10;
    co_return caf::Fulfilment{true, work.contract().subject + " is built"};
  }

 private:
  caf::Amount price_;
};

class Customer : public caf::Client {
 public:
  explicit Customer(int boats) : boats_(boats) {}

 protected:
  Task<> act() override {
    for (int i = 1; i <= boats_; ++i) {
      caf::Contract order;
      order.kind = "build";
      order.subject = "boat " + std::to_string(i);
      order.bid_within = 20s;
      caf::Invitation whom;
      whom.bidders = {"yard/ann", "yard/bob"};
      caf::Procedure cheapest;
      cheapest.rule = caf::Best::lowest;
      Task<caf::Settlement> contracting = contract(order, whom, cheapest);
      const caf::Settlement settled = co_await contracting;
      for (const caf::Settlement::Part& part : settled.parts)
        std::cout << part.bidder << " for " << part.price << ": " << part.result << std::endl;
      co_await pause(Deadline(100ms));
    }
    retire();
  }

 private:
  const int boats_;
};

// Another process of this program, with one builder, until the work here is over.
class Process {
 public:
  Process(const char* name, const char* price) {
    const char* arguments[] = {"boatyard", name, price, nullptr};
    if (::posix_spawn(&id_, "/proc/self/exe", nullptr, nullptr, const_cast<char* const*>(arguments),
                      environ) != 0) {
      throw std::runtime_error("cannot begin another process");
    }
  }
  Process(const Process&) = delete;
  ~Process() {
    ::kill(id_, SIGKILL);
    (void)::waitpid(id_, nullptr, 0);
  }

 private:
  pid_t id_ = 0;
};

void build(const std::string& name, caf::Amount price) {
  Node node(open());
  node.create<Builder>(name, price);
  node.wait();
}

void order(int boats) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("yard" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  ::setenv("CORACLE_REALIZATION", ("distributed:folder=" + folder.string()).c_str(), 0);
  {
    Node node(open());
    const Process ann("yard/ann", "14"), bob("yard/bob", "31");
    node.create<Customer>("yard/customer", boats);
    node.wait();
  }
  std::filesystem::remove_all(folder);
}

int main(int argc, char** argv) {
  if (argc > 2) build(argv[1], std::stol(argv[2]));
  else order(argc > 1 ? std::stoi(argv[1]) : 4);
}
