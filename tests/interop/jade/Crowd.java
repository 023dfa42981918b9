import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import jade.core.AID;
import jade.core.Agent;
import jade.core.behaviours.CyclicBehaviour;
import jade.lang.acl.ACLMessage;
import jade.wrapper.AgentContainer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many agents at once. Each sends `rounds` requests to its target, one after the other, and
 * compares the replies. The command is answered when all have ended.
 */
final class Crowd {
  private final int id;
  private final int rounds;
  private final AtomicInteger open;
  private final AtomicInteger right = new AtomicInteger();
  private final AtomicInteger wrong = new AtomicInteger();

  Crowd(int id, int rounds, int count) {
    this.id = id;
    this.rounds = rounds;
    open = new AtomicInteger(count);
  }

  static void start(AgentContainer container, int id, JsonObject command) throws Exception {
    int count = command.get("count").getAsInt();
    JsonArray targets = command.getAsJsonArray("targets");
    Crowd crowd = new Crowd(id, command.get("rounds").getAsInt(), count);
    String name = command.get("name").getAsString();
    for (int i = 0; i < count; ++i) {
      AID target = Messages.toAid(targets.get(i % targets.size()).getAsJsonObject());
      container.acceptNewAgent(name + i, crowd.new Pinger(target)).start();
    }
  }

  private void finish() {
    if (open.decrementAndGet() > 0) return;
    JsonObject fields = new JsonObject();
    fields.addProperty("right", right.get());
    fields.addProperty("wrong", wrong.get());
    Output.answer(id, fields);
  }

  private final class Pinger extends Agent {
    private static final long serialVersionUID = 1;
    private final transient AID target;
    private int sent;

    Pinger(AID target) { this.target = target; }

    @Override
    protected void setup() {
      ping();
      addBehaviour(new CyclicBehaviour() {
        private static final long serialVersionUID = 1;

        @Override
        public void action() {
          ACLMessage reply = myAgent.receive();
          if (reply == null) {
            block();
          } else {
            take(reply);
          }
        }
      });
    }

    private void ping() {
      ++sent;
      ACLMessage request = new ACLMessage(ACLMessage.REQUEST);
      request.addReceiver(target);
      request.setContent(getLocalName() + " " + sent);
      request.setConversationId(getLocalName());
      request.setReplyWith(getLocalName() + "-" + sent);
      send(request);
    }

    private void take(ACLMessage reply) {
      boolean isRight = reply.getPerformative() == ACLMessage.INFORM
          && (getLocalName() + " " + sent).equals(reply.getContent())
          && getLocalName().equals(reply.getConversationId())
          && (getLocalName() + "-" + sent).equals(reply.getInReplyTo());
      (isRight ? right : wrong).incrementAndGet();
      if (sent < rounds) {
        ping();
      } else {
        doDelete();
        finish();
      }
    }
  }
}
