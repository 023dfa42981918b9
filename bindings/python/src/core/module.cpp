// The extension: coracle.h as objects of Python.
#include "content.hpp"
#include "hub.hpp"
#include "logs.hpp"
#include "message.hpp"
#include "node.hpp"
#include "operation.hpp"
#include "port.hpp"
#include "roles/role.hpp"
#include "society.hpp"

NB_MODULE(_core, module) {
  using namespace coracle::py;
  // An interpreter may end while agents wait; the library's handles need no destructor then.
  nb::set_leak_warnings(false);
  define_errors(module);
  define_logs(module);
  define_content(module);
  define_values(module);
  define_operation(module);
  define_hub(module);
  define_message(module);
  define_port(module);
  define_node(module);
  define_role(module);
  define_question(module);
  define_services(module);
  define_evaluators(module);
  define_serving(module);
  define_subsumption(module);
  define_pipelines(module);
  define_councils(module);
  define_contracts(module);
  define_plans(module);
}
