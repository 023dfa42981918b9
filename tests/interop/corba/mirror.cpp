// A platform that sends each letter back to the first address of its sender, as it was read; for
// programs of others. If that fails, it sends the reason as a comment. It prints its address, and
// ends with its input.
#include "coracle/fipa/iiop_mtp.hpp"

#include "coracle/coracle.hpp"
#include "coracle/realizations/local.hpp"

#include <iostream>
#include <memory>
#include <string>
#include <utility>

namespace {

using namespace coracle;

// Sends a letter, and returns the failure.
Task<std::string> send(fipa::Mtp& mtp, std::string address, fipa::Letter letter) {
  try {
    Task<> sending = mtp.send(address, std::make_shared<const fipa::Letter>(std::move(letter)));
    co_await sending;
  } catch (const Error& error) {
    co_return error.sentence();
  }
  co_return std::string();
}

Task<> send_back(fipa::Mtp& mtp, fipa::Letter letter) {
  const std::string address = letter.envelope.from.addresses.at(0);
  fipa::Letter report;
  Task<std::string> sending = send(mtp, address, std::move(letter));
  report.envelope.comments = co_await sending;
  if (report.envelope.comments.empty()) co_return;
  Task<std::string> reporting = send(mtp, address, std::move(report));
  (void)co_await reporting;
}

// Takes only letters that can be sent back.
Task<> take(Agent& me, fipa::Letter letter, fipa::Mtp& mtp) {
  if (letter.envelope.from.addresses.empty())
    throw Error(Errc::not_permitted, "the letter has no address of its sender");
  me.spawn(send_back(mtp, std::move(letter)));
  co_return;
}

}  // namespace

int main() try {
  Node node(local::realization());
  Port port(node, "mirror");
  const auto mtp = fipa::iiop_mtp();
  mtp->begin(port,
             [&](Agent& me, fipa::Letter letter) { return take(me, std::move(letter), *mtp); });
  std::cout << mtp->addresses().at(0) << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
  }
  mtp->end();
  return 0;
} catch (const coracle::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
