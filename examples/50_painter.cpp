// An agent that clients of A2A give tasks to: it paints what they want, and asks for the colour.
// With an address as its argument, the program serves until it is stopped; otherwise it is its own
// client.
#include <coracle/a2a/server.hpp>
#include <coracle/a2a/talk.hpp>
#include <coracle/coracle.hpp>
#include <coracle/http/client.hpp>
#include <coracle/realizations/open.hpp>

#include <csignal>
#include <iostream>

using namespace coracle;

struct Painter : Agent {
  Task<> run() override {
    co_await describe(Properties()
                          .set("description", "Paints things in the colour that you like")
                          .set("service", "painting"));
    for (;;) spawn(paint(co_await receive()));
  }

  Task<> paint(Message request) {
    Task<std::optional<Message>> asking = a2a::put_question(*this, request, {"Which colour?"});
    const std::optional<Message> colour = co_await asking;
    if (!colour) co_return;  // nobody wants it any more
    Task<> reporting = a2a::report_progress(*this, request, "the paint dries");
    co_await reporting;
    const std::string result = std::string(colour->text()) + " " + std::string(request.text());
    co_await reply(request, result);
  }
};

// Sends a message as a client of A2A does, by HTTP+JSON, and prints the answer.
web::Json send(http::Client& client, const std::string& address, const std::string& text,
               const std::string& task) {
  web::Json message;
  message.set("messageId", text).set("role", "ROLE_USER");
  message.set("parts", web::Json().push(web::Json().set("text", text)));
  if (!task.empty()) message.set("taskId", task);
  http::Request request{"POST", http::Url::parse(address + "/message:send").value()};
  request.headers = {{"A2A-Version", "1.0"}, {"Content-Type", "application/a2a+json"}};
  request.body = web::to_text(web::Json().set("message", message));
  const http::Response response = client.fetch_and_wait(request);
  return *web::parse_json(response.body).value().find("task");
}

int main(int count, char** arguments) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  http::Loop loop;
  loop.start();
  Node node(open());
  node.create<Painter>("lab/painter");
  a2a::ServerOptions options;
  options.exposed = {"lab/**"};
  if (count > 1) options.http.endpoint = arguments[1];
  a2a::Server server(node, loop, options);
  const std::string address = server.address() + "/a2a/lab/painter";
  if (count > 1) {
    std::cout << "the painter is at " << address << std::endl;
    int signal = 0;
    sigwait(&ends, &signal);
    return 0;
  }
  http::Client client(loop);
  const web::Json asked = send(client, address, "boat", "");
  const web::Json& status = *asked.find("status");
  std::cout << *status.find("state")->if_text() << ": "
            << web::to_text(*status.find("message")->find("parts")) << "\n";
  const web::Json done = send(client, address, "red", *asked.find("id")->if_text());
  std::cout << *done.find("status")->find("state")->if_text() << ": "
            << web::to_text(*done.find("artifacts")->if_array()->front().find("parts")) << "\n";
}
