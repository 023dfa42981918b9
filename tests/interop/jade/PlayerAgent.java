import com.google.gson.JsonObject;
import jade.core.Agent;
import jade.core.behaviours.CyclicBehaviour;
import jade.core.behaviours.OneShotBehaviour;
import jade.lang.acl.ACLMessage;
import jade.lang.acl.MessageTemplate;
import jade.proto.SubscriptionInitiator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * An agent of the player. Its role takes some messages, a conversation that it began takes others;
 * it reports all that remain.
 */
final class PlayerAgent extends Agent {
  private static final long serialVersionUID = 1;

  /** A part of an agent's work, in the thread of the agent. */
  interface Action {
    void run() throws Exception;
  }

  private final transient Role role;
  private final transient CountDownLatch started = new CountDownLatch(1);
  private final transient CountDownLatch ended = new CountDownLatch(1);
  private final transient Set<String> conversations = ConcurrentHashMap.newKeySet();
  final transient Map<String, SubscriptionInitiator> subscriptions = new ConcurrentHashMap<>();

  PlayerAgent(Role role) { this.role = role; }

  @Override
  protected void setup() {
    role.start(this);
    addBehaviour(new Reporter());
    started.countDown();
  }

  @Override
  protected void takeDown() {
    ended.countDown();
  }

  void awaitStart() throws InterruptedException { started.await(); }

  void end() throws InterruptedException {
    doDelete();
    ended.await();
  }

  Role role() { return role; }

  /** Does `action` in the agent's thread; if it fails, that is the answer to the command `id`. */
  void act(int id, Action action) {
    addBehaviour(new OneShotBehaviour() {
      private static final long serialVersionUID = 1;

      @Override
      public void action() {
        try {
          action.run();
        } catch (Exception why) {
          Output.refuse(id, why);
        }
      }
    });
  }

  /** From now on, the replies in this conversation are not reported. */
  void begin(ACLMessage first) {
    if (first.getConversationId() == null) {
      first.setConversationId(getLocalName() + "-" + System.nanoTime());
    }
    conversations.add(first.getConversationId());
  }

  void finish(String conversation) { conversations.remove(conversation); }

  void report(ACLMessage message) {
    JsonObject line = Output.event("message", getLocalName());
    line.add("message", Messages.toJson(message));
    Output.print(line);
  }

  private boolean isForNobody(ACLMessage message) {
    String conversation = message.getConversationId();
    return !role.takes(message) && (conversation == null || !conversations.contains(conversation));
  }

  private final class Reporter extends CyclicBehaviour {
    private static final long serialVersionUID = 1;
    private final transient MessageTemplate rest =
        new MessageTemplate(PlayerAgent.this::isForNobody);

    @Override
    public void action() {
      ACLMessage message = myAgent.receive(rest);
      if (message == null) {
        block();
      } else {
        report(message);
      }
    }
  }
}
