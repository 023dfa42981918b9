import com.google.gson.JsonObject;
import jade.lang.acl.ACLMessage;

/** The part of an agent that answers others. The role `reporter` takes nothing. */
class Role {
  /** Returns whether the role answers `message`, so that the agent does not report it. */
  boolean takes(ACLMessage message) { return false; }

  void start(PlayerAgent agent) {}

  /** Informs the subscribers; returns their number. */
  int publish(JsonObject notice) throws Exception {
    throw new IllegalStateException("only a publisher has subscribers");
  }

  static Role of(JsonObject command) {
    String name = command.has("plays") ? command.get("plays").getAsString() : "reporter";
    return switch (name) {
      case "reporter" -> new Role();
      case "echo" -> new Echo();
      case "responder" -> new Responder(command);
      case "bidder" -> new Bidder(command);
      case "publisher" -> new Publisher(command);
      default -> throw new IllegalArgumentException("there is no role " + name);
    };
  }
}
