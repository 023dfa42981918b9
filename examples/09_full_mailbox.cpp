// A full mailbox: six kitchens with room for two orders, a friend who orders one, a guest three.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iomanip>
#include <iostream>
#include <string>

using namespace coracle;
using namespace std::chrono_literals;

// Opens a little late, cooks until no more orders come, and sends the list of dishes to the guest.
class Kitchen : public Agent {
 public:
  Task<> run() override {
    co_await pause(200ms);
    std::string cooked;
    while (std::optional<Message> order = co_await receive(300ms)) {
      cooked += ' ';
      cooked += order->text();
    }
    co_await send("guest", cooked);
  }
};

class Friend : public OneShotAgent {
 public:
  explicit Friend(Address kitchen) : kitchen_(kitchen) {}

 protected:
  Task<> act() override {
    co_await send(kitchen_, "bread");
    co_await send("guest", "I have ordered.");
  }

 private:
  Address kitchen_;
};

class Guest : public Agent {
 public:
  Task<> run() override {
    const MailboxOptions two = MailboxOptions().messages(2);
    co_await dine("wait", MailboxOptions(two).overflow(Overflow::wait));
    co_await dine("fail", MailboxOptions(two).overflow(Overflow::fail));
    co_await dine("drop_oldest", MailboxOptions(two).overflow(Overflow::drop_oldest));
    co_await dine("drop_newest", MailboxOptions(two).overflow(Overflow::drop_newest));
    co_await dine("keep_latest", MailboxOptions(two).overflow(Overflow::keep_latest));
    co_await dine("redirect", MailboxOptions(two).redirect_to("neighbour"));

    co_await create<Kitchen>("neighbour");
    Message cooked = co_await receive(from("neighbour"));
    std::cout << "the neighbour cooked:" << cooked.text() << '\n';
  }

 private:
  Task<> dine(const char* policy, MailboxOptions options) {
    const Address kitchen = co_await create<Kitchen>(AgentSpec(policy).mailbox(options));
    co_await create<Friend>("friend", kitchen);
    co_await receive(from("friend"));
    std::string sent_away;
    for (const char* dish : {"soup", "fish", "pie"}) {
      Result<void> accepted = co_await send_result(kitchen, dish);
      if (!accepted && accepted.error().errc() == Errc::mailbox_full) {
        sent_away += ' ';
        sent_away += dish;
      }
    }
    Message cooked = co_await receive(from(kitchen));
    std::cout << std::left << std::setw(12) << policy << "cooked:" << cooked.text();
    std::cout << (sent_away.empty() ? "" : ", sent away:") << sent_away << '\n';
  }
};

int main() {
  Node node(open());
  node.create<Guest>("guest");
  node.wait();
}
