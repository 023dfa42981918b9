// Contents of messages that a JADE platform has sent or accepted, with D for its directory
// facilitator and M for another agent.
#pragma once

#include <string>

namespace coracle::acl::test {

inline const std::string d =
    "(agent-identifier :name df@p1 :addresses (sequence http://127.0.0.1:27778/acc))";
inline const std::string ams =
    "(agent-identifier :name ams@p1 :addresses (sequence http://127.0.0.1:27778/acc))";
inline const std::string m =
    "(agent-identifier :name zed@p2 :addresses (sequence http://127.0.0.1:27779/acc))";

// The request to register, as another platform has written it, and JADE's order of its slots.
inline const std::string register_request =
    "((action " + d + " (register (df-agent-description :name " + m +
    " :services (set (service-description :name s1 :type t1 :ownership own :properties (set "
    "(property :name p :value v)))) :protocols (set fipa-request) :ontologies (set o1 o2) "
    ":languages (set fipa-sl) :lease-time 20991114T221320123Z))))";
inline const std::string registered =
    "(df-agent-description :name " + m +
    " :services (set (service-description :name s1 :type t1 :ownership own :properties (set "
    "(property :name p :value v)))) :protocols (set fipa-request) :languages (set fipa-sl) "
    ":ontologies (set o1 o2) :lease-time 20991114T221320123Z)";
inline const std::string register_done =
    "((done (action " + d + " (register " + registered + "))))";

// Searches, and their answers.
inline const std::string search_all =
    "(action " + d + " (search (df-agent-description) (search-constraints :max-results -1)))";
inline const std::string search_by_type =
    "(action " + d +
    " (search (df-agent-description :services (set (service-description :type t1))) "
    "(search-constraints)))";
inline const std::string one_found = "((result " + search_all + " (sequence " + registered + ")))";
inline const std::string none_found = "((result " + search_by_type + " (sequence)))";
inline const std::string deregister =
    "((action " + d + " (deregister (df-agent-description :name " + m + "))))";

// The subscription, and what follows.
inline const std::string watched =
    "(iota ?x (result (action " + d +
    " (search (df-agent-description :services (set (service-description :type tt))) "
    "(search-constraints :max-results -1))) ?x))";
inline const std::string notification =
    "((= " + watched + " (sequence (df-agent-description :name " + m + "))))";

// Answers of the agent management system.
inline const std::string ams_found =
    "((result (action " + ams +
    " (search (ams-agent-description) (search-constraints :max-results -1))) (sequence "
    "(ams-agent-description :name (agent-identifier :name ams@p1 :addresses (sequence "
    "http://127.0.0.1:27778/acc) :X-JADE-agent-classname jade.domain.ams) :ownership NONE :state "
    "active))))";
inline const std::string platform_described =
    "((result (action " + ams +
    " (get-description)) (sequence (ap-description :name \"\\\"p1\\\"\" :ap-services (sequence "
    "(ap-service :name fipa.mts.mtp.http.std :type fipa.mts.mtp.http.std :addresses (sequence "
    "http://127.0.0.1:27778/acc)))))))";
// Written with more blanks than our own.
inline const std::string undelivered =
    "( (action " + m + " (ACLMessage) ) (MTS-error " + d +
    " (internal-error \"Agent not found: getContainerID() failed to find agent nobody@p1\")) )";

// The errors.
inline const std::string errors[] = {
    "((action " + d + " (register " + registered + ")) already-registered)",
    "((action " + d + " (deregister " + registered + ")) not-registered)",
    "((action " + d + " (register " + registered +
        ")) (missing-parameter service-description name))",
    "((action " + d + " (register " + registered + ")) unauthorised)",
    "(" + search_all + " (internal-error \"search-id already served\"))",
    "(unrecognised-value content)",
    "((Unsupported-value \"language\"))",
};

}  // namespace coracle::acl::test
