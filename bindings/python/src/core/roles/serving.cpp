// Servers and clients, slaves and masters of DisPeL.
#include "role.hpp"

namespace coracle::py {

namespace {

void on_request(coracle_agent* self, coracle_question* question, const void* request, size_t size,
                void* context) {
  Called called(context, self);
  called.ask(question, &give_value, "answer",
             [&] { return nb::make_tuple(called.role()->taken(request, size, "the request")); });
}

void start_server(Node& node, nb::handle self) {
  Record role(self);
  coracle_server server{};
  server.takes = role.text("_takes_name");
  server.gives = role.text("_gives_name");
  server.service = role.text("service");
  server.at_once = role.number<std::uint32_t>("at_once");
  server.waiting = role.number<std::uint32_t>("waiting");
  server.each = role.number<std::uint32_t>("each");
  server.answer = &on_request;
  start_with(node, self, server, &coracle_server_start);
}

void start_client(Node& node, nb::handle self) {
  Role::of(self).start(
      node, nullptr,
      [](coracle_node* on, const coracle_agent_options* options, coracle_role** acting) {
        return coracle_client_start(on, options, acting);
      });
}

nb::object request(nb::handle self, nb::handle value, nb::handle record, nb::handle gives) {
  Record wanted(record);
  const Encoded encoded(value);
  coracle_request request{};
  request.size = sizeof request;
  request.server = wanted.text("server");
  request.service = wanted.text("service");
  request.type = wanted.text("type");
  request.value = encoded.data;
  request.value_size = encoded.size;
  request.lane = wanted.number<std::uint32_t>("lane");
  request.within = wanted.span("within");
  request.attempts = wanted.number<std::uint32_t>("attempts");
  request.each = wanted.span("each");
  return Role::of(self).begin(Gives::value, gives,
                              [&](coracle_role* client, const coracle_begin* at) {
                                return coracle_client_request(client, &request, nullptr, at);
                              });
}

void on_task(coracle_agent* self, coracle_question* question, const void* task, size_t size,
             void* context) {
  Called called(context, self);
  called.ask(question, &give_value, "work",
             [&] { return nb::make_tuple(called.role()->taken(task, size, "the task")); });
}

void start_slave(Node& node, nb::handle self) {
  Record role(self);
  coracle_slave slave{};
  slave.takes = role.text("_takes_name");
  slave.gives = role.text("_gives_name");
  slave.leaves = role.truth("leaves");
  slave.work = &on_task;
  start_with(node, self, slave, &coracle_slave_start);
}

void on_result(coracle_agent* self, std::uint64_t task, const void* value, size_t size,
               void* context) {
  Called called(context, self);
  called.tell("on_result", [&] {
    return nb::make_tuple(task, called.role()->taken(value, size, "the result"));
  });
}

void on_progress(coracle_agent* self, std::uint64_t done, std::uint64_t all, void* context) {
  Called called(context, self);
  called.tell("on_progress", [&] { return nb::make_tuple(done, all); });
}

void on_refusal(coracle_agent* self, const char* slave, const char* why, void* context) {
  Called called(context, self);
  called.tell("on_refusal", [&] { return nb::make_tuple(str_of(slave), str_of(why)); });
}

void start_master(Node& node, nb::handle self) {
  Record role(self);
  coracle_master master{};
  master.task_type = role.text("_gives_name");
  master.result_type = role.text("_takes_name");
  master.slaves = role.texts("slaves");
  master.result = &on_result;
  master.progress = &on_progress;
  master.refusal = &on_refusal;
  start_with(node, self, master, &coracle_master_start);
}

nb::object divide(nb::handle self, nb::handle tasks, nb::handle record, nb::handle gives) {
  Record wanted(record);
  const Role& role = Role::of(self);
  std::deque<Encoded> encoded;
  std::vector<coracle_value> values;
  for (nb::handle task : nb::iter(tasks)) {
    const Encoded& one = encoded.emplace_back(role.given(task, "the task"));
    values.push_back({one.data, one.size});
  }
  coracle_division division{};
  division.size = sizeof division;
  division.tasks = values.data();
  division.task_count = values.size();
  division.slave = wanted.text("slave");
  division.shares = coracle_shares(wanted.number<int>("shares"));
  division.chunk = wanted.number<std::uint32_t>("chunk");
  division.most = wanted.number<std::uint32_t>("most");
  division.ordered = wanted.truth("ordered");
  division.ahead = wanted.number<std::uint64_t>("ahead");
  division.attempts = wanted.number<std::uint8_t>("attempts");
  return Role::of(self).begin(Gives::values, gives,
                              [&](coracle_role* master, const coracle_begin* at) {
                                return coracle_master_divide(master, &division, nullptr, at);
                              });
}

}  // namespace

void define_serving(nb::module_& module) {
  module.def("start_server", &start_server);
  module.def("start_client", &start_client);
  module.def("request", &request, nb::arg("client"), nb::arg("value").none(), nb::arg("how"),
             nb::arg("gives").none());
  module.def("start_slave", &start_slave);
  module.def("start_master", &start_master);
  module.def("divide", &divide, nb::arg("master"), nb::arg("tasks"), nb::arg("how"),
             nb::arg("gives").none());
}

}  // namespace coracle::py
